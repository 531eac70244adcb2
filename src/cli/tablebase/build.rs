//! `warcab tablebase build`: works tables out.

use std::path::PathBuf;
use std::time::Instant;

use warcab::board::Variant;
use warcab::tablebase::{self, MOST_PIECES};
use warcab::{part, with_rules};

use crate::cli::progress::{Line, thousands};
use crate::cli::{Trouble, threads};

/// Arguments of `warcab tablebase build`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Most pieces on the board, 2 to 6; each piece more takes 20 to 50 times the time, memory and disk
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=MOST_PIECES as i64))]
    pieces: u8,
    /// The folder to write to, which must exist; the file is named after set and pieces
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Threads; all of the machine's if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// Builds, writes and says what came of it.
pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    if !args.out.is_dir() {
        return Err(Trouble::Usage(format!(
            "--out {} is no folder",
            args.out.display()
        )));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(args.threads))
        .build()?;
    let start = Instant::now();
    let (mut line, mut positions) = (Line::new(), 0);
    let (name, bytes) = with_rules!(variant, R => {
        let pieces = args.pieces.into();
        let bytes = pool.install(|| tablebase::build::<R>(pieces, &mut |material, counts| {
            positions += counts.total();
            line.show(|| format!("{material}  {} positions", thousands(positions)));
        }));
        (tablebase::file_name::<R>(pieces), bytes)
    });
    line.clear();
    let file = args.out.join(name);
    part::write(&file, &bytes).map_err(|error| anyhow::anyhow!("{}: {error}", file.display()))?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{}: {} positions, {} bytes, {seconds:.1} s, {:.0} positions/s",
        file.display(),
        thousands(positions),
        thousands(bytes.len() as u64),
        positions as f64 / seconds.max(1e-3)
    );
    Ok(())
}
