//! A line on the terminal that tells how far long work is, and values that such work is given.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// A line on standard error that is written over; nothing where that is no terminal.
#[derive(Debug)]
pub(super) struct Line {
    live: bool,
    shown: Option<Instant>,
}

impl Line {
    pub(super) fn new() -> Self {
        Self {
            live: io::stderr().is_terminal(),
            shown: None,
        }
    }

    /// Shows a text, at most a few times a second.
    pub(super) fn show(&mut self, text: impl FnOnce() -> String) {
        let due = |shown: Instant| shown.elapsed() > Duration::from_millis(200);
        if self.live && self.shown.is_none_or(due) {
            self.shown = Some(Instant::now());
            // Progress that cannot be shown is no failure.
            let _ = write!(io::stderr(), "\r\x1b[K{}", text());
        }
    }

    /// Takes the line away.
    pub(super) fn clear(&mut self) {
        if self.live && self.shown.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    /// Prints a line that stays.
    pub(super) fn print(&mut self, text: &str) {
        self.clear();
        let _ = writeln!(io::stderr(), "{text}");
    }
}

/// A number with commas.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Reads a time: seconds, or a number followed by s, m or h.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let unit = match unit {
        "s" => Some(1.0),
        "m" => Some(60.0),
        "h" => Some(3_600.0),
        _ => None,
    };
    let seconds = number
        .parse::<f64>()
        .ok()
        .zip(unit)
        .map(|(n, unit)| n * unit);
    seconds
        .filter(|seconds| (1e-3..1e9).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected a time such as 90, 90s, 10m or 2h".to_owned())
}
