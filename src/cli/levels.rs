//! `warcab levels`: measures how strong the playing levels of a set are.

use std::io::{self, Write};
use std::path::PathBuf;

use warcab::arena::ladder::{Plan, fit, measure};
use warcab::arena::runner::OpeningSource;
use warcab::board::Variant;
use warcab::engine::elo::MIN_ELO;

use super::{Trouble, threads};

/// Arguments of `warcab levels`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Pairs of games between neighbours up to level 10, fewer above; half as many between levels that are two apart
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// File of openings, as `warcab match` reads them; eight random moves if not given
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at once; all of the machine's threads if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: Option<u16>,
}

/// Plays the matches, and prints the result of each and the points of all levels.
pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    const RANDOM_PLIES: usize = 8;
    let named = |path: &PathBuf, what: String| anyhow::anyhow!("{}: {what}", path.display());
    let openings = match &args.openings {
        Some(path) => {
            let text = std::fs::read_to_string(path);
            let text = text.map_err(|error| named(path, error.to_string()))?;
            OpeningSource::File(text, None)
        }
        None => OpeningSource::Random(RANDOM_PLIES),
    };
    let plan = Plan {
        variant,
        openings,
        rounds: args.rounds.into(),
        seed: args.seed,
        concurrency: threads(args.concurrency),
    };
    let mut told = Ok(());
    let mut out = io::stdout();
    let meetings = measure(&plan, &mut |meeting| {
        let [upper, lower] = meeting.levels;
        let tally = &meeting.tally;
        let elo = tally.elo().filter(|elo| elo.error.is_finite());
        let elo = elo.map_or_else(String::new, |elo| {
            format!(" {:+.0} ± {:.0} Elo", elo.value, elo.error)
        });
        let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
        let text = format!("level {upper} against {lower}: +{wins} ={draws} -{losses}{elo}\n");
        if told.is_ok() {
            told = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        }
    })
    .map_err(|error| match &args.openings {
        Some(path) => named(path, error.to_string()),
        None => error.into(),
    })?;
    told?;
    let points = fit(&meetings).into_iter();
    let points = points.map(|points| format!("{:.0}", f64::from(MIN_ELO) + points));
    let points = points.collect::<Vec<_>>().join(", ");
    writeln!(out, "{variant} [{points}]")?;
    Ok(())
}
