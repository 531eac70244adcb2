//! What the engine remembers between commands: positions, sets, options.

#[path = "support/session.rs"]
mod session;

use session::{Session, errors};

use warcab::board::Variant;

const NONE: [&str; 0] = [];

#[test]
fn an_engine_takes_its_own_moves_back_in_every_notation() {
    for variant in Variant::ALL {
        for notation in ["short", "path", "hub"] {
            for squares in ["native", "numeric", "algebraic"] {
                let mut session = Session::of(variant.name());
                session.send(&format!("setoption name Notation value {notation}"));
                session.send(&format!("setoption name Squares value {squares}"));
                let mut moves = String::new();
                for _ in 0..30 {
                    session.send(&format!("position startpos moves{moves}"));
                    let (lines, best) = session.go("go nodes 200");
                    assert_eq!(errors(&lines), NONE);
                    if best == "(none)" {
                        break;
                    }
                    moves += " ";
                    moves += &best;
                }
                assert!(moves.split(' ').count() > 10, "{moves}");
            }
        }
    }
}

#[test]
fn only_another_set_brings_its_start_position() {
    let mut session = Session::start(&[]);
    let start = session.ask("fen", "fen");
    session.send("position startpos moves 32-28");
    let moved = session.ask("fen", "fen");
    assert_ne!(start, moved);
    for line in [
        "ucinewgame",
        "setoption name Hash value 1",
        "setoption name Clear Hash",
        "setoption name DrawRules value federation",
        "setoption name UCI_Variant value International",
        "setoption name uci_variant value 20",
        "uci",
    ] {
        session.send(line);
        session.settle();
        assert_eq!(session.ask("fen", "fen"), moved, "{line}");
    }
    session.send("position startpos");
    let names = [
        ("english", "checkers", "21"),
        ("brazilian", "brazylijskie", "26"),
        ("spanish", "damas", "24"),
        ("turkish", "dama", "30"),
        ("italian", "Dama Italiana", "22"),
        ("russian", "SHASHKI", "25"),
    ];
    for (name, alias, number) in names {
        let own = Session::of(name).ask("fen", "fen");
        for spelling in [name, alias, number] {
            session.send("setoption name UCI_Variant value international");
            assert_eq!(session.ask("fen", "fen"), start);
            session.send(&format!("setoption name UCI_Variant value {spelling}"));
            assert_eq!(session.ask("fen", "fen"), own, "{spelling}");
        }
        assert_ne!(session.go("go depth 2").1, "(none)");
    }
    session.send("position fen nonsense");
    assert_eq!(errors(&session.settle()), ["bad-fen"]);
    session.send("setoption name UCI_Variant value international");
    assert_eq!(session.ask("fen", "fen"), start);
}

#[test]
fn a_bad_position_leaves_none() {
    let mut session = Session::of("english");
    for (line, code) in [
        ("position", "bad-position"),
        ("position moves 11-15", "bad-position"),
        ("position fen", "bad-fen"),
        ("position fen not a fen", "bad-fen"),
        ("position fen ?:W29:B22", "bad-fen"),
        ("position fen W:W1:B32", "bad-fen"),
        ("position hub", "bad-hub"),
        ("position hub Wxx", "bad-hub"),
        ("position startpos moves zz", "bad-move"),
        ("position startpos moves 11-15 11-15", "illegal-move"),
        ("position fen W:WK4,K12:B8,K7 moves 4x11 q", "illegal-move"),
    ] {
        session.send("position startpos");
        assert_eq!(session.settle(), NONE);
        session.send(line);
        assert_eq!(errors(&session.settle()), [code], "{line}");
        assert_eq!(session.ask("fen", "fen"), "fen none");
        assert_eq!(session.ask("d", "fen"), "fen none");
        assert_eq!(session.ask("legal", "legal"), "legal none");
        assert_eq!(session.ask("result", "result"), "result none");
        assert_eq!(session.ask("rules", "rules"), "rules none");
        assert_eq!(session.ask("eval", "eval"), "eval none");
        assert_eq!(session.ask("go perft 2", "nodes"), "nodes none");
        let (lines, best) = session.go("go depth 1");
        assert_eq!(errors(&lines), ["no-position"]);
        assert_eq!(best, "(none)");
    }
}

