//! Games annotated by the real binary.

use std::path::Path;
use std::process::{Command, Output};

use warcab::board::Variant;
use warcab::notation::pdn::{PlayedGame, RawGame, Reader, RemarkKind, play};

use super::session::batch;

/// A game in which the move 35-30 gives a man away, and 24x35 takes it. What that is worth hangs on the weights, so the
/// tests ask for blunders of 60 hundredths of a man.
const BLUNDER: &str = "1. 32-28 19-24 2. 35-30 24x35";

#[test]
fn a_game_is_annotated_with_scores_better_lines_and_a_tally() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .expect("a path")
            .to_owned()
    };
    let (out, svg) = (path("out.pdn"), path("plot.svg"));
    let args = [
        "analyse",
        "--moves",
        BLUNDER,
        "--nodes",
        "20000",
        "--blunder",
        "60",
        "--out",
        &out,
        "--svg",
        &svg,
        "--plot",
        "--threads",
        "2",
    ];
    let (lines, status) = batch(&args, b"");
    assert!(status.success());
    let pdn = std::fs::read_to_string(&out).expect("a game");
    let comments: Vec<_> = pdn.split('{').skip(1).collect();
    assert_eq!(comments.len(), 4, "{pdn}");
    let words = comments[2].split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("?? blunder, better "), "{pdn}");
    assert!(
        pdn.contains("[GameType \"20,W,10,10,N2,0\"]") && pdn.contains("1. 32-28 {"),
        "{pdn}"
    );
    let picture = std::fs::read_to_string(&svg).expect("a picture");
    assert!(
        picture.starts_with("<svg ") && picture.contains("3. 35-30??"),
        "{picture}"
    );
    assert_eq!(lines.len(), 6, "{lines:#?}");
    assert!(lines[2].contains("35-30 ??"), "{lines:#?}");
    assert!(
        lines[4].starts_with("White: 2 moves, 1 blunders, "),
        "{lines:#?}"
    );
    assert!(
        lines[5].starts_with("Black: 2 moves, 0 blunders, 0 mistakes"),
        "{lines:#?}"
    );
    let (lines, status) = batch(&["analyse", "--moves", "32-28 1-2"], b"");
    assert_eq!((lines.len(), status.code()), (0, Some(2)));
}

/// Two games as they come, the first with a blunder, a comment, a variation and a result.
const GAMES: &str = "[Event \"Club\"]\n[White \"A \\\"B\\\" & <C>\"]\n[Result \"0-2\"]\n[GameType \"20\"]\n\n\
                     1. 32-28 {book} 19-24 (1... 18-23) 2. 35-30 24x35 0-2\n\n\
                     [Event \"Other\"]\n[GameType \"25\"]\n[FEN \"B:Wc3,e3:Bd6,f6\"]\n\n1... d6-e5 2. c3-d4 e5:c3 *\n";

fn annotate(folder: &Path, input: &str, args: &[&str]) -> Output {
    std::fs::write(folder.join("games.pdn"), input).expect("a file");
    Command::new(env!("CARGO_BIN_EXE_warcab"))
        .current_dir(folder)
        .args([
            "analyse",
            "games.pdn",
            "--nodes",
            "5000",
            "--blunder",
            "60",
            "--out",
            "out.pdn",
        ])
        .args(args)
        .output()
        .expect("warcab runs")
}

fn read(text: &str) -> Vec<PlayedGame> {
    let (mut reader, mut raw) = (Reader::new(text.as_bytes()), RawGame::default());
    let mut games = Vec::new();
    while reader.read(&mut raw).expect("it is read") {
        games.push(play(&raw, Variant::default()));
    }
    games
}

