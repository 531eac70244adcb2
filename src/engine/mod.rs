//! The engine: one rule set's game, searcher and settings behind an object-safe trait, the options, and the controller
//! that turns commands into answers.
//!
//! Nothing here knows a protocol's words or prints: text comes in as [`command::Command`] and goes out as
//! [`command::Message`].

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod bench;
pub mod command;
pub mod controller;
mod count;
pub mod elo;
pub mod error;
mod job;
pub mod log;
pub mod options;
mod session;
mod table;

pub use job::Job;

use crate::board::Outcome;
use crate::with_rules;
use command::{DrawState, Evaluation, Order, Setting};
use error::Failure;
use options::Settings;
use session::Session;

/// What `go` started.
#[derive(Debug)]
pub struct Started {
    /// The running search.
    pub job: Job,
    /// What the rules say of the position searched.
    pub outcome: Outcome,
    /// There is nothing to choose: the answer comes by itself and soon, see [`Order::instant`].
    pub instant: bool,
    /// What was wrong with the order but did not prevent the search.
    pub failures: Vec<Failure>,
}

/// An engine for one rule set. Methods that answer about the position give `None` while there is none.
///
/// While a [`Job`] runs only the questions may be asked; anything else would wait for its end.
pub trait Engine: Send {
    /// The settings in force.
    fn settings(&self) -> &Settings;

    /// Puts other settings of the same rule set in force. On an error a smaller hash table is, as the error says.
    fn apply(&mut self, settings: Settings) -> Result<(), Failure>;

    /// Forgets what earlier searches have found; the position stays.
    fn clear(&mut self);

    /// Sets the position. On an error there is none.
    fn set_position(&mut self, setting: &Setting) -> Result<(), Failure>;

    /// Drops the position.
    fn drop_position(&mut self);

    /// Starts a search.
    fn go(&mut self, order: &Order) -> Result<Started, Failure>;

    /// Starts a count of the lines of `depth` plies.
    fn perft(&mut self, depth: u32) -> Option<Result<Job, Failure>>;

    /// The position as a FEN.
    fn fen(&self) -> Option<String>;

    /// A picture of the board, each row ended by a line feed.
    fn diagram(&self) -> Option<String>;

    /// The legal moves, in the order of the move generator.
    fn legal(&self) -> Option<Vec<String>>;

    /// What the rules say of the position.
    fn outcome(&self) -> Option<Outcome>;

    /// The draw counters.
    fn draw_state(&self) -> Option<DrawState>;

    /// The static evaluation and what it is made of.
    fn evaluate(&self) -> Option<Evaluation>;
}

/// An engine for the rule set of the settings, in its start position.
///
/// A hash table that does not fit in memory is halved until one does; the engine's settings then say its size. The error
/// is that not even the smallest fits.
pub fn build(settings: Settings) -> Result<Box<dyn Engine>, Failure> {
    with_rules!(settings.variant, R => Ok(Box::new(Session::<R>::new(settings)?)))
}
