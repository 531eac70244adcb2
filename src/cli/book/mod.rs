//! `warcab book`: openings for matches, and opening books.

mod build;
mod show;
mod suite;

use warcab::engine::options::Settings;

use super::Trouble;

/// What can be done with openings.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Makes a file of starting positions with the moves that lead to them
    ///
    /// Each position is the end of a line of legal moves, with nothing to capture, and is scored by a search of its own.
    /// The same arguments give the same file on every machine, with any number of threads.
    Suite(suite::Args),
    /// Makes an opening book from games, or by looking for the best lines, or both
    ///
    /// Every move of a position that is put in is scored by a search of its own, and the scores are backed up. Without
    /// --time the same arguments give the same book on every machine, with any number of threads. Interrupted, it writes
    /// what it has, which --from goes on with.
    Build(build::Args),
    /// Shows what a book knows of a position: its moves with scores and chances
    Show(show::Args),
    /// Checks a book: its file, that all of it is reached from the start, that all scores are those of the best moves
    ///
    /// The exit status is 1 if something is wrong.
    Check(show::CheckArgs),
}

/// Does what was asked.
pub(super) fn run(command: &Command, settings: Settings) -> Result<(), Trouble> {
    match command {
        Command::Suite(args) => suite::run(args, settings.variant),
        Command::Build(args) => build::run(args, settings.variant),
        Command::Show(args) => show::run(args, settings),
        Command::Check(args) => show::check(args, settings.variant),
    }
}
