//! The engine's command line.

use warcab::board::{Board, Variant, perft::perft};
use warcab::with_rules;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let v = Variant::from_name(&args[1]).unwrap();
    let d: u32 = args[2].parse().unwrap();
    let t = std::time::Instant::now();
    let n = with_rules!(v, R => perft::<R>(&Board::start::<R>(), d));
    println!(
        "{v} {n} {:?} {:.1} M/s",
        t.elapsed(),
        n as f64 / t.elapsed().as_secs_f64() / 1e6
    );
}
