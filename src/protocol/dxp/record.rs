//! A game over DXP as PDN.

use crate::board::{Board, Rules, Side, Variant};
use crate::notation::pdn::write;
use crate::notation::{Squares, Style, Suffixes, fen, hub, moves};
use crate::with_rules;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Score {
    /// A side wins.
    Wins(Side),
    /// Nobody wins.
    Draw,
}

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
    /// How it ended, if that is known.
    pub(super) score: Option<Score>,
    /// Why it ended.
    pub(super) why: String,
}

/// The result as PDN writes it, and the whole game.
pub(super) fn pdn(variant: Variant, played: &Played) -> (&'static str, String) {
    with_rules!(variant, R => text::<R>(played))
}

fn text<R: Rules>(played: &Played) -> (&'static str, String) {
    let white_half_points = played.score.map(|score| match score {
        Score::Draw => 1,
        Score::Wins(Side::White) => 2,
        Score::Wins(Side::Black) => 0,
    });
    let given = played.board.as_ref();
    // Many programs give the start position as if it were another.
    let given = given
        .and_then(|text| hub::parse::<R>(text).ok())
        .filter(|board| *board != Board::start::<R>());
    let mut board = given.unwrap_or_else(Board::start::<R>);
    let first = board.side;
    let mut list = Vec::new();
    for text in &played.moves {
        // They have been played already.
        let Ok(mv) = moves::parse::<R>(&board, text) else {
            break;
        };
        list.push(write::Move {
            text: moves::write::<R>(&board, &mv, Style::default()),
            comment: None,
        });
        board = board.after(&mv);
    }
    let [white, black] = &played.names;
    let tags = [
        ("Event", "DXP"),
        ("Site", "?"),
        ("Date", &played.date),
        ("Round", &played.round.to_string()),
        ("White", white),
        ("Black", black),
    ];
    let game = write::Game {
        tags: tags
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec(),
        fen: given.map(|board| fen::write::<R>(&board, Squares::Native, Suffixes::default())),
        moves: list,
        remark: Some(played.why.clone()),
        white_half_points,
    };
    let results = R::VARIANT.labels().results;
    let result = white_half_points.and_then(|points| results.get(points).copied());
    (result.unwrap_or("*"), write::write::<R>(&game, first))
}
