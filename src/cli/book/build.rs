//! `warcab book build`: opening books.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use warcab::board::Variant;
use warcab::opening::book::{Book, Enough, Games, Progress, Recipe, grow, inspect};

use super::show::{cp, summary};
use crate::cli::pdn::input::{Found, Input};
use crate::cli::progress::{Line, duration, thousands};
use crate::cli::{Trouble, interruption, threads};

/// Arguments of `warcab book build`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The file to write; it is replaced if it is there
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// A book to go on from
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Put in the positions that the games of these PDN files came to
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pdn: Vec<PathBuf>,
    /// How often they must have come to a position
    #[arg(long, value_name = "N", default_value_t = 2, requires = "pdn", value_parser = clap::value_parser!(u32).range(1..))]
    seen: u32,
    /// Add so many positions in the lines that lose least
    #[arg(long, value_name = "N")]
    expand: Option<usize>,
    /// Stop after this time: seconds, or 90s, 10m, 2h; without --expand, add positions until then
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Nodes of each search
    #[arg(long, value_name = "K", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
    /// Plies of the longest lines
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=200))]
    plies: u32,
    /// Decides between positions with equal claims
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads that search, one position each; all of the machine's if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    if args.pdn.is_empty() && args.expand.is_none() && args.time.is_none() {
        let what = "there is nothing to grow by: expected --pdn, --expand or --time";
        return Err(Trouble::Usage(what.into()));
    }
    let recipe = Recipe {
        enough: Enough {
            positions: args.expand,
            time: args.time,
        },
        nodes: args.nodes,
        plies: args.plies,
        seen: args.seen,
        seed: args.seed,
    };
    let from = args.from.as_deref();
    let from = from.map(|file| Book::load(file, variant)).transpose()?;
    let games = (!args.pdn.is_empty()).then(|| read(args, variant));
    let games = games.transpose()?;
    let stop = interruption()?;
    let threads = NonZeroUsize::new(threads(args.threads)).unwrap_or(NonZeroUsize::MIN);
    let (mut line, begun) = (Line::new(), Instant::now());
    let book = grow(
        variant,
        &recipe,
        from.as_ref(),
        games.as_ref(),
        threads,
        &stop,
        &mut |progress| line.show(|| text(progress, begun)),
    )?;
    line.clear();
    book.save(&args.out)?;
    let mut out = io::stdout().lock();
    if stop.is_stopped() {
        writeln!(out, "interrupted: what there was is written")?;
    }
    writeln!(out, "{}", summary(&book, &inspect(&book)))?;
    Ok(())
}

/// Counts the positions of the games.
fn read(args: &Args, variant: Variant) -> Result<Games, Trouble> {
    let mut games = Games::new(variant, args.plies);
    let input = Input::of(args.pdn.clone());
    input.each_game(variant, |_, found| {
        if let Found::Game(game) = found {
            games.count(game);
        }
        Ok(())
    })?;
    let (counted, skipped) = (thousands(games.counted), thousands(games.skipped));
    Line::new().print(&format!(
        "games {counted}, left out {skipped} of other sets or first positions"
    ));
    Ok(games)
}

fn text(progress: Progress, begun: Instant) -> String {
    let Progress {
        positions,
        searched,
        start,
    } = progress;
    format!(
        "{} positions, {} searched in {} s, start {}",
        thousands(positions as u64),
        thousands(searched as u64),
        begun.elapsed().as_secs(),
        cp(start)
    )
}
