//! `warcab conform`: checks whether an engine keeps to its protocol.

use std::io::{self, Write};

use warcab::arena::conform::{Suite, check};
use warcab::board::Variant;

use super::Trouble;

/// Arguments of `warcab conform`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Check against Hub 2 instead of protocol.md
    #[arg(long)]
    hub: bool,
    /// The engine and its arguments
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ENGINE"
    )]
    engine: Vec<String>,
}

/// Checks each point and prints a line for it, and a count last.
pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    let suite = if args.hub { Suite::Hub } else { Suite::Uci };
    let mut out = io::stdout().lock();
    let (mut passed, mut failed) = (0, 0);
    let mut written = Ok(());
    let checked = check(suite, &args.engine, variant, &mut |verdict| {
        let word = if verdict.passed { "ok  " } else { "FAIL" };
        *(if verdict.passed {
            &mut passed
        } else {
            &mut failed
        }) += 1;
        if written.is_ok() {
            written = writeln!(out, "{word}  {}: {}", verdict.name, verdict.seen);
        }
    });
    checked.map_err(|what| anyhow::anyhow!("the engine {what}"))?;
    written?;
    writeln!(out, "{passed} of {} points kept", passed + failed)?;
    if failed > 0 {
        return Err(anyhow::anyhow!("the engine does not keep to {failed} points").into());
    }
    Ok(())
}
