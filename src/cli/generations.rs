//! `warcab generations`: self-play, fitting and matches in turn, until the time is spent.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use warcab::board::Variant;
use warcab::eval::Source;
use warcab::training::generations::{Growth, Note, grow};
use warcab::with_rules;

use super::progress::{Line, duration};
use super::selfplay::{STARTS_HELP, TEACHER_HELP, starts, text};
use super::{Trouble, interruption, threads};

/// Arguments of `warcab generations`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Time for all generations in the folder, such as 10m or 2h; more goes on with those that are there
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Duration,
    /// The folder that keeps games, weights and state
    #[arg(long, value_name = "FOLDER")]
    dir: PathBuf,
    /// Seed of everything
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads; all of the machine's if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[arg(long, value_name = "FILE", default_value = "embedded", help = TEACHER_HELP)]
    eval: String,
    #[arg(long, value_name = "FILE", help = STARTS_HELP)]
    openings: Option<PathBuf>,
}

/// Runs the loop; prints a line a generation at the end, and more on standard error and in the folder's log.
pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    let stop = interruption()?;
    std::fs::create_dir_all(&args.dir)?;
    let path = args.dir.join("log.txt");
    let mut log = OpenOptions::new().create(true).append(true).open(&path)?;
    let mut line = Line::new();
    let mut tell = |note: Note<'_>| match note {
        Note::Line(text) => {
            line.print(&text);
            // The log is a convenience.
            let _ = writeln!(log, "{text}");
        }
        Note::Play(progress) => line.show(|| text(progress)),
    };
    let done = with_rules!(variant, R => {
        let growth = Growth {
            budget: args.budget,
            threads: threads(args.threads),
            seed: args.seed,
            first: Source::read::<R>(&args.eval)?,
            starts: starts::<R>(args.openings.as_deref())?,
        };
        grow::<R>(&growth, &args.dir, &stop, &mut tell)?
    });
    let mut out = io::stdout().lock();
    if stop.is_stopped() {
        writeln!(out, "interrupted: the same command goes on")?;
    }
    for (number, generation) in done.iter().enumerate() {
        writeln!(
            out,
            "generation {number} games {} positions {} held out {:.5} elo {:+.0} +- {:.0} {}",
            generation.games,
            generation.positions,
            generation.loss,
            generation.elo.0,
            generation.elo.1,
            if generation.accepted {
                "accepted"
            } else {
                "refused"
            }
        )?;
    }
    let best = args.dir.join("best.bin");
    if best.exists() {
        writeln!(out, "weights {}", best.display())?;
    } else {
        writeln!(out, "no weights are better than what they started from")?;
    }
    Ok(())
}
