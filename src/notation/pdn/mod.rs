//! PDN, the text format of games: PDN 3.0 is written, strictly, and nearly everything that goes by its name is read.
//!
//! A [`Reader`] cuts a stream into games ([`RawGame`]: tags and words with their lines), one at a time and in bounded memory;
//! [`play`] replays one by the rules of its set ([`PlayedGame`]). Neither drops a game: what cannot be read is a [`Problem`]
//! with its place, and the rest of that game's moves is kept as text. [`write()`] is the one writer.

mod clock;
mod play;
mod played;
mod problem;
mod raw;
mod reader;
mod replay;
mod source;
mod words;
mod write;

pub use clock::{Clock, clocks};
pub use play::play;
pub use played::{PlayedGame, Remark, RemarkKind};
pub use problem::{Finding, Problem, Severity};
pub use raw::{MOST_TEXT, RawGame, Tag, Token, TokenKind};
pub use reader::Reader;
pub use write::{Game, Item, write};

use crate::board::Variant;

/// How a game ended, as its record has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// White won.
    WhiteWins,
    /// Nobody won.
    Draw,
    /// Black won.
    BlackWins,
    /// Both sides lost.
    BothLose,
    /// The game goes on, or nobody knows.
    #[default]
    Unknown,
    /// A score that is none of these, as it was written.
    Other(String),
}

impl GameResult {
    /// What a result's text means; every text means something.
    pub fn read(text: &str) -> GameResult {
        // As tags are written.
        let blank = |c: char| if c.is_control() { ' ' } else { c };
        let text: String = text.chars().map(blank).collect();
        GameResult::of_word(text.trim()).unwrap_or_else(|| match text.trim() {
            "" | "?" => GameResult::Unknown,
            other => GameResult::Other(other.to_owned()),
        })
    }

    /// The result that a word among the moves stands for; `None` if it is none of PDN's.
    pub(crate) fn of_word(word: &str) -> Option<GameResult> {
        if word == "*" {
            return Some(GameResult::Unknown);
        }
        // The longest is 1/2–1/2, and no number in one has two digits: most words are neither.
        let second = word.as_bytes().get(1);
        if word.len() > 9 || second.is_none_or(u8::is_ascii_digit) {
            return None;
        }
        let mut ends = word.split(super::is_dash);
        let pair = (ends.next()?, ends.next()?);
        if ends.next().is_some() {
            return None;
        }
        match pair {
            ("1", "0") | ("2", "0") => Some(GameResult::WhiteWins),
            ("0", "1") | ("0", "2") => Some(GameResult::BlackWins),
            ("1/2", "1/2") | ("½", "½") | ("1", "1") => Some(GameResult::Draw),
            ("0", "0") => Some(GameResult::BothLose),
            _ => None,
        }
    }

    /// How a set's PDN ends a game with this result.
    pub fn terminator(&self, variant: Variant) -> &'static str {
        let [black_wins, draw, white_wins] = variant.labels().results;
        match self {
            GameResult::WhiteWins => white_wins,
            GameResult::Draw => draw,
            GameResult::BlackWins => black_wins,
            GameResult::BothLose => "0-0",
            GameResult::Unknown | GameResult::Other(_) => "*",
        }
    }

    /// How a set's PDN writes this result in its tag.
    pub fn tag(&self, variant: Variant) -> &str {
        match self {
            GameResult::Other(text) => text,
            result => result.terminator(variant),
        }
    }
}
