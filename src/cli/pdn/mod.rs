//! `warcab pdn`: games in PDN checked, converted, counted and sorted into files.

mod check;
mod convert;
pub(super) mod input;
mod split;
mod stats;

use warcab::board::Variant;

use super::Trouble;

/// What can be done with games.
///
/// Games without the tag GameType are of the set given by --variant.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Prints every problem with its file, line and game, and a summary
    ///
    /// The exit status is 1 if a game could not be read to its end.
    Check(check::Args),
    /// Writes games in another form
    ///
    /// Problems are told on standard error; a game with an error is written up to it.
    Convert(convert::Args),
    /// Counts games by set and result, their lengths, openings and players
    Stats(stats::Args),
    /// Sorts games into files, in PDN 3.0
    Split(split::Args),
}

/// Does what was asked.
pub(super) fn run(command: &Command, variant: Variant) -> Result<(), Trouble> {
    match command {
        Command::Check(args) => check::run(args, variant),
        Command::Convert(args) => convert::run(args, variant),
        Command::Stats(args) => stats::run(args, variant),
        Command::Split(args) => split::run(args, variant),
    }
}
