//! How games end from a score: chances of win, draw and loss.
//!
//! `win = 1 / (1 + exp((margin - cp) / scale))`, the loss is the same of `-cp`, the draw what is left. The two numbers of a set
//! are fitted to the results of its own games and kept with its weights.

/// The chances of a set's games, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wdl {
    /// The score at which half of all games are won, in hundredths of a man; 0 or more.
    pub margin: f64,
    /// How fast that share changes around it, in hundredths of a man; more than 0.
    pub scale: f64,
}

impl Default for Wdl {
    /// A guess, for weights that have met no games.
    fn default() -> Self {
        Self {
            margin: 100.0,
            scale: 40.0,
        }
    }
}

impl Wdl {
    /// Chances of win, draw and loss, which add up to 1.
    pub fn chances(&self, cp: f64) -> [f64; 3] {
        let wins = |cp: f64| 1.0 / (1.0 + ((self.margin - cp) / self.scale).exp());
        let (win, loss) = (wins(cp), wins(-cp));
        [win, (1.0 - win - loss).max(0.0), loss]
    }

    /// Win, draw and loss in thousandths that add up to 1000, for a score in hundredths of a man.
    pub fn thousandths(&self, cp: i32) -> [u32; 3] {
        let [win, _, loss] = self.chances(f64::from(cp));
        let [win, loss] = [win, loss].map(|chance| (1000.0 * chance).round() as u32);
        [win, 1000_u32.saturating_sub(win + loss), loss]
    }

    /// The numbers that make the given results most likely: pairs of a score in hundredths of a man and the results seen
    /// with it, as counts of wins, draws and losses.
    pub fn fit(results: &[(f64, [f64; 3])]) -> Wdl {
        let cost = |wdl: &Wdl| -> f64 {
            let of = |(cp, counts): &(f64, [f64; 3])| -> f64 {
                let chances = wdl.chances(*cp);
                let parts = counts.iter().zip(chances);
                parts.map(|(n, chance)| -n * chance.max(1e-6).ln()).sum()
            };
            results.iter().map(of).sum()
        };
        // A valley with one bottom: walk down it with steps that shrink.
        let mut best = Wdl::default();
        let mut least = cost(&best);
        let mut step = 1.5;
        while step > 1.001 {
            let tries = [
                (best.margin * step, best.scale),
                (best.margin / step, best.scale),
                (best.margin, best.scale * step),
                (best.margin, best.scale / step),
            ];
            let mut better = false;
            for (margin, scale) in tries {
                let wdl = Wdl {
                    margin: margin.clamp(0.1, 10_000.0),
                    scale: scale.clamp(1.0, 10_000.0),
                };
                let found = cost(&wdl);
                if found < least {
                    (best, least, better) = (wdl, found, true);
                }
            }
            if !better {
                step = f64::sqrt(step);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousandths_add_up_and_are_symmetric() {
        let wdl = Wdl::default();
        for cp in [-20_000, -150, -1, 0, 77, 100, 20_000] {
            let [win, draw, loss] = wdl.thousandths(cp);
            assert_eq!(win + draw + loss, 1000, "{cp}");
            assert_eq!(wdl.thousandths(-cp), [loss, draw, win], "{cp}");
        }
        assert_eq!(wdl.thousandths(100)[0], 500);
    }

    #[test]
    fn the_numbers_behind_results_are_found() {
        let truth = Wdl {
            margin: 180.0,
            scale: 65.0,
        };
        let results: Vec<_> = (-60..=60)
            .map(|step| f64::from(step) * 10.0)
            .map(|cp| (cp, truth.chances(cp).map(|chance| 1000.0 * chance)))
            .collect();
        let found = Wdl::fit(&results);
        assert!((found.margin - truth.margin).abs() < 1.0, "{found:?}");
        assert!((found.scale - truth.scale).abs() < 1.0, "{found:?}");
    }
}
