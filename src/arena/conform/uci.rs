//! The points of `protocol.md`, in its order.

use std::collections::BTreeSet;
use std::time::Instant;

use super::{
    Point, QUIET, SEARCH, SOON, Seen, Session, claim, playable, referee, shown, told, until,
};
use crate::arena::player::Process;
use crate::board::Variant;
use crate::engine::command::Origin;
use crate::engine::error::Code;
use crate::notation::Notation;

/// Introduces the engine to a match: what it says up to `uciok`.
pub(super) fn introduce(engine: &mut Process, variant: Variant) -> Result<Vec<String>, String> {
    engine.send("uci");
    let lines = until(engine, "uciok", SOON)?;
    if lines
        .iter()
        .any(|line| line.starts_with("option name UCI_Variant "))
    {
        engine.send(&format!(
            "setoption name UCI_Variant value {}",
            variant.name()
        ));
    }
    engine.send("isready");
    until(engine, "readyok", SEARCH)?;
    Ok(lines)
}

/// All points.
pub(super) const POINTS: &[Point] = &[
    Point {
        name: "says nothing before the first command",
        check: |s| {
            let mut engine = s.fresh()?;
            match engine.receive(Instant::now() + QUIET) {
                Ok((_, line)) => Err(format!("it says \"{line}\"")),
                Err(_) => Ok("silence".into()),
            }
        },
    },
    Point {
        name: "uci: id name, id author, uciok",
        check: |s| {
            s.engine()?;
            for word in ["id name ", "id author "] {
                let said = s.greeting.iter().any(|line| line.starts_with(word));
                claim(said, format!("there is no {word}"))?;
            }
            let name = s.greeting.iter().find(|line| line.starts_with("id name "));
            Ok(name.cloned().unwrap_or_default())
        },
    },
    Point {
        name: "option lines are well formed",
        check: |s| {
            s.engine()?;
            let options: Vec<_> = s
                .greeting
                .iter()
                .filter(|l| l.starts_with("option"))
                .collect();
            for line in &options {
                well_formed(line).ok_or_else(|| (*line).clone())?;
            }
            Ok(format!("{} options", options.len()))
        },
    },
    Point {
        name: "the options of the protocol are offered",
        check: |s| {
            s.engine()?;
            let names = [
                "UCI_Variant",
                "DrawRules",
                "Notation",
                "Squares",
                "Hash",
                "Threads",
                "MultiPV",
                "Ponder",
            ];
            let offered = |name: &&str| {
                let start = format!("option name {name} type ");
                s.greeting.iter().any(|line| line.starts_with(&start))
            };
            let missing: Vec<_> = names.into_iter().filter(|name| !offered(name)).collect();
            claim(
                missing.is_empty(),
                format!("missing: {}", missing.join(", ")),
            )?;
            Ok(names.join(", "))
        },
    },
    Point {
        name: "every command works before uci",
        check: |s| {
            let mut engine = s.fresh()?;
            engine.send("isready");
            until(&mut engine, "readyok", SEARCH)?;
            engine.send("go depth 1");
            Ok(shown(&until(&mut engine, "bestmove", SEARCH)?))
        },
    },
    Point {
        name: "CR LF, tabs, blanks and upper case are read",
        check: |s| {
            for line in ["isready\r", "  \t isready \t ", "ISREADY", "IsReady\r"] {
                s.send(line)?;
                s.until("readyok", SOON)
                    .map_err(|seen| format!("\"{line}\": {seen}"))?;
            }
            Ok("readyok each time".into())
        },
    },
    Point {
        name: "an unknown word before a command is skipped",
        check: |s| {
            s.send("joho isready")?;
            s.until("readyok", SOON).map(|lines| shown(&lines))
        },
    },
    Point {
        name: "stop and ponderhit while idle are ignored",
        check: |s| {
            s.send("stop")?;
            s.send("ponderhit")?;
            let lines = s.listen(QUIET)?;
            claim(lines.is_empty(), shown(&lines))?;
            Ok("silence".into())
        },
    },
    Point {
        name: "legal lists exactly the legal moves",
        check: |s| {
            let mut own = referee(s.variant, Notation::Short)?;
            let mut line = Vec::new();
            for ply in 0..30 {
                place(s, &line)?;
                let moves: Vec<&str> = line.iter().map(String::as_str).collect();
                playable(own.as_mut(), Origin::Start, &moves)?;
                let legal = own.legal().unwrap_or_default();
                let answer = ask(s, "legal")?;
                let mut words = answer.split_whitespace().skip(1);
                let count = words.next().unwrap_or_default().to_owned();
                let theirs: BTreeSet<&str> = words.collect();
                claim(
                    count == legal.len().to_string()
                        && theirs == legal.iter().map(String::as_str).collect(),
                    format!("after {ply} plies {answer}, not {}", legal.join(" ")),
                )?;
                let Some(next) = legal.get(ply % legal.len().max(1)) else {
                    break;
                };
                line.push(next.clone());
            }
            Ok(format!("{} positions", line.len()))
        },
    },
    Point {
        name: "fen, d, result, rules, eval, help are answered",
        check: |s| {
            place(s, &[])?;
            let mut seen = Vec::new();
            for (question, last) in [
                ("fen", "fen"),
                ("d", "fen"),
                ("result", "result"),
                ("rules", "rules"),
                ("eval", "eval"),
                ("help", "help"),
            ] {
                s.send(question)?;
                seen.push(s.until(last, SOON)?.pop().unwrap_or_default());
            }
            claim(seen[2] == "result ongoing", &*seen[2])?;
            claim(seen[4].starts_with("eval cp "), &*seen[4])?;
            Ok(seen[0].clone())
        },
    },
    Point {
        name: "go perft counts what there is",
        check: |s| {
            place(s, &[])?;
            let mut own = referee(s.variant, Notation::Short)?;
            playable(own.as_mut(), Origin::Start, &[])?;
            let legal = own.legal().unwrap_or_default();
            s.send("go perft 1")?;
            let lines = s.until("nodes", SEARCH)?;
            let expected = format!("nodes {}", legal.len());
            claim(lines.last() == Some(&expected), shown(&lines))?;
            claim(lines.len() == legal.len() + 1, "a move's line is missing")?;
            Ok(expected)
        },
    },
    Point {
        name: "a FEN is read in its forms and written in one",
        check: |s| {
            let fen = start_fen(s)?;
            let sections: Vec<&str> = fen.split(':').collect();
            let [side, white, black] = sections[..] else {
                return Err(fen);
            };
            for form in [
                format!("{side}:{black}:{white}"),
                format!("{} : {white} : {black} .", side.to_lowercase()),
                fen.clone(),
            ] {
                s.send(&format!("position fen {form}"))?;
                let answer = ask(s, "fen")?;
                claim(answer == format!("fen {fen}"), format!("{form}: {answer}"))?;
            }
            s.send(&format!("position fen {fen}:H5:F7"))?;
            let answer = ask(s, "fen")?;
            claim(answer.ends_with(":H5:F7"), answer)?;
            Ok(fen)
        },
    },
    Point {
        name: "position hub is read",
        check: |s| {
            let fen = start_fen(s)?;
            s.send(&format!("position hub {}", hub_board(s.variant)))?;
            let answer = ask(s, "fen")?;
            claim(answer == format!("fen {fen}"), &*answer)?;
            Ok(answer)
        },
    },
    Point {
        name: "moves are read in every form",
        check: |s| {
            let mut own = referee(s.variant, Notation::Short)?;
            playable(own.as_mut(), Origin::Start, &[])?;
            let mv = own
                .legal()
                .and_then(|list| list.first().cloned())
                .unwrap_or_default();
            let mut own = referee(s.variant, Notation::Hub)?;
            playable(own.as_mut(), Origin::Start, &[])?;
            let numbers = own
                .legal()
                .and_then(|list| list.first().cloned())
                .unwrap_or_default();
            place(s, &[mv.clone()])?;
            let expected = ask(s, "fen")?;
            let forms = [
                mv.replace('-', "x"),
                mv.replace('-', ":"),
                mv.replace('-', ""),
                numbers,
            ];
            for form in forms.iter().filter(|form| form.len() > 3) {
                place(s, &[form.clone()])?;
                let answer = ask(s, "fen")?;
                claim(answer == expected, format!("{form}: {answer}"))?;
            }
            Ok(forms.join(", "))
        },
    },
    Point {
        name: "a bad position is an error, and go answers bestmove (none)",
        check: |s| {
            let cases = [
                ("position fen nonsense", Code::BadFen),
                ("position hub Wx", Code::BadHub),
                ("position startpos moves zz", Code::BadMove),
                ("position startpos moves 1-1", Code::IllegalMove),
                ("position", Code::BadPosition),
            ];
            for (line, code) in cases {
                place(s, &[])?;
                s.send(line)?;
                let lines = settle(s)?;
                expect_error(&lines, code).map_err(|seen| format!("{line}: {seen}"))?;
                s.send("go depth 1")?;
                let lines = s.until("bestmove", SEARCH)?;
                claim(
                    lines.last().is_some_and(|l| l == "bestmove (none)"),
                    format!("{line}: {}", shown(&lines)),
                )?;
            }
            Ok("errors, then bestmove (none)".into())
        },
    },
    Point {
        name: "ucinewgame keeps the position",
        check: |s| {
            let fen = start_fen(s)?;
            s.send(&format!("position fen {fen}"))?;
            let before = ask(s, "fen")?;
            s.send("ucinewgame")?;
            let after = ask(s, "fen")?;
            claim(before == after, format!("{before}, then {after}"))?;
            Ok(after)
        },
    },
    Point {
        name: "info has all its fields in order, in whole numbers",
        check: |s| {
            place(s, &[])?;
            let lines = go(s, "go depth 6")?;
            let infos: Vec<_> = lines
                .iter()
                .filter(|line| line.contains(" score "))
                .collect();
            claim(!infos.is_empty(), "there is no info with a score")?;
            for line in &infos {
                fields(line).map_err(|what| format!("{what} in {line}"))?;
            }
            Ok(infos.last().map(|line| (*line).clone()).unwrap_or_default())
        },
    },
    Point {
        name: "the last line is exact and its pv is legal and starts with the best move",
        check: |s| {
            let mut own = referee(s.variant, Notation::Short)?;
            let mut game = Vec::new();
            for _ in 0..6 {
                place(s, &game)?;
                let lines = go(s, "go depth 7")?;
                let best = best(&lines)?;
                let pv = last_pv(&lines)?;
                claim(
                    pv.first() == Some(&best),
                    format!("{} and bestmove {best}", pv.join(" ")),
                )?;
                let line: Vec<&str> = game.iter().chain(&pv).map(String::as_str).collect();
                playable(own.as_mut(), Origin::Start, &line)?;
                game.push(best);
            }
            Ok(game.join(" "))
        },
    },
    Point {
        name: "the ponder move is legal after the best move",
        check: |s| {
            place(s, &[])?;
            let lines = go(s, "go depth 6")?;
            let last = lines.last().cloned().unwrap_or_default();
            let words: Vec<&str> = last.split_whitespace().collect();
            if let [_, best, "ponder", reply] = words[..] {
                let mut own = referee(s.variant, Notation::Short)?;
                playable(own.as_mut(), Origin::Start, &[best, reply])?;
            }
            Ok(last)
        },
    },
    Point {
        name: "go nodes keeps near its number",
        check: |s| {
            place(s, &[])?;
            let lines = go(s, "go nodes 5000")?;
            let most = lines
                .iter()
                .filter_map(|line| number_after(line, "nodes"))
                .max();
            claim(most.is_none_or(|n| n < 15_000), shown(&lines))?;
            Ok(format!("{} nodes", most.unwrap_or(0)))
        },
    },
    Point {
        name: "go movetime keeps its time",
        check: |s| {
            let time = timed(s, "go movetime 300")?;
            claim((150..800).contains(&time), format!("{time} ms"))?;
            Ok(format!("{time} ms"))
        },
    },
    Point {
        name: "clocks: both, one alone, empty, negative, movestogo, any order",
        check: |s| {
            let mut seen = Vec::new();
            for (line, most) in [
                ("go wtime 1000 btime 1000 winc 50 binc 50", 1000),
                ("go binc 10 winc 10 btime 1000 wtime 1000", 1000),
                ("go wtime 1000", 1000),
                ("go btime 1000", 1000),
                ("go wtime 0 btime 0", 600),
                ("go wtime -50 btime -50", 600),
                ("go wtime 900 btime 900 movestogo 1", 900),
            ] {
                let time = timed(s, line)?;
                claim(time < most, format!("{line}: {time} ms"))?;
                seen.push(format!("{time}"));
            }
            Ok(format!("{} ms", seen.join(", ")))
        },
    },
    Point {
        name: "an unknown word of go is skipped",
        check: |s| {
            place(s, &[])?;
            go(s, "go depth 3 unknownword 7").map(|lines| shown(&lines[lines.len() - 1..]))
        },
    },
    Point {
        name: "a malformed go is an error with bestmove (none)",
        check: |s| {
            for line in [
                "go depth",
                "go depth 0",
                "go depth -3",
                "go depth abc",
                "go movetime",
                "go nodes 99999999999999999999999",
            ] {
                place(s, &[])?;
                let lines = go(s, line)?;
                expect_error(&lines, Code::BadLimit).map_err(|seen| format!("{line}: {seen}"))?;
                claim(
                    lines.last().is_some_and(|l| l == "bestmove (none)"),
                    format!("{line}: {}", shown(&lines)),
                )?;
            }
            Ok("bad-limit each time".into())
        },
    },
    Point {
        name: "go searchmoves chooses among them",
        check: |s| {
            let mut own = referee(s.variant, Notation::Short)?;
            playable(own.as_mut(), Origin::Start, &[])?;
            for mv in own.legal().unwrap_or_default() {
                place(s, &[])?;
                let lines = go(s, &format!("go depth 3 searchmoves {mv}"))?;
                claim(best(&lines)? == mv, format!("{mv}: {}", shown(&lines)))?;
            }
            Ok("each move of the start position".into())
        },
    },
    Point {
        name: "MultiPV gives so many lines",
        check: |s| {
            s.send("setoption name MultiPV value 3")?;
            place(s, &[])?;
            let lines = go(s, "go depth 5")?;
            s.send("setoption name MultiPV value 1")?;
            for rank in 1..=3 {
                let has = |line: &String| number_after(line, "multipv") == Some(rank);
                claim(lines.iter().any(has), format!("there is no multipv {rank}"))?;
            }
            Ok(shown(&lines))
        },
    },
    Point {
        name: "go infinite goes on until stop; isready is answered meanwhile",
        check: |s| {
            place(s, &[])?;
            s.send("go infinite")?;
            let lines = s.listen(QUIET)?;
            claim(!has_bestmove(&lines), "it stopped by itself")?;
            let start = Instant::now();
            s.send("isready")?;
            let lines = s.until("readyok", SOON)?;
            claim(!has_bestmove(&lines), "isready stopped it")?;
            let ready = start.elapsed();
            let start = Instant::now();
            s.send("stop")?;
            s.until("bestmove", SOON)?;
            let seen = format!(
                "readyok after {} ms, bestmove after {} ms",
                ready.as_millis(),
                start.elapsed().as_millis()
            );
            let lines = s.listen(QUIET)?;
            claim(!has_bestmove(&lines), "there is a second bestmove")?;
            Ok(seen)
        },
    },
    Point {
        name: "a bare go is infinite",
        check: |s| {
            place(s, &[])?;
            s.send("go")?;
            let lines = s.listen(QUIET)?;
            claim(!has_bestmove(&lines), "it stopped by itself")?;
            s.send("stop")?;
            s.until("bestmove", SOON)
                .map(|lines| shown(&lines[lines.len() - 1..]))
        },
    },
    Point {
        name: "go ponder waits for ponderhit, then for its limits",
        check: |s| {
            place(s, &[])?;
            s.send("go ponder wtime 1000 btime 1000")?;
            let lines = s.listen(2 * QUIET)?;
            claim(!has_bestmove(&lines), "it did not wait")?;
            s.send("ponderhit")?;
            s.until("bestmove", SOON)?;
            s.send("go ponder depth 1")?;
            let lines = s.listen(QUIET)?;
            claim(!has_bestmove(&lines), "it did not wait with depth 1")?;
            s.send("stop")?;
            s.until("bestmove", SOON)
                .map(|lines| shown(&lines[lines.len() - 1..]))
        },
    },
    Point {
        name: "go and position while a search runs stop it first",
        check: |s| {
            for line in ["position startpos", "go depth 2", "ucinewgame"] {
                place(s, &[])?;
                s.send("go infinite")?;
                s.listen(QUIET / 4)?;
                s.send(line)?;
                s.until("bestmove", SOON)
                    .map_err(|seen| format!("{line}: {seen}"))?;
                if line.starts_with("go") {
                    s.until("bestmove", SOON)
                        .map_err(|seen| format!("the second: {seen}"))?;
                }
            }
            Ok("bestmove, then it obeys".into())
        },
    },
    Point {
        name: "setoption and questions while a search runs are refused as busy",
        check: |s| {
            for line in ["setoption name Hash value 8", "legal"] {
                place(s, &[])?;
                s.send("go infinite")?;
                s.send(line)?;
                let lines = settle(s)?;
                expect_error(&lines, Code::Busy).map_err(|seen| format!("{line}: {seen}"))?;
                s.send("stop")?;
                s.until("bestmove", SOON)?;
            }
            Ok("busy".into())
        },
    },
    Point {
        name: "40 quick go infinite and stop give 40 bestmoves",
        check: |s| {
            for _ in 0..40 {
                place(s, &[])?;
                s.send("go infinite")?;
                s.send("stop")?;
            }
            let count = settle(s)?
                .iter()
                .filter(|line| line.starts_with("bestmove"))
                .count();
            let more = s
                .listen(QUIET)?
                .iter()
                .filter(|line| line.starts_with("bestmove"))
                .count();
            claim(count + more == 40, format!("{} bestmoves", count + more))?;
            Ok("40".into())
        },
    },
    Point {
        name: "a lost position has bestmove (none)",
        check: |s| {
            s.send("position fen W:W:BK1")?;
            let lines = go(s, "go depth 3")?;
            claim(
                lines.last().is_some_and(|l| l == "bestmove (none)"),
                shown(&lines),
            )?;
            let answer = ask(s, "result")?;
            claim(answer == "result black-wins no-pieces", &*answer)?;
            Ok(answer)
        },
    },
    Point {
        name: "a position drawn by rule is announced and still searched",
        check: |s| {
            let fen = start_fen(s)?;
            s.send(&format!("position fen {fen}:H500"))?;
            let lines = go(s, "go depth 3")?;
            let said = lines
                .iter()
                .any(|l| l.starts_with("info string result draw no-progress"));
            claim(said, format!("not announced: {}", shown(&lines)))?;
            let best = best(&lines)?;
            claim(best != "(none)", "there is no move")?;
            Ok(format!("result draw no-progress, bestmove {best}"))
        },
    },
    Point {
        name: "errors have their codes",
        check: |s| {
            for (line, code) in [
                ("xyzzy", Code::UnknownCommand),
                ("setoption name No Such Option value x", Code::NoSuchOption),
                ("setoption name Hash value many", Code::BadValue),
                ("setoption", Code::BadCommand),
            ] {
                s.send(line)?;
                let lines = settle(s)?;
                expect_error(&lines, code).map_err(|seen| format!("{line}: {seen}"))?;
            }
            Ok("unknown-command, no-such-option, bad-value, bad-command".into())
        },
    },
    Point {
        name: "odd input is survived",
        check: |s| {
            let long = "x".repeat(1 << 20);
            for line in [
                "",
                "   ",
                "\u{0}\u{1}",
                "position startpos moves",
                "go perft",
                "setoption name",
                "é\u{fffd}",
                long.as_str(),
            ] {
                s.send(line)?;
            }
            settle(s)?;
            place(s, &[])?;
            go(s, "go depth 2").map(|lines| shown(&lines[lines.len() - 1..]))
        },
    },
    Point {
        name: "each set of UCI_Variant gives its start position and a legal move",
        check: |s| {
            let offered = s
                .greeting
                .iter()
                .find(|line| line.starts_with("option name UCI_Variant "));
            let offered = offered.cloned().unwrap_or_default();
            let names = offered
                .split(" var ")
                .skip(1)
                .filter_map(|name| Variant::from_name(name));
            let mut seen = Vec::new();
            for variant in names {
                s.send(&format!(
                    "setoption name UCI_Variant value {}",
                    variant.name()
                ))?;
                let mut own = referee(variant, Notation::Short)?;
                playable(own.as_mut(), Origin::Start, &[])?;
                let expected = format!("fen {}", own.fen().unwrap_or_default());
                let answer = ask(s, "fen")?;
                claim(
                    answer == expected,
                    format!("{variant}: {answer}, not {expected}"),
                )?;
                let best = best(&go(s, "go depth 4")?)?;
                playable(own.as_mut(), Origin::Start, &[&best])
                    .map_err(|what| format!("{variant}: {what}"))?;
                seen.push(format!("{variant} {best}"));
            }
            s.send(&format!(
                "setoption name UCI_Variant value {}",
                s.variant.name()
            ))?;
            claim(!seen.is_empty(), "it offers none")?;
            Ok(seen.join(", "))
        },
    },
    Point {
        name: "quit while a search runs ends it with status 0",
        check: |s| {
            let mut engine = s.fresh()?;
            engine.send("uci");
            until(&mut engine, "uciok", SOON)?;
            engine.send("go infinite");
            engine.send("quit");
            ends_well(&mut engine)
        },
    },
    Point {
        name: "at the end of input a limited search is finished, an infinite one stopped",
        check: |s| {
            for line in ["go depth 4", "go infinite"] {
                let mut engine = s.fresh()?;
                engine.send("uci");
                engine.send("position startpos");
                engine.send(line);
                engine.close();
                until(&mut engine, "bestmove", SEARCH).map_err(|seen| format!("{line}: {seen}"))?;
                ends_well(&mut engine)?;
            }
            Ok("bestmove, exit status 0".into())
        },
    },
];

