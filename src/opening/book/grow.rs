//! Growing a book: the moves of a leaf are put in, the positions they lead to are searched, and the scores backed up.
//!
//! First come the leaves that games came to, if there are games; then, by Lincke's drop-out expansion (2001), always the leaf
//! that its line loses least on the way to, a few at a time. Nothing depends on the number of threads, and without a limit of
//! time nothing depends on the clock.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::games::Games;
use super::tree::{Distance, Node, Tree};
use super::{Book, WON};
use crate::board::movegen::has_moves;
use crate::board::{Board, Rules, Variant, split_mix};
use crate::opening::judge::Judge;
use crate::search::{HashError, Score, Signals, Value};
use crate::with_rules;

/// Leaves that are opened at a time at least, and the share of the book where that is more.
const LEAST_BATCH: usize = 8;
const BATCH_SHARE: usize = 256;

/// When a book has grown enough; the first limit that is reached ends it, and without any it does not grow beyond the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Enough {
    /// Positions to add beyond those of games.
    pub positions: Option<usize>,
    /// Time for all of it.
    pub time: Option<Duration>,
}

/// How a book is to grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// When it has grown enough.
    pub enough: Enough,
    /// Nodes of each search.
    pub nodes: u64,
    /// The most plies from the start to a position whose moves are put in, plus one: the length of its longest lines.
    pub plies: u32,
    /// How often games must have come to a position.
    pub seen: u32,
    /// Decides between leaves that have equal claims.
    pub seed: u64,
}

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions in the book.
    pub positions: usize,
    /// Positions searched.
    pub searched: usize,
    /// The score of the start from its side to move.
    pub start: Value,
}

/// Why a book cannot grow.
#[derive(Debug, Error)]
pub enum GrowError {
    /// The book to go on from does not have the start of the game.
    #[error("the start of the game is not in the book to go on from")]
    NoStart,
    /// The searches' tables do not fit in memory.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Grows a book, from nothing or from another one, which stays as it is. A signal to stop ends the work as soon as the
/// searches that run are done; what has grown so far is a sound book. `progress` hears of it now and then.
///
/// # Errors
///
/// A book that one cannot go on from, or memory or threads that are not to be had.
pub fn grow(
    variant: Variant,
    recipe: &Recipe,
    from: Option<&Book>,
    games: Option<&Games>,
    threads: NonZeroUsize,
    stop: &Signals,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Book, GrowError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.get())
        .build()?;
    with_rules!(variant, R => {
        let tree = match from {
            Some(book) => Tree::<R>::of(book).ok_or(GrowError::NoStart)?,
            None => Tree::new(),
        };
        let mut gardener = Gardener {
            tree,
            judge: Judge::new(threads.get(), recipe.nodes)?,
            recipe,
            games,
            stop,
            progress,
            begun: Instant::now(),
            searched: 0,
        };
        pool.install(|| gardener.work(from.is_none()));
        Ok(gardener.tree.book())
    })
}

/// A book that grows.
struct Gardener<'a, R: Rules> {
    tree: Tree<R>,
    judge: Judge<R>,
    recipe: &'a Recipe,
    games: Option<&'a Games>,
    stop: &'a Signals,
    progress: &'a mut (dyn FnMut(Progress) + Send),
    begun: Instant,
    searched: usize,
}

impl<R: Rules> Gardener<'_, R> {
    fn work(&mut self, is_new: bool) {
        if is_new {
            self.score_from(0);
        }
        while let Some(leaves) = self.of_games() {
            self.open(leaves);
        }
        let Enough { positions, time } = self.recipe.enough;
        if positions.is_none() && time.is_none() {
            return;
        }
        let most = positions.map_or(usize::MAX, |n| self.tree.len().saturating_add(n));
        while self.tree.len() < most
            && let Some(mut leaves) = self.cheapest()
        {
            // How many positions a leaf adds shows when it is opened.
            leaves.truncate((most - self.tree.len()).div_ceil(LEAST_BATCH));
            self.open(leaves);
        }
    }

    fn is_over(&self) -> bool {
        let time = self.recipe.enough.time;
        self.stop.is_stopped() || time.is_some_and(|time| self.begun.elapsed() >= time)
    }

    /// How many leaves to open at a time.
    fn batch(&self) -> usize {
        LEAST_BATCH.max(self.tree.len() / BATCH_SHARE)
    }

    /// The next leaves that games came to, most often first; `None` where there are no more.
    fn of_games(&self) -> Option<Vec<usize>> {
        let games = self.games?;
        self.first_leaves(|node, _| {
            let seen = games.seen(node.key);
            (seen >= self.recipe.seen.max(1)).then_some(-i64::from(seen))
        })
    }

    /// The next leaves that their lines lose least on the way to; `None` where there are none.
    fn cheapest(&self) -> Option<Vec<usize>> {
        self.first_leaves(|_, distance| Some(distance.cost.into()))
    }

    /// The first leaves by their claims, the smallest first; `None` where none has a claim or there is an end to it. Decided
    /// positions have none, nor have those at the end of the longest lines.
    fn first_leaves(&self, claim: impl Fn(&Node, &Distance) -> Option<i64>) -> Option<Vec<usize>> {
        if self.is_over() {
            return None;
        }
        let distances = self.tree.distances();
        let mut list: Vec<(i64, u64, usize)> = Vec::new();
        for (at, node) in self.tree.leaves() {
            if let Some(distance) = distances.get(at)
                && distance.plies < self.recipe.plies
                && node.score.abs() < WON
                && let Some(claim) = claim(node, distance)
            {
                list.push((claim, split_mix(node.key ^ self.recipe.seed).1, at));
            }
        }
        list.sort_unstable();
        list.truncate(self.batch());
        (!list.is_empty()).then(|| list.into_iter().map(|(_, _, at)| at).collect())
    }

    /// Puts the moves of leaves in, searches the positions that are new, and backs the scores up.
    fn open(&mut self, leaves: Vec<usize>) {
        let first = self.tree.len();
        for at in leaves {
            self.tree.open(at);
        }
        self.score_from(first);
        self.tree.open_known();
        self.tree.back_up();
        (self.progress)(Progress {
            positions: self.tree.len(),
            searched: self.searched,
            start: self.tree.node(0).map_or(0, |node| node.score),
        });
    }

    /// Scores the nodes from one of them to the end of the list.
    fn score_from(&mut self, first: usize) {
        let fresh = first..self.tree.len();
        let boards: Vec<Board> = fresh
            .clone()
            .filter_map(|at| Some(self.tree.node(at)?.board))
            .collect();
        let scores = self.judge.scores(&boards);
        self.searched += boards.len();
        for (at, (board, score)) in fresh.zip(boards.iter().zip(scores)) {
            self.tree.set_score(at, value::<R>(board, score));
        }
    }
}

/// What a book says of a position: hundredths of a man, or that it is decided.
fn value<R: Rules>(board: &Board, score: Option<Score>) -> Value {
    match score {
        Some(Score::Cp(cp)) => cp.clamp(1 - WON, WON - 1),
        Some(Score::Mate(moves)) if moves > 0 => WON,
        Some(Score::Mate(_)) => -WON,
        None if has_moves::<R>(board) => 0,
        None => -WON,
    }
}
