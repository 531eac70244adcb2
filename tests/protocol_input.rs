//! Input that no well-behaved GUI sends: the engine answers with errors and goes on.

#[path = "support/session.rs"]
mod session;

use proptest::prelude::*;
use session::{Session, batch, bestmoves, errors};

#[test]
fn junk_between_commands_does_no_harm() {
    let mut session = Session::start(&[]);
    for junk in [
        "",
        "   ",
        "\t",
        "xyzzy",
        "go_",
        "register later",
        "\u{feff}isready",
        "setoption name",
        "hub",
        "info depth 3",
        "bestmove 32-28",
        "moves 32-28",
        "\u{0}\u{1}\u{2}",
        "-",
        "position startposition",
        "ponderhit",
        "stop stop stop",
        "name value",
        "ñandú",
        "d\u{301}",
    ] {
        session.send(junk);
        session.settle();
    }
    session.send("position startpos");
    assert_ne!(session.go("go depth 1").1, "(none)");
}

#[test]
fn line_ends_and_blanks_of_every_kind() {
    let input =
        b"\r\n  \r\nuci\r\n\tposition \t startpos   moves\t32-28 \r\ngo depth 1\r\nfen \r\n\r\nfen";
    let (lines, status) = batch(&[], input);
    assert_eq!(bestmoves(&lines), 1);
    // The search may still run when the question comes, the last one has no line end.
    let answers = lines
        .iter()
        .filter(|l| l.starts_with("fen B:") || errors(&[(*l).clone()]) == ["busy"]);
    assert_eq!(answers.count(), 2, "{lines:?}");
    assert!(status.success());
}

#[test]
fn bytes_that_are_no_text() {
    let mut session = Session::start(&[]);
    session.send_bytes(b"\xff\xfe\xfd\n");
    assert_eq!(errors(&session.settle()), ["unknown-command"]);
    session.send_bytes(b"\xff position startpos moves 32\xad28\n");
    assert_eq!(errors(&session.settle()), ["bad-move"]);
    session.send_bytes(b"position fen W:W\xc3:B2\n");
    assert_eq!(errors(&session.settle()), ["bad-fen"]);
    session.send_bytes(b"setoption name \xff value \xff\nposition startpos\n");
    assert_eq!(errors(&session.settle()), ["no-such-option"]);
    assert_ne!(session.go("go depth 1").1, "(none)");
}

#[test]
fn lines_of_ten_mebibytes() {
    const SIZE: usize = 10 << 20;
    let mut session = Session::start(&[]);
    for (start, filling, code) in [
        ("", "a", "unknown-command"),
        ("", "a ", "unknown-command"),
        ("position fen ", "W", "bad-fen"),
        ("position fen W:W", "1,", "bad-fen"),
        ("position fen W:W31:B1:H", "9", "bad-fen"),
        ("position hub W", "w", "bad-hub"),
        ("position startpos moves ", "3", "bad-move"),
        ("position startpos moves ", "32-28 ", "illegal-move"),
        ("position startpos moves ", "32-", "bad-move"),
        ("setoption name ", "x ", "no-such-option"),
        ("setoption name Hash value ", "9", "bad-value"),
        ("go depth ", "9", "bad-limit"),
    ] {
        session.send(&format!("{start}{}", filling.repeat(SIZE / filling.len())));
        let said: Vec<_> = session.settle();
        assert_eq!(errors(&said), [code], "{start}{filling}...");
        let longest = said.iter().map(String::len).max();
        assert!(longest < Some(1000), "{start}{filling}... is echoed");
    }
    // Unknown words of go are skipped, however many.
    session.send("position startpos");
    assert_ne!(
        session
            .go(&format!("go {} depth 1", "x ".repeat(SIZE / 2)))
            .1,
        "(none)"
    );
}

#[test]
fn a_line_without_end_is_skipped() {
    let mut input = vec![b'x'; (64 << 20) + 1];
    input.extend_from_slice(b"\nisready\n");
    let (lines, status) = batch(&[], &input);
    assert_eq!(errors(&lines), ["line-too-long"]);
    assert_eq!(lines.last().map(String::as_str), Some("readyok"));
    assert!(status.success());
}

#[test]
fn a_position_of_a_hundred_thousand_moves() {
    let round = ["4-8", "29-25", "8-4", "25-29"];
    let moves: Vec<_> = round.iter().cycle().take(100_000).copied().collect();
    let mut session = Session::of("english");
    session.send(&format!(
        "position fen B:WK29:BK4 moves {}",
        moves.join(" ")
    ));
    assert_eq!(session.ask("fen", "fen"), "fen B:WK29:BK4");
    assert_eq!(session.ask("result", "result"), "result draw repetition");
    let (lines, best) = session.go("go depth 2");
    assert_eq!(lines[0], "info string result draw repetition");
    assert!(session.legal().contains(&best));
    // One that is wrong only at the end is refused whole.
    session.send(&format!(
        "position fen B:WK29:BK4 moves {} 4-9",
        moves.join(" ")
    ));
    let said = session.settle();
    assert_eq!(errors(&said), ["illegal-move"]);
    assert!(said[0].contains("move 100001"), "{said:?}");
    assert_eq!(session.ask("fen", "fen"), "fen none");
}

#[test]
fn the_input_may_end_anywhere() {
    let whole = b"uci\nsetoption name Hash value 4\nposition startpos moves 32-28 19-23\nsetoption name UCI_Variant value russian\ngo depth 2\nlegal\n";
    for end in 0..whole.len() {
        let (_, status) = batch(&[], &whole[..end]);
        assert!(status.success(), "after {end} bytes: {status}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Words of the protocol in any order: no crash, and one `bestmove` a `go`.
    #[test]
    fn shuffled_words(lines in prop::collection::vec(line(), 0..40)) {
        // A search for a mate where there is none has no end of its own.
        let endless = lines.iter().any(|line| line.contains("mate"));
        let input = lines.join("\n") + if endless { "\nstop" } else { "" };
        let gos = lines.iter().filter(|line| starts_search(line)).count();
        let (said, status) = batch(&[], input.as_bytes());
        prop_assert_eq!(bestmoves(&said), gos, "{}\n{:?}", input, said);
        prop_assert!(status.success());
    }
}

/// Whether a line is a `go` that must have its `bestmove`: any but a well-formed perft.
fn starts_search(line: &str) -> bool {
    line.starts_with("go") && !line.contains("perft 2")
}

fn line() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "depth",
        "1",
        "-1",
        "movetime",
        "infinite",
        "ponder",
        "searchmoves",
        "32-28",
        "x",
        "wtime",
        "nodes",
        "moves",
        "startpos",
        "fen",
        "W:W31:B1",
        "name",
        "value",
        "Hash",
        "2",
        "Threads",
        "UCI_Variant",
        "turkish",
        "on",
        "hub",
        "mate",
    ]);
    let first = prop::sample::select(vec![
        "go",
        "go",
        "go",
        "go perft 2",
        "position",
        "position startpos moves",
        "setoption name",
        "stop",
        "ponderhit",
        "isready",
        "ucinewgame",
        "d",
        "fen",
        "legal",
        "result",
        "rules",
        "eval",
        "debug",
        "setoption name UCI_Variant value",
    ]);
    (first, prop::collection::vec(words, 0..5)).prop_map(|(first, words)| {
        let rest = if first.ends_with("perft 2") {
            String::new()
        } else {
            words.join(" ")
        };
        format!("{first} {rest}")
    })
}
