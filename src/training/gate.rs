//! The match that decides whether new weights replace old ones: pairs of games from random openings with colours
//! exchanged, at the same number of nodes a move.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::selfplay::{Mover, play_out, random_opening};
use crate::board::{Board, Rules, Side};
use crate::eval::Evaluator;
use crate::search::{Score, Signals};

/// Random plies of an opening.
const OPENING_PLIES: usize = 8;
/// An opening is played only if its first score lies within this, in hundredths of a man.
const OPENING_SCORE: i32 = 150;

/// Pairs that are played whatever the time.
const LEAST_PAIRS: u64 = 20;

/// How a match went, by the half-points of the new side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games lost, drawn and won.
    pub games: [u64; 3],
    /// Pairs with so many half-points, 0 to 4.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Points for a game, from 0 to 1; a half without games.
    pub fn score(&self) -> f64 {
        let [lost, drawn, won] = self.games.map(|n| n as f64);
        let all = lost + drawn + won;
        if all == 0.0 {
            0.5
        } else {
            (won + drawn / 2.0) / all
        }
    }

    /// Standard error of [`score`](Self::score), from the pairs.
    pub fn error(&self) -> f64 {
        let count = self.pairs.iter().sum::<u64>() as f64;
        if count < 2.0 {
            return 0.5;
        }
        let mean = self.score();
        let squares = self.pairs.iter().zip(0u8..).map(|(pairs, points)| {
            let distance = f64::from(points) / 4.0 - mean;
            *pairs as f64 * distance * distance
        });
        (squares.sum::<f64>() / (count - 1.0) / count).sqrt()
    }

    /// The difference in strength that the score stands for, with half of its 95 % interval.
    pub fn elo(&self) -> (f64, f64) {
        let elo = |score: f64| {
            let score = score.clamp(0.001, 0.999);
            -400.0 * (1.0 / score - 1.0).log10()
        };
        let (score, error) = (self.score(), 1.96 * self.error());
        (elo(score), (elo(score + error) - elo(score - error)) / 2.0)
    }
}

/// A match to be played.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Nodes of each move.
    pub nodes: u64,
    /// Most pairs of games.
    pub pairs: u64,
    /// No pair but the first twenty is begun after so much time.
    pub time: Duration,
    /// Seed of the openings.
    pub seed: u64,
    /// Games at once.
    pub threads: usize,
}

/// Plays the new side against the old one; if it is stopped, pairs that are not over do not count.
pub fn play<R: Rules>(
    new: &Evaluator<R>,
    old: &Evaluator<R>,
    plan: &Plan,
    stop: &Signals,
) -> Tally {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        let player = || {
            let mut movers = [new, old].map(|e| Mover::new(e.clone(), None, Some(plan.nodes)));
            let mut played = Tally::default();
            loop {
                let pair = next.fetch_add(1, Ordering::Relaxed);
                if pair >= plan.pairs || pair >= LEAST_PAIRS && start.elapsed() >= plan.time {
                    return played;
                }
                let Some(points) = play_pair::<R>(&mut movers, plan.seed, pair, stop) else {
                    return played;
                };
                played.pairs[points.iter().map(|p| usize::from(*p)).sum::<usize>()] += 1;
                for points in points {
                    played.games[usize::from(points)] += 1;
                }
            }
        };
        let players: Vec<_> = (0..plan.threads.max(1))
            .map(|_| scope.spawn(player))
            .collect();
        for player in players {
            let played = player.join().expect("a player ends by itself");
            let sums = tally.games.iter_mut().chain(&mut tally.pairs);
            let parts = played.games.iter().chain(&played.pairs);
            sums.zip(parts).for_each(|(sum, part)| *sum += part);
        }
    });
    tally
}

/// The half-points of the first mover in two games from one opening, White in the first; `None` if it was stopped.
fn play_pair<R: Rules>(
    movers: &mut [Mover<R>; 2],
    seed: u64,
    pair: u64,
    stop: &Signals,
) -> Option<[u8; 2]> {
    let mut random = fastrand::Rng::with_seed(seed ^ pair.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let [new, old] = movers;
    while !stop.is_stopped() {
        let Some(opening) = random_opening(Board::start::<R>(), OPENING_PLIES, &mut random) else {
            continue;
        };
        let mut play = |white: Side| {
            new.clear();
            old.clear();
            let mut movers = match white {
                Side::White => [&mut *new, &mut *old],
                Side::Black => [&mut *old, &mut *new],
            };
            play_out(&mut opening.clone(), &mut movers, stop, |_, score| {
                // Only the first game asks whether the opening is a good one.
                let fair = matches!(score, Score::Cp(cp) if cp.abs() <= OPENING_SCORE);
                fair || white == Side::Black
            })
        };
        if let (Some(first), Some(second)) = (play(Side::White), play(Side::Black)) {
            return Some([first, 2 - second]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::weights::Weights;

    #[test]
    fn the_stronger_side_wins() {
        type R = crate::board::rules::English;
        let good = Evaluator::<R>::default();
        // Who thinks that men are a burden gives them away.
        let mut weights = Weights::material(R::VARIANT, -140);
        weights.counts[0] = [-1_000; 2];
        let bad = Evaluator::<R>::new(&weights);
        let plan = Plan {
            nodes: 300,
            pairs: 6,
            time: Duration::from_secs(300),
            seed: 1,
            threads: 2,
        };
        let go = Signals::default();
        let tally = play(&good, &bad, &plan, &go);
        assert_eq!(tally.games.iter().sum::<u64>(), 12);
        assert!(tally.score() > 0.8, "{tally:?}");
        assert_eq!(play(&good, &bad, &Plan { threads: 1, ..plan }, &go), tally);
        let same = play(&good, &good, &plan, &go);
        assert_eq!((same.score(), same.pairs[2]), (0.5, 6), "{same:?}");
        let stop = Signals::default();
        stop.stop();
        assert_eq!(play(&good, &bad, &plan, &stop), Tally::default());
    }
}
