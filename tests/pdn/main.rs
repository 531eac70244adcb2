//! PDN: what archives hold is read, what is written reads back, and nothing that is typed panics.

mod cases;
mod command;
mod oddities;
mod properties;

use warcab::board::Variant;
use warcab::notation::pdn::{PlayedGame, RawGame, Reader, Severity, play};

/// All games of a file.
pub(crate) fn games(bytes: impl AsRef<[u8]>, default: Variant) -> Vec<PlayedGame> {
    let mut reader = Reader::new(bytes.as_ref());
    let mut raw = RawGame::default();
    let mut list = Vec::new();
    while reader.read(&mut raw).expect("it is read") {
        list.push(play(&raw, default));
    }
    list
}

/// The one game of a file.
pub(crate) fn game(bytes: impl AsRef<[u8]>, default: Variant) -> PlayedGame {
    let mut list = games(bytes, default);
    let game = list.pop().expect("a game");
    assert_eq!(list, []);
    game
}

/// The moves in canonical form.
pub(crate) fn moves(game: &PlayedGame) -> String {
    game.move_texts(Default::default()).join(" ")
}

/// The problems of a game as `line severity: text`.
pub(crate) fn problems(game: &PlayedGame) -> Vec<String> {
    let list = game.problems.iter();
    list.map(|p| {
        let severity: Severity = p.finding.severity();
        format!("{} {}: {}", p.line, severity.word(), p.finding)
    })
    .collect()
}
