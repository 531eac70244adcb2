//! Real games replayed through `position ... moves ...` by the real binary, to the end positions they are known to have.
//!
//! Files are `<set>.tsv`, each line a start (`startpos` or a FEN), the moves, the FEN of the end, and how many captures are
//! written so that more than one legal move fits. The engine refuses such a move; the other games must reach their ends.
//! The same games as PDN must read to the same ends, and read back equal when they are written.
//! A sample lies in `tests/data/games`; a folder named by `WARCAB_GAMES` is replayed as well.

#[path = "support/session.rs"]
mod session;

use std::path::Path;

use session::Session;
use warcab::board::{Board, Rules, Variant};
use warcab::notation::pdn::{Finding, PlayedGame, RawGame, Reader, play};
use warcab::notation::{Squares, Style, fen};
use warcab::with_rules;

fn read<R: Rules>(text: &str) -> Board {
    fen::parse::<R>(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .board
}

/// Replays the games of one set in one session; how many reached their ends, and how many stopped at an ambiguous move.
fn replay<R: Rules>(text: &str) -> (usize, usize) {
    let mut session = Session::of(R::VARIANT.name());
    let (mut reached, mut ambiguous) = (0, 0);
    for (number, line) in (1..).zip(text.lines()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [start, moves, end, unclear] = fields[..] else {
            panic!("{} line {number}: not four fields", R::VARIANT);
        };
        let start = if start == "startpos" {
            start.to_owned()
        } else {
            format!("fen {start}")
        };
        session.send(&format!("position {start} moves {moves}"));
        session.send("fen");
        let lines = session.until("fen");
        match &lines[..] {
            [fen] => {
                let here = read::<R>(fen.trim_start_matches("fen "));
                assert_eq!(
                    here,
                    read::<R>(end),
                    "{} line {number} ends in {fen}, not in {end}",
                    R::VARIANT
                );
                reached += 1;
            }
            [error, _] if unclear != "0" => {
                assert!(
                    error.contains("error ambiguous-move"),
                    "{} line {number}: {error}",
                    R::VARIANT
                );
                ambiguous += 1;
            }
            _ => panic!("{} line {number}: {lines:?}", R::VARIANT),
        }
    }
    (reached, ambiguous)
}

/// The one game of a PDN file.
fn read_pdn(text: &str, variant: Variant) -> PlayedGame {
    let mut reader = Reader::new(text.as_bytes());
    let mut raw = RawGame::default();
    assert!(reader.read(&mut raw).expect("it is read"), "{text}");
    let game = play(&raw, variant);
    assert!(!reader.read(&mut raw).expect("it is read"), "{text}");
    game
}

/// Reads the games of one set as PDN and writes and reads them again; how many captures were written so that more than one
/// legal move fits to the end of the game.
fn through_pdn<R: Rules>(text: &str) -> usize {
    let mut ambiguous = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [start, moves, end, unclear] = fields[..] else {
            panic!("{} line {number}: not four fields", R::VARIANT);
        };
        let tag = match start {
            "startpos" => String::new(),
            fen => format!("[FEN \"{fen}\"]\n"),
        };
        let game = read_pdn(&format!("{tag}{moves} *"), R::VARIANT);
        let place = format!("{} line {number}", R::VARIANT);
        assert!(!game.has_error(), "{place}: {:?}", game.problems);
        assert_eq!(game.moves.len(), moves.split(' ').count(), "{place}");
        let doubts = |game: &PlayedGame| {
            let is_doubt = |finding: &Finding| matches!(finding, Finding::Ambiguous { .. });
            let found = game.problems.iter().filter(|p| is_doubt(&p.finding));
            found.count()
        };
        let open = doubts(&game);
        assert!(unclear != "0" || open == 0, "{place}: {:?}", game.problems);
        ambiguous += open;
        let (_, reached) = game.first_and_last_fen(Squares::Native);
        assert!(
            open > 0 || read::<R>(&reached) == read::<R>(end),
            "{place} ends in {reached}, not in {end}"
        );
        let written = game.write(Style::default());
        let again = read_pdn(&written, Variant::default());
        assert_eq!(again.problems, [], "{place}: {written}");
        assert_eq!(again.moves, game.moves, "{place}: {written}");
        assert_eq!(
            (again.variant, again.start, &again.result),
            (game.variant, game.start, &game.result),
            "{place}"
        );
        assert_eq!(again.write(Style::default()), written, "{place}");
    }
    ambiguous
}

/// Replays all sets of a folder; the number of games that reached their ends.
fn replay_folder(folder: &Path) -> usize {
    let sets = Variant::ALL.into_iter().map(|variant| {
        let path = folder.join(format!("{variant}.tsv"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (reached, ambiguous) = with_rules!(variant, R => replay::<R>(&text));
        println!("{variant}: {reached} games reached their ends, {ambiguous} stopped at an ambiguous move");
        assert!(reached > 0);
        let open = with_rules!(variant, R => through_pdn::<R>(&text));
        println!("{variant}: as PDN {open} captures are ambiguous to the end of their game");
        reached
    });
    sets.sum()
}

#[test]
fn sample_games_reach_their_ends() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/games");
    assert_eq!(replay_folder(&folder), 73);
}

#[test]
#[ignore = "needs a folder of games in WARCAB_GAMES"]
fn games_of_a_folder_reach_their_ends() {
    let folder = std::env::var("WARCAB_GAMES").expect("WARCAB_GAMES names a folder of games");
    replay_folder(Path::new(&folder));
}
