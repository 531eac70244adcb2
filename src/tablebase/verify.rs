//! Checking the tables: a position is worth the best that its moves lead to, and every value is asked for as a user does.

use rayon::prelude::*;

use super::material::Material;
use super::values::Verdict;
use super::{Tablebase, ends_one_each};
use crate::board::movegen::{can_capture, legal_moves};
use crate::board::{Board, Rules};

/// What is said of a position: its outcome and, for kings alone, the plies to the next capture.
pub type Finding = (Option<Verdict>, Option<u8>);

/// A position whose value is not what its moves make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The position, White to move.
    pub board: Board,
    /// What the tables say.
    pub says: Finding,
    /// What its moves say.
    pub moves: Finding,
}

/// Checks the positions of a material, of every `step`th number, 1 for all, and returns how many they were, or the first
/// that is wrong. Draws that hold each other up are not told from wins nobody finds: that takes the counts.
///
/// # Errors
///
/// The fault with the lowest number.
pub fn verify<R: Rules>(
    tablebase: &Tablebase<R>,
    material: Material,
    step: u64,
) -> Result<u64, Fault> {
    let layout = super::Layout::<R>::new(material);
    let step = step.max(1);
    (0..layout.size().div_ceil(step))
        .into_par_iter()
        .filter_map(|number| layout.board(number * step))
        .filter(|board| layout.index(board).is_some())
        .map(|board| {
            let says = (tablebase.probe(&board), tablebase.distance(&board));
            let moves = from_moves(tablebase, &board);
            if says == moves && says.0.is_some() {
                Ok(1)
            } else {
                Err(Fault { board, says, moves })
            }
        })
        .try_reduce(|| 0, |one, other| Ok(one + other))
}

/// What the moves of a position make of it.
fn from_moves<R: Rules>(tablebase: &Tablebase<R>, board: &Board) -> Finding {
    if ends_one_each::<R>(board) {
        return (Some(Verdict::Draw), None);
    }
    let moves = legal_moves::<R>(board);
    let replies = moves.iter().map(|mv| {
        let next = board.after(mv);
        let verdict = match next.pieces[next.side] {
            0 => Some(Verdict::Win),
            _ => tablebase.probe(&next).map(Verdict::reversed),
        };
        (verdict, next)
    });
    let replies: Vec<_> = replies.collect();
    if replies.iter().any(|(verdict, _)| verdict.is_none()) {
        return (None, None);
    }
    let best = replies.iter().filter_map(|(verdict, _)| *verdict).max();
    let best = best.unwrap_or(Verdict::Loss);
    if board.occupied() & !board.kings != 0 || best == Verdict::Draw {
        return (Some(best), None);
    }
    let chosen = replies.iter().filter(|(verdict, _)| *verdict == Some(best));
    let further = chosen.filter_map(|(_, next)| tablebase.distance(next).map(|plies| plies + 1));
    let plies = match best {
        _ if can_capture::<R>(board) => Some(0),
        Verdict::Win => further.min(),
        _ => further.max().or(Some(0)),
    };
    (Some(best), plies)
}
