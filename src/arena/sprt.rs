//! The sequential probability ratio test: stop as soon as the games tell which of two hypotheses is true.
//!
//! The generalised test on pair scores: for each hypothesis the distribution of pair scores that fits the games best among
//! those with the strength it claims, and the logarithm of the ratio of the two likelihoods (LLR). Source: Michel Van den
//! Bergh, "Comments on Normalized Elo" (2020), sections 1 and 4.1; counts of 0 are replaced by 0.001, as fastchess does.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::stats::{NORMALIZED_SCALE, PAIR_SCORES, Tally, expected_score};

/// What the hypotheses' numbers mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalized Elo: standard deviations of a game.
    Normalized,
    /// Elo on the logistic scale.
    Logistic,
}

/// The test's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// Strength under the null hypothesis.
    pub elo0: f64,
    /// Strength under the alternative, above `elo0`.
    pub elo1: f64,
    /// Probability to accept the alternative though the null hypothesis is true.
    pub alpha: f64,
    /// Probability to accept the null hypothesis though the alternative is true.
    pub beta: f64,
    /// The scale of the strengths.
    pub model: Model,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// More games are needed.
    Continue,
    /// The null hypothesis is accepted.
    AcceptH0,
    /// The alternative is accepted.
    AcceptH1,
}

impl FromStr for Sprt {
    type Err = String;

    /// Reads `elo0 elo1 [alpha beta] [model]`, or the same with names: `elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut sprt = Sprt {
            elo0: f64::NAN,
            elo1: f64::NAN,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Normalized,
        };
        let mut names = ["elo0", "elo1", "alpha", "beta"].into_iter();
        for word in text.split_whitespace() {
            let (name, value) = match word.split_once('=') {
                Some(pair) => pair,
                None if word.starts_with(|c: char| c.is_ascii_alphabetic()) => ("model", word),
                None => (names.next().unwrap_or("a fifth number"), word),
            };
            let number = || {
                let finite = value.parse().ok().filter(|n: &f64| n.is_finite());
                finite.ok_or_else(|| format!("{name} is \"{value}\", expected a number"))
            };
            match name {
                "elo0" => sprt.elo0 = number()?,
                "elo1" => sprt.elo1 = number()?,
                "alpha" => sprt.alpha = number()?,
                "beta" => sprt.beta = number()?,
                "model" => {
                    sprt.model = match value {
                        "normalized" => Model::Normalized,
                        "logistic" => Model::Logistic,
                        _ => {
                            return Err(format!(
                                "model \"{value}\" is unknown, expected normalized or logistic"
                            ));
                        }
                    }
                }
                _ => {
                    return Err(format!(
                        "\"{word}\" is too much, expected elo0 elo1 [alpha beta] [model]"
                    ));
                }
            }
        }
        sprt.check()
    }
}

impl Sprt {
    fn check(self) -> Result<Self, String> {
        let open = |p: f64| 0.0 < p && p < 1.0;
        if self.elo0.is_nan() || self.elo1.is_nan() {
            Err("elo0 or elo1 is missing, expected elo0 elo1 [alpha beta] [model]".into())
        } else if self.elo0 >= self.elo1 {
            Err(format!(
                "elo0 is {} and elo1 is {}, expected elo0 to be less",
                self.elo0, self.elo1
            ))
        } else if !open(self.alpha) || !open(self.beta) || self.alpha + self.beta >= 1.0 {
            Err(format!(
                "alpha is {} and beta is {}, expected numbers above 0 with a sum below 1",
                self.alpha, self.beta
            ))
        } else {
            Ok(self)
        }
    }

    /// The LLR at which the null hypothesis is accepted, and the one at which the alternative is.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The log-likelihood ratio of the pairs played so far; 0 before the first.
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.pairs_played() == 0 {
            return 0.0;
        }
        let counts = tally
            .pairs
            .map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let fit = |elo| match self.model {
            Model::Logistic => with_mean(&seen, expected_score(elo)),
            // The score of a pair, a mean of two games, has a standard deviation smaller than a game's by the root of 2.
            Model::Normalized => with_deviations(&seen, elo * 2f64.sqrt() / NORMALIZED_SCALE),
        };
        let (null, alternative) = (fit(self.elo0), fit(self.elo1));
        let ratios = alternative.iter().zip(null).map(|(p1, p0)| (p1 / p0).ln());
        total * ratios.zip(seen).map(|(ratio, p)| ratio * p).sum::<f64>()
    }

    /// What the pairs played so far say.
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let (llr, (lower, upper)) = (self.llr(tally), self.bounds());
        if llr >= upper {
            Verdict::AcceptH1
        } else if llr <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Continue
        }
    }
}