fn ends_well(engine: &mut Process) -> Seen {
    let start = Instant::now();
    while engine.receive(start + SOON).is_ok() {}
    match engine.exit(SOON) {
        Some(status) if status.success() => Ok(format!("after {} ms", start.elapsed().as_millis())),
        Some(status) => Err(format!("it ended with {status}")),
        None => Err(told(engine.fault(
            crate::arena::player::FaultKind::Hang,
            "did not end within 5 s".into(),
        ))),
    }
}

/// Whether an `option` line has the form its type asks for.
fn well_formed(line: &str) -> Option<()> {
    let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
    let mut words = rest.split_whitespace();
    let kind = words.next()?;
    let rest: Vec<&str> = words.collect();
    let default = rest.first() == Some(&"default");
    let number = |word: &str| {
        let place = rest.iter().position(|w| *w == word)?;
        rest.get(place + 1)?.parse::<i64>().ok()
    };
    let fits = match kind {
        "check" => matches!(rest[..], ["default", "true" | "false"]),
        "spin" => {
            let (low, high) = (number("min")?, number("max")?);
            (low..=high).contains(&number("default")?)
        }
        "combo" => default && rest.contains(&"var"),
        "string" => default,
        "button" => rest.is_empty(),
        _ => false,
    };
    (fits && !name.trim().is_empty()).then_some(())
}

