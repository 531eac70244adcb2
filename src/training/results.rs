//! What the results of games say of scores: their slope, and the chances of win, draw and loss.

use std::collections::BTreeMap;

use super::data::{Data, GameData, Sample};
use crate::board::Side;
use crate::eval::Wdl;

/// Slope of results on scores where nothing is known, in log-odds for a hundredth of a man.
const USUAL_SLOPE: f64 = 0.012;
/// Scores are counted in steps of so much log-odds.
const STEP: f64 = 0.02;

/// The half-points that the side to move of a sample got.
pub(super) fn points(game: &GameData, sample: &Sample) -> u8 {
    match sample.board.side {
        Side::White => game.result,
        Side::Black => 2 - game.result,
    }
}

/// The logistic slope of results on scores that makes the results of some games most likely.
pub fn fit_slope(data: &Data) -> f64 {
    let mut pairs = Vec::new();
    for game in &data.games {
        for sample in &game.samples {
            let points = f64::from(points(game, sample)) / 2.0;
            pairs.push((f64::from(sample.score), points));
        }
    }
    let mut slope = USUAL_SLOPE;
    // Newton's method on a convex function of one variable.
    for _ in 0..30 {
        let (mut first, mut second) = (0.0, 0.0);
        for (score, points) in &pairs {
            let p = 1.0 / (1.0 + (-slope * score).exp());
            first += (p - points) * score;
            second += p * (1.0 - p) * score * score;
        }
        if second <= 0.0 {
            break;
        }
        slope = (slope - first / second).clamp(slope / 2.0, slope * 2.0);
    }
    slope.clamp(0.001, 0.1)
}

/// How often games were lost, drawn and won from positions with a score.
#[derive(Clone, Debug, Default)]
pub struct Results(BTreeMap<i32, [f64; 3]>);

impl Results {
    /// Counts games whose scores have this slope, in log-odds for a hundredth of a man.
    pub fn add(&mut self, data: &Data, slope: f64) {
        for game in &data.games {
            for sample in &game.samples {
                let step = (slope * f64::from(sample.score) / STEP).round() as i32;
                let counts = self.0.entry(step).or_default();
                counts[usize::from(2 - points(game, sample).min(2))] += 1.0;
            }
        }
    }

    /// The chances that fit them best, for scores of this slope; in whole hundredths of a hundredth of a man, as weights
    /// keep them.
    pub fn wdl(&self, slope: f64) -> Wdl {
        let cp = |step: i32| f64::from(step) * STEP / slope;
        let results: Vec<_> = self.0.iter().map(|(step, n)| (cp(*step), *n)).collect();
        let fitted = Wdl::fit(&results);
        let whole = |number: f64| (number * 100.0).round() / 100.0;
        Wdl {
            margin: whole(fitted.margin),
            scale: whole(fitted.scale),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::data;
    use super::*;
    use crate::board::Variant;

    #[test]
    fn the_slope_is_found() {
        let header = data::Header {
            variant: Variant::English,
            seed: 0,
            shard: [1, 1],
            depth: 1,
            nodes: 0,
            teacher: 0,
            slope: 0.0,
        };
        let mut random = fastrand::Rng::with_seed(1);
        let board = crate::board::Board::start::<crate::board::rules::English>();
        let games = (0..20_000).map(|number| {
            // The side to move is Black.
            let score = random.i16(-300..300);
            let wins = random.f64() < 1.0 / (1.0 + (-0.02 * f64::from(score)).exp());
            data::GameData {
                number,
                result: if wins { 0 } else { 2 },
                samples: vec![data::Sample { board, score }],
            }
        });
        let data = Data {
            header,
            games: games.collect(),
            length: 0,
            torn: 0,
        };
        assert!((fit_slope(&data) - 0.02).abs() < 0.001);
    }
}
