//! Speed of the static evaluation: evaluations a second of one thread in every set, over positions of random games.

use divan::Bencher;
use divan::counter::ItemsCount;
use warcab::board::movegen::legal_moves;
use warcab::board::{Board, Rules, Variant};
use warcab::eval::Evaluator;
use warcab::with_rules;

fn main() {
    divan::main();
}

/// Positions in the sample: enough that their windows do not all stay in the first cache.
const POSITIONS: usize = 10_000;

/// Positions of random games, one after the other.
fn positions<R: Rules>() -> Vec<Board> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut boards = Vec::with_capacity(POSITIONS);
    while boards.len() < POSITIONS {
        let mut board = Board::start::<R>();
        for _ in 0..100 {
            let Some(mv) = random.choice(legal_moves::<R>(&board)) else {
                break;
            };
            board = board.after(&mv);
            boards.push(board);
        }
    }
    boards.truncate(POSITIONS);
    boards
}

/// The items are evaluations.
#[divan::bench(args = Variant::ALL, sample_count = 20)]
fn evaluations(bencher: Bencher, variant: Variant) {
    with_rules!(variant, R => {
        let evaluator = Evaluator::<R>::default();
        let boards = positions::<R>();
        bencher.counter(ItemsCount::new(boards.len())).bench(|| {
            boards.iter().map(|board| evaluator.evaluate(board)).sum::<i32>()
        });
    });
}
