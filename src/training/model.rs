//! The network in floating point, as it is trained: values are log-odds, an activation of 1 is 1.
//!
//! Two kinds of parameters: *dense* ones in one vector, which every position touches, and the rows of places, of which a
//! position touches one a window. Windows that share rows by symmetry form a *group*, whose rows lie together, so that
//! groups can be updated independently of each other.

use std::ops::Range;

use super::data::Sample;
use crate::board::geometry::squares;
use crate::board::{Bits, Board, Geometry, Rules};
use crate::eval::kernel::{Head, LANES, NEURONS, ONE, ONE_WEIGHT, Row};
use crate::eval::network::{counts, head_of};
use crate::eval::weights::{COUNTS, END, HEADS, HIDDEN, MOST_OUTPUT, OPENING, Weights};
use crate::eval::windows::{self, STATES, States, Symmetry, View};

/// A row in floating point.
pub type Lanes = [f32; LANES];

/// Learnt parts of hidden rows stay within plus or minus this, so that a byte holds them.
const MOST_HIDDEN: f32 = 127.0 / ONE as f32;
/// Parameters of a head: weights by input and neuron, biases, output weights, output bias.
const HEAD_SIZE: usize = LANES * NEURONS + 2 * NEURONS + 1;

/// Where the dense parameters lie.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    squares: usize,
}

impl Layout {
    /// The layout for a board.
    pub fn of<R: Rules>() -> Self {
        Layout {
            squares: R::Geo::SQUARES,
        }
    }

    /// The row of a man or king (kind 0: own man, 1: opponent's, 2: own king, 3: opponent's).
    #[inline(always)]
    fn piece(&self, kind: usize, square: usize) -> Range<usize> {
        let at = (1 + kind * self.squares + square) * LANES;
        at..at + LANES
    }

    const BIAS: Range<usize> = 0..LANES;

    fn counts(&self) -> Range<usize> {
        let at = (1 + 4 * self.squares) * LANES;
        at..at + 2 * COUNTS
    }

    fn head(&self, index: usize) -> Range<usize> {
        let at = self.counts().end + index * HEAD_SIZE;
        at..at + HEAD_SIZE
    }

    /// Number of dense parameters.
    pub fn size(&self) -> usize {
        self.head(HEADS).start
    }

    /// Parameters whose gradients are large and many, as of rows; the others are the network's.
    pub fn rows(&self) -> Range<usize> {
        LANES..self.counts().start
    }
}

/// Where the rows of places lie.
#[derive(Clone, Debug)]
pub struct Places {
    symmetry: Symmetry,
    /// The windows of each group, and the windows whose rows they use.
    pub groups: Vec<Vec<usize>>,
    /// Where the rows of each window begin.
    offsets: Vec<usize>,
}

impl Places {
    /// The places of a board.
    pub fn of<G: Geometry>() -> Places {
        let (columns, count) = (windows::columns::<G>(), windows::count::<G>());
        let mirror = |w: usize| match windows::has_mirror::<G>() {
            true => w / columns * columns + columns - 1 - w % columns,
            false => w,
        };
        let turn = |w: usize| count - 1 - w;
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for window in 0..count {
            if groups.iter().any(|group| group.contains(&window)) {
                continue;
            }
            let mut group = vec![window, mirror(window), turn(window), turn(mirror(window))];
            group.sort_unstable();
            group.dedup();
            groups.push(group);
        }
        let mut offsets = vec![0; count];
        for (order, window) in groups.iter().flatten().enumerate() {
            offsets[*window] = order * STATES;
        }
        Places {
            symmetry: Symmetry::of::<G>(),
            groups,
            offsets,
        }
    }

    /// Number of places.
    pub fn count(&self) -> usize {
        self.offsets.len() * STATES
    }

    fn slot(&self, home: u32) -> u32 {
        let home = home as usize;
        (self.offsets[home / STATES] + home % STATES) as u32
    }

    /// For each place of a window the slot of its hidden row, and of its linear terms with their sign.
    fn slots(&self) -> Vec<(u32, u32, f32)> {
        let both = self.symmetry.mirrored.iter().zip(&self.symmetry.turned);
        both.map(|(home, (turned, sign))| (self.slot(*home), self.slot(*turned), f32::from(*sign)))
            .collect()
    }

