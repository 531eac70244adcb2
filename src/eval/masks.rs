//! Sets of squares that the evaluation weighs, made once for each board.

use crate::board::geometry::bit;
use crate::board::{Bits, Geometry};

/// Sets of squares of one board; those that depend on a side's direction are for a side that walks away from row 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Masks {
    /// Bit planes of the row number: a man on row r is in plane i where bit i of r is set.
    pub(super) advance: [Bits; 4],
    /// The row a side's men come from.
    pub(super) back_row: Bits,
    /// The last row before the crown, and the one before it.
    pub(super) near_crown: [Bits; 2],
    /// The middle of the board.
    pub(super) centre: Bits,
    /// The left and right thirds.
    pub(super) left: Bits,
    pub(super) right: Bits,
    /// The long diagonal of a dark-square board.
    pub(super) main_road: Bits,
}

impl Masks {
    pub(super) fn new<G: Geometry>() -> Masks {
        let mut masks = Masks {
            back_row: G::row(0),
            near_crown: [G::row(G::ROWS - 2), G::row(G::ROWS - 3)],
            ..Masks::default()
        };
        for index in 0..G::SQUARES {
            let square = bit(G::square(index));
            let (row, file) = (G::row_of(index), G::file_of(index));
            for (i, plane) in masks.advance.iter_mut().enumerate() {
                if row >> i & 1 != 0 {
                    *plane |= square;
                }
            }
            let middle = |at: usize| (G::ROWS / 2 - 2..G::ROWS / 2 + 2).contains(&at);
            if middle(row) && middle(file) {
                masks.centre |= square;
            }
            if file < G::ROWS / 2 - 1 {
                masks.left |= square;
            }
            if file > G::ROWS / 2 {
                masks.right |= square;
            }
            if row + file == G::ROWS - 1 {
                masks.main_road |= square;
            }
        }
        masks
    }
}
