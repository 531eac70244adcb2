//! `warcab play` and `warcab show`, through pipes.

#[path = "support/session.rs"]
mod session;

use std::fs;

use session::{batch, unheard};

use warcab::board::Variant;

fn play(args: &[&str], input: &str) -> Vec<String> {
    let (lines, status) = batch(
        &[&["play", "--movetime", "20"], args].concat(),
        input.as_bytes(),
    );
    assert!(status.success(), "{lines:?}");
    lines
}

#[track_caller]
fn says(lines: &[String], words: &str) {
    assert!(
        lines.iter().any(|line| line.contains(words)),
        "no \"{words}\" in {lines:#?}"
    );
}

#[test]
fn a_whole_game_is_played_against_the_easy_level_and_saved() {
    // The person's moves are not known beforehand, so the program plays them too, at its own level.
    for variant in Variant::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("game.pdn");
        let input = format!("save {}\nquit\n", file.display());
        let lines = play(
            &[
                "--variant",
                variant.name(),
                "--level",
                "easy",
                "--side",
                "none",
            ],
            &input,
        );
        says(
            &lines,
            if lines.iter().any(|line| line.contains(" wins: ")) {
                " wins: "
            } else {
                "The game is drawn: "
            },
        );
        let pdn = fs::read_to_string(&file).expect("the game");
        assert!(
            pdn.contains(&format!(
                "[GameType \"{}\"]",
                variant.labels().game_type_tag
            )),
            "{pdn}"
        );
        assert!(pdn.contains("[White \"Warcab, level 5\"]"), "{pdn}");
        assert!(!pdn.contains("[Result \"*\"]"), "{pdn}");
        let played = lines.iter().filter(|line| line.contains(" plays ")).count();
        let movetext = pdn.split("\n\n").nth(1).expect("moves");
        let remark = movetext.find('{').expect("a remark");
        let words = movetext[..remark]
            .split_whitespace()
            .filter(|word| !word.ends_with('.'));
        assert_eq!(words.count(), played, "{pdn}");
        let files = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(files, 1, "no temporary file stays");
    }
}

#[test]
fn a_person_and_the_program_move_in_turn() {
    let lines = play(
        &["--variant", "english", "--side", "black", "--level", "0"],
        "11-15\nfen\nundo\nfen\nmoves\n",
    );
    says(&lines, "White plays 2");
    let fens: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("B:W"))
        .collect();
    assert_eq!(fens.len(), 2, "{lines:#?}");
    assert_eq!(
        fens[1],
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    );
    assert_ne!(fens[0], fens[1]);
    says(&lines, "7 moves: ");
}

#[test]
fn moves_are_read_in_any_form_and_refused_with_a_reason() {
    let input = "3228\n18x23\nd4\n1-2\nhelp\nnonsense\n\n\u{0}\u{7}\u{ff}\nhint\nlevel 99\nside up\nnew chess\nsave\nfen W:W99:B1\n";
    let lines = play(&["--side", "both", "--level", "3"], input);
    for words in [
        "cannot read \"d4\"",
        "1 holds a piece of Black",
        "undo",
        "cannot read \"nonsense\"",
        "hint: ",
        "\"99\" is no level: expected easy, medium, hard",
        "\"up\" is no side",
        "\"chess\" is no set",
        "save what where",
        "square 99",
    ] {
        says(&lines, words);
    }
}

#[test]
fn ambiguous_moves_are_listed() {
    let lines = play(
        &["--fen", "W:WK4:B13,20,32,37", "--side", "both"],
        "4x15\n4x27x38x15\n",
    );
    says(&lines, "4x27x38x15, 4x31x42x15");
}

#[test]
fn the_end_is_announced_by_name() {
    for (fen, input, words) in [
        (
            "W:W39:B44",
            "39x50\n",
            "White wins: Black has no pieces left.",
        ),
        (
            "W:WK1:BK50",
            "1-6\n50-45\n6-1\n45-50\n1-6\n50-45\n6-1\n45-50\n1-6\n",
            "three times (repetition)",
        ),
        (
            "W:WK1:BK50",
            "resign\nresign\nundo\n",
            "Black wins: White resigns.",
        ),
    ] {
        let lines = play(&["--fen", fen, "--side", "both"], input);
        says(&lines, words);
    }
}

#[test]
fn a_save_that_fails_is_told_and_the_game_goes_on() {
    let lines = play(
        &["--side", "both"],
        "32-28\nsave /nowhere/at/all.pdn\nfen\n",
    );
    says(&lines, "cannot write /nowhere/at/all.pdn");
    says(&lines, "B:W28,31,33");
}

#[test]
fn colour_comes_when_it_is_asked_for() {
    let escapes = |args: &[&str]| play(args, "").concat().contains('\u{1b}');
    assert!(!escapes(&["--side", "both"]));
    assert!(!escapes(&["--side", "both", "--color", "never"]));
    assert!(escapes(&["--side", "both", "--color", "always"]));
}

#[test]
fn it_ends_when_nobody_listens() {
    let status = unheard(
        &["play", "--side", "both"],
        "moves\n".repeat(100).as_bytes(),
    );
    assert!(status.is_some_and(|status| status.success()));
}

#[test]
fn every_set_is_shown() {
    for (variant, square, men) in [
        ("english", "18", 24),
        ("international", "28", 40),
        ("brazilian", "d4", 24),
        ("spanish", "18", 24),
        ("turkish", "d4", 32),
        ("italian", "18", 24),
        ("russian", "d4", 24),
    ] {
        let (lines, status) = batch(&["show", "--variant", variant], b"");
        assert!(status.success());
        let text = lines.join("\n");
        assert!(text.contains(&format!(" {square} ")), "{text}");
        let pieces = text.chars().filter(|c| ['⛀', '⛂'].contains(c)).count();
        assert_eq!(pieces, men, "{text}");
        for words in [
            &format!("set     {variant}"),
            "fen     ",
            "side    ",
            "legal   ",
            "result  ongoing",
        ] {
            assert!(text.contains(words), "{words} in {text}");
        }
        let (lines, status) = batch(&["show", "--variant", variant, "--svg", "-"], b"");
        assert!(status.success());
        let svg = lines.join("\n");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
        assert_eq!(svg.matches("<circle ").count(), men);
        assert!(svg.contains(&format!(">{square}</text>")));
    }
}

#[test]
fn show_plays_moves_and_marks_the_last() {
    let (lines, status) = batch(&["show", "W:WK4:B36", "--moves", "4-10"], b"");
    assert!(status.success());
    let text = lines.join("\n");
    assert!(
        text.contains("[⛁ ]") && text.contains("side    black"),
        "{text}"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("board.svg");
    let path = file.to_str().expect("a path");
    let (lines, status) = batch(
        &["show", "startpos", "--moves", "32-28 19-23", "--svg", path],
        b"",
    );
    assert!(status.success() && lines.is_empty());
    let svg = fs::read_to_string(&file).expect("a picture");
    assert_eq!(svg.matches("#c9b04a").count(), 2, "the last move is marked");
}

#[test]
fn what_cannot_be_shown_is_a_usage_error() {
    for args in [
        &["show", "W:W99:B1"][..],
        &["show", "--moves", "1-2"],
        &["show", "--color", "x"],
        &["play", "--fen", "x"],
        &["play", "--level", "21"],
        &["play", "--side", "x"],
    ] {
        let (lines, status) = batch(args, b"");
        assert_eq!((lines.len(), status.code()), (0, Some(2)), "{args:?}");
    }
}
