//! `warcab pdn check`: every problem of every game.

use warcab::board::Variant;
use warcab::notation::pdn::{Problem, Severity};

use super::input::{Found, Input, place};
use crate::cli::Trouble;
use crate::cli::output::Output;
use crate::cli::progress::thousands;

/// Arguments of `warcab pdn check`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    input: Input,
    /// Take warnings and notes for errors
    #[arg(long)]
    strict: bool,
    /// Print errors only
    #[arg(long, short)]
    quiet: bool,
}

/// What was found.
#[derive(Default)]
struct Count {
    games: u64,
    faulty: u64,
    moves: u64,
    /// Notes, warnings and errors.
    problems: [u64; 3],
}

pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    let mut out = Output::open(None)?;
    let mut count = Count::default();
    args.input.each_game(variant, |file, found| {
        let mut tell = |game: Option<usize>, problem: &Problem| {
            let severity = problem.finding.severity();
            count.problems[severity as usize] += 1;
            if severity == Severity::Error || !args.quiet {
                out.write(&format!("{}\n", place(file, game, problem)))?;
            }
            Ok::<_, std::io::Error>(())
        };
        match found {
            Found::Problem(problem) => tell(None, problem)?,
            Found::Game(game) => {
                for problem in &game.problems {
                    tell(Some(game.number), problem)?;
                }
                count.games += 1;
                count.faulty += u64::from(game.has_error());
                count.moves += game.moves.len() as u64;
            }
        }
        Ok(())
    })?;
    let [notes, warnings, errors] = count.problems.map(thousands);
    out.write(&format!(
        "games {}, moves {}, games with errors {}, errors {errors}, warnings {warnings}, notes {notes}\n",
        thousands(count.games),
        thousands(count.moves),
        thousands(count.faulty),
    ))?;
    out.finish()?;
    let [notes, warnings, errors] = count.problems;
    let against = errors + if args.strict { warnings + notes } else { 0 };
    if against > 0 {
        return Err(anyhow::anyhow!("problems found: {}", thousands(against)).into());
    }
    Ok(())
}
