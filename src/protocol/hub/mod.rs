//! Hub 2, the protocol of Scan and most engines and GUIs of international draughts, for all sets.

mod format;
mod params;
mod parse;
mod write;

pub use format::format;
pub use params::{PARAMS, Param};
pub use parse::Parser;
pub(super) use write::write;
