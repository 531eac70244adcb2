//! Reading moves.

use super::MoveError;
use crate::board::{Board, Move, Rules};

/// Reads a move of the position in any form.
pub fn parse<R: Rules>(_board: &Board, text: &str) -> Result<Move, MoveError> {
    Err(MoveError::Unreadable {
        text: text.into(),
        reason: String::new(),
    })
}