    /// The place of each slot.
    fn homes(&self) -> Vec<u32> {
        let mut homes = vec![0; self.count()];
        for (window, offset) in self.offsets.iter().enumerate() {
            for state in 0..STATES {
                homes[offset + state] = (window * STATES + state) as u32;
            }
        }
        homes
    }
}

/// A position to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// As its mover sees it.
    pub view: View,
    /// The wanted probability to win, draws counted half.
    pub target: f32,
}

impl Example {
    /// A sample with its label.
    pub fn new<R: Rules>(sample: &Sample, target: f32) -> Example {
        Example {
            view: View::of::<R::Geo>(&sample.board),
            target,
        }
    }

    fn pieces(&self) -> usize {
        let size = |set: Bits| set.count_ones() as usize;
        self.view
            .men
            .into_iter()
            .chain(self.view.kings)
            .map(size)
            .sum()
    }

    /// A board that looks like this, for a mover who plays up.
    pub fn board(&self) -> Board {
        let View { men, kings } = self.view;
        Board {
            pieces: [men[0] | kings[0], men[1] | kings[1]],
            kings: kings[0] | kings[1],
            side: crate::board::Side::White,
        }
    }
}

/// The network in floating point.
#[derive(Clone, Debug)]
pub struct Model {
    /// Where dense parameters lie.
    pub layout: Layout,
    /// Where rows of places lie.
    pub places: Places,
    slots: Vec<(u32, u32, f32)>,
    /// Dense parameters.
    pub dense: Vec<f32>,
    /// Hidden rows of places by slot; their linear lanes stay 0.
    pub hidden: Vec<Lanes>,
    /// Linear terms of places by slot.
    pub linear: Vec<[f32; 2]>,
}

/// What a position leaves behind for its places.
#[derive(Clone, Copy, Debug)]
pub struct Trace {
    /// Slots of hidden rows, of linear terms, and the sign of the latter, for each window.
    pub slots: [(u32, u32, f32); 21],
    /// Gradient of the sum; of linear lanes too.
    pub gradient: Lanes,
}

impl Model {
    /// A fresh network that knows material at a scale of `slope` log-odds for a hundredth of a man.
    pub fn new<R: Rules>(slope: f64, random: &mut fastrand::Rng) -> Model {
        let layout = Layout::of::<R>();
        let places = Places::of::<R::Geo>();
        let mut dense = vec![0.0; layout.size()];
        let mut uniform = |reach: f32| (2.0 * random.f32() - 1.0) * reach;
        for row in dense[layout.rows()].chunks_exact_mut(LANES) {
            row[..HIDDEN]
                .iter_mut()
                .for_each(|lane| *lane = uniform(0.1));
        }
        dense[..HIDDEN].fill_with(|| 0.3 + uniform(0.2));
        for index in 0..HEADS {
            let head = &mut dense[layout.head(index)];
            head[..HIDDEN * NEURONS].fill_with(|| uniform(0.35));
            head[LANES * NEURONS..][..NEURONS].fill_with(|| 0.3 + uniform(0.2));
            head[LANES * NEURONS + NEURONS..][..NEURONS].fill_with(|| uniform(0.25));
        }
        let king = if R::FLYING_KINGS { 250.0 } else { 140.0 };
        let man = slope as f32 * 100.0;
        let counts = [100.0, 100.0, king, king, king, king, 0.0, 0.0];
        for (value, worth) in dense[layout.counts()].iter_mut().zip(counts) {
            *value = man * worth / 100.0;
        }
        Model {
            slots: places.slots(),
            hidden: vec![[0.0; LANES]; places.count()],
            linear: vec![[0.0; 2]; places.count()],
            layout,
            places,
            dense,
        }
    }

