//! Strength figures from pairs of games: Elo, normalized Elo, likelihood of superiority, ratios.
//!
//! Both games of a pair start from one opening with the colours exchanged, so that their results depend on each other; a
//! pair is therefore one sample with five possible scores (the *pentanomial* model), and all error bars come from pairs.
//! Formulas: Michel Van den Bergh, "Comments on Normalized Elo" (2020), as fastchess and fishtest use them.

use std::f64::consts::LN_10;

/// Standard deviations on each side of a mean that hold 95 % of a normal distribution.
const Z95: f64 = 1.959_963_984_540_054;
/// Normalized Elo of one standard deviation per game: the slope of the logistic curve at 0, turned into a scale.
pub(super) const NORMALIZED_SCALE: f64 = 800.0 / LN_10;
/// The scores of a pair, as a share of what could be won.
pub(super) const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The results of one side's games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Finished pairs by the half points made in them: 0, 1, 2, 3, 4.
    pub pairs: [u64; 5],
}

/// A figure with its 95 % error bar. Neither is finite where one side has won all, and pairs that all ended alike tell nothing
/// of the error, which is then not a number.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Half the width of the interval that holds the truth with 95 % probability.
    pub error: f64,
}

impl Tally {
    /// Adds a game by its score in half points: 0, 1 or 2.
    pub fn add_game(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Adds a pair, whose games have been added already, by the half points made in both.
    pub fn add_pair(&mut self, half_points: usize) {
        if let Some(count) = self.pairs.get_mut(half_points) {
            *count += 1;
        }
    }

    /// Adds another tally of the same side.
    pub fn add(&mut self, other: &Tally) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        for (count, more) in self.pairs.iter_mut().zip(other.pairs) {
            *count += more;
        }
    }

    /// The same games from the other side.
    #[must_use]
    pub fn exchanged(&self) -> Tally {
        let mut pairs = self.pairs;
        pairs.reverse();
        Tally {
            wins: self.losses,
            losses: self.wins,
            draws: self.draws,
            pairs,
        }
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Finished pairs.
    pub fn pairs_played(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Points made, a draw counting one half.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Mean and variance of a pair's score; `None` before the first pair.
    fn moments(&self) -> Option<(f64, f64)> {
        let total = self.pairs_played() as f64;
        if total == 0.0 {
            return None;
        }
        let expect = |f: &dyn Fn(f64) -> f64| {
            let terms = PAIR_SCORES.iter().zip(self.pairs);
            terms
                .map(|(&score, count)| f(score) * count as f64)
                .sum::<f64>()
                / total
        };
        let mean = expect(&|score| score);
        Some((mean, expect(&|score| (score - mean).powi(2))))
    }

    /// The Elo difference on the logistic scale.
    pub fn elo(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments()?;
        let half = Z95 * (variance / self.pairs_played() as f64).sqrt();
        let error = (elo(mean + half) - elo(mean - half)) / 2.0;
        Some(Estimate {
            value: elo(mean),
            error: if variance > 0.0 { error } else { f64::NAN },
        })
    }

    /// The difference in normalized Elo: standard deviations of a game's score, so that time control and draws matter less.
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments()?;
        if variance == 0.0 {
            let value = if mean == 0.5 { 0.0 } else { f64::NAN };
            let error = f64::NAN;
            return Some(Estimate { value, error });
        }
        Some(Estimate {
            value: (mean - 0.5) / (2.0 * variance).sqrt() * NORMALIZED_SCALE,
            error: Z95 / (2.0 * self.pairs_played() as f64).sqrt() * NORMALIZED_SCALE,
        })
    }

    /// The probability that the side is the stronger one.
    pub fn superiority(&self) -> Option<f64> {
        let (mean, variance) = self.moments()?;
        if mean == 0.5 {
            return Some(0.5);
        }
        let deviations = (mean - 0.5) / (variance / self.pairs_played() as f64).sqrt();
        Some((1.0 + erf(deviations / std::f64::consts::SQRT_2)) / 2.0)
    }

    /// Drawn games among all games.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// Pairs won for each pair lost.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.pairs;
        (self.pairs_played() > 0).then(|| (wd + ww) as f64 / (ll + ld) as f64)
    }
}

