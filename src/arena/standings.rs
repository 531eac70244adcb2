//! The score of a match in progress: tallies of all pairings, and what each engine did.

use std::collections::HashMap;

use serde::Serialize;

use super::player::FaultKind;
use super::record::{GameRecord, Termination};
use super::schedule::Schedule;
use super::stats::Tally;
use crate::board::Side;

/// What an engine did in all its games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Conduct {
    /// Moves it thought about.
    pub moves: u64,
    /// Seconds it thought.
    pub time: f64,
    /// The longest it thought about a move, in seconds.
    pub longest: f64,
    /// Sum of its depths, and moves with a depth.
    pub depths: (u64, u64),
    /// Sum of its nodes.
    pub nodes: u64,
    /// Moves with a wrong principal variation.
    pub complaints: u64,
    /// Games lost by failures, in the order of [`FAULTS`].
    pub faults: [u64; 5],
}

/// All kinds of failures, with their names in reports.
pub const FAULTS: [(FaultKind, &str); 5] = [
    (FaultKind::Time, "late"),
    (FaultKind::IllegalMove, "illegal"),
    (FaultKind::Hang, "hung"),
    (FaultKind::Crash, "crashed"),
    (FaultKind::Protocol, "broken protocol"),
];

/// The score of a match.
#[derive(Clone, Debug)]
pub struct Standings {
    schedule: Schedule,
    tallies: Vec<Tally>,
    /// Half points of the first engine of the pairing in pairs of which one game is finished.
    open_pairs: HashMap<usize, usize>,
    conduct: Vec<Conduct>,
    reasons: HashMap<String, u64>,
}

impl Standings {
    /// The standings before the first game.
    pub fn new(schedule: &Schedule, engines: usize) -> Self {
        Self {
            tallies: vec![Tally::default(); schedule.pairings().len()],
            schedule: schedule.clone(),
            open_pairs: HashMap::new(),
            conduct: vec![Conduct::default(); engines],
            reasons: HashMap::new(),
        }
    }

    /// Adds a game. One that the schedule does not have is left out.
    pub fn add(&mut self, record: &GameRecord) {
        let Some(game) = self.schedule.game(record.number) else {
            return;
        };
        let first = self.schedule.pairings()[game.pairing][0];
        let side = if game.engines[0] == first {
            Side::White
        } else {
            Side::Black
        };
        let half_points = record.result.half_points(side);
        let tally = &mut self.tallies[game.pairing];
        tally.add_game(half_points);
        match self.open_pairs.remove(&game.pair) {
            Some(other) => tally.add_pair(half_points + other),
            None => {
                self.open_pairs.insert(game.pair, half_points);
            }
        }
        let mut side = !record.first_side();
        for mv in &record.moves {
            side = !side;
            let conduct = &mut self.conduct[game.engines[side]];
            let Some(time) = mv.time else { continue };
            conduct.moves += 1;
            conduct.time += time;
            conduct.longest = conduct.longest.max(time);
            if let Some(depth) = mv.depth {
                conduct.depths.0 += u64::from(depth);
                conduct.depths.1 += 1;
            }
            conduct.nodes += mv.nodes.unwrap_or(0);
            conduct.complaints += u64::from(mv.complaint.is_some());
        }
        if let (Termination::Fault(kind), Some(failed)) = (record.termination, record.failed) {
            let index = FAULTS.iter().position(|(k, _)| *k == kind).unwrap_or(0);
            self.conduct[game.engines[Side::from(failed)]].faults[index] += 1;
        }
        let reason = match record.termination {
            Termination::Fault(_) => record.termination.tag().to_owned(),
            _ => record.reason.clone(),
        };
        *self.reasons.entry(reason).or_default() += 1;
    }

    /// The order of all games.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The tally of a pairing, from its first engine's side.
    pub fn pairing(&self, index: usize) -> Tally {
        self.tallies[index]
    }

    /// The tally of an engine against all others.
    pub fn engine(&self, engine: usize) -> Tally {
        let mut sum = Tally::default();
        for (pairing, tally) in self.schedule.pairings().iter().zip(&self.tallies) {
            if pairing[0] == engine {
                sum.add(tally);
            } else if pairing[1] == engine {
                sum.add(&tally.exchanged());
            }
        }
        sum
    }

    /// What an engine did.
    pub fn conduct(&self, engine: usize) -> &Conduct {
        &self.conduct[engine]
    }

    /// Why games ended, the most frequent reason first.
    pub fn reasons(&self) -> Vec<(&str, u64)> {
        let mut list: Vec<_> = self.reasons.iter().map(|(r, n)| (r.as_str(), *n)).collect();
        list.sort_by_key(|&(reason, count)| (std::cmp::Reverse(count), reason));
        list
    }

    /// Games finished.
    pub fn games(&self) -> u64 {
        self.tallies.iter().map(Tally::games).sum()
    }

    /// Games lost by a failure.
    pub fn failures(&self) -> u64 {
        self.conduct.iter().flat_map(|c| c.faults).sum()
    }
}
