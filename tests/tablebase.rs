//! Endgame tables as users meet them: the command, files that are damaged, the option, and play from known endings.

#[path = "support/session.rs"]
mod session;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use session::{Session, errors};

/// Whether `warcab tablebase` is content, and what it says and what it complains of.
fn tablebase(variant: &str, args: &[&str]) -> (bool, String, String) {
    let output = Command::cargo_bin("warcab")
        .unwrap()
        .args(["--variant", variant, "tablebase"])
        .args(args)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.success(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// What the engine says of a search, and its move.
fn search(engine: &mut Session, fen: &str, go: &str) -> (String, String) {
    engine.send(&format!("position fen {fen}"));
    let (lines, best) = engine.go(go);
    (lines.join("\n"), best)
}

fn build(variant: &str, pieces: &str, folder: &Path, threads: &str) -> Vec<u8> {
    let out = folder.to_str().unwrap();
    let args = [
        "build",
        "--pieces",
        pieces,
        "--threads",
        threads,
        "--out",
        out,
    ];
    let (done, said, wrong) = tablebase(variant, &args);
    assert!(done, "{wrong}");
    let file = folder.join(format!("{variant}-{pieces}.wtb"));
    assert!(said.starts_with(file.to_str().unwrap()), "{said}");
    fs::read(file).unwrap()
}

#[test]
fn any_number_of_threads_builds_the_same_file_and_it_verifies() {
    for variant in ["english", "turkish"] {
        let folders = ["1", "2"].map(|threads| (threads, tempfile::tempdir().unwrap()));
        let files = folders
            .each_ref()
            .map(|(threads, folder)| build(variant, "3", folder.path(), threads));
        assert!(files[0] == files[1], "{variant}");
        let file = folders[0].1.path().join(format!("{variant}-3.wtb"));
        let (done, said, wrong) = tablebase(variant, &["verify", file.to_str().unwrap()]);
        assert!(
            done && said.contains("positions are right"),
            "{said} {wrong}"
        );
        let (done, said, _) = tablebase(variant, &["info", file.to_str().unwrap()]);
        assert!(
            done && said.contains("KKvK") && said.contains("up to 3 pieces"),
            "{said}"
        );
    }
}

#[test]
fn a_damaged_file_is_refused_by_name_and_reason() {
    let folder = tempfile::tempdir().unwrap();
    let whole = build("italian", "3", folder.path(), "1");
    // Named as if it had more than the embedded tables, so that an engine takes it.
    let file = folder.path().join("italian-5.wtb");
    let name = file.to_str().unwrap();
    let damages: [(&str, Vec<u8>); 4] = [
        ("cut off", whole[..whole.len() / 2].to_vec()),
        ("checksum", {
            let mut bytes = whole.clone();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0x10;
            bytes
        }),
        (
            "does not begin",
            b"something else altogether, and long enough".to_vec(),
        ),
        ("is for russian", build("russian", "2", folder.path(), "1")),
    ];
    for (reason, bytes) in damages {
        fs::write(&file, bytes).unwrap();
        for command in [
            vec!["verify", name],
            vec!["info", name],
            vec!["probe", "W:WK1:BK32", "--path", name],
        ] {
            let (done, _, wrong) = tablebase("italian", &command);
            assert!(
                !done && wrong.contains(name) && wrong.contains(reason),
                "{reason}: {wrong}"
            );
        }
        let mut engine = Session::of("italian");
        let path = folder.path().display();
        engine.send(&format!("setoption name TablebasePath value {path}"));
        let said = engine.settle();
        assert_eq!(errors(&said), ["tablebase-path"], "{said:?}");
        assert!(
            said[0].contains(name) && said[0].contains(reason),
            "{said:?}"
        );
        // The old tables are still there.
        let (said, best) = search(&mut engine, "W:WK1,K2:BK32", "go depth 2");
        assert!(best != "(none)" && said.contains("score cp 27"), "{said}");
    }
    let missing = folder.path().join("nowhere");
    let (done, _, wrong) = tablebase(
        "english",
        &["build", "--pieces", "2", "--out", missing.to_str().unwrap()],
    );
    assert!(!done && wrong.contains("no folder"), "{wrong}");
}

#[test]
fn probe_says_what_each_move_leads_to() {
    let (done, said, _) = tablebase("english", &["probe", "W:WK6:BK1,K12"]);
    assert!(done, "{said}");
    assert!(
        said.contains("result loss") && said.lines().count() > 4,
        "{said}"
    );
    assert!(
        said.lines().skip(2).all(|line| line.ends_with("loss")),
        "{said}"
    );
    let (done, _, wrong) = tablebase("english", &["probe", "startpos"]);
    assert!(!done && wrong.contains("up to 4 pieces"), "{wrong}");
}

#[test]
fn scores_follow_the_tables_and_the_moves_hold_the_outcome() {
    // Two kings against one on the main road are drawn; without tables the side with more sees itself ahead.
    let mut engine = Session::of("russian");
    let (said, _) = search(&mut engine, "W:WKc1,Ke3:BKa1", "go depth 6");
    assert!(said.contains("score cp 0 "), "{said}");
    // Against three, one of them on the main road, the king is lost.
    let (said, _) = search(&mut engine, "B:WKa1,Kc1,Kg1:BKb8", "go depth 4");
    assert!(
        said.contains("score cp -2") || said.contains("score mate -"),
        "{said}"
    );
    // All moves of a won position, those that win before the others.
    engine.send("setoption name MultiPV value 50");
    let (said, _) = search(&mut engine, "W:WKc1,Ke1,Kg1:BKb8", "go depth 3");
    let wins = |line: &&str| line.contains("score cp 27") || line.contains("score mate");
    let last: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("info depth 3 "))
        .collect();
    let won = last.iter().take_while(|line| wins(line)).count();
    assert!(won > 0 && won < last.len(), "{said}");
    assert!(!last[won..].iter().any(wins), "{said}");
}

/// Three kings catch one within the fifteen moves that russian rules leave them, and a search of one ply finds the way.
#[test]
fn three_kings_win_in_time() {
    let mut engine = Session::of("russian");
    for start in ["W:WKc1,Ke1,Ka1:BKb8", "W:WKa3,Kf4,Kf8:BKa7"] {
        let mut moves = String::new();
        let result = loop {
            engine.send(&format!("position fen {start} moves{moves}"));
            let result = engine.ask("result", "result");
            if result != "result ongoing" {
                break result;
            }
            let (_, best) = engine.go("go depth 1");
            moves += &format!(" {best}");
        };
        assert!(
            result.starts_with("result white-wins"),
            "{start}{moves}: {result}"
        );
    }
}
