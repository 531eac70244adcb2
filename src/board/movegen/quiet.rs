//! Moves that capture nothing.

use crate::board::geometry::{Bits, Geometry, lowest, opposite};
use crate::board::moves::Move;
use crate::board::position::{Board, Side};
use crate::board::rules::Rules;
use crate::board::rules::crown_row;

/// The direction `index` of a man of `side`.
#[inline(always)]
pub(super) fn ahead(side: Side, index: usize) -> usize {
    match side {
        Side::White => index,
        Side::Black => opposite(index),
    }
}

/// What is done with each move. A closure does; a type of one's own can have its method inlined at all cost.
pub(crate) trait Visit {
    /// Is told of a move.
    fn visit(&mut self, mv: &Move);
}

impl<F: FnMut(&Move)> Visit for F {
    #[inline(always)]
    fn visit(&mut self, mv: &Move) {
        self(mv);
    }
}

/// Calls `visit` for each quiet move, men first, without asking whether a capture is compulsory.
#[inline(always)]
pub fn quiets<R: Rules>(board: &Board, mut visit: impl FnMut(Move)) {
    let mut visit = |mv: &Move| visit(*mv);
    // Two copies, so that every shift has a constant direction.
    match board.side {
        Side::White => quiets_of::<R>(board, Side::White, &mut visit),
        Side::Black => quiets_of::<R>(board, Side::Black, &mut visit),
    }
}

#[inline(always)]
pub(super) fn quiets_of<R: Rules>(board: &Board, side: Side, visit: &mut impl Visit) {
    let empty = board.empty::<R::Geo>();
    let men = board.men(side);
    let crown = crown_row::<R>(side);
    for index in 0..R::Geo::MAN_DIRECTIONS {
        let direction = ahead(side, index);
        let mut targets = R::Geo::shift(men, direction) & empty;
        while targets != 0 {
            let to = lowest(targets);
            let target = targets & targets.wrapping_neg();
            targets ^= target;
            let from = to.wrapping_add_signed(-R::Geo::STEP[direction]);
            visit.visit(&Move {
                captured: 0,
                from,
                to,
                promotes: target & crown != 0,
            });
        }
    }
    let kings = board.kings_of(side);
    if kings == 0 {
        return;
    }
    for direction in 0..4 {
        let mut targets = R::Geo::shift(kings, direction) & empty;
        let mut distance = R::Geo::STEP[direction];
        while targets != 0 {
            let mut rest = targets;
            while rest != 0 {
                let to = lowest(rest);
                rest &= rest - 1;
                visit.visit(&Move {
                    captured: 0,
                    from: to.wrapping_add_signed(-distance),
                    to,
                    promotes: false,
                });
            }
            if !R::FLYING_KINGS {
                break;
            }
            targets = R::Geo::shift(targets, direction) & empty;
            distance = distance.wrapping_add(R::Geo::STEP[direction]);
        }
    }
}

/// The number of quiet moves, without asking whether a capture is compulsory.
#[inline(always)]
pub fn count_quiets<R: Rules>(board: &Board) -> usize {
    match board.side {
        Side::White => count_quiets_of::<R>(board, Side::White),
        Side::Black => count_quiets_of::<R>(board, Side::Black),
    }
}

#[inline(always)]
pub(super) fn count_quiets_of<R: Rules>(board: &Board, side: Side) -> usize {
    let empty = board.empty::<R::Geo>();
    let men = board.men(side);
    let size = |set: Bits| set.count_ones() as usize;
    let mut count = 0;
    for index in 0..R::Geo::MAN_DIRECTIONS {
        count += size(R::Geo::shift(men, ahead(side, index)) & empty);
    }
    let kings = board.kings_of(side);
    if kings != 0 {
        for direction in 0..4 {
            let mut targets = R::Geo::shift(kings, direction) & empty;
            while targets != 0 {
                count += size(targets);
                if !R::FLYING_KINGS {
                    break;
                }
                targets = R::Geo::shift(targets, direction) & empty;
            }
        }
    }
    count
}
