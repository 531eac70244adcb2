//! `warcab perft`: counts lines of legal moves.

use std::io::{self, Write};
use std::time::Instant;

use warcab::engine::command::{Event, Origin, Setting};
use warcab::engine::options::Settings;
use warcab::engine::{Engine, build};

use super::{Trouble, threads, usage};

/// Arguments of `warcab perft`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The position to start from, as a FEN; the start position if none is given
    #[arg(long, value_name = "F")]
    fen: Option<String>,
    /// Print the count below each move
    #[arg(long)]
    divide: bool,
    /// Threads that count; all of the machine's if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Length of the lines, in plies
    depth: u32,
}

/// Counts and prints `nodes N`, after a line a move with `--divide`.
pub(super) fn run(args: &Args, settings: Settings) -> Result<(), Trouble> {
    let mut engine = build(Settings {
        hash: 1,
        threads: threads(args.threads),
        ..settings
    })?;
    if let Some(fen) = &args.fen {
        let origin = Origin::Fen(fen.clone());
        let moves = String::new();
        let set = engine.set_position(&Setting { origin, moves });
        set.map_err(usage)?;
    }
    let start = Instant::now();
    let counts = count(engine.as_mut(), args.depth)?;
    let time = start.elapsed();
    let nodes = match args.depth {
        0 => 1,
        _ => counts.iter().map(|(_, count)| count).sum::<u64>(),
    };
    let mut out = io::stdout().lock();
    if args.divide {
        for (mv, count) in &counts {
            writeln!(out, "{mv}: {count}")?;
        }
    }
    let seconds = time.as_secs_f64().max(1e-6);
    writeln!(out, "time {} ms", time.as_millis())?;
    writeln!(out, "nps {:.0}", nodes as f64 / seconds)?;
    writeln!(out, "nodes {nodes}")?;
    Ok(())
}

fn count(engine: &mut dyn Engine, depth: u32) -> Result<Vec<(String, u64)>, Trouble> {
    let job = engine.perft(depth).transpose()?;
    let event = job.and_then(|job| job.events().recv().ok());
    match event {
        Some(Event::Count(Some(counts))) => Ok(counts),
        _ => Err(anyhow::anyhow!("the count broke down").into()),
    }
}
