//! Files that have misled readers of PDN.

use warcab::board::Variant::{self, *};
use warcab::board::movegen::legal_moves;
use warcab::board::{Outcome, rules};
use warcab::notation::pdn::GameResult;
use warcab::notation::{Squares, fen};

use super::{game, games, moves, problems};

#[test]
fn quiet_moves_with_the_sign_of_captures() {
    let text = "[Event \"t\"]\n[Result \"*\"]\n1. 11-15 23-18 2. 8-11 27-23 3. 4-8 23-19 4. 10x14 19x10 5. 14x23 26x19 *";
    let game = game(text, English);
    assert_eq!(game.moves.len(), 10);
    assert!(moves(&game).contains("10-14"));
    assert_eq!(
        problems(&game),
        ["3 note: moves with the wrong sign between their squares: 1, first \"10x14\""]
    );
}

#[test]
fn a_score_that_looks_like_a_move_ends_the_game() {
    let game = game(
        "[Result \"4-6\"]\n[FEN \"W:WK4,32:B15,18,K19\"]\n\n 4-6\n",
        International,
    );
    assert_eq!(
        (game.moves.len(), game.result.clone()),
        (0, GameResult::Other("4-6".into()))
    );
    assert_eq!(problems(&game), [""; 0]);
    let written = game.write(Default::default());
    assert!(written.contains("[Result \"4-6\"]"), "{written}");
    assert_eq!(super::game(&written, International).result, game.result);
}

#[test]
fn the_result_tag_is_a_move_where_moves_follow_it() {
    let text = "[Result \"32-28\"]\n1. 32-28 19-23 2. 28x19 32-28\n";
    let game = game(text, International);
    assert_eq!(game.moves.len(), 3);
    assert_eq!(game.result, GameResult::Other("32-28".into()));
}

#[test]
fn italian_tags_and_no_game_type() {
    let text = "[Dati \"1 turno\"]\r\n[Bianco \"A\"]\r\n[Nero \"B\"]\r\n[Risultato \"1-0\"]\r\n[Altro \"x\"]\r\n\r\n1. 21-17 12-15 2. 23-19 11-14 \
        3. 19x12 8x15 4. 28-23 14-18 5. 22x13 9x18 1-0";
    let game = game(text, Italian);
    assert_eq!((game.moves.len(), game.variant), (10, Italian));
    assert_eq!(problems(&game), [""; 0]);
    assert_eq!(game.result, GameResult::WhiteWins);
    assert_eq!(
        (game.tag("White"), game.tag("Black"), game.tag("Altro")),
        (Some("A"), Some("B"), Some("x"))
    );
    let russian = super::game(text, Russian);
    assert!(problems(&russian)[0].contains("italian"), "{russian:?}");
}

#[test]
fn stars_are_marks_and_ends() {
    let text =
        "[GameType \"20\"]\n1. 33-28 18-23 2. 39-33* 13-18 *\n\n[GameType \"20\"]\n1. 32-28 *";
    let list = games(text, English);
    let plies: Vec<_> = list.iter().map(|game| game.moves.len()).collect();
    assert_eq!(plies, [4, 1]);
    assert!(list.iter().all(|game| game.problems.is_empty()));
    assert!(list[0].write(Default::default()).contains("39-33 $7 13-18"));
}

#[test]
fn a_game_type_that_contradicts_the_moves() {
    let text = "[GameType \"20\"]\n1. c3-d4 f6-g5 2. e3-f4 g5xe3xc5 *";
    let game = game(text, Russian);
    assert_eq!((game.variant, game.moves.len()), (International, 0));
    let problem = &problems(&game)[0];
    assert!(problem.starts_with("2 error: move 1 of White"), "{problem}");
    assert!(
        problem.contains("all its moves are legal as brazilian or russian"),
        "{problem}"
    );
    assert_eq!(game.unread.as_deref(), Some("c3-d4 f6-g5 e3-f4 g5xe3xc5"));
}

