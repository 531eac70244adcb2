//! A game over DXP as PDN.

use crate::board::{Board, Rules, Variant};
use crate::notation::pdn::{Game, GameResult, Item, write};
use crate::notation::{Squares, Style, Suffixes, fen, hub, moves};
use crate::with_rules;

/// A game that is over.
#[derive(Clone, Debug)]
pub(super) struct Played {
    /// White's name and Black's.
    pub(super) names: [String; 2],
    /// Which game it was, from 1.
    pub(super) round: u32,
    /// The day.
    pub(super) date: String,
    /// The first position in Hub's letters; `None` for the start position.
    pub(super) board: Option<String>,
    /// The moves in Hub's form.
    pub(super) moves: Vec<String>,
    /// How it ended.
    pub(super) result: GameResult,
    /// Why it ended.
    pub(super) why: String,
}

/// The whole game.
pub(super) fn pdn(variant: Variant, played: &Played) -> String {
    with_rules!(variant, R => text::<R>(played))
}

fn text<R: Rules>(played: &Played) -> String {
    let given = played.board.as_ref();
    // Many programs give the start position as if it were another.
    let given = given
        .and_then(|text| hub::parse::<R>(text).ok())
        .filter(|board| *board != Board::start::<R>());
    let mut board = given.unwrap_or_else(Board::start::<R>);
    let first = board.side;
    let mut items = Vec::new();
    for text in &played.moves {
        // They have been played already.
        let Ok(mv) = moves::parse::<R>(&board, text) else {
            break;
        };
        items.push(Item::Move(moves::write::<R>(&board, &mv, Style::default())));
        board = board.after(&mv);
    }
    items.push(Item::Comment(played.why.clone()));
    let [white, black] = &played.names;
    let tags = [
        ("Event", "DXP"),
        ("Site", "?"),
        ("Date", &played.date),
        ("Round", &played.round.to_string()),
        ("White", white),
        ("Black", black),
    ];
    let tag = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let game = Game {
        tags: tags.map(tag).to_vec(),
        fen: given.map(|board| fen::write::<R>(&board, Squares::Native, Suffixes::default())),
        first,
        items,
        result: played.result.clone(),
    };
    write::<R>(&game, Squares::Native)
}
