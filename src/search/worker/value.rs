//! What a position is worth without a search below it: its evaluation, what endgame tables say, and draws at their price.

use super::Worker;
use crate::board::{Board, Position, Rules};
use crate::search::score::Value;
use crate::tablebase::Verdict;

impl<R: Rules> Worker<'_, R> {
    /// The static evaluation of a position `ply` plies from the root.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, position: &Position<R>, ply: usize) -> Value {
        self.plain_value(position) + self.lean(&position.board, ply)
    }

    /// The static evaluation of a position, the same whoever searches for it.
    #[inline(always)]
    pub(super) fn plain_value(&mut self, position: &Position<R>) -> Value {
        let evaluator = self.shared.evaluator;
        let values = &mut self.memory.values;
        values.get(position.key, || evaluator.evaluate(&position.board))
    }

    /// What endgame tables know of a position, where that can be relied on under the draw rules, and how many plies away
    /// the next capture is.
    #[inline(always)]
    pub(super) fn verdict(&mut self, position: &Position<R>) -> Option<(Verdict, u8)> {
        let verdict = self.shared.tables.probe(position, self.shared.draws)?;
        self.hits += 1;
        Some(verdict)
    }

    /// The value of a draw at `ply` plies from the root, whose side to move thinks less of it than of an even position.
    #[inline(always)]
    pub(super) fn drawn(&self, ply: usize) -> Value {
        if ply.is_multiple_of(2) {
            -self.shared.contempt
        } else {
            self.shared.contempt
        }
    }

    /// The value of a position that tables know to be drawn. Who prices draws plays on for the opponent to err, so that of
    /// two draws the one that looks better is better, though none comes near to an even position.
    #[inline(always)]
    pub(super) fn drawn_by_tables(&mut self, position: &Position<R>, ply: usize) -> Value {
        let drawn = self.drawn(ply);
        if drawn == 0 {
            return 0;
        }
        let most = drawn.abs() / 2;
        drawn + (self.plain_value(position) / 4).clamp(-most, most)
    }

    /// What is added to a static evaluation on the way to a draw: the fewer pieces are left, the nearer one is, so that its
    /// whole price is for an empty board and none is for the start of a game.
    #[inline(always)]
    pub(super) fn lean(&self, board: &Board, ply: usize) -> Value {
        let most = R::PIECES as Value;
        let gone = most - board.occupied().count_ones() as Value;
        self.drawn(ply) * gone.max(0) / most
    }
}
