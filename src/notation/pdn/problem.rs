//! What can be wrong with a game, with its place.

use thiserror::Error;

use super::raw::MOST_TEXT;
use crate::board::{Side, Variant};
use crate::notation::fen::FenError;
use crate::notation::moves::MoveError;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Read as it was meant, though it is not written as PDN 3.0 asks.
    Note,
    /// Something was left out or guessed.
    Warning,
    /// The game could not be read to its end.
    Error,
}

impl Severity {
    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A finding and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line of the file, from 1.
    pub line: usize,
    /// What was found.
    pub finding: Finding,
}

impl Problem {
    /// Whether it kept the game from being read to its end.
    pub fn is_error(&self) -> bool {
        self.finding.severity() == Severity::Error
    }
}

/// What was found in a game.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Finding {
    /// A move cannot be read or played.
    #[error("move {number} of {}: {error}{}; the rest of the game is not read", side_name(*.side), hint(.fitting))]
    Move {
        /// The number of the move.
        number: usize,
        /// Whose it is.
        side: Side,
        /// Why not.
        error: MoveError,
        /// Other sets by whose rules the whole game can be played.
        fitting: Vec<Variant>,
    },
    /// A move that is none stands among the moves.
    #[error(
        "move {number} of {} is the null move \"{text}\"; the rest of the game is not read",
        side_name(*.side)
    )]
    NullMove {
        /// The number of the move.
        number: usize,
        /// Whose it is.
        side: Side,
        /// The text.
        text: String,
    },
    /// The first position, or one within the game, cannot be read.
    #[error("{0}; the moves after it are not read")]
    Fen(FenError),
    /// The game is of a set that is not known.
    #[error(
        "GameType \"{0}\" is none of the sets played here ({accepted}); the moves are not read",
        accepted = accepted_game_types()
    )]
    GameType(String),
    /// The game is too long.
    #[error(
        "the game is longer than {} MiB; what follows is left out",
        MOST_TEXT >> 20
    )]
    TooLong,
    /// A comment has no end before the next game.
    #[error(
        "the comment that begins here is not closed, expected a closing brace before the next game"
    )]
    OpenComment,
    /// A variation has no end before the next game.
    #[error(
        "the variation that begins here is not closed, expected a closing parenthesis before the next game"
    )]
    OpenVariation,
    /// A tag is not as it should be.
    #[error("the tag \"{0}\" is malformed, expected [Name \"value\"] with \\ before inner quotes")]
    Tag(String),
    /// A tag is given twice.
    #[error("the tag {0} stands here again; its first value counts")]
    RepeatedTag(String),
    /// A character that means nothing where it stands.
    #[error("a stray \"{0}\" is passed over")]
    Stray(char),
    /// Words that belong to no game.
    #[error("text outside a game is passed over: \"{0}\"")]
    Outside(String),
    /// Text in brackets among the moves.
    #[error("\"{0}\" among the moves is taken for a comment, expected it in braces")]
    Bracketed(String),
    /// The tag and the end of the game differ.
    #[error("the tag says the result is {tag}, the end of the game says {end}, which counts")]
    Results {
        /// The tag's.
        tag: String,
        /// The end's.
        end: String,
    },
    /// The first move is missing where the other side begins.
    #[error("the null move \"{0}\" at the beginning is passed over")]
    LeadingNull(String),
    /// More findings than are kept.
    #[error("more problems of this game: {0}")]
    More(usize),
    /// Quiet moves with the sign of captures, or captures with that of quiet moves.
    #[error("moves with the wrong sign between their squares: {count}, first \"{first}\"")]
    Signs {
        /// How many.
        count: usize,
        /// The first of them.
        first: String,
    },
    /// A short capture whose meaning the rest of the game leaves open.
    #[error(
        "move {number} of {}, \"{text}\", is ambiguous to the end of the game and taken for {taken}; it might be {other}",
        side_name(*.side)
    )]
    Ambiguous {
        /// The number of the move.
        number: usize,
        /// Whose it is.
        side: Side,
        /// The text.
        text: String,
        /// What it was taken for.
        taken: String,
        /// What else it may be.
        other: String,
    },
    /// More meanings of ambiguous captures than are followed.
    #[error(
        "more than {0} readings of the ambiguous captures fit here; the others are not followed"
    )]
    TooManyLines(usize),
}

impl Finding {
    /// How bad it is.
    pub const fn severity(&self) -> Severity {
        match self {
            Finding::Move { .. }
            | Finding::NullMove { .. }
            | Finding::Fen(_)
            | Finding::GameType(_)
            | Finding::TooLong
            | Finding::OpenComment
            | Finding::OpenVariation => Severity::Error,
            Finding::Tag(_)
            | Finding::RepeatedTag(_)
            | Finding::Stray(_)
            | Finding::Outside(_)
            | Finding::Bracketed(_)
            | Finding::Results { .. }
            | Finding::LeadingNull(_)
            | Finding::TooManyLines(_)
            | Finding::More(_) => Severity::Warning,
            Finding::Signs { .. } | Finding::Ambiguous { .. } => Severity::Note,
        }
    }
}

const fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// The GameTypes that are read, for error messages.
fn accepted_game_types() -> String {
    let list = Variant::ALL.map(|variant| format!("{} {variant}", variant.labels().game_type));
    list.join(", ")
}

fn hint(fitting: &[Variant]) -> String {
    if fitting.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = fitting.iter().map(|variant| variant.name()).collect();
    format!(" (all its moves are legal as {})", names.join(" or "))
}
