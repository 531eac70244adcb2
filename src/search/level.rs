//! Playing below full strength: a weaker player looks at fewer positions, at more moves than the best one, and errs in the
//! choice among what it saw.
//!
//! All of it is counted in nodes and hundredths of a man and done by one thread, so that a strength below the full one means
//! the same on every machine and at every time control that leaves it the few milliseconds it needs.

use super::limits::{Limits, Request};
use super::{Bound, Report, Score};

/// The full strength; levels start at 0.
pub const FULL_LEVEL: u8 = 20;

/// Points of a [`Strength`] from one level to the next.
const STEPS: u16 = 100;
/// The nodes of a search at level 0, and by how much each level has more.
const LEAST_NODES: f64 = 100.0;
const NODES_GROWTH: f64 = 1.37;
/// By how many hundredths of a man level 0 may misjudge a move; it falls with the third power of what a strength lacks, so
/// that it matters to the lower levels, and the nodes to the upper ones.
const MOST_ERROR: f64 = 500.0;
/// Moves among which level 0 chooses; the full strength has one.
const MOST_CHOICES: f64 = 8.0;

/// A playing strength: a level, or a point between two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Strength(u16);

impl Strength {
    /// The full strength, whose searches have no limits but those they are given.
    pub const FULL: Strength = Strength::level(FULL_LEVEL);

    /// The strength of a level; above [`FULL_LEVEL`] there is nothing.
    pub const fn level(level: u8) -> Strength {
        let level = if level < FULL_LEVEL {
            level
        } else {
            FULL_LEVEL
        };
        Strength(level as u16 * STEPS)
    }

    /// The point that lies `share` of the way from a level to the next, from 0 to 1; below 1 it is below that next level.
    pub fn between(level: u8, share: f64) -> Strength {
        let steps = (f64::from(STEPS) * share.clamp(0.0, 1.0)) as u16;
        Strength(Strength::level(level).0 + steps).min(Strength::FULL)
    }

    /// A strength that is so many levels less, 0 at the least.
    #[must_use]
    pub const fn less(self, levels: u8) -> Strength {
        Strength(self.0.saturating_sub(levels as u16 * STEPS))
    }

    /// The level, with a fraction.
    fn degree(self) -> f64 {
        f64::from(self.0) / f64::from(STEPS)
    }

    /// How much is missing to the full strength, from 0 to 1.
    fn lack(self) -> f64 {
        1.0 - self.degree() / f64::from(FULL_LEVEL)
    }

    /// The nodes of a search. The scale of strengths takes the full one to have as many as would come next.
    pub fn nodes(self) -> u64 {
        (LEAST_NODES * NODES_GROWTH.powf(self.degree())).round() as u64
    }

    /// By how many hundredths of a man it may misjudge a move.
    fn error(self) -> i32 {
        (MOST_ERROR * self.lack().powi(3)).round() as i32
    }

    /// Among how many of the best moves it chooses.
    fn choices(self) -> usize {
        1 + ((MOST_CHOICES - 1.0) * self.lack()).ceil() as usize
    }
}

/// The search a weaker player makes instead; `None` at full strength. Limits of the request hold as well, but it does not go
/// on until it is stopped.
pub(super) fn weaken(request: &Request) -> Option<Request> {
    if request.strength >= Strength::FULL {
        return None;
    }
    let most = request.strength.nodes();
    Some(Request {
        limits: Limits {
            nodes: Some(request.limits.nodes.map_or(most, |nodes| nodes.min(most))),
            infinite: false,
            ponder: false,
            ..request.limits.clone()
        },
        multi_pv: request.strength.choices(),
        strength: Strength::FULL,
        tables: false,
        ..request.clone()
    })
}

/// The lines a weaker player has seen: those of the last iteration, and where that was cut off those of the one before it.
#[derive(Debug, Default)]
pub(super) struct Seen {
    lines: Vec<Report>,
    before: Vec<Report>,
}

impl Seen {
    pub(super) fn add(&mut self, report: Report) {
        if report.bound != Bound::Exact {
            return;
        }
        if report.multi_pv == 1 {
            self.before = std::mem::take(&mut self.lines);
        }
        self.lines.push(report);
    }

    /// The line that is played: each line's score is misjudged by up to the player's error, and the best-looking is taken.
    pub(super) fn choose(mut self, strength: Strength) -> Option<Report> {
        if self.lines.len() < self.before.len() {
            let known: Vec<_> = self
                .lines
                .iter()
                .map(|line| line.pv.first().copied())
                .collect();
            self.before
                .retain(|line| !known.contains(&line.pv.first().copied()));
            self.lines.append(&mut self.before);
        }
        let worth = |report: &Report| match report.score {
            Score::Cp(cp) => cp.clamp(-5_000, 5_000),
            Score::Mate(moves) if moves > 0 => 10_000 - moves,
            Score::Mate(moves) => -10_000 - moves,
        };
        let error = strength.error();
        self.lines
            .into_iter()
            .max_by_key(|report| worth(report) + fastrand::i32(0..=error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strengths_grow_in_nodes_and_lose_their_errors() {
        let all: Vec<_> = (0..=Strength::FULL.0).map(Strength).collect();
        for pair in all.windows(2) {
            let [less, more] = [pair[0], pair[1]];
            assert!(less.nodes() <= more.nodes() && less.error() >= more.error());
            assert!(less.choices() >= more.choices());
        }
        for level in 1..=FULL_LEVEL {
            let [less, more] = [level - 1, level].map(Strength::level);
            assert!(less.nodes() < more.nodes() && less.error() >= more.error());
        }
        let least = Strength::level(0);
        assert_eq!(
            (least.nodes(), least.error(), least.choices()),
            (100, 500, 8)
        );
        let full = Strength::FULL;
        assert_eq!((full.error(), full.choices()), (0, 1));
    }

    #[test]
    fn strengths_lie_between_levels() {
        assert_eq!(Strength::between(3, 0.0), Strength::level(3));
        assert_eq!(Strength::between(3, 1.0), Strength::level(4));
        let middle = Strength::between(3, 0.5);
        assert!(Strength::level(3) < middle && middle < Strength::level(4));
        assert!(Strength::between(19, 0.999) < Strength::FULL);
        assert_eq!(Strength::between(20, 1.0), Strength::FULL);
        assert_eq!(Strength::level(21), Strength::FULL);
        assert_eq!(Strength::level(7).less(5), Strength::level(2));
        assert_eq!(Strength::level(7).less(u8::MAX), Strength::level(0));
    }

    #[test]
    fn a_weaker_search_ends_by_itself_and_keeps_its_limits() {
        assert!(weaken(&Request::default()).is_none());
        let limits = Limits {
            nodes: Some(30),
            depth: Some(2),
            infinite: true,
            ..Limits::default()
        };
        let request = Request {
            limits,
            strength: Strength::level(19),
            ..Request::default()
        };
        let weak = weaken(&request).expect("a weaker search");
        assert_eq!((weak.limits.nodes, weak.limits.depth), (Some(30), Some(2)));
        assert!(weak.limits.is_bounded());
        let unlimited = Request {
            limits: Limits::default(),
            ..request
        };
        let nodes = weaken(&unlimited).expect("a weaker search").limits.nodes;
        assert_eq!(nodes, Some(Strength::level(19).nodes()));
    }
}
