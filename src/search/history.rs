//! Which quiet moves have been good: counted by side, kind of piece, from and to.

use crate::board::geometry::bit;
use crate::board::{Board, Move};

/// Scores stay within plus or minus this.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

/// The table of one thread.
#[derive(Clone, Debug)]
pub(super) struct History(Vec<i16>);

impl History {
    pub(super) fn new() -> Self {
        History(vec![0; 1 << 14])
    }

    #[inline(always)]
    fn index(board: &Board, mv: &Move) -> usize {
        let king = usize::from(board.kings & bit(mv.from) != 0);
        (board.side as usize) << 13
            | king << 12
            | usize::from(mv.from & 63) << 6
            | usize::from(mv.to & 63)
    }

    /// The score of a move, within plus or minus [`HISTORY_LIMIT`].
    #[inline(always)]
    pub(super) fn get(&self, board: &Board, mv: &Move) -> i32 {
        i32::from(self.0[Self::index(board, mv)])
    }

    /// Moves the score of a move towards the sign of `bonus`, the slower the nearer it is to the limit.
    #[inline(always)]
    pub(super) fn update(&mut self, board: &Board, mv: &Move, bonus: i32) {
        let score = &mut self.0[Self::index(board, mv)];
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    /// Halves all scores: a new search trusts them less.
    pub(super) fn fade(&mut self) {
        self.0.iter_mut().for_each(|score| *score /= 2);
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}
