//! What the user says of an engine: `name=A cmd=./engine tc=40/60+0.5 option.Hash=64`.
//!
//! Entries are separated by blanks; a word that begins no entry continues the value before it, so that `cmd=./scan hub` and
//! `option.Skill Level=3` need no quotes. Quotes, single or double, protect blanks in a value.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::player::own_options;
pub use crate::notation::hub::Numbering;

/// Which dialect an engine speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// The UCI-like protocol of `protocol.md`.
    #[default]
    Uci,
    /// Hub 2.
    Hub,
    /// DXP: the engine waits for a connection.
    Dxp,
}

/// A clock: so much time for so many moves, and more with each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Moves until `time` is added again; `None` for the whole game.
    pub moves: Option<u32>,
    /// Time at the start.
    pub time: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// How much an engine may think.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// Its clock.
    pub clock: Option<TimeControl>,
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Depth of each search.
    pub depth: Option<u32>,
    /// Nodes of each search.
    pub nodes: Option<u64>,
    /// By how much it may be late without losing.
    pub margin: Duration,
    /// How long beyond its time an engine is waited for before it is taken for hung and killed.
    pub patience: Duration,
}

impl Control {
    /// Whether time decides games.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }
}

/// How an engine is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The searcher of this program, without a process of its own.
    Own {
        /// Size of the hash table in MiB.
        hash: usize,
    },
    /// A child process, or a program that runs already and waits for DXP connections.
    Child {
        /// The program and its arguments; none where it runs already.
        command: Vec<String>,
        /// The folder it runs in.
        dir: Option<String>,
        /// What it speaks.
        dialect: Dialect,
        /// How it numbers squares in Hub.
        numbering: Numbering,
        /// Where it waits for DXP connections; `None` for the usual port of this machine.
        #[serde(default)]
        address: Option<String>,
    },
}

/// An engine as the user describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in all reports.
    pub name: String,
    /// How it is run.
    pub kind: Kind,
    /// How much it may think.
    pub control: Control,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
}

/// What is wrong with the description of an engine.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SpecError {
    /// The text begins with something that is no entry.
    #[error("\"{word}\" is no entry of an engine, expected one of {}", KEYS.join("=, "))]
    UnknownKey {
        /// The word.
        word: String,
    },
    /// A value is no good.
    #[error("{key}={value}: expected {expected}")]
    BadValue {
        /// The entry.
        key: String,
        /// Its value.
        value: String,
        /// What would do.
        expected: &'static str,
    },
    /// There is nothing to run.
    #[error("engine \"{text}\" has no cmd=, expected a command line or cmd=self")]
    NoCommand {
        /// The description.
        text: String,
    },
    /// Entries that make no sense together.
    #[error("{key}= has no meaning for an engine with {other}")]
    Conflict {
        /// The entry.
        key: &'static str,
        /// What it does not go with.
        other: &'static str,
    },
    /// An option of the program's own searcher is unknown or its value is no good.
    #[error("{0}")]
    Parameter(String),
    /// Nothing limits the engine's thinking.
    #[error("engine {name} has no limit: give it one of tc=, st=, depth= or nodes=")]
    NoLimit {
        /// Its name.
        name: String,
    },
    /// A quotation mark has no partner.
    #[error("a quotation mark in \"{text}\" is not closed")]
    OpenQuote {
        /// The text.
        text: String,
    },
}

/// The entries, `option.NAME` aside.
pub const KEYS: [&str; 15] = [
    "name",
    "cmd",
    "dir",
    "arg",
    "proto",
    "address",
    "notation",
    "hash",
    "tc",
    "st",
    "depth",
    "nodes",
    "timemargin",
    "patience",
    "option.NAME",
];

/// Margin of an engine in a process of its own: the way between two processes of a busy machine is not its fault.
const MARGIN: Duration = Duration::from_millis(100);
/// Margin of the engine in this process, which cannot be late on purpose: only the machine can make it so.
const OWN_MARGIN: Duration = Duration::from_secs(2);
/// See [`Control::patience`].
const PATIENCE: Duration = Duration::from_secs(30);
/// Size of the table of the engine in this process, in MiB.
const OWN_HASH: usize = 16;

/// Splits a text at blanks outside quotes, which stay.
fn words(text: &str) -> Result<Vec<String>, SpecError> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut open = None;
    for c in text.chars() {
        match open {
            None if c.is_whitespace() => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                continue;
            }
            None if c == '"' || c == '\'' => open = Some(c),
            Some(quote) if c == quote => open = None,
            _ => {}
        }
        word.push(c);
    }
    if open.is_some() {
        return Err(SpecError::OpenQuote { text: text.into() });
    }
    if !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

