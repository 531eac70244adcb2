//! Overhead of the match runner: a whole match at one node a move, so that next to nothing is thought; the items are moves.

use divan::Bencher;
use divan::counter::ItemsCount;

use warcab::arena::record::GameRecord;
use warcab::arena::referee::Adjudication;
use warcab::arena::runner::{Finished, Identity, Listener, Match, OpeningSource, run};
use warcab::arena::schedule::Tournament;
use warcab::arena::spec::EngineSpec;
use warcab::board::{DrawRules, Variant};

fn main() {
    divan::main();
}

/// Counts the moves of a match.
#[derive(Default)]
struct Moves(u64);

impl Listener for Moves {
    fn begin(&mut self, _: &Identity) -> std::io::Result<Vec<GameRecord>> {
        Ok(Vec::new())
    }

    fn finished(&mut self, game: &Finished<'_>) -> std::io::Result<()> {
        let thought = game.record.moves.iter().filter(|mv| mv.time.is_some());
        self.0 += thought.count() as u64;
        Ok(())
    }
}

/// Four games; the moves thought about.
fn play(command: &str) -> u64 {
    let engine = |name| {
        let text = format!("name={name} cmd='{command}' nodes=1 hash=1");
        EngineSpec::read(&text, "").expect("an engine")
    };
    let setup = Match {
        variant: Variant::default(),
        draw_rules: DrawRules::default(),
        engines: vec![engine("a"), engine("b")],
        tournament: Tournament::RoundRobin,
        rounds: 2,
        openings: OpeningSource::Random(8),
        shuffled: false,
        seed: 1,
        concurrency: 1,
        adjudication: Adjudication::default(),
        sprt: None,
        stop_on_failure: true,
    };
    let mut moves = Moves::default();
    let (standings, _) = run(&setup, &mut moves).expect("a match");
    assert_eq!(standings.failures(), 0);
    moves.0
}

#[divan::bench(args = ["self", env!("CARGO_BIN_EXE_warcab")], sample_count = 10, sample_size = 1)]
fn one_node_a_move(bencher: Bencher, command: &str) {
    let moves = play(command);
    bencher
        .counter(ItemsCount::new(moves))
        .bench_local(|| play(command));
}
