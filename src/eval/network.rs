//! The learnt evaluation of one rule set, ready to run.
//!
//! A position is seen by its mover. Each window of men looks its state up in a table of its own, each king its square; the
//! rows found are added up. Thirty lanes of the sum, clipped to [0, 1], feed a layer of sixteen neurons and an output,
//! which exist four times, by the number of pieces. The other two lanes are linear terms, one for the opening and one for
//! the end, to which a few counts are added. Everything is whole numbers, so every machine gives the same value. Nothing
//! is kept from one position to the next.

use std::marker::PhantomData;

use super::kernel::{Head, Row, run};
use super::weights::{COUNTS, END, HEADS, OPENING, Weights};
use super::windows::{self, STATES, States, Symmetry, View};
use super::{Value, Wdl, drawish};
use crate::board::geometry::{bit, squares};
use crate::board::{Board, Geometry, Rules, Side, Square};
use crate::pages::Pages;

/// Room for rows of windows and kings: a board full of kings.
const MOST_ROWS: usize = 21 + 64;
/// Values stay within plus or minus this.
const LIMIT: Value = 15_000;

/// Which head a number of pieces belongs to.
#[inline(always)]
pub const fn head_of<R: Rules>(pieces: usize) -> usize {
    let index = pieces * HEADS / (R::PIECES + 1);
    if index < HEADS { index } else { HEADS - 1 }
}

/// The counts that the linear part weighs, of the mover less those of the opponent: men, sides that have a king, further
/// kings, and a constant for the move.
#[inline(always)]
pub fn counts(view: &View) -> [i32; COUNTS] {
    let size = |set: u64| set.count_ones() as i32;
    let [own, other] = view.kings.map(size);
    let first = |kings: i32| i32::from(kings != 0);
    [
        size(view.men[0]) - size(view.men[1]),
        first(own) - first(other),
        (own - first(own)) - (other - first(other)),
        1,
    ]
}

/// What a value is made of, from the side to move and before it is divided.
#[derive(Clone, Copy)]
struct Parts {
    /// What the layers say, in hundredths of a hundredth of a man.
    network: i32,
    /// Linear terms, in tenths of a hundredth of a man.
    linear: i32,
    counts: [i32; COUNTS],
    head: usize,
    /// Weight of the opening's terms out of `most`; the end's have the rest.
    phase: i32,
    most: i32,
}

impl Parts {
    /// All of it, in hundredths of a man.
    #[inline(always)]
    fn sum(&self) -> Value {
        (self.network + 10 * self.linear) / 100
    }

    /// By what the sum is divided.
    #[inline(always)]
    fn divisor<R: Rules>(&self, board: &Board) -> Value {
        let strong = if self.sum() > 0 {
            board.side
        } else {
            !board.side
        };
        drawish::divisor::<R>(board, strong)
    }

    #[inline(always)]
    fn value<R: Rules>(&self, board: &Board) -> Value {
        (self.sum() / self.divisor::<R>(board)).clamp(-LIMIT, LIMIT)
    }
}

/// What a value is made of, in hundredths of a man from the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Men, kings and the move, as the counts weigh them.
    pub counts: Value,
    /// Linear terms of the windows of men and of the kings' squares.
    pub patterns: Value,
    /// What the layers add.
    pub network: Value,
    /// Which of the heads spoke, by the number of pieces: 0 for the fewest.
    pub head: usize,
    /// By what the sum is divided because the ending is hard or impossible to win.
    pub divisor: Value,
    /// By how much the value would fall without the piece of each square.
    pub worth: Vec<(Square, Value)>,
    /// The value.
    pub value: Value,
}

/// The network of one rule set.
#[derive(Debug)]
pub struct Network<R: Rules> {
    bias: Row,
    /// By window and state.
    windows: Pages<Row>,
    /// By owner and square.
    kings: Vec<[Row; 64]>,
    counts: [[i32; 2]; COUNTS],
    heads: Vec<Head>,
    wdl: Wdl,
    rules: PhantomData<R>,
}

impl<R: Rules> Network<R> {
    /// The network of some weights, which must be of the set: [`Weights`] that were read for it are.
    pub fn new(weights: &Weights) -> Self {
        let symmetry = Symmetry::of::<R::Geo>();
        Self {
            bias: weights.bias,
            windows: window_rows::<R::Geo>(weights, &symmetry),
            kings: weights
                .kings
                .iter()
                .map(|rows| {
                    let mut board = [Row::default(); 64];
                    for (index, row) in rows.iter().enumerate() {
                        board[usize::from(R::Geo::square(index))] = *row;
                    }
                    board
                })
                .collect(),
            counts: weights.counts,
            heads: weights.heads.to_vec(),
            wdl: weights.wdl,
            rules: PhantomData,
        }
    }

