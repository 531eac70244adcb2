//! The engine that fails: this test program itself. With `MOCK_ENGINE` in its environment the test `mock_engine` speaks the
//! protocol and misbehaves as the variable says. What the test harness prints around it no client minds.

use std::io::{BufRead, Write};
use std::time::Duration;

use warcab::engine::command::{Origin, Setting};
use warcab::engine::options::Settings;
use warcab::engine::{Engine, build};

/// How the mock engine misbehaves; each with its number in `MOCK_ENGINE` as `hang:3`.
#[derive(Clone, Copy, PartialEq)]
struct Mock<'a> {
    way: &'a str,
    number: u64,
}

#[test]
fn mock_engine() {
    let Ok(order) = std::env::var("MOCK_ENGINE") else {
        return;
    };
    let (way, number) = order.split_once(':').expect("a way and a number");
    let number = number.parse().expect("a number");
    play(Mock { way, number });
    std::process::exit(0);
}

/// Prints a line; the reader may have gone.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn play(mock: Mock<'_>) {
    let mut engine = build(Settings {
        hash: 1,
        ..Settings::default()
    })
    .expect("an engine");
    let mut go = 0;
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => {
                match mock.way {
                    "die-in-uci" => std::process::exit(7),
                    "noise" => eprintln_much(),
                    _ => {}
                }
                say(
                    "id name mock\nid author nobody\noption name UCI_Variant type combo default international var international\nuciok",
                );
            }
            Some("isready") => say("readyok"),
            Some("position") => set(engine.as_mut(), line.trim_start_matches("position ")),
            Some("go") => {
                go += 1;
                answer(engine.as_mut(), mock, go);
            }
            Some("quit") => return,
            _ => {}
        }
    }
}

/// More than a pipe holds, so that an unread error output would block.
fn eprintln_much() {
    let mut err = std::io::stderr().lock();
    for _ in 0..4000 {
        let _ = writeln!(err, "{}", "noise ".repeat(10));
    }
}

fn set(engine: &mut dyn Engine, text: &str) {
    let (origin, moves) = text.split_once("moves").unwrap_or((text, ""));
    let origin = match origin.trim().strip_prefix("fen ") {
        Some(fen) => Origin::Fen(fen.to_owned()),
        None => Origin::Start,
    };
    let moves = moves.to_owned();
    engine
        .set_position(&Setting { origin, moves })
        .expect("a position");
}

fn answer(engine: &mut dyn Engine, mock: Mock<'_>, go: u64) {
    let legal = engine.legal().expect("a position");
    let best = legal.first().expect("a legal move");
    let other = legal.last().expect("a legal move");
    let due = go == mock.number;
    say(&format!(
        "info depth 1 score cp 10 nodes {} time 0 pv {best}",
        legal.len()
    ));
    match mock.way {
        "hang" if due => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
        "crash" if due => std::process::exit(3),
        "flood" if due => loop {
            say(&"info string flood ".repeat(100));
        },
        "burst" => (0..20_000).for_each(|n| say(&format!("info string line {n}"))),
        "long-line" => say(&"x".repeat(1 << 22)),
        "late" => std::thread::sleep(Duration::from_millis(mock.number)),
        "pv" => say(&format!(
            "info depth 2 score cp 10 nodes 1 time 0 pv {other}"
        )),
        "illegal-pv" => say(&format!(
            "info depth 2 score cp 10 nodes 1 time 0 pv {best} {best}"
        )),
        "illegal" if due => return say("bestmove 1-50"),
        "garbage" if due => return say("bestmove zz"),
        "none" if due => return say("bestmove (none)"),
        // The second answer comes when nobody asked.
        "twice" => return say(&format!("bestmove {best}\nbestmove 1-50")),
        _ => {}
    }
    say(&format!("bestmove {best}"));
}

/// The entries that describe the mock engine.
pub(super) fn mock(way: &str, number: u64) -> String {
    let own = std::env::current_exe().expect("the path of this program");
    format!(
        "name=mock cmd=env MOCK_ENGINE={way}:{number} '{}' --exact mock::mock_engine --nocapture",
        own.display()
    )
}
