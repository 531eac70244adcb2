//! What goes in and out of the controller, free of any protocol's words: commands of the user, events of a running job,
//! and messages to the user.

use std::time::Duration;

use crate::board::game::LossReason;
use crate::board::{DrawReason, Outcome, Side};
use crate::notation::hub::Numbering;
use crate::search::{Bound, Clock, Limits, Score};

use super::error::Failure;
use super::options::Settings;

/// A command of the user, parsed. What could not be parsed of `position` and `go` is kept as an error, because even
/// then these two have consequences.
#[derive(Clone, Debug)]
pub enum Command {
    /// Say who you are and what can be set.
    Hello,
    /// Answer as soon as all before is done.
    IsReady,
    /// Answer to show that you live.
    Ping,
    /// Say more, or no longer.
    Debug(bool),
    /// Set an option.
    SetOption {
        /// The option's name, in any case.
        name: String,
        /// Its value; `None` where none was given.
        value: Option<String>,
    },
    /// Forget the tables.
    NewGame,
    /// Set the position.
    Position(Result<Setting, Failure>),
    /// Search.
    Go(Result<Order, Failure>),
    /// Count the lines of so many plies.
    Perft(u32),
    /// End the running job.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// Answer a question.
    Ask(Question),
    /// End the program.
    Quit,
    /// A known command that has no meaning here.
    Ignore,
    /// The line is not a command.
    Bad(Failure),
}

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The set's start position.
    Start,
    /// A FEN.
    Fen(String),
    /// A position of one character a square.
    Hub(String),
    /// The same, or the start position, from somebody who may number the squares of 8x8 boards another way: the moves are
    /// read, and those of the answer written, in his numbers.
    Numbered {
        /// The position; `None` for the start position.
        board: Option<String>,
        /// How he numbers; `None` if that is to be found out from the position and the moves.
        numbering: Option<Numbering>,
    },
}

/// A position: where the game starts and the moves played since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The first position.
    pub origin: Origin,
    /// The moves, in any notation, with blanks between them.
    pub moves: String,
}

/// A player's clock, as far as `go` gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerClock {
    /// Milliseconds left.
    pub time: Option<i64>,
    /// Milliseconds gained with each move.
    pub increment: Option<i64>,
}

/// The clocks of both players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// White's.
    pub white: PlayerClock,
    /// Black's.
    pub black: PlayerClock,
    /// Moves until they are filled up again.
    pub moves_to_go: Option<u32>,
}

impl Clocks {
    /// Whether any time is given.
    pub const fn is_given(&self) -> bool {
        self.white.time.is_some() || self.black.time.is_some()
    }

    /// The clock of the side to move; the other side's where only that was given.
    pub fn of(&self, side: Side) -> Option<Clock> {
        let (own, other) = match side {
            Side::White => (self.white, self.black),
            Side::Black => (self.black, self.white),
        };
        let clock = if own.time.is_some() { own } else { other };
        Some(Clock {
            time: clock.time?,
            increment: clock.increment.unwrap_or(0),
            moves_to_go: self.moves_to_go,
        })
    }
}

/// A search, as the user orders it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Its limits but for the clock.
    pub limits: Limits,
    /// The clocks.
    pub clocks: Clocks,
    /// The moves to choose from, in any notation, with blanks between them; empty means all.
    pub moves: String,
    /// Where there are no more legal moves than this, answer almost at once, whatever the limits.
    pub instant: Option<usize>,
    /// Levels to take off the playing strength.
    pub handicap: u8,
    /// A move is wanted, not a score: the book may answer, if the options let it.
    pub book: bool,
}

impl Order {
    /// Whether the search ends by itself, once its limits hold.
    pub fn has_limit(&self) -> bool {
        self.limits.is_bounded() || !self.limits.infinite && self.clocks.is_given()
    }
}

/// A question about the current position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// A picture and the FEN.
    Board,
    /// The FEN.
    Fen,
    /// The legal moves.
    Legal,
    /// What the rules say of it.
    Result,
    /// The draw counters.
    Rules,
    /// The static evaluation.
    Eval,
    /// The commands there are.
    Help,
}

