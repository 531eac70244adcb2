//! Moves as text: read in every form ([`parse`]), written in the one that is asked for ([`write()`]).

mod cut;
mod read;
mod write;

use thiserror::Error;

pub(super) use cut::{Cut, cut, is_separator};
pub use read::parse;
pub(super) use read::{illegal, readings};
pub use write::{write, write_legal, write_line};

use super::fen;
use super::squares::Squares;
use crate::board::Rules;

/// A line of play from a position, in any notation, as another style has it; it stops where it cannot be read.
pub fn rewrite<R: Rules>(fen: &str, line: &[String], style: Style) -> Vec<String> {
    let Ok(setup) = fen::parse::<R>(fen) else {
        return Vec::new();
    };
    let mut board = setup.board;
    let mut list = Vec::with_capacity(line.len());
    for text in line {
        let Ok(mv) = parse::<R>(&board, text) else {
            break;
        };
        board = board.after(&mv);
        list.push(mv);
    }
    write_line::<R>(&setup.board, &list, style)
}

/// The option `Notation`: the form in which moves are printed. All forms are always read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// Start and end, and a capture's whole path only where two legal moves share both.
    #[default]
    Short,
    /// Every capture with its whole path.
    Path,
    /// Start, end and the captured squares.
    Hub,
}

impl Notation {
    /// All choices with their names, in the order they are listed to users.
    pub const ALL: [(Notation, &'static str); 3] = [
        (Notation::Short, "short"),
        (Notation::Path, "path"),
        (Notation::Hub, "hub"),
    ];
}

/// How moves are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// The form.
    pub notation: Notation,
    /// The names of the squares.
    pub squares: Squares,
}

/// Why a text is not a move of the position.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MoveError {
    /// It has not the form of a move.
    #[error("cannot read \"{text}\" as a move: {reason}")]
    Unreadable {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No legal move fits.
    #[error("\"{text}\" is not legal here: {reason}")]
    Illegal {
        /// The text.
        text: String,
        /// Why not.
        reason: String,
    },
    /// Several legal moves fit.
    #[error("\"{text}\" is ambiguous, one of: {}", .candidates.join(", "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves that fit, each written so that it fits no other.
        candidates: Vec<String>,
    },
}
