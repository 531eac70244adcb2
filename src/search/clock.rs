//! Time: how long a search may take, from its limits.
//!
//! Two times come out: the *soft* one is where a new iteration no longer starts, stretched or shrunk by how settled the
//! search is; the *hard* one is where the search is cut off. Both leave the overhead aside.

use std::time::Duration;

use super::limits::{Clock, Limits};

/// Moves a game is expected to go on for where the clock tells no number.
const MOVES_EXPECTED: f64 = 28.0;
/// Share of an increment that is spent at once.
const INCREMENT_SHARE: f64 = 0.8;
/// The hard limit as a multiple of the soft one.
const HARD_FACTOR: f64 = 4.0;
/// The largest share of the clock one move may take.
const HARD_SHARE: f64 = 0.35;
/// The same for the last move before the clock is filled up.
const LAST_MOVE_SHARE: f64 = 0.8;

/// The times of one search, from its start or from the ponderhit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// Where a new iteration no longer starts; `None` where only the hard limit counts.
    pub(super) soft: Option<Duration>,
    /// Where the search is cut off.
    pub(super) hard: Option<Duration>,
}

impl Budget {
    /// The budget of a search with these limits.
    pub(super) fn new(limits: &Limits, overhead: Duration) -> Budget {
        let fixed = limits
            .movetime
            .map(|time| time.saturating_sub(overhead.min(time / 2)));
        let Some(clock) = limits.clock else {
            return Budget {
                soft: None,
                hard: fixed,
            };
        };
        let (soft, hard) = shares(clock, overhead.as_secs_f64() * 1000.0);
        let hard = Duration::from_secs_f64(hard / 1000.0);
        Budget {
            soft: Some(Duration::from_secs_f64(soft / 1000.0)),
            hard: Some(fixed.map_or(hard, |fixed| fixed.min(hard))),
        }
    }
}

/// Soft and hard time in milliseconds.
fn shares(clock: Clock, overhead: f64) -> (f64, f64) {
    // A day is longer than any move needs and keeps the arithmetic finite.
    let day = 86_400_000.0;
    let left = (clock.time as f64 - overhead).clamp(0.0, day);
    let increment = (clock.increment as f64).clamp(0.0, day);
    let (soft, most) = match clock.moves_to_go {
        Some(0 | 1) => (left * LAST_MOVE_SHARE * 0.75, left * LAST_MOVE_SHARE),
        Some(moves) => {
            let moves = f64::from(moves).min(MOVES_EXPECTED * 2.0);
            (
                left / moves + increment * INCREMENT_SHARE,
                left * (1.5 / moves).max(HARD_SHARE),
            )
        }
        None => (
            left / MOVES_EXPECTED + increment * INCREMENT_SHARE,
            left * HARD_SHARE,
        ),
    };
    let most = most.min(left * LAST_MOVE_SHARE);
    (soft.min(most), (soft * HARD_FACTOR).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(time: i64, increment: i64, moves_to_go: Option<u32>) -> Budget {
        let clock = Some(Clock {
            time,
            increment,
            moves_to_go,
        });
        Budget::new(
            &Limits {
                clock,
                ..Limits::default()
            },
            Duration::from_millis(10),
        )
    }

    #[test]
    fn no_clock_is_overstepped() {
        for time in [-50, 0, 1, 5, 11, 30, 100, 1000, 60_000, 7_200_000, i64::MAX] {
            for increment in [0, 10, 1000, i64::MAX] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let budget = budget(time, increment, moves);
                    let hard = budget.hard.unwrap();
                    assert!(
                        hard.as_millis() as i64 <= (time - 10).max(0),
                        "{time} {increment} {moves:?}: {hard:?}"
                    );
                    assert!(budget.soft.unwrap() <= hard);
                }
            }
        }
    }

    #[test]
    fn more_time_means_longer_thought() {
        assert!(budget(60_000, 0, None).soft > budget(1000, 0, None).soft);
        assert!(budget(1000, 100, None).soft > budget(1000, 0, None).soft);
        assert!(budget(1000, 0, Some(1)).soft > budget(1000, 0, Some(10)).soft);
    }

    #[test]
    fn movetime_keeps_the_overhead_back() {
        let limits = Limits {
            movetime: Some(Duration::from_millis(300)),
            ..Limits::default()
        };
        let budget = Budget::new(&limits, Duration::from_millis(10));
        assert_eq!(budget.hard, Some(Duration::from_millis(290)));
        let limits = Limits {
            movetime: Some(Duration::ZERO),
            ..Limits::default()
        };
        assert_eq!(
            Budget::new(&limits, Duration::from_millis(10)).hard,
            Some(Duration::ZERO)
        );
    }
}
