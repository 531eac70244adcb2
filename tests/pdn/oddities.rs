//! The ways in which people and programs depart from PDN 3.0.

use warcab::board::Variant::*;
use warcab::notation::pdn::{GameResult, RemarkKind, clocks};

use super::{game, games, moves, problems};

/// The moves of a text that is read without problems.
fn clean(text: &str) -> String {
    let game = game(text, International);
    assert_eq!(problems(&game), [""; 0], "{text}");
    moves(&game)
}

#[test]
fn moves_in_all_spellings() {
    for text in [
        "1. 32-28 19-23 2. 28x19 14x23 *",
        "1.32-28 19-23 2.28x19 14x23 *",
        "1. 32 - 28 19 - 23 2. 28 x 19 14 x 23 *",
        "1. 32- 28 19 -23 2. 28x 19 14 x23 *",
        "1. 3228 1923 2. 2819 1423 *",
        "1. 032-028 019-023 2. 028x019 014x23 *",
        "1. 32-28 1. ... 19-23 2. 28:19 2... 14:23 *",
        "1. 32–28 19\u{2011}23 2. 28×19 14x23 *",
        "1. 32-28! 19-23?? 2. 28x19 (!?) 14x23 (?) *",
        "1 32-28 19-23 2 28x19 14x23 *",
        "32-28 19-23\n28x19\n14x23\n*",
        "1. 32-28 19-23 2.\u{a0}28x19\u{a0}14x23 *",
    ] {
        assert_eq!(clean(text), "32-28 19-23 28x19 14x23", "{text}");
    }
    let text = b"1. 32\x9628 19-23 2. 28\xd719 14x23 *";
    assert_eq!(moves(&game(text, International)), "32-28 19-23 28x19 14x23");
    for text in [
        "1. c3-d4 *",
        "1. c3d4 *",
        "1. C3-D4 *",
        "1. 22-18 *",
        "1. c3 - d4 *",
    ] {
        let game = game(text, Russian);
        assert_eq!(
            (moves(&game).as_str(), game.problems.len()),
            ("c3-d4", 0),
            "{text}"
        );
    }
}

#[test]
fn captures_jump_by_jump_and_by_their_whole_path() {
    let start = "[FEN \"W:W48:B42,32,22,1\"]\n";
    for movetext in [
        "1. 48x17 1-7 *",
        "1. 48x37x28x17 1-7 *",
        "1. 48x37 37x28 28x17 1-7 *",
        "1. 48x37x28 28x17 1-7 *",
        "1. 48x37 x28 x17 1-7 *",
        "1. 48x17x42x32x22 1-7 *",
    ] {
        let game = game(format!("{start}{movetext}"), International);
        assert_eq!(moves(&game), "48x17 1-7", "{movetext}");
        assert_eq!(problems(&game), [""; 0]);
    }
}

#[test]
fn an_ambiguous_capture_is_settled_by_what_follows() {
    // The king takes 13 and 20 with 32 or with 37, and ends on 15 either way.
    let fen = "[FEN \"W:WK4:B13,20,32,37\"]\n";
    let first = game(format!("{fen}1. 4x15 32-38 2-0"), International);
    assert_eq!(moves(&first), "4x31x42x15 32-38");
    assert_eq!(problems(&first), [""; 0]);
    let second = game(format!("{fen}1. 4x15 37-41 2-0"), International);
    assert_eq!(problems(&second), [""; 0]);
    assert_ne!(first.moves[0], second.moves[0]);
    let open = game(format!("{fen}1. 4x15 2-0"), International);
    assert_eq!(open.moves.len(), 1);
    let [note] = &problems(&open)[..] else {
        panic!("{open:?}")
    };
    assert!(
        note.starts_with("2 note: move 1 of White, \"4x15\", is ambiguous"),
        "{note}"
    );
    assert_eq!(open.result, GameResult::WhiteWins);
}

#[test]
fn results_that_look_like_moves() {
    use GameResult::*;
    for (text, result) in [
        ("1-0", WhiteWins),
        ("2-0", WhiteWins),
        ("1-1", Draw),
        ("1/2-1/2", Draw),
        ("½-½", Draw),
        ("0-1", BlackWins),
        ("0-2", BlackWins),
        ("0 - 2", BlackWins),
        ("0-0", BothLose),
        ("1–1", Draw),
        ("*", Unknown),
        ("", Unknown),
    ] {
        let list = games(
            format!("1. 32-28 19-23 {text}\n[White \"x\"]\n1. 31-26 {text}"),
            International,
        );
        assert_eq!(list.len(), 2, "{text}");
        assert!(
            list.iter()
                .all(|game| game.result == result && game.problems.is_empty()),
            "{list:?}"
        );
        assert_eq!(list[0].moves.len(), 2);
    }
    let differ = game("[Result \"2-0\"]\n1. 32-28 0-2", International);
    assert_eq!(differ.result, BlackWins);
    assert!(problems(&differ)[0].contains("the tag says the result is 2-0"));
    assert_eq!(
        game("[Result \"2-0\"]\n1. 32-28 *", International).result,
        WhiteWins
    );
}

