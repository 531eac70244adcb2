//! Plays a match: worker threads, each with engines of its own, take games in the order of the schedule.

use std::collections::HashMap;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crossbeam_channel::{Sender, bounded};
use serde::{Deserialize, Serialize};

use super::openings::{self, Opening, OpeningError};
use super::pdn;
use super::player::{self, FaultKind, Player};
use super::record::{GameRecord, GameResult, Termination};
use super::referee::{self, Adjudication, End, Played, Seat};
use super::schedule::{Schedule, Scheduled, Tournament};
use super::spec::EngineSpec;
use super::sprt::{Sprt, Verdict};
use super::standings::Standings;
use crate::board::{DrawRules, Rules, Side, Variant};
use crate::search::Signals;
use crate::with_rules;

/// Where the openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// The text of a file, and the most moves to take of each of its games.
    File(String, Option<usize>),
    /// Random moves from the start position.
    Random(usize),
}

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Match {
    /// The rule set.
    pub variant: Variant,
    /// The draw table.
    pub draw_rules: DrawRules,
    /// Who plays.
    pub engines: Vec<EngineSpec>,
    /// The form of the tournament.
    pub tournament: Tournament,
    /// Pairs of games for each pairing of engines.
    pub rounds: usize,
    /// The openings.
    pub openings: OpeningSource,
    /// Whether the openings are shuffled.
    pub shuffled: bool,
    /// Chooses the order of openings, and the random ones.
    pub seed: u64,
    /// Games at once.
    pub concurrency: usize,
    /// When games are decided early.
    pub adjudication: Adjudication,
    /// A test that ends the match; only for two engines.
    pub sprt: Option<Sprt>,
    /// Whether the match ends with the first failure of an engine.
    pub stop_on_failure: bool,
}

/// What must not change when a match is resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// The rule set.
    pub variant: String,
    /// The draw table.
    pub draw_rules: String,
    /// Who plays.
    pub engines: Vec<EngineSpec>,
    /// The form of the tournament.
    pub tournament: Tournament,
    /// When games are decided early.
    pub adjudication: Adjudication,
    /// A hash of the openings in their order.
    pub openings: String,
}

/// A finished game, as the listener hears of it.
#[derive(Debug)]
pub struct Finished<'a> {
    /// The game.
    pub record: &'a GameRecord,
    /// What to show of a failure.
    pub evidence: &'a [String],
    /// The score with this game.
    pub standings: &'a Standings,
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// All games have been played.
    Finished,
    /// The test has decided.
    Decided(Verdict),
    /// An engine failed, and the match was to end with that.
    Failure,
}

/// Why a match cannot be played on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The openings are no good.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// The listener could not do its work.
    #[error(transparent)]
    Listener(#[from] std::io::Error),
}

/// What happens outside while a match runs.
pub trait Listener {
    /// Hears what the match is before its first game, and gives the games that have been played already.
    fn begin(&mut self, identity: &Identity) -> std::io::Result<Vec<GameRecord>>;

