//! One who searches: an engine for the rule set of the position at hand.

use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, never, select, tick};

use super::answer::{Answer, Head, Known};
use super::queue::Task;
use super::request::{Fault, Query};
use crate::board::{Outcome, Side};
use crate::engine::command::{Event, Info, Order, Setting};
use crate::engine::error::{Code, Failure};
use crate::engine::options::Settings;
use crate::engine::{Engine, Job, build};
use crate::search::Bound;

/// Somebody who analyses positions, one after the other.
pub(super) struct Analyst {
    engine: Option<Box<dyn Engine>>,
    /// The table is kept from position to position.
    keeps_table: bool,
    /// The table holds what a search has found.
    used: bool,
}

/// The field of a query that a failure of the engine is about.
pub(super) fn fault(failure: Failure) -> Fault {
    let field = match failure.code {
        Code::BadFen => "fen",
        Code::BadMove | Code::IllegalMove | Code::AmbiguousMove => "moves",
        Code::OutOfMemory => "hash",
        Code::EvalFile => "evalFile",
        _ => "",
    };
    Fault::new(field, failure.what)
}

impl Analyst {
    pub(super) const fn new(keeps_table: bool) -> Self {
        Self {
            engine: None,
            keeps_table,
            used: false,
        }
    }

    /// Forgets what searches have found.
    pub(super) fn clear(&mut self) {
        if let Some(engine) = &mut self.engine
            && self.used
        {
            engine.clear();
        }
        self.used = false;
    }

    /// An engine with these settings and a table as before a new game.
    fn engine(&mut self, settings: &Settings) -> Result<&mut Box<dyn Engine>, Fault> {
        if !self.keeps_table {
            self.clear();
        }
        match self.engine.take() {
            Some(mut engine) if engine.settings().variant == settings.variant => {
                let settings = Settings {
                    hash: engine.settings().hash,
                    ..settings.clone()
                };
                engine.apply(settings).map_err(fault)?;
                Ok(self.engine.insert(engine))
            }
            // The table of another set makes room first.
            other => {
                drop(other);
                self.used = false;
                let engine = build(settings.clone()).map_err(fault)?;
                Ok(self.engine.insert(engine))
            }
        }
    }

    /// Analyses a position until its limits hold or `stop` says so, and gives the line that answers it. `report` hears
    /// of the search as often as the query asks.
    pub(super) fn analyse(
        &mut self,
        task: &Task,
        stop: &Receiver<()>,
        report: &mut dyn FnMut(String),
    ) -> Result<String, Fault> {
        let query = &task.ticket.query;
        let head = |is_during_search, terminated| Head {
            id: &query.id,
            turn: task.turn(),
            is_during_search,
            terminated,
            include_moves: query.include_moves,
        };
        let found = self.search(query, task.turn(), stop, &mut |known, lines| {
            report(json(&Answer::new(head(true, false), known, lines)));
        })?;
        let head = head(false, found.terminated);
        Ok(json(&Answer::new(head, &found.known, &found.lines)))
    }

    /// Searches the position after `turn` moves of a query.
    pub(super) fn search(
        &mut self,
        query: &Query,
        turn: usize,
        stop: &Receiver<()>,
        report: &mut dyn FnMut(&Known, &[Info]),
    ) -> Result<Found, Fault> {
        let engine = self.engine(&query.settings)?;
        let played = query.moves.get(..turn).unwrap_or_default();
        engine
            .set_position(&Setting {
                origin: query.origin.clone(),
                moves: played.join(" "),
            })
            .map_err(fault)?;
        let known = known(engine.as_ref());
        let order = Order {
            limits: query.limits.clone(),
            moves: query.search_moves.clone(),
            ..Order::default()
        };
        let started = engine.go(&order).map_err(fault)?;
        if let Some(failure) = started.failures.into_iter().next() {
            return Err(Fault::new("searchmoves", failure.what));
        }
        self.used = true;
        let mut lines = Lines::default();
        let mut report = |lines: &[Info]| report(&known, lines);
        let every = query.report_every;
        let terminated = hear(&started.job, stop, every, &mut lines, &mut report)?;
        Ok(Found {
            known,
            lines: lines.exact,
            terminated,
        })
    }
}

/// What was found of a position.
pub(super) struct Found {
    pub(super) known: Known,
    /// The lines of the search, best first; none where there is no legal move.
    pub(super) lines: Vec<Info>,
    /// The search was told to stop.
    pub(super) terminated: bool,
}

/// What an engine knows of its position without a search.
fn known(engine: &dyn Engine) -> Known {
    let fen = engine.fen().unwrap_or_default();
    Known {
        variant: engine.settings().variant,
        style: engine.settings().style,
        side: if fen.starts_with('W') {
            Side::White
        } else {
            Side::Black
        },
        fen,
        legal: engine.legal().unwrap_or_default(),
        outcome: engine.outcome().unwrap_or(Outcome::Ongoing),
    }
}

/// An answer as text.
pub(super) fn json(answer: &impl serde::Serialize) -> String {
    // Fails for maps with keys that are no strings, of which there are none.
    serde_json::to_string(answer).unwrap_or_default()
}

/// Hears a search to its end; whether it was told to stop.
fn hear(
    job: &Job,
    stop: &Receiver<()>,
    every: Option<Duration>,
    lines: &mut Lines,
    report: &mut dyn FnMut(&[Info]),
) -> Result<bool, Fault> {
    let clock = every.map_or_else(never, tick);
    let mut stop = stop.clone();
    let mut terminated = false;
    loop {
        select! {
            recv(job.events()) -> event => match event {
                Ok(Event::Info(info)) => lines.add(info),
                Ok(Event::Best(_)) => return Ok(terminated),
                Ok(Event::Count(_)) => {}
                Err(_) => return Err(Fault::new("", "the search broke down: please report it")),
            },
            recv(stop) -> told => {
                terminated |= told.is_ok();
                job.stop();
                // Whoever could stop it has done so, or gone away.
                stop = never();
            }
            recv(clock) -> _ => {
                let lines = lines.current();
                if !lines.is_empty() {
                    report(&lines);
                }
            }
        }
    }
}

/// The lines a search has reported, best first.
#[derive(Debug, Default)]
struct Lines {
    /// The last exact one of each rank; no two begin with the same move.
    exact: Vec<Info>,
    /// What came after them of the best line and is only a bound.
    bound: Option<Info>,
}

impl Lines {
    fn add(&mut self, info: Info) {
        let rank = info.multi_pv.saturating_sub(1);
        if info.bound != Bound::Exact {
            self.bound = Some(info).filter(|_| rank == 0);
            return;
        }
        if rank == 0 {
            self.bound = None;
        }
        let Some(replaced) = self.exact.get_mut(rank) else {
            self.exact.push(info);
            return;
        };
        let first = info.pv.first().cloned();
        let old = std::mem::replace(replaced, info);
        // A move that rose leaves its old rank to the one it took the new rank from.
        let twin = self
            .exact
            .iter()
            .skip(rank + 1)
            .position(|line| line.pv.first() == first.as_ref());
        if let Some(twin) = twin.and_then(|at| self.exact.get_mut(rank + 1 + at)) {
            *twin = old;
        }
    }

    /// The lines as far as they are known now.
    fn current(&self) -> Vec<Info> {
        let mut lines = self.exact.clone();
        if let (Some(bound), Some(first)) = (&self.bound, lines.first_mut()) {
            *first = bound.clone();
        }
        lines
    }
}

/// A channel that tells one search to stop.
pub(super) fn stopper() -> (Sender<()>, Receiver<()>) {
    crossbeam_channel::bounded(1)
}
