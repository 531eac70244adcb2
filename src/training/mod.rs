//! Everything that makes the weights of the evaluation: games of the engine against itself ([`selfplay`]), the file that
//! keeps their positions ([`data`]), fitting a network to them ([`fit`]), the match that decides whether it is stronger
//! ([`gate`]), and the loop of all four ([`generations`]).
//!
//! Only the engine's own games and scores come in. Every step is deterministic for its seed, whatever the number of
//! threads, as long as no clock ends it.

pub mod adam;
pub mod data;
pub mod fit;
pub mod gate;
pub mod generations;
pub mod model;
pub mod results;
pub mod selfplay;
