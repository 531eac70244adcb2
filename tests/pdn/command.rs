//! `warcab pdn` as a user types it.

use std::path::Path;

use assert_cmd::Command;

const GAMES: &str = "[Event \"Cup\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\n1. 32-28 {[%clk 0:01:02]} 19-23 \
    2. 28x19 14x23 3. 37-32 2-0\n\n[Event \"Cup\"]\n[White \"Bob\"]\n[Black \"Cy/d\"]\n[GameType \"25\"]\n\n1. c3-d4 f6-g5 2. d4-c9 0-1\n\n\
    [White \"Ann\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 31-27 1-1\n";

/// Runs `warcab` in a folder.
fn warcab(folder: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_warcab"))
        .args(args)
        .current_dir(folder)
        .write_stdin(input)
        .timeout(std::time::Duration::from_secs(120))
        .output()
        .expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let status = output.status.code().expect("a status");
    (status, text(output.stdout), text(output.stderr))
}

/// A folder with the games in `games.pdn`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("games.pdn"), GAMES).expect("it is written");
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<String> = entries
        .map(|e| name(e).into_string().expect("text"))
        .collect();
    names.sort();
    names
}

#[test]
fn check_prints_every_problem_with_its_place() {
    let dir = folder();
    let (status, out, err) = warcab(dir.path(), &["pdn", "check", "games.pdn"], "");
    assert_eq!(status, 1);
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[0].starts_with("games.pdn:14: game 2: error: move 2 of White: cannot read \"d4-c9\""),
        "{out}"
    );
    assert_eq!(
        lines[1],
        "games 3, moves 12, games with errors 1, errors 1, warnings 0, notes 0"
    );
    assert!(err.contains("problems found: 1"), "{err}");
    let good = "[Event \"x\"]\n1. 32x28 *\n";
    let (status, out, err) = warcab(dir.path(), &["pdn", "check", "-"], good);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(
        out.starts_with("-:2: game 1: note: moves with the wrong sign"),
        "{out}"
    );
    let (status, ..) = warcab(dir.path(), &["pdn", "check", "--strict", "-"], good);
    assert_eq!(status, 1);
    let args = ["pdn", "check", "--variant", "russian", "-"];
    let (status, ..) = warcab(dir.path(), &args, "1. c3-d4 f6-g5 *");
    assert_eq!(status, 0);
    let (status, _, err) = warcab(dir.path(), &["pdn", "check", "nosuch.pdn"], "");
    assert_eq!(status, 1);
    assert!(err.contains("cannot read nosuch.pdn"), "{err}");
}

#[test]
fn convert_writes_all_forms() {
    let dir = folder();
    let convert = |args: &[&str]| {
        let args = [&["pdn", "convert", "games.pdn"], args].concat();
        let (status, out, err) = warcab(dir.path(), &args, "");
        assert_eq!(status, 0, "{err}");
        assert!(err.contains("game 2: error"), "{err}");
        out
    };
    let pdn = convert(&[]);
    assert!(
        pdn.contains("[GameType \"25,W,8,8,A0,0\"]\n\n1. c3-d4 f6-g5 {not read: d4-c9} 0-1\n"),
        "{pdn}"
    );
    let path = convert(&["--squares", "algebraic", "--notation", "path"]);
    assert!(
        path.contains("[GameType \"20,W,10,10,A0,0\"]\n\n1. d4-e5 {[%clk 0:01:02]} 1... g7-f6"),
        "{path}"
    );
    let json: Vec<serde_json::Value> = convert(&["--to", "json"])
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(json.len(), 3);
    assert_eq!(json[0]["tags"]["White"], "Ann");
    assert_eq!(json[0]["moves"].as_array().map(Vec::len), Some(5));
    assert_eq!(json[0]["clocks"][0]["seconds"], 62.0);
    assert_eq!(json[0]["comments"][0]["ply"], 1);
    assert_eq!(json[0]["result"], "2-0");
    assert_eq!(json[1]["variant"], "russian");
    assert_eq!(json[1]["unread"], "d4-c9");
    assert_eq!(json[1]["problems"][0]["line"], 14);
    let fens = convert(&["--to", "fen"]);
    assert_eq!(fens.lines().count(), 6 + 3 + 6);
    let last = convert(&["--to", "fen", "--last"]);
    assert_eq!(last.lines().count(), 3);
    assert_eq!(
        Some(last.lines().next().expect("a line")),
        json[0]["end"].as_str()
    );
    let text = convert(&["--to", "text"]);
    assert!(
        text.starts_with("1. Ann - Bob  2-0  international\n   Cup\n1. 32-28 19-23"),
        "{text}"
    );
}

