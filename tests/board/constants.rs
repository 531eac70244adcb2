//! Every constant of every rule set has a position whose legal moves are those stated and become others when the
//! constant takes another value.
//!
//! Changes that no position can notice have no row: men that never capture backwards cannot go on from the last row as
//! men (english, spanish, italian), and a short jump never crosses or lands on a jumped square (english, italian).

use warcab::board::movegen::legal_moves;
use warcab::board::rules::{
    Brazilian, Crowning, English, International, Italian, Precedence, Removal, Russian, Spanish,
    Turkish,
};
use warcab::board::{Board, Geometry, Rules, Side};

use crate::altered::{Altered, Change};
use crate::change;
use crate::support::{board, triples, triples_of};

fn moves_notice<R: Rules, C: Change>(change: &str, fen: &str, moves: &[&str]) {
    let place = format!("{} with {change}, {fen}", R::VARIANT);
    let position = board::<R>(fen);
    let expected = triples::<R>(moves);
    assert_eq!(
        triples_of(&legal_moves::<R>(&position)),
        expected,
        "{place}"
    );
    let altered = triples_of(&legal_moves::<Altered<R, C>>(&position));
    assert_ne!(altered, expected, "{place}");
}

/// Rows of a position, its moves, and a constant with the other value that changes them.
macro_rules! moves_notice {
    ($rules:ty { $($constant:ident: $kind:ty = $value:expr, $fen:literal => $moves:expr;)* }) => {
        $({
            change!(Other, $constant: $kind = $value);
            assert!(<$rules>::$constant != $value, "{}", stringify!($constant = $value));
            moves_notice::<$rules, Other>(stringify!($constant = $value), $fen, &$moves);
        })*
    };
}

#[test]
fn english() {
    moves_notice!(English {
        FLYING_KINGS: bool = true, "W:WK4:B18" => ["4-8"];
        MEN_CAPTURE_BACKWARDS: bool = true, "W:W13:B17" => ["13-9"];
        MEN_CAPTURE_KINGS: bool = false, "B:WK8:B4" => ["4x11 {8}"];
        PRECEDENCE: Precedence = Precedence::Most, "B:W15,16,K22:B11" => ["11x20 {16}", "11x25 {15,22}"];
        PRECEDENCE: Precedence = Precedence::MostThenKings, "B:WK7,8:BK3" => ["3x10 {7}", "3x12 {8}"];
        PRECEDENCE: Precedence = Precedence::Italian, "B:WK7,8:BK3" => ["3x10 {7}", "3x12 {8}"];
        CROWNING: Crowning = Crowning::AtOnce, "W:W9:B6,7" => ["9x2 {6}"];
    });
}

#[test]
fn international() {
    moves_notice!(International {
        FLYING_KINGS: bool = false, "W:WK5:B41" => ["5x46 {41}"];
        MEN_CAPTURE_BACKWARDS: bool = false, "W:W12:B18" => ["12x23 {18}"];
        MEN_CAPTURE_KINGS: bool = false, "W:W32:BK37" => ["32x41 {37}"];
        PRECEDENCE: Precedence = Precedence::Free, "B:W12,K20,31:BK3" => ["3x15 {12,20,31}"];
        PRECEDENCE: Precedence = Precedence::MostThenKings, "W:W17:B12,K21" => ["17x8 {12}", "17x26 {21}"];
        PRECEDENCE: Precedence = Precedence::Italian, "W:WK3,27:B21" => ["3x26 {21}", "27x16 {21}"];
        CROWNING: Crowning = Crowning::EndsMove, "B:W42,43:B37" => ["37x39 {42,43}"];
        CROWNING: Crowning = Crowning::AtOnce, "W:W11:B7,13" => ["11x2 {7}"];
        REMOVAL: Removal = Removal::AtOnce, "W:WK25:B7,K19,30,32" => ["25x24 {7,19,30,32}"];
    });
}

