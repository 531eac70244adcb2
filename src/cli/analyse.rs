//! `warcab analyse`: positions from scripts, as lines of JSON, or a game to annotate.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use warcab::analysis::request::Query;
use warcab::analysis::{Config, Desk, DeskError};
use warcab::engine::options::{Opt, Settings};
use warcab::protocol::lines::{LONGEST, Line, Lines};
use warcab::search::Limits;

use super::options::Options;
use super::{Trouble, annotate, threads, usage};

/// Nodes of a search where no limit is given at all.
const NODES: u64 = 1_000_000;

/// Arguments of `warcab analyse`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Positions searched at the same time, each by one thread; all of the machine's if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// One search at a time, with all the threads
    #[arg(long)]
    parallel: bool,
    /// Hash table in MiB, of each search at the same time; 64 if not given
    #[arg(long, value_name = "MIB")]
    hash: Option<String>,
    /// Answer in the order of the requests
    #[arg(long)]
    ordered: bool,
    /// Keep the table from search to search: faster for the turns of one game, but answers then hang on what was searched
    /// before
    #[arg(long)]
    keep_table: bool,
    /// The form of moves in answers: short (if not given), path or hub
    #[arg(long, value_name = "FORM")]
    notation: Option<String>,
    /// The names of squares in answers: native (if not given), numeric or algebraic
    #[arg(long, value_name = "NAMES")]
    squares: Option<String>,
    /// What is drawn by rule: club (if not given), club-40, federation or none
    #[arg(long, value_name = "TABLE")]
    draw_rules: Option<String>,
    /// Deepest iteration in plies, where a request gives no limits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes, where a request gives no limits; 1000000 if there is no limit at all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds, where a request gives no limits
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    game: annotate::GameArgs,
}

impl Args {
    fn config(&self, settings: Settings) -> Result<Config, Trouble> {
        let threads = threads(self.threads);
        let (workers, threads) = if self.parallel {
            (1, threads)
        } else {
            (threads, 1)
        };
        let mut settings = Settings {
            threads,
            // There is no way to the user and back.
            overhead: Duration::ZERO,
            ..self.options.apply(settings)?
        };
        let values = [
            ("Hash", &self.hash),
            ("Notation", &self.notation),
            ("Squares", &self.squares),
            ("DrawRules", &self.draw_rules),
        ];
        for (name, value) in values {
            if let (Some(option), Some(value)) = (Opt::find(name), value) {
                option.read(&mut settings, Some(value)).map_err(usage)?;
            }
        }
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.map(Duration::from_millis),
            ..Limits::default()
        };
        if !limits.is_bounded() {
            limits.nodes = Some(NODES);
        }
        Ok(Config {
            workers,
            ordered: self.ordered,
            keeps_table: self.keep_table,
            defaults: Query::new(settings, limits),
        })
    }
}

/// Answers the requests of standard input until it ends, or annotates the game that was given.
pub(super) fn run(args: &Args, settings: Settings) -> Result<(), Trouble> {
    let config = args.config(settings)?;
    if args.game.is_given() {
        return annotate::run(&args.game, &config);
    }
    let desk = Arc::new(Desk::new(config, io::stdout()));
    let reading = Arc::clone(&desk);
    // Not waited for: when nobody hears the answers any more it may still wait for a line.
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || {
            let mut lines = Lines::new(io::stdin().lock());
            loop {
                let heard = match lines.next() {
                    Line::End => break,
                    Line::TooLong => {
                        reading.refuse(&format!("a line of more than {LONGEST} bytes was skipped"))
                    }
                    Line::Text(text) => reading.take(text),
                };
                if !heard {
                    break;
                }
            }
            reading.close();
        })?;
    match desk.work() {
        Err(DeskError::Output(error)) => Err(error.into()),
        done => Ok(done?),
    }
}