#[test]
fn convert_to_a_file_replaces_it_whole() {
    let dir = folder();
    std::fs::write(dir.path().join("out.pdn"), "old").expect("it is written");
    let args = ["pdn", "convert", "--output", "out.pdn", "games.pdn"];
    let (status, out, _) = warcab(dir.path(), &args, "");
    assert_eq!((status, out.as_str()), (0, ""));
    let text = std::fs::read_to_string(dir.path().join("out.pdn")).expect("the file");
    assert_eq!(text.matches("[Result ").count(), 3);
    let args = ["pdn", "convert", "-o", "out.pdn", "games.pdn", "nosuch.pdn"];
    let (status, ..) = warcab(dir.path(), &args, "");
    assert_eq!(status, 1);
    assert_eq!(
        std::fs::read_to_string(dir.path().join("out.pdn")).ok(),
        Some(text)
    );
    assert_eq!(names(dir.path()), ["games.pdn", "out.pdn"]);
    let args = ["pdn", "convert", "-o", "games.pdn", "./games.pdn"];
    let (status, _, err) = warcab(dir.path(), &args, "");
    assert_eq!(status, 2, "{err}");
    assert_eq!(
        std::fs::read_to_string(dir.path().join("games.pdn"))
            .ok()
            .as_deref(),
        Some(GAMES)
    );
    let (status, ..) = warcab(dir.path(), &["pdn", "convert", "--last", "games.pdn"], "");
    assert_eq!(status, 2);
}

#[test]
fn stats_count_games() {
    let dir = folder();
    let args = ["pdn", "stats", "--plies", "4", "games.pdn"];
    let (status, out, _) = warcab(dir.path(), &args, "");
    assert_eq!(status, 0);
    for line in [
        "games 3, moves 12, games with errors 1",
        "international: games 2",
        "  results: White won 1, Black won 0, drawn 1, other 0",
        "  plies: 5 to 5, median 5, mean 5.0",
        "        2  32-28 19-23 28x19 14x23: White won 1, Black won 0, drawn 1, other 0",
        "        2  Ann: won 1, drawn 1, lost 0",
        "        2  Bob: won 0, drawn 0, lost 2",
    ] {
        assert!(out.lines().any(|other| other == line), "{line} in {out}");
    }
    let args = ["pdn", "stats", "--json", "--top", "1", "games.pdn"];
    let (_, out, _) = warcab(dir.path(), &args, "");
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(json["sets"]["russian"]["black_wins"], 1);
    assert_eq!(json["players"][0]["name"], "Ann");
}

#[test]
fn split_sorts_games_into_files() {
    let dir = folder();
    let split = |args: &[&str], name: &str| {
        let args = [&["pdn", "split", "games.pdn", "--dir", name], args].concat();
        let (status, out, err) = warcab(dir.path(), &args, "");
        assert_eq!(status, 0, "{err}");
        let files = names(&dir.path().join(name));
        assert!(
            out.ends_with(&format!("games 3, files {}\n", files.len())),
            "{out}"
        );
        files
    };
    assert_eq!(
        split(&["--games", "2"], "a"),
        ["games-00001.pdn", "games-00002.pdn"]
    );
    assert_eq!(split(&["--by", "event"], "b"), ["cup.pdn", "unknown.pdn"]);
    assert_eq!(split(&["--by", "white"], "c"), ["ann.pdn", "bob.pdn"]);
    assert_eq!(
        split(&["--by", "black"], "d"),
        ["bob.pdn", "cy-d.pdn", "unknown.pdn"]
    );
    assert_eq!(
        split(&["--by", "result"], "e"),
        ["0-1.pdn", "1-1.pdn", "2-0.pdn"]
    );
    assert_eq!(
        split(&["--by", "variant"], "f"),
        ["international.pdn", "russian.pdn"]
    );
    let cup = std::fs::read_to_string(dir.path().join("b/cup.pdn")).expect("the file");
    assert_eq!(cup.matches("[Event \"Cup\"]").count(), 2);
    let (status, _, err) = warcab(dir.path(), &["pdn", "split", "games.pdn", "--dir", "g"], "");
    assert_eq!(status, 2, "{err}");
}
