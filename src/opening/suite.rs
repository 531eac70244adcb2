//! Making a suite: candidates in a fixed order, a search of each, and those whose score fits are kept.
//!
//! Nothing depends on time or on the number of threads: they share out candidates, and what they find is looked at in
//! candidate order.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use fastrand::Rng;
use thiserror::Error;

use super::Opening;
use super::deal::deal;
use super::judge::Judge;
use super::lines::{Candidate, Source};
use crate::board::{Board, Rules, Side, Variant};
use crate::notation::{Setup, Suffixes};
use crate::search::{HashError, Score, Value};
use crate::with_rules;

/// What a suite is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The lengths of the lines in plies, before the captures that end them. Where the lines of a length are few they are
    /// all tried, the shortest first; longer ones are sampled, all lengths alike.
    pub plies: RangeInclusive<u32>,
    /// How many openings.
    pub count: usize,
    /// The scores wanted, in hundredths of a man for either side. If 0 is not among them, either side is the better one
    /// in half of the openings.
    pub balance: RangeInclusive<u32>,
    /// Nodes of each search.
    pub nodes: u64,
    /// Chooses the sample and the order among equals.
    pub seed: u64,
}

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Candidates searched.
    pub searched: usize,
    /// Openings kept of them.
    pub kept: usize,
}

/// Why a suite could not be made.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The lines do not hold as many openings as were wanted.
    #[error(
        "only {kept} of {wanted} openings found among {searched} positions, expected more that score within the balance: \
         widen the balance or allow longer lines"
    )]
    TooFew {
        /// Openings found.
        kept: usize,
        /// Openings wanted.
        wanted: usize,
        /// Candidates searched.
        searched: usize,
    },
    /// The searches' tables do not fit in memory.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Sampling is given up after so many searches for each opening wanted.
const MOST_SEARCHES: usize = 100;

/// Random lines drawn at a time for each opening wanted, so that one draw is often enough and dealt out evenly.
const LINES_DRAWN: usize = 4;

/// Candidates searched between two looks at what they gave, for each thread.
const BATCH: usize = 16;

/// Makes a suite with `threads` threads; `progress` hears of it now and then.
///
/// # Errors
///
/// Too few lines that fit, or memory or threads that are not to be had.
pub fn make(
    variant: Variant,
    recipe: &Recipe,
    threads: NonZeroUsize,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Vec<Opening>, SuiteError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.get())
        .build()?;
    with_rules!(variant, R => {
        let maker = Maker::<R>::new(recipe, threads, progress)?;
        pool.install(|| maker.make())
    })
}

/// A suite in the making.
struct Maker<'a, R: Rules> {
    recipe: &'a Recipe,
    progress: &'a mut (dyn FnMut(Progress) + Send),
    judge: Judge<R>,
    source: Source<R>,
    rng: Rng,
    openings: Vec<Opening>,
    /// Openings kept in which White, or Black, is the better side.
    better: [usize; 2],
    searched: usize,
}

impl<'a, R: Rules> Maker<'a, R> {
    fn new(
        recipe: &'a Recipe,
        threads: NonZeroUsize,
        progress: &'a mut (dyn FnMut(Progress) + Send),
    ) -> Result<Self, HashError> {
        Ok(Maker {
            recipe,
            progress,
            judge: Judge::new(threads.get(), recipe.nodes)?,
            source: Source::default(),
            rng: Rng::with_seed(recipe.seed),
            openings: Vec::new(),
            better: [0; 2],
            searched: 0,
        })
    }

    fn make(mut self) -> Result<Vec<Opening>, SuiteError> {
        let (mut shortest, longest) = (*self.recipe.plies.start(), *self.recipe.plies.end());
        while shortest <= longest && !self.is_full() && Source::<R>::is_enumerable(shortest) {
            let candidates = self.source.enumerate(shortest);
            self.choose_from(candidates);
            shortest += 1;
        }
        if shortest <= longest {
            self.sample(shortest..=longest);
        }
        if self.is_full() {
            Ok(self.openings)
        } else {
            Err(SuiteError::TooFew {
                kept: self.openings.len(),
                wanted: self.recipe.count,
                searched: self.searched,
            })
        }
    }

    /// Fills the suite from random lines of these lengths.
    fn sample(&mut self, plies: RangeInclusive<u32>) {
        let lengths = plies.clone().count();
        let lines = (self.recipe.count * LINES_DRAWN).div_ceil(lengths);
        let most = self.searched + self.recipe.count * MOST_SEARCHES;
        while !self.is_full() && self.searched < most {
            let mut candidates = Vec::new();
            for length in plies.clone() {
                candidates.extend(self.source.sample(length, lines, &mut self.rng));
            }
            if candidates.is_empty() {
                break;
            }
            self.choose_from(candidates);
        }
    }

