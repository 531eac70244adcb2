//! What waits to be analysed: a bounded queue of queries, taken turn by turn, those of the highest priority first and
//! among equals the oldest.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::request::Query;

/// Most queries that wait.
const MOST_QUERIES: usize = 1_024;
/// Most bytes of the lines of queries that wait.
const MOST_BYTES: usize = 16 << 20;

/// A query with its place in the input.
#[derive(Debug)]
pub(super) struct Ticket {
    /// The number of its line, from 1.
    pub(super) line: u64,
    pub(super) query: Query,
    /// The turns to answer, in their order.
    pub(super) turns: Vec<usize>,
    /// Length of its line in bytes.
    pub(super) size: usize,
    /// Warnings that come before its answers.
    pub(super) warnings: usize,
}

/// One position of a query.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) ticket: Arc<Ticket>,
    /// Which of the ticket's turns.
    pub(super) index: usize,
}

impl Task {
    /// After how many moves the position stands.
    pub(super) fn turn(&self) -> usize {
        self.ticket.turns.get(self.index).copied().unwrap_or(0)
    }
}

/// Queries in the order in which they are taken: highest priority first, then the oldest.
type Place = (Reverse<i64>, u64);

/// The queue.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: BTreeMap<Place, (Arc<Ticket>, VecDeque<usize>)>,
    bytes: usize,
}

impl Queue {
    /// Whether nothing more should be added.
    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() >= MOST_QUERIES || self.bytes >= MOST_BYTES
    }

    /// Most queries that wait.
    pub(super) const fn capacity() -> usize {
        MOST_QUERIES
    }

    /// Adds a query.
    pub(super) fn add(&mut self, ticket: Arc<Ticket>) {
        let indices = (0..ticket.turns.len()).collect();
        self.bytes += ticket.size;
        let place = (Reverse(ticket.query.priority), ticket.line);
        self.waiting.insert(place, (ticket, indices));
    }

    /// Takes the next position.
    pub(super) fn take(&mut self) -> Option<Task> {
        let mut first = self.waiting.first_entry()?;
        let (ticket, indices) = first.get_mut();
        let task = indices.pop_front().map(|index| Task {
            ticket: Arc::clone(ticket),
            index,
        });
        if indices.is_empty() {
            self.bytes = self.bytes.saturating_sub(ticket.size);
            first.remove();
        }
        task
    }

    /// Takes out all positions of which `is_meant` holds.
    pub(super) fn remove(&mut self, is_meant: impl Fn(&Ticket, usize) -> bool) -> Vec<Task> {
        let mut removed = Vec::new();
        let mut freed = 0;
        self.waiting.retain(|_, (ticket, indices)| {
            indices.retain(|&index| {
                let turn = ticket.turns.get(index).copied().unwrap_or(0);
                let meant = is_meant(ticket, turn);
                if meant {
                    removed.push(Task {
                        ticket: Arc::clone(ticket),
                        index,
                    });
                }
                !meant
            });
            if indices.is_empty() {
                freed += ticket.size;
            }
            !indices.is_empty()
        });
        self.bytes = self.bytes.saturating_sub(freed);
        removed
    }
}
