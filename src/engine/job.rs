//! A search or count that runs in its own thread.

use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::command::Event;
use super::error::{Code, Failure};
use crate::search::Signals;

/// Stack of a job's thread in bytes: room for the deepest line of the search.
const STACK: usize = 16 << 20;

/// A running job. It has its own signals and its own channel, so that neither a signal nor an event can reach another
/// one. Dropping it stops it and waits for its end.
#[derive(Debug)]
pub struct Job {
    signals: Arc<Signals>,
    events: Receiver<Event>,
    thread: Option<JoinHandle<()>>,
}

impl Job {
    /// Starts a job; `work` sends its events, the last of them when it holds no lock any more.
    pub(super) fn start(
        name: &str,
        work: impl FnOnce(&Signals, &Sender<Event>) + Send + 'static,
    ) -> Result<Self, Failure> {
        let signals = Arc::new(Signals::default());
        let (sender, events) = unbounded();
        let theirs = Arc::clone(&signals);
        let thread = Builder::new()
            .name(name.to_owned())
            .stack_size(STACK)
            .spawn(move || work(&theirs, &sender))
            .map_err(|error| {
                Failure::new(
                    Code::Internal,
                    format!("cannot start the {name} thread: {error}"),
                )
            })?;
        Ok(Self {
            signals,
            events,
            thread: Some(thread),
        })
    }

    /// A job that is over before it starts, with all its events.
    pub(super) fn done(list: impl IntoIterator<Item = Event>) -> Self {
        let (sender, events) = unbounded();
        for event in list {
            // The channel has no bound and its other end is at hand, so this cannot fail.
            let _ = sender.send(event);
        }
        Self {
            signals: Arc::default(),
            events,
            thread: None,
        }
    }

    /// Asks it to end.
    pub fn stop(&self) {
        self.signals.stop();
    }

    /// Tells a pondering search that the expected move was played.
    pub fn ponderhit(&self) {
        self.signals.ponderhit();
    }

    /// Its events.
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported where its channel closed without a last event.
            let _ = thread.join();
        }
    }
}