    /// Searches candidates in an even order and keeps those that fit, until the suite is full.
    fn choose_from(&mut self, mut candidates: Vec<Candidate>) {
        self.rng.shuffle(&mut candidates);
        let candidates = deal(candidates);
        for batch in candidates.chunks(BATCH * self.judge.threads()) {
            if self.is_full() {
                break;
            }
            let boards: Vec<Board> = batch.iter().map(|candidate| candidate.board).collect();
            let scores = self.judge.scores(&boards);
            for (candidate, score) in batch.iter().zip(scores) {
                if self.is_full() {
                    break;
                }
                self.searched += 1;
                if let Some(score) = balance(candidate.board.side, score) {
                    self.consider(candidate, score);
                }
            }
            (self.progress)(Progress {
                searched: self.searched,
                kept: self.openings.len(),
            });
        }
    }

    fn is_full(&self) -> bool {
        self.openings.len() >= self.recipe.count
    }

    /// Keeps a candidate if its score fits and its better side has not enough openings yet.
    fn consider(&mut self, candidate: &Candidate, score: Value) {
        if !self.recipe.balance.contains(&score.unsigned_abs()) {
            return;
        }
        let side = if score > 0 { Side::White } else { Side::Black };
        let halved = *self.recipe.balance.start() > 0;
        if halved && self.better[side] >= self.recipe.count.div_ceil(2) {
            return;
        }
        self.better[side] += 1;
        self.openings.push(Opening {
            setup: Setup {
                board: candidate.board,
                suffixes: Suffixes::default(),
            },
            line: candidate.line.clone(),
            score: Some(score),
        });
    }
}

/// A score in hundredths of a man from White's view; `None` where the search saw the end of the game, or nothing.
fn balance(side: Side, score: Option<Score>) -> Option<Value> {
    match score? {
        Score::Cp(value) if side == Side::White => Some(value),
        Score::Cp(value) => Some(-value),
        Score::Mate(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::{canonical, is_fit};
    use std::collections::HashSet;

    fn recipe() -> Recipe {
        Recipe {
            plies: 3..=4,
            count: 40,
            balance: 0..=30,
            nodes: 2000,
            seed: 5,
        }
    }

    fn suite(variant: Variant, recipe: &Recipe, threads: usize) -> Vec<Opening> {
        let threads = NonZeroUsize::new(threads).unwrap();
        make(variant, recipe, threads, &mut |_| ()).unwrap()
    }

    #[test]
    fn threads_change_nothing_and_the_seed_does() {
        for variant in Variant::ALL {
            let one = suite(variant, &recipe(), 1);
            assert_eq!(one, suite(variant, &recipe(), 3), "{variant}");
            let other = Recipe {
                seed: 6,
                ..recipe()
            };
            assert_ne!(one, suite(variant, &other, 3), "{variant}");
        }
    }

    #[test]
    fn uneven_suites_favour_either_side_in_half_of_their_openings() {
        let recipe = Recipe {
            plies: 7..=9,
            balance: 60..=160,
            ..recipe()
        };
        for variant in Variant::ALL {
            let openings = suite(variant, &recipe, 2);
            assert_eq!(openings.len(), recipe.count);
            let scores: Vec<Value> = openings.iter().filter_map(|o| o.score).collect();
            let inside = |score: &&Value| (60..=160).contains(&score.abs());
            assert_eq!(scores.iter().filter(inside).count(), recipe.count);
            let white = scores.iter().filter(|&&score| score > 0).count();
            assert_eq!(white, 20, "{variant}");
            with_rules!(variant, R => {
                let boards = openings.iter().map(|o| o.setup.board);
                assert!(boards.clone().all(|board| is_fit::<R>(&board)));
                let different: HashSet<Board> = boards.map(|b| canonical::<R>(&b)).collect();
                assert_eq!(different.len(), recipe.count);
            });
        }
    }

    #[test]
    fn a_suite_that_cannot_be_filled_is_an_error() {
        let greedy = Recipe {
            plies: 1..=1,
            count: 8,
            ..recipe()
        };
        let threads = NonZeroUsize::MIN;
        let made = make(Variant::default(), &greedy, threads, &mut |_| ());
        // All nine first moves are tried, and none scores so.
        let impossible = Recipe {
            balance: 5000..=5001,
            ..greedy
        };
        assert!(made.is_ok_and(|openings| openings.len() == 8));
        let error = make(Variant::default(), &impossible, threads, &mut |_| ()).unwrap_err();
        let told = matches!(
            error,
            SuiteError::TooFew {
                kept: 0,
                wanted: 8,
                searched: 9
            }
        );
        assert!(told, "{error}");
    }
}
