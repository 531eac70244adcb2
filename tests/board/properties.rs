//! What holds of every position: moves keep the board's invariants and the hash, and the board can be turned round.

use proptest::prelude::*;
use warcab::board::draw::{DrawRules, DrawTable};
use warcab::board::geometry::bit;
use warcab::board::movegen::{capturing_men, legal_moves};
use warcab::board::rules::crown_row;
use warcab::board::validate::validate;
use warcab::board::{Board, Geometry, Move, Position, Rules, Side, Square, Variant};
use warcab::with_rules;

use crate::support::{board, fen, spots, square, triples_of};

/// A board from one number a square, of which most mean that it is empty.
fn board_of<R: Rules>(cells: &[u8], side: Side) -> Board {
    let mut board = Board {
        pieces: [0, 0],
        kings: 0,
        side,
    };
    for (index, cell) in cells.iter().take(R::Geo::SQUARES).enumerate() {
        let at = bit(R::Geo::square(index));
        let (owner, king) = match cell {
            1 | 2 => (Side::White, false),
            3 => (Side::White, true),
            4 | 5 => (Side::Black, false),
            6 => (Side::Black, true),
            _ => continue,
        };
        board.pieces[owner] |= at;
        if king || crown_row::<R>(owner) & at != 0 {
            board.kings |= at;
        }
    }
    board
}

fn cells() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0u8..16, 64)
}

fn side() -> impl Strategy<Value = Side> {
    prop::sample::select(&Side::ALL[..])
}

fn variant() -> impl Strategy<Value = Variant> {
    prop::sample::select(&Variant::ALL[..])
}

fn moves_keep_invariants<R: Rules>(board: &Board) {
    for mv in legal_moves::<R>(board) {
        let place = format!("{} {}: {mv:?}", R::VARIANT, fen::<R>(board));
        let next = board.after(&mv);
        assert_eq!(validate::<R>(&next), Ok(()), "{place}");
        assert_eq!(next.side, !board.side, "{place}");
        let (us, them) = (board.side, !board.side);
        let count = |board: &Board, side: Side| board.pieces[side].count_ones();
        let taken = mv.captured.count_ones();
        assert_eq!(count(&next, us), count(board, us), "{place}");
        assert_eq!(count(&next, them) + taken, count(board, them), "{place}");
        let promoted = u32::from(mv.promotes);
        let kings = |board: &Board| board.kings_of(us).count_ones();
        assert_eq!(kings(&next), kings(board) + promoted, "{place}");
        let taken_kings = (mv.captured & board.kings).count_ones();
        let their_kings = |board: &Board| board.kings_of(them).count_ones();
        assert_eq!(
            their_kings(&next) + taken_kings,
            their_kings(board),
            "{place}"
        );
        if mv.promotes {
            assert_eq!(board.kings & bit(mv.from), 0, "{place}");
            // Only a man crowned at once can end elsewhere.
            assert!(
                mv.is_capture() || crown_row::<R>(us) & bit(mv.to) != 0,
                "{place}"
            );
        }
        assert_eq!(
            mv.is_capture(),
            mv.captured & board.pieces[them] != 0,
            "{place}"
        );
    }
}

fn hash_follows<R: Rules>(board: &Board, choices: &[usize]) {
    let table = R::draw_table(DrawRules::Federation);
    let mut position = Position::<R>::new(*board, &table);
    for choice in choices {
        let moves = legal_moves::<R>(&position.board);
        if moves.is_empty() {
            break;
        }
        position = position.after(&moves[choice % moves.len()], &table);
        let fresh = Position::<R>::new(position.board, &DrawTable::NONE);
        assert_eq!(position.key, fresh.key, "{}", fen::<R>(&position.board));
    }
}

