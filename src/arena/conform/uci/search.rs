//! How the engine searches: limits, infos, answers, and what it obeys meanwhile.

use super::*;

/// The points.
pub(super) const POINTS: &[Point] = &[
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
];
