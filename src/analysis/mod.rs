//! Analysis from scripts: requests of many positions come in as lines of JSON, answers go out as lines of JSON, in the
//! manner of KataGo's analysis engine. `protocol.md` specifies the format.
//!
//! A [`Desk`] takes lines from whoever reads the input and puts queries into a bounded queue, whose positions its workers
//! search, each with an engine of its own. Invariants:
//! * every position of a query that was accepted is answered by exactly one line that is not from during its search, or by
//!   one error, terminated or not;
//! * a search starts from an empty table unless the table is to be kept, so that what is found at a limit of nodes or
//!   depth does not hang on what was searched before, by whom, or by how many workers;
//! * what waits is bounded: [`Desk::take`] does not return while there is no room.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod analyst;
pub mod annotate;
mod answer;
mod outbox;
pub mod plot;
mod queue;
pub mod request;

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::Sender;
use serde::Serialize;

use crate::board::Variant;
use crate::engine::command::Setting;
use crate::engine::options::Settings;
use crate::engine::{Engine, build};
use analyst::{Analyst, fault, json, stopper};
use outbox::Outbox;
use queue::{Queue, Task, Ticket};
use request::{Action, Fault, Input, Query, Turns};

/// How a desk works.
#[derive(Clone, Debug)]
pub struct Config {
    /// Searches at the same time.
    pub workers: usize,
    /// Whether answers come in the order of the requests.
    pub ordered: bool,
    /// Whether a worker keeps its table from search to search.
    pub keeps_table: bool,
    /// What a query is where it says nothing; its `hash` and `threads` hold for each worker.
    pub defaults: Query,
}

/// Why a desk could not work.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// The answers cannot be written.
    #[error("the answers cannot be written: {0}")]
    Output(#[from] io::Error),
    /// The system has no threads.
    #[error("the workers cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Where requests come in, are done and are answered.
pub struct Desk<W> {
    config: Config,
    state: Mutex<State>,
    /// Something is to be done, or nothing ever will be.
    work: Condvar,
    /// There is room for more.
    room: Condvar,
    outbox: Mutex<Outbox<W>>,
    checkers: Mutex<HashMap<Variant, Box<dyn Engine>>>,
}

#[derive(Default)]
struct State {
    queue: Queue,
    /// What each worker is at, and how to stop it.
    running: HashMap<usize, (Task, Sender<()>)>,
    /// Lines read.
    lines: u64,
    /// How often the tables were to be cleared.
    clearings: u64,
    /// There will be no more lines.
    closed: bool,
    /// The output failed.
    failed: Option<io::Error>,
    broken: bool,
}

/// A line about a request that is not about a position.
#[derive(Serialize)]
struct Notice<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<&'a str>,
    field: Option<&'a str>,
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<usize>,
    line: u64,
}

impl<'a> Notice<'a> {
    fn error(line: u64, id: Option<&'a str>, turn: Option<usize>, fault: &'a Fault) -> Self {
        Self {
            error: Some(&fault.what),
            warning: None,
            field: Some(fault.field.as_str()).filter(|field| !field.is_empty()),
            id,
            turn,
            line,
        }
    }
}

/// What a position is answered with that was terminated before its search began.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NoResults<'a> {
    id: &'a str,
    turn: usize,
    is_during_search: bool,
    terminated: bool,
    no_results: bool,
}