#[test]
fn an_ambiguous_move_is_refused_with_the_moves_it_fits() {
    let mut session = Session::start(&[]);
    session.send("position fen W:WK4:B13,20,32,37");
    let legal = session.legal();
    assert_eq!(legal.len(), 2);
    session.send("position fen W:WK4:B13,20,32,37 moves 4x15");
    let lines = session.settle();
    assert_eq!(errors(&lines), ["ambiguous-move"]);
    for mv in legal {
        assert!(lines[0].contains(&mv), "{mv} is missing in {lines:?}");
        session.send(&format!("position fen W:WK4:B13,20,32,37 moves {mv}"));
        assert_eq!(session.settle(), NONE);
    }
}

#[test]
fn positions_come_in_three_forms() {
    let mut session = Session::start(&[]);
    let start = session.ask("fen", "fen");
    let hub = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    for line in [
        "position startpos".to_owned(),
        "position startpos moves".to_owned(),
        format!("position hub {hub}"),
        "position fen W : W 31 - 50 : B 1-20 . moves".to_owned(),
    ] {
        session.send(&line);
        assert_eq!(session.settle(), NONE, "{line}");
        assert_eq!(session.ask("fen", "fen"), start, "{line}");
    }
    session.send("position fen B:W31-50:B1-20:H7:F3 moves 19-23");
    let fen = session.ask("fen", "fen");
    assert!(fen.ends_with(":H0:F4"), "{fen}");
    session.send("position fen W:WK50:BK1:H7:F3 moves 50-44");
    let fen = session.ask("fen", "fen");
    assert!(fen.ends_with(":H8:F3"), "{fen}");
}

#[test]
fn perft_is_counted_divided_and_stopped() {
    let mut session = Session::of("russian");
    for (depth, nodes) in [(0, 1), (1, 7), (6, 37_986)] {
        session.send(&format!("go perft {depth}"));
        let mut lines = session.until("nodes");
        assert_eq!(lines.pop(), Some(format!("nodes {nodes}")));
        let sum = lines.iter().filter_map(|line| line.split_once(": "));
        let sum: u64 = sum.map(|(_, n)| n.parse::<u64>().expect("a number")).sum();
        assert_eq!(sum, if depth == 0 { 0 } else { nodes });
    }
    session.send("go perft 40");
    assert_eq!(session.settle(), NONE);
    session.send("fen");
    session.send("stop");
    let lines = session.until("fen");
    assert_eq!(errors(&lines), ["stopped"]);
    // One perft waits for the other.
    session.send("go perft 5");
    session.send("go perft 1");
    session.send("setoption name UCI_Variant value english");
    session.send("go perft 7");
    assert_eq!(
        session.until("nodes").last().map(String::as_str),
        Some("nodes 7482")
    );
    assert_eq!(
        session.until("nodes").last().map(String::as_str),
        Some("nodes 7")
    );
    assert_eq!(
        session.until("nodes").last().map(String::as_str),
        Some("nodes 179740")
    );
}

#[test]
fn bad_options_are_refused_and_change_nothing() {
    let mut session = Session::start(&[]);
    for (line, code) in [
        ("setoption", "bad-command"),
        ("setoption name", "bad-command"),
        ("setoption value 3", "bad-command"),
        (
            "setoption name No Such Option value x y z",
            "no-such-option",
        ),
        ("setoption name Hash", "bad-value"),
        ("setoption name Hash value 0", "bad-value"),
        ("setoption name Hash value -5", "bad-value"),
        ("setoption name Hash value 99999999", "bad-value"),
        ("setoption name Hash value abc", "bad-value"),
        ("setoption name Threads value 257", "bad-value"),
        ("setoption name MultiPV value 501", "bad-value"),
        ("setoption name Skill Level value 21", "bad-value"),
        ("setoption name UCI_Variant value chess", "bad-value"),
        ("setoption name DrawRules value", "bad-value"),
        (
            "setoption name Debug Log File value /no/such/folder/log",
            "log-file",
        ),
        ("debug maybe", "bad-command"),
    ] {
        session.send(line);
        assert_eq!(errors(&session.settle()), [code], "{line}");
    }
    for line in [
        "SetOption   NAME  hash   VALUE  8",
        "setoption name clear hash",
        "setoption name Skill Level value 0",
        "setoption name UCI_LimitStrength value true",
        "setoption name uci_elo value 1000",
        "setoption name Move Overhead value 0",
        "setoption name Ponder value TRUE",
    ] {
        session.send(line);
        assert_eq!(session.settle(), NONE, "{line}");
    }
    assert_ne!(session.go("go depth 2").1, "(none)");
}

