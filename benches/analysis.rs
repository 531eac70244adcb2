//! Throughput of `warcab analyse`: positions a second with one worker and with two, and the ratio.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use warcab::board::Variant;

/// Positions of each run.
const POSITIONS: usize = 280;

/// Seconds for all positions with so many workers.
fn seconds(input: &str, workers: usize) -> f64 {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_warcab"))
        .args(["analyse", "--nodes", "200000", "--threads"])
        .arg(workers.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("an input");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
    start.elapsed().as_secs_f64()
}

fn main() {
    let sets = Variant::ALL.iter().map(|variant| variant.name()).cycle();
    let input: String = sets
        .take(POSITIONS)
        .enumerate()
        .map(|(index, set)| format!("{{\"id\":\"{index}\",\"variant\":\"{set}\"}}\n"))
        .collect();
    // The best of three, in turn, since the machine may be doing other things.
    let mut best = [f64::MAX; 2];
    for _ in 0..3 {
        for (time, workers) in best.iter_mut().zip(1..) {
            *time = time.min(seconds(&input, workers));
        }
    }
    let [one, two] = best;
    let rate = |time: f64| POSITIONS as f64 / time;
    println!("1 worker   {:.1} positions/s", rate(one));
    println!("2 workers  {:.1} positions/s", rate(two));
    println!("ratio      {:.2}", one / two);
}
