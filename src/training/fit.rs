//! Fitting a network to the positions of self-play.
//!
//! The label of a position blends the score its search gave it, as a probability, with the result of its game. Whole games
//! are held out, and the epoch that does best on them is kept. The sums of a batch are added in a fixed order, so that the
//! number of threads changes nothing.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::adam::Step;
use super::data::{self, Data, DataError};
use super::model::{Example, Lanes, Model, Trace, loss, sigmoid};
use super::results::{Results, fit_slope, points};
use crate::board::geometry::lowest;
use crate::board::{Bits, Rules, Side};
use crate::eval::kernel::LANES;
use crate::eval::weights::{END, HIDDEN, OPENING, Weights};
use crate::eval::windows::STATES;
use crate::eval::{Evaluator, drawish};
use crate::search::Signals;

/// An epoch has so many steps at least, as long as its batches are not too small.
const LEAST_STEPS: usize = 24;
const LEAST_BATCH: usize = 256;
/// Examples whose sums are added up by one thread.
const CHUNK: usize = 512;
/// One game in so many is held out.
const HELD_OUT: u64 = 20;
/// Epochs without progress on the games held out after which fitting ends.
const PATIENCE: usize = 2;
/// The usual rate of steps from nothing, and from weights on: a greater one throws away what those know of positions that are
/// rare in games and common in a search.
const RATE_FROM_NOTHING: f32 = 0.003;
const RATE_FROM_WEIGHTS: f32 = 0.0005;
/// Epsilon of Adam for each kind of parameter.
const NET_EPSILON: f32 = 1e-3;
const ROW_EPSILON: f32 = 0.05;
const TERM_EPSILON: f32 = 0.5;

/// How to fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The share of the result in a label, 0 to 1.
    pub lambda: f64,
    /// Most passes over the data.
    pub epochs: usize,
    /// Examples between two steps.
    pub batch: usize,
    /// The full rate of steps; if `None` what is usual, which is less for weights that are gone on with.
    pub rate: Option<f32>,
    /// Threads.
    pub threads: usize,
    /// Seed of the order of examples and of the first weights.
    pub seed: u64,
    /// Slope of results on scores for data that do not say theirs; fitted to them if `None`.
    pub slope: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            lambda: 0.1,
            epochs: 8,
            batch: 8_192,
            rate: None,
            threads: 1,
            seed: 1,
            slope: None,
        }
    }
}

/// How an epoch went.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// Its number, from 1; 0 for the state before the first.
    pub number: usize,
    /// Cross-entropy of the examples it learnt from, as it met them; that of the games held out where it learnt nothing.
    pub train: f64,
    /// Cross-entropy of the games held out, after it.
    pub held_out: f64,
    /// Time since the start.
    pub time: Duration,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights.
    pub weights: Weights,
    /// Examples learnt from, and held out.
    pub examples: [usize; 2],
    /// The best epoch.
    pub best: Epoch,
    /// The same loss of the weights in whole numbers.
    pub whole: f64,
}

/// Why nothing came of it.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// A file cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// There is not enough to learn from.
    #[error(
        "{0} positions to learn from and {1} held out in the files of self-play: play more games"
    )]
    TooFew(usize, usize),
    /// Threads cannot be had.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// It was stopped.
    #[error("stopped before the weights were fitted")]
    Stopped,
}

/// Positions with their labels.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    /// To learn from.
    pub train: Vec<Example>,
    /// Held out.
    pub held_out: Vec<Example>,
    /// Slope of the labels, in log-odds for a hundredth of a man.
    pub slope: f64,
    /// How the games ended.
    pub results: Results,
}

/// Reads the examples of files. `remark` hears of torn blocks.
pub fn read<R: Rules>(
    files: &[PathBuf],
    options: &Options,
    remark: &mut dyn FnMut(String),
) -> Result<Examples, FitError> {
    let mut all = Vec::new();
    for file in files {
        let data = data::read::<R>(file)?;
        if data.torn > 0 {
            let (name, torn) = (file.display(), data.torn);
            remark(format!("{name}: dropped the torn last {torn} bytes"));
        }
        all.push(data);
    }
    let mut examples = Examples::default();
    for data in &all {
        let known = (data.header.slope > 0.0).then_some(data.header.slope);
        let slope = known.or(options.slope).unwrap_or_else(|| fit_slope(data));
        examples.slope = slope;
        examples.results.add(data, slope);
        label::<R>(data, slope, options.lambda, &mut examples);
    }
    if examples.train.len() < 100 || examples.held_out.is_empty() {
        let (train, held_out) = (examples.train.len(), examples.held_out.len());
        return Err(FitError::TooFew(train, held_out));
    }
    Ok(examples)
}

