//! Writing moves.

use super::Style;
use crate::board::{Board, Move, Rules};

/// Writes a legal move of the position.
pub fn write<R: Rules>(_board: &Board, _mv: &Move, _style: Style) -> String {
    String::new()
}

/// All legal moves of the position with their texts, in the generator's order.
pub fn write_legal<R: Rules>(_board: &Board, _style: Style) -> Vec<(Move, String)> {
    Vec::new()
}

/// Writes the moves of a line that starts from the position; it stops before a move that is not legal.
pub fn write_line<R: Rules>(_board: &Board, _line: &[Move], _style: Style) -> Vec<String> {
    Vec::new()
}
