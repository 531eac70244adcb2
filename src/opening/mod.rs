//! Sets of starting positions for matches: how they are made ([`make`]) and kept as text ([`parse`], [`write()`]); and opening
//! books for playing ([`book`]).
//!
//! A suite is a list of different positions, each with the line of moves that leads to it from the start of the game and
//! the score of a search. For the same recipe and the same build it is the same on every machine, whatever the number
//! of threads.

pub mod book;
mod deal;
mod file;
mod judge;
mod lines;
mod suite;

use crate::board::Move;
use crate::notation::Setup;
use crate::search::Value;

pub use file::{BadLine, LineError, parse, write};
pub use lines::{canonical, is_fit};
pub use suite::{Progress, Recipe, SuiteError, make};

/// One starting position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The position.
    pub setup: Setup,
    /// The moves that lead to it from the start of the game; none if it stands by itself.
    pub line: Vec<Move>,
    /// Its score in hundredths of a man from White's view, if known.
    pub score: Option<Value>,
}
