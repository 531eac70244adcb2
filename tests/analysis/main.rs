//! `warcab analyse`: requests of all kinds through the real binary.

mod annotated;
mod queue;
mod refusals;
#[path = "../support/session.rs"]
mod session;

use std::collections::BTreeMap;
use std::process::ExitStatus;

use serde_json::{Value, json};
use session::{Session, batch};

use warcab::board::Variant;
use warcab::eval::weights::Weights;

/// Runs `warcab analyse` on requests and reads its answers.
fn analyse(args: &[&str], requests: &[Value]) -> Vec<Value> {
    let lines: String = requests
        .iter()
        .map(|request| format!("{request}\n"))
        .collect();
    analyse_text(args, lines.as_bytes())
}

fn analyse_text(args: &[&str], input: &[u8]) -> Vec<Value> {
    answers(batch(&[&["analyse"], args].concat(), input))
}

/// The answers among the output of a run that ended well.
#[track_caller]
fn answers((lines, status): (Vec<String>, ExitStatus)) -> Vec<Value> {
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
fn the_weights_can_be_chosen_for_all_queries_and_for_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("material.bin");
    let weights = Weights::material(Variant::default(), 250);
    weights.save(&path).expect("a file");
    let path = path.to_str().expect("a path");
    let query = json!({"id": "a", "moves": "32-28 19-23 28x19 14x23", "limits": {"depth": 3}});
    let mut with_file = query.clone();
    with_file["evalFile"] = json!(path);
    let option = format!("EvalFile={path}");
    let embedded = answer(query.clone());
    let named = answer(with_file.clone());
    let all = analyse(&["--option", &option], &[query]);
    assert_eq!(lasting(&named), lasting(&all[0]));
    assert_ne!(lasting(&named), lasting(&embedded));

    // Weights of another set, and none.
    for (variant, file) in [("russian", path), ("international", "no-such-file")] {
        let query = json!({"id": "a", "variant": variant, "evalFile": file});
        let refused = answer(query);
        assert_eq!(refused["field"], "evalFile", "{refused}");
        assert!(
            refused["error"].as_str().expect("words").contains(file),
            "{refused}"
        );
    }
}