/// Adds the labelled positions of a file.
fn label<R: Rules>(data: &Data, slope: f64, lambda: f64, examples: &mut Examples) {
    for game in &data.games {
        let chance = (game.number ^ data.header.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let held_out = chance.is_multiple_of(HELD_OUT);
        for sample in &game.samples {
            // What no network has to know.
            if Side::ALL
                .iter()
                .any(|side| drawish::divisor::<R>(&sample.board, *side) > 1)
            {
                continue;
            }
            let points = points(game, sample);
            let score = sigmoid((slope * f64::from(sample.score)) as f32);
            let lambda = lambda as f32;
            let target = lambda * f32::from(points) / 2.0 + (1.0 - lambda) * score;
            let example = Example::new::<R>(sample, target);
            if held_out {
                examples.held_out.push(example);
            } else {
                examples.train.push(example);
            }
        }
    }
}

/// The rows of a group's places, and what is known of their gradients.
struct Group {
    windows: Vec<usize>,
    /// Slot of the first row.
    start: usize,
    gradients: Vec<Lanes>,
    term_gradients: Vec<[f32; 2]>,
    moments: Vec<[[f32; 2]; HIDDEN]>,
    term_moments: Vec<[[f32; 2]; 2]>,
    touched: Vec<usize>,
    terms_touched: Vec<usize>,
    /// Whether a row is among the touched ones: the hidden one, the terms.
    marks: Vec<[bool; 2]>,
}

impl Group {
    fn new(windows: Vec<usize>, start: usize) -> Self {
        let count = windows.len() * STATES;
        Self {
            windows,
            start,
            gradients: vec![[0.0; LANES]; count],
            term_gradients: vec![[0.0; 2]; count],
            moments: vec![[[0.0; 2]; HIDDEN]; count],
            term_moments: vec![[[0.0; 2]; 2]; count],
            touched: Vec::new(),
            terms_touched: Vec::new(),
            marks: vec![[false; 2]; count],
        }
    }

    /// Adds up the gradients of its rows and moves them.
    fn step(
        &mut self,
        chunks: &[Chunk],
        step: &Step,
        hidden: &mut [Lanes],
        linear: &mut [[f32; 2]],
    ) {
        for trace in chunks.iter().flat_map(|chunk| &chunk.traces) {
            for window in &self.windows {
                let (row, term, sign) = trace.slots[*window];
                let row = row as usize - self.start;
                if !std::mem::replace(&mut self.marks[row][0], true) {
                    self.touched.push(row);
                }
                for (sum, part) in self.gradients[row].iter_mut().zip(&trace.gradient) {
                    *sum += part;
                }
                if sign == 0.0 {
                    continue;
                }
                let term = term as usize - self.start;
                if !std::mem::replace(&mut self.marks[term][1], true) {
                    self.terms_touched.push(term);
                }
                self.term_gradients[term][0] += sign * trace.gradient[OPENING];
                self.term_gradients[term][1] += sign * trace.gradient[END];
            }
        }
        for row in self.touched.drain(..) {
            let gradient = std::mem::replace(&mut self.gradients[row], [0.0; LANES]);
            let values = &mut hidden[row][..HIDDEN];
            step.apply(
                values,
                &mut self.moments[row],
                &gradient[..HIDDEN],
                ROW_EPSILON,
            );
            Model::clamp(&mut hidden[row]);
            self.marks[row][0] = false;
        }
        for row in self.terms_touched.drain(..) {
            let gradient = std::mem::take(&mut self.term_gradients[row]);
            step.apply(
                &mut linear[row],
                &mut self.term_moments[row],
                &gradient,
                TERM_EPSILON,
            );
            self.marks[row][1] = false;
        }
    }
}

/// What a thread finds out of a part of a batch.
struct Chunk {
    loss: f64,
    gradients: Vec<f32>,
    traces: Vec<Trace>,
}

/// Fits a network to examples, from `init` on or from nothing. `report` hears of each epoch.
pub fn fit<R: Rules>(
    examples: &Examples,
    options: &Options,
    init: Option<&Weights>,
    stop: &Signals,
    report: &mut (dyn FnMut(Epoch) + Send),
) -> Result<Fitted, FitError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.max(1));
    pool.build()?
        .install(|| fit_in_pool::<R>(examples, options, init, stop, report))
}

