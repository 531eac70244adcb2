//! `warcab analyse`: requests of all kinds through the real binary.

#[path = "support/session.rs"]
mod session;

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};
use session::{Session, batch, unheard};

use warcab::analysis::request::{ACTIONS, FIELDS, Query, parse};
use warcab::board::Variant;
use warcab::engine::options::Settings;
use warcab::search::Limits;

/// Runs `warcab analyse` on requests and reads its answers.
fn analyse(args: &[&str], requests: &[Value]) -> Vec<Value> {
    let lines: String = requests
        .iter()
        .map(|request| format!("{request}\n"))
        .collect();
    analyse_text(args, lines.as_bytes())
}

fn analyse_text(args: &[&str], input: &[u8]) -> Vec<Value> {
    let (lines, status) = batch(&[&["analyse"], args].concat(), input);
    assert!(status.success());
    let read = |line: &String| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
    lines.iter().map(read).collect()
}

/// The one answer to one request.
#[track_caller]
fn answer(request: Value) -> Value {
    let answers = analyse(&["--threads", "1"], &[request]);
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers.into_iter().next().expect("an answer")
}

/// What of an answer is the same every time.
fn lasting(answer: &Value) -> Value {
    let mut answer = answer.clone();
    for name in ["time", "nps"] {
        answer.as_object_mut().expect("an object").remove(name);
    }
    answer
}

