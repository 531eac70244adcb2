//! Notation against the rules: what is written reads back, nothing that is typed panics, and games out in the world replay.

use std::collections::HashSet;

use proptest::prelude::*;
use warcab::board::geometry::bit;
use warcab::board::movegen::legal_moves;
use warcab::board::rules::International;
use warcab::board::rules::crown_row;
use warcab::board::validate::validate;
use warcab::board::{Board, Game, Geometry, Move, Outcome, Rules, Side, Variant};
use warcab::notation::moves::{parse, write, write_legal, write_line};
use warcab::notation::{MoveError, Notation, Squares, Style, Suffixes, diagram, fen, hub};
use warcab::with_rules;

fn board<R: Rules>(text: &str) -> Board {
    let setup = fen::parse::<R>(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    setup.board
}

fn styles() -> impl Iterator<Item = Style> {
    Notation::ALL.into_iter().flat_map(|(notation, _)| {
        Squares::ALL
            .into_iter()
            .map(move |(squares, _)| Style { notation, squares })
    })
}

fn short() -> Style {
    Style::default()
}

/// A board from one number a square: 0 to 3 are pieces, men where they may stand, all else is empty.
fn placed<R: Rules>(numbers: &[u8], side: Side) -> Board {
    let mut board = Board {
        pieces: [0, 0],
        kings: 0,
        side,
    };
    for (index, number) in numbers.iter().enumerate().take(R::Geo::SQUARES) {
        let square = R::Geo::square(index);
        let owner = match number {
            0 | 2 => Side::White,
            1 | 3 => Side::Black,
            _ => continue,
        };
        board.pieces[owner] |= bit(square);
        if *number >= 2 || crown_row::<R>(owner) & bit(square) != 0 {
            board.kings |= bit(square);
        }
    }
    validate::<R>(&board).unwrap();
    board
}

fn variants() -> impl Strategy<Value = Variant> {
    proptest::sample::select(Variant::ALL.to_vec())
}

/// Numbers for [`placed`], at all densities.
fn placements() -> impl Strategy<Value = Vec<u8>> {
    (5u8..40).prop_flat_map(|most| proptest::collection::vec(0..most, 64))
}

/// Texts that look almost like what is expected.
fn near_misses() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC*",
        "[WB?]:[WBwbK0-9a-j,.: -]{0,40}",
        "[WB]:W(K?[0-9]{1,2},){0,9}[0-9]{1,2}:B(K?[a-j][0-9],){0,9}[a-j]1(:[HF][0-9]{0,12}){0,3}\\.?",
        "[0-9]{1,2}([-x:×–‑ ][0-9a-j]{1,3}){0,8}",
        "([a-j][0-9]{1,2}[x: -]?){1,8}",
        "[0-9]{1,9}",
        "[WB][wbWBe]{32}|[WB][wbWBe]{50}|[WBX][wbWBex]{64}",
    ]
}

fn moves_read_back<R: Rules>(board: &Board) {
    let legal = legal_moves::<R>(board);
    for style in styles() {
        let texts = write_legal::<R>(board, style);
        assert!(texts.iter().map(|(mv, _)| mv).eq(legal.iter()));
        let different: HashSet<&String> = texts.iter().map(|(_, text)| text).collect();
        assert_eq!(different.len(), texts.len(), "{style:?} {texts:?}");
        for (mv, text) in &texts {
            assert_eq!(parse::<R>(board, text), Ok(*mv), "{style:?} {text}");
            assert_eq!(&write::<R>(board, mv, style), text);
            let decorated = text
                .replace(['-', ':'], "x")
                .replacen('x', " – ", 1)
                .to_uppercase();
            assert_eq!(parse::<R>(board, &decorated), Ok(*mv), "{decorated}");
        }
    }
    for mv in &legal {
        hub_forms_read_back::<R>(board, mv);
    }
}

