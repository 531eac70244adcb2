//! The rules of the games: boards, rule sets, positions, moves and draws. No I/O, no threads of its own (but rayon's in
//! [`perft::divide`]), no clock.

pub mod draw;
pub mod game;
pub mod geometry;
pub mod movegen;
pub mod moves;
pub mod perft;
pub mod position;
pub mod rules;
pub mod validate;
pub mod variant;
mod zobrist;

pub use draw::{DrawReason, DrawRules, DrawTable};
pub use game::{Game, LossReason, Outcome};
pub use geometry::{Bits, Geometry, Square};
pub use moves::{Move, MoveList};
pub use position::{Board, Position, Side};
pub use rules::Rules;
pub use variant::Variant;
pub(crate) use zobrist::split_mix;
