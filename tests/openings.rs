//! The suites that are shipped, and `warcab book suite` that makes them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use assert_cmd::Command;

use warcab::board::movegen::legal_moves;
use warcab::board::rules::English;
use warcab::board::{Board, Rules, Variant};
use warcab::notation::{Squares, Suffixes, fen, moves};
use warcab::opening::{self, Opening};
use warcab::with_rules;

const KINDS: [&str; 2] = ["balanced", "uneven"];

/// The openings of a text.
fn parse<R: Rules>(text: &str, path: &Path) -> Vec<Opening> {
    let openings = opening::parse::<R>(text);
    let openings = openings.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    openings.into_iter().map(|(_, opening)| opening).collect()
}

fn shipped() -> impl Iterator<Item = (Variant, &'static str, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("openings");
    let pairs = Variant::ALL
        .into_iter()
        .flat_map(|variant| KINDS.map(|kind| (variant, kind)));
    pairs.map(move |(variant, kind)| {
        let path = folder.join(format!("{variant}-{kind}.txt"));
        (variant, kind, path)
    })
}

/// The value of an option of the command in a file's comments.
fn option<'a>(text: &'a str, name: &str) -> &'a str {
    let command = text
        .lines()
        .find(|line| line.starts_with("# warcab book suite "))
        .expect("the command that made the file");
    let mut words = command.split_whitespace();
    words.find(|word| *word == name).expect("the option");
    words.next().expect("its value")
}

/// Plays every line of a file from the start, without the library's reader of such files.
fn replay<R: Rules>(text: &str, path: &Path) {
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(" | ").collect();
        assert_eq!(fields.len(), 3, "{}: {line}", path.display());
        let mut board = Board::start::<R>();
        for text in fields[1].split(' ') {
            let mv = moves::parse::<R>(&board, text).expect(line);
            assert!(legal_moves::<R>(&board).contains(&mv), "{line}");
            board = board.after(&mv);
        }
        let reached = fen::write::<R>(&board, Squares::Native, Suffixes::default());
        assert_eq!(reached, fields[0], "{}: {line}", path.display());
    }
}

/// Checks that the positions differ, even when reflected, and are fit to start from.
fn check_positions<R: Rules>(openings: &[Opening], path: &Path) {
    let positions: HashSet<Board> = openings
        .iter()
        .map(|opening| opening::canonical::<R>(&opening.setup.board))
        .collect();
    assert_eq!(positions.len(), openings.len(), "{}", path.display());
    for opening in openings {
        let moves = legal_moves::<R>(&opening.setup.board);
        assert!(!moves.is_empty(), "{}: {opening:?}", path.display());
        let captures = moves.iter().any(|mv| mv.is_capture());
        assert!(!captures, "{}: {opening:?}", path.display());
    }
}

#[test]
fn shipped_suites_are_what_their_comments_say() {
    for (variant, kind, path) in shipped() {
        let text = std::fs::read_to_string(&path).expect(kind);
        let openings = with_rules!(variant, R => parse::<R>(&text, &path));
        assert!(openings.len() >= 500, "{}", path.display());
        with_rules!(variant, R => {
            replay::<R>(&text, &path);
            check_positions::<R>(&openings, &path);
        });

        assert_eq!(option(&text, "--variant"), variant.name());
        assert_eq!(option(&text, "--count"), openings.len().to_string());
        let window = option(&text, "--balance");
        let (low, high) = window.split_once("..").expect("a range");
        let window = low.parse::<u32>().unwrap()..=high.parse().unwrap();
        for opening in &openings {
            let score = opening.score.expect("a score");
            assert!(window.contains(&score.unsigned_abs()), "{opening:?}");
        }

        let mut first_moves = HashMap::new();
        for opening in &openings {
            *first_moves.entry(opening.line[0]).or_insert(0) += 1;
        }
        let most = first_moves.values().max().copied().unwrap_or(0);
        assert!(most * 3 < openings.len(), "{}: {most}", path.display());
        if *window.start() > 0 {
            let white = openings.iter().filter(|o| o.score > Some(0)).count();
            assert_eq!(white * 2, openings.len(), "{}", path.display());
        }
    }
}

