//! Reports of a match: text for people, JSON for programs, a line of progress.

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use super::runner::{Ended, Match};
use super::sprt::{Sprt, Verdict};
use super::standings::{Conduct, FAULTS, Standings};
use super::stats::{Estimate, Tally};

/// A number with a sign, or what it is instead of one.
fn signed(value: f64, digits: usize) -> String {
    if value.is_nan() {
        "n/a".into()
    } else {
        format!("{value:+.digits$}")
    }
}

/// A figure with its error bar.
fn figure(estimate: Option<Estimate>) -> String {
    match estimate {
        Some(Estimate { value, error }) if value.is_finite() && error.is_finite() => {
            format!("{} ± {error:.1}", signed(value, 1))
        }
        Some(Estimate { value, .. }) if !value.is_nan() => format!("{} ± ?", signed(value, 1)),
        _ => "n/a".into(),
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "n/a".into(), |share| format!("{:.1} %", 100.0 * share))
}

/// The test as `LLR 1.23 (-2.94, 2.94) [0, 5] normalized`.
fn test_line(sprt: &Sprt, tally: &Tally) -> String {
    let (lower, upper) = sprt.bounds();
    let verdict = match sprt.verdict(tally) {
        Verdict::Continue => "",
        Verdict::AcceptH0 => ", H0 accepted",
        Verdict::AcceptH1 => ", H1 accepted",
    };
    format!(
        "LLR {:.2} ({lower:.2}, {upper:.2}) [{}, {}] {}{verdict}",
        sprt.llr(tally),
        sprt.elo0,
        sprt.elo1,
        serde_json::to_value(sprt.model)
            .unwrap_or_default()
            .as_str()
            .unwrap_or_default(),
    )
}

/// One line of progress, without an end.
pub fn progress(setup: &Match, standings: &Standings, fresh: u64, elapsed: Duration) -> String {
    let (games, total) = (standings.games(), standings.schedule().games() as u64);
    let tally = standings.pairing(0);
    let mut text = format!("{games}/{total} games");
    if setup.engines.len() == 2 {
        write!(
            text,
            "  +{} -{} ={}  Elo {}  LOS {}  draws {}",
            tally.wins,
            tally.losses,
            tally.draws,
            figure(tally.elo()),
            percent(tally.superiority()),
            percent(tally.draw_ratio()),
        )
        .ok();
    }
    if let Some(sprt) = &setup.sprt {
        let (lower, upper) = sprt.bounds();
        write!(
            text,
            "  LLR {:.2} ({lower:.2}, {upper:.2})",
            sprt.llr(&tally)
        )
        .ok();
    }
    if standings.failures() > 0 {
        write!(text, "  failures {}", standings.failures()).ok();
    }
    if fresh > 0 {
        let left = elapsed.as_secs_f64() / fresh as f64 * total.saturating_sub(games) as f64;
        write!(text, "  {} left", clock(left)).ok();
    }
    text
}

/// Seconds as `1:02:03`.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// The report of a match, of finished games and of unfinished pairs alike.
pub fn text(setup: &Match, standings: &Standings, ended: Option<Ended>) -> String {
    let mut out = String::new();
    let names: Vec<&str> = setup
        .engines
        .iter()
        .map(|engine| engine.name.as_str())
        .collect();
    let wide = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        .max(6);
    if setup.engines.len() > 2 {
        let mut order: Vec<usize> = (0..names.len()).collect();
        let share = |engine: usize| {
            let tally = standings.engine(engine);
            tally.points() / tally.games().max(1) as f64
        };
        order.sort_by(|&a, &b| share(b).total_cmp(&share(a)).then(a.cmp(&b)));
        writeln!(
            out,
            "{:<wide$}  {:>6} {:>8} {:>7}  {:<18}",
            "engine", "games", "points", "draws", "Elo against all"
        )
        .ok();
        for engine in order {
            let tally = standings.engine(engine);
            writeln!(
                out,
                "{:<wide$}  {:>6} {:>8.1} {:>7}  {:<18}",
                names[engine],
                tally.games(),
                tally.points(),
                percent(tally.draw_ratio()),
                figure(tally.elo())
            )
            .ok();
        }
        out.push('\n');
    }
    for (index, pairing) in standings.schedule().pairings().iter().enumerate() {
        let tally = standings.pairing(index);
        writeln!(out, "{} against {}", names[pairing[0]], names[pairing[1]]).ok();
        writeln!(
            out,
            "  games {}: +{} -{} ={}, {:.1} points, {}",
            tally.games(),
            tally.wins,
            tally.losses,
            tally.draws,
            tally.points(),
            percent((tally.games() > 0).then(|| tally.points() / tally.games() as f64)),
        )
        .ok();
        writeln!(
            out,
            "  Elo {}, normalized {}, LOS {}",
            figure(tally.elo()),
            figure(tally.normalized_elo()),
            percent(tally.superiority())
        )
        .ok();
        writeln!(
            out,
            "  draws {}, pairs {:?} (LL LD DD+WL WD WW), pairs ratio {}",
            percent(tally.draw_ratio()),
            tally.pairs,
            tally
                .pairs_ratio()
                .filter(|ratio| !ratio.is_nan())
                .map_or_else(|| "n/a".into(), |ratio| format!("{ratio:.2}")),
        )
        .ok();
    }
    if let Some(sprt) = &setup.sprt {
        writeln!(out, "  {}", test_line(sprt, &standings.pairing(0))).ok();
    }
    out.push('\n');
    writeln!(
        out,
        "{:<wide$}  {:>8} {:>9} {:>9} {:>7} {:>12} {:>10}  failures",
        "engine", "moves", "mean s", "longest", "depth", "nodes/move", "nodes/s"
    )
    .ok();
    for (engine, name) in names.iter().enumerate() {
        let conduct = standings.conduct(engine);
        let figures = Figures::of(conduct);
        writeln!(
            out,
            "{name:<wide$}  {:>8} {:>9.4} {:>9.4} {:>7.1} {:>12.0} {:>10.0}  {}",
            conduct.moves,
            figures.time,
            conduct.longest,
            figures.depth,
            figures.nodes,
            figures.speed,
            faults(conduct)
        )
        .ok();
    }
    out.push('\n');
    for (reason, count) in standings.reasons() {
        writeln!(out, "{count:>6}  {reason}").ok();
    }
    match ended {
        Some(Ended::Failure) => out += "\nThe match ended with the failure of an engine.\n",
        Some(Ended::Decided(_)) => out += "\nThe test is decided.\n",
        Some(Ended::Finished) | None => {}
    }
    out
}