#[test]
fn the_games_of_a_file_keep_their_moves_and_get_a_score_for_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = annotate(folder.path(), GAMES, &[]);
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(folder.path().join("out.pdn")).expect("games");
    let (before, after) = (read(GAMES), read(&text));
    assert_eq!(after.len(), 2);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(after.problems, [], "{text}");
        assert_eq!(after.variant, before.variant);
        assert_eq!((after.start, &after.moves), (before.start, &before.moves));
        assert_eq!(after.result, before.result);
        for name in ["Event", "White"] {
            assert_eq!(after.tag(name), before.tag(name));
        }
        // One comment after each move: a score and the depth it was found at, or that the game is over.
        let comments: Vec<&str> = after
            .remarks
            .iter()
            .map(|remark| match &remark.kind {
                RemarkKind::Comment(text) => text.as_str(),
                other => panic!("{other:?} in {text}"),
            })
            .collect();
        let plies: Vec<usize> = after.remarks.iter().map(|remark| remark.ply).collect();
        assert_eq!(plies, (1..=after.moves.len()).collect::<Vec<_>>());
        for comment in &comments {
            let score = comment.split(['/', ' ']).next().expect("a word");
            let sound = score.starts_with(['+', '-']) || *comment == "the end";
            assert!(sound, "{comment}");
        }
    }
    let blunder = after[0].remarks.iter().find(|remark| remark.ply == 3);
    let said = format!("{:?}", blunder.expect("a comment"));
    assert!(said.contains("?? blunder, better "), "{said}");
}

/// Checks that a text is XML as far as its elements go: each is closed in turn, and no sign stands where it may not.
fn assert_well_formed(xml: &str) {
    let mut open = Vec::new();
    let mut rest = xml.trim();
    while let Some(start) = rest.find('<') {
        let (text, tail) = rest.split_at(start);
        assert!(!text.contains('>'), "{text}");
        assert!(
            text.matches('&').count() == text.matches(';').count(),
            "{text}"
        );
        let end = tail.find('>').expect("a tag's end");
        let tag = &tail[1..end];
        rest = &tail[end + 1..];
        let name = |tag: &str| tag.split_whitespace().next().expect("a name").to_owned();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed.to_owned()), "{xml}");
        } else if let Some(empty) = tag.strip_suffix('/') {
            assert!(empty.matches('"').count() % 2 == 0, "{tag}");
        } else {
            assert!(tag.matches('"').count() % 2 == 0, "{tag}");
            open.push(name(tag));
        }
    }
    assert_eq!(open, [""; 0], "{xml}");
    assert_eq!(rest, "");
}

#[test]
fn the_picture_is_well_formed() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = GAMES.split("[Event \"Other\"]").next().expect("a game");
    let output = annotate(folder.path(), one, &["--svg", "plot.svg"]);
    assert!(output.status.success(), "{output:?}");
    let picture = std::fs::read_to_string(folder.path().join("plot.svg")).expect("a picture");
    assert_well_formed(&picture);
    assert!(
        picture.starts_with("<svg ") && picture.contains("35-30??"),
        "{picture}"
    );
}

#[test]
fn what_cannot_be_annotated_is_told_and_nothing_is_written() {
    for (input, args, status, words) in [
        ("", &[][..], 1, "games.pdn: there is no game in it"),
        (
            "no game at all\n",
            &[],
            1,
            "games.pdn: there is no game in it",
        ),
        (
            GAMES,
            &["--svg", "plot.svg"],
            2,
            "--svg with 2 games: expected one",
        ),
        (
            GAMES,
            &["--option", "EvalFile=no-such-file"],
            1,
            "no-such-file",
        ),
        (
            "[Event \"a\"]\n\n1. 32-28 /FEN \"W:W32:B28\"/ 1. 32x23 *\n",
            &[],
            1,
            "game 1 is set up anew on its way",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let output = annotate(folder.path(), input, args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{said}");
        assert!(
            said.starts_with("error: ") && said.contains(words),
            "{said}"
        );
        assert!(output.stdout.is_empty(), "{output:?}");
        let left: Vec<_> = std::fs::read_dir(folder.path())
            .expect("a folder")
            .collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }
    let (lines, status) = batch(&["analyse", "no-such-file.pdn"], b"");
    assert_eq!((lines.len(), status.code()), (0, Some(1)));
}

#[test]
fn a_game_is_annotated_up_to_a_move_that_is_not_legal() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = annotate(folder.path(), "1. 32-28 19-23 2. 50-1 1-0\n", &[]);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    let words = "games.pdn: game 1 is annotated up to ply 2: warcab pdn check tells";
    assert!(said.contains(words), "{said}");
    let text = std::fs::read_to_string(folder.path().join("out.pdn")).expect("a game");
    assert_eq!(read(&text)[0].moves.len(), 2, "{text}");
}
