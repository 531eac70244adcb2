//! `warcab train`: fits weights to files of self-play.

use std::io::{self, Write};
use std::path::PathBuf;

use warcab::board::Variant;
use warcab::eval::weights::Weights;
use warcab::search::Signals;
use warcab::training::fit::{self, Options};
use warcab::with_rules;

use super::progress::Line;
use super::{Trouble, threads};

/// Arguments of `warcab train`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files of self-play
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The file of weights to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Weights to go on from; none if not given
    #[arg(long, value_name = "FILE")]
    init: Option<PathBuf>,
    /// Share of the game's result in a label, the rest being the score
    #[arg(long, value_name = "L", default_value_t = Options::default().lambda, value_parser = share)]
    lambda: f64,
    /// Most passes over the data
    #[arg(long, value_name = "N", default_value_t = Options::default().epochs)]
    epochs: usize,
    /// Positions between two steps
    #[arg(long, value_name = "N", default_value_t = Options::default().batch)]
    batch: usize,
    /// The full rate of steps [default: 0.003, or 0.0005 with --init]
    #[arg(long, value_name = "R")]
    rate: Option<f32>,
    /// Slope of results on scores for a hundredth of a man, for games of a teacher that does not know its own; fitted if
    /// not given
    #[arg(long, value_name = "K")]
    slope: Option<f64>,
    /// Seed of the first weights and of the order of positions
    #[arg(long, value_name = "N", default_value_t = Options::default().seed)]
    seed: u64,
    /// Threads; all of the machine's if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Columns of the longest bar of a plot.
const WIDEST: usize = 50;

/// The losses of the games held out, each epoch's with a bar that shows how far it is above the least.
fn plot(losses: &[(usize, f64)]) -> String {
    let of = |pick: fn(f64, f64) -> f64| losses.iter().map(|&(_, loss)| loss).reduce(pick);
    let (Some(least), Some(most)) = (of(f64::min), of(f64::max)) else {
        return String::new();
    };
    let span = (most - least).max(f64::MIN_POSITIVE);
    let line = |&(epoch, loss): &(usize, f64)| {
        let bar = 1 + ((loss - least) / span * (WIDEST - 1) as f64).round() as usize;
        format!("{epoch:>5} {loss:.5} {}\n", "█".repeat(bar))
    };
    let head = "epoch held out\n".to_owned();
    losses
        .iter()
        .map(line)
        .fold(head, |text, line| text + &line)
}

/// Fits, printing a line an epoch and a plot of them at the end, and writes the weights.
pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    let options = Options {
        lambda: args.lambda,
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        threads: threads(args.threads),
        seed: args.seed,
        slope: args.slope,
    };
    let init = match &args.init {
        Some(file) => Some(Weights::load(file, variant)?),
        None => None,
    };
    let mut line = Line::new();
    let mut losses = Vec::new();
    let fitted = with_rules!(variant, R => {
        let examples = fit::read::<R>(&args.data, &options, &mut |remark| line.print(&remark))?;
        line.print(&format!(
            "positions {} held out {} slope {:.5}",
            examples.train.len(), examples.held_out.len(), examples.slope
        ));
        fit::fit::<R>(&examples, &options, init.as_ref(), &Signals::default(), &mut |epoch| {
            losses.push((epoch.number, epoch.held_out));
            line.print(&format!(
                "epoch {} loss {:.5} held out {:.5} time {:.0} s",
                epoch.number, epoch.train, epoch.held_out, epoch.time.as_secs_f64()
            ));
        })?
    });
    fitted.weights.save(&args.out)?;
    let mut out = io::stdout().lock();
    write!(out, "{}", plot(&losses))?;
    writeln!(
        out,
        "epoch {} held out {:.5}",
        fitted.best.number, fitted.best.held_out
    )?;
    writeln!(out, "in whole numbers {:.5}", fitted.whole)?;
    writeln!(out, "slope {:.6}", fitted.weights.slope)?;
    let weights = &fitted.weights;
    writeln!(
        out,
        "rows {} terms {}",
        weights.hidden.len(),
        weights.linear.len()
    )?;
    writeln!(out, "weights {}", args.out.display())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fall_with_the_loss() {
        let text = plot(&[(0, 0.7), (1, 0.6), (2, 0.5)]);
        let bars: Vec<_> = text
            .lines()
            .skip(1)
            .map(|line| line.matches('█').count())
            .collect();
        assert_eq!(bars, [WIDEST, 26, 1]);
        assert!(text.contains("    1 0.60000 █"), "{text}");
        assert_eq!(plot(&[(0, 0.5)]).matches('█').count(), 1);
        assert_eq!(plot(&[]), "");
    }
}
