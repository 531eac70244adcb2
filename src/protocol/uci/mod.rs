//! The engine's own dialect: UCI's words for draughts, as `protocol.md` specifies them.

mod format;
mod parse;

pub use format::{WDL_DRAW_CP, WDL_SCALE_CP, format, wdl};
pub use parse::{COMMANDS, CommandWord, parse};
