//! Moves and lists of moves.

use smallvec::SmallVec;

use super::geometry::{Bits, Square, bit};

/// A move: the triple (from, to, captured set) that tells moves apart, and whether it crowns a man.
///
/// The route of a capture is not part of it: [`find_route`](super::movegen::find_route) rebuilds one for printing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The captured pieces; empty for a quiet move.
    pub captured: Bits,
    /// Where the piece starts.
    pub from: Square,
    /// Where it ends; equal to `from` for a capture that runs in a circle.
    pub to: Square,
    /// A man becomes a king.
    pub promotes: bool,
}

impl Move {
    /// Whether the move takes anything.
    #[inline(always)]
    pub const fn is_capture(&self) -> bool {
        self.captured != 0
    }

    /// The from and to squares as a set.
    #[inline(always)]
    pub const fn ends(&self) -> Bits {
        bit(self.from) | bit(self.to)
    }
}

/// A list of moves; on the stack for every position of play, on the heap for the monsters that can be typed.
pub type MoveList = SmallVec<[Move; 64]>;
