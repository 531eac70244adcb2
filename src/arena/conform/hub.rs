//! The points of Hub 2, and what its known clients need beyond its text.

use std::time::Instant;

use super::{Point, QUIET, SEARCH, SOON, Seen, Session, claim, playable, referee, shown, until};
use crate::arena::player::{Process, hub_arguments, hub_settings};
use crate::arena::spec::Numbering;
use crate::board::{Board, Variant};
use crate::engine::command::Origin;
use crate::notation::Notation;

/// Introduces the engine: what it says up to `wait`.
pub(super) fn introduce(engine: &mut Process, variant: Variant) -> Result<Vec<String>, String> {
    engine.send("hub");
    let lines = until(engine, "wait", SEARCH)?;
    for line in hub_settings(&lines, variant, Numbering::Pdn)? {
        engine.send(&line);
    }
    engine.send("init");
    until(engine, "ready", SEARCH)?;
    Ok(lines)
}

/// All points.
pub(super) const POINTS: &[&[Point]] = &[ALL];

const ALL: &[Point] = &[
    Point {
        name: "hub: id with a name, params, wait alone on its line",
        check: |s| {
            s.engine()?;
            let id = s.greeting.iter().find(|line| line.starts_with("id "));
            let id = id.cloned().ok_or("there is no id")?;
            claim(value(&id, "name").is_some(), &*id)?;
            let last = s.greeting.last().cloned().unwrap_or_default();
            claim(last == "wait", last)?;
            Ok(id)
        },
    },
    Point {
        name: "lines are name=value pairs; param variant offers values, last on its line",
        check: |s| {
            s.engine()?;
            for line in s
                .greeting
                .iter()
                .filter(|l| l.starts_with("param") || l.starts_with("id"))
            {
                let list = hub_arguments(line);
                let pairs = list.iter().all(|argument| argument.value.is_some());
                claim(pairs && !list.is_empty(), &**line)?;
            }
            let variant = s
                .greeting
                .iter()
                .find(|l| value(l, "name").as_deref() == Some("variant"));
            match variant {
                Some(line) => {
                    let last = hub_arguments(line).pop().map(|argument| argument.name);
                    claim(last == Some("values"), &**line)?;
                    Ok(line.clone())
                }
                None => Ok(format!("{} lines, no param variant", s.greeting.len())),
            }
        },
    },
    Point {
        name: "ping is answered by pong",
        check: |s| {
            s.send("ping")?;
            s.until("pong", SOON).map(|lines| shown(&lines))
        },
    },
    Point {
        name: "level depth, nodes, move-time, time with inc and moves end in one legal done",
        check: |s| {
            for level in [
                "depth=6",
                "nodes=5000",
                "move-time=0.2",
                "time=2 inc=0.1",
                "moves=20 time=2",
                "time=-0.3 inc=0.5",
            ] {
                position(s, &[])?;
                s.send(&format!("level {level}"))?;
                let lines = think(s, "go think").map_err(|seen| format!("{level}: {seen}"))?;
                let mv = done(&lines)?;
                legal(s, &[&mv]).map_err(|what| format!("{level}: {what}"))?;
            }
            let more = s.listen(QUIET)?;
            claim(
                !more.iter().any(|l| l.starts_with("done")),
                "there is a second done",
            )?;
            Ok("legal moves".into())
        },
    },
    Point {
        name: "move-time is kept",
        check: |s| {
            position(s, &[])?;
            s.send("level move-time=0.3")?;
            let start = Instant::now();
            think(s, "go analyze")?;
            let time = start.elapsed().as_millis();
            claim((150..800).contains(&time), format!("{time} ms"))?;
            Ok(format!("{time} ms"))
        },
    },
    Point {
        name: "info has numbers clients can read, and a legal pv",
        check: |s| {
            position(s, &[])?;
            s.send("level depth=7")?;
            let lines = think(s, "go think")?;
            let infos: Vec<_> = lines
                .iter()
                .filter(|l| l.starts_with("info"))
                .cloned()
                .collect();
            for line in &infos {
                for argument in hub_arguments(line) {
                    let (name, text) = (argument.name, argument.value.unwrap_or_default());
                    let good = match name {
                        "depth" | "nodes" => text.parse::<u64>().is_ok(),
                        "score" | "time" | "nps" | "mean-depth" => text.parse::<f64>().is_ok(),
                        _ => true,
                    };
                    claim(good, format!("{name} in {line}"))?;
                }
                let pv = value(line, "pv").unwrap_or_default();
                let moves: Vec<&str> = pv.split_whitespace().collect();
                legal(s, &moves).map_err(|what| format!("{what} in {line}"))?;
            }
            let last = infos.last().cloned().ok_or("there is no info")?;
            claim(
                value(&last, "score").is_some(),
                format!("no score in {last}"),
            )?;
            Ok(last)
        },
    },
    Point {
        name: "done is move= and then ponder=, unquoted, the ponder move legal",
        check: |s| {
            position(s, &[])?;
            s.send("level depth=7")?;
            let lines = think(s, "go think")?;
            let line = lines.last().cloned().unwrap_or_default();
            let list = hub_arguments(&line);
            let names: Vec<&str> = list.iter().map(|argument| argument.name).collect();
            claim(matches!(names[..], ["move"] | ["move", "ponder"]), &*line)?;
            claim(!line.contains('"'), &*line)?;
            let moves: Vec<&str> = list.iter().filter_map(|argument| argument.value).collect();
            legal(s, &moves)?;
            Ok(line)
        },
    },
    Point {
        name: "its own moves are accepted back, captures with their squares",
        check: |s| {
            let mut game: Vec<String> = Vec::new();
            for _ in 0..20 {
                let moves: Vec<&str> = game.iter().map(String::as_str).collect();
                position(s, &moves)?;
                s.send("level depth=3")?;
                let mv = done(&think(s, "go think")?)?;
                game.push(mv);
                let moves: Vec<&str> = game.iter().map(String::as_str).collect();
                legal(s, &moves)?;
            }
            Ok(game.join(" "))
        },
    },
    Point {
        name: "go analyze with level infinite goes on until stop; ping is answered meanwhile",
        check: |s| {
            position(s, &[])?;
            s.send("level infinite")?;
            s.send("go analyze")?;
            let lines = s.listen(QUIET)?;
            claim(
                !lines.iter().any(|l| l.starts_with("done")),
                "it stopped by itself",
            )?;
            s.send("ping")?;
            let lines = s.until("pong", SOON)?;
            claim(
                !lines.iter().any(|l| l.starts_with("done")),
                "ping stopped it",
            )?;
            let start = Instant::now();
            s.send("stop")?;
            s.until("done", SOON)?;
            Ok(format!("done after {} ms", start.elapsed().as_millis()))
        },
    },
    Point {
        name: "go ponder waits for ponder-hit or stop",
        check: |s| {
            for end in ["ponder-hit", "stop"] {
                position(s, &[])?;
                s.send("level time=2 inc=0")?;
                s.send("go ponder")?;
                let lines = s.listen(2 * QUIET)?;
                claim(
                    !lines.iter().any(|l| l.starts_with("done")),
                    "it did not wait",
                )?;
                s.send(end)?;
                s.until("done", SOON)
                    .map_err(|seen| format!("{end}: {seen}"))?;
            }
            Ok("done after each".into())
        },
    },
    Point {
        name: "unknown arguments and parameters are skipped",
        check: |s| {
            position(s, &[])?;
            s.send("level foo=1 depth=2 bar")?;
            think(s, "go think")?;
            s.send("set-param name=nosuch value=1")?;
            s.send("ping")?;
            s.until("pong", SOON).map(|lines| shown(&lines))
        },
    },
    Point {
        name: "a bad position or move is an error, and the engine lives",
        check: |s| {
            let board = start_board(s.variant);
            for line in [
                "pos pos=Wbb".to_owned(),
                format!("pos pos={board} moves=\"1-1\""),
                "pos start moves=\"xyz\"".to_owned(),
                "frobnicate a=1".to_owned(),
            ] {
                s.send(&line)?;
                s.send("ping")?;
                let lines = s
                    .until("pong", SOON)
                    .map_err(|seen| format!("{line}: {seen}"))?;
                let said = lines.iter().any(|l| l.starts_with("error"));
                claim(said, format!("{line}: no error"))?;
            }
            Ok("error each time".into())
        },
    },
    Point {
        name: "odd input is survived",
        check: |s| {
            for line in [
                "",
                "level depth=abc",
                "level move-time=1e9999",
                "pos pos=\"W",
                "set-param name=threads value=",
            ] {
                s.send(line)?;
            }
            s.send("ping")?;
            s.until("pong", SOON)?;
            position(s, &[])?;
            s.send("level depth=2")?;
            think(s, "go think").map(|lines| shown(&lines[lines.len() - 1..]))
        },
    },
    Point {
        name: "a position without a legal move has a bare done",
        check: |s| {
            let board = start_board(s.variant);
            let empty = "e".repeat(board.len() - 2);
            s.send(&format!("pos pos=W{empty}B"))?;
            s.send("level depth=2")?;
            let lines = think(s, "go think")?;
            claim(lines.last().is_some_and(|l| l == "done"), shown(&lines))?;
            Ok("done".into())
        },
    },
    Point {
        name: "quit ends it with status 0",
        check: |s| {
            s.engine()?;
            let Some(mut engine) = s.process.take() else {
                return Err("it is not running".into());
            };
            engine.send("quit");
            match engine.exit(SOON) {
                Some(status) if status.success() => Ok("exit status 0".into()),
                Some(status) => Err(format!("it ended with {status}")),
                None => Err("it did not end".into()),
            }
        },
    },
];

fn value(line: &str, name: &str) -> Option<String> {
    crate::notation::hub::line::value(&hub_arguments(line), name).map(str::to_owned)
}

fn start_board(variant: Variant) -> String {
    crate::with_rules!(variant, R => crate::notation::hub::write::<R>(&Board::start::<R>()))
}

/// Sets the position after some moves from the start.
fn position(s: &mut Session<'_>, moves: &[&str]) -> Result<(), String> {
    let mut line = format!("pos pos={}", start_board(s.variant));
    if !moves.is_empty() {
        line += &format!(" moves=\"{}\"", moves.join(" "));
    }
    s.send(&line)
}

fn think(s: &mut Session<'_>, line: &str) -> Result<Vec<String>, String> {
    s.send(line)?;
    s.until("done", SEARCH)
}

/// The move of the `done` that ends the lines.
fn done(lines: &[String]) -> Seen {
    let last = lines.last().cloned().unwrap_or_default();
    value(&last, "move").ok_or(last)
}

/// Whether the moves can be played from the start.
fn legal(s: &Session<'_>, moves: &[&str]) -> Result<(), String> {
    let mut own = referee(s.variant, Notation::Hub)?;
    playable(own.as_mut(), Origin::Start, moves)
}
