//! `warcab bench`: the signature of the build, and its speed.

use std::io::{self, Write};
use std::time::Duration;

use warcab::board::Variant;
use warcab::engine::bench::bench;

use super::Trouble;

/// Searches the positions of all rule sets; prints a line a set, and `bench N` last.
pub(super) fn run() -> Result<(), Trouble> {
    let mut out = io::stdout().lock();
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for variant in Variant::ALL {
        let result = bench(variant)?;
        let name = variant.name();
        writeln!(
            out,
            "{name:<14} positions {} nodes {:>10} time {:>6} ms nps {:>9.0}",
            result.positions,
            result.nodes,
            result.time.as_millis(),
            speed(result.nodes, result.time)
        )?;
        nodes += result.nodes;
        time += result.time;
    }
    writeln!(out, "time {} ms", time.as_millis())?;
    writeln!(out, "nps {:.0}", speed(nodes, time))?;
    writeln!(out, "bench {nodes}")?;
    Ok(())
}

/// Nodes a second.
fn speed(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-6)
}