/// Takes the quotes out of a word.
fn unquoted(word: &str) -> String {
    let mut open = None;
    word.chars()
        .filter(|&c| match open {
            None if c == '"' || c == '\'' => {
                open = Some(c);
                false
            }
            Some(quote) if c == quote => {
                open = None;
                false
            }
            _ => true,
        })
        .collect()
}

/// The entries of a description, values still quoted.
fn entries(text: &str) -> Result<Vec<(String, String)>, SpecError> {
    let mut entries: Vec<(String, String)> = Vec::new();
    for word in words(text)? {
        let begins = word
            .split_once('=')
            .filter(|(key, _)| KEYS.contains(key) && *key != "option.NAME");
        if let Some(option) = word.strip_prefix("option.") {
            entries.push(("option".into(), option.into()));
        } else if let Some((key, value)) = begins {
            entries.push((key.into(), value.into()));
        } else if let Some((_, value)) = entries.last_mut() {
            value.push(' ');
            value.push_str(&word);
        } else {
            return Err(SpecError::UnknownKey { word });
        }
    }
    Ok(entries)
}

fn bad(key: &str, value: &str, expected: &'static str) -> SpecError {
    SpecError::BadValue {
        key: key.into(),
        value: value.into(),
        expected,
    }
}

/// A duration in seconds, as in `0.25`.
fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(number).ok()
}

impl TimeControl {
    /// Reads `[moves/][minutes:]seconds[+increment]`.
    fn read(text: &str) -> Option<TimeControl> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().ok().filter(|&n| n > 0)?), rest),
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let time = match time.split_once(':') {
            Some((minutes, rest)) => {
                Duration::from_secs(60 * minutes.parse::<u32>().ok().map(u64::from)?)
                    + seconds(rest)?
            }
            None => seconds(time)?,
        };
        Some(TimeControl {
            moves,
            time,
            increment: seconds(increment)?,
        })
    }
}

