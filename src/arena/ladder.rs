//! How far apart the playing levels are: matches between levels that are one and two apart, and the points that explain
//! their results best.
//!
//! All players are this program's own; the full strength is held to the nodes it stands for in the scale of strengths, so
//! that the same levels come out on every machine.

use std::time::Duration;

use super::record::GameRecord;
use super::referee::{Adjudication, DrawByScore, Resign};
use super::runner::{self, Finished, Identity, Listener, Match, MatchError, OpeningSource};
use super::schedule::Tournament;
use super::spec::{Control, EngineSpec, Kind};
use super::stats::Tally;
use crate::board::{DrawRules, Variant};
use crate::search::{FULL_LEVEL, Strength};

/// Size of each player's table in MiB: more than its searches fill, and quickly cleared before each game.
const HASH: usize = 4;
/// When games are decided early; the least levels do not play well enough for less.
const ADJUDICATION: Adjudication = Adjudication {
    resign: Some(Resign {
        moves: 4,
        score: 1_000,
        two_sided: true,
    }),
    draw: Some(DrawByScore {
        from_move: 40,
        moves: 8,
        score: 5,
    }),
    max_moves: Some(150),
};

/// Up to this level all matches are equally long. Above it the number of games falls with the square root of what one costs,
/// which makes the most of the time.
const CHEAP: u8 = 10;
/// By how many points a step from level to level is expected to differ from the step before it, as a standard deviation.
const STEP_CHANGE: f64 = 30.0;

/// A measurement.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rule set.
    pub variant: Variant,
    /// The openings.
    pub openings: OpeningSource,
    /// Pairs of games between neighbours up to level 10, fewer above; levels that are two apart play half as many.
    pub rounds: usize,
    /// Chooses the order of openings, and the random ones.
    pub seed: u64,
    /// Games at once.
    pub concurrency: usize,
}

/// What two levels did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The upper one and the lower one.
    pub levels: [u8; 2],
    /// The games from the upper one's side.
    pub tally: Tally,
}

/// The engine of a level.
fn player(level: u8) -> EngineSpec {
    EngineSpec {
        name: format!("level {level}"),
        kind: Kind::Own { hash: HASH },
        control: Control {
            nodes: Some(Strength::level(level).nodes()),
            patience: Duration::from_secs(60),
            ..Control::default()
        },
        options: vec![("Skill Level".into(), level.to_string())],
    }
}

/// Nobody listens to single games.
struct Silent;

impl Listener for Silent {
    fn begin(&mut self, _: &Identity) -> std::io::Result<Vec<GameRecord>> {
        Ok(Vec::new())
    }

    fn finished(&mut self, _: &Finished<'_>) -> std::io::Result<()> {
        Ok(())
    }
}

/// Pairs of games of a match, of `most` between neighbours at the bottom.
fn rounds(most: usize, upper: u8, lower: u8) -> usize {
    let [cost, cheap] = [upper, CHEAP].map(|level| Strength::level(level).nodes() as f64);
    let share = (cheap / cost).sqrt().min(1.0) / f64::from(upper - lower);
    ((most as f64 * share).round() as usize).max(1)
}

/// Plays all matches and tells of each one; returns them.
///
/// # Errors
///
/// Openings that cannot be used.
pub fn measure(plan: &Plan, tell: &mut dyn FnMut(&Meeting)) -> Result<Vec<Meeting>, MatchError> {
    let apart = [1, 2].map(|distance| (distance..=FULL_LEVEL).map(move |n| [n, n - distance]));
    let mut pairings: Vec<_> = apart.into_iter().flatten().collect();
    pairings.sort_unstable();
    let mut meetings = Vec::new();
    for levels in pairings {
        let [upper, lower] = levels;
        let setup = Match {
            variant: plan.variant,
            draw_rules: DrawRules::default(),
            engines: levels.map(player).into(),
            tournament: Tournament::RoundRobin,
            rounds: rounds(plan.rounds, upper, lower),
            openings: plan.openings.clone(),
            shuffled: true,
            // Every match has openings of its own.
            seed: plan
                .seed
                .wrapping_add(1_000 * u64::from(upper) + u64::from(lower)),
            concurrency: plan.concurrency,
            adjudication: ADJUDICATION,
            sprt: None,
            stop_on_failure: false,
        };
        let (standings, _) = runner::run(&setup, &mut Silent)?;
        let tally = standings.pairing(0);
        let meeting = Meeting { levels, tally };
        tell(&meeting);
        meetings.push(meeting);
    }
    Ok(meetings)
}