/// Sets the position after some moves from the start.
fn place(s: &mut Session<'_>, moves: &[String]) -> Result<(), String> {
    let list = if moves.is_empty() {
        String::new()
    } else {
        format!(" moves {}", moves.join(" "))
    };
    s.send(&format!("position startpos{list}"))
}

/// Searches: all lines, the bestmove last.
fn go(s: &mut Session<'_>, line: &str) -> Result<Vec<String>, String> {
    s.send(line)?;
    s.until("bestmove", SEARCH)
        .map_err(|seen| format!("{line}: {seen}"))
}

/// Milliseconds a search of the start position took.
fn timed(s: &mut Session<'_>, line: &str) -> Result<u128, String> {
    place(s, &[])?;
    settle(s)?;
    let start = Instant::now();
    go(s, line)?;
    Ok(start.elapsed().as_millis())
}

/// The answer to a question of one line.
fn ask(s: &mut Session<'_>, question: &str) -> Result<String, String> {
    s.send(question)?;
    let lines = s
        .until(question, SOON)
        .map_err(|seen| format!("{question}: {seen}"))?;
    Ok(lines.last().cloned().unwrap_or_default())
}

/// All that was said before the answer to `isready`.
fn settle(s: &mut Session<'_>) -> Result<Vec<String>, String> {
    s.send("isready")?;
    let mut lines = s.until("readyok", SEARCH)?;
    lines.pop();
    Ok(lines)
}