fn fit_in_pool<R: Rules>(
    examples: &Examples,
    options: &Options,
    init: Option<&Weights>,
    stop: &Signals,
    report: &mut dyn FnMut(Epoch),
) -> Result<Fitted, FitError> {
    let start = Instant::now();
    let mut random = fastrand::Rng::with_seed(options.seed);
    let init = init.filter(|weights| weights.slope > 0.0);
    let mut model = match init {
        Some(weights) => Model::from_weights::<R>(weights),
        None => {
            let mut model = Model::new::<R>(examples.slope, &mut random);
            model.symmetrise_values::<R::Geo>();
            model
        }
    };
    let rate = options.rate.unwrap_or(match init {
        Some(_) => RATE_FROM_WEIGHTS,
        None => RATE_FROM_NOTHING,
    });
    let size = model.layout.size();
    let mut first = 0;
    let mut groups: Vec<Group> = Vec::new();
    for windows in &model.places.groups {
        groups.push(Group::new(windows.clone(), first));
        first += windows.len() * STATES;
    }
    let mut moments = vec![[0.0; 2]; size];
    // A few examples need small batches, or there are too few steps.
    let batch = (examples.train.len() / LEAST_STEPS)
        .max(LEAST_BATCH)
        .min(options.batch.max(1));
    let mut chunks: Vec<Chunk> = (0..batch.div_ceil(CHUNK))
        .map(|_| Chunk {
            loss: 0.0,
            gradients: vec![0.0; size],
            traces: Vec::with_capacity(CHUNK),
        })
        .collect();
    let mut order: Vec<u32> = (0..examples.train.len() as u32).collect();
    let steps = order.len().div_ceil(batch) * options.epochs;
    let mut number = 0;
    let mut best_model = model.clone();
    let held_out = mean_loss(&examples.held_out, |example| model.value::<R>(example));
    let mut best = Epoch {
        number: 0,
        train: held_out,
        held_out,
        time: start.elapsed(),
    };
    report(best);
    for epoch in 1..=options.epochs {
        random.shuffle(&mut order);
        let mut total = 0.0;
        for batch in order.chunks(batch) {
            if stop.is_stopped() {
                return Err(FitError::Stopped);
            }
            let parts = batch.len().div_ceil(CHUNK);
            chunks[..parts]
                .par_iter_mut()
                .zip(batch.par_chunks(CHUNK))
                .for_each(|(chunk, part)| {
                    chunk.loss = 0.0;
                    chunk.gradients.fill(0.0);
                    chunk.traces.clear();
                    for index in part {
                        let example = &examples.train[*index as usize];
                        let (loss, trace) = model.learn::<R>(example, &mut chunk.gradients);
                        chunk.loss += loss;
                        chunk.traces.push(trace);
                    }
                });
            let step = Step::new(number, steps, rate);
            number += 1;
            let (sums, others) = chunks[..parts].split_at_mut(1);
            let sum = &mut sums[0].gradients;
            for other in others.iter() {
                for (sum, part) in sum.iter_mut().zip(&other.gradients) {
                    *sum += part;
                }
            }
            model.symmetrise::<R::Geo>(sum);
            let rows = model.layout.rows();
            for (range, epsilon) in [
                (0..rows.start, NET_EPSILON),
                (rows.clone(), ROW_EPSILON),
                (rows.end..size, NET_EPSILON),
            ] {
                let (values, moments) =
                    (&mut model.dense[range.clone()], &mut moments[range.clone()]);
                step.apply(values, moments, &sum[range], epsilon);
            }
            total += chunks[..parts].iter().map(|chunk| chunk.loss).sum::<f64>();
            let chunks = &chunks[..parts];
            let (mut hidden, mut linear) = (&mut model.hidden[..], &mut model.linear[..]);
            let mut work = Vec::new();
            for group in &mut groups {
                let (rows, rest) = hidden.split_at_mut(group.gradients.len());
                let (terms, other) = linear.split_at_mut(group.gradients.len());
                work.push((group, rows, terms));
                (hidden, linear) = (rest, other);
            }
            work.into_par_iter()
                .for_each(|(group, rows, terms)| group.step(chunks, &step, rows, terms));
        }
        let held_out = mean_loss(&examples.held_out, |example| model.value::<R>(example));
        let report_of = Epoch {
            number: epoch,
            train: total / examples.train.len() as f64,
            held_out,
            time: start.elapsed(),
        };
        report(report_of);
        if held_out < best.held_out || best.number == 0 {
            best = report_of;
            best_model = model.clone();
        } else if epoch >= best.number + PATIENCE {
            break;
        }
    }
    let man = worth_of_a_man::<R>(&best_model, &examples.held_out);
    let slope = (man / 100.0).clamp(examples.slope / 3.0, examples.slope * 3.0);
    let mut weights = best_model.to_weights::<R>(slope);
    weights.wdl = examples.results.wdl(weights.slope);
    let evaluator = Evaluator::<R>::new(&weights);
    let whole = mean_loss(&examples.held_out, |example| {
        (weights.slope * f64::from(evaluator.evaluate(&example.board()))) as f32
    });
    Ok(Fitted {
        weights,
        examples: [examples.train.len(), examples.held_out.len()],
        best,
        whole,
    })
}

