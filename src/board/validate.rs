//! What a placement of pieces must satisfy before the rest of the engine sees it.

use thiserror::Error;

use super::geometry::{Geometry, Square, lowest};
use super::position::{Board, Side};
use super::rules::Rules;
use super::rules::crown_row;

/// Why a placement is refused. Squares are bit numbers: notation turns them into names.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum BoardError {
    /// A piece stands on a square that is not playable.
    #[error("a piece stands outside the board")]
    OffBoard,
    /// Both sides claim a square.
    #[error("a square is named twice")]
    Twice(Square),
    /// A man stands where it would have been crowned.
    #[error("a man stands on its own last row")]
    ManOnLastRow(Side, Square),
}

/// Checks a placement: any number of pieces and an empty side are fine; pieces must stand on different playable squares
/// and no man on its own last row.
pub fn validate<R: Rules>(board: &Board) -> Result<(), BoardError> {
    let [white, black] = board.pieces;
    if (white | black | board.kings) & !R::Geo::ALL != 0 || board.kings & !(white | black) != 0 {
        return Err(BoardError::OffBoard);
    }
    if white & black != 0 {
        return Err(BoardError::Twice(lowest(white & black)));
    }
    for side in Side::ALL {
        let stray = board.men(side) & crown_row::<R>(side);
        if stray != 0 {
            return Err(BoardError::ManOnLastRow(side, lowest(stray)));
        }
    }
    Ok(())
}