/// Failures as `2 late, 1 crashed`.
fn faults(conduct: &Conduct) -> String {
    let mut parts: Vec<String> = FAULTS
        .iter()
        .zip(conduct.faults)
        .filter(|(_, count)| *count > 0)
        .map(|((_, name), count)| format!("{count} {name}"))
        .collect();
    if conduct.complaints > 0 {
        parts.push(format!("{} wrong pv", conduct.complaints));
    }
    if parts.is_empty() {
        return "none".into();
    }
    parts.join(", ")
}

/// Means of what an engine did.
#[derive(Clone, Copy, Debug, Serialize)]
struct Figures {
    time: f64,
    depth: f64,
    nodes: f64,
    speed: f64,
}

impl Figures {
    fn of(conduct: &Conduct) -> Self {
        let moves = conduct.moves.max(1) as f64;
        Self {
            time: conduct.time / moves,
            depth: conduct.depths.0 as f64 / conduct.depths.1.max(1) as f64,
            nodes: conduct.nodes as f64 / moves,
            speed: conduct.nodes as f64 / conduct.time.max(1e-9),
        }
    }
}

/// The report of a match for programs. Figures that do not exist are null.
pub fn json(setup: &Match, standings: &Standings, ended: Ended) -> Value {
    let tally = |tally: &Tally| {
        json!({
            "games": tally.games(),
            "wins": tally.wins,
            "losses": tally.losses,
            "draws": tally.draws,
            "points": tally.points(),
            "pairs": tally.pairs,
            "elo": tally.elo(),
            "normalized_elo": tally.normalized_elo(),
            "superiority": tally.superiority(),
            "draw_ratio": tally.draw_ratio(),
            "pairs_ratio": tally.pairs_ratio(),
        })
    };
    let engines: Vec<Value> = setup
        .engines
        .iter()
        .enumerate()
        .map(|(index, engine)| {
            let conduct = standings.conduct(index);
            let figures = Figures::of(conduct);
            let faults: serde_json::Map<String, Value> = FAULTS
                .iter()
                .zip(conduct.faults)
                .map(|((_, name), count)| ((*name).to_owned(), count.into()))
                .collect();
            json!({
                "name": engine.name,
                "specification": engine,
                "score": tally(&standings.engine(index)),
                "moves": conduct.moves,
                "mean_seconds": figures.time,
                "longest_seconds": conduct.longest,
                "mean_depth": figures.depth,
                "mean_nodes": figures.nodes,
                "nodes_per_second": figures.speed,
                "wrong_pvs": conduct.complaints,
                "failures": faults,
            })
        })
        .collect();
    let pairings: Vec<Value> = standings
        .schedule()
        .pairings()
        .iter()
        .enumerate()
        .map(|(index, pairing)| {
            json!({ "engines": pairing, "score": tally(&standings.pairing(index)) })
        })
        .collect();
    let sprt = setup.sprt.map(|sprt| {
        let score = standings.pairing(0);
        let (lower, upper) = sprt.bounds();
        json!({
            "parameters": sprt,
            "llr": sprt.llr(&score),
            "lower": lower,
            "upper": upper,
            "verdict": sprt.verdict(&score),
        })
    });
    json!({
        "variant": setup.variant.name(),
        "games": standings.games(),
        "scheduled": standings.schedule().games(),
        "ended": ended,
        "engines": engines,
        "pairings": pairings,
        "sprt": sprt,
        "terminations": standings.reasons().into_iter().collect::<std::collections::BTreeMap<_, _>>(),
    })
}
