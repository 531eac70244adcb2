//! Checking the tables: a position is worth the best that its moves lead to, and every value is asked for as a user does.

use rayon::prelude::*;

use super::material::Material;
use super::values::Verdict;
use super::{Ending, Tablebase, ends_one_each};
use crate::board::movegen::{can_capture, legal_moves};
use crate::board::{Board, Rules};

/// A position whose value is not what its moves make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The position, White to move.
    pub board: Board,
    /// What the tables say.
    pub says: Option<Ending>,
    /// What its moves say.
    pub moves: Option<Ending>,
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
            let says = tablebase.ending(&board);
            let moves = from_moves(tablebase, &board);
            if says == moves && says.is_some() {
                Ok(1)
            } else {
                Err(Fault { board, says, moves })
            }
        })
        .try_reduce(|| 0, |one, other| Ok(one + other))
}

/// What the moves of a position make of it.
fn from_moves<R: Rules>(tablebase: &Tablebase<R>, board: &Board) -> Option<Ending> {
    let moves = legal_moves::<R>(board);
    let verdicts = moves.iter().map(|mv| tablebase.probe_move(board, mv));
    let verdicts: Vec<Verdict> = verdicts.collect::<Option<_>>()?;
    let best = verdicts.iter().copied().max().unwrap_or(Verdict::Loss);
    let verdict = match ends_one_each::<R>(board) {
        true => Verdict::Draw,
        false => best,
    };
    let chosen = moves.iter().zip(&verdicts).filter(|(_, v)| **v == best);
    let further =
        chosen.filter_map(|(mv, _)| Some(tablebase.ending(&board.after(mv))?.distance? + 1));
    let distance = match verdict {
        Verdict::Draw => None,
        _ if board.occupied() != board.kings => None,
        _ if can_capture::<R>(board) => Some(0),
        Verdict::Win => further.min(),
        Verdict::Loss => further.max().or(Some(0)),
    };
    Some(Ending { verdict, distance })
}
