//! Legal moves: quiet moves, captures with every rule of precedence, and the bulk questions perft and search ask.
//!
//! Captures come from one walker (`capture`); quiet moves from whole-board shifts (`quiet`).

mod capture;
mod quiet;
mod route;

pub use capture::{can_capture, captures, capturing_men};
pub use quiet::{count_quiets, quiets};
pub use route::{MOST_ROUTE_STEPS, Route, find_route, stops_at};

use super::moves::MoveList;
use super::position::Board;
use super::rules::Rules;

/// All legal moves: the captures if there are any, else the quiet moves.
pub fn legal_moves<R: Rules>(board: &Board) -> MoveList {
    let mut list = MoveList::new();
    if can_capture::<R>(board) {
        captures::<R>(board, &mut list);
    } else {
        quiets::<R>(board, |mv| list.push(mv));
    }
    list
}

/// The number of legal moves, without making a list where none is needed.
#[inline]
pub fn count_moves<R: Rules>(board: &Board) -> usize {
    if can_capture::<R>(board) {
        let mut list = MoveList::new();
        captures::<R>(board, &mut list);
        list.len()
    } else {
        count_quiets::<R>(board)
    }
}

/// Whether the side to move has a legal move.
pub fn has_moves<R: Rules>(board: &Board) -> bool {
    count_quiets::<R>(board) != 0 || can_capture::<R>(board)
}
