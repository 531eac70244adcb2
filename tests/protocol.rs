//! The protocol's dialogue: what UCI asks of an engine and what `protocol.md` promises beyond it.

#[path = "support/session.rs"]
mod session;

use session::{Session, batch, bestmoves, errors, unheard};

use warcab::board::Variant;
use warcab::engine::options::OPTIONS;

const NONE: [&str; 0] = [];

#[test]
fn nothing_is_said_before_the_first_command() {
    let (lines, status) = batch(&[], b"");
    assert_eq!(lines, NONE);
    assert!(status.success());
}

#[test]
fn the_handshake_lists_every_option() {
    let mut session = Session::start(&[]);
    session.send("uci");
    let lines = session.until("uciok");
    assert!(lines[0].starts_with("id name Warcab "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    let options = &lines[2..lines.len() - 1];
    assert_eq!(options.len(), OPTIONS.len());
    for (line, option) in options.iter().zip(OPTIONS) {
        let rest = line.strip_prefix(&format!("option name {} type ", option.name));
        let rest = rest.unwrap_or_else(|| panic!("{line}"));
        let words: Vec<_> = rest.split(' ').collect();
        let good = match words.as_slice() {
            ["check", "default", value] => ["true", "false"].contains(value),
            ["spin", "default", value, "min", min, "max", max] => {
                let number = |text: &str| text.parse::<i64>().expect("a number");
                (number(min)..=number(max)).contains(&number(value))
            }
            ["combo", "default", value, vars @ ..] => {
                vars.chunks(2)
                    .all(|pair| pair.len() == 2 && pair[0] == "var")
                    && vars.chunks(2).any(|pair| pair[1] == *value)
            }
            ["button"] => true,
            ["string", "default", ..] => words.len() > 2,
            _ => false,
        };
        assert!(good, "{line}");
    }
}

#[test]
fn an_info_line_has_every_field_and_the_last_one_the_best_move() {
    for variant in Variant::ALL {
        let mut session = Session::of(variant.name());
        session.send("position startpos");
        let (lines, best) = session.go("go depth 4");
        let infos: Vec<Vec<&str>> = lines.iter().map(|l| l.split(' ').collect()).collect();
        assert!(!infos.is_empty());
        for info in &infos {
            let shape = [
                (0, "info"),
                (1, "depth"),
                (3, "seldepth"),
                (5, "multipv"),
                (7, "score"),
            ];
            for (at, word) in shape {
                assert_eq!(info[at], word, "{info:?}");
            }
            assert!(["cp", "mate"].contains(&info[8]), "{info:?}");
            let rest = match info[10] {
                "lowerbound" | "upperbound" => &info[11..],
                _ => &info[10..],
            };
            for (at, word) in ["nodes", "nps", "hashfull", "tbhits", "time"]
                .iter()
                .enumerate()
            {
                assert_eq!(rest[2 * at], *word, "{info:?}");
                assert!(rest[2 * at + 1].parse::<u64>().is_ok(), "{info:?}");
            }
            assert_eq!(rest[10], "pv", "{info:?}");
        }
        let last = infos.iter().rfind(|info| info[6] == "1").expect("a line");
        let pv = last.iter().position(|&word| word == "pv").expect("a pv");
        assert_eq!(last[pv + 1], best);
        assert!(!last.contains(&"lowerbound") && !last.contains(&"upperbound"));
        assert!(session.legal().contains(&best));
    }
}

#[test]
fn a_search_runs_without_any_position_command() {
    let (lines, status) = batch(&[], b"go depth 3\n");
    assert_eq!(bestmoves(&lines), 1, "{lines:?}");
    assert!(!lines.contains(&"bestmove (none)".to_owned()));
    assert!(status.success());
}

#[test]
fn an_infinite_search_waits_for_stop_and_answers_isready() {
    for line in [
        "go infinite",
        "go",
        "go infinite depth 2",
        "go infinite movetime 1",
    ] {
        let mut session = Session::start(&[]);
        session.send("position startpos");
        session.send(line);
        // By then a short search would be over.
        std::thread::sleep(std::time::Duration::from_millis(150));
        assert_eq!(bestmoves(&session.settle()), 0, "{line}");
        session.send("stop");
        session.until("bestmove");
        session.send("stop");
        session.send("ponderhit");
        assert_eq!(session.settle(), NONE);
    }
}

#[test]
fn an_infinite_search_of_a_finished_game_waits_too() {
    let mut session = Session::of("english");
    session.send("position fen B:W18:B");
    session.send("go infinite");
    let lines = session.settle();
    assert_eq!(lines, ["info string result white-wins no-pieces"]);
    assert_eq!(session.ask("stop", "bestmove"), "bestmove (none)");
}

#[test]
fn idle_stops_are_forgotten() {
    let mut session = Session::start(&[]);
    for _ in 0..200 {
        session.send("stop");
        session.send("stop");
        session.send("go infinite");
        session.send("stop");
        session.until("bestmove");
        let (_, best) = session.go("go depth 1");
        assert_ne!(best, "(none)");
        assert_eq!(session.settle(), NONE);
    }
}

#[test]
fn pondering_waits_for_ponderhit_or_stop() {
    for end in ["ponderhit", "stop"] {
        let mut session = Session::start(&[]);
        session.send("position startpos moves 32-28");
        session.send("go ponder wtime 200 btime 200");
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert_eq!(bestmoves(&session.settle()), 0);
        session.send(end);
        session.until("bestmove");
        assert_eq!(session.settle(), NONE);
    }
    // After the hit the limits hold; without any it goes on.
    let mut session = Session::start(&[]);
    session.send("go ponder");
    session.send("ponderhit");
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert_eq!(bestmoves(&session.settle()), 0);
    session.send("stop");
    session.until("bestmove");
}

#[test]
fn a_proven_end_is_not_thought_about_any_longer() {
    let depth_of = |go: &str| {
        let mut session = Session::of("english");
        session.send("position fen W:WK1,K2:BK14");
        let (lines, best) = session.go(go);
        assert_ne!(best, "(none)");
        let last = lines.iter().rfind(|line| line.starts_with("info depth"));
        let last = last.expect("an info line").clone();
        let depth: u32 = last
            .split(' ')
            .nth(2)
            .and_then(|d| d.parse().ok())
            .expect("a depth");
        (depth, last)
    };
    // Longer than the session waits.
    for go in [
        "go movetime 3600000",
        "go nodes 1000000000000",
        "go wtime 99999999999 btime 1",
    ] {
        let (depth, last) = depth_of(go);
        assert!(last.contains(" score mate 17 "), "{go}: {last}");
        assert!(depth < 60, "{go}: {last}");
    }
    // Who names a depth gets it.
    let (depth, last) = depth_of("go depth 60 nodes 1000000000000");
    assert_eq!(depth, 60, "{last}");
}

#[test]
fn clocks_of_every_kind_give_one_move() {
    let mut session = Session::of("english");
    for line in [
        "go wtime 1000 btime 1000 winc 50 binc 50",
        "go wtime 100",
        "go btime 100",
        "go btime 100 binc 100 wtime 100 winc 100",
        "go wtime -20 btime -20",
        "go wtime 0 btime 0 movestogo 40",
        "go wtime 32 btime 32 movestogo 1",
        "go wtime 100 btime 100 movestogo 0",
        "go movetime 0",
        "go movetime -1",
        "go movetime 20",
        "go depth 3 unknowntoken 7",
        "go nodes 1",
        "go depth 4000000000 movetime 20",
        "go wtime 9223372036854775807 btime 9223372036854775807 depth 2",
    ] {
        session.send("position startpos");
        let (lines, best) = session.go(line);
        assert_eq!(errors(&lines), NONE, "{line}");
        assert!(session.legal().contains(&best), "{line} {best}");
    }
}

#[test]
fn a_malformed_go_is_answered_by_an_error_and_no_move() {
    let mut session = Session::start(&[]);
    for line in [
        "go depth 0",
        "go depth -3",
        "go depth abc",
        "go depth",
        "go nodes 0",
        "go nodes 99999999999999999999999",
        "go movetime abc",
        "go movetime",
        "go mate 0",
        "go infinite wtime x",
        "go perft x",
    ] {
        let (lines, best) = session.go(line);
        assert_eq!(errors(&lines), ["bad-limit"], "{line}");
        assert_eq!((lines.len(), best.as_str()), (1, "(none)"), "{line}");
    }
    // The position is still there.
    assert_ne!(session.go("go depth 1").1, "(none)");
}

#[test]
fn searchmoves_are_obeyed_and_bad_ones_left_out() {
    let mut session = Session::start(&[]);
    session.send("position startpos");
    for mv in ["31-27", "35-30", "34-29"] {
        assert_eq!(session.go(&format!("go depth 3 searchmoves {mv}")).1, mv);
    }
    let (lines, best) = session.go("go searchmoves 31-28 xx 33-29 depth 2");
    assert_eq!(errors(&lines), ["illegal-move", "bad-move"]);
    assert_eq!(best, "33-29");
    // With none left all moves are searched.
    let (lines, best) = session.go("go searchmoves 1-2 depth 2");
    assert_eq!(errors(&lines), ["illegal-move"]);
    assert!(session.legal().contains(&best));
}

#[test]
fn what_needs_an_idle_engine_stops_the_search_or_is_refused() {
    let mut session = Session::start(&[]);
    session.send("go infinite");
    for line in [
        "setoption name Hash value 1",
        "setoption name UCI_Variant value english",
        "fen",
        "d",
        "legal",
        "result",
        "rules",
        "eval",
        "help",
        "go_",
    ] {
        session.send(line);
        let lines = session.settle();
        let expected = if line == "go_" {
            "unknown-command"
        } else {
            "busy"
        };
        assert_eq!(errors(&lines), [expected], "{line}");
    }
    session.send("position startpos moves 32-28");
    session.until("bestmove");
    session.send("go infinite");
    session.send("go infinite");
    session.until("bestmove");
    session.send("ucinewgame");
    session.until("bestmove");
    assert_eq!(bestmoves(&session.settle()), 0);
    assert!(session.ask("fen", "fen").starts_with("fen B:W28,31,33"));
}

#[test]
fn a_thousand_searches_have_a_thousand_best_moves() {
    let mut input = String::new();
    for round in 0..1000 {
        input += match round % 5 {
            0 => "position startpos\ngo infinite\nstop\n",
            1 => "go ponder wtime 100\nponderhit\nstop\n",
            2 => "go infinite\n",
            3 => "ucinewgame\ngo depth 0\nstop\nstop\n",
            _ => "position startpos moves 32-28\ngo movetime 1000000\nstop\nisready\n",
        };
    }
    let (lines, status) = batch(&[], input.as_bytes());
    assert_eq!(bestmoves(&lines), 1000);
    assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 200);
    assert!(status.success());
}

#[test]
fn the_end_of_input_ends_a_limited_search_by_its_limit_and_others_at_once() {
    for line in [
        "go movetime 100",
        "go depth 3",
        "go nodes 1000",
        "go wtime 300 btime 300",
        "go infinite",
        "go",
        "go ponder movetime 100000",
        "go ponder",
        "go ponder movetime 50\nponderhit",
        "go depth 2\ngo infinite",
        "go infinite\nposition startpos\ngo depth 2\ngo ponder",
        "go perft 4\ngo infinite",
        "go depth x",
        "position fen x\ngo infinite",
    ] {
        for threads in ["1", "3"] {
            let input = format!("setoption name Threads value {threads}\n{line}");
            let gos = line.matches("go").count() - line.matches("perft").count();
            let (lines, status) = batch(&[], input.as_bytes());
            assert_eq!(bestmoves(&lines), gos, "{line}: {lines:?}");
            assert!(status.success(), "{line}");
        }
    }
}

#[test]
fn quit_ends_everything() {
    for line in [
        "",
        "go infinite",
        "go depth 60",
        "go ponder",
        "go perft 12",
        "go perft 12\ngo infinite\nfen",
    ] {
        let mut session = Session::start(&[]);
        session.send(line);
        session.send("quit");
        let (lines, status) = session.finish();
        let gos = line.matches("go").count() - line.matches("perft").count();
        assert_eq!(bestmoves(&lines), gos, "{line}: {lines:?}");
        assert!(status.success(), "{line}");
    }
}

#[test]
fn a_broken_pipe_ends_everything() {
    for line in [
        "uci\n",
        "isready\ngo infinite\nisready\n",
        "isready\ngo perft 12\nisready\n",
    ] {
        let status = unheard(&[], line.as_bytes()).expect("it ends");
        assert!(status.success(), "{line} {status}");
    }
}

#[test]
fn debug_tells_of_commands_without_effect() {
    let mut session = Session::start(&[]);
    session.send("joho debug on");
    assert_eq!(
        session.ask("stop", "info"),
        "info string stop ignored: nothing is running"
    );
    session.send("debug off");
    session.send("stop");
    assert_eq!(session.settle(), NONE);
}

#[test]
fn the_smallest_limits_still_give_a_line_with_the_best_move() {
    let mut session = Session::start(&[]);
    session.send("setoption name Threads value 8");
    for go in [
        "go nodes 1",
        "go nodes 1000",
        "go movetime 0",
        "go wtime 0 btime 0",
    ] {
        for _ in 0..20 {
            session.send("ucinewgame");
            let (infos, best) = session.go(go);
            let last = infos.last().unwrap_or_else(|| panic!("{go}: no info"));
            assert!(
                last.contains(&format!(" pv {best}")),
                "{go}: {last}, {best}"
            );
        }
    }
}
