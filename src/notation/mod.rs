//! How positions and moves are written and read: squares, FEN, Hub's boards, DXP's messages, moves in all their forms,
//! diagrams, games in PDN. Pure functions, no I/O but that of PDN's reader, which reads from whatever it is given.
//!
//! Everything is generic over the rule set and nothing panics: what cannot be read comes back as an error that names the
//! value, the place and what was expected.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod diagram;
pub mod dxp;
pub mod fen;
pub mod hub;
pub mod moves;
pub mod pdn;
pub mod squares;
pub mod svg;

pub use fen::{FenError, Setup, Suffixes};
pub use moves::{MoveError, Notation, Style};
pub use squares::Squares;

/// A piece of somebody's text, short enough for an error message.
fn excerpt(text: impl IntoIterator<Item = char>) -> String {
    const LONGEST: usize = 40;
    let mut chars = text.into_iter();
    let mut short: String = chars.by_ref().take(LONGEST).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    short
}

/// Whether a character is read as the dash of a move or a range: hyphens and dashes of all kinds and the minus sign.
const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}