/// A distribution of pair scores.
type Distribution = [f64; 5];

/// The most likely distribution with the given mean.
fn with_mean(seen: &Distribution, mean: f64) -> Distribution {
    tilt(seen, &PAIR_SCORES.map(|score| score - mean))
}

/// The most likely distribution whose mean lies so many of its own standard deviations above one half.
///
/// The constraint is not linear: it is replaced by its linear approximation at the distribution found last, until that does
/// not change any more.
fn with_deviations(seen: &Distribution, deviations: f64) -> Distribution {
    let mut found: Distribution = [0.2; 5];
    for _ in 0..100 {
        let expect = |f: &dyn Fn(f64) -> f64| -> f64 {
            PAIR_SCORES.iter().zip(found).map(|(&s, p)| f(s) * p).sum()
        };
        let mean = expect(&|score| score);
        let sigma = expect(&|score| (score - mean).powi(2)).sqrt();
        let constraint = PAIR_SCORES.map(|score| {
            let away = (score - mean) / sigma;
            score - 0.5 - 0.5 * deviations * sigma * (1.0 + away * away)
        });
        let next = tilt(seen, &constraint);
        let change = next
            .iter()
            .zip(found)
            .map(|(p, q)| (p - q).abs())
            .fold(0.0, f64::max);
        found = next;
        if change < 1e-9 {
            break;
        }
    }
    found
}

