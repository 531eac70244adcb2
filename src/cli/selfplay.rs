//! `warcab selfplay`: plays the engine against itself and keeps the positions without a capture.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use warcab::board::{Board, Rules, Variant};
use warcab::eval::Source;
use warcab::opening;
use warcab::training::selfplay::{Enough, Plan, Progress, run as play};
use warcab::with_rules;

use super::progress::{Line, duration, thousands};
use super::{Trouble, interruption, threads};

/// What judges positions, for help.
pub(super) const TEACHER_HELP: &str =
    "What judges positions: a file of weights, or embedded or material";

/// Where games begin, for help.
pub(super) const STARTS_HELP: &str =
    "A file of openings that one game in four begins from, after a few random moves";

/// The positions of a file of openings, none without a file.
pub(super) fn starts<R: Rules>(file: Option<&Path>) -> Result<Arc<[Board]>, Trouble> {
    let Some(file) = file else {
        return Ok(Arc::default());
    };
    let fail = |what: String| anyhow::anyhow!("openings {}: {what}", file.display());
    let text = std::fs::read_to_string(file).map_err(|error| fail(error.to_string()))?;
    let openings = opening::parse::<R>(&text).map_err(|error| fail(error.to_string()))?;
    if openings.is_empty() {
        return Err(fail("there is no position in it".to_owned()).into());
    }
    Ok(openings
        .iter()
        .map(|(_, opening)| opening.setup.board)
        .collect())
}

/// Arguments of `warcab selfplay`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Depth of each search, in plies; 6 if no limit is given
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Nodes of each search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Games in the file at the end, those there already counted
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Positions in the file at the end, those there already counted
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Time for this run, such as 90, 90s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<std::time::Duration>,
    /// Seed of all games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads, each with a game of its own; all of the machine's if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Which piece of the games to play: 2/4 is the second of four
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = shard)]
    shard: [u32; 2],
    /// The file to write, or to add to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[arg(long, value_name = "FILE", default_value = "embedded", help = TEACHER_HELP)]
    eval: String,
    #[arg(long, value_name = "FILE", help = STARTS_HELP)]
    openings: Option<PathBuf>,
}

fn shard(text: &str) -> Result<[u32; 2], String> {
    let parts = text.split_once('/').and_then(|(piece, pieces)| {
        let parts = [piece.parse().ok()?, pieces.parse().ok()?];
        (1 <= parts[0] && parts[0] <= parts[1]).then_some(parts)
    });
    parts.ok_or_else(|| "expected I/N, I from 1 to N".to_owned())
}

/// Plays and prints what the file holds at the end.
pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    let enough = Enough {
        games: args.games,
        positions: args.positions,
        time: args.time,
    };
    if args.games.is_none() && args.positions.is_none() && args.time.is_none() {
        let what = "there is no end: expected --games, --positions or --time";
        return Err(Trouble::Usage(what.into()));
    }
    let stop = interruption()?;
    let mut line = Line::new();
    let progress = with_rules!(variant, R => {
        let plan = Plan {
            depth: args.depth.or(if args.nodes.is_none() { Some(6) } else { None }),
            nodes: args.nodes,
            seed: args.seed,
            shard: args.shard,
            threads: threads(args.threads),
            enough,
            teacher: Source::read::<R>(&args.eval)?,
            starts: starts::<R>(args.openings.as_deref())?,
        };
        play::<R>(&plan, &args.out, &stop, &mut |progress| line.show(|| text(progress)))?
    });
    line.clear();
    if progress.torn > 0 {
        let (file, torn) = (args.out.display(), progress.torn);
        line.print(&format!("{file}: dropped the torn last {torn} bytes"));
    }
    let [won, drawn, lost] = progress.results;
    let mut out = io::stdout().lock();
    if stop.is_stopped() {
        writeln!(out, "interrupted: the games that were over are written")?;
    }
    writeln!(out, "new {}", text(&progress))?;
    writeln!(out, "white +{won} ={drawn} -{lost}")?;
    writeln!(
        out,
        "games {} positions {}",
        progress.games, progress.positions
    )?;
    Ok(())
}

/// What a run has done so far, and how fast.
pub(super) fn text(progress: &Progress) -> String {
    let seconds = progress.time.as_secs_f64().max(1e-3);
    format!(
        "games {} positions {} time {seconds:.0} s games/s {:.1} positions/s {:.0}",
        thousands(progress.new_games),
        thousands(progress.new_positions),
        progress.new_games as f64 / seconds,
        progress.new_positions as f64 / seconds
    )
}
