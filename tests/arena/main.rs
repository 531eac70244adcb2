//! Matches on the real binary: engines that fail in every way lose their games and nothing else, a killed match goes on,
//! and the games are legal.

#![cfg(unix)]

mod mock;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use mock::mock;
use serde_json::Value;
use tempfile::TempDir;

use warcab::arena::player::FaultKind;
use warcab::arena::record::{GameRecord, GameResult, Termination};
use warcab::board::{Board, DrawRules, Game, Outcome, Rules, Variant};
use warcab::notation::{fen, moves};
use warcab::with_rules;

/// A match's files and what came of it.
struct Played {
    dir: TempDir,
    output: Output,
}

impl Played {
    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.dir.path().join(name)).expect("the match's file")
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.file("json")).expect("a JSON report")
    }

    fn records(&self) -> Vec<GameRecord> {
        records(&self.dir.path().join("state"))
    }

    fn errors(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }
}

/// The whole lines of a state file but the first.
fn records(path: &Path) -> Vec<GameRecord> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = whole.lines().skip(1);
    lines
        .map(|line| serde_json::from_str(line).expect("a game"))
        .collect()
}

fn command(dir: &Path, engines: &[&str], arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warcab"));
    command.arg("match");
    for engine in engines {
        command.args(["--engine", engine]);
    }
    for file in ["pdn", "json", "state"] {
        command.arg(format!("--{file}")).arg(dir.join(file));
    }
    command.args(arguments);
    command
}

fn run(engines: &[&str], arguments: &[&str]) -> Played {
    let dir = tempfile::tempdir().expect("a folder");
    let output = command(dir.path(), engines, arguments)
        .output()
        .expect("warcab runs");
    Played { dir, output }
}

/// Plays the mock engine against the own one, two games, and checks that nothing else than the failures happened.
fn against_mock(way: &str, number: u64, more: &[&str]) -> Played {
    let limits = ["--each", "nodes=200", "--games", "2", "--random-plies", "4"];
    let arguments = [&limits, more].concat();
    let played = run(&[&mock(way, number), "name=own cmd=self"], &arguments);
    assert!(played.output.status.success(), "{way}: {}", played.errors());
    let json = played.json();
    assert_eq!(json["games"], 2, "{way}");
    assert_eq!(played.file("pdn").matches("[Result ").count(), 2, "{way}");
    let own = json["engines"][1]["failures"]
        .as_object()
        .expect("failures");
    assert!(own.values().all(|count| count == 0), "{way}: {own:?}");
    played
}

#[test]
fn each_failure_costs_the_game_with_its_reason() {
    for (way, number, tag, words, kind) in [
        (
            "hang",
            2,
            "stalled connection",
            "did not answer with bestmove",
            "hung",
        ),
        (
            "flood",
            2,
            "stalled connection",
            "did not answer with bestmove",
            "hung",
        ),
        (
            "crash",
            2,
            "crash",
            "(exit status: 3) before its bestmove",
            "crashed",
        ),
        (
            "die-in-uci",
            0,
            "crash",
            "(exit status: 7) before its uciok",
            "crashed",
        ),
        (
            "illegal",
            2,
            "illegal move",
            "plays 1-50, which is not legal",
            "illegal",
        ),
        (
            "garbage",
            2,
            "illegal move",
            "plays zz, which cannot be read",
            "illegal",
        ),
        (
            "none",
            2,
            "rules infraction",
            "where there is a legal move",
            "broken protocol",
        ),
    ] {
        let more: &[&str] = match kind {
            "hung" => &["--each", "patience=1"],
            _ => &[],
        };
        let played = against_mock(way, number, more);
        let pdn = played.file("pdn");
        // The failing engine is started anew, so that it fails in the second game too.
        let termination = format!("[Termination \"{tag}\"]");
        assert_eq!(pdn.matches(&termination).count(), 2, "{way}: {pdn}");
        let flat = pdn.replace('\n', " ");
        assert!(flat.contains(words), "{way}: {pdn}");
        assert_eq!(played.json()["engines"][0]["failures"][kind], 2, "{way}");
        assert_eq!(played.json()["engines"][0]["score"]["losses"], 2, "{way}");
        if way != "die-in-uci" {
            let errors = played.errors();
            assert!(
                errors.contains("position ") && errors.contains("-> go nodes 200"),
                "{errors}"
            );
        }
    }
}

#[test]
fn what_is_only_odd_costs_nothing() {
    for way in ["burst", "long-line", "noise", "twice"] {
        let json = against_mock(way, 0, &[]).json();
        let failures = json["engines"][0]["failures"]
            .as_object()
            .expect("failures");
        assert!(
            failures.values().all(|count| count == 0),
            "{way}: {failures:?}"
        );
    }
}