/// The Elo difference at which the expected score is `score`; infinite at and beyond 0 and 1.
fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// The score expected at an Elo difference.
pub(super) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The error function. Its series with only positive terms is exact to the last digits where the result is not 1.
fn erf(x: f64) -> f64 {
    if x.is_nan() || x.abs() > 6.0 {
        return x.signum();
    }
    let mut term = x;
    let mut sum = x;
    for n in 1..200 {
        term *= 2.0 * x * x / f64::from(2 * n + 1);
        sum += term;
    }
    std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64, within: f64) {
        assert!(
            (value - expected).abs() <= within,
            "{value}, not {expected}"
        );
    }

    fn tally(pairs: [u64; 5]) -> Tally {
        Tally {
            pairs,
            ..Tally::default()
        }
    }

    #[test]
    fn a_table_computed_by_hand() {
        // Pairs LL 1, LD 2, even 3, WD 8, WW 6 of 20.
        // Mean: (0*1 + 0.25*2 + 0.5*3 + 0.75*8 + 1*6) / 20 = 14 / 20 = 0.7.
        // Variance: (0.49*1 + 0.2025*2 + 0.04*3 + 0.0025*8 + 0.09*6) / 20 = 1.575 / 20 = 0.07875.
        // Elo: -400 log10(1/0.7 - 1) = -400 log10(0.428571) = 147.19.
        // Standard error: sqrt(0.07875 / 20) = 0.062750; times 1.959964 = 0.122987.
        // Ends: 0.822987 -> -400 log10(0.215085) = 266.96; 0.577013 -> -400 log10(0.733063) = 53.94; half: 106.51.
        // Normalized: 0.2 / sqrt(0.1575) * 347.4356 = 0.503953 * 347.4356 = 175.09; error: 1.959964 / sqrt(40) * 347.4356 = 107.67.
        // Superiority: Phi(0.2 / 0.062750) = Phi(3.18727) = 0.99928.
        let tally = tally([1, 2, 3, 8, 6]);
        let elo = tally.elo().unwrap();
        close(elo.value, 147.19, 0.01);
        close(elo.error, 106.51, 0.02);
        let normalized = tally.normalized_elo().unwrap();
        close(normalized.value, 175.09, 0.01);
        close(normalized.error, 107.67, 0.01);
        close(tally.superiority().unwrap(), 0.99928, 0.00001);
        // Pairs ratio: (8 + 6) / (1 + 2).
        close(tally.pairs_ratio().unwrap(), 14.0 / 3.0, 1e-12);
    }

    #[test]
    fn exchanging_the_sides_changes_the_sign() {
        let us = tally([3, 7, 20, 9, 4]);
        let them = us.exchanged();
        assert_eq!(them.pairs, [4, 9, 20, 7, 3]);
        let (a, b) = (us.elo().unwrap(), them.elo().unwrap());
        close(a.value, -b.value, 1e-9);
        close(a.error, b.error, 1e-9);
        close(
            us.superiority().unwrap() + them.superiority().unwrap(),
            1.0,
            1e-12,
        );
    }

    #[test]
    fn extremes_are_no_nonsense() {
        assert_eq!(Tally::default().elo(), None);
        let level = tally([0, 0, 5, 0, 0]).elo().unwrap();
        assert!(level.value == 0.0 && level.error.is_nan());
        assert!(
            tally([0, 5, 0, 0, 0])
                .normalized_elo()
                .unwrap()
                .value
                .is_nan()
        );
        assert_eq!(tally([0, 0, 5, 0, 0]).superiority(), Some(0.5));
        assert_eq!(tally([0, 0, 0, 0, 3]).elo().unwrap().value, f64::INFINITY);
        assert_eq!(tally([0, 0, 0, 0, 3]).superiority(), Some(1.0));
        assert_eq!(tally([3, 0, 0, 0, 0]).superiority(), Some(0.0));
    }

    #[test]
    fn games_and_pairs_add_up() {
        let mut tally = Tally::default();
        for half_points in [2, 1, 0, 1] {
            tally.add_game(half_points);
        }
        tally.add_pair(3);
        tally.add_pair(1);
        let mut twice = tally;
        twice.add(&tally);
        assert_eq!((twice.games(), twice.points()), (8, 4.0));
        assert_eq!(twice.pairs, [0, 2, 0, 2, 0]);
        assert_eq!(twice.draw_ratio(), Some(0.5));
    }

    #[test]
    fn the_error_function_has_its_tabulated_values() {
        for (x, value) in [
            (0.0, 0.0),
            (0.5, 0.520_499_877_813_046_5),
            (1.0, 0.842_700_792_949_714_9),
            (2.0, 0.995_322_265_018_952_7),
            (4.0, 0.999_999_984_582_742_1),
        ] {
            close(erf(x), value, 1e-14);
            close(erf(-x), -value, 1e-14);
        }
    }
}