/// Hub's captured squares may stand in any order; where some are missing the move is found or listed.
fn hub_forms_read_back<R: Rules>(board: &Board, mv: &Move) {
    let style = Style {
        notation: Notation::Hub,
        squares: Squares::Native,
    };
    let text = write::<R>(board, mv, style);
    let mut names: Vec<&str> = text.split('x').collect();
    if !mv.is_capture() {
        return;
    }
    names[2..].reverse();
    assert_eq!(parse::<R>(board, &names.join("x")), Ok(*mv), "{names:?}");
    names.pop();
    let listed = write::<R>(board, mv, short());
    match parse::<R>(board, &names.join(":")) {
        Ok(found) => assert!(
            found == *mv || found.captured.count_ones() as usize == names.len() - 1,
            "{names:?} read as {found:?}"
        ),
        Err(MoveError::Ambiguous { candidates, .. }) => {
            assert!(candidates.contains(&listed), "{candidates:?}, not {listed}");
        }
        Err(other) => panic!("{names:?}: {other}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_text_panics(text in near_misses(), variant in variants()) {
        with_rules!(variant, R => {
            if let Err(error) = fen::parse::<R>(&text) {
                prop_assert!(error.to_string().len() < 400);
            }
            if let Err(error) = hub::parse::<R>(&text) {
                prop_assert!(error.to_string().len() < 400);
            }
            let start = Board::start::<R>();
            match parse::<R>(&start, &text) {
                Ok(mv) => prop_assert!(legal_moves::<R>(&start).contains(&mv)),
                Err(error) => prop_assert!(error.to_string().len() < 400),
            }
        });
    }

    #[test]
    fn fen_reads_back(
        numbers in placements(),
        black in any::<bool>(),
        half_moves in any::<Option<u16>>(),
        full_move in any::<Option<u32>>(),
        variant in variants(),
    ) {
        with_rules!(variant, R => {
            let side = if black { Side::Black } else { Side::White };
            let board = placed::<R>(&numbers, side);
            let suffixes = Suffixes { half_moves, full_move };
            for (squares, _) in Squares::ALL {
                let text = fen::write::<R>(&board, squares, suffixes);
                let setup = fen::parse::<R>(&text).unwrap();
                prop_assert_eq!((setup.board, setup.suffixes), (board, suffixes), "{}", &text);
                let spaced: String = text.to_lowercase().chars().flat_map(|c| [c, ' ']).collect();
                prop_assert_eq!(fen::parse::<R>(&format!("{spaced}.")), Ok(setup));
            }
        });
    }

    #[test]
    fn hub_boards_read_back(numbers in placements(), black in any::<bool>(), variant in variants()) {
        with_rules!(variant, R => {
            let side = if black { Side::Black } else { Side::White };
            let board = placed::<R>(&numbers, side);
            prop_assert_eq!(hub::parse::<R>(&hub::write::<R>(&board)), Ok(board));
        });
    }

    #[test]
    fn moves_written_on_random_boards_read_back(
        numbers in placements(),
        black in any::<bool>(),
        variant in variants(),
    ) {
        with_rules!(variant, R => {
            let side = if black { Side::Black } else { Side::White };
            moves_read_back::<R>(&placed::<R>(&numbers, side));
        });
    }

    #[test]
    fn moves_written_in_games_read_back(choices in proptest::collection::vec(any::<u16>(), 1..120), variant in variants()) {
        with_rules!(variant, R => {
            let start = Board::start::<R>();
            let mut board = start;
            let mut line = Vec::new();
            for choice in choices {
                let legal = legal_moves::<R>(&board);
                if legal.is_empty() {
                    break;
                }
                let mv = legal[usize::from(choice) % legal.len()];
                line.push(mv);
                board = board.after(&mv);
            }
            moves_read_back::<R>(&board);
            let mut board = start;
            let texts = write_line::<R>(&start, &line, short());
            prop_assert_eq!(texts.len(), line.len());
            for (mv, text) in line.iter().zip(&texts) {
                prop_assert_eq!(parse::<R>(&board, text), Ok(*mv));
                board = board.after(mv);
            }
        });
    }
}

#[test]
fn fens_found_in_the_wild_are_read() {
    use warcab::board::rules::{English, Russian};
    assert_eq!(
        board::<English>("W:WK27,K23:BK28,12."),
        board::<English>("W:WK23,K27:B12,K28")
    );
    assert_eq!(
        board::<International>("W:W31-50:B1-20"),
        Board::start::<International>()
    );
    for start in [
        "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6",
        "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12:H0:F1",
    ] {
        assert_eq!(board::<Russian>(start), Board::start::<Russian>());
    }
    let refusal = fen::parse::<English>("?:W29,13,11:B22,4,2").unwrap_err();
    assert!(refusal.to_string().contains("no side to move"), "{refusal}");
}

#[test]
fn a_side_without_pieces_is_written_and_read() {
    let before = board::<International>("W:W39:B44");
    let mv = parse::<International>(&before, "39x50").unwrap();
    let mut game =
        Game::<International>::new(before, 0, International::draw_table(Default::default()));
    game.play(mv);
    let text = fen::write::<International>(game.board(), Squares::Native, Suffixes::default());
    assert_eq!(text, "B:W50:B");
    assert_eq!(board::<International>(&text), *game.board());
    assert!(matches!(game.outcome(), Outcome::Win(Side::White, _)));
}

#[test]
fn two_captures_with_the_same_ends_are_told_apart() {
    let board = board::<International>("W:WK4:B13,20,32,37");
    let mut texts: Vec<String> = write_legal::<International>(&board, short())
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    texts.sort();
    assert_eq!(texts, ["4x27x38x15", "4x31x42x15"]);
    match parse::<International>(&board, "4x15") {
        Err(MoveError::Ambiguous { mut candidates, .. }) => {
            candidates.sort();
            assert_eq!(candidates, texts);
        }
        other => panic!("{other:?}"),
    }
    let style = Style {
        notation: Notation::Hub,
        squares: Squares::Native,
    };
    for (path, hub, others) in [
        (
            "4x27x38x15",
            "4x15x13x20x32",
            ["4x15x32x20x13", "4x15x32", "4x38x15"],
        ),
        (
            "4x31x42x15",
            "4x15x13x20x37",
            ["4x15x37x13x20", "4x15x37", "4x42x15"],
        ),
    ] {
        let mv = parse::<International>(&board, path).unwrap();
        assert_eq!(write::<International>(&board, &mv, style), hub);
        for text in others.iter().chain([&hub]) {
            assert_eq!(parse::<International>(&board, text), Ok(mv), "{text}");
        }
    }
}

#[test]
fn a_move_that_was_played_is_not_legal_again() {
    let start = board::<International>("W:WK2,25:B14,15,16");
    let mv = parse::<International>(&start, "25-20").unwrap();
    let after = start.after(&mv);
    let refusal = parse::<International>(&after, "25-20").unwrap_err();
    assert!(matches!(refusal, MoveError::Illegal { .. }), "{refusal}");
}

#[test]
fn diagrams_have_a_line_a_row() {
    for variant in Variant::ALL {
        with_rules!(variant, R => {
            let board = Board::start::<R>();
            let text = diagram::draw::<R>(&board, Squares::Numeric);
            assert_eq!(text.lines().count(), <R as Rules>::Geo::ROWS + 1);
            let men = text.lines().take(<R as Rules>::Geo::ROWS).collect::<String>().matches('w').count();
            assert_eq!(men, board.pieces[0].count_ones() as usize, "{variant}");
        });
    }
}
