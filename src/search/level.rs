//! Playing below full strength: a weaker level looks less deep and errs more in the choice among what it saw.

use super::limits::{FULL_LEVEL, Limits, Request};
use super::{Report, Score};

/// How many of the best moves a weak player considers.
const CHOICES: usize = 8;

/// The plies a level looks ahead: 1 at level 0, 14 at level 19.
fn depth(level: u8) -> u32 {
    1 + u32::from(level) * 2 / 3 + u32::from(level / 10)
}

/// By how many hundredths of a man a level may misjudge a move.
fn error(level: u8) -> i32 {
    i32::from(FULL_LEVEL.saturating_sub(level)) * 9
}

/// The search a weaker level makes instead; `None` at full strength. Limits of the request hold as well.
pub(super) fn weaken(request: &Request, moves: usize) -> Option<Request> {
    if request.level >= FULL_LEVEL {
        return None;
    }
    let deepest = depth(request.level);
    Some(Request {
        limits: Limits {
            depth: Some(
                request
                    .limits
                    .depth
                    .map_or(deepest, |depth| depth.min(deepest)),
            ),
            ..request.limits.clone()
        },
        multi_pv: CHOICES.min(moves),
        level: FULL_LEVEL,
        tables: false,
        ..request.clone()
    })
}

/// The line a level plays: each line's score is misjudged by up to the level's error, and the best-looking is taken.
pub(super) fn choose(level: u8, lines: Vec<Report>) -> Option<Report> {
    let worth = |report: &Report| match report.score {
        Score::Cp(cp) => cp.clamp(-5_000, 5_000),
        Score::Mate(moves) if moves > 0 => 10_000 - moves,
        Score::Mate(moves) => -10_000 - moves,
    };
    lines
        .into_iter()
        .max_by_key(|report| worth(report) + fastrand::i32(0..=error(level)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow_in_depth_and_lose_their_errors() {
        for level in 1..FULL_LEVEL {
            assert!(depth(level) >= depth(level - 1) && error(level) < error(level - 1));
        }
        assert_eq!((depth(0), depth(19)), (1, 14));
        assert!(weaken(&Request::default(), 5).is_none());
    }
}