impl EngineSpec {
    /// Reads a description. `each` holds entries for all engines, which the engine's own override.
    pub fn read(text: &str, each: &str) -> Result<EngineSpec, SpecError> {
        let mut entries_of_all = entries(each)?;
        let own = entries(text)?;
        if own.iter().any(|(key, _)| is_limit(key)) {
            entries_of_all.retain(|(key, _)| !is_limit(key));
        }
        entries_of_all.extend(own);

        let mut name = None;
        let mut command: Vec<String> = Vec::new();
        let mut arguments = Vec::new();
        let (mut dir, mut dialect, mut numbering, mut hash) = (None, None, None, None);
        let mut address = None;
        let (mut margin, mut patience) = (None, PATIENCE);
        let mut control = Control::default();
        let mut options: Vec<(String, String)> = Vec::new();
        for (key, raw) in entries_of_all {
            let value = unquoted(&raw);
            let number = || value.parse::<u64>().ok().filter(|&n| n > 0);
            let expected = |what| bad(&key, &value, what);
            match key.as_str() {
                "name" => name = Some(value),
                "cmd" => command = words(&raw)?.iter().map(|word| unquoted(word)).collect(),
                "arg" => arguments.push(value),
                "dir" => dir = Some(value),
                "proto" => {
                    dialect = Some(match value.as_str() {
                        "uci" => Dialect::Uci,
                        "hub" => Dialect::Hub,
                        "dxp" => Dialect::Dxp,
                        _ => return Err(expected("uci, hub or dxp")),
                    });
                }
                "address" => address = Some(value),
                "notation" => {
                    let found = Numbering::from_name(&value);
                    numbering = Some(found.ok_or_else(|| expected("pdn or pydraughts"))?);
                }
                "hash" => {
                    let size = number().and_then(|n| usize::try_from(n).ok());
                    hash = Some(size.ok_or_else(|| expected("a number of MiB from 1"))?);
                }
                "tc" if value == "inf" => control.clock = None,
                "tc" => {
                    let clock = TimeControl::read(&value);
                    control.clock = Some(clock.ok_or_else(|| {
                        expected("[moves/][minutes:]seconds[+increment], as in 40/1:30+0.5")
                    })?);
                }
                "st" => {
                    let time = seconds(&value).filter(|t| !t.is_zero());
                    let time = time.ok_or_else(|| expected("seconds above 0, as in 0.25"))?;
                    control.move_time = Some(time);
                }
                "depth" => {
                    let depth = number().and_then(|n| u32::try_from(n).ok());
                    control.depth = Some(depth.ok_or_else(|| expected("a number of plies"))?);
                }
                "nodes" => {
                    control.nodes = Some(number().ok_or_else(|| expected("a number of nodes"))?);
                }
                "timemargin" => {
                    let number = value.parse().ok().map(Duration::from_millis);
                    margin = Some(number.ok_or_else(|| expected("milliseconds"))?);
                }
                "patience" => {
                    patience = seconds(&value).ok_or_else(|| expected("seconds, as in 30"))?;
                }
                _ => {
                    let pair = value.split_once('=');
                    let (name, value) = pair.ok_or_else(|| expected("option.NAME=VALUE"))?;
                    options.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
                    options.push((name.into(), value.into()));
                }
            }
        }

        let conflict = |key, other| Err(SpecError::Conflict { key, other });
        let kind = match command.as_slice() {
            [] if address.is_none() => return Err(SpecError::NoCommand { text: text.into() }),
            [own] if own == "self" => {
                own_options(&options).map_err(SpecError::Parameter)?;
                if dialect.is_some() || dir.is_some() || numbering.is_some() || address.is_some() {
                    return conflict("proto=, address=, dir= or notation", "cmd=self");
                }
                Kind::Own {
                    hash: hash.unwrap_or(OWN_HASH),
                }
            }
            // A misspelt entry continues the command before it: this program's own searcher takes no arguments.
            [own, word, ..] if own == "self" => {
                return Err(SpecError::UnknownKey { word: word.clone() });
            }
            _ => {
                let dialect = dialect.unwrap_or_default();
                if let Some(mib) = hash {
                    let (name, value) = match dialect {
                        Dialect::Uci => ("Hash", mib),
                        // The logarithm of the number of entries, of 16 bytes each.
                        Dialect::Hub => ("tt-size", mib.ilog2() as usize + 16),
                        Dialect::Dxp => return conflict("hash", "proto=dxp"),
                    };
                    options.insert(0, (name.into(), value.to_string()));
                }
                if numbering.is_some() && dialect != Dialect::Hub {
                    return conflict("notation", "another protocol than hub");
                }
                if address.is_some() && dialect != Dialect::Dxp {
                    return conflict("address", "another protocol than dxp");
                }
                if dialect == Dialect::Dxp {
                    // It has a clock and nothing else.
                    let other = control.move_time.is_some() || control.depth.is_some();
                    if other || control.nodes.is_some() || control.clock.is_none() {
                        return conflict("any limit but tc", "proto=dxp");
                    }
                    if !options.is_empty() {
                        return conflict("option.NAME", "proto=dxp");
                    }
                }
                Kind::Child {
                    command: command.into_iter().chain(arguments).collect(),
                    dir,
                    dialect,
                    numbering: numbering.unwrap_or_default(),
                    address,
                }
            }
        };
        let default_margin = match kind {
            Kind::Own { .. } => OWN_MARGIN,
            Kind::Child { .. } => MARGIN,
        };
        control.margin = margin.unwrap_or(default_margin);
        control.patience = patience;
        let name = name.unwrap_or_else(|| match &kind {
            Kind::Own { .. } => "self".into(),
            Kind::Child {
                command, address, ..
            } => match command.first() {
                Some(program) => file_name(program),
                None => address.clone().unwrap_or_default(),
            },
        });
        if !control.is_timed() && control.depth.is_none() && control.nodes.is_none() {
            return Err(SpecError::NoLimit { name });
        }
        Ok(EngineSpec {
            name,
            kind,
            control,
            options,
        })
    }
}

/// Whether an entry limits how much an engine thinks: engines that have limits of their own take none from all.
fn is_limit(key: &str) -> bool {
    ["tc", "st", "depth", "nodes"].contains(&key)
}

