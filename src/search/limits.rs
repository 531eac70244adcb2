//! What a search is asked: its limits, its moves and the strength it plays with.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::level::Strength;
use super::score::Value;
use crate::board::Move;

/// The mover's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Milliseconds left; 0 or less means at once.
    pub time: i64,
    /// Milliseconds gained with each move.
    pub increment: i64,
    /// Moves until the clock is filled up again.
    pub moves_to_go: Option<u32>,
}

/// When a search ends. All limits given hold at once; none at all means until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Most nodes, over all threads.
    pub nodes: Option<u64>,
    /// Stop once a win in so many moves is found.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clock to budget from.
    pub clock: Option<Clock>,
    /// Go on until stopped, even when there is nothing left to find.
    pub infinite: bool,
    /// Search on the opponent's time: the limits above wait for [`Signals::ponderhit`].
    pub ponder: bool,
}

impl Limits {
    /// Whether the search ends by itself.
    pub const fn is_bounded(&self) -> bool {
        !self.infinite
            && (self.depth.is_some()
                || self.nodes.is_some()
                || self.mate.is_some()
                || self.movetime.is_some()
                || self.clock.is_some())
    }
}

/// A search to be made.
#[derive(Clone, Debug)]
pub struct Request {
    /// When it ends.
    pub limits: Limits,
    /// The moves it may choose from; empty means all legal ones.
    pub root_moves: Vec<Move>,
    /// How many best lines to report, 1 or more.
    pub multi_pv: usize,
    /// Time kept back for the way to the GUI and back.
    pub overhead: Duration,
    /// Playing strength.
    pub strength: Strength,
    /// By how much a draw is worth less than an even position, in hundredths of a man.
    pub contempt: Value,
    /// Whether endgame tables are asked.
    pub tables: bool,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            root_moves: Vec::new(),
            multi_pv: 1,
            overhead: Duration::from_millis(10),
            strength: Strength::FULL,
            contempt: 0,
            tables: true,
        }
    }
}

/// How the outside speaks to a running search. The one who starts the search makes a new one for it, so that a signal
/// can neither be lost nor reach a later search.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    ponderhit: AtomicBool,
}

impl Signals {
    /// Asks the search to end as soon as it can.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Tells a pondering search that the expected move was played: from now on its limits hold.
    pub fn ponderhit(&self) {
        self.ponderhit.store(true, Ordering::Relaxed);
    }

    /// Whether the expected move was played.
    #[inline(always)]
    pub fn is_ponderhit(&self) -> bool {
        self.ponderhit.load(Ordering::Relaxed)
    }
}