/// Engines that wait for DXP connections play like others, and one that cannot be reached loses its games only.
#[test]
fn dxp_engines_play_and_fail_like_others() {
    let own = "name=own cmd=self depth=2";
    let waiting = format!(
        "name=dxp proto=dxp tc=20 cmd='{}' dxp --port {{port}}",
        env!("CARGO_BIN_EXE_warcab")
    );
    let arguments = ["--games", "2", "--max-moves", "10"];
    let records = run(&[&waiting, own], &arguments).records();
    assert_eq!(records.len(), 2);
    for record in &records {
        let by = record.termination;
        assert_eq!(by, Termination::Adjudication, "{}", record.reason);
    }
    let dead = "name=dead proto=dxp tc=20 cmd=true {port}";
    let records = run(&[dead, own], &arguments).records();
    assert_eq!(records.len(), 2);
    for record in &records {
        let by = record.termination;
        assert_eq!(
            by,
            Termination::Fault(FaultKind::Crash),
            "{}",
            record.reason
        );
        assert!(
            record.reason.contains("before it took a connection"),
            "{}",
            record.reason
        );
    }
}

#[test]
fn a_wrong_pv_is_remarked_on() {
    for (way, words) in [
        ("pv", "its pv starts with"),
        ("illegal-pv", "move 2 of its pv"),
    ] {
        let played = against_mock(way, 0, &[]);
        assert!(
            played.file("pdn").replace('\n', " ").contains(words),
            "{way}"
        );
        assert!(
            played.json()["engines"][0]["wrong_pvs"].as_u64() > Some(0),
            "{way}"
        );
    }
}

#[test]
fn a_late_answer_loses_beyond_the_margin_and_leaves_no_negative_clock_within_it() {
    let each = "tc=0.1+0.1 timemargin=0";
    let played = run(
        &[&mock("late", 300), "name=own cmd=self"],
        &["--each", each, "--games", "2"],
    );
    assert_eq!(
        played.json()["engines"][0]["failures"]["late"],
        2,
        "{}",
        played.errors()
    );
    let pdn = played.file("pdn");
    assert!(pdn.contains("[Termination \"time forfeit\"]"), "{pdn}");
    assert!(pdn.contains("loses on time"), "{pdn}");

    let each = "tc=0.1+0.1 timemargin=60000";
    let arguments = ["--each", each, "--games", "2", "--max-moves", "4"];
    let played = run(&[&mock("late", 300), "name=own cmd=self"], &arguments);
    assert_eq!(
        played.json()["engines"][0]["failures"]["late"],
        0,
        "{}",
        played.errors()
    );
    let clocks = played.records().into_iter().flat_map(|game| game.moves);
    let clocks: Vec<f64> = clocks.filter_map(|mv| mv.clock).collect();
    assert!(
        !clocks.is_empty() && clocks.iter().all(|&left| left >= 0.0),
        "{clocks:?}"
    );
}

#[test]
fn a_crash_is_counted_once_and_may_end_the_match() {
    let arguments = ["--each", "nodes=1000", "--games", "4"];
    let engines = [&*mock("crash", 10), "name=own cmd=self"];
    let json = run(&engines, &arguments).json();
    assert_eq!(json["games"], 4);
    assert_eq!(json["engines"][0]["failures"]["crashed"], 4);
    assert_eq!(json["engines"][0]["score"]["losses"], 4);
    assert_eq!(
        json["pairings"][0]["score"]["pairs"],
        serde_json::json!([2, 0, 0, 0, 0])
    );

    let arguments = [&arguments[..], &["--stop-on-failure"]].concat();
    let json = run(&engines, &arguments).json();
    assert_eq!(
        (&json["games"], &json["ended"]),
        (&1.into(), &"failure".into())
    );
}