    /// Hears of a finished game.
    fn finished(&mut self, game: &Finished<'_>) -> std::io::Result<()>;
}

/// Plays a match to its end.
///
/// # Errors
///
/// Openings that cannot be used, and whatever the listener says. What engines do is never an error.
pub fn run(setup: &Match, listener: &mut dyn Listener) -> Result<(Standings, Ended), MatchError> {
    with_rules!(setup.variant, R => play_all::<R>(setup, listener))
}

/// The openings in the order of the rounds.
fn openings<R: Rules>(setup: &Match) -> Result<Vec<Opening<R>>, OpeningError> {
    let draws = R::draw_table(setup.draw_rules);
    let mut random = fastrand::Rng::with_seed(setup.seed);
    let mut list = match &setup.openings {
        OpeningSource::File(text, plies) => openings::read::<R>(text, draws, *plies)?,
        OpeningSource::Random(plies) => (0..setup.rounds.max(1))
            .map(|_| Opening::random(*plies, draws, &mut random))
            .collect(),
    };
    if setup.shuffled {
        random.shuffle(&mut list);
    }
    Ok(list)
}

/// A hash of the openings in the order in which they are played; only as many as one round of the match needs.
fn fingerprint<R: Rules>(list: &[Opening<R>], random: bool) -> String {
    // Random openings depend on nothing but the seed, and more of them may be wanted later.
    let list = if random { &list[..1] } else { list };
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for opening in list {
        let texts = referee::game_texts(opening).join(" ");
        let line = format!("{:?} {texts}\n", opening.fen);
        for byte in line.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

fn play_all<R: Rules>(
    setup: &Match,
    listener: &mut dyn Listener,
) -> Result<(Standings, Ended), MatchError> {
    let list = openings::<R>(setup)?;
    let schedule = Schedule::new(setup.tournament, setup.engines.len(), setup.rounds);
    let names = DrawRules::ALL
        .iter()
        .find(|(rules, _)| *rules == setup.draw_rules);
    let identity = Identity {
        variant: setup.variant.name().into(),
        draw_rules: names.map_or("", |(_, name)| name).into(),
        engines: setup.engines.clone(),
        tournament: setup.tournament,
        adjudication: setup.adjudication.clone(),
        openings: fingerprint(&list, matches!(setup.openings, OpeningSource::Random(_))),
    };
    let mut standings = Standings::new(&schedule, setup.engines.len());
    let done = listener.begin(&identity)?;
    done.iter().for_each(|record| standings.add(record));
    let played: HashSet<usize> = done.iter().map(|record| record.number).collect();
    let decided = |standings: &Standings| match setup.sprt {
        Some(sprt) => sprt.verdict(&standings.pairing(0)),
        None => Verdict::Continue,
    };
    if decided(&standings) != Verdict::Continue {
        let verdict = decided(&standings);
        return Ok((standings, Ended::Decided(verdict)));
    }

    let queue: Vec<Scheduled> = (1..=schedule.games())
        .filter(|number| !played.contains(number))
        .filter_map(|number| schedule.game(number))
        .collect();
    let (signals, next) = (Signals::default(), AtomicUsize::new(0));
    let mut ended = Ended::Finished;
    let mut failed = Ok(());
    std::thread::scope(|scope| {
        let (sender, results) = bounded(16);
        for _ in 0..setup.concurrency.clamp(1, queue.len().max(1)) {
            let worker = Worker {
                setup,
                openings: &list,
                queue: &queue,
                next: &next,
                signals: &signals,
                results: sender.clone(),
            };
            scope.spawn(move || worker.run());
        }
        drop(sender);
        for (record, evidence) in results {
            // What was under way when the match ended no longer counts.
            if signals.is_stopped() {
                continue;
            }
            standings.add(&record);
            let heard = listener.finished(&Finished {
                record: &record,
                evidence: &evidence,
                standings: &standings,
            });
            let verdict = decided(&standings);
            if let Err(error) = heard {
                failed = Err(error);
                signals.stop();
            } else if verdict != Verdict::Continue {
                ended = Ended::Decided(verdict);
                signals.stop();
            } else if setup.stop_on_failure && record.failed.is_some() {
                ended = Ended::Failure;
                signals.stop();
            }
        }
    });
    failed?;
    Ok((standings, ended))
}

/// A thread that plays games.
struct Worker<'a, R: Rules> {
    setup: &'a Match,
    openings: &'a [Opening<R>],
    queue: &'a [Scheduled],
    next: &'a AtomicUsize,
    signals: &'a Signals,
    results: Sender<(GameRecord, Vec<String>)>,
}

impl<R: Rules> Worker<'_, R> {
    fn run(&self) {
        let mut players: HashMap<usize, Box<dyn Player<R>>> = HashMap::new();
        while !self.signals.is_stopped() {
            let Some(game) = self.queue.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let index = game.round % self.openings.len();
            let Some(played) = self.play(game, &self.openings[index], &mut players) else {
                break;
            };
            let opening = &self.openings[index];
            let end = played.end;
            let first = opening.game.positions()[0].board.side;
            let record = GameRecord {
                number: game.number,
                engines: game.engines,
                opening: index,
                fen: opening.fen.clone(),
                first: first.into(),
                book: referee::game_texts(opening),
                moves: played.moves,
                result: end.result,
                termination: end.termination,
                reason: end.reason,
                failed: end.failed.map(Into::into),
                date: today(),
            };
            if self.results.send((record, end.evidence)).is_err() {
                break;
            }
        }
    }

    /// Plays a game and drops a player that failed, so that it is started anew for its next game.
    fn play(
        &self,
        game: &Scheduled,
        opening: &Opening<R>,
        players: &mut HashMap<usize, Box<dyn Player<R>>>,
    ) -> Option<Played> {
        let lost = |side: Side, fault| {
            let name = &self.setup.engines[game.engines[side]].name;
            Played {
                moves: Vec::new(),
                end: End::fault(side, name, fault),
            }
        };
        let mut seated = Vec::new();
        let mut unable = Vec::new();
        for side in Side::ALL {
            let engine = game.engines[side];
            let player = match players.remove(&engine) {
                Some(player) => Ok(player),
                None => player::start::<R>(&self.setup.engines[engine], self.setup.draw_rules),
            };
            match player {
                Ok(player) => seated.push(player),
                Err(fault) => unable.push((side, fault)),
            }
        }
        if let Some((side, fault)) = unable.pop() {
            let mut played = lost(side, fault);
            if let Some((_, other)) = unable.pop() {
                // Nobody wins a game for which neither engine could be started.
                played.end.result = GameResult::Draw;
                played.end.reason += &format!("; its opponent {}", other.what);
            } else {
                let other = game.engines[!side];
                players.extend(seated.pop().map(|player| (other, player)));
            }
            return Some(played);
        }
        let [mut white, mut black] = <[_; 2]>::try_from(seated).ok()?;
        let [first, second] = Side::ALL.map(|side| &self.setup.engines[game.engines[side]]);
        let mut seats = [
            Seat {
                name: &first.name,
                control: &first.control,
                player: white.as_mut(),
            },
            Seat {
                name: &second.name,
                control: &second.control,
                player: black.as_mut(),
            },
        ];
        let rules = &self.setup.adjudication;
        let played = referee::play(opening, &mut seats, rules, self.signals);
        let end = played.as_ref().map(|played| &played.end);
        let restarts = |side| {
            end.is_some_and(|end| {
                end.failed == Some(side) && end.termination != Termination::Fault(FaultKind::Time)
            })
        };
        if !restarts(Side::White) {
            players.insert(game.engines[Side::White], white);
        }
        if !restarts(Side::Black) {
            players.insert(game.engines[Side::Black], black);
        }
        played
    }
}

/// Today's date.
fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    pdn::date(now.map_or(0, |time| time.as_secs()))
}
