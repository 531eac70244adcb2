//! Endings that an advantage of material does not win: where kings fly along diagonals, the weaker side's king holds out
//! against two kings on 8x8 (three hold it only if it does not stand on the main road) and against three on 10x10, where
//! four are needed.

use super::Value;
use crate::board::{Bits, Board, Geometry, Rules, Side};

/// By what an advantage of the side `strong` is divided: 8 where it is next to nothing, 1 otherwise. More than 1 only in
/// sets whose kings fly along diagonals.
#[inline(always)]
pub fn divisor<R: Rules>(board: &Board, strong: Side) -> Value {
    if !R::FLYING_KINGS || R::Geo::MAN_DIRECTIONS == 3 {
        return 1;
    }
    let weak_kings = board.kings_of(!strong);
    if weak_kings == 0 {
        return 1;
    }
    let size = |set: Bits| set.count_ones() as Value;
    let (ours, theirs) = (size(board.pieces[strong]), size(board.pieces[!strong]));
    let road = const { main_road::<R::Geo>() };
    let on_road = weak_kings & road != 0 && board.kings_of(strong) & road == 0;
    let enough = if R::Geo::ROWS == 10 { 4 } else { 3 };
    if board.men(strong) == 0 && (ours - theirs < enough - 1 || on_road || ours < enough) {
        8
    } else {
        1
    }
}

/// The long diagonal of a dark-square board, from White's left corner.
const fn main_road<G: Geometry>() -> Bits {
    // From the bottom left corner each step to the north-east adds STEP[1].
    let (mut square, mut set) = (G::SPAN as i32 - G::WIDTH as i32, 0);
    while square >= 0 {
        set |= 1 << square;
        square += G::STEP[1] as i32;
    }
    set & G::ALL
}