#[test]
fn a_killed_match_goes_on_where_it_was() {
    let dir = tempfile::tempdir().expect("a folder");
    let engines = ["name=a cmd=self", "name=b cmd=self"];
    let arguments = ["--each", "nodes=300", "--games", "40", "--concurrency", "2"];
    let mut child = command(dir.path(), &engines, &arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("warcab runs");
    let state = dir.path().join("state");
    let end = Instant::now() + Duration::from_secs(120);
    while records(&state).len() < 3 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let before = records(&state);
    assert!(before.len() >= 3, "it did not get anywhere");

    let output = command(dir.path(), &engines, &arguments)
        .output()
        .expect("warcab runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let after = records(&state);
    assert_eq!(after[..before.len()], before[..]);
    let mut numbers: Vec<_> = after.iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
    let pdn = std::fs::read_to_string(dir.path().join("pdn")).expect("the games");
    assert_eq!(pdn.matches("[Result ").count(), 40);

    // Other arguments make another match, which is refused.
    let other = ["--each", "nodes=301", "--games", "40"];
    let output = command(dir.path(), &engines, &other)
        .output()
        .expect("warcab runs");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("of another match"), "{errors}");
}

/// Replays a game on the board of its set, and checks that the rules agree with its end.
fn replay<R: Rules>(record: &GameRecord) {
    let draws = R::draw_table(DrawRules::Club);
    let board = match &record.fen {
        Some(text) => fen::parse::<R>(text).expect("a FEN").board,
        None => Board::start::<R>(),
    };
    let mut game = Game::<R>::new(board, 0, draws);
    for text in record.texts() {
        assert_eq!(game.outcome(), Outcome::Ongoing, "before {text}");
        game.play(moves::parse::<R>(game.board(), text).expect("a legal move"));
    }
    if record.termination == Termination::Rules {
        let result = match game.outcome() {
            Outcome::Win(side, _) => GameResult::win(side),
            Outcome::Draw(_) => GameResult::Draw,
            Outcome::Ongoing => panic!("the game is not over: {}", record.reason),
        };
        assert_eq!(record.result, result);
    }
}

#[test]
fn games_of_every_set_are_legal_to_their_end() {
    for variant in Variant::ALL {
        let engines = [
            "name=own cmd=self".to_owned(),
            format!("name=child cmd='{}'", env!("CARGO_BIN_EXE_warcab")),
        ];
        let set = ["--variant", variant.name()];
        let limits = [
            "--each",
            "nodes=150 hash=1",
            "--games",
            "4",
            "--concurrency",
            "2",
        ];
        let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
        let played = run(&engines, &[&set[..], &limits].concat());
        assert!(played.output.status.success(), "{}", played.errors());
        let games = played.records();
        assert_eq!(games.len(), 4);
        for game in &games {
            assert!(
                matches!(game.termination, Termination::Rules),
                "{variant}: {}",
                game.reason
            );
            with_rules!(variant, R => replay::<R>(game));
        }
        let pdn = played.file("pdn");
        let tag = format!("[GameType \"{}\"]", variant.labels().game_type_tag);
        assert_eq!(pdn.matches(&tag).count(), 4, "{pdn}");
        let json = played.json();
        for engine in json["engines"].as_array().expect("engines") {
            assert_eq!(engine["wrong_pvs"], 0, "{variant}: {engine}");
        }
    }
}

#[test]
fn cutechess_spelling_is_understood() {
    let dir = tempfile::tempdir().expect("a folder");
    let openings: PathBuf = dir.path().join("openings");
    std::fs::write(
        &openings,
        "# two\nW:W31-50:B1-20\nB:W28,31,33-50:B1-20 | 32-28 | 0\n",
    )
    .expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_warcab"))
        .args([
            "match", "-engine", "name=one", "cmd=self", "-engine", "name=two", "cmd=self",
        ])
        .args([
            "-each",
            "nodes=50",
            "-rounds",
            "2",
            "-games",
            "2",
            "-maxmoves",
            "5",
        ])
        .arg("-openings")
        .arg(format!("file={}", openings.display()))
        .args(["order=random", "-srand", "3"])
        .args([
            "-sprt",
            "elo0=-1.5",
            "elo1=4",
            "alpha=0.05",
            "beta=0.05",
            "-pgnout",
        ])
        .arg(dir.path().join("games.pdn"))
        .output()
        .expect("warcab runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for words in [
        "one against two",
        "games 4:",
        "5 moves of each side",
        "[-1.5, 4] normalized",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let pdn = std::fs::read_to_string(dir.path().join("games.pdn")).expect("the games");
    assert_eq!(
        pdn.matches("1. 32-28 {end of the opening}").count(),
        2,
        "{pdn}"
    );
}

#[test]
fn bad_arguments_are_refused_with_status_2_and_what_was_expected() {
    let own = "cmd=self nodes=50";
    for (arguments, words) in [
        (vec!["--engine", own], "--engine twice or more"),
        (vec!["--engine", own, "--engine", "cmd=self"], "no limit"),
        (
            vec!["--engine", own, "--engine", own, "--games", "3"],
            "even number",
        ),
        (
            vec!["--engine", own, "--engine", own, "--sprt", "5 0"],
            "to be less",
        ),
        (
            vec!["--engine", own, "--engine", own, "--resign", "score=5"],
            "movecount=",
        ),
        (
            vec!["--self-params", "nosuch=3", "--each", "nodes=5"],
            "expected one of",
        ),
        (vec![], "--engine"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warcab"));
        let output = command
            .arg("match")
            .args(&arguments)
            .output()
            .expect("warcab runs");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(words), "{arguments:?}: {errors}");
    }
}

#[test]
fn the_own_engine_conforms_to_its_protocol_and_a_mock_does_not() {
    let warcab = env!("CARGO_BIN_EXE_warcab");
    let output = Command::new(warcab)
        .args(["conform", warcab])
        .output()
        .expect("warcab runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    assert!(
        text.lines().count() > 30 && !text.contains("FAIL"),
        "{text}"
    );

    let own = std::env::current_exe().expect("the path of this program");
    let output = Command::new(warcab)
        .args(["conform", "env", "MOCK_ENGINE=die-in-uci:0"])
        .arg(own)
        .args(["--exact", "mock::mock_engine", "--nocapture"])
        .output()
        .expect("warcab runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("FAIL  uci: id name"), "{text}");
}