#[test]
fn fens_of_the_world() {
    let read = |fen: &str, variant| game(format!("[FEN \"{fen}\"]\n*"), variant);
    for (fen, variant) in [
        ("W:WK27,K23:BK28,12.", English),
        ("W:W31-50:B1-20", International),
        (
            "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6",
            Russian,
        ),
        (
            "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12:H0:F1",
            Russian,
        ),
    ] {
        assert_eq!(problems(&read(fen, variant)), [""; 0], "{fen}");
    }
    let unknown = read("?:W29,13,11:B22,4,2", English);
    assert!(problems(&unknown)[0].contains("no side to move"));
    let in_set_up = game("[SetUp \"W:WK1:BK50\"]\n1. 1-6 *", International);
    assert_eq!(
        (moves(&in_set_up).as_str(), problems(&in_set_up).len()),
        ("1-6", 0)
    );
    let empty = game("[FEN \"\"]\n1. 32-28 *", International);
    assert_eq!(
        (moves(&empty).as_str(), problems(&empty).len()),
        ("32-28", 0)
    );
}

#[test]
fn a_side_without_pieces() {
    let game = game("[FEN \"W:W39:B44\"]\n1. 39x50 2-0", International);
    let (_, end) = game.first_and_last_fen(Squares::Native);
    assert_eq!(end, "B:W50:B");
    type R = rules::International;
    let board = fen::parse::<R>(&end).expect("a position").board;
    assert!(legal_moves::<R>(&board).is_empty());
    let table = <R as warcab::board::Rules>::draw_table(Default::default());
    let outcome = warcab::board::Game::<R>::new(board, 0, table).outcome();
    assert!(matches!(
        outcome,
        Outcome::Win(warcab::board::Side::White, _)
    ));
}

#[test]
fn names_in_all_scripts_and_mixed_line_ends() {
    let text = "% note\r\n[White \"Сергей \\\"X\\\"\"]\r\n[Black \"高\"]\r\n1.32-28 19-23*\r\n";
    let game = game(text, International);
    assert_eq!(
        (game.tag("White"), game.tag("Black")),
        (Some("Сергей \"X\""), Some("高"))
    );
    assert_eq!((game.moves.len(), game.problems.len()), (2, 0));
    let written = game.write(Default::default());
    assert!(
        written.contains("[White \"Сергей \\\"X\\\"\"]\n[Black \"高\"]\n"),
        "{written}"
    );
    let cp1251 = b"[White \"\xd1\xe5\xf0\xe3\xe5\xe9\"]\n1. 32-28 *\n[White \"B\"]\n1. 33-28 *\n";
    let list = games(cp1251, International);
    assert_eq!(list.len(), 2);
    assert!(list.iter().all(|game| game.moves.len() == 1));
}

#[test]
fn games_without_moves() {
    let text = "\r\n[Event \"40° P1\"]\r\n[Result \"0-1\"]\r\n[Setup \"1\"]\r\n[FEN \"W:WK27,K23:BK28,12.\"]\r\n0-1\r\n\r\n[Event \"P2\"]\n\
        [Result \"1-0\"]\n[FEN \"B:W13,12,K8:B6,3,K1.\"]\n1-0\n";
    let latin = encoded(text);
    for bytes in [text.as_bytes(), &latin] {
        let list = games(bytes, Variant::English);
        assert_eq!(list.len(), 2);
        assert!(
            list.iter()
                .all(|game| game.moves.is_empty() && game.problems.is_empty())
        );
        assert_eq!(list[0].tag("Event"), Some("40° P1"));
        assert_eq!((list[0].line, list[1].line), (2, 8));
        assert_eq!(list[1].result, GameResult::WhiteWins);
    }
}

/// The text in ISO-8859-1.
fn encoded(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| u8::try_from(c).expect("Latin"))
        .collect()
}