/// What is said in a game, with the number of moves before it.
fn remarks(text: &str) -> Vec<String> {
    let game = game(text, International);
    assert_eq!(problems(&game), [""; 0], "{text}");
    let text = |kind: &RemarkKind| match kind {
        RemarkKind::Comment(text) => format!("{{{text}}}"),
        RemarkKind::Nag(number) => format!("${number}"),
        RemarkKind::Variation(text) => format!("({text})"),
        RemarkKind::SetUp(_) => "set-up".into(),
    };
    let list = game.remarks.iter();
    list.map(|r| format!("{} {}", r.ply, text(&r.kind)))
        .collect()
}

#[test]
fn comments_variations_and_marks_are_kept() {
    assert_eq!(
        remarks(
            "[Event \"x\"]\n{before} 1. 32-28 {a {b}\n c} 19-23 $4 (1. ... 18-23 {or)} (2. 28x19) ; last\n 2. 37-32) \
             2. 28x19!? ; to the end {\n14x23* 2-0 {White resigns}"
        ),
        [
            "0 {before}",
            "1 {a {b} c}",
            "2 $4",
            "2 (1. ... 18-23 {or)} (2. 28x19) { last} 2. 37-32)",
            "3 $5",
            "3 {to the end {}",
            "4 $7",
            "4 {White resigns}",
        ]
    );
    assert_eq!(
        remarks("1. 32-28 {a { b} 19-23 {c} *"),
        ["1 {a { b}", "2 {c}"]
    );
    assert_eq!(remarks("1. 32-28+ 19-23 *"), ["1 {+}"]);
    assert_eq!(remarks("1. 32-28\n% made by x\n19-23 *"), ["1 {made by x}"]);
    let deep = format!(
        "1. 32-28 {}{} 19-23 *",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    assert_eq!(remarks(&deep).len(), 1);
}

#[test]
fn clocks_are_kept() {
    let text = "1. 32-28 {[%clk 0:01:02]} 19-23 {[%clock w0:10:05 B0:09:31]} *";
    let list = remarks(text);
    assert_eq!(
        list,
        ["1 {[%clk 0:01:02]}", "2 {[%clock w0:10:05 B0:09:31]}"]
    );
    assert_eq!(clocks(&list[0])[0].left.as_secs(), 62);
    assert_eq!(clocks(&list[1]).len(), 2);
}

#[test]
fn positions_set_up_within_a_game() {
    let text = "1. 32-28 /FEN \"B:WK50:B15\"/ 15-20 2. 50-45 *";
    let game = game(text, International);
    assert_eq!(
        (moves(&game).as_str(), game.problems.len()),
        ("32-28 15-20 50-45", 0)
    );
    assert!(game.set_ups().map(|(ply, _)| ply).eq([1]));
    let written = game.write(Default::default());
    assert!(
        written.contains("1. 32-28 /FEN \"B:WK50:B15\"/ 1... 15-20 2. 50-45 *"),
        "{written}"
    );
    let bad = super::game("1. 32-28 /FEN \"nonsense\"/ 15-20 *", International);
    assert_eq!(bad.moves.len(), 1);
    assert!(problems(&bad)[0].contains("no side to move"), "{bad:?}");
}

#[test]
fn a_null_or_unreadable_move_costs_the_rest_of_its_game_alone() {
    for (bad, words) in [
        ("- -", "null move \"--\""),
        ("--", "null move"),
        ("0000", "null move"),
        ("28-17", "move 2 of White: \"28-17\" is not legal here"),
        ("xyzzy", "cannot read \"xyzzy\""),
        ("99-98", "outside the board"),
    ] {
        let text = format!(
            "[Event \"a\"]\n1. 32-28 19-23\n2. {bad} 14x23 {{c}} 2-0\n\n[Event \"b\"]\n1. 33-28 *\n"
        );
        let list = games(text, International);
        assert_eq!(list.len(), 2, "{bad}");
        assert_eq!((list[0].moves.len(), list[1].moves.len()), (2, 1));
        assert_eq!((list[0].number, list[1].number), (1, 2));
        let problem = &problems(&list[0])[0];
        assert!(
            problem.starts_with("3 error") && problem.contains(words),
            "{problem}"
        );
        assert_eq!(list[0].result, GameResult::WhiteWins);
        let unread = list[0].unread.as_deref();
        assert!(
            unread.is_some_and(|rest| rest.ends_with("14x23 {c}")),
            "{unread:?}"
        );
        let written = list[0].write(Default::default());
        assert!(
            written.replace('\n', " ").contains("14x23 (c)} 2-0"),
            "{written}"
        );
    }
    let leading = game(
        "[FEN \"B:W31-50:B1-20\"]\n1. - - 19-23 2. 32-28 *",
        International,
    );
    assert_eq!(moves(&leading), "19-23 32-28");
    assert!(problems(&leading)[0].contains("warning"), "{leading:?}");
}

#[test]
fn what_is_not_closed_costs_one_game() {
    for (text, words) in [
        ("1. 32-28 {a\n\n", "comment that begins here"),
        ("1. 32-28 {a {b\n\n", "comment that begins here"),
        ("1. 32-28 (1. 31-27\n\n", "variation that begins here"),
        ("1. 32-28 ({a\n", "variation that begins here"),
    ] {
        let list = games(format!("{text}[Event \"b\"]\n1. 33-28 *\n"), International);
        assert_eq!(list.len(), 2, "{text}");
        assert!(problems(&list[0])[0].contains(words), "{list:?}");
        assert_eq!((list[0].moves.len(), list[1].moves.len()), (1, 1));
    }
}

#[test]
fn tags_in_all_spellings() {
    for (text, name, value, clean) in [
        ("[ White  \"A B\" ]", "White", "A B", true),
        ("[White\"A\"]", "White", "A", true),
        ("[White \"A\"] [Black \"B\"]", "Black", "B", true),
        ("[White \"A \"B\" C\"]", "White", "A \"B\" C", false),
        ("[White \"A]", "White", "A", false),
        ("[White \"A\"", "White", "A", false),
        ("[White A B]", "White", "A B", false),
        ("[white \"A\"]", "White", "A", true),
    ] {
        let game = game(format!("{text}\n1. 32-28 *"), International);
        assert_eq!(game.tag(name), Some(value), "{text}");
        assert_eq!(
            game.problems.is_empty(),
            clean,
            "{text}: {:?}",
            game.problems
        );
        assert_eq!(game.moves.len(), 1, "{text}");
    }
}

#[test]
fn game_types_in_all_spellings() {
    for (value, variant) in [
        ("20", International),
        ("20,W,10,10,N2,0", International),
        ("25,W,8,8,A0,0", Russian),
        (" 25 , W", Russian),
        ("21,B", English),
        ("Russian", Russian),
        ("99", International),
        ("", Turkish),
        ("?", Turkish),
    ] {
        let game = game(format!("[GameType \"{value}\"]\n*"), Turkish);
        assert_eq!((game.variant, game.problems.len()), (variant, 0), "{value}");
    }
    let frisian = game("[GameType \"40\"]\n1. 32-28 2-0", International);
    assert!(problems(&frisian)[0].contains("GameType \"40\""));
    assert_eq!(frisian.unread.as_deref(), Some("32-28"));
    assert_eq!(frisian.result, GameResult::WhiteWins);
}

#[test]
fn text_around_games_is_passed_over() {
    let text = "\u{feff}Games of 1999 (all)\nby somebody\n\n[Event \"a\"]\n1. 32-28 *\n\n----\n\n1. 33-28 19-23 *\n\n\u{feff}[Event \"c\"]\n\
        [Site \"x\"]\n\n[Event \"d\"]\n\nfin\n";
    let list = games(text, International);
    let plies: Vec<_> = list.iter().map(|g| (g.line, g.moves.len())).collect();
    assert_eq!(plies, [(4, 1), (9, 2), (11, 0), (14, 0)]);
}

#[test]
fn line_ends_of_all_systems() {
    for end in ["\n", "\r\n", "\r"] {
        let text = "[Event \"a\"]|[White \"b\"]||1. 32-28|19-99|*||".replace('|', end);
        let game = game(&text, International);
        assert!(
            problems(&game)[0].starts_with("5 error"),
            "{end:?}: {game:?}"
        );
        assert_eq!(game.tag("White"), Some("b"));
    }
}

#[test]
fn a_result_given_twice_makes_no_game() {
    let list = games(
        "1. 32-28 2-0 2-0\n\n[White \"x\"]\n1. 33-28 *\n*\n",
        International,
    );
    assert_eq!(list.len(), 2);
    assert!(problems(&list[1])[0].contains("outside a game"), "{list:?}");
}

#[test]
fn a_game_is_bounded() {
    let text = format!(
        "[Event \"a\"]\n1. 32-28 {{{}}} 19-23 *\n\n[Event \"b\"]\n1. 33-28 *\n",
        "long ".repeat(2 << 20)
    );
    let list = games(text, International);
    assert_eq!(list.len(), 2);
    assert!(problems(&list[0])[0].contains("longer than 8 MiB"));
    assert_eq!((list[0].moves.len(), list[1].moves.len()), (1, 1));
}

#[test]
fn bytes_like_the_mark_of_another_encoding_end_no_file() {
    let mut bytes = b"1. 32-28 *\n".to_vec();
    bytes.extend([0xff, 0xfe, b'\n']);
    bytes.extend(b"[GameType \"20\"]\n\n1. 33-28 *\n");
    let games = games(&bytes, International);
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].moves.len(), 1);
}
