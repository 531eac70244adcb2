//! Conformance: whether an engine keeps to its protocol, point by point.
//!
//! Each point is a function that talks to the engine and says what it saw. An engine that dies or hangs in one point is
//! started anew for the next. What is legal is decided by this program's own rules.

mod hub;
mod uci;

use std::time::{Duration, Instant};

use super::player::{Fault, Process, Silence};
use crate::board::Variant;
use crate::engine::command::{Origin, Setting};
use crate::engine::options::Settings;
use crate::engine::{Engine, build};
use crate::notation::{Notation, Squares, Style};

/// Patience for what should come at once.
const SOON: Duration = Duration::from_secs(5);
/// Patience for a search that ends by itself.
const SEARCH: Duration = Duration::from_secs(30);
/// How long is listened for what should not come.
const QUIET: Duration = Duration::from_millis(200);

/// A point of a protocol.
pub struct Point {
    /// What the protocol asks for.
    pub name: &'static str,
    check: fn(&mut Session<'_>) -> Seen,
}

/// What was seen: with `Err` the engine does not conform.
type Seen = Result<String, String>;

/// The outcome of a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The point.
    pub name: &'static str,
    /// Whether the engine conforms.
    pub passed: bool,
    /// What was seen.
    pub seen: String,
}

/// A protocol that can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// `protocol.md`.
    Uci,
    /// Hub 2.
    Hub,
}

impl Suite {
    /// Its points.
    pub fn points(self) -> impl Iterator<Item = &'static Point> {
        let parts = match self {
            Suite::Uci => uci::POINTS,
            Suite::Hub => hub::POINTS,
        };
        parts.iter().copied().flatten()
    }
}

/// Checks an engine, telling `hear` of each point as it is done. The error is that it cannot be started at all.
pub fn check(
    suite: Suite,
    command: &[String],
    variant: Variant,
    hear: &mut dyn FnMut(&Verdict),
) -> Result<(), String> {
    Process::start(command, None).map_err(|fault| fault.what)?;
    let mut session = Session {
        suite,
        command,
        variant,
        process: None,
        greeting: Vec::new(),
    };
    for point in suite.points() {
        let seen = (point.check)(&mut session);
        hear(&Verdict {
            name: point.name,
            passed: seen.is_ok(),
            seen: seen.unwrap_or_else(|what| {
                // Whatever state it is in now, the next point begins with a fresh engine.
                session.process = None;
                what
            }),
        });
    }
    Ok(())
}

/// A dialogue with the engine under test.
struct Session<'a> {
    suite: Suite,
    command: &'a [String],
    variant: Variant,
    process: Option<Process>,
    /// What it said to introduce itself.
    greeting: Vec<String>,
}

fn told(fault: Fault) -> String {
    format!("it {}", fault.what)
}

impl Session<'_> {
    /// The engine, started and introduced if it is not running.
    fn engine(&mut self) -> Result<&mut Process, String> {
        if self.process.is_none() {
            let mut process = Process::start(self.command, None).map_err(told)?;
            self.greeting = match self.suite {
                Suite::Uci => uci::introduce(&mut process, self.variant)?,
                Suite::Hub => hub::introduce(&mut process, self.variant)?,
            };
            self.process = Some(process);
        }
        self.process
            .as_mut()
            .ok_or_else(|| "it is not running".into())
    }

    /// A new engine that has not been spoken to.
    fn fresh(&mut self) -> Result<Process, String> {
        Process::start(self.command, None).map_err(told)
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        self.engine()?.send(line);
        Ok(())
    }

    /// All lines up to one that begins with the word, which is the last.
    fn until(&mut self, word: &str, time: Duration) -> Result<Vec<String>, String> {
        until(self.engine()?, word, time)
    }

    /// Everything said in a while.
    fn listen(&mut self, time: Duration) -> Result<Vec<String>, String> {
        let engine = self.engine()?;
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            match engine.receive(deadline) {
                Ok((_, line)) => lines.push(line),
                Err(Silence::TimedOut) => return Ok(lines),
                Err(Silence::Ended) => return Err("it ended".into()),
            }
        }
    }
}

/// All lines up to one that begins with the word, which is the last.
fn until(engine: &mut Process, word: &str, time: Duration) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    let last = engine.expect(word, time, |line| lines.push(line.to_owned()));
    lines.push(last.map_err(told)?);
    Ok(lines)
}

/// This program's own engine, to say what is legal; moves in this notation.
fn referee(variant: Variant, notation: Notation) -> Result<Box<dyn Engine>, String> {
    let settings = Settings {
        variant,
        hash: 1,
        style: Style {
            notation,
            squares: match notation {
                Notation::Hub => Squares::Numeric,
                _ => Squares::Native,
            },
        },
        ..Settings::default()
    };
    build(settings).map_err(|failure| failure.what)
}

/// Whether the moves can be played one after another; what is wrong if not.
fn playable(referee: &mut dyn Engine, origin: Origin, moves: &[&str]) -> Result<(), String> {
    let setting = Setting {
        origin,
        moves: moves.join(" "),
    };
    referee
        .set_position(&setting)
        .map_err(|failure| failure.what)
}

/// A claim, with what was seen where it does not hold.
fn claim(holds: bool, seen: impl Into<String>) -> Result<(), String> {
    if holds { Ok(()) } else { Err(seen.into()) }
}

/// Lines for a report: the last few.
fn shown(lines: &[String]) -> String {
    let text: Vec<&str> = lines
        .iter()
        .rev()
        .take(3)
        .rev()
        .map(String::as_str)
        .collect();
    let text = text.join(" / ");
    if text.is_empty() {
        return "nothing was said".into();
    }
    text.chars().take(200).collect()
}
