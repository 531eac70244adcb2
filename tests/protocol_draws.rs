//! Results by the rules, as the question `result` tells them.

#[path = "support/session.rs"]
mod session;

use session::{Session, errors};

/// The result of a game, ply by ply from its first position on.
fn results(variant: &str, rules: &str, fen: &str, moves: &str) -> Vec<String> {
    let mut session = Session::of(variant);
    session.send(&format!("setoption name DrawRules value {rules}"));
    let moves: Vec<_> = moves.split_whitespace().collect();
    (0..=moves.len())
        .map(|ply| {
            let played = moves[..ply].join(" ");
            session.send(&format!("position fen {fen} moves {played}"));
            let said = session.settle();
            assert_eq!(errors(&said), [""; 0], "{said:?}");
            session.ask("result", "result")
        })
        .collect()
}

/// The first ply whose result is not `ongoing`, and that result.
fn first_end(results: &[String]) -> Option<(usize, &str)> {
    let ended = |(_, result): &(usize, &String)| *result != "result ongoing";
    let (ply, result) = results.iter().enumerate().find(ended)?;
    Some((ply, result))
}

#[test]
fn the_first_position_counts_in_a_repetition() {
    let moves = "4-8 29-25 8-4 25-29 4-8 29-25 8-4 25-29";
    let results = results("english", "none", "B:WK29:BK4", moves);
    assert_eq!(first_end(&results), Some((8, "result draw repetition")));
}

#[test]
fn forty_moves_of_each_side_without_progress() {
    let moves = "4-8 30-26 3-7 26-30 7-11 30-26 11-7 26-22 8-11 22-18 11-16 18-14 16-12 14-17 7-11 17-13 11-7 13-9 \
        12-8 9-14 8-12 14-18 7-11 18-22 12-16 22-17 11-7 17-13 16-12 13-9 7-11 9-6 12-16 6-1 16-19 1-5 11-7 5-9 19-24 \
        9-6 7-3 6-2 24-19 2-6 19-23 6-10 23-27 10-15 3-7 15-18 27-31 18-15 31-27 15-19 7-2 19-15 27-24 15-10 24-20 \
        10-14 2-6 14-17 20-16 17-21 6-1 21-17 16-20 17-14 20-16 14-17 16-20 17-22 20-24 22-17 24-28 17-21 28-24 21-17 \
        24-28 17-21";
    let fen = "B:WK29,K30,25:BK4,K3";
    let results = results("english", "club", fen, moves);
    assert_eq!(first_end(&results), Some((80, "result draw no-progress")));
}

#[test]
fn a_lone_king_against_three_keeps_its_sixteen_moves_after_a_capture() {
    let moves = "47-38 3-9 46-23 9-22 38-24 22-17 48-31 17-39 24-38 39-17 31-42 17-22 38-15 22-6 42-31 6-1 31-18 1-6 \
        18-13 6-17 15-20 17-39 13-18 39-17 20-33 17x39 18-13 39-33 13-27 33-17 23-19 17-12 27-22 12-29 19-32 29-12";
    let fen = "W:WK46,K47,K48:BK3";
    let federation = results("international", "federation", fen, moves);
    assert_eq!(
        first_end(&federation),
        Some((32, "result draw king-endgame"))
    );
    let club = results("international", "club", fen, moves);
    assert_eq!(first_end(&club), None);
}

#[test]
fn fifteen_moves_of_each_side_with_three_kings_against_one() {
    let moves = "31-22 3-7 22-15 7-20 30-21 20-31 15-10 31-27 29-11 27-31 11-2 31-27 2-16 27-20 16-30 20-31 21-25 \
        31-20 10-6 20-27 30-16 27-31 25-11 31-17 6-13 17-10 16-26 10-28 11-25 28-10";
    let results = results("russian", "federation", "W:WK29,K30,K31:BK3", moves);
    let (ply, result) = first_end(&results).expect("it ends");
    assert_eq!(ply, 30);
    assert!(result.starts_with("result draw "), "{result}");
}

#[test]
fn one_piece_each_is_drawn_in_turkish_unless_it_can_be_taken() {
    let mut session = Session::of("turkish");
    for (fen, result) in [
        ("W:WKa1:BKh8", "result draw one-each"),
        ("W:Wa3:BKh8", "result draw one-each"),
        ("W:WKa8:BKb8", "result ongoing"),
    ] {
        session.send(&format!("position fen {fen}"));
        assert_eq!(session.ask("result", "result"), result, "{fen}");
    }
    session.send("setoption name DrawRules value none");
    session.send("position fen W:WKa1:BKh8");
    assert_eq!(session.ask("result", "result"), "result ongoing");
}