fn start_fen(s: &Session<'_>) -> Result<String, String> {
    let mut own = referee(s.variant, Notation::Short)?;
    playable(own.as_mut(), Origin::Start, &[])?;
    own.fen().ok_or_else(|| "there is no start position".into())
}

/// The start position in one letter a square.
fn hub_board(variant: Variant) -> String {
    use crate::board::Board;
    crate::with_rules!(variant, R => crate::notation::hub::write::<R>(&Board::start::<R>()))
}

fn has_bestmove(lines: &[String]) -> bool {
    lines.iter().any(|line| line.starts_with("bestmove"))
}

/// The move of the `bestmove` that ends the lines.
fn best(lines: &[String]) -> Result<String, String> {
    let best = lines.last().and_then(|line| line.split_whitespace().nth(1));
    best.map(str::to_owned).ok_or_else(|| shown(lines))
}

/// The principal variation of the last exact line of rank 1.
fn last_pv(lines: &[String]) -> Result<Vec<String>, String> {
    let exact = |line: &&String| {
        let rank = number_after(line, "multipv").unwrap_or(1);
        line.contains(" pv ") && rank == 1 && !line.contains("bound ")
    };
    let last = lines.iter().rev().find(exact).ok_or_else(|| shown(lines))?;
    let (_, pv) = last.split_once(" pv ").unwrap_or_default();
    Ok(pv.split_whitespace().map(str::to_owned).collect())
}