    /// The network of some weights.
    pub fn from_weights<R: Rules>(weights: &Weights) -> Model {
        let slope = weights.slope as f32;
        let mut model = Self::new::<R>(weights.slope, &mut fastrand::Rng::with_seed(0));
        let layout = model.layout;
        let lanes = |row: &Row| -> Lanes {
            std::array::from_fn(|lane| match lane {
                OPENING | END => f32::from(row.0[lane]) * slope / 10.0,
                _ => f32::from(row.0[lane]) / f32::from(ONE),
            })
        };
        model.dense[Layout::BIAS].copy_from_slice(&lanes(&weights.bias));
        for (kind, rows) in weights.men.iter().chain(&weights.kings).enumerate() {
            for (square, row) in rows.iter().enumerate() {
                model.dense[layout.piece(kind, square)].copy_from_slice(&lanes(row));
            }
        }
        let counts = weights.counts.as_flattened().iter();
        for (value, count) in model.dense[layout.counts()].iter_mut().zip(counts) {
            *value = *count as f32 * slope / 10.0;
        }
        for (index, head) in weights.heads.iter().enumerate() {
            let values = &mut model.dense[layout.head(index)];
            let (matrix, rest) = values.split_at_mut(LANES * NEURONS);
            for (at, value) in matrix.iter_mut().enumerate() {
                let (input, neuron) = (at / NEURONS, at % NEURONS);
                let weight = head.weights[input / 2][neuron][input % 2];
                *value = f32::from(weight) / ONE_WEIGHT as f32;
            }
            for neuron in 0..NEURONS {
                rest[neuron] = head.biases[neuron] as f32 / (f32::from(ONE) * ONE_WEIGHT as f32);
                rest[NEURONS + neuron] = head.output[neuron] as f32 * slope / 100.0;
            }
            rest[2 * NEURONS] = head.bias as f32 * slope / (100.0 * ONE_WEIGHT as f32);
        }
        for (place, row) in &weights.hidden {
            let slot = model.places.slot(*place) as usize;
            for (lane, part) in model.hidden[slot].iter_mut().zip(row) {
                *lane = f32::from(*part) / f32::from(ONE);
            }
        }
        for (place, row) in &weights.linear {
            let slot = model.places.slot(*place) as usize;
            model.linear[slot] = row.map(|part| f32::from(part) * slope / 10.0);
        }
        model
    }

    /// The weights in whole numbers, `slope` log-odds being worth a hundredth of a man.
    pub fn to_weights<R: Rules>(&self, slope: f64) -> Weights {
        // Kept in millionths, so that what is read back is what was written.
        let slope = (slope * 1e6).round() / 1e6;
        let mut weights = Weights::material(R::VARIANT, 0);
        weights.slope = slope;
        let tenths = 10.0 / slope as f32;
        let whole = |value: f32| value.round() as i16;
        let term = |value: f32| ((value * tenths).round() as i16).clamp(-2_000, 2_000);
        let row = |lanes: &[f32]| {
            Row(std::array::from_fn(|lane| match lane {
                OPENING | END => term(lanes[lane]),
                _ => whole(lanes[lane] * f32::from(ONE)),
            }))
        };
        weights.bias = row(&self.dense[Layout::BIAS]);
        let tables = weights.men.iter_mut().chain(&mut weights.kings);
        for (kind, table) in tables.enumerate() {
            for (square, place) in table.iter_mut().enumerate() {
                *place = row(&self.dense[self.layout.piece(kind, square)]);
            }
        }
        let counts = weights.counts.as_flattened_mut().iter_mut();
        for (count, value) in counts.zip(&self.dense[self.layout.counts()]) {
            *count = (value * tenths).round() as i32;
        }
        for (index, head) in weights.heads.iter_mut().enumerate() {
            *head = self.head(index, slope as f32);
        }
        let homes = self.places.homes();
        for (slot, lanes) in self.hidden.iter().enumerate() {
            let lane = |i: usize| (lanes[i] * f32::from(ONE)).round() as i8;
            let row: [i8; HIDDEN] = std::array::from_fn(lane);
            if row != [0; HIDDEN] {
                weights.hidden.push((homes[slot], row));
            }
        }
        for (slot, terms) in self.linear.iter().enumerate() {
            let row = terms.map(term);
            if row != [0; 2] {
                weights.linear.push((homes[slot], row));
            }
        }
        weights.hidden.sort_unstable();
        weights.linear.sort_unstable();
        weights
    }

    fn head(&self, index: usize, slope: f32) -> Head {
        let (matrix, rest) = self.dense[self.layout.head(index)].split_at(LANES * NEURONS);
        let mut head = Head {
            weights: [[[0; 2]; NEURONS]; LANES / 2],
            biases: [0; NEURONS],
            output: [0; NEURONS],
            bias: (rest[2 * NEURONS] * 100.0 / slope * ONE_WEIGHT as f32).round() as i32,
        };
        for (at, value) in matrix[..HIDDEN * NEURONS].iter().enumerate() {
            let (input, neuron) = (at / NEURONS, at % NEURONS);
            let weight = (value * ONE_WEIGHT as f32).round() as i16;
            head.weights[input / 2][neuron][input % 2] = weight;
        }
        for neuron in 0..NEURONS {
            let bias = rest[neuron] * f32::from(ONE) * ONE_WEIGHT as f32;
            head.biases[neuron] = bias.round() as i32;
            let output = (rest[NEURONS + neuron] * 100.0 / slope).round() as i32;
            head.output[neuron] = output.clamp(-MOST_OUTPUT, MOST_OUTPUT);
        }
        head
    }

