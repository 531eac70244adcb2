//! The program's own searcher as a player: no process, no text, one thread and a table of its own.

use std::time::{Duration, Instant};

use super::{Answer, Fault, FaultKind, Player, Situation, Thought};
use crate::board::Rules;
use crate::eval::Source;
use crate::search::{Bound, Limits, Params, Request, Searcher};

/// The option of the program's own searcher that is no parameter of the search: a file of weights.
pub const EVAL_FILE: &str = "EvalFile";

/// A searcher that plays.
pub(super) struct Own<R: Rules> {
    searcher: Searcher<R>,
}

/// A fault of a player that has no process.
fn fault(kind: FaultKind, what: String) -> Fault {
    Fault {
        kind,
        what,
        lines: Vec::new(),
    }
}

impl<R: Rules> Own<R> {
    /// A player with a table of `hash` MiB. Its options are the parameters of the search, and `EvalFile`.
    pub(super) fn new(hash: usize, options: &[(String, String)]) -> Result<Self, Fault> {
        let failed = |what: String| fault(FaultKind::Crash, format!("cannot be started: {what}"));
        let mut searcher = Searcher::new(hash, 1).map_err(|error| failed(error.to_string()))?;
        let mut params = Params::default();
        for (name, value) in options {
            if name == EVAL_FILE {
                let source = Source::read::<R>(value).map_err(|error| failed(error.to_string()))?;
                searcher.set_evaluator(source.evaluator());
            } else {
                params.set(name, value).map_err(failed)?;
            }
        }
        searcher.set_params(params);
        Ok(Self { searcher })
    }
}

impl<R: Rules> Player<R> for Own<R> {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.searcher.clear();
        Ok(())
    }

    fn think(&mut self, situation: &Situation<'_, R>) -> Answer {
        let request = Request {
            limits: Limits {
                clock: situation.clocks.of(situation.game.board().side),
                ..situation.limits.clone()
            },
            // There is no way to the user and back.
            overhead: Duration::ZERO,
            ..Request::default()
        };
        let mut thought = Thought::default();
        let mut hear = |report: crate::search::Report| {
            thought.nodes = Some(report.nodes);
            if report.bound == Bound::Exact {
                thought.score = Some(report.score);
                thought.depth = Some(report.depth);
            }
        };
        let start = Instant::now();
        let signals = situation.signals;
        let answer = self
            .searcher
            .search(situation.game, &request, signals, &mut hear);
        Answer {
            time: start.elapsed(),
            mv: answer
                .best
                .ok_or_else(|| fault(FaultKind::Protocol, "has no move".into())),
            claim: None,
            thought,
        }
    }
}
