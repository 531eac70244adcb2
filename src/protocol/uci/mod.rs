//! The engine's own dialect: UCI's words for draughts, as `protocol.md` specifies them.

mod format;
mod parse;

pub use format::format;
pub use parse::{COMMANDS, CommandWord, parse};
