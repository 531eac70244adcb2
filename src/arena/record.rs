//! What is kept of a game: everything its PDN, the reports and a resumed match need.

use serde::{Deserialize, Serialize};

use super::player::FaultKind;
use crate::board::Side;
use crate::search::Score;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameResult {
    /// White won.
    WhiteWins,
    /// Nobody won.
    Draw,
    /// Black won.
    BlackWins,
}

impl GameResult {
    /// The result in which this side wins.
    pub fn win(side: Side) -> Self {
        match side {
            Side::White => GameResult::WhiteWins,
            Side::Black => GameResult::BlackWins,
        }
    }

    /// What a side made of the game, in half points.
    pub fn half_points(self, side: Side) -> usize {
        match self {
            GameResult::Draw => 1,
            result if result == GameResult::win(side) => 2,
            _ => 0,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// By the rules.
    Rules,
    /// By the scores of the engines or the number of moves.
    Adjudication,
    /// By what an engine claimed instead of a move: that it gives up, or what it was granted.
    Claim,
    /// By a failure of an engine.
    Fault(FaultKind),
}

impl Termination {
    /// The value of PDN's tag of that name.
    pub fn tag(self) -> &'static str {
        match self {
            Termination::Rules | Termination::Claim => "normal",
            Termination::Adjudication => "adjudication",
            Termination::Fault(FaultKind::Time) => "time forfeit",
            Termination::Fault(FaultKind::IllegalMove) => "illegal move",
            Termination::Fault(FaultKind::Hang) => "stalled connection",
            Termination::Fault(FaultKind::Crash) => "crash",
            Termination::Fault(FaultKind::Protocol) => "rules infraction",
        }
    }
}

/// A score, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StoredScore {
    /// Hundredths of a man.
    Cp(i32),
    /// Moves to the end of the game, negative when losing.
    Mate(i32),
}

impl From<Score> for StoredScore {
    fn from(score: Score) -> Self {
        match score {
            Score::Cp(cp) => StoredScore::Cp(cp),
            Score::Mate(moves) => StoredScore::Mate(moves),
        }
    }
}

/// What is kept of a move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move in short notation.
    pub text: String,
    /// The engine's score, from its own side.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<StoredScore>,
    /// Depth of its search, in plies.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub depth: Option<u32>,
    /// Nodes of its search.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nodes: Option<u64>,
    /// Seconds it took; `None` where the runner played the only legal move itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub time: Option<f64>,
    /// Seconds left on its clock after the move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clock: Option<f64>,
    /// What was wrong with what the engine said of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub complaint: Option<String>,
}

/// A side, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<Side> for Colour {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Colour::White,
            Side::Black => Colour::Black,
        }
    }
}

impl From<Colour> for Side {
    fn from(colour: Colour) -> Self {
        match colour {
            Colour::White => Side::White,
            Colour::Black => Side::Black,
        }
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 1.
    pub number: usize,
    /// Indices of the engines that played White and Black.
    pub engines: [usize; 2],
    /// Index of the opening.
    pub opening: usize,
    /// The first position as a FEN; `None` for the start position of the set.
    pub fen: Option<String>,
    /// The side that moved first.
    pub first: Colour,
    /// The moves of the opening.
    pub book: Vec<String>,
    /// The moves the engines played.
    pub moves: Vec<MoveRecord>,
    /// The result.
    pub result: GameResult,
    /// What ended the game.
    pub termination: Termination,
    /// The same in words.
    pub reason: String,
    /// The side that failed, if one did.
    pub failed: Option<Colour>,
    /// The day it was played, as PDN writes it.
    pub date: String,
}

impl GameRecord {
    /// The side that made the first move of the engines.
    pub fn first_side(&self) -> Side {
        let first = Side::from(self.first);
        if self.book.len().is_multiple_of(2) {
            first
        } else {
            !first
        }
    }

    /// All moves from the first position on.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let played = self.moves.iter().map(|mv| mv.text.as_str());
        self.book.iter().map(String::as_str).chain(played)
    }
}
