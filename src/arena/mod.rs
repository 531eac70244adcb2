//! Matches between engines: who plays whom, the referee, and what the results are worth.
//!
//! The referee is the program's own board. Nothing an engine does ends a match: what it does wrong costs it the game. The
//! arena prints nothing; a [`runner::Listener`] hears of each finished game.

mod claim;
pub mod conform;
pub mod ladder;
pub mod openings;
pub mod pdn;
pub mod player;
pub mod record;
pub mod referee;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod spec;
pub mod sprt;
pub mod standings;
pub mod state;
pub mod stats;
