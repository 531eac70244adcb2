//! The order in which moves are tried: the table's move, captures by what they take, crownings, killers, then history.

use smallvec::SmallVec;

use super::history::{HISTORY_LIMIT, History};
use super::tt::MoveCode;
use crate::board::{Board, Move};

const FIRST: i32 = 1 << 24;
const CAPTURE: i32 = 1 << 20;
const PROMOTION: i32 = 4 * HISTORY_LIMIT;
const KILLER: i32 = 2 * HISTORY_LIMIT;

/// Moves that are handed out best first.
pub(super) struct Picker<'a> {
    moves: &'a mut [Move],
    scores: SmallVec<[i32; 64]>,
    next: usize,
}

impl<'a> Picker<'a> {
    pub(super) fn new(
        board: &Board,
        moves: &'a mut [Move],
        best: MoveCode,
        killers: &[MoveCode; 2],
        history: &History,
    ) -> Picker<'a> {
        let score = |mv: &Move| {
            let code = MoveCode::new(mv);
            if code == best {
                FIRST
            } else if mv.is_capture() {
                let taken = mv.captured.count_ones() + 2 * (mv.captured & board.kings).count_ones();
                CAPTURE + 1024 * taken as i32 + i32::from(mv.promotes)
            } else {
                let killer = if code == killers[0] {
                    KILLER + 1
                } else if code == killers[1] {
                    KILLER
                } else {
                    0
                };
                history.get(board, mv) + killer + if mv.promotes { PROMOTION } else { 0 }
            }
        };
        let scores = moves.iter().map(score).collect();
        Picker {
            moves,
            scores,
            next: 0,
        }
    }

    /// How many moves there are.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The moves handed out so far but the last.
    pub(super) fn tried(&self) -> &[Move] {
        &self.moves[..self.next.saturating_sub(1)]
    }
}

impl Iterator for Picker<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let rest = self.scores.get(self.next..)?;
        let (offset, _) = rest
            .iter()
            .enumerate()
            .rev()
            .max_by_key(|&(_, score)| *score)?;
        let index = self.next + offset;
        self.moves.swap(self.next, index);
        self.scores.swap(self.next, index);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}
