//! Speed of move generation: perft from the start of every set, in leaves a second.

use divan::Bencher;
use divan::counter::ItemsCount;
use warcab::board::perft::perft;
use warcab::board::{Board, Variant};
use warcab::with_rules;

fn main() {
    divan::main();
}

#[divan::bench(args = Variant::ALL, sample_count = 10)]
fn from_start(bencher: Bencher, variant: Variant) {
    with_rules!(variant, R => {
        let board = Board::start::<R>();
        // About a million leaves or more in every set.
        let depth = if perft::<R>(&board, 6) > 500_000 { 6 } else { 8 };
        bencher
            .counter(ItemsCount::new(perft::<R>(&board, depth)))
            .bench(|| perft::<R>(divan::black_box(&board), depth));
    });
}