/// Runs `warcab book suite` for a small suite; exit status, what it said, and the file's text if there is one.
fn suite(folder: &Path, variant: Variant, args: &[&str]) -> (i32, String, Option<String>) {
    let file = folder.join("suite.txt");
    let output = Command::new(env!("CARGO_BIN_EXE_warcab"))
        .args(["book", "suite", "--variant", variant.name(), "--out"])
        .arg(&file)
        .args(args)
        .timeout(std::time::Duration::from_secs(300))
        .output()
        .expect("it runs");
    assert!(output.stdout.is_empty());
    let said = String::from_utf8(output.stderr).expect("text");
    let status = output.status.code().expect("a status");
    (status, said, std::fs::read_to_string(&file).ok())
}

#[test]
fn a_suite_is_the_same_for_any_threads_and_at_any_time() {
    let small = ["--count", "12", "--nodes", "1500", "--plies", "3..9"];
    for variant in Variant::ALL {
        let made = |more: &[&str]| {
            let folder = tempfile::tempdir().unwrap();
            let args = [&small[..], more].concat();
            let (status, said, text) = suite(folder.path(), variant, &args);
            assert_eq!((status, said.as_str()), (0, ""), "{variant}");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
            text.unwrap()
        };
        let uneven = ["--balance", "60..160"];
        for window in [&[][..], &uneven] {
            let first = made(&[window, &["--threads", "1"]].concat());
            assert_eq!(first, made(&[window, &["--threads", "2"]].concat()));
            assert_eq!(first, made(&[window, &["--threads", "1"]].concat()));
            let lines = first.lines().filter(|line| !line.starts_with('#'));
            assert_eq!(lines.count(), 12);
            assert_ne!(first, made(&[window, &["--seed", "2"]].concat()));
        }
    }
}

#[test]
fn the_command_in_a_file_makes_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let odd = ["--count", "7", "--nodes", "1234", "--seed", "99"];
    let (_, _, text) = suite(folder.path(), Variant::Russian, &odd);
    let text = text.expect("a file");
    let command = text
        .lines()
        .find_map(|line| line.strip_prefix("# warcab "))
        .expect("a command");
    let again = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_warcab"))
        .args(command.split(' '))
        .current_dir(again.path())
        .timeout(std::time::Duration::from_secs(300))
        .assert()
        .success();
    let repeated = std::fs::read_to_string(again.path().join("suite.txt")).unwrap();
    assert_eq!(text, repeated);
}

#[test]
fn what_cannot_be_done_is_said_and_leaves_no_file() {
    for (args, status, expected) in [
        (&["--plies", "8..4"][..], 2, "the lower one first"),
        (&["--plies", "0..4"], 2, "from 1 to 60"),
        (&["--balance", "30"], 2, "0..20000"),
        (&["--count", "0"], 2, "1..=100000"),
        (&["--threads", "0"], 2, "1..=256"),
        (
            &["--plies", "1..1", "--count", "8", "--nodes", "1000"],
            1,
            "only 7 of 8 openings found",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (code, said, text) = suite(folder.path(), Variant::English, args);
        assert_eq!((code, text), (status, None), "{args:?}: {said}");
        assert!(said.contains(expected), "{args:?}: {said}");
    }
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("missing");
    let small = ["--plies", "2..2", "--count", "5", "--nodes", "1000"];
    let (status, said, _) = suite(&nowhere, Variant::English, &small);
    assert_eq!(status, 1);
    assert!(said.contains("cannot write"), "{said}");
}

/// The historic deck of three-move openings has 156 of the 216 positions; a search alone refuses fewer.
#[test]
fn balanced_english_openings_cover_the_sound_three_move_ones() {
    let (_, _, path) = shipped()
        .find(|(variant, kind, _)| *variant == Variant::English && *kind == "balanced")
        .expect("it is listed");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let openings = parse::<English>(&text, &path);
    let after_three: HashSet<Board> = openings
        .iter()
        .map(|opening| {
            let start = Board::start::<English>();
            opening.line[..3]
                .iter()
                .fold(start, |board, mv| board.after(mv))
        })
        .collect();
    let count = after_three.len();
    assert!((156..=216).contains(&count), "{count}");
}