/// The points of all levels, those of level 0 being 0, that explain the results best: a draw counts as half a win and half a
/// loss, each match is taken to have one more drawn game, which keeps the points finite, and steps from level to level are
/// taken to differ little from one another, 30 points as a standard deviation.
pub fn fit(meetings: &[Meeting]) -> Vec<f64> {
    const LEVELS: usize = FULL_LEVEL as usize + 1;
    /// Points of a factor e in the odds.
    const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
    const ROUNDS: usize = 100;
    /// No points change by more in one round.
    const LONGEST: f64 = 100.0;
    let mut points = [0.0; LEVELS];
    for _ in 0..ROUNDS {
        // Newton's method: the slope of the likelihood's logarithm in the points, and its curvature.
        let mut slope = [0.0; LEVELS];
        let mut bend = [[0.0; LEVELS]; LEVELS];
        let mut add = |terms: &[(usize, f64)], first: f64, second: f64| {
            for &(i, factor) in terms {
                slope[i] += factor * first;
                for &(j, other) in terms {
                    bend[i][j] += factor * other * second;
                }
            }
        };
        for meeting in meetings {
            let games = meeting.tally.games() as f64 + 1.0;
            let won = meeting.tally.points() + 0.5;
            let [upper, lower] = meeting.levels.map(usize::from);
            let expected = 1.0 / (1.0 + ((points[lower] - points[upper]) / SCALE).exp());
            let first = (won - games * expected) / SCALE;
            let second = games * expected * (1.0 - expected) / (SCALE * SCALE);
            add(&[(upper, 1.0), (lower, -1.0)], first, second);
        }
        for level in 1..LEVELS - 1 {
            let change = points[level + 1] - 2.0 * points[level] + points[level - 1];
            let second = 1.0 / (STEP_CHANGE * STEP_CHANGE);
            let terms = [(level - 1, 1.0), (level, -2.0), (level + 1, 1.0)];
            add(&terms, -change * second, second);
        }
        // Level 0 stays where it is.
        bend[0] = [0.0; LEVELS];
        bend[0][0] = 1.0;
        slope[0] = 0.0;
        for (points, step) in points.iter_mut().zip(solve(bend, slope)) {
            *points += step.clamp(-LONGEST, LONGEST);
        }
    }
    points.to_vec()
}

/// Solves a system of linear equations by elimination; its matrix needs no exchange of rows.
fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for pivot in 0..N {
        let (row, value) = (matrix[pivot], right[pivot]);
        for other in (0..N).filter(|&other| other != pivot) {
            let factor = matrix[other][pivot] / row[pivot];
            for (entry, part) in matrix[other].iter_mut().zip(row) {
                *entry -= factor * part;
            }
            right[other] -= factor * value;
        }
    }
    std::array::from_fn(|i| right[i] / matrix[i][i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_finds_the_points_that_made_the_results() {
        let truth = |level: u8| 60.0 * f64::from(level) + 10.0 * f64::from(level % 3);
        let meeting = |upper: u8, lower: u8| {
            let ahead = truth(upper) - truth(lower);
            let expected = 1.0 / (1.0 + 10f64.powf(-ahead / 400.0));
            let wins = (1e6 * expected).round() as u64;
            let tally = Tally {
                wins,
                losses: 1_000_000 - wins,
                ..Tally::default()
            };
            Meeting {
                levels: [upper, lower],
                tally,
            }
        };
        let one = (1..=FULL_LEVEL).map(|n| meeting(n, n - 1));
        let two = (2..=FULL_LEVEL).map(|n| meeting(n, n - 2));
        let points = fit(&one.chain(two).collect::<Vec<_>>());
        for (level, points) in (0..).zip(points) {
            assert!((points - truth(level)).abs() < 1.0, "{level}: {points}");
        }
    }

    #[test]
    fn dear_matches_are_shorter() {
        assert_eq!([rounds(100, 1, 0), rounds(100, 10, 9)], [100; 2]);
        assert_eq!(rounds(100, 2, 0), 50);
        assert!((15..30).contains(&rounds(100, 20, 19)));
        assert_eq!(rounds(1, 20, 18), 1);
    }

    #[test]
    fn all_levels_meet_and_the_far_ends_differ() {
        let plan = Plan {
            variant: Variant::Russian,
            openings: OpeningSource::Random(6),
            rounds: 2,
            seed: 1,
            concurrency: 2,
        };
        let mut told = 0;
        let meetings = measure(&plan, &mut |_| told += 1).expect("matches");
        assert_eq!((told, meetings.len()), (39, 39));
        assert_eq!(meetings[0].tally.games(), 4);
        assert!(meetings.iter().all(|m| m.tally.games() >= 2));
        let points = fit(&meetings);
        assert_eq!(points[0], 0.0);
        assert!(points[20] > 400.0, "{points:?}");
    }
}
