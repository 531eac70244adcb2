//! Positions whose legal moves are known exactly: the examples of the federations' rules and what generators got wrong.

use serde::Deserialize;
use warcab::board::movegen::legal_moves;
use warcab::board::{Rules, Variant};
use warcab::with_rules;

use crate::support::{self, triples, triples_of};

#[derive(Deserialize)]
struct Position {
    variant: String,
    fen: String,
    why: String,
    moves: Vec<String>,
    count_unique: usize,
}

#[test]
fn known_moves() {
    let positions: Vec<Position> =
        serde_json::from_str(include_str!("../data/tricky.json")).unwrap();
    assert_eq!(positions.len(), 69);
    for position in &positions {
        let variant = Variant::from_name(&position.variant).unwrap();
        with_rules!(variant, R => check::<R>(position));
    }
}

fn check<R: Rules>(position: &Position) {
    let place = format!("{} {}: {}", R::VARIANT, position.fen, position.why);
    let moves = legal_moves::<R>(&support::board::<R>(&position.fen));
    assert_eq!(
        triples_of(&moves),
        triples::<R>(&position.moves),
        "{place}\n{moves:?}"
    );
    assert_eq!(moves.len(), position.count_unique, "{place}");
    for text in &position.moves {
        let triple = triples::<R>(&[text]).pop_first().unwrap();
        let found = moves
            .iter()
            .find(|mv| (mv.from, mv.to, mv.captured) == triple)
            .unwrap();
        assert_eq!(found.promotes, text.ends_with("=K"), "{place}, {text}");
    }
}
