//! A placement of pieces with the side to move ([`Board`]), and the same with hash and draw counters ([`Position`]).

use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Not};

use super::draw::{Counters, DrawTable};
use super::geometry::{Bits, Geometry, bit, squares};
use super::moves::Move;
use super::rules::Rules;
use super::zobrist;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// Plays up the board, towards row 0.
    White = 0,
    /// Plays down the board.
    Black = 1,
}

impl Side {
    /// Both sides.
    pub const ALL: [Side; 2] = [Side::White, Side::Black];
}

impl Not for Side {
    type Output = Side;

    #[inline(always)]
    fn not(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// A side to move as a type, so that all directions in a function are constants.
pub(super) trait Mover {
    /// The side.
    const SIDE: Side;
    /// The side that moves next.
    type Next: Mover;
}

/// [`Side::White`] as a type.
pub(super) struct White;

impl Mover for White {
    const SIDE: Side = Side::White;
    type Next = Black;
}

/// [`Side::Black`] as a type.
pub(super) struct Black;

impl Mover for Black {
    const SIDE: Side = Side::Black;
    type Next = White;
}

impl<T> Index<Side> for [T; 2] {
    type Output = T;

    #[inline(always)]
    fn index(&self, side: Side) -> &T {
        &self[side as usize]
    }
}

impl<T> IndexMut<Side> for [T; 2] {
    #[inline(always)]
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self[side as usize]
    }
}

/// Where the pieces stand and whose move it is.
///
/// Invariants: the two sets of `pieces` are disjoint and playable; `kings` is a subset of their union.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Men and kings of each side.
    pub pieces: [Bits; 2],
    /// Kings of both sides.
    pub kings: Bits,
    /// The side to move.
    pub side: Side,
}

impl Board {
    /// The start of a game.
    pub fn start<R: Rules>() -> Board {
        let rows = |from: usize, count: usize| {
            (from..from + count).fold(0, |set, row| set | R::Geo::row(row))
        };
        let (first, count) = (R::FIRST_MEN_ROW, R::MEN_ROWS);
        Board {
            pieces: [
                rows(R::Geo::ROWS - first - count, count),
                rows(first, count),
            ],
            kings: 0,
            side: R::FIRST_MOVER,
        }
    }

    /// All occupied squares.
    #[inline(always)]
    pub const fn occupied(&self) -> Bits {
        self.pieces[0] | self.pieces[1]
    }

    /// The empty playable squares.
    #[inline(always)]
    pub fn empty<G: Geometry>(&self) -> Bits {
        G::ALL & !self.occupied()
    }

    /// The men of a side.
    #[inline(always)]
    pub fn men(&self, side: Side) -> Bits {
        self.pieces[side] & !self.kings
    }

    /// The kings of a side.
    #[inline(always)]
    pub fn kings_of(&self, side: Side) -> Bits {
        self.pieces[side] & self.kings
    }

    /// The board after a move of the side to move. The move must be legal here.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, mv: &Move) -> Board {
        self.after_by(self.side, mv)
    }

    /// As [`after`](Self::after), with the side to move given once more: a constant where speed matters.
    #[inline(always)]
    #[must_use]
    pub(super) fn after_by(&self, side: Side, mv: &Move) -> Board {
        let (from, to) = (bit(mv.from), bit(mv.to));
        let own = self.pieces[side] & !from | to;
        let other = self.pieces[!side] & !mv.captured;
        // The captured pieces leave first: where they leave at once, a king may end on the square of one of them.
        let crowned = mv.promotes || self.kings & from != 0;
        let kings = self.kings & !(from | mv.captured) | if crowned { to } else { 0 };
        Board {
            pieces: match side {
                Side::White => [own, other],
                Side::Black => [other, own],
            },
            kings,
            side: !side,
        }
    }

    /// The same game seen from the other side: turned by 180 degrees, colours exchanged.
    #[must_use]
    pub fn flipped<G: Geometry>(&self) -> Board {
        Board {
            pieces: [G::half_turn(self.pieces[1]), G::half_turn(self.pieces[0])],
            kings: G::half_turn(self.kings),
            side: !self.side,
        }
    }

    /// The board reflected from left to right, with the same moves reflected; `None` where the squares are not symmetric.
    #[must_use]
    pub fn mirrored<G: Geometry>(&self) -> Option<Board> {
        Some(Board {
            pieces: [G::mirrored(self.pieces[0])?, G::mirrored(self.pieces[1])?],
            kings: G::mirrored(self.kings)?,
            side: self.side,
        })
    }
}

/// A board with its hash and what the draw rules remember of the game.
#[derive(Clone, Copy, Debug)]
pub struct Position<R: Rules> {
    /// Pieces and side to move.
    pub board: Board,
    /// Zobrist hash of `board`, equal for equal boards of any game.
    pub key: u64,
    /// Plies since the last move that cannot be undone, which bounds the search for repetitions.
    pub reversible: u16,
    /// The running draw clocks.
    pub counters: Counters,
    rules: PhantomData<R>,
}

impl<R: Rules> Position<R> {
    /// The first position of a game; its draw clocks start here.
    pub fn new(board: Board, table: &DrawTable) -> Self {
        Self {
            board,
            key: zobrist::key(&board),
            reversible: 0,
            counters: Counters::start::<R>(&board, table),
            rules: PhantomData,
        }
    }

    /// The position after a legal move.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: &Move, table: &DrawTable) -> Self {
        let (us, them) = (self.board.side, !self.board.side);
        let board = self.board.after(mv);
        let man = self.board.kings & bit(mv.from) == 0;
        let mut key = self.key ^ zobrist::SIDE;
        key ^= zobrist::piece(us, !man, mv.from) ^ zobrist::piece(us, !man || mv.promotes, mv.to);
        for square in squares(mv.captured) {
            key ^= zobrist::piece(them, self.board.kings & bit(square) != 0, square);
        }
        let forward = man && !R::Geo::is_sideways(mv.from, mv.to);
        let reversible = if mv.is_capture() || forward {
            0
        } else {
            self.reversible.saturating_add(1)
        };
        let counters = self.counters.after::<R>(mv, man, &board, table);
        Self {
            board,
            key,
            reversible,
            counters,
            rules: PhantomData,
        }
    }
}
