//! Search: parallel iterative deepening over a shared transposition table.
//!
//! [`Searcher::search`] starts the threads, which all search the same root (`root`, `worker`) and help each other through
//! the table alone (`tt`). The first thread watches clock and limits (`clock`) and reports; the others stop with it.
//!
//! Draughts facts the search builds on: a side that must capture has no choice to pass, so there is no null move; captures
//! are resolved to the end before any static evaluation; neither a capture nor a forced reply costs depth; a reduced search
//! with a raised window prunes better than static margins.

mod clock;
mod history;
pub mod level;
pub mod limits;
mod order;
pub mod params;
mod root;
pub mod score;
mod tables;
mod tt;
mod values;
mod worker;

use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

pub use level::{FULL_LEVEL, Strength};
pub use limits::{Clock, Limits, Request, Signals};
pub use params::Params;
pub use score::{Score, Value};

use self::tables::Tables;
use self::tt::Table;
use self::worker::{Memory, Shared, Worker};
use crate::board::movegen::legal_moves;
use crate::board::{Game, Move, Rules};
use crate::eval::Evaluator;
use crate::tablebase::Tablebase;

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
    /// Mean ply of the positions the first thread evaluated.
    pub mean_depth: f64,
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

/// Stack of a helping thread in bytes: room for the deepest line.
const HELPER_STACK: usize = 16 << 20;

/// A searcher of one rule set: its transposition table and its threads' memories.
#[derive(Debug)]
pub struct Searcher<R: Rules> {
    table: Table,
    memories: Vec<Memory>,
    evaluator: Evaluator<R>,
    tablebase: Tablebase<R>,
    params: Params,
}

impl<R: Rules> Searcher<R> {
    /// A searcher with a table of `mib` MiB (1 or more) and `threads` threads (1 or more).
    pub fn new(mib: usize, threads: usize) -> Result<Self, HashError> {
        Ok(Self {
            table: Table::new(mib)?,
            memories: vec![Memory::new(); threads.max(1)],
            evaluator: Evaluator::default(),
            tablebase: Tablebase::default(),
            params: Params::default(),
        })
    }

    /// Replaces the table; its contents are lost. Where memory does not allow it, the old table stays in force.
    pub fn resize(&mut self, mib: usize) -> Result<(), HashError> {
        // The old table makes room first, or a change from half of the memory to a little more would be refused.
        let old = self.table.mib();
        self.table = Table::new(1)?;
        match Table::new(mib) {
            Ok(table) => {
                self.table = table;
                Ok(())
            }
            Err(error) => {
                self.table = Table::new(old)?;
                Err(HashError { now: old, ..error })
            }
        }
    }

    /// Sets the number of threads, 1 or more.
    pub fn set_threads(&mut self, threads: usize) {
        self.memories.resize(threads.max(1), Memory::new());
    }

    /// Replaces the evaluator. What the table holds was found with the old one: [`clear`](Self::clear) it.
    pub fn set_evaluator(&mut self, evaluator: Evaluator<R>) {
        self.evaluator = evaluator;
        self.memories.iter_mut().for_each(Memory::forget_values);
    }

    /// Replaces the endgame tables. What the table holds was found with the old ones: [`clear`](Self::clear) it.
    pub fn set_tablebase(&mut self, tablebase: Tablebase<R>) {
        self.tablebase = tablebase;
    }

    /// Sets the numbers the search is tuned by.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
    }

    /// Forgets everything, as before a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.memories.iter_mut().for_each(Memory::clear);
    }

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
        match level::weaken(request) {
            Some(weak) => self.search_weakly(game, request, &weak, signals, report),
            None => self.search_fully(game, request, self.memories.len(), signals, report),
        }
    }

    /// Searches with nobody listening: the move to play and the last score that was exact, `None` if none was. Where there is
    /// no legal move there is nothing.
    pub fn judge(
        &mut self,
        game: &Game<R>,
        request: &Request,
        signals: &Signals,
    ) -> Option<(Move, Option<Score>)> {
        let mut last = None;
        let answer = self.search(game, request, signals, &mut |report| {
            if report.bound == Bound::Exact {
                last = Some(report.score);
            }
        });
        answer.best.map(|mv| (mv, last))
    }

    /// Searches at full strength with so many of the threads.
    fn search_fully(
        &mut self,
        game: &Game<R>,
        request: &Request,
        threads: usize,
        signals: &Signals,
        report: &mut dyn FnMut(Report),
    ) -> Answer {
        let start = Instant::now();
        let mut moves = legal_moves::<R>(game.board()).into_vec();
        moves.retain(|mv| request.root_moves.is_empty() || request.root_moves.contains(mv));
        if moves.is_empty() {
            wait(&request.limits, signals);
            return Answer {
                best: None,
                ponder: None,
            };
        }
        let tables = Tables::new(&self.tablebase, game, request, &moves);
        self.table.age();
        self.memories.iter_mut().for_each(Memory::fade);
        let (over, nodes) = (Signals::default(), AtomicU64::new(0));
        let shared = Shared {
            table: &self.table,
            tables: &tables,
            draws: &game.table,
            signals,
            limits: &request.limits,
            overhead: request.overhead,
            contempt: request.contempt,
            start,
            evaluator: &self.evaluator,
            params: &self.params,
            over: &over,
            nodes: &nodes,
        };
        let (leader, helpers) = self
            .memories
            .split_first_mut()
            .expect("a searcher has a thread");
        let helpers = helpers.iter_mut().take(threads.saturating_sub(1));
        let mut worker = Worker::new(&shared, leader, true, game.positions());
        std::thread::scope(|scope| {
            for (index, memory) in helpers.enumerate() {
                let shared = &shared;
                let help = move || {
                    let mut worker = Worker::new(shared, memory, false, game.positions());
                    root::deepen(&mut worker, request, index + 1, &mut |_| ());
                };
                let builder = std::thread::Builder::new().stack_size(HELPER_STACK);
                // A system short of threads searches with fewer.
                if builder.spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            root::deepen(&mut worker, request, 0, report);
            wait(&request.limits, signals);
            over.stop();
        });
        let line = &worker.root_moves[0].pv;
        Answer {
            best: line.first().copied(),
            ponder: line.get(1).copied(),
        }
    }

    /// Plays below full strength: one thread's short look at several moves, then a choice among them that errs.
    fn search_weakly(
        &mut self,
        game: &Game<R>,
        request: &Request,
        weak: &Request,
        signals: &Signals,
        report: &mut dyn FnMut(Report),
    ) -> Answer {
        let mut seen = level::Seen::default();
        self.search_fully(game, weak, 1, signals, &mut |line| seen.add(line));
        let chosen = seen.choose(request.strength);
        let line = chosen.as_ref().map_or(&[][..], |chosen| &chosen.pv);
        let answer = Answer {
            best: line.first().copied(),
            ponder: line.get(1).copied(),
        };
        if let Some(chosen) = chosen {
            report(Report {
                multi_pv: 1,
                ..chosen
            });
        }
        wait(&request.limits, signals);
        answer
    }
}

/// Holds an answer back that must not be given before a signal.
fn wait(limits: &Limits, signals: &Signals) {
    let held = || limits.infinite || (limits.ponder && !signals.is_ponderhit());
    while held() && !signals.is_stopped() {
        std::thread::sleep(Duration::from_millis(1));
    }
}
