//! The board as plain text, White at the bottom.

use super::squares::Squares;
use crate::board::{Board, Rules};

/// The board as lines of text, each ended by a line feed.
pub fn draw<R: Rules>(_board: &Board, _squares: Squares) -> String {
    String::new()
}
