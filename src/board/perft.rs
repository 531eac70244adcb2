//! Perft: the number of lines of legal moves of a given length, the classic check of a move generator.
//!
//! Moves are counted as the triple (from, to, captured set): the convention called `unique` where counts are published.

use std::marker::PhantomData;

use rayon::prelude::*;

use super::movegen::{Visit, count_moves, count_moves_of, for_each_move_of, legal_moves};
use super::moves::Move;
use super::position::{Black, Board, Mover, Side, White};
use super::rules::Rules;

/// The number of lines of `depth` plies. The last ply is counted, not made.
pub fn perft<R: Rules>(board: &Board, depth: u32) -> u64 {
    match (depth, board.side) {
        (0, _) => 1,
        (1, _) => count_moves::<R>(board) as u64,
        (_, Side::White) => inner::<R, White>(board, depth),
        (_, Side::Black) => inner::<R, Black>(board, depth),
    }
}

fn inner<R: Rules, M: Mover>(board: &Board, depth: u32) -> u64 {
    if depth == 2 {
        return last_but_one::<R, M>(board);
    }
    let mut nodes = 0;
    for_each_move_of::<R>(board, M::SIDE, &mut |mv: &Move| {
        nodes += inner::<R, M::Next>(&board.after_by(M::SIDE, mv), depth - 1);
    });
    nodes
}

/// Counts the moves after each move: nearly all of the time goes here.
fn last_but_one<R: Rules, M: Mover>(board: &Board) -> u64 {
    let mut sum = SumOfCounts::<R, M> {
        board,
        nodes: 0,
        rules: PhantomData,
    };
    for_each_move_of::<R>(board, M::SIDE, &mut sum);
    sum.nodes
}

struct SumOfCounts<'a, R, M> {
    board: &'a Board,
    nodes: u64,
    rules: PhantomData<(R, M)>,
}

impl<R: Rules, M: Mover> Visit for SumOfCounts<'_, R, M> {
    #[inline(always)]
    fn visit(&mut self, mv: &Move) {
        let next = self.board.after_by(M::SIDE, mv);
        self.nodes += count_moves_of::<R>(&next, M::Next::SIDE) as u64;
    }
}

/// The count below each legal move, in the generator's order; the moves are shared out among rayon's threads.
pub fn divide<R: Rules>(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    let count = |mv: &Move| perft::<R>(&board.after(mv), depth.saturating_sub(1));
    legal_moves::<R>(board)
        .into_vec()
        .into_par_iter()
        .map(|mv| (mv, count(&mv)))
        .collect()
}
