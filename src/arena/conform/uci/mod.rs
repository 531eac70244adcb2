//! The points of `protocol.md`.

mod dialogue;
mod positions;
mod search;

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

/// All points, in the order in which they are checked.
pub(super) const POINTS: &[&[Point]] = &[dialogue::POINTS, positions::POINTS, search::POINTS];

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
