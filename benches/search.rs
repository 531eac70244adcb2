//! Speed of the search: how soon a running search heeds a stop, and nodes a second of one thread in every set.

use std::time::{Duration, Instant};

use divan::Bencher;
use divan::counter::ItemsCount;
use warcab::board::{Board, DrawRules, Game, Rules, Variant};
use warcab::search::{Limits, Request, Searcher, Signals};
use warcab::with_rules;

fn main() {
    time_to_stop();
    divan::main();
}

const NODES: u64 = 1_000_000;

fn start<R: Rules>() -> (Searcher<R>, Game<R>) {
    let searcher = Searcher::new(64, 1).expect("64 MiB fit in memory");
    let game = Game::new(Board::start::<R>(), 0, R::draw_table(DrawRules::default()));
    (searcher, game)
}

/// A million nodes from the start; the items are nodes.
#[divan::bench(args = Variant::ALL, sample_count = 10, sample_size = 1)]
fn nodes(bencher: Bencher, variant: Variant) {
    with_rules!(variant, R => {
        let (mut searcher, game) = start::<R>();
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let request = Request { limits, ..Request::default() };
        bencher.counter(ItemsCount::new(NODES)).bench_local(|| {
            searcher.clear();
            searcher.search(&game, &request, &Signals::default(), &mut |_| ())
        });
    });
}

/// Prints the time from a stop to the answer, which starts inside a run and so is no figure of divan's.
fn time_to_stop() {
    type R = warcab::board::rules::International;
    for threads in [1, 2, 4] {
        let (mut searcher, game) = start::<R>();
        searcher.set_threads(threads);
        let mut times: Vec<Duration> = (0..21)
            .map(|_| {
                let signals = Signals::default();
                std::thread::scope(|scope| {
                    let stopper = scope.spawn(|| {
                        std::thread::sleep(Duration::from_millis(50));
                        signals.stop();
                        Instant::now()
                    });
                    searcher.search(&game, &Request::default(), &signals, &mut |_| ());
                    stopper
                        .join()
                        .map_or(Duration::ZERO, |stopped| stopped.elapsed())
                })
            })
            .collect();
        times.sort();
        println!(
            "stop, {threads} threads: median {:?}, longest {:?}",
            times[10], times[20]
        );
    }
}
