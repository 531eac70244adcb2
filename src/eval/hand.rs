//! The hand-made evaluation: the first teacher of a set that has no learnt weights yet.
//!
//! It weighs material by what a king can do in the set, advance and support of men, guarded back rows, men about to be
//! crowned, the balance of the wings, and kings in the middle or on the main road.

use super::drawish;
use super::masks::Masks;
use super::{MAN, Value};
use crate::board::{Bits, Board, Geometry, Rules, Side};

/// The hand-made evaluation of one rule set.
#[derive(Clone, Debug)]
pub(super) struct Hand<R: Rules> {
    masks: Masks,
    rules: std::marker::PhantomData<R>,
}

impl<R: Rules> Default for Hand<R> {
    fn default() -> Self {
        Self {
            masks: Masks::new::<R::Geo>(),
            rules: std::marker::PhantomData,
        }
    }
}

/// The weights of one rule set.
struct Weights {
    king: Value,
    advance: Value,
    support: Value,
    back_row: Value,
    near_crown: [Value; 2],
    centre: Value,
    king_centre: Value,
    main_road: Value,
    imbalance: Value,
    to_move: Value,
}

const fn weights<R: Rules>() -> Weights {
    let ortho = R::Geo::MAN_DIRECTIONS == 3;
    let large = R::Geo::ROWS == 10;
    Weights {
        king: if ortho {
            380
        } else if R::FLYING_KINGS {
            280
        } else {
            140
        },
        advance: if ortho {
            5
        } else if large {
            2
        } else {
            3
        },
        support: if ortho { 1 } else { 3 },
        back_row: if R::FLYING_KINGS { 4 } else { 7 },
        near_crown: if R::FLYING_KINGS { [30, 12] } else { [14, 5] },
        centre: if large { 2 } else { 4 },
        king_centre: if R::FLYING_KINGS { 2 } else { 8 },
        main_road: if R::FLYING_KINGS && !ortho { 25 } else { 0 },
        imbalance: if large { 2 } else { 1 },
        to_move: 4,
    }
}

#[inline(always)]
fn size(set: Bits) -> Value {
    set.count_ones() as Value
}

impl<R: Rules> Hand<R> {
    const WEIGHTS: Weights = weights::<R>();

    /// The value of a position for the side to move.
    pub(super) fn evaluate(&self, board: &Board) -> Value {
        let white = self.side(board, Side::White) - self.side(board, Side::Black);
        let white =
            white / drawish::divisor::<R>(board, if white > 0 { Side::White } else { Side::Black });
        let own = if board.side == Side::White {
            white
        } else {
            -white
        };
        own + Self::WEIGHTS.to_move
    }

    fn side(&self, board: &Board, side: Side) -> Value {
        let w = &Self::WEIGHTS;
        let m = &self.masks;
        let men = board.men(side);
        let kings = board.kings_of(side);
        let toward_own_edge = |set: Bits| match side {
            Side::White => R::Geo::half_turn(set),
            Side::Black => set,
        };
        // Seen from here every side's men walk away from row 0.
        let view = toward_own_edge(men);
        let mut value = MAN * size(men) + w.king * size(kings);
        let advance: Value = m
            .advance
            .iter()
            .enumerate()
            .map(|(i, plane)| size(view & plane) << i)
            .sum();
        value += w.advance * advance;
        let supported = view & R::Geo::shift(view, 3) | view & R::Geo::shift(view, 2);
        value += w.support * size(supported);
        if board.kings_of(!side) == 0 {
            value += w.back_row * size(view & m.back_row);
        }
        value += w.near_crown[0] * size(view & m.near_crown[0])
            + w.near_crown[1] * size(view & m.near_crown[1]);
        value += w.centre * size(men & m.centre);
        value -= w.imbalance * (size(men & m.left) - size(men & m.right)).abs();
        if kings != 0 {
            value += w.king_centre * size(kings & m.centre);
            if kings & m.main_road != 0 {
                value += w.main_road;
            }
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::with_rules;

    #[test]
    fn both_sides_see_the_same() {
        for variant in Variant::ALL {
            with_rules!(variant, R => {
                let evaluator = Hand::<R>::default();
                let start = Board::start::<R>();
                assert_eq!(evaluator.evaluate(&start), Hand::<R>::WEIGHTS.to_move);
                let mut board = start;
                board.pieces[Side::Black] &= board.pieces[Side::Black] - 1;
                let value = evaluator.evaluate(&board);
                assert_eq!(value, evaluator.evaluate(&board.flipped::<<R as Rules>::Geo>()));
                let sign = if board.side == Side::White { 1 } else { -1 };
                assert!(sign * value > 50, "{variant}: a man up is worth {value}");
            });
        }
    }
}
