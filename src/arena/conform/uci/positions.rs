//! What the engine knows of positions: FENs, moves, the questions.

use super::*;

/// The points.
pub(super) const POINTS: &[Point] = &[
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
        name: "fen, d, result, rules and eval are answered, the question's word beginning the last line",
        check: |s| {
            place(s, &[])?;
            let mut seen = Vec::new();
            for (question, last) in [
                ("fen", "fen"),
                ("d", "fen"),
                ("result", "result"),
                ("rules", "rules"),
                ("eval", "eval"),
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
            place(s, std::slice::from_ref(&mv))?;
            let expected = ask(s, "fen")?;
            let forms = [
                mv.replace('-', "x"),
                mv.replace('-', ":"),
                mv.replace('-', ""),
                numbers,
            ];
            for form in forms.iter().filter(|form| form.len() > 3) {
                place(s, std::slice::from_ref(form))?;
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
                .filter_map(Variant::from_name);
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
];
