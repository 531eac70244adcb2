//! Perft that uses several threads and can be stopped.

use rayon::prelude::*;

use crate::board::movegen::legal_moves;
use crate::board::perft::perft;
use crate::board::{Board, Move, Rules};
use crate::search::Signals;

/// Subtrees of so many plies are counted without looking at the stop signal.
const BLIND_PLIES: u32 = 3;
/// Subtrees of so many plies are counted by one thread.
const SINGLE_PLIES: u32 = 5;

/// The count below each legal move, in the generator's order, by `threads` threads; `None` if `signals` said stop.
/// Depth 0 has no moves to count below.
pub(super) fn divide<R: Rules>(
    board: &Board,
    depth: u32,
    threads: usize,
    signals: &Signals,
) -> Option<Vec<(Move, u64)>> {
    let Some(below) = depth.checked_sub(1) else {
        return Some(Vec::new());
    };
    let moves = legal_moves::<R>(board).into_vec();
    let work = || {
        moves
            .into_par_iter()
            .map(|mv| (mv, count::<R>(&board.after(&mv), below, signals)))
            .collect()
    };
    let counts: Vec<(Move, u64)> =
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.install(work),
            // No threads to be had: the shared pool, or this thread, does it.
            Err(_) => work(),
        };
    (!signals.is_stopped()).then_some(counts)
}

fn count<R: Rules>(board: &Board, depth: u32, signals: &Signals) -> u64 {
    if depth <= BLIND_PLIES {
        return perft::<R>(board, depth);
    }
    if signals.is_stopped() {
        return 0;
    }
    let below = |mv: &Move| count::<R>(&board.after(mv), depth - 1, signals);
    let moves = legal_moves::<R>(board);
    if depth <= SINGLE_PLIES {
        moves.iter().map(below).sum()
    } else {
        moves.par_iter().map(below).sum()
    }
}