#[test]
fn a_side_without_pieces_or_moves_has_lost() {
    let mut session = Session::start(&[]);
    session.send("position fen W:W39:B44 moves 39x50");
    assert_eq!(session.ask("fen", "fen"), "fen B:W50:B");
    assert_eq!(
        session.ask("result", "result"),
        "result white-wins no-pieces"
    );
    assert_eq!(session.ask("legal", "legal"), "legal 0");
    let (lines, best) = session.go("go depth 3");
    assert_eq!(lines, ["info string result white-wins no-pieces"]);
    assert_eq!(best, "(none)");
    session.send("position fen W:W46:B41,37");
    assert_eq!(session.ask("result", "result"), "result black-wins blocked");
}

#[test]
fn a_drawn_position_is_told_and_still_searched() {
    let mut session = Session::of("english");
    session.send("position fen B:WK29:BK4:H80");
    let (lines, best) = session.go("go depth 3");
    assert_eq!(lines[0], "info string result draw no-progress");
    assert!(session.legal().contains(&best));
    session.send("position fen B:WK29:BK4:H80 moves 4-8 29-25");
    assert_eq!(session.settle(), [""; 0]);
    assert_eq!(session.ask("result", "result"), "result draw no-progress");
}

#[test]
fn other_draw_rules_are_asked_of_the_same_game() {
    let mut session = Session::of("italian");
    session.send("position fen W:WK29:BK4:H79 moves 29-26");
    assert_eq!(session.ask("result", "result"), "result ongoing");
    assert_eq!(
        session.ask("rules", "rules"),
        "rules club repetition 1 3 no-progress 80 100"
    );
    for rules in ["federation", "club-40"] {
        session.send(&format!("setoption name DrawRules value {rules}"));
        assert_eq!(
            session.ask("result", "result"),
            "result draw no-progress",
            "{rules}"
        );
        let state = session.ask("rules", "rules");
        assert_eq!(
            state,
            format!("rules {rules} repetition 1 3 no-progress 80 80")
        );
    }
    session.send("setoption name DrawRules value none");
    assert_eq!(session.ask("rules", "rules"), "rules none repetition 1 3");
    assert_eq!(session.ask("result", "result"), "result ongoing");
}

#[test]
fn contempt_takes_a_draw_for_worse_than_an_even_position() {
    let mut session = Session::of("english");
    for contempt in [0, 30] {
        session.send(&format!("setoption name Contempt value {contempt}"));
        // Every move is the eightieth without progress.
        session.send("position fen W:WK1,K2,K3:BK30,K31,K32:H79");
        let (lines, _) = session.go("go depth 3");
        let expected = match contempt {
            0 => " score cp 0 ".to_owned(),
            _ => format!(" score cp -{contempt} "),
        };
        let last = lines.last().expect("an info");
        assert!(last.contains(&expected), "{last}");
    }
}

/// The score of a search of one ply under a contempt.
fn score_with(session: &mut Session, contempt: i32, fen: &str) -> i32 {
    session.send("ucinewgame");
    session.send(&format!("setoption name Contempt value {contempt}"));
    session.send(&format!("position fen {fen}"));
    let (lines, _) = session.go("go depth 1");
    let last = lines.last().expect("an info");
    let (_, rest) = last.split_once(" score cp ").expect("a score");
    let word = rest.split(' ').next().expect("a number");
    word.parse().expect("a number")
}

#[test]
fn contempt_takes_the_more_off_the_fewer_pieces_are_left() {
    let mut session = Session::of("english");
    // Nothing is taken at this depth: 12 and 18 of the 24 pieces of a game are gone.
    for (fen, less) in [
        ("W:W21,22,23,24,25,26:B5,6,7,8,9,10", 30),
        ("W:W21,22,24:B5,6,8", 45),
        ("B:W21,22,24:B5,6,8", 45),
    ] {
        let even = score_with(&mut session, 0, fen);
        assert_eq!(score_with(&mut session, 60, fen), even - less, "{fen}");
    }
}

#[test]
fn contempt_tells_draws_of_the_tables_apart_by_their_looks() {
    let mut session = Session::of("english");
    // Either capture leaves two kings against two, which the tables know.
    let fen = "W:WK14,K15:B18,K1,K5";
    assert_eq!(score_with(&mut session, 0, fen), 0);
    let score = score_with(&mut session, 60, fen);
    assert!((-90..=-30).contains(&score), "{score}");
}
