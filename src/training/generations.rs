//! The loop that grows weights: self-play with the best evaluation so far, fitting, a match against it, and again.
//!
//! Everything lies in a folder: `state.json`, and for each generation `gen-NN.games` (self-play), `gen-NN.bin` (weights);
//! the best weights are copied to `best.bin`. A loop that was interrupted goes on where it was, a budget that is raised adds
//! to it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::data::DataError;
use super::fit::{self, FitError, Options};
use super::gate;
use super::selfplay::{self, Enough, Plan, Progress};
use crate::board::{Board, Rules};
use crate::eval::Source;
use crate::eval::weights::{Weights, WeightsError};
use crate::part;
use crate::search::Signals;

/// The first generation's share of the budget, and by how much each one is longer than the one before.
const FIRST_SHARE: f64 = 0.06;
const GROWTH: f64 = 1.5;
/// Shares of a generation's time for self-play and for the match; fitting takes what it takes.
const PLAY_SHARE: f64 = 0.75;
const GATE_SHARE: f64 = 0.12;
/// Depth of self-play by generation; the last one goes for all later ones.
const DEPTHS: [u32; 5] = [6, 6, 6, 7, 8];
/// Share of the result in labels by generation; early scores know little.
const LAMBDAS: [f64; 5] = [0.6, 0.45, 0.35, 0.25, 0.1];
/// Generations of self-play that weights are fitted to.
const WINDOW: usize = 3;
/// The match.
const GATE_NODES: u64 = 4_000;
const GATE_PAIRS: u64 = 500;
/// The least positions a generation begins to fit with.
const LEAST_POSITIONS: u64 = 2_000;

/// What to grow.
#[derive(Clone, Debug)]
pub struct Growth {
    /// Time for all of it, former runs included.
    pub budget: Duration,
    /// Threads of each step.
    pub threads: usize,
    /// Seed of all steps.
    pub seed: u64,
    /// What judges the games of the first generation.
    pub first: Source,
    /// Positions that a share of the games begins from; see [`Plan::starts`].
    pub starts: Arc<[Board]>,
}

/// A generation that is finished.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Games of self-play.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Loss on the games held out.
    pub loss: f64,
    /// The match against the best weights before, in points a game.
    pub score: f64,
    /// Difference in strength, with half of its 95 % interval.
    pub elo: (f64, f64),
    /// Whether its weights became the best.
    pub accepted: bool,
}

/// What a folder remembers.
#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    variant: String,
    /// Seconds spent.
    spent: f64,
    /// Seconds of self-play in the generation that is under way.
    played: f64,
    /// The generation whose weights are the best.
    best: Option<usize>,
    done: Vec<Generation>,
}

/// Why a loop ends early.
#[derive(Debug, thiserror::Error)]
pub enum GrowthError {
    /// A file of self-play cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Fitting failed.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A file of weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// A file of the folder cannot be read or written.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The state makes no sense.
    #[error("{}: {what}", file.display())]
    State {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// What a loop tells.
#[derive(Debug)]
pub enum Note<'a> {
    /// A line worth keeping.
    Line(String),
    /// How far self-play is.
    Play(&'a Progress),
}

/// Files of a folder.
struct Folder<'a>(&'a Path);

impl Folder<'_> {
    fn games(&self, generation: usize) -> PathBuf {
        self.0.join(format!("gen-{generation:02}.games"))
    }

    fn weights(&self, generation: usize) -> PathBuf {
        self.0.join(format!("gen-{generation:02}.bin"))
    }

    fn state(&self) -> PathBuf {
        self.0.join("state.json")
    }

