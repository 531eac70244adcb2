//! Replays collections of games. Not part of the usual run: it wants a folder of `<set>.tsv` files in `WARCAB_GAMES`, each
//! line a start (`startpos` or a FEN), the moves, the FEN of the end, and the number of captures written ambiguously.
//!
//! `WARCAB_GAMES=folder cargo test --test games -- --ignored --nocapture`

use warcab::board::{Board, Rules, Variant};
use warcab::notation::{MoveError, fen, moves};
use warcab::with_rules;

/// Plays the moves, trying each reading of an ambiguous one; the end, or the furthest failure as ply and sentence.
fn replay<R: Rules>(board: Board, texts: &[&str], ply: usize) -> Result<Board, (usize, String)> {
    let Some(text) = texts.get(ply) else {
        return Ok(board);
    };
    match moves::parse::<R>(&board, text) {
        Ok(mv) => replay::<R>(board.after(&mv), texts, ply + 1),
        Err(MoveError::Ambiguous { candidates, .. }) => {
            let mut furthest = (ply, String::new());
            for candidate in candidates {
                let mv =
                    moves::parse::<R>(&board, &candidate).expect("a candidate is a legal move");
                match replay::<R>(board.after(&mv), texts, ply + 1) {
                    Ok(end) => return Ok(end),
                    Err(failure) => furthest = furthest.max(failure),
                }
            }
            Err(furthest)
        }
        Err(error) => Err((ply, error.to_string())),
    }
}

/// Replays one line; what went wrong, if anything.
fn check<R: Rules>(line: &str) -> Result<(), String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [start, list, end, ..] = fields.as_slice() else {
        return Err("too few fields".into());
    };
    let start = match *start {
        "startpos" => Board::start::<R>(),
        text => fen::parse::<R>(text).map_err(|e| e.to_string())?.board,
    };
    let texts: Vec<&str> = list.split_whitespace().collect();
    let reached = replay::<R>(start, &texts, 0)
        .map_err(|(ply, error)| format!("ply {}: {error}", ply + 1))?;
    let expected = fen::parse::<R>(end).map_err(|e| e.to_string())?.board;
    if reached == expected {
        return Ok(());
    }
    let reached = fen::write::<R>(&reached, Default::default(), Default::default());
    Err(format!("ends in {reached}, not in {end}"))
}

#[test]
#[ignore = "needs a folder of games in WARCAB_GAMES"]
fn games_of_a_folder_replay_to_their_ends() {
    let folder = std::env::var("WARCAB_GAMES").expect("WARCAB_GAMES names a folder of games");
    let mut failures = 0;
    for variant in Variant::ALL {
        let path = std::path::Path::new(&folder).join(format!("{variant}.tsv"));
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("{variant}: no file");
            continue;
        };
        let (mut good, mut settled, mut bad) = (0, 0, 0);
        for (number, line) in (1..).zip(text.lines()) {
            let ambiguous = !line.ends_with("\t0");
            match with_rules!(variant, R => check::<R>(line)) {
                Ok(()) if ambiguous => settled += 1,
                Ok(()) => good += 1,
                Err(error) => {
                    println!("{variant} line {number}, ambiguous {ambiguous}: {error}");
                    bad += usize::from(!ambiguous);
                }
            }
        }
        println!("{variant}: {good} as given, {settled} ambiguous ones settled, {bad} wrong");
        failures += bad;
    }
    assert_eq!(failures, 0, "games do not reach their ends");
}
