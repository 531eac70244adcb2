//! The engine's command line.

use warcab::board::{Board, DrawRules, Game, Geometry, Rules, Variant, perft::perft};
use warcab::search::*;
use warcab::with_rules;

fn think<R: Rules>(d: u32, threads: usize) {
    let mut s = Searcher::<R>::new(64, threads).unwrap();
    let g = Game::<R>::new(Board::start::<R>(), 0, R::draw_table(DrawRules::Club));
    let rq = Request {
        limits: Limits {
            depth: Some(d),
            ..Default::default()
        },
        ..Default::default()
    };
    s.search(&g, &rq, &Signals::default(), &mut |r| {
        let f = |q| R::Geo::index(q) + 1;
        println!(
            "d {} sd {} {} nodes {} time {:?} nps {:.2}M pv {}",
            r.depth,
            r.seldepth,
            r.score,
            r.nodes,
            r.time,
            r.nodes as f64 / r.time.as_secs_f64() / 1e6,
            r.pv.iter()
                .map(|m| format!("{}-{}", f(m.from), f(m.to)))
                .collect::<Vec<_>>()
                .join(" ")
        );
    });
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let v = Variant::from_name(&args[1]).unwrap();
    let d: u32 = args[2].parse().unwrap();
    let t = std::time::Instant::now();
    if args.len() > 3 {
        let threads: usize = args[3].parse().unwrap();
        with_rules!(v, R => think::<R>(d, threads));
        return;
    }
    let n = with_rules!(v, R => perft::<R>(&Board::start::<R>(), d));
    println!(
        "{v} {n} {:?} {:.1} M/s",
        t.elapsed(),
        n as f64 / t.elapsed().as_secs_f64() / 1e6
    );
}