#[test]
fn brazilian() {
    moves_notice!(Brazilian {
        FLYING_KINGS: bool = false, "B:W6:BK24" => ["24x1 {6}"];
        MEN_CAPTURE_BACKWARDS: bool = false, "W:W11:BK15" => ["11x18 {15}"];
        MEN_CAPTURE_KINGS: bool = false, "W:W11:BK15" => ["11x18 {15}"];
        PRECEDENCE: Precedence = Precedence::Free, "B:W17,K24:B19,K20" => ["20x13 {17,24}"];
        PRECEDENCE: Precedence = Precedence::MostThenKings, "W:WK30:B16,K25" => ["30x12 {16}", "30x21 {25}"];
        PRECEDENCE: Precedence = Precedence::Italian, "B:W17:B21,K26" => ["21x14 {17}", "26x13 {17}"];
        CROWNING: Crowning = Crowning::EndsMove, "W:W9:B6,7" => ["9x11 {6,7}"];
        CROWNING: Crowning = Crowning::AtOnce, "W:W9:B6,7" => ["9x11 {6,7}"];
        REMOVAL: Removal = Removal::AtOnce, "W:WK32:B16,17,23,25" => ["32x30 {17,23,25}"];
    });
}

#[test]
fn spanish() {
    moves_notice!(Spanish {
        FLYING_KINGS: bool = false, "B:W26:BK12" => ["12x29 {26}"];
        MEN_CAPTURE_BACKWARDS: bool = true, "W:W17:B13" => ["17-21"];
        MEN_CAPTURE_KINGS: bool = false, "B:WK28:B32" => ["32x23 {28}"];
        PRECEDENCE: Precedence = Precedence::Free, "W:WK2:B20,K5" => ["2x9 {5}"];
        PRECEDENCE: Precedence = Precedence::Most, "W:WK2:B20,K5" => ["2x9 {5}"];
        PRECEDENCE: Precedence = Precedence::Italian, "W:W17,K11:B21" => ["17x26 {21}", "11x25 {21}"];
        CROWNING: Crowning = Crowning::AtOnce, "W:W21:B26,27" => ["21x30 {26}"];
        REMOVAL: Removal = Removal::AtOnce, "W:WK4:B20,13,11,5" => ["4x2 {13,11,5}"];
    });
}

#[test]
fn turkish() {
    moves_notice!(Turkish {
        FLYING_KINGS: bool = false, "B:Wb1:BKf1" => ["f1xa1 {b1}"];
        MEN_CAPTURE_BACKWARDS: bool = true, "B:WKh5:Bh4" => ["h4-g4", "h4-h3"];
        MEN_CAPTURE_KINGS: bool = false, "W:Wh1:BKg1" => ["h1xf1 {g1}"];
        PRECEDENCE: Precedence = Precedence::Free, "B:WKb7,e7,g5:BKg7" => ["g7xa7 {b7,e7}"];
        PRECEDENCE: Precedence = Precedence::MostThenKings, "W:WKd8:Bg8,Kd2" => ["d8xh8 {g8}", "d8xd1 {d2}"];
        PRECEDENCE: Precedence = Precedence::Italian, "W:WKd8:Bg8,Kd2" => ["d8xh8 {g8}", "d8xd1 {d2}"];
        CROWNING: Crowning = Crowning::EndsMove, "W:Wg6:Bf8,g7" => ["g6xe8 {f8,g7}"];
        CROWNING: Crowning = Crowning::AtOnce, "W:Wg6:Bf8,g7" => ["g6xe8 {f8,g7}"];
        REMOVAL: Removal = Removal::AtEnd, "W:WKc8:Bf8,f7,h3,Kg1" => ["c8xf8 {f8,f7,h3,g1}"];
    });
}

