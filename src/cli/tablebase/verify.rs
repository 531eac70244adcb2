//! `warcab tablebase verify`: checks tables.

use std::path::PathBuf;

use warcab::board::Variant;
use warcab::notation::Squares;
use warcab::notation::fen::{self, Suffixes};
use warcab::tablebase::{Ending, verify};
use warcab::with_rules;

use crate::cli::progress::{Line, thousands};
use crate::cli::{Trouble, threads};

/// Arguments of `warcab tablebase verify`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// A file of tables, or a folder of them; the embedded ones if not given
    path: Option<PathBuf>,
    /// Look at every so many-th position only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    step: u64,
    /// Threads; all of the machine's if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// Checks and says how many positions were right.
pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(args.threads))
        .build()?;
    let mut line = Line::new();
    let checked = with_rules!(variant, R => {
        let tablebase = super::open::<R>(args.path.as_deref())?;
        let mut checked = 0;
        for (material, ..) in tablebase.content() {
            line.show(|| format!("{material}  {} positions", thousands(checked)));
            let right = pool.install(|| verify(&tablebase, material, args.step));
            checked += right.map_err(|fault| {
                let word = |ending: Option<Ending>| match ending {
                    None => "unknown".to_owned(),
                    Some(Ending { verdict, distance: None }) => verdict.word().to_owned(),
                    Some(Ending { verdict, distance: Some(plies) }) => {
                        format!("{} in {plies}", verdict.word())
                    }
                };
                let (says, moves) = (word(fault.says), word(fault.moves));
                let board = fen::write::<R>(&fault.board, Squares::Native, Suffixes::default());
                anyhow::anyhow!("{material}: {board} is a {says}, but its moves make it a {moves}")
            })?;
        }
        checked
    });
    line.clear();
    println!("{variant}: {} positions are right", thousands(checked));
    Ok(())
}