/// A line the search has found, its moves as text.
#[derive(Clone, Debug)]
pub struct Info {
    /// The line is from the book: nothing was searched, and of what follows only score and moves say anything.
    pub book: bool,
    /// Finished depth, in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Mean ply of the positions that were evaluated.
    pub mean_depth: f64,
    /// Rank of the line, from 1.
    pub multi_pv: usize,
    /// Score from the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Chances of win, draw and loss in thousandths.
    pub wdl: [u32; 3],
    /// Whether they are to be shown.
    pub show_wdl: bool,
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// Fill of the hash table, in thousandths.
    pub hashfull: u32,
    /// Endgame table hits.
    pub tbhits: u64,
    /// The line.
    pub pv: Vec<String>,
}

#[cfg(test)]
impl Info {
    /// A line of a finished depth, as far as tests mind it.
    pub(crate) fn sample(depth: u32, pv: &[&str]) -> Info {
        Info {
            book: false,
            depth,
            seldepth: 12,
            mean_depth: 7.46,
            multi_pv: 1,
            score: Score::Cp(-13),
            bound: Bound::Exact,
            wdl: [500, 300, 200],
            show_wdl: false,
            nodes: 3_000_000_000,
            time: Duration::from_millis(1500),
            hashfull: 5,
            tbhits: 0,
            pv: pv.iter().map(|mv| (*mv).to_owned()).collect(),
        }
    }
}

/// How a search ends, its moves as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Best {
    /// The move; `None` where there is none.
    pub mv: Option<String>,
    /// The reply it expects.
    pub ponder: Option<String>,
}

/// What a running job sends to the controller. The last event of a search is `Best`, that of a perft `Count`.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line was found.
    Info(Info),
    /// The search is over.
    Best(Best),
    /// The perft is over: the count below each move, or `None` if it was stopped.
    Count(Option<Vec<(String, u64)>>),
}

/// A counter of the draw rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Which rule it belongs to.
    pub reason: DrawReason,
    /// Where it stands; `None` while it does not run.
    pub value: Option<u16>,
    /// Where the draw comes.
    pub limit: u16,
}

/// The draw rules in force and their counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawState {
    /// The name of the table.
    pub rules: &'static str,
    /// The counters.
    pub counters: Vec<Counter>,
    /// Whether one piece each is a draw.
    pub one_each: bool,
}

/// The static evaluation of a position and what it is made of, in hundredths of a man from the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The board with the worth of each piece, in men: by how much the value would fall without it. A line feed ends each row.
    pub picture: String,
    /// Men, kings and the move.
    pub counts: i32,
    /// Patterns of men and squares of kings.
    pub patterns: i32,
    /// What the network adds.
    pub network: i32,
    /// Which of the network's heads spoke: 0 for the fewest pieces.
    pub head: usize,
    /// By what the sum is divided because the ending is hard or impossible to win.
    pub divisor: i32,
    /// The value.
    pub value: i32,
}

/// The answer to a question; `None` inside where there is no position.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A picture of the board, with a line break after each row, and the FEN.
    Board(Option<(String, String)>),
    /// The FEN.
    Fen(Option<String>),
    /// The legal moves.
    Legal(Option<Vec<String>>),
    /// What the rules say.
    Result(Option<Outcome>),
    /// The draw counters.
    Rules(Option<DrawState>),
    /// The static evaluation.
    Eval(Option<Evaluation>),
    /// The commands there are.
    Help,
    /// The count below each move, and of all.
    Perft(Option<(Vec<(String, u64)>, u64)>),
}

/// A message to the user.
#[derive(Clone, Debug)]
pub enum Message {
    /// Who the engine is, and the options with what is set now.
    Hello(Box<Settings>),
    /// A sign of life.
    Pong,
    /// All before is done.
    Ready,
    /// A line of the search.
    Info(Info),
    /// The position searched is already decided by the rules.
    Decided(Outcome),
    /// The search is over.
    Best(Best),
    /// An answer.
    Reply(Reply),
    /// A remark.
    Remark(String),
    /// Something went wrong.
    Error(Failure),
}

/// The words for an outcome: `ongoing`, or who won or that it is drawn, and why.
pub fn outcome_words(outcome: Outcome) -> String {
    match outcome {
        Outcome::Ongoing => "ongoing".to_owned(),
        Outcome::Draw(reason) => format!("draw {}", reason.word()),
        Outcome::Win(side, reason) => {
            let winner = match side {
                Side::White => "white-wins",
                Side::Black => "black-wins",
            };
            let reason = match reason {
                LossReason::NoPieces => "no-pieces",
                LossReason::Blocked => "blocked",
            };
            format!("{winner} {reason}")
        }
    }
}