#[test]
fn options_show_in_the_output() {
    let mut session = Session::of("russian");
    assert!(session.legal().contains(&"c3-d4".to_owned()));
    session.send("setoption name Squares value numeric");
    assert!(session.legal().contains(&"22-18".to_owned()));
    session.send("setoption name UCI_ShowWDL value true");
    let (lines, _) = session.go("go depth 1");
    let words: Vec<_> = lines.last().expect("an info").split(' ').collect();
    let at = words.iter().position(|&word| word == "wdl").expect("wdl");
    assert_eq!(words[at - 3], "score");
    let sum: u32 = words[at + 1..at + 4]
        .iter()
        .map(|n| n.parse::<u32>().expect("a number"))
        .sum();
    assert_eq!(sum, 1000);
    session.send("setoption name Notation value hub");
    session.send("position fen W:Wc3:Bd4");
    assert_eq!(session.legal(), ["22x15x18"]);
}

#[test]
fn the_log_holds_both_directions() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("the log.txt");
    let mut session = Session::start(&[]);
    session.send(&format!(
        "setoption name Debug Log File value {}",
        path.display()
    ));
    session.settle();
    // The reader may have been ahead of the opening; from here on it is not.
    session.settle();
    session.send("setoption name Debug Log File value <empty>");
    session.settle();
    let log = std::fs::read_to_string(path).expect("a log");
    assert!(log.contains("<< isready\n>> readyok\n"), "{log}");
    let last = "<< setoption name Debug Log File value <empty>\n";
    assert!(log.contains(last), "{log}");
}

#[test]
fn multipv_ranks_run_without_gaps_up_to_the_legal_moves() {
    for (variant, fen, count) in [
        ("international", "W:WK4:B13,20,32,37", 2),
        ("international", "W:W28:B33", 1),
        ("russian", "W:WK29,K30,K31:BK3", 21),
    ] {
        let mut session = Session::of(variant);
        session.send("setoption name MultiPV value 30");
        session.send(&format!("position fen {fen}"));
        assert_eq!(session.legal().len(), count);
        let (lines, best) = session.go("go depth 6");
        let last: Vec<Vec<&str>> = lines[lines.len() - count..]
            .iter()
            .map(|line| line.split(' ').collect())
            .collect();
        let ranks: Vec<_> = last.iter().map(|words| words[6]).collect();
        let wanted: Vec<_> = (1..=count).map(|rank| rank.to_string()).collect();
        assert_eq!(ranks, wanted, "{fen}");
        let first = |words: &[&str]| {
            let pv = words.iter().position(|&word| word == "pv").expect("a pv");
            words[pv + 1].to_owned()
        };
        assert_eq!(first(&last[0]), best);
        let mut moves: Vec<_> = last.iter().map(|words| first(words)).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), count, "{fen}");
    }
}

#[test]
fn every_move_of_every_line_is_legal() {
    for variant in Variant::ALL {
        let mut session = Session::of(variant.name());
        session.send("setoption name Hash value 1");
        session.send("setoption name Threads value 4");
        session.send("setoption name MultiPV value 3");
        let mut played = String::new();
        for limit in ["depth 7", "movetime 20", "nodes 3000"]
            .iter()
            .cycle()
            .take(12)
        {
            session.send(&format!("position startpos moves{played}"));
            let (lines, best) = session.go(&format!("go {limit}"));
            let pvs: Vec<String> = lines
                .iter()
                .filter_map(|line| line.split_once(" pv "))
                .map(|(_, pv)| pv.to_owned())
                .collect();
            for pv in pvs {
                session.send(&format!("position startpos moves{played} {pv}"));
                let said = session.settle();
                assert_eq!(said, NONE, "{variant} moves{played} pv {pv}");
            }
            if best == "(none)" {
                break;
            }
            played += " ";
            played += &best;
        }
    }
}