#[test]
fn a_position_is_answered_with_all_that_is_known() {
    let answer = answer(json!({
        "id": "a", "variant": "shashki", "moves": "c3-d4 f6-e5", "limits": {"depth": 6}, "multipv": 3,
        "includeMoves": true, "notation": "hub", "squares": "numeric",
    }));
    assert_eq!(answer["id"], "a");
    assert_eq!(answer["turn"], 2);
    assert_eq!(answer["isDuringSearch"], false);
    assert_eq!(answer["variant"], "russian");
    assert_eq!(answer["side"], "white");
    assert_eq!(answer["legal"], 1);
    assert_eq!(answer["moves"], json!(["18x11x15"]));
    assert_eq!(answer["termination"], Value::Null);
    assert_eq!(
        answer["best"],
        json!({"move": "18x11x15", "pdn": "d4:f6", "path": "18:11", "hub": "18x11x15"})
    );
    assert_eq!(answer["bound"], "exact");
    assert_eq!(answer["score"], answer["scoreWhite"]);
    assert!(answer["score"]["cp"].is_i64(), "{answer}");
    assert_eq!(answer["depth"], 6);
    for name in ["seldepth", "nodes", "time", "nps", "tbhits"] {
        assert!(answer[name].is_u64(), "{name} in {answer}");
    }
    let lines = answer["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["pv"][0], "18x11x15");
    assert!(
        lines[0]["pdn"]
            .as_str()
            .expect("moves")
            .starts_with("d4:f6 ")
    );
    let sum: u64 = (0..3)
        .map(|i| answer["wdl"][i].as_u64().expect("a share"))
        .sum();
    assert_eq!(sum, 1000);
}

#[test]
fn several_lines_begin_with_different_moves_and_fall_in_worth() {
    let answer = answer(json!({"id": "a", "multipv": 4, "limits": {"nodes": 20_000}}));
    let lines = answer["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 4);
    let mut firsts: Vec<_> = lines.iter().map(|line| line["pv"][0].to_string()).collect();
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
    assert_eq!(lines[0]["pv"][0], answer["best"]["move"]);
    assert_eq!(lines[0]["score"], answer["score"]);
}

#[test]
fn scores_are_told_from_both_sides_and_wins_in_moves_and_plies() {
    let won = answer(json!({"id": "a", "fen": "B:W32:BK18,K19,K14", "limits": {"depth": 12}}));
    let (win, plies) = (won["score"]["win"].as_i64(), won["score"]["plies"].as_i64());
    let win = win.unwrap_or_else(|| panic!("{won}"));
    assert!(win > 0);
    assert_eq!(plies, Some(2 * win - 1));
    assert_eq!(
        won["scoreWhite"],
        json!({"win": -win, "plies": 1 - 2 * win})
    );
    assert_eq!(won["wdl"], json!([1000, 0, 0]));
    let behind = answer(json!({"id": "a", "fen": "B:W31-50:B1-15", "limits": {"depth": 4}}));
    let cp = behind["score"]["cp"].as_i64().expect("a score");
    assert!(cp < 0, "{behind}");
    assert_eq!(behind["scoreWhite"]["cp"], -cp);
}

#[test]
fn the_rules_end_games_and_their_history_counts() {
    let lost = answer(json!({"id": "a", "fen": "W:W39:B44", "moves": ["39x50"]}));
    assert_eq!(
        lost["termination"],
        json!({"result": "white-wins", "reason": "no-pieces"})
    );
    assert_eq!(
        (&lost["best"], &lost["score"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!((&lost["legal"], &lost["lines"]), (&json!(0), &json!([])));
    assert_eq!(lost["wdl"], json!([0, 0, 1000]));
    let moves = [
        "1-6", "50-45", "6-1", "45-50", "1-6", "50-45", "6-1", "45-50",
    ];
    let request = json!({"id": "a", "fen": "W:WK1:BK50", "moves": moves, "turns": [0, 8], "limits": {"nodes": 500}});
    let answers = analyse(&["--ordered"], &[request]);
    assert_eq!(answers[0]["termination"], Value::Null);
    assert_eq!(
        answers[1]["termination"],
        json!({"result": "draw", "reason": "repetition"})
    );
    assert!(
        answers[1]["best"].is_object(),
        "a draw makes no move illegal"
    );
}

#[test]
fn turns_choose_the_positions_of_a_game() {
    let game =
        json!({"id": "g", "moves": "1. 32-28 19-23 2. 28x19 14x23", "limits": {"nodes": 300}});
    let with = |turns: Value| {
        let mut game = game.clone();
        game["turns"] = turns;
        let answers = analyse(&["--ordered"], &[game]);
        answers
            .iter()
            .map(|answer| answer["turn"].as_u64().expect("a turn"))
            .collect::<Vec<_>>()
    };
    assert_eq!(with(Value::Null), [4]);
    assert_eq!(with(json!("all")), [0, 1, 2, 3, 4]);
    assert_eq!(with(json!([3, 1, 3])), [1, 3]);
}

#[test]
fn moves_may_be_written_in_any_way() {
    for moves in [
        json!("32-28 19-23 28x19"),
        json!("3228 1923 2819"),
        json!(["32-28", "19 23", "28:19"]),
        json!(["d4-e5", "g7-f6", "e5xg7xf6"]),
    ] {
        let answer = answer(json!({"id": "a", "moves": moves, "limits": {"depth": 1}}));
        assert_eq!(answer["turn"], 3, "{answer}");
    }
}

#[test]
fn errors_name_the_field_and_what_was_expected() {
    for (request, field, said) in [
        (json!({"variant": "russian"}), json!("id"), "a string"),
        (json!({"id": 7}), json!("id"), "7"),
        (
            json!({"id": "a", "variant": "chess"}),
            json!("variant"),
            "turkish",
        ),
        (
            json!({"id": "a", "variant": ["x"]}),
            json!("variant"),
            "a list",
        ),
        (
            json!({"id": "a", "drawRules": "x"}),
            json!("drawRules"),
            "club-40",
        ),
        (json!({"id": "a", "fen": "W:W99:B1"}), json!("fen"), "99"),
        (json!({"id": "a", "fen": 1}), json!("fen"), "a string"),
        (
            json!({"id": "a", "moves": ["32-28", "1-2"]}),
            json!("moves"),
            "move 2",
        ),
        (json!({"id": "a", "moves": "foo"}), json!("moves"), "foo"),
        (json!({"id": "a", "moves": [1]}), json!("moves"), "1"),
        (
            json!({"id": "a", "fen": "W:WK4:B13,20,32,37", "moves": "4x15"}),
            json!("moves"),
            "4x27x38x15",
        ),
        (json!({"id": "a", "turns": [1]}), json!("turns"), "0 to 0"),
        (json!({"id": "a", "turns": []}), json!("turns"), "a list"),
        (json!({"id": "a", "turns": "some"}), json!("turns"), "all"),
        (
            json!({"id": "a", "limits": 5}),
            json!("limits"),
            "depth, nodes, movetime",
        ),
        (
            json!({"id": "a", "limits": {"depth": 0}}),
            json!("limits.depth"),
            "from 1",
        ),
        (
            json!({"id": "a", "limits": {"nodes": -1}}),
            json!("limits.nodes"),
            "-1",
        ),
        (
            json!({"id": "a", "limits": {"movetime": "x"}}),
            json!("limits.movetime"),
            "\"x\"",
        ),
        (
            json!({"id": "a", "multipv": 0}),
            json!("multipv"),
            "from 1 to 500",
        ),
        (
            json!({"id": "a", "searchmoves": "1-2"}),
            json!("searchmoves"),
            "1-2",
        ),
        (
            json!({"id": "a", "searchmoves": {}}),
            json!("searchmoves"),
            "an object",
        ),
        (
            json!({"id": "a", "priority": 0.5}),
            json!("priority"),
            "0.5",
        ),
        (
            json!({"id": "a", "reportEvery": 0}),
            json!("reportEvery"),
            "from 1",
        ),
        (
            json!({"id": "a", "notation": "x"}),
            json!("notation"),
            "short, path, hub",
        ),
        (
            json!({"id": "a", "squares": "x"}),
            json!("squares"),
            "algebraic",
        ),
        (
            json!({"id": "a", "includeMoves": 1}),
            json!("includeMoves"),
            "true or false",
        ),
        (
            json!({"id": "a", "action": "dance"}),
            json!("action"),
            "terminate_all",
        ),
        (
            json!({"id": "a", "action": "terminate"}),
            json!("terminateId"),
            "nothing",
        ),
        (json!([1]), Value::Null, "no JSON object"),
    ] {
        let answer = answer(request.clone());
        assert_eq!(answer["field"], field, "{request}: {answer}");
        let error = answer["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{request}: {answer}"));
        assert!(error.contains(said), "{request}: {error}");
        assert_eq!(
            answer["id"],
            if request["id"] == "a" {
                json!("a")
            } else {
                Value::Null
            }
        );
        assert_eq!(answer["line"], 1);
    }
}

#[test]
fn what_is_unknown_is_warned_of_and_what_is_no_json_skipped() {
    let input = b"{\"id\":\"a\",\"depht\":3,\"limits\":{\"depth\":2,\"plies\":1}}\nnonsense {\n\n\xff\n{\"id\":\"b\",\"limits\":{\"depth\":1}}\n";
    let answers = analyse_text(&["--ordered"], input);
    let field = |index: usize| answers[index]["field"].clone();
    assert_eq!(answers.len(), 6, "{answers:?}");
    assert_eq!(
        (field(0), field(1)),
        (json!("depht"), json!("limits.plies"))
    );
    for (index, said) in [(0, "includeMoves"), (1, "movetime")] {
        let warning = answers[index]["warning"].as_str().expect("a warning");
        assert!(warning.contains(said), "{warning}");
        assert_eq!(answers[index]["id"], "a");
    }
    assert_eq!(
        (&answers[2]["id"], &answers[2]["depth"]),
        (&json!("a"), &json!(2))
    );
    for (index, line) in [(3, 2), (4, 4)] {
        assert!(
            answers[index]["error"]
                .as_str()
                .expect("an error")
                .contains("not JSON")
        );
        assert_eq!(answers[index]["line"], line);
    }
    assert_eq!(answers[5]["id"], "b");
}

#[test]
fn every_set_is_answered_in_one_run_and_as_the_protocol_answers() {
    let nodes = 3_000;
    let requests: Vec<_> = Variant::ALL
        .iter()
        .flat_map(|variant| {
            let name = variant.name();
            // After two plies that the protocol itself chooses below.
            [json!({"id": name, "variant": name, "limits": {"nodes": nodes}, "multipv": 2})]
        })
        .collect();
    let mut runs = Vec::new();
    for threads in ["1", "3"] {
        let mut found = BTreeMap::new();
        for answer in analyse(
            &["--threads", threads],
            &[&requests[..], &requests[..]].concat(),
        ) {
            let id = answer["id"].as_str().expect("an id").to_owned();
            let answer = lasting(&answer);
            // Each is asked twice: what came before must not matter.
            assert_eq!(
                found.insert(id, answer.clone()).unwrap_or(answer.clone()),
                answer
            );
        }
        runs.push(found);
    }
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[0].len(), 7);
    for (name, answer) in &runs[0] {
        let mut session = Session::of(name);
        session.send("setoption name MultiPV value 2");
        session.send("ucinewgame");
        let (infos, best) = session.go(&format!("go nodes {nodes}"));
        assert_eq!(answer["best"]["move"], best, "{name}");
        let first = infos
            .iter()
            .rfind(|line| line.contains(" multipv 1 "))
            .expect("a line");
        let after = |word: &str| {
            let mut words = first.split(' ').skip_while(|w| *w != word).skip(1);
            words
                .next()
                .expect("a value")
                .parse::<i64>()
                .expect("a number")
        };
        assert_eq!(answer["score"]["cp"], after("cp"), "{name}");
        assert_eq!(answer["depth"], after("depth"), "{name}");
        assert_eq!(answer["lines"][0]["nodes"], after("nodes"), "{name}");
        let pv: Vec<_> = first
            .split(" pv ")
            .nth(1)
            .expect("a pv")
            .split(' ')
            .collect();
        assert_eq!(answer["lines"][0]["pv"], json!(pv), "{name}");
    }
}

#[test]
fn answers_can_come_in_order() {
    let requests: Vec<_> = (0..40)
        .map(|i| {
            let nodes = if i % 5 == 0 { 200_000 } else { 100 };
            json!({"id": i.to_string(), "limits": {"nodes": nodes}, "priority": i})
        })
        .collect();
    let answers = analyse(&["--ordered", "--threads", "3"], &requests);
    let ids: Vec<_> = answers
        .iter()
        .map(|answer| answer["id"].as_str().expect("an id"))
        .collect();
    let expected: Vec<_> = (0..40).map(|i: i32| i.to_string()).collect();
    assert_eq!(ids, expected);
}

#[test]
fn a_higher_priority_is_answered_before_what_waits() {
    let mut session = Session::start(&["analyse", "--threads", "1"]);
    session.send(r#"{"id":"long","limits":{"movetime":600000}}"#);
    for (id, priority) in [("low", -1), ("middle", 0), ("high", 5), ("middle too", 0)] {
        session.send(&json!({"id": id, "priority": priority, "limits": {"depth": 1}}).to_string());
    }
    session.send(r#"{"id":"t","action":"terminate","terminateId":"long"}"#);
    session.close();
    let (lines, status) = session.finish();
    assert!(status.success());
    let ids: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter(|answer| answer["action"].is_null() && answer["id"] != "long")
        .map(|answer| answer["id"].clone())
        .collect();
    assert_eq!(ids, ["high", "middle", "middle too", "low"]);
}

#[test]
fn searches_report_on_the_way_and_can_be_terminated() {
    let mut session = Session::start(&["analyse", "--threads", "1"]);
    session.send(r#"{"id":"a","limits":{"movetime":600000},"reportEvery":20}"#);
    let first = session.until_beginning(&[]).pop().expect("a line");
    let first: Value = serde_json::from_str(&first).expect("JSON");
    assert_eq!(first["isDuringSearch"], true);
    assert!(first["best"].is_object(), "{first}");
    session.send(r#"{"id":"b","moves":"32-28","turns":"all","limits":{"nodes":100}}"#);
    session.send(r#"{"id":"c","limits":{"nodes":100}}"#);
    session.send(r#"{"id":"t1","action":"terminate","terminateId":"b","turns":[1]}"#);
    session.send(r#"{"id":"t2","action":"terminate","terminateId":"a"}"#);
    session.close();
    let (lines, status) = session.finish();
    assert!(status.success());
    let answers: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let finals = |id: &str| {
        let mut list: Vec<_> = answers
            .iter()
            .filter(|answer| answer["id"] == id && answer["isDuringSearch"] == false)
            .collect();
        list.sort_by_key(|answer| answer["turn"].as_u64());
        list
    };
    let a = finals("a");
    assert_eq!((a.len(), &a[0]["terminated"]), (1, &json!(true)));
    assert!(a[0]["best"].is_object(), "{a:?}");
    let b = finals("b");
    assert_eq!(b.len(), 2);
    assert!(b[0]["best"].is_object() && b[0]["noResults"].is_null());
    assert_eq!(
        (&b[1]["noResults"], &b[1]["terminated"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(finals("c").len(), 1);
    let done = answers
        .iter()
        .find(|answer| answer["id"] == "t1")
        .expect("an answer");
    assert_eq!(
        (&done["terminateId"], &done["terminated"]),
        (&json!("b"), &json!(1))
    );
}

#[test]
fn everything_can_be_terminated() {
    let mut session = Session::start(&["analyse", "--threads", "2", "--ordered"]);
    for id in 0..10 {
        session.send(&json!({"id": id.to_string(), "limits": {"movetime": 600_000}}).to_string());
    }
    session.send(r#"{"id":"end","action":"terminate_all"}"#);
    session.close();
    let (lines, status) = session.finish();
    assert!(status.success());
    let answers: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), 11);
    assert!(
        answers[..10]
            .iter()
            .all(|answer| answer["terminated"] == true)
    );
    assert_eq!(answers[10]["terminated"], 10);
}

#[test]
fn actions_are_answered() {
    let answers = analyse(
        &["--ordered", "--keep-table"],
        &[
            json!({"id": "v", "action": "query_version"}),
            json!({"id": "c", "action": "clear_cache"}),
            json!({"id": "n", "action": "terminate", "terminateId": "nobody", "extra": 1}),
        ],
    );
    assert_eq!(answers[0]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(answers[1], json!({"id": "c", "action": "clear_cache"}));
    assert_eq!(answers[2]["field"], "extra");
    assert_eq!(answers[3]["terminated"], 0);
}

#[test]
fn one_search_can_use_all_threads() {
    let answers = analyse(
        &[
            "--parallel",
            "--threads",
            "3",
            "--hash",
            "4",
            "--depth",
            "5",
        ],
        &[json!({"id": "a", "searchmoves": ["32-28", "31-26"]})],
    );
    assert_eq!(answers[0]["depth"], 5);
    let best = answers[0]["best"]["move"].as_str().expect("a move");
    assert!(["32-28", "31-26"].contains(&best), "{best}");
}

#[test]
fn more_requests_than_may_wait_are_all_answered() {
    let requests: Vec<_> = (0..3000).map(|i| json!({"id": i.to_string()})).collect();
    for args in [
        &["--depth", "1", "--hash", "1"][..],
        &["--depth", "1", "--hash", "1", "--ordered"],
    ] {
        let answers = analyse(args, &requests);
        assert_eq!(answers.len(), 3000);
    }
}

#[test]
fn it_ends_when_nobody_listens() {
    let input = "{\"id\":\"a\",\"limits\":{\"nodes\":1000}}\n".repeat(20);
    let status = unheard(&["analyse", "--threads", "2"], input.as_bytes());
    assert!(status.is_some_and(|status| status.success()));
}

#[test]
fn wrong_arguments_are_usage_errors() {
    for args in [
        &["analyse", "--hash", "0"][..],
        &["analyse", "--notation", "x"],
        &["analyse", "--squares", "x"],
        &["analyse", "--draw-rules", "x"],
        &["analyse", "--nodes", "0"],
    ] {
        let (lines, status) = batch(args, b"");
        assert_eq!((lines.len(), status.code()), (0, Some(2)), "{args:?}");
    }
}

/// A game in which the move 35-30 gives a man away, and 24x35 takes it.
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

fn defaults() -> Query {
    Query::new(Settings::default(), Limits::default())
}

/// Any JSON, made of words that mean something here as often as not.
fn any_json() -> impl Strategy<Value = Value> {
    let names: Vec<&str> = FIELDS
        .iter()
        .map(|field| field.name)
        .chain(["action", "terminateId", "depth", "nodes", "movetime", "x"])
        .collect();
    let words: Vec<&str> = ACTIONS
        .iter()
        .map(|(name, _)| *name)
        .chain(["all", "32-28 19-23", "1.", "é", ""])
        .collect();
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".*".prop_map(Value::from),
        proptest::sample::select(words).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 30, 8, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map(proptest::sample::select(names.clone()), inner, 0..8)
                .prop_map(|map| Value::Object(
                    map.into_iter()
                        .map(|(name, value)| (name.to_owned(), value))
                        .collect()
                )),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".*") {
        prop_assert!(parse(&text, &defaults()).input.is_err());
    }

    #[test]
    fn any_json_is_read_or_refused(value in any_json()) {
        let parsed = parse(&value.to_string(), &defaults());
        if value["id"].is_string() {
            prop_assert_eq!(parsed.id.as_deref(), value["id"].as_str());
        } else {
            prop_assert!(parsed.input.is_err());
        }
        if let Err(fault) = parsed.input {
            prop_assert!(!fault.what.is_empty());
        }
    }
}
