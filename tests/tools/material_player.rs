//! A weak opponent: looks two plies ahead, counts men and kings, and breaks ties at random.

use warcab::board::movegen::legal_moves;
use warcab::board::{Board, Move, Rules};

/// Value of a king in men.
const KING: i32 = 3;
const LOST: i32 = 1000;

fn material(board: &Board) -> i32 {
    let side = |side| {
        (board.men(side).count_ones() + KING as u32 * board.kings_of(side).count_ones()) as i32
    };
    side(board.side) - side(!board.side)
}

fn negamax<R: Rules>(board: &Board, depth: u32) -> i32 {
    if depth == 0 {
        return material(board);
    }
    let value = |mv: &Move| -negamax::<R>(&board.after(mv), depth - 1);
    legal_moves::<R>(board)
        .iter()
        .map(value)
        .max()
        .unwrap_or(-LOST)
}

/// The move it plays; the position must have one.
pub(crate) fn choose<R: Rules>(board: &Board, random: &mut fastrand::Rng) -> Move {
    let moves = legal_moves::<R>(board);
    let values: Vec<i32> = moves
        .iter()
        .map(|mv| -negamax::<R>(&board.after(mv), 1))
        .collect();
    let best = values.iter().max();
    let equal: Vec<Move> = moves
        .iter()
        .zip(&values)
        .filter(|(_, value)| Some(*value) == best)
        .map(|(mv, _)| *mv)
        .collect();
    equal[random.usize(..equal.len())]
}