fn file_name(path: &str) -> String {
    let name = std::path::Path::new(path).file_name();
    name.map_or_else(|| path.into(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<EngineSpec, SpecError> {
        EngineSpec::read(text, "")
    }

    #[test]
    fn the_own_searcher_takes_strengths_and_parameters() {
        for good in [
            "Skill Level=3",
            "skill level=3",
            "UCI_Elo=1200",
            "probcut_margin=9",
            "Contempt=30",
            "TablebasePath=none",
        ] {
            let spec = read(&format!("cmd=self depth=9 option.{good}"));
            assert_eq!(spec.map(|spec| spec.options.len()), Ok(1), "{good}");
        }
        for bad in ["Skill Level=21", "UCI_Elo=1", "UCI_Elo=x", "Hash=16"] {
            let error = read(&format!("cmd=self depth=9 option.{bad}"));
            assert!(matches!(error, Err(SpecError::Parameter(_))), "{bad}");
        }
    }

    #[test]
    fn blanks_need_no_quotes_and_quotes_protect() {
        let spec =
            read("cmd=./scan hub proto=hub st=0.1 option.Skill Level=3 name=My Scan").unwrap();
        assert_eq!(spec.name, "My Scan");
        assert_eq!(spec.options, [("Skill Level".into(), "3".into())]);
        let Kind::Child {
            command, dialect, ..
        } = spec.kind
        else {
            panic!("{:?}", spec.kind)
        };
        assert_eq!(command, ["./scan", "hub"]);
        assert_eq!(dialect, Dialect::Hub);
        let spec = read(r#"cmd="/a b/c" 'x y' arg=st=1 depth=3"#).unwrap();
        let Kind::Child { command, .. } = spec.kind else {
            panic!("{:?}", spec.kind)
        };
        assert_eq!(command, ["/a b/c", "x y", "st=1"]);
        assert_eq!(spec.name, "c");
    }

    #[test]
    fn limits_are_read() {
        let ms = Duration::from_millis;
        let control = |text: &str| read(&format!("cmd=x {text}")).unwrap().control;
        for (text, moves, time, increment) in [
            ("tc=40/60+0.5", Some(40), 60_000, 500),
            ("tc=1:30", None, 90_000, 0),
            ("tc=0.05+0.01", None, 50, 10),
        ] {
            let clock = TimeControl {
                moves,
                time: ms(time),
                increment: ms(increment),
            };
            assert_eq!(control(text).clock, Some(clock), "{text}");
        }
        assert_eq!(control("st=0.02").move_time, Some(ms(20)));
        let both = control("depth=7 nodes=1000 timemargin=5 patience=1.5");
        assert_eq!((both.depth, both.nodes), (Some(7), Some(1000)));
        assert_eq!((both.margin, both.patience), (ms(5), ms(1500)));
        assert!(!both.is_timed());
    }

    #[test]
    fn entries_for_all_are_overridden_by_an_engines_own() {
        let each = "tc=10+0.1 hash=8 option.aspiration=2";
        let spec = EngineSpec::read("cmd=self st=1 option.aspiration=3", each).unwrap();
        assert_eq!(spec.control.clock, None);
        assert_eq!(spec.control.move_time, Some(Duration::from_secs(1)));
        assert_eq!(spec.kind, Kind::Own { hash: 8 });
        assert_eq!(spec.options, [("aspiration".into(), "3".into())]);
        let child = EngineSpec::read("cmd=x", each).unwrap();
        assert_eq!(child.options[0], ("Hash".into(), "8".into()));
    }

    #[test]
    fn refusals_say_what_was_expected() {
        for (text, words) in [
            ("dpeth=5", "expected one of name=, cmd="),
            ("name=a st=1", "no cmd="),
            ("cmd=self eval=x st=1", "\"eval=x\" is no entry"),
            ("cmd=self", "no limit"),
            ("cmd=self st=0", "seconds above 0"),
            ("cmd=self st=0.1 dpeth=5", "seconds above 0"),
            ("cmd=self st=-1", "seconds above 0"),
            ("cmd=self depth=0", "plies"),
            ("cmd=self tc=0/10", "moves/"),
            ("cmd=self tc=nan", "moves/"),
            ("cmd=self st=1 proto=hub", "no meaning"),
            ("cmd=x st=1 notation=pdn", "no meaning"),
            ("cmd=x st=1 proto=usi", "uci, hub or dxp"),
            ("cmd=x st=1 proto=dxp", "any limit but tc="),
            ("cmd=x tc=60 address=a:1", "no meaning"),
            ("proto=dxp tc=60", "no cmd="),
            ("cmd=x st=1 option.Hash", "option.NAME=VALUE"),
            ("cmd=\"x st=1", "not closed"),
            (
                "cmd=self st=1 option.Threads=2",
                "expected one of aspiration",
            ),
            (
                "cmd=self st=1 option.aspiration=x",
                "expected a number from",
            ),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
