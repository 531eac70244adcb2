//! FEN: `W:W31-50:B1-20`, a side to move and the squares of each side.

use thiserror::Error;

use super::squares::Squares;
use crate::board::{Board, Rules};

/// The counters that may follow a FEN; they are printed again only if they were given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Suffixes {
    /// `:H<n>`: plies without progress.
    pub half_moves: Option<u16>,
    /// `:F<n>`: number of the move to be played, from 1.
    pub full_move: Option<u32>,
}

/// What a FEN says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Pieces and side to move.
    pub board: Board,
    /// The counters, if given.
    pub suffixes: Suffixes,
}

/// Why a FEN is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FenError {
    /// There is nothing to read.
    #[error("the FEN is empty")]
    Empty,
}

/// Reads a FEN.
pub fn parse<R: Rules>(_text: &str) -> Result<Setup, FenError> {
    Err(FenError::Empty)
}

/// Writes a FEN in canonical form: sorted squares, no ranges, no final dot.
pub fn write<R: Rules>(_board: &Board, _squares: Squares, _suffixes: Suffixes) -> String {
    String::new()
}