    /// The log-odds of a position.
    pub fn value<R: Rules>(&self, example: &Example) -> f32 {
        self.forward::<R>(example).value
    }

    fn forward<R: Rules>(&self, example: &Example) -> Forward {
        let count = windows::count::<R::Geo>();
        let states = States::of::<R::Geo>(&example.view.men);
        let mut sum: Lanes = [0.0; LANES];
        sum.copy_from_slice(&self.dense[Layout::BIAS]);
        let mut add = |row: &[f32]| {
            for (lane, part) in sum.iter_mut().zip(row) {
                *lane += part;
            }
        };
        let mut slots = [(0, 0, 0.0); 21];
        let mut terms = [0.0; 2];
        for (window, trace) in slots[..count].iter_mut().enumerate() {
            let slot = self.slots[window * STATES + states.get::<R::Geo>(window)];
            *trace = slot;
            add(&self.hidden[slot.0 as usize]);
            let linear = self.linear[slot.1 as usize];
            terms[0] += slot.2 * linear[0];
            terms[1] += slot.2 * linear[1];
        }
        let kinds = example.view.men.into_iter().chain(example.view.kings);
        for (kind, set) in kinds.enumerate() {
            for square in squares(set) {
                add(&self.dense[self.layout.piece(kind, R::Geo::index(square))]);
            }
        }
        let counted = counts(&example.view);
        let worths = self.dense[self.layout.counts()].chunks_exact(2);
        for (count, worth) in counted.iter().zip(worths) {
            terms[0] += *count as f32 * worth[0];
            terms[1] += *count as f32 * worth[1];
        }
        let pieces = example.pieces();
        let phase = (pieces as f32 / R::PIECES as f32).min(1.0);
        let head = head_of::<R>(pieces);
        let (matrix, rest) = self.dense[self.layout.head(head)].split_at(LANES * NEURONS);
        let mut neurons: [f32; NEURONS] = [0.0; NEURONS];
        neurons.copy_from_slice(&rest[..NEURONS]);
        for (lane, weights) in sum[..HIDDEN].iter().zip(matrix.chunks_exact(NEURONS)) {
            let lane = lane.clamp(0.0, 1.0);
            for (neuron, weight) in neurons.iter_mut().zip(weights) {
                *neuron += lane * weight;
            }
        }
        let output: f32 = neurons
            .iter()
            .zip(&rest[NEURONS..])
            .map(|(neuron, weight)| neuron.clamp(0.0, 1.0) * weight)
            .sum();
        let linear = (terms[0] + sum[OPENING]) * phase + (terms[1] + sum[END]) * (1.0 - phase);
        Forward {
            sum,
            neurons,
            slots,
            counted,
            head,
            phase,
            value: output + rest[2 * NEURONS] + linear,
        }
    }