/// The mean cross-entropy of examples.
fn mean_loss(examples: &[Example], value: impl Fn(&Example) -> f32 + Sync) -> f64 {
    let losses: Vec<f64> = examples
        .par_chunks(CHUNK)
        .map(|part| part.iter().map(|e| loss(value(e), e.target)).sum())
        .collect();
    losses.iter().sum::<f64>() / examples.len().max(1) as f64
}

/// By how much a position gains on average when a man of the opponent is taken off, in log-odds. This is what a score of
/// 100 means.
fn worth_of_a_man<R: Rules>(model: &Model, examples: &[Example]) -> f64 {
    let mut random = fastrand::Rng::with_seed(1);
    let (mut sum, mut count) = (0.0, 0);
    for example in examples.iter().take(20_000) {
        let men = example.view.men[1];
        if men.count_ones() < 2 {
            continue;
        }
        let skip = random.u32(..men.count_ones());
        let rest: Bits = (0..skip).fold(men, |set, _| set & (set - 1));
        let mut without = *example;
        without.view.men[1] = men & !(1 << lowest(rest));
        sum += f64::from(model.value::<R>(&without) - model.value::<R>(example));
        count += 1;
    }
    sum / f64::from(count.max(1))
}

#[cfg(test)]
mod tests {
    use super::super::selfplay::{Enough, Plan, run};
    use super::*;
    use crate::board::Variant;
    use crate::eval::Source;
    use crate::with_rules;

    fn examples<R: Rules>(games: u64) -> Examples {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games");
        let plan = Plan {
            depth: Some(2),
            nodes: None,
            seed: 3,
            shard: [1, 1],
            threads: 2,
            enough: Enough {
                games: Some(games),
                ..Enough::default()
            },
            teacher: Source::Embedded,
            starts: std::sync::Arc::default(),
        };
        run::<R>(&plan, &file, &Signals::default(), &mut |_| ()).expect("played");
        read::<R>(&[file], &Options::default(), &mut |_| ()).expect("enough games")
    }

    #[test]
    fn fitting_lowers_the_loss_and_whole_numbers_keep_it() {
        for variant in Variant::ALL {
            with_rules!(variant, R => {
                let examples = examples::<R>(80);
                let options = Options { epochs: 4, batch: 256, threads: 2, ..Options::default() };
                let mut epochs = Vec::new();
                let fitted = fit::<R>(&examples, &options, None, &Signals::default(), &mut |e| epochs.push(e));
                let fitted = fitted.expect("fitted");
                assert!(fitted.best.held_out < 0.997 * epochs[0].held_out, "{variant}: {epochs:?}");
                let differ = (fitted.whole - fitted.best.held_out).abs();
                assert!(differ < 0.002, "{variant}: {} {}", fitted.whole, fitted.best.held_out);
                let bytes = fitted.weights.to_bytes();
                assert!(Weights::from_bytes(&bytes, variant).expect("sound") == fitted.weights);
                // Weights read back are the same network.
                let again = Model::from_weights::<R>(&fitted.weights);
                let mut again = again.to_weights::<R>(fitted.weights.slope);
                again.wdl = fitted.weights.wdl;
                assert!(again == fitted.weights, "{variant}");
            });
        }
    }

    #[test]
    fn threads_change_nothing() {
        type R = crate::board::rules::Turkish;
        let examples = examples::<R>(30);
        let fit = |threads| {
            let options = Options {
                epochs: 2,
                batch: 2_048,
                threads,
                ..Options::default()
            };
            fit::<R>(&examples, &options, None, &Signals::default(), &mut |_| ())
                .expect("fitted")
                .weights
        };
        assert!(fit(1) == fit(2));
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        type R = crate::board::rules::Russian;
        let examples = examples::<R>(20);
        let mut model = Model::new::<R>(0.01, &mut fastrand::Rng::with_seed(1));
        let example = examples.train[50];
        let size = model.layout.size();
        let mut gradients = vec![0.0; size];
        model.learn::<R>(&example, &mut gradients);
        let (mut checked, mut wrong) = (0, 0);
        for index in (0..size).filter(|i| gradients[*i].abs() > 1e-3).step_by(7) {
            let value = model.dense[index];
            let mut at = |change: f32| {
                model.dense[index] = value + change;
                loss(model.value::<R>(&example), example.target)
            };
            let slope = (at(0.002) - at(-0.002)) / 0.004;
            model.dense[index] = value;
            let gradient = f64::from(gradients[index]);
            wrong += u32::from((slope - gradient).abs() > 0.05 * gradient.abs() + 1e-3);
            checked += 1;
        }
        // A step may cross an edge of the clipping.
        assert!(
            checked > 20 && wrong * 20 <= checked,
            "{wrong} of {checked}"
        );
    }
}
