//! Warcab: draughts in seven rule sets. The library behind the engine of the same name.

pub mod analysis;
pub mod arena;
pub mod board;
pub mod engine;
pub mod eval;
pub mod notation;
pub mod opening;
pub mod pages;
pub mod part;
pub mod per_set;
pub mod protocol;
pub mod sealed;
pub mod search;
pub mod tablebase;
pub mod training;
