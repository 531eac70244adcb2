//! Clock times in comments: `[%clk 0:01:02]` and `[%clock w0:10:05 B0:09:31]`, with or without brackets.

use std::time::Duration;

use crate::board::Side;

/// A time shown by a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Whose it is; `None` is the side that has just moved.
    pub side: Option<Side>,
    /// The time left.
    pub left: Duration,
}

/// The clock times of a comment, in order.
pub fn clocks(comment: &str) -> Vec<Clock> {
    let mut list = Vec::new();
    for part in comment.split('%').skip(1) {
        let mut words = part.split(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | ','));
        if matches!(words.next(), Some("clk" | "clock")) {
            list.extend(words.filter(|word| !word.is_empty()).map_while(read));
        }
    }
    list
}

/// Reads `h:mm:ss` or `m:ss`, seconds perhaps with decimals, with the letter of a side before it or not.
fn read(word: &str) -> Option<Clock> {
    let side = match word.chars().next()? {
        'w' | 'W' => Some(Side::White),
        'b' | 'B' => Some(Side::Black),
        _ => None,
    };
    let digits = if side.is_some() { word.get(1..)? } else { word };
    let mut seconds = 0.0;
    let mut parts = 0;
    for part in digits.split(':') {
        let plain = part.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let number: f64 = part.parse().ok().filter(|_| plain)?;
        seconds = seconds * 60.0 + number;
        parts += 1;
    }
    let left = Duration::try_from_secs_f64(seconds).ok()?;
    (2..=3).contains(&parts).then_some(Clock { side, left })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_commands_are_read() {
        let read = |text| -> Vec<(Option<Side>, f64)> {
            let list = clocks(text).into_iter();
            list.map(|clock| (clock.side, clock.left.as_secs_f64()))
                .collect()
        };
        assert_eq!(read("[%clk 0:01:02]"), [(None, 62.0)]);
        assert_eq!(read("good [%clk 1:00:00.5] move"), [(None, 3600.5)]);
        let both = [(Some(Side::White), 605.0), (Some(Side::Black), 571.0)];
        assert_eq!(read("[%clock w0:10:05 B0:09:31]"), both);
        assert_eq!(read("%clock w0:10:05 B0:09:31 late"), both);
        for text in [
            "",
            "clk 0:01:02",
            "[%emt 0:01:02]",
            "%clk",
            "%clk 1",
            "%clk -1:00",
        ] {
            assert_eq!(read(text), [], "{text}");
        }
        assert_eq!(read(&format!("%clk {}:00:00", "9".repeat(400))), []);
    }
}
