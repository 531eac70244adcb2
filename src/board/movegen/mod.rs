//! Legal moves: quiet moves, captures with every rule of precedence, and the bulk questions perft and search ask.
//!
//! Quiet moves (`quiet`) and first jumps (`jumps`) come from whole-board shifts; one walker (`capture`) follows the
//! captures that may go on.

mod capture;
mod jumps;
mod quiet;
mod route;

pub use capture::captures;
pub use jumps::{can_capture, capturing_men};
pub use quiet::{count_quiets, quiets};
pub use route::{MOST_ROUTE_STEPS, Route, find_route, stops_at};

use capture::collect;
use jumps::Jumps;
pub(super) use quiet::Visit;
use quiet::{count_quiets_of, quiets_of};

use super::moves::{Move, MoveList};
use super::position::{Board, Side};
use super::rules::Rules;

/// All legal moves: the captures if there are any, else the quiet moves.
pub fn legal_moves<R: Rules>(board: &Board) -> MoveList {
    // Two copies, here and below, so that every shift has a constant direction.
    match board.side {
        Side::White => legal_moves_of::<R>(board, Side::White),
        Side::Black => legal_moves_of::<R>(board, Side::Black),
    }
}

#[inline(always)]
fn legal_moves_of<R: Rules>(board: &Board, side: Side) -> MoveList {
    let mut list = MoveList::new();
    let jumps = Jumps::of::<R>(board, side);
    if jumps.any() {
        collect::<R>(board, side, &jumps, &mut list);
    } else {
        quiets_of::<R>(board, side, &mut |mv: &Move| list.push(*mv));
    }
    list
}

/// Tells `visit` of each legal move of `side`, which is the side to move: a constant where speed matters.
#[inline(always)]
pub(super) fn for_each_move_of<R: Rules>(board: &Board, side: Side, visit: &mut impl Visit) {
    let jumps = Jumps::of::<R>(board, side);
    if jumps.any() {
        let mut list = MoveList::new();
        collect::<R>(board, side, &jumps, &mut list);
        list.iter().for_each(|mv| visit.visit(mv));
    } else {
        quiets_of::<R>(board, side, visit);
    }
}

/// The number of legal moves, without making a list where none is needed.
#[inline(always)]
pub fn count_moves<R: Rules>(board: &Board) -> usize {
    match board.side {
        Side::White => count_moves_of::<R>(board, Side::White),
        Side::Black => count_moves_of::<R>(board, Side::Black),
    }
}

/// As [`count_moves`], of `side`, which is the side to move: a constant where speed matters.
#[inline(always)]
pub(super) fn count_moves_of<R: Rules>(board: &Board, side: Side) -> usize {
    let jumps = Jumps::of::<R>(board, side);
    if jumps.any() {
        let count = jumps.count::<R>(board, side);
        count.unwrap_or_else(|| count_captures::<R>(*board))
    } else {
        count_quiets_of::<R>(board, side)
    }
}

/// By value, so that the callers need not keep their board in memory for it.
#[inline(never)]
fn count_captures<R: Rules>(board: Board) -> usize {
    let mut list = MoveList::new();
    captures::<R>(&board, &mut list);
    list.len()
}

/// Whether the side to move has a legal move.
pub fn has_moves<R: Rules>(board: &Board) -> bool {
    count_quiets::<R>(board) != 0 || can_capture::<R>(board)
}