    /// The loss of a position; adds its gradient to that of the dense parameters and leaves a trace for the rows.
    pub fn learn<R: Rules>(&self, example: &Example, gradients: &mut [f32]) -> (f64, Trace) {
        let forward = self.forward::<R>(example);
        let layout = self.layout;
        let error = sigmoid(forward.value) - example.target;
        let range = layout.head(forward.head);
        let (matrix, rest) = self.dense[range.clone()].split_at(LANES * NEURONS);
        let (matrix_grad, rest_grad) = gradients[range].split_at_mut(LANES * NEURONS);
        rest_grad[2 * NEURONS] += error;
        let mut backward = [0.0; NEURONS];
        for (index, neuron) in forward.neurons.iter().enumerate() {
            rest_grad[NEURONS + index] += error * neuron.clamp(0.0, 1.0);
            if *neuron > 0.0 && *neuron < 1.0 {
                backward[index] = error * rest[NEURONS + index];
                rest_grad[index] += backward[index];
            }
        }
        let mut gradient: Lanes = [0.0; LANES];
        let rows = matrix.chunks_exact(NEURONS);
        let row_grads = matrix_grad.chunks_exact_mut(NEURONS);
        for (lane, (weights, weight_grads)) in rows.zip(row_grads).take(HIDDEN).enumerate() {
            let value = forward.sum[lane];
            if value <= 0.0 {
                continue;
            }
            let active = value.min(1.0);
            let mut sum = 0.0;
            for neuron in 0..NEURONS {
                weight_grads[neuron] += active * backward[neuron];
                sum += weights[neuron] * backward[neuron];
            }
            gradient[lane] = if value < 1.0 { sum } else { 0.0 };
        }
        let phases = [error * forward.phase, error * (1.0 - forward.phase)];
        gradient[OPENING] = phases[0];
        gradient[END] = phases[1];
        let count_grads = gradients[layout.counts()].chunks_exact_mut(2);
        for (count, grads) in forward.counted.iter().zip(count_grads) {
            grads[0] += *count as f32 * phases[0];
            grads[1] += *count as f32 * phases[1];
        }
        // The bias has no linear part: the constant count is that.
        for (grad, part) in gradients[..HIDDEN].iter_mut().zip(&gradient) {
            *grad += part;
        }
        let kinds = example.view.men.into_iter().chain(example.view.kings);
        for (kind, set) in kinds.enumerate() {
            for square in squares(set) {
                let row = &mut gradients[layout.piece(kind, R::Geo::index(square))];
                for (grad, part) in row.iter_mut().zip(&gradient) {
                    *grad += part;
                }
            }
        }
        let trace = Trace {
            slots: forward.slots,
            gradient,
        };
        (loss(forward.value, example.target), trace)
    }

    /// Makes the gradients of rows of squares respect the symmetries: linear terms of the sides are opposite under the
    /// half-turn, and all rows are equal under the mirror of a board that has one.
    pub fn symmetrise<G: Geometry>(&self, gradients: &mut [f32]) {
        let count = G::SQUARES;
        for base in [0, 2] {
            for square in 0..count {
                let own = self.layout.piece(base, square);
                let other = self.layout.piece(base + 1, count - 1 - square);
                for lane in [OPENING, END] {
                    let both = gradients[own.start + lane] - gradients[other.start + lane];
                    gradients[own.start + lane] = both;
                    gradients[other.start + lane] = -both;
                }
            }
        }
        if !windows::has_mirror::<G>() {
            return;
        }
        for kind in 0..4 {
            for square in 0..count {
                let twin = square / G::WIDTH * G::WIDTH + G::WIDTH - 1 - square % G::WIDTH;
                if twin <= square {
                    continue;
                }
                let (a, b) = (
                    self.layout.piece(kind, square),
                    self.layout.piece(kind, twin),
                );
                for lane in 0..LANES {
                    let both = gradients[a.start + lane] + gradients[b.start + lane];
                    gradients[a.start + lane] = both;
                    gradients[b.start + lane] = both;
                }
            }
        }
    }

    /// Makes dense parameters respect the symmetries, which random ones at the start do not.
    pub fn symmetrise_values<G: Geometry>(&mut self) {
        let mut dense = std::mem::take(&mut self.dense);
        if windows::has_mirror::<G>() {
            self.symmetrise::<G>(&mut dense[..]);
            let rows = self.layout.rows();
            dense[rows].iter_mut().for_each(|value| *value *= 0.5);
        }
        self.dense = dense;
    }

    /// Keeps a hidden row within what its file can hold.
    #[inline(always)]
    pub fn clamp(row: &mut Lanes) {
        for lane in row {
            *lane = lane.clamp(-MOST_HIDDEN, MOST_HIDDEN);
        }
    }
}

struct Forward {
    sum: Lanes,
    neurons: [f32; NEURONS],
    slots: [(u32, u32, f32); 21],
    counted: [i32; COUNTS],
    head: usize,
    phase: f32,
    value: f32,
}

/// The probability of log-odds.
#[inline(always)]
pub fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The cross-entropy of log-odds for a wanted probability.
pub fn loss(value: f32, target: f32) -> f64 {
    // ln(1 + e^v) - t v, in a form that does not overflow.
    f64::from(value.max(0.0) + (-value.abs()).exp().ln_1p() - target * value)
}
