//! The program's own searcher as a player: no process, no text, one thread and a table of its own.

use std::time::{Duration, Instant};

use super::{Answer, Fault, FaultKind, Player, Situation, Thought};
use crate::board::Rules;
use crate::engine::options::{Opt, Settings};
use crate::eval::Source;
use crate::search::{Bound, Limits, Params, Request, Searcher, Strength, Value};
use crate::tablebase::Tablebase;

/// The options of the program's own searcher that are no parameters of the search.
const OPTIONS: [&str; 5] = ["EvalFile", "TablebasePath", "Contempt", "Skill Level", ELO];
const ELO: &str = "UCI_Elo";

/// Reads the options of the program's own searcher: parameters of the search, and the few others it takes, which come
/// into the settings; on an error, what is accepted.
pub fn own_options(options: &[(String, String)]) -> Result<(Params, Settings), String> {
    let (mut params, mut settings) = (Params::default(), Settings::default());
    for (name, value) in options {
        match Opt::find(name).filter(|known| OPTIONS.contains(&known.name)) {
            Some(known) => {
                let read = known.read(&mut settings, Some(value));
                read.map_err(|failure| failure.what)?;
                settings.limit_strength |= known.name == ELO;
            }
            None => params.set(name, value)?,
        }
    }
    Ok((params, settings))
}

/// A searcher that plays.
pub(super) struct Own<R: Rules> {
    searcher: Searcher<R>,
    strength: Strength,
    contempt: Value,
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
    /// A player with a table of `hash` MiB and what [`own_options`] reads.
    pub(super) fn new(hash: usize, options: &[(String, String)]) -> Result<Self, Fault> {
        let failed = |what: String| fault(FaultKind::Crash, format!("cannot be started: {what}"));
        let mut searcher = Searcher::new(hash, 1).map_err(|error| failed(error.to_string()))?;
        let (params, mut settings) = own_options(options).map_err(failed)?;
        if !settings.eval_file.is_empty() {
            let source = Source::read::<R>(&settings.eval_file);
            let source = source.map_err(|error| failed(error.to_string()))?;
            searcher.set_evaluator(source.evaluator());
        }
        let tablebase = Tablebase::<R>::read(&settings.tablebase_path);
        searcher.set_tablebase(tablebase.map_err(|error| failed(error.to_string()))?);
        searcher.set_params(params);
        settings.variant = R::VARIANT;
        Ok(Self {
            searcher,
            strength: settings.strength(),
            contempt: settings.contempt,
        })
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
            strength: self.strength,
            contempt: self.contempt,
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
