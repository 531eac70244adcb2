//! What is no good is refused with its field and what was expected, and nothing that is typed breaks anything.

use proptest::prelude::*;
use serde_json::{Value, json};

use warcab::analysis::request::{ACTIONS, FIELDS, Query, parse};
use warcab::engine::options::Settings;
use warcab::search::Limits;

use super::session::batch;
use super::{analyse_text, answer};

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
