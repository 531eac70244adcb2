//! `warcab hub`: the engine for GUIs and clients that speak Hub 2.

use warcab::engine::options::Settings;
use warcab::protocol::{self, Dialect};

use super::Trouble;
use super::options::Options;

/// Arguments of `warcab hub`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    options: Options,
}

/// Speaks Hub until the input ends.
pub(super) fn run(args: &Args, settings: Settings) -> Result<(), Trouble> {
    let settings = args.options.apply(settings)?;
    Ok(protocol::run(settings, Some(Dialect::Hub))?)
}
