//! A book of international draughts that nobody else would make, so that it shows who plays from it.

use warcab::board::movegen::legal_moves;
use warcab::board::rules::International;
use warcab::board::{Board, Variant};
use warcab::notation::moves;
use warcab::opening::book::key;
use warcab::sealed::{Kind, seal};

/// The file of a book that holds a move for the best of the start.
pub(crate) fn file(best: &str) -> Vec<u8> {
    type R = International;
    let start = Board::start::<R>();
    let best = moves::parse::<R>(&start, best).expect("a move");
    let mut entries: Vec<(u64, i16)> = legal_moves::<R>(&start)
        .iter()
        .map(|mv| {
            (
                key::<R>(&start.after(mv)),
                if *mv == best { -5 } else { 50 },
            )
        })
        .collect();
    entries.push((key::<R>(&start), 5));
    entries.sort_unstable();
    let mut content = 10_u32.to_le_bytes().to_vec();
    for (key, score) in entries {
        content.extend(key.to_le_bytes());
        content.extend(score.to_le_bytes());
    }
    let kind = Kind {
        mark: "WARCABBK",
        version: 1,
    };
    seal(kind, Variant::International, &content)
}