/// The most likely distribution under which the constraint's values have mean 0: each probability seen, divided by
/// `1 + theta * value`, where theta solves one equation, which falls monotonically between its poles.
fn tilt(seen: &Distribution, constraint: &[f64; 5]) -> Distribution {
    let least = constraint.iter().copied().fold(f64::INFINITY, f64::min);
    let most = constraint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    // Sixty halvings leave nothing of the interval that a double could tell.
    for _ in 0..60 {
        let theta = (low + high) / 2.0;
        let terms = seen.iter().zip(constraint);
        let value: f64 = terms.map(|(p, c)| p * c / (1.0 + theta * c)).sum();
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = (low + high) / 2.0;
    std::array::from_fn(|i| seen[i] / (1.0 + theta * constraint[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u64; 5]) -> Tally {
        Tally {
            pairs,
            ..Tally::default()
        }
    }

    #[test]
    fn parameters_are_read_in_order_and_by_name() {
        let expected = Sprt {
            elo0: -1.5,
            elo1: 4.0,
            alpha: 0.05,
            beta: 0.1,
            model: Model::Logistic,
        };
        for text in [
            "-1.5 4 0.05 0.1 logistic",
            "elo0=-1.5 elo1=4 alpha=0.05 beta=0.1 model=logistic",
        ] {
            assert_eq!(text.parse::<Sprt>(), Ok(expected));
        }
        assert_eq!("0 5".parse::<Sprt>().unwrap().model, Model::Normalized);
        for (text, words) in [
            ("", "missing"),
            ("5 0", "to be less"),
            ("0 5 0.5 0.5", "sum below 1"),
            ("0 x", "unknown"),
            ("elo0=x", "expected a number"),
            ("0 5 0.05 0.05 7", "too much"),
            ("elo=5", "too much"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn the_bounds_are_walds() {
        // ln(0.05 / 0.95) = -2.9444, ln(0.95 / 0.05) = 2.9444; ln(0.1 / 0.95) = -2.2513, ln(0.9 / 0.05) = 2.8904.
        let bounds = |text: &str| text.parse::<Sprt>().unwrap().bounds();
        let (lower, upper) = bounds("0 5");
        assert!((lower + 2.9444).abs() < 1e-4 && (upper - 2.9444).abs() < 1e-4);
        let (lower, upper) = bounds("0 5 0.05 0.1");
        assert!((lower + 2.2513).abs() < 1e-4 && (upper - 2.8904).abs() < 1e-4);
    }

    #[test]
    fn a_ratio_computed_by_hand() {
        // Only won and lost pairs, 60 of 100 won: under a logistic hypothesis with score s the most likely distribution is
        // (1 - s, s), so that LLR = 60 ln(s1 / s0) + 40 ln((1 - s1) / (1 - s0)).
        // elo0 = 0 gives s0 = 0.5, elo1 = 400 log10(3) gives s1 = 0.75:
        // 60 ln(1.5) + 40 ln(0.5) = 24.3279 - 27.7259 = -3.3980. The 0.001s for the empty counts change the third digit.
        let sprt: Sprt = format!("0 {} 0.05 0.05 logistic", 400.0 * 3f64.log10())
            .parse()
            .unwrap();
        let llr = sprt.llr(&tally([40, 0, 0, 0, 60]));
        assert!((llr + 3.3980).abs() < 2e-3, "{llr}");

        // Only won pairs, 104 of them: the most likely distribution t deviations above one half is then p for a won pair and
        // 1 - p for a lost one, where (p - 0.5) / sqrt(p (1 - p)) = t, so that p = (1 + t / sqrt(1 + t^2)) / 2.
        // t = 5 sqrt(2) / 347.4356 = 0.020352 gives 0.510174, t = 0 gives 0.5: 104 ln(0.510174 / 0.5) = 2.0949.
        let sprt: Sprt = "0 5".parse().unwrap();
        let llr = sprt.llr(&tally([0, 0, 0, 0, 104]));
        assert!((llr - 2.0949).abs() < 1e-3, "{llr}");
    }

    #[test]
    fn published_values_are_met() {
        // Values published with fastchess's tests; it stops its iterations a little earlier.
        for (text, pairs, published) in [
            ("0 2", [365, 16618, 36029 + 200, 16974, 390], 2.25),
            ("-1.75 0.25", [127, 4883, 10311 + 401, 5150, 104], 3.01),
            (
                "0.5 2.5 0.05 0.05 logistic",
                [223, 9863, 20279 + 1000, 10037, 246],
                -3.07,
            ),
            (
                "0 2 0.05 0.05 logistic",
                [871, 26175, 55003 + 980, 26678, 821],
                -4.98,
            ),
        ] {
            let llr = text.parse::<Sprt>().unwrap().llr(&tally(pairs));
            assert!(
                (llr - published).abs() < 0.01 * published.abs(),
                "{text} {pairs:?}: {llr}, published {published}"
            );
        }
    }

    /// The share of tests that accept the alternative when pair scores come from `truth`.
    fn acceptance(
        sprt: &Sprt,
        truth: &Distribution,
        tests: u32,
        random: &mut fastrand::Rng,
    ) -> f64 {
        let accepted = (0..tests)
            .filter(|_| {
                let mut tally = Tally::default();
                loop {
                    for _ in 0..16 {
                        let mut u = random.f64();
                        let score = truth.iter().position(|p| {
                            u -= p;
                            u < 0.0
                        });
                        tally.add_pair(score.unwrap_or(4));
                    }
                    match sprt.verdict(&tally) {
                        Verdict::Continue => {}
                        verdict => return verdict == Verdict::AcceptH1,
                    }
                }
            })
            .count();
        accepted as f64 / f64::from(tests)
    }

    #[test]
    fn a_simulated_test_errs_as_often_as_it_claims() {
        let mut random = fastrand::Rng::with_seed(1);
        // Draws prevail, as they do in draughts.
        let seen = [0.03, 0.15, 0.62, 0.16, 0.04];
        for model in ["normalized", "logistic"] {
            let sprt: Sprt = format!("0 40 0.05 0.1 {model}").parse().unwrap();
            let truth = |elo: f64| match sprt.model {
                Model::Logistic => with_mean(&seen, expected_score(elo)),
                Model::Normalized => with_deviations(&seen, elo * 2f64.sqrt() / NORMALIZED_SCALE),
            };
            let null = acceptance(&sprt, &truth(0.0), 1000, &mut random);
            let alternative = acceptance(&sprt, &truth(40.0), 1000, &mut random);
            // Three standard errors of 1000 trials are 0.021 and 0.028; overshooting the bounds makes both errors rarer.
            assert!((0.02..0.071).contains(&null), "{model}: {null}");
            assert!(
                (0.872..0.96).contains(&alternative),
                "{model}: {alternative}"
            );
        }
    }
}
