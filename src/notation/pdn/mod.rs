//! PDN, the games' text format.

pub mod write;