/// The answer to an action.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Done<'a> {
    id: &'a str,
    action: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    terminate_id: Option<&'a str>,
    /// Positions that were ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    terminated: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a str>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing is left half done under a lock.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Write + Send> Desk<W> {
    /// A desk that answers to `output`.
    pub fn new(config: Config, output: W) -> Self {
        let outbox = Outbox::new(output, config.ordered);
        Self {
            config,
            state: Mutex::default(),
            work: Condvar::new(),
            room: Condvar::new(),
            outbox: Mutex::new(outbox),
            checkers: Mutex::default(),
        }
    }

    /// Takes the next line of the input; waits while there is no room for more. False if nobody hears the answers any more.
    pub fn take(&self, text: &str) -> bool {
        let line = {
            let mut state = lock(&self.state);
            state.lines += 1;
            state.lines
        };
        if text.trim().is_empty() {
            return !self.is_broken();
        }
        let parsed = request::parse(text, &self.config.defaults);
        let id = parsed.id.as_deref();
        let mut notices: Vec<String> = Vec::new();
        for fault in &parsed.warnings {
            let warning = Notice {
                error: None,
                warning: Some(&fault.what),
                ..Notice::error(line, id, None, fault)
            };
            notices.push(json(&warning));
        }
        let checked = parsed.input.and_then(|input| match input {
            Input::Query(query) => self.ticket(line, text.len(), *query).map(Ok),
            Input::Action { id, action } => Ok(Err((id, action))),
        });
        let expected = match &checked {
            Ok(Ok(ticket)) => ticket.turns.len(),
            _ => 1,
        };
        if let Err(fault) = &checked {
            notices.push(json(&Notice::error(line, id, None, fault)));
        }
        if self.config.ordered || matches!(checked, Ok(Ok(_))) {
            self.wait_for_room();
        }
        let warnings = parsed.warnings.len();
        self.write(|outbox| {
            outbox.open(line, warnings + expected);
            let mut told = notices.into_iter().enumerate();
            told.try_for_each(|(index, text)| outbox.answer(line, index, text))
        });
        match checked {
            Ok(Ok(mut ticket)) => {
                ticket.warnings = warnings;
                lock(&self.state).queue.add(Arc::new(ticket));
                self.work.notify_all();
            }
            Ok(Err((id, action))) => {
                let done = self.act(&id, &action);
                self.write(|outbox| outbox.answer(line, warnings, done));
            }
            Err(_) => {}
        }
        !self.is_broken()
    }

    /// A line that was too long to be read.
    pub fn refuse(&self, what: &str) -> bool {
        let line = {
            let mut state = lock(&self.state);
            state.lines += 1;
            state.lines
        };
        let text = json(&Notice::error(line, None, None, &Fault::new("", what)));
        self.write(|outbox| {
            outbox.open(line, 1);
            outbox.answer(line, 0, text)
        });
        !self.is_broken()
    }

    /// Says that the input has ended.
    pub fn close(&self) {
        lock(&self.state).closed = true;
        self.work.notify_all();
    }

    /// Works until the input has ended and all is done, or nobody hears the answers any more.
    pub fn work(&self) -> Result<(), DeskError> {
        let workers = self.config.workers.max(1);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(workers)
            .build()?;
        pool.broadcast(|context| self.serve(context.index()));
        match lock(&self.state).failed.take() {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }

    fn is_broken(&self) -> bool {
        lock(&self.state).broken
    }

    /// Checks what can be checked of a query before it is searched.
    fn ticket(&self, line: u64, size: usize, query: Query) -> Result<Ticket, Fault> {
        let mut checkers = lock(&self.checkers);
        let variant = query.settings.variant;
        let mut checker = match checkers.remove(&variant) {
            Some(checker) => checker,
            None => build(Settings {
                variant,
                hash: 1,
                ..Settings::default()
            })
            .map_err(fault)?,
        };
        let setting = Setting {
            origin: query.origin.clone(),
            moves: query.moves.join(" "),
        };
        let good = checker.set_position(&setting).map_err(fault);
        checkers.insert(variant, checker);
        good?;
        let last = query.moves.len();
        let turns = match &query.turns {
            Turns::Last => vec![last],
            Turns::All => (0..=last).collect(),
            Turns::List(turns) => match turns.iter().find(|&&turn| turn > last) {
                None => turns.clone(),
                Some(turn) => {
                    let what = format!(
                        "turn {turn} is beyond the end of the moves: expected numbers from 0 to {last}"
                    );
                    return Err(Fault::new("turns", what));
                }
            },
        };
        Ok(Ticket {
            line,
            query,
            turns,
            size,
            warnings: 0,
        })
    }

    /// Waits until there is room for another query.
    fn wait_for_room(&self) {
        let mut state = lock(&self.state);
        while !state.broken
            && (state.queue.is_full() || lock(&self.outbox).open_lines() >= Queue::capacity())
        {
            let woken = self.room.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Obeys an action and gives its answer.
    fn act(&self, id: &str, action: &Action) -> String {
        let mut done = Done {
            id,
            action: "",
            terminate_id: None,
            terminated: None,
            name: None,
            version: None,
        };
        match action {
            Action::Terminate { id: ended, turns } => {
                done.action = "terminate";
                done.terminate_id = Some(ended);
                let meant = |ticket: &Ticket, turn: usize| {
                    ticket.query.id == *ended
                        && match turns {
                            Turns::List(turns) => turns.contains(&turn),
                            _ => true,
                        }
                };
                done.terminated = Some(self.terminate(meant));
            }
            Action::TerminateAll => {
                done.action = "terminate_all";
                done.terminated = Some(self.terminate(|_, _| true));
            }
            Action::QueryVersion => {
                done.action = "query_version";
                done.name = Some("Warcab");
                done.version = Some(env!("CARGO_PKG_VERSION"));
            }
            Action::ClearCache => {
                done.action = "clear_cache";
                lock(&self.state).clearings += 1;
            }
        }
        json(&done)
    }

    /// Ends the positions that are meant: those that run are stopped, those that wait are answered without results.
    fn terminate(&self, is_meant: impl Fn(&Ticket, usize) -> bool) -> usize {
        let mut state = lock(&self.state);
        let mut count = 0;
        for (task, stop) in state.running.values() {
            if is_meant(&task.ticket, task.turn()) {
                // A full channel means that it was told before.
                count += usize::from(stop.try_send(()).is_ok());
            }
        }
        let removed = state.queue.remove(is_meant);
        drop(state);
        count += removed.len();
        for task in removed {
            let answer = NoResults {
                id: &task.ticket.query.id,
                turn: task.turn(),
                is_during_search: false,
                terminated: true,
                no_results: true,
            };
            self.answer(&task, json(&answer));
        }
        self.room.notify_all();
        count
    }

    /// Answers a position.
    fn answer(&self, task: &Task, text: String) {
        let ticket = &task.ticket;
        let index = ticket.warnings + task.index;
        self.write(|outbox| outbox.answer(ticket.line, index, text));
        // Under the lock, or the reader might look before and wait after.
        let _state = lock(&self.state);
        self.room.notify_all();
    }

    /// Writes, and ends everything if that fails.
    fn write(&self, write: impl FnOnce(&mut Outbox<W>) -> io::Result<()>) {
        let written = write(&mut lock(&self.outbox));
        let Err(error) = written else { return };
        let mut state = lock(&self.state);
        if !state.broken {
            state.broken = true;
            state.failed = Some(error).filter(|e| e.kind() != io::ErrorKind::BrokenPipe);
        }
        state.queue.remove(|_, _| true);
        for (_, stop) in state.running.values() {
            let _ = stop.try_send(());
        }
        drop(state);
        self.work.notify_all();
        self.room.notify_all();
    }

    /// What a worker does.
    fn serve(&self, worker: usize) {
        let mut analyst = Analyst::new(self.config.keeps_table);
        let mut clearings = 0;
        loop {
            let (sender, stop) = stopper();
            let mut state = lock(&self.state);
            let task = loop {
                if state.broken {
                    return;
                }
                if let Some(task) = state.queue.take() {
                    break task;
                }
                if state.closed {
                    return;
                }
                let woken = self.work.wait(state);
                state = woken.unwrap_or_else(PoisonError::into_inner);
            };
            state.running.insert(worker, (task.clone(), sender));
            let wanted = state.clearings;
            drop(state);
            self.room.notify_all();
            if wanted != clearings {
                clearings = wanted;
                analyst.clear();
            }
            let mut report = |text| self.write(|outbox| outbox.say(text));
            let text = match analyst.analyse(&task, &stop, &mut report) {
                Ok(text) => text,
                Err(fault) => {
                    let ticket = &task.ticket;
                    let (id, turn) = (Some(ticket.query.id.as_str()), Some(task.turn()));
                    json(&Notice::error(ticket.line, id, turn, &fault))
                }
            };
            lock(&self.state).running.remove(&worker);
            self.answer(&task, text);
        }
    }
}
