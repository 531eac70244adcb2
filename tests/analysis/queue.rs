//! Many requests: their order, their ends, and who hears of them.

use serde_json::{Value, json};

use super::session::{Session, unheard};
use super::{analyse, answers};

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
    let ids: Vec<Value> = answers(session.finish())
        .iter()
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
    let answers = answers(session.finish());
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
    let answers = answers(session.finish());
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
