//! `warcab book suite`: openings for matches.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::RangedU64ValueParser;

use warcab::board::Variant;
use warcab::opening::{self, Progress, Recipe};

use crate::cli::{Trouble, threads};

/// Arguments of `warcab book suite`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Length of the lines, in plies: where a length has few they are all tried, the shortest first; longer ones are
    /// sampled. A line goes on until nothing is to be captured
    #[arg(long, value_name = "A..B", default_value = "4..8", value_parser = read_plies)]
    plies: RangeInclusive<u32>,
    /// How many openings
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = RangedU64ValueParser::<usize>::new().range(1..=100_000))]
    count: usize,
    /// The scores to keep, in hundredths of a man for either side; without 0 each side is better in half of the openings
    #[arg(long, value_name = "LO..HI", default_value = "0..30", value_parser = read_balance)]
    balance: RangeInclusive<u32>,
    /// Nodes of each search
    #[arg(long, value_name = "K", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Chooses the sample and the order
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads that search, one position each; all of the machine's if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The file to write; it is replaced if it is there
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    let recipe = Recipe {
        plies: args.plies.clone(),
        count: args.count,
        balance: args.balance.clone(),
        nodes: args.nodes,
        seed: args.seed,
    };
    let threads = NonZeroUsize::new(threads(args.threads)).unwrap_or(NonZeroUsize::MIN);
    let on_terminal = io::stderr().is_terminal();
    let made = opening::make(variant, &recipe, threads, &mut |progress| {
        if on_terminal {
            show(progress, recipe.count);
        }
    });
    if on_terminal {
        // What follows begins on a line of its own; a terminal that has gone away does not matter.
        let _ = writeln!(io::stderr());
    }
    let comment = comment(args, variant);
    opening::write(variant, &args.out, &comment, &made?)
        .map_err(|error| anyhow::anyhow!("cannot write {}: {error}", args.out.display()))?;
    Ok(())
}

fn show(progress: Progress, wanted: usize) {
    let Progress { searched, kept } = progress;
    let mut terminal = io::stderr().lock();
    let _ = write!(
        terminal,
        "\r{kept} of {wanted} openings, {searched} positions searched"
    );
    let _ = terminal.flush();
}

/// What the file says of itself, the command that makes it included.
fn comment(args: &Args, variant: Variant) -> String {
    let Args {
        plies,
        count,
        balance,
        nodes,
        seed,
        threads: _,
        out,
    } = args;
    let (shortest, longest) = (plies.start(), plies.end());
    let (low, high) = (balance.start(), balance.end());
    let file = out.file_name().unwrap_or_default().display();
    format!(
        "Openings for {variant}: {count} different positions, none with a capture to make.\n\
         Lines of {shortest} to {longest} plies, and the captures that end them, from which a search of {nodes} nodes sees\n\
         one side or the other better by {low} to {high} hundredths of a man.\n\
         position | moves from the start | score in hundredths of a man from White's view\n\
         \n\
         Made by Warcab {version}; the same build makes it again with\n\
         warcab book suite --variant {variant} --plies {shortest}..{longest} --count {count} --balance {low}..{high} \
         --nodes {nodes} --seed {seed} --out {file}",
        version = env!("CARGO_PKG_VERSION"),
    )
}

fn read_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    read_range(text, 1..=60)
}

fn read_balance(text: &str) -> Result<RangeInclusive<u32>, String> {
    read_range(text, 0..=20_000)
}

/// Reads `A..B`, both included.
fn read_range<N: FromStr + PartialOrd + Display>(
    text: &str,
    allowed: RangeInclusive<N>,
) -> Result<RangeInclusive<N>, String> {
    let ends = text.split_once("..").and_then(|(low, high)| {
        let (low, high) = (low.parse().ok()?, high.parse().ok()?);
        (allowed.contains(&low) && allowed.contains(&high) && low <= high).then_some(low..=high)
    });
    ends.ok_or_else(|| {
        let (least, most) = (allowed.start(), allowed.end());
        format!("expected two numbers from {least} to {most}, the lower one first, as in {least}..{most}")
    })
}