    /// How games end from its values.
    pub fn wdl(&self) -> Wdl {
        self.wdl
    }

    /// The value of a position for the side to move.
    #[inline]
    pub fn evaluate(&self, board: &Board) -> Value {
        self.parts(board).value::<R>(board)
    }

    /// What that value is made of.
    pub fn trace(&self, board: &Board) -> Trace {
        let parts = self.parts(board);
        let value = parts.value::<R>(board);
        let mut counted = 0;
        for (count, [opening, end]) in parts.counts.iter().zip(&self.counts) {
            counted += count * (opening * parts.phase + end * (parts.most - parts.phase));
        }
        let counted = counted / parts.most / 10;
        let worth = squares(board.occupied()).map(|square| {
            let mut without = *board;
            let rest = !bit(square);
            without.pieces = without.pieces.map(|set| set & rest);
            without.kings &= rest;
            (square, value - self.evaluate(&without))
        });
        Trace {
            counts: counted,
            patterns: parts.linear / 10 - counted,
            network: parts.sum() - parts.linear / 10,
            head: parts.head,
            divisor: parts.divisor::<R>(board),
            worth: worth.collect(),
            value,
        }
    }

    #[inline(always)]
    fn parts(&self, board: &Board) -> Parts {
        let view = View::of::<R::Geo>(board);
        let states = States::of::<R::Geo>(&view.men);
        let pieces = board.occupied().count_ones() as usize;
        let index = head_of::<R>(pieces);
        let head = &self.heads[index];
        let (sum, output) = if board.kings == 0 {
            let mut rows = [&self.bias; 21];
            let used = self.look_up(&states, &mut rows);
            run(&self.bias, &rows[..used], head)
        } else {
            let mut rows = [&self.bias; MOST_ROWS];
            let mut used = self.look_up(&states, &mut rows);
            for (kings, table) in view.kings.iter().zip(&self.kings) {
                for square in squares(*kings) {
                    rows[used] = &table[usize::from(square & 63)];
                    used += 1;
                }
            }
            run(&self.bias, &rows[..used], head)
        };
        let mut linear = [i32::from(sum.0[OPENING]), i32::from(sum.0[END])];
        let counts = counts(&view);
        for (count, weights) in counts.iter().zip(&self.counts) {
            linear[0] += count * weights[0];
            linear[1] += count * weights[1];
        }
        let most = R::PIECES as i32;
        let phase = (pieces as i32).min(most);
        Parts {
            // In hundredths of a hundredth of a man: an activation of 1 is 1024.
            network: output >> 10,
            linear: (linear[0] * phase + linear[1] * (most - phase)) / most,
            counts,
            head: index,
            phase,
            most,
        }
    }

    #[inline(always)]
    fn look_up<'a>(&'a self, states: &States, rows: &mut [&'a Row]) -> usize {
        let count = windows::count::<R::Geo>();
        let tables = &self.windows[..count * STATES];
        for window in 0..count {
            rows[window] = &tables[window * STATES + states.get::<R::Geo>(window)];
        }
        count
    }
}

/// The rows of all places: what was learnt of the place itself, and what follows from the men in it.
fn window_rows<G: Geometry>(weights: &Weights, symmetry: &Symmetry) -> Pages<Row> {
    let places = windows::count::<G>() * STATES;
    let mut rows = Pages::<Row>::new(places).expect("some megabytes fit in memory");
    // A place without an entry of its own is what its men make of it. Men are counted in the window that owns their square.
    for index in 0..G::SQUARES {
        let (window, digit) = windows::owner::<G>(index);
        let power = 3usize.pow(digit as u32);
        let table = &mut rows[window * STATES..][..STATES];
        for (state, row) in table.iter_mut().enumerate() {
            let man = match state / power % 3 {
                2 => &weights.men[Side::White][index],
                0 => &weights.men[Side::Black][index],
                _ => continue,
            };
            for (lane, part) in row.0.iter_mut().zip(&man.0) {
                *lane = lane.saturating_add(*part);
            }
        }
    }
    let mut hidden = vec![None; places];
    for (place, row) in &weights.hidden {
        hidden[*place as usize] = Some(row);
    }
    let mut linear = vec![[0; 2]; places];
    for (place, row) in &weights.linear {
        linear[*place as usize] = *row;
    }
    for (place, row) in rows.iter_mut().enumerate() {
        if let Some(own) = hidden[symmetry.mirrored[place] as usize] {
            for (lane, part) in row.0.iter_mut().zip(own) {
                *lane = lane.saturating_add(i16::from(*part));
            }
        }
        let (home, sign) = symmetry.turned[place];
        let [opening, end] = linear[home as usize].map(|part: i16| part * i16::from(sign));
        row.0[OPENING] = row.0[OPENING].saturating_add(opening);
        row.0[END] = row.0[END].saturating_add(end);
    }
    rows
}