#[test]
fn italian() {
    moves_notice!(Italian {
        FLYING_KINGS: bool = true, "W:WK1:B19" => ["1-5"];
        MEN_CAPTURE_BACKWARDS: bool = true, "W:W16:B20" => ["16-12"];
        MEN_CAPTURE_KINGS: bool = true, "B:WK7:B4" => ["4-8"];
        PRECEDENCE: Precedence = Precedence::Free, "B:WK6,5:BK2" => ["2x11 {6}"];
        PRECEDENCE: Precedence = Precedence::Most, "B:WK6,5:BK2" => ["2x11 {6}"];
        PRECEDENCE: Precedence = Precedence::MostThenKings, "W:WK27,26:B22" => ["27x18 {22}"];
        CROWNING: Crowning = Crowning::AtOnce, "W:W12:B7,6" => ["12x3 {7}"];
    });
}

#[test]
fn russian() {
    moves_notice!(Russian {
        FLYING_KINGS: bool = false, "B:W6:BK24" => ["24x1 {6}"];
        MEN_CAPTURE_BACKWARDS: bool = false, "W:W11:BK15" => ["11x18 {15}"];
        MEN_CAPTURE_KINGS: bool = false, "W:W11:BK15" => ["11x18 {15}"];
        PRECEDENCE: Precedence = Precedence::Most, "B:W17,K24:B19,K20" => ["19x28 {24}", "20x13 {17,24}"];
        PRECEDENCE: Precedence = Precedence::MostThenKings, "W:WK30:B16,K25" => ["30x12 {16}", "30x21 {25}"];
        PRECEDENCE: Precedence = Precedence::Italian, "B:W17:B21,K26" => ["21x14 {17}", "26x13 {17}"];
        CROWNING: Crowning = Crowning::EndsMove, "W:W11:BK7,9" => ["11x13 {7,9}"];
        CROWNING: Crowning = Crowning::IfItStops, "W:W11:BK7,9" => ["11x13 {7,9}"];
        REMOVAL: Removal = Removal::AtOnce, "W:WK32:B16,17,23,25" => ["32x29 {23,25}", "32x30 {17,23,25}"];
    });
}

/// The start position, and that it notices another first mover and other rows of men.
fn start<R: Rules>(fen: &str, squares: usize, men: u32) {
    change!(MoreRows, MEN_ROWS: usize = 1);
    change!(OtherRow, FIRST_MEN_ROW: usize = 2);
    let start = Board::start::<R>();
    assert_eq!(start, board::<R>(fen), "{}", R::VARIANT);
    assert_eq!(R::Geo::SQUARES, squares, "{}", R::VARIANT);
    for side in Side::ALL {
        assert_eq!(start.men(side).count_ones(), men, "{}", R::VARIANT);
    }
    assert_ne!(Board::start::<Altered<R, MoreRows>>(), start);
    assert_ne!(Board::start::<Altered<R, OtherRow>>(), start);
}

#[test]
fn start_positions() {
    change!(Black, FIRST_MOVER: Side = Side::Black);
    change!(White, FIRST_MOVER: Side = Side::White);
    assert_ne!(
        Board::start::<Altered<English, White>>(),
        Board::start::<English>()
    );
    assert_ne!(
        Board::start::<Altered<Russian, Black>>(),
        Board::start::<Russian>()
    );
    start::<English>("B:W21-32:B1-12", 32, 12);
    start::<International>("W:W31-50:B1-20", 50, 20);
    start::<Brazilian>(
        "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6",
        32,
        12,
    );
    start::<Spanish>("W:W1-12:B21-32", 32, 12);
    start::<Turkish>(
        "W:Wa2,b2,c2,d2,e2,f2,g2,h2,a3,b3,c3,d3,e3,f3,g3,h3:Ba6,b6,c6,d6,e6,f6,g6,h6,a7,b7,c7,d7,e7,f7,g7,h7",
        64,
        16,
    );
    start::<Italian>("W:W21-32:B1-12", 32, 12);
    start::<Russian>(
        "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6",
        32,
        12,
    );
}
