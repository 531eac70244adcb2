//! Building the tables: all positions of a material at once, backwards from the ends of games.
//!
//! Material is taken in the order of [`Material::all`], both sides' views of the same pieces together, so that captures and
//! crownings lead to what is known already. A first pass looks at every position. From then on a position is looked at
//! again only when one that a quiet move of it may lead to has been decided: moves taken back only *mark* positions, and
//! the legal moves of a marked position decide, so that compulsory capture never has to be undone. What is never decided is
//! drawn. Values do not hang on the order of the work, so any number of threads builds the same tables.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::index::Layout;
use super::material::Material;
use super::values::{Values, Verdict};
use super::{canonical_index, ends_one_each};
use crate::board::geometry::{Bits, bit, lowest, opposite, squares};
use crate::board::movegen::{can_capture, legal_moves};
use crate::board::{Board, Geometry, Rules, Side};

/// Marks for positions, a bit each.
struct Marks(Vec<AtomicU64>);

impl Marks {
    fn new(len: u64) -> Marks {
        Marks((0..len.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    fn set(&self, index: u64) {
        self.0[(index / 64) as usize].fetch_or(1 << (index % 64), Ordering::Relaxed);
    }
}

/// A material at work.
struct Slice<R: Rules> {
    layout: Layout<R>,
    values: Values,
    /// Positions to look at in the next pass.
    marks: Marks,
}

/// A material whose values are known.
#[derive(Debug)]
pub(super) struct Built<R: Rules> {
    pub(super) layout: Layout<R>,
    pub(super) values: Values,
}

/// All material up to some number of pieces, by code. Other than in the tables that are probed, the values of positions
/// with a capture are right here too.
#[derive(Debug)]
pub(super) struct Builder<R: Rules> {
    built: Vec<Option<Built<R>>>,
}

impl<R: Rules> Builder<R> {
    pub(super) fn new() -> Self {
        Builder {
            built: (0..Material::CODES).map(|_| None).collect(),
        }
    }

    /// What is known of a material.
    pub(super) fn get(&self, material: Material) -> Option<&Built<R>> {
        self.built[material.code()].as_ref()
    }

    /// Works out both views of a material. All that has fewer pieces or fewer men must be there.
    pub(super) fn add(&mut self, material: Material) {
        let mut views = vec![material];
        if material.swapped() != material {
            views.push(material.swapped());
        }
        let slices: Vec<Slice<R>> = views.iter().map(|view| Slice::new(*view)).collect();
        let mut first = true;
        loop {
            let decided: u64 = (0..slices.len())
                .map(|view| self.pass(&slices, view, first))
                .sum();
            if decided == 0 && !first {
                break;
            }
            first = false;
        }
        for slice in slices {
            let Slice { layout, values, .. } = slice;
            self.built[layout.material().code()] = Some(Built { layout, values });
        }
    }

    /// Looks at the marked positions of a view, or at all, and returns how many were decided.
    fn pass(&self, slices: &[Slice<R>], view: usize, all: bool) -> u64 {
        let slice = &slices[view];
        let partner = &slices[slices.len() - 1 - view];
        let words = slice.marks.0.par_iter().enumerate().with_min_len(64);
        words
            .map(|(word, marks)| {
                let marks = marks.swap(0, Ordering::Relaxed);
                let mut rest: Bits = if all { !0 } else { marks };
                let mut decided = 0;
                while rest != 0 {
                    let index = word as u64 * 64 + u64::from(lowest(rest));
                    rest &= rest - 1;
                    if index >= slice.layout.size() || slice.values.get(index) != Verdict::Draw {
                        continue;
                    }
                    let Some(board) = slice.layout.board(index) else {
                        continue;
                    };
                    if canonical_index(&slice.layout, &board) != Some(index) {
                        continue;
                    }
                    let verdict = self.judge(&board, partner);
                    if verdict != Verdict::Draw {
                        slice.values.decide(index, verdict);
                        mark_predecessors(&board, partner);
                        decided += 1;
                    }
                }
                decided
            })
            .sum()
    }

    /// What the moves of a position decide, `partner` being the other side's view of the same pieces: a draw if nothing.
    fn judge(&self, board: &Board, partner: &Slice<R>) -> Verdict {
        if ends_one_each::<R>(board) {
            return Verdict::Draw;
        }
        let mut all_won = true;
        for mv in &legal_moves::<R>(board) {
            let next = board.after(mv);
            let reply = if next.pieces[Side::Black] == 0 {
                Verdict::Loss
            } else {
                self.value(&next.flipped::<R::Geo>(), partner)
            };
            match reply {
                Verdict::Loss => return Verdict::Win,
                Verdict::Draw => all_won = false,
                Verdict::Win => (),
            }
        }
        if all_won {
            Verdict::Loss
        } else {
            Verdict::Draw
        }
    }

    /// What is known of a position with White to move.
    fn value(&self, board: &Board, partner: &Slice<R>) -> Verdict {
        let material = Material::of(board);
        let (layout, values) = if material == partner.layout.material() {
            (&partner.layout, &partner.values)
        } else {
            let built = self.get(material).expect("less material is built first");
            (&built.layout, &built.values)
        };
        let index = canonical_index(layout, board).expect("men stand where men can stand");
        values.get(index)
    }
}

impl<R: Rules> Slice<R> {
    fn new(material: Material) -> Self {
        let layout = Layout::new(material);
        Slice {
            layout,
            values: Values::new(layout.size()),
            marks: Marks::new(layout.size()),
        }
    }
}

/// Marks the positions in which Black may just have moved to `board`, White being the one to move in it.
fn mark_predecessors<R: Rules>(board: &Board, partner: &Slice<R>) {
    let empty = board.empty::<R::Geo>();
    let mark = |from: Bits, to: Bits| {
        let moved = board.pieces[Side::Black] & !to | from;
        let king = board.kings & to != 0;
        let before = Board {
            pieces: [board.pieces[Side::White], moved],
            kings: if king {
                board.kings & !to | from
            } else {
                board.kings
            },
            side: Side::Black,
        };
        let before = before.flipped::<R::Geo>();
        // A man's square from which none can have come has no number.
        if let Some(index) = canonical_index(&partner.layout, &before) {
            partner.marks.set(index);
        }
    };
    for to in squares(board.men(Side::Black)).map(bit) {
        // Black's men go where White's come from.
        for direction in 0..R::Geo::MAN_DIRECTIONS {
            let from = R::Geo::shift(to, direction) & empty;
            if from != 0 {
                mark(from, to);
            }
        }
    }
    for to in squares(board.kings_of(Side::Black)).map(bit) {
        for direction in 0..4 {
            let mut from = R::Geo::shift(to, opposite(direction)) & empty;
            while from != 0 {
                mark(from, to);
                if !R::FLYING_KINGS {
                    break;
                }
                from = R::Geo::shift(from, opposite(direction)) & empty;
            }
        }
    }
}

/// How many positions of a material are won, drawn and lost by the side to move, those with a capture included and
/// reflections counted each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

impl Counts {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn plus(self, other: Counts) -> Counts {
        Counts {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

/// What is written for a row of values of which some are never asked for: those are as the one before them, which is shortest.
pub(super) fn carried<T: Copy>(
    kept: impl Iterator<Item = Option<T>>,
    first: T,
) -> impl Iterator<Item = T> {
    kept.scan(first, |last, kept| {
        *last = kept.unwrap_or(*last);
        Some(*last)
    })
}

impl<R: Rules> Built<R> {
    /// Counts the values, and lists those to be stored. The value of a position with a capture is never asked for, since
    /// its captures are followed, nor that of a number without a position.
    pub(super) fn finish(&self) -> (Counts, Vec<u8>) {
        const PART: u64 = 1 << 16;
        let parts: Vec<(Counts, Vec<Option<Verdict>>)> = (0..self.layout.size().div_ceil(PART))
            .into_par_iter()
            .map(|part| self.keep(part * PART..((part + 1) * PART).min(self.layout.size())))
            .collect();
        let counts = parts
            .iter()
            .fold(Counts::default(), |sum, part| sum.plus(part.0));
        let kept = parts.iter().flat_map(|part| part.1.iter().copied());
        let kept = carried(kept, Verdict::Draw);
        (counts, Values::to_bytes(kept))
    }

    fn keep(&self, numbers: std::ops::Range<u64>) -> (Counts, Vec<Option<Verdict>>) {
        let mut counts = Counts::default();
        let kept = numbers.map(|index| {
            let board = self.layout.board(index)?;
            if canonical_index(&self.layout, &board) != Some(index) {
                return None;
            }
            let verdict = self.values.get(index);
            let reflected = board
                .mirrored::<R::Geo>()
                .is_some_and(|other| other != board);
            let weight = 1 + u64::from(reflected);
            match verdict {
                Verdict::Win => counts.wins += weight,
                Verdict::Draw => counts.draws += weight,
                Verdict::Loss => counts.losses += weight,
            }
            (!can_capture::<R>(&board)).then_some(verdict)
        });
        let kept = kept.collect();
        (counts, kept)
    }
}
