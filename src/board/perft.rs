//! Perft: the number of lines of legal moves of a given length, the classic check of a move generator.
//!
//! Moves are counted as the triple (from, to, captured set): the convention called `unique` where counts are published.

use rayon::prelude::*;

use super::movegen::{count_moves, for_each_move, legal_moves};
use super::moves::Move;
use super::position::Board;
use super::rules::Rules;

/// The number of lines of `depth` plies. The last ply is counted, not made.
pub fn perft<R: Rules>(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count_moves::<R>(board) as u64,
        _ => inner::<R>(board, depth),
    }
}

fn inner<R: Rules>(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 2 {
        for_each_move::<R>(board, |mv| {
            nodes += count_moves::<R>(&board.after(mv)) as u64
        });
    } else {
        for_each_move::<R>(board, |mv| nodes += inner::<R>(&board.after(mv), depth - 1));
    }
    nodes
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
