//! The command line: one file a subcommand. Without one the engine speaks its protocol.

mod analyse;
mod annotate;
mod bench;
mod book;
mod conform;
mod dxp;
mod generations;
mod hub;
mod levels;
mod r#match;
mod options;
mod output;
mod pdn;
mod perft;
mod play;
mod progress;
mod scene;
mod selfplay;
mod show;
mod tablebase;
mod train;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};

use warcab::board::Variant;
use warcab::engine::error::Failure;
use warcab::engine::options::Settings;
use warcab::search::Signals;

/// A draughts engine for seven rule sets.
///
/// Without a command it speaks a UCI-like protocol on standard input and output; protocol.md specifies it.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Cli {
    /// The rule set to begin with: a name, an alias or a PDN GameType number
    #[arg(long, value_name = "V", global = true, value_parser = read_variant)]
    variant: Option<Variant>,
    #[command(flatten)]
    options: options::Options,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Speaks Hub 2 on standard input and output
    Hub(hub::Args),
    /// Plays games of 10x10 over TCP with programs that speak DXP
    Dxp(Box<dxp::Args>),
    /// Counts the lines of legal moves of a given length
    Perft(perft::Args),
    /// Searches fixed positions of all rule sets and prints the number of nodes
    Bench,
    /// Analyses positions from a script, lines of JSON in, lines of JSON out, or annotates a game
    Analyse(Box<analyse::Args>),
    /// Plays against you
    Play(play::Args),
    /// Shows a position, on the terminal or as a picture
    Show(show::Args),
    /// Plays engines against each other and measures the difference in strength
    Match(Box<r#match::Args>),
    /// Measures how strong the playing levels are, in games of the engine against itself
    Levels(levels::Args),
    /// Checks point by point whether an engine keeps to its protocol
    Conform(conform::Args),
    /// Makes openings for matches, and opening books
    #[command(subcommand)]
    Book(book::Command),
    /// Checks, converts, counts and sorts games in PDN
    #[command(subcommand)]
    Pdn(pdn::Command),
    /// Plays the engine against itself and keeps the positions without a capture, with their scores and results
    Selfplay(selfplay::Args),
    /// Fits weights of the evaluation to files of self-play
    Train(train::Args),
    /// Grows weights unattended: self-play, fitting and matches in turn
    Generations(generations::Args),
    /// Builds, checks and asks endgame tables
    #[command(subcommand)]
    Tablebase(tablebase::Command),
}

/// Why a command was not done.
#[derive(Debug)]
enum Trouble {
    /// A value on the command line is no good.
    Usage(String),
    /// Something failed.
    Failed(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Trouble {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

fn read_variant(name: &str) -> Result<Variant, String> {
    Variant::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Variant::ALL.iter().map(|v| v.name()).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// Does what a command, or none, asks for.
fn obey(command: Option<Command>, settings: Settings) -> Result<(), Trouble> {
    match command {
        None => warcab::protocol::run(settings, None).map_err(Trouble::from),
        Some(Command::Hub(args)) => hub::run(&args, settings),
        Some(Command::Dxp(args)) => dxp::run(&args, settings),
        Some(Command::Perft(args)) => perft::run(&args, settings),
        Some(Command::Bench) => bench::run(),
        Some(Command::Play(args)) => play::run(&args, settings),
        Some(Command::Show(args)) => show::run(&args, settings),
        Some(Command::Analyse(args)) => analyse::run(&args, settings),
        Some(Command::Conform(args)) => conform::run(&args, settings.variant),
        Some(Command::Levels(args)) => levels::run(&args, settings.variant),
        Some(Command::Match(args)) => r#match::run(&args, settings.variant),
        Some(Command::Book(command)) => book::run(&command, settings),
        Some(Command::Pdn(command)) => pdn::run(&command, settings.variant),
        Some(Command::Selfplay(args)) => selfplay::run(&args, settings.variant),
        Some(Command::Train(args)) => train::run(&args, settings.variant),
        Some(Command::Generations(args)) => generations::run(&args, settings.variant),
        Some(Command::Tablebase(command)) => tablebase::run(&command, settings),
    }
}

/// Obeys the command line: exit status 0 done, 1 failed, 2 usage.
pub(crate) fn run() -> ExitCode {
    let cli = Cli::parse_from(r#match::respell(std::env::args_os().collect()));
    let settings = Settings {
        variant: cli.variant.unwrap_or_default(),
        ..Settings::default()
    };
    let settings = cli.options.apply(settings);
    let done = settings.and_then(|settings| obey(cli.command, settings));
    let (status, text) = match done {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Trouble::Usage(text)) => (2, text),
        Err(Trouble::Failed(error)) => {
            let broken = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
            if error.downcast_ref().is_some_and(broken) {
                return ExitCode::SUCCESS;
            }
            (1, format!("{error:#}"))
        }
    };
    // There is nobody left to tell if this fails.
    let _ = io::Write::write_all(&mut io::stderr(), format!("error: {text}\n").as_bytes());
    ExitCode::from(status)
}

/// A failure of the engine that a value on the command line has caused.
fn usage(failure: Failure) -> Trouble {
    Trouble::Usage(failure.what)
}

/// A number of threads: what was asked for, or all of the machine's.
fn threads(asked: Option<u16>) -> usize {
    match asked {
        Some(threads) => threads.into(),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// What stops long work when the user interrupts the program, or somebody asks it to end.
fn interruption() -> Result<Arc<Signals>, Trouble> {
    let stop = Arc::new(Signals::default());
    let signalled = Arc::clone(&stop);
    ctrlc::set_handler(move || signalled.stop())?;
    Ok(stop)
}
