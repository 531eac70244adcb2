//! `warcab tablebase`: endgame tables.

mod build;
mod show;
mod verify;

use std::path::Path;

use warcab::board::Rules;
use warcab::engine::options::Settings;
use warcab::tablebase::Tablebase;

use super::Trouble;

/// What can be done with endgame tables.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Works out the tables of a rule set and writes them to a file
    ///
    /// Tables of up to four pieces are part of the program. A file with more is used by an engine whose option
    /// TablebasePath names its folder. The same file comes out on every machine, with any number of threads.
    Build(build::Args),
    /// Checks every value against those that the moves of its position lead to
    ///
    /// The exit status is 1 if one is wrong.
    Verify(verify::Args),
    /// Lists the tables: material of the side to move and of the other, positions won, drawn and lost, bytes in the file
    Info(show::InfoArgs),
    /// Says how a position ends, and what each of its moves leads to
    Probe(show::ProbeArgs),
}

/// Does what was asked.
pub(super) fn run(command: &Command, settings: Settings) -> Result<(), Trouble> {
    match command {
        Command::Build(args) => build::run(args, settings.variant),
        Command::Verify(args) => verify::run(args, settings.variant),
        Command::Info(args) => show::info(args, settings.variant),
        Command::Probe(args) => show::probe(args, settings),
    }
}

/// The tables that a path names: those of a file, or the best of a folder; the embedded ones without a path.
fn open<R: Rules>(path: Option<&Path>) -> Result<Tablebase<R>, Trouble> {
    Ok(match path {
        None => Tablebase::default(),
        Some(path) if path.is_dir() => Tablebase::open(path)?,
        Some(path) => Tablebase::load(path)?,
    })
}
