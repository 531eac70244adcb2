//! How the engine talks: lines, greetings, options, errors, its end.

use super::*;

/// The points.
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