    fn load(&self, variant: &str) -> Result<State, GrowthError> {
        let file = self.state();
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(source) if source.kind() == io::ErrorKind::NotFound => {
                return Ok(State {
                    variant: variant.to_owned(),
                    ..State::default()
                });
            }
            Err(source) => return Err(GrowthError::Io { file, source }),
        };
        let fail = |what| GrowthError::State {
            file: self.state(),
            what,
        };
        let state: State = serde_json::from_str(&text).map_err(|e| fail(e.to_string()))?;
        if state.variant != variant {
            let found = &state.variant;
            return Err(fail(format!(
                "the folder is for {found}, expected {variant}"
            )));
        }
        Ok(state)
    }

    fn save(&self, state: &State) -> Result<(), GrowthError> {
        let file = self.state();
        let text = serde_json::to_string_pretty(state).map_err(io::Error::from);
        text.and_then(|text| part::write(&file, (text + "\n").as_bytes()))
            .map_err(|source| GrowthError::Io { file, source })
    }
}

/// Of a list by generation, the entry that goes for one of them.
fn of<T: Copy>(list: &[T], generation: usize) -> T {
    list[generation.min(list.len() - 1)]
}

/// Runs the loop in `folder` until the budget is spent or it is stopped, and returns the generations of all runs. Of the
/// generation in which it is stopped the games stay; what was fitted to them or played in its match is done anew.
pub fn grow<R: Rules>(
    growth: &Growth,
    folder: &Path,
    stop: &Signals,
    tell: &mut (dyn FnMut(Note<'_>) + Send),
) -> Result<Vec<Generation>, GrowthError> {
    std::fs::create_dir_all(folder).map_err(|source| GrowthError::Io {
        file: folder.to_owned(),
        source,
    })?;
    let folder = Folder(folder);
    let mut state = folder.load(R::VARIANT.name())?;
    let budget = growth.budget.as_secs_f64();
    let mut length = budget * FIRST_SHARE;
    state.done.iter().for_each(|_| length *= GROWTH);
    // What is left over for less than a quarter of a generation is not worth one.
    while budget - state.spent > length / 4.0 && !stop.is_stopped() {
        // What would be left over for less than half a generation belongs to this one.
        let left = budget - state.spent + state.played;
        let time = if left < 1.5 * length { left } else { length };
        step::<R>(growth, &folder, &mut state, time, stop, tell)?;
        length *= GROWTH;
    }
    Ok(state.done)
}

/// One generation of `time` seconds, or what there is time for until it is stopped.
fn step<R: Rules>(
    growth: &Growth,
    folder: &Folder<'_>,
    state: &mut State,
    time: f64,
    stop: &Signals,
    tell: &mut (dyn FnMut(Note<'_>) + Send),
) -> Result<(), GrowthError> {
    let number = state.done.len();
    let best = match state.best {
        Some(best) => Some(Arc::new(Weights::load(&folder.weights(best), R::VARIANT)?)),
        None => None,
    };
    let teacher = best.clone().map_or(growth.first.clone(), Source::Weights);
    let seed = growth
        .seed
        .wrapping_mul(1_000_003)
        .wrapping_add(number as u64);

    // Self-play; what an interrupted run has done of it counts.
    let mut plan = Plan {
        depth: Some(of(&DEPTHS, number)),
        nodes: None,
        seed,
        shard: [1, 1],
        threads: growth.threads,
        enough: Enough::default(),
        teacher: teacher.clone(),
        starts: growth.starts.clone(),
    };
    let games = folder.games(number);
    let (before, spent) = (state.played, state.spent);
    let wanted = (time * PLAY_SHARE - before).max(0.0);
    plan.enough.time = Some(Duration::from_secs_f64(wanted));
    let mut saved = Instant::now();
    let mut progress = selfplay::run::<R>(&plan, &games, stop, &mut |progress| {
        if saved.elapsed() > Duration::from_secs(2) {
            saved = Instant::now();
            state.played = before + progress.time.as_secs_f64();
            state.spent = spent + progress.time.as_secs_f64();
            // A failure will show when the generation is saved.
            let _ = folder.save(state);
        }
        tell(Note::Play(progress));
    })?;
    let mut play_time = progress.time.as_secs_f64();
    if progress.positions < LEAST_POSITIONS {
        plan.enough = Enough {
            positions: Some(LEAST_POSITIONS),
            ..Enough::default()
        };
        progress = selfplay::run::<R>(&plan, &games, stop, &mut |p| tell(Note::Play(p)))?;
        play_time += progress.time.as_secs_f64();
    }
    state.played = before + play_time;
    state.spent = spent + play_time;
    folder.save(state)?;
    if stop.is_stopped() {
        return Ok(());
    }
    tell(Note::Line(format!(
        "generation {number}: {} games, {} positions at depth {} in {:.0} s",
        progress.games,
        progress.positions,
        of(&DEPTHS, number),
        state.played
    )));

    // Fitting, on from the best weights.
    let start = Instant::now();
    let options = Options {
        lambda: of(&LAMBDAS, number),
        threads: growth.threads,
        seed,
        ..Options::default()
    };
    let files: Vec<_> = ((number + 1).saturating_sub(WINDOW)..=number)
        .map(|generation| folder.games(generation))
        .collect();
    let examples = fit::read::<R>(&files, &options, &mut |remark| tell(Note::Line(remark)))?;
    let fitted = fit::fit::<R>(&examples, &options, best.as_deref(), stop, &mut |epoch| {
        tell(Note::Line(format!(
            "generation {number}: epoch {} loss {:.5} held out {:.5}, {:.0} s",
            epoch.number,
            epoch.train,
            epoch.held_out,
            epoch.time.as_secs_f64()
        )));
    });
    let fitted = match fitted {
        Err(FitError::Stopped) => return Ok(()),
        fitted => fitted?,
    };
    fitted.weights.save(&folder.weights(number))?;

    // The match.
    let new = Source::Weights(Arc::new(fitted.weights)).evaluator::<R>();
    let match_plan = gate::Plan {
        nodes: GATE_NODES,
        pairs: GATE_PAIRS,
        time: Duration::from_secs_f64(time * GATE_SHARE),
        seed,
        threads: growth.threads,
    };
    let tally = gate::play::<R>(&new, &teacher.evaluator::<R>(), &match_plan, stop);
    if stop.is_stopped() {
        return Ok(());
    }
    let accepted = tally.score() >= 0.5;
    let [lost, drawn, won] = tally.games;
    let elo = tally.elo();
    tell(Note::Line(format!(
        "generation {number}: +{won} ={drawn} -{lost} against the best so far, {:+.0} +- {:.0} Elo: {}",
        elo.0,
        elo.1,
        if accepted { "accepted" } else { "refused" }
    )));
    if accepted {
        state.best = Some(number);
        let file = folder.0.join("best.bin");
        std::fs::copy(folder.weights(number), &file)
            .map_err(|source| GrowthError::Io { file, source })?;
    }
    state.done.push(Generation {
        games: progress.games,
        positions: progress.positions,
        loss: fitted.best.held_out,
        score: tally.score(),
        elo,
        accepted,
    });
    state.played = 0.0;
    state.spent += start.elapsed().as_secs_f64();
    folder.save(state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;

    #[test]
    fn a_loop_leaves_sound_weights_and_goes_on() {
        type R = crate::board::rules::Russian;
        let folder = tempfile::tempdir().expect("a folder");
        let growth = |seconds: f64| Growth {
            budget: Duration::from_secs_f64(seconds),
            threads: 2,
            seed: 1,
            first: Source::read::<R>("material").expect("known"),
            starts: Arc::default(),
        };
        let go = Signals::default();
        let first = grow::<R>(&growth(0.5), folder.path(), &go, &mut |_| ()).expect("grown");
        assert!(!first.is_empty());
        assert!(Weights::load(&folder.path().join("gen-00.bin"), Variant::Russian).is_ok());
        let more = grow::<R>(&growth(1e-3), folder.path(), &go, &mut |_| ()).expect("spent");
        assert_eq!(more.len(), first.len(), "nothing is left of the budget");
        let spent = Folder(folder.path()).load("russian").expect("kept").spent;
        let more = grow::<R>(&growth(spent * 1.5), folder.path(), &go, &mut |_| ()).expect("more");
        assert!(more.len() > first.len());
        let error =
            grow::<crate::board::rules::English>(&growth(1.0), folder.path(), &go, &mut |_| ());
        assert!(
            error
                .expect_err("another set")
                .to_string()
                .contains("russian")
        );
    }
}