fn turning_mirrors_moves<R: Rules>(board: &Board) {
    let turned = |square: Square| R::Geo::SPAN as Square - 1 - square;
    let turned_board = board.flipped::<R::Geo>();
    assert_eq!(turned_board.flipped::<R::Geo>(), *board);
    let expected: Vec<Move> = legal_moves::<R>(board)
        .into_iter()
        .map(|mv| Move {
            captured: R::Geo::half_turn(mv.captured),
            from: turned(mv.from),
            to: turned(mv.to),
            promotes: mv.promotes,
        })
        .collect();
    let found = legal_moves::<R>(&turned_board);
    let place = format!("{} {}", R::VARIANT, fen::<R>(board));
    assert_eq!(triples_of(&found), triples_of(&expected), "{place}");
    let men = R::Geo::half_turn(capturing_men::<R>(board));
    assert_eq!(capturing_men::<R>(&turned_board), men, "{place}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_move_keeps_pieces_and_invariants(variant in variant(), cells in cells(), side in side()) {
        with_rules!(variant, R => moves_keep_invariants::<R>(&board_of::<R>(&cells, side)));
    }

    #[test]
    fn the_hash_follows_the_moves(
        variant in variant(),
        cells in cells(),
        side in side(),
        choices in prop::collection::vec(0usize..1000, 1..60),
    ) {
        with_rules!(variant, R => hash_follows::<R>(&board_of::<R>(&cells, side), &choices));
    }

    #[test]
    fn a_board_turned_round_has_the_mirrored_moves(variant in variant(), cells in cells(), side in side()) {
        with_rules!(variant, R => turning_mirrors_moves::<R>(&board_of::<R>(&cells, side)));
    }
}

#[test]
fn hashes_differ_by_piece_kind_square_and_side() {
    let board = board::<warcab::board::rules::Russian>;
    let fens = [
        "W:Wc3:B", "B:Wc3:B", "W:WKc3:B", "W:W:Bc3", "W:W:BKc3", "W:Wd4:B", "W:W:B",
    ];
    let keys: std::collections::HashSet<u64> = fens
        .iter()
        .map(|fen| Position::<warcab::board::rules::Russian>::new(board(fen), &DrawTable::NONE).key)
        .collect();
    assert_eq!(keys.len(), fens.len());
}

/// Every second square in both directions holds a black king, so that captures run everywhere.
fn kings_everywhere<R: Rules>(keep: impl Fn(usize, usize) -> bool) -> Board {
    let mut board = Board {
        pieces: [0, 0],
        kings: 0,
        side: Side::White,
    };
    for spot in spots(R::VARIANT) {
        if keep(spot.row, spot.file) {
            board.pieces[Side::Black] |= bit(square::<R>(spot));
        }
    }
    board.kings = board.pieces[Side::Black];
    board
}

/// Puts a white king on each empty square in turn, then on all that are left, and makes every move.
fn survives<R: Rules>(kings: &Board) {
    let mut most = 0;
    let empty: Vec<Square> = crate::support::squares(kings.empty::<R::Geo>()).collect();
    let mut all = *kings;
    for square in empty {
        let mut board = *kings;
        board.pieces[Side::White] = bit(square);
        board.kings |= bit(square);
        moves_keep_invariants::<R>(&board);
        most = most.max(triples_of(&legal_moves::<R>(&board)).len());
        if all.pieces[Side::White].count_ones() < 18 {
            all.pieces[Side::White] |= bit(square);
            all.kings |= bit(square);
        }
    }
    moves_keep_invariants::<R>(&all);
    triples_of(&legal_moves::<R>(&all));
    assert!(most > 1, "{}: no captures were tried", R::VARIANT);
}

#[test]
fn boards_full_of_kings_neither_overflow_nor_hang() {
    fn check<R: Rules>() {
        let last = R::Geo::ROWS - 1;
        let inner = |row: usize, file: usize| row > 0 && file > 0 && row < last && file < last;
        // A grid of kings with a gap behind each of them, and the same shifted by a square.
        survives::<R>(&kings_everywhere::<R>(|row, file| {
            inner(row, file) && row % 2 == 1
        }));
        survives::<R>(&kings_everywhere::<R>(|row, file| {
            inner(row, file) && row % 2 == 0
        }));
        survives::<R>(&kings_everywhere::<R>(|row, file| {
            inner(row, file) && row % 2 == 1 && file % 2 == 1
        }));
        survives::<R>(&kings_everywhere::<R>(|row, file| {
            inner(row, file) && (row + file) % 3 == 1
        }));
    }
    for variant in Variant::ALL {
        with_rules!(variant, R => check::<R>());
    }
}
