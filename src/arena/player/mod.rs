//! Players: whatever can be asked for a move. In-process searchers and child processes look alike to the referee.

mod dxp;
mod hub;
mod own;
mod process;
mod uci;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::spec::{Dialect, EngineSpec, Kind};
use crate::board::{DrawRules, Game, Move, Rules};
use crate::engine::command::Clocks;
use crate::notation::dxp::Reason;
use crate::notation::moves::{self, MoveError};
use crate::search::{Limits, Score, Signals};

pub use hub::{arguments as hub_arguments, settings as hub_settings};
pub use own::own_options;
pub use process::{Process, Silence};

/// How long a child may take to say who it is.
pub(super) const STARTUP: Duration = Duration::from_secs(20);
/// How long a child may take to get ready: large tables take their time.
pub(super) const READY: Duration = Duration::from_secs(60);

/// How an engine fails, which is how it loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// It answered after its time was over.
    Time,
    /// It gave a move that is not legal, not readable or not unambiguous.
    IllegalMove,
    /// It did not answer at all.
    Hang,
    /// Its process ended, or could not be started.
    Crash,
    /// It answered what the protocol does not allow.
    Protocol,
}

/// What an engine did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// How it counts.
    pub kind: FaultKind,
    /// What happened, as a clause that goes on after the engine's name.
    pub what: String,
    /// The last lines exchanged, and what the engine wrote to its error output.
    pub lines: Vec<String>,
}

/// What an engine says of the move it gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// The score from its own side; only exact ones count.
    pub score: Option<Score>,
    /// Finished depth, in plies.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// What is wrong with its principal variation.
    pub complaint: Option<String>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move, which is legal.
    pub mv: Result<Move, Fault>,
    /// How it ends the game instead of moving; `mv` then says how it fails if it is not granted that.
    pub claim: Option<Reason>,
    /// Time from the order to the answer.
    pub time: Duration,
    /// What the engine said of it.
    pub thought: Thought,
}

impl Answer {
    /// The answer of an engine that has not given one yet.
    fn none() -> Answer {
        Answer {
            mv: Err(Fault {
                kind: FaultKind::Hang,
                what: "did not answer".into(),
                lines: Vec::new(),
            }),
            claim: None,
            time: Duration::ZERO,
            thought: Thought::default(),
        }
    }
}

/// A game as players are told it.
#[derive(Debug)]
pub struct Situation<'a, R: Rules> {
    /// The game so far; its current position is to be searched and has a legal move.
    pub game: &'a Game<R>,
    /// The first position as a FEN; `None` for the start position of the set.
    pub fen: Option<&'a str>,
    /// The moves so far, in short notation.
    pub moves: &'a [String],
    /// The clocks of both sides.
    pub clocks: Clocks,
    /// The other limits of the player.
    pub limits: &'a Limits,
    /// The time at which it is late; `None` where time does not matter.
    pub allowed: Option<Duration>,
    /// How much longer it is waited for.
    pub patience: Duration,
    /// Asks an in-process search to end because the match is over.
    pub signals: &'a Signals,
}

/// An engine that plays.
pub trait Player<R: Rules> {
    /// Makes ready for a new game.
    fn new_game(&mut self) -> Result<(), Fault>;

    /// Asks for a move. One that ended the game instead is asked again if it may not.
    fn think(&mut self, situation: &Situation<'_, R>) -> Answer;
}

/// Starts an engine.
pub fn start<R: Rules>(spec: &EngineSpec, draws: DrawRules) -> Result<Box<dyn Player<R>>, Fault> {
    Ok(match &spec.kind {
        Kind::Own { hash } => Box::new(own::Own::<R>::new(*hash, &spec.options)?),
        Kind::Child {
            command,
            dir,
            dialect,
            numbering,
            address,
        } => {
            let dir = dir.as_deref();
            match dialect {
                Dialect::Uci => {
                    let process = Process::start(command, dir)?;
                    Box::new(uci::Uci::start::<R>(process, spec, draws)?)
                }
                Dialect::Hub => {
                    let process = Process::start(command, dir)?;
                    Box::new(hub::Hub::start::<R>(process, spec, *numbering)?)
                }
                Dialect::Dxp => {
                    let address = address.as_deref();
                    Box::new(dxp::Dxp::start::<R>(spec, command, dir, address)?)
                }
            }
        }
    })
}

/// Reads the move an engine gave; `fault` makes what is wrong with it the engine's.
fn read_move<R: Rules>(
    game: &Game<R>,
    text: &str,
    fault: impl FnOnce(FaultKind, String) -> Fault,
) -> Result<Move, Fault> {
    moves::parse::<R>(game.board(), text).map_err(|error| {
        let why = match error {
            MoveError::Unreadable { reason, .. } => format!("cannot be read: {reason}"),
            MoveError::Illegal { reason, .. } => format!("is not legal: {reason}"),
            MoveError::Ambiguous { candidates, .. } => {
                format!("may be any of {}", candidates.join(", "))
            }
        };
        let text: String = text.chars().take(100).collect();
        fault(FaultKind::IllegalMove, format!("plays {text}, which {why}"))
    })
}

/// What is wrong with a principal variation that should start with `best`, if anything.
fn check_line<'a, R: Rules>(
    game: &Game<R>,
    best: Move,
    line: impl IntoIterator<Item = &'a str>,
    read: impl Fn(&crate::board::Board, &str) -> Option<Move>,
) -> Option<String> {
    let mut board = *game.board();
    for (index, text) in line.into_iter().enumerate() {
        let Some(mv) = read(&board, text) else {
            return Some(format!(
                "move {} of its pv, {text}, is not legal",
                index + 1
            ));
        };
        if index == 0 && mv != best {
            return Some(format!("its pv starts with {text} and not with its move"));
        }
        board = board.after(&mv);
    }
    None
}