fn number_after(line: &str, word: &str) -> Option<u64> {
    let mut words = line.split_whitespace();
    words.find(|w| *w == word)?;
    words.next()?.parse().ok()
}

/// Checks that an info line has all fields of the protocol in their order; what is wrong if not.
fn fields(line: &str) -> Result<(), String> {
    let mut words = line.split_whitespace().skip(1).peekable();
    for name in [
        "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time",
    ] {
        claim(
            words.next() == Some(name),
            format!("no {name} in its place"),
        )?;
        if name == "score" {
            claim(
                matches!(words.next(), Some("cp" | "mate")),
                "score is neither cp nor mate",
            )?;
        }
        let number = words.next().and_then(|word| word.parse::<i64>().ok());
        claim(number.is_some(), format!("no whole number after {name}"))?;
        if name == "score" {
            words.next_if(|word| word.ends_with("bound"));
            if words.next_if_eq(&"wdl").is_some() {
                words.nth(2);
            }
        }
    }
    claim(
        words.next() == Some("pv") && words.next().is_some(),
        "no pv at its end",
    )
}

/// Checks that an error of this code was said.
fn expect_error(lines: &[String], code: Code) -> Result<(), String> {
    let start = format!("info string error {} ", code.word());
    let said = lines.iter().any(|line| line.starts_with(&start));
    claim(said, format!("no error {}: {}", code.word(), shown(lines)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_infos_are_judged() {
        for (line, fits) in [
            ("option name Hash type spin default 64 min 1 max 128", true),
            ("option name Hash type spin default 0 min 1 max 128", false),
            ("option name A B type check default true", true),
            ("option name A type check default yes", false),
            ("option name A type combo default x var x var y", true),
            ("option name A type string default <empty>", true),
            ("option name A type button", true),
            ("option name A type slider default 3", false),
            ("option A", false),
        ] {
            assert_eq!(well_formed(line).is_some(), fits, "{line}");
        }
        let good = "info depth 1 seldepth 1 multipv 1 score cp 5 nodes 9 nps 1 hashfull 0 tbhits 0 time 0 pv a";
        assert_eq!(fields(good), Ok(()));
        assert!(fields(&good.replace("nps 1", "nps 1.5")).is_err());
        assert!(fields(&good.replace(" pv a", "")).is_err());
        assert!(fields(&good.replace("seldepth 1 ", "")).is_err());
        let bound = good.replace("cp 5", "mate -3 lowerbound wdl 1 2 3");
        assert_eq!(fields(&bound), Ok(()));
    }
}
