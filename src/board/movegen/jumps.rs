//! First jumps, found for all pieces at once by whole-board shifts: who can capture, and which captures one jump settles.

use super::quiet::ahead;
use crate::board::geometry::{Bits, Geometry, opposite};
use crate::board::position::{Board, Side};
use crate::board::rules::crown_row;
use crate::board::rules::{Crowning, Precedence, Rules};

/// The first jumps of the side to move.
#[derive(Clone, Copy)]
pub(super) struct Jumps {
    /// As [`sources`] has them.
    sources: [Bits; 4],
    /// The men that can capture.
    pub(super) men: Bits,
    /// The kings, if one of them can capture.
    pub(super) kings: Bits,
}

impl Jumps {
    /// The first jumps of `side`, which is the side to move; a constant where speed matters.
    #[inline(always)]
    pub(super) fn of<R: Rules>(board: &Board, side: Side) -> Self {
        let empty = board.empty::<R::Geo>();
        let sources = sources::<R>(side, men_prey::<R>(board, side), empty);
        let kings = board.kings_of(side);
        let kings_jump = kings != 0 && any_king_jumps::<R>(kings, empty, board.pieces[!side]);
        Self {
            sources,
            men: board.men(side) & union(&sources),
            kings: if kings_jump { kings } else { 0 },
        }
    }

    /// Whether there is a capture.
    #[inline(always)]
    pub(super) fn any(&self) -> bool {
        self.men | self.kings != 0
    }

    /// The men that can jump in the direction `index`.
    #[inline(always)]
    pub(super) fn men_towards(&self, index: usize) -> Bits {
        self.sources[index] & self.men
    }

    /// The men whose capture may go on after the first jump; it does not for all others.
    #[inline(always)]
    pub(super) fn chains<R: Rules>(&self, side: Side) -> Bits {
        // A second jump starts where the first has landed. That the first square is empty by then makes no difference:
        // a jump back over the same piece would need it, and no other second jump can end there.
        let starts = union(&self.sources);
        let further = match R::CROWNING {
            Crowning::EndsMove => starts & !crown_row::<R>(side),
            Crowning::IfItStops => starts,
            Crowning::AtOnce => starts | crown_row::<R>(side),
        };
        let mut chains = 0;
        for index in 0..man_directions::<R>() {
            let back = opposite(ahead(side, index));
            let origins = R::Geo::shift(R::Geo::shift(further, back), back);
            chains |= origins & self.men_towards(index);
        }
        chains
    }

    /// The number of legal captures, where it follows without a walk: single jumps of equal rank by men.
    #[inline(always)]
    pub(super) fn count<R: Rules>(&self, board: &Board, side: Side) -> Option<usize> {
        let equal_rank = match R::PRECEDENCE {
            Precedence::Free | Precedence::Most | Precedence::Italian => true,
            Precedence::MostThenKings => board.kings_of(!side) == 0,
        };
        if self.kings != 0 || !equal_rank || self.chains::<R>(side) != 0 {
            return None;
        }
        let count = |index| self.men_towards(index).count_ones() as usize;
        Some((0..man_directions::<R>()).map(count).sum())
    }
}

/// What the men of `side` may capture.
#[inline(always)]
pub(super) fn men_prey<R: Rules>(board: &Board, side: Side) -> Bits {
    if R::MEN_CAPTURE_KINGS {
        board.pieces[!side]
    } else {
        board.men(!side)
    }
}

/// For each direction of a side's men (see [`ahead`]), the squares from which one could jump over `prey` to `empty`.
#[inline(always)]
pub(super) fn sources<R: Rules>(side: Side, prey: Bits, empty: Bits) -> [Bits; 4] {
    let mut sources = [0; 4];
    for (index, source) in sources.iter_mut().enumerate().take(man_directions::<R>()) {
        let back = opposite(ahead(side, index));
        *source = R::Geo::shift(R::Geo::shift(empty, back) & prey, back);
    }
    sources
}

/// In how many of the four directions men capture.
pub(super) const fn man_directions<R: Rules>() -> usize {
    if R::MEN_CAPTURE_BACKWARDS {
        4
    } else {
        R::Geo::MAN_DIRECTIONS
    }
}

#[inline(always)]
fn union(sets: &[Bits; 4]) -> Bits {
    sets[0] | sets[1] | sets[2] | sets[3]
}

fn any_king_jumps<R: Rules>(kings: Bits, empty: Bits, prey: Bits) -> bool {
    (0..4).any(|direction| {
        let mut reach = kings;
        if R::FLYING_KINGS {
            let mut step = R::Geo::shift(kings, direction) & empty;
            while step != 0 {
                reach |= step;
                step = R::Geo::shift(step, direction) & empty;
            }
        }
        let victims = R::Geo::shift(reach, direction) & prey;
        R::Geo::shift(victims, direction) & empty != 0
    })
}

/// The men of the side to move that can capture, precedence aside.
#[inline(always)]
pub fn capturing_men<R: Rules>(board: &Board) -> Bits {
    match board.side {
        Side::White => Jumps::of::<R>(board, Side::White).men,
        Side::Black => Jumps::of::<R>(board, Side::Black).men,
    }
}

/// Whether the side to move can capture, which it then must.
#[inline(always)]
pub fn can_capture<R: Rules>(board: &Board) -> bool {
    match board.side {
        Side::White => Jumps::of::<R>(board, Side::White).any(),
        Side::Black => Jumps::of::<R>(board, Side::Black).any(),
    }
}
