//! The file from which a killed match goes on: JSON lines, the first saying which match it is, then one a finished game.
//!
//! Each line is on the disk before the next game is counted, so that nothing is lost but the games being played. A last line
//! that was not written to its end is cut off.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::record::GameRecord;
use super::runner::Identity;

/// An open state file.
#[derive(Debug)]
pub struct State {
    file: File,
}

/// Why a state file cannot be used.
#[derive(Debug, Error)]
pub enum StateError {
    /// It cannot be read or written.
    #[error("state file {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: io::Error,
    },
    /// A line is not what it should be.
    #[error("state file {}, line {line}: {error}", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// It is of another match.
    #[error("state file {} is of another match: {what}; give the same arguments or another file", path.display())]
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// The first thing that differs.
        what: String,
    },
}

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    /// Version of the format.
    warcab_match: u32,
    #[serde(flatten)]
    identity: Identity,
}

/// The version of the format.
const VERSION: u32 = 1;

impl State {
    /// Opens a file, or makes a new one, and gives the games it holds.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or written, is no state file, or is one of another match.
    pub fn open(path: &Path, identity: &Identity) -> Result<(State, Vec<GameRecord>), StateError> {
        let failed = |error| StateError::Io {
            path: path.into(),
            error,
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        // Whatever follows the last line end was torn off in the middle of writing.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut state = State { file };
        let mut lines = text[..whole].lines().enumerate();
        let Some((_, first)) = lines.next() else {
            let header = Header {
                warcab_match: VERSION,
                identity: identity.clone(),
            };
            state.append(&header).map_err(failed)?;
            return Ok((state, Vec::new()));
        };
        let bad = |line: usize, error| StateError::BadLine {
            path: path.into(),
            line: line + 1,
            error,
        };
        let header: Header = serde_json::from_str(first).map_err(|error| bad(0, error))?;
        if let Some(what) = difference(&header, identity) {
            return Err(StateError::OtherMatch {
                path: path.into(),
                what,
            });
        }
        let games = lines
            .map(|(line, text)| serde_json::from_str(text).map_err(|error| bad(line, error)))
            .collect::<Result<_, _>>()?;
        Ok((state, games))
    }

    /// Adds a game, and returns when it is on the disk.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        self.append(record)
    }

    fn append(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.sync_data()
    }
}

/// The first thing in which a file's match differs from the one to be played.
fn difference(header: &Header, now: &Identity) -> Option<String> {
    let then = &header.identity;
    let differ = |name: &str, then: &str, now: &str| {
        (then != now).then(|| format!("its {name} is {then}, not {now}"))
    };
    if header.warcab_match != VERSION {
        return Some(format!(
            "its format is {}, not {VERSION}",
            header.warcab_match
        ));
    }
    differ("rule set", &then.variant, &now.variant)
        .or_else(|| differ("draw table", &then.draw_rules, &now.draw_rules))
        .or_else(|| differ("set of openings", &then.openings, &now.openings))
        .or_else(|| {
            let of = |identity: &Identity| identity.engines.len().to_string();
            differ("number of engines", &of(then), &of(now))
        })
        .or_else(|| {
            let mut pairs = then.engines.iter().zip(&now.engines);
            let (then, _) = pairs.find(|(then, now)| then != now)?;
            Some(format!(
                "its engine {} was described differently",
                then.name
            ))
        })
        .or_else(|| (then != now).then(|| "its tournament or adjudication differs".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::referee::Adjudication;
    use crate::arena::runner::Identity;
    use crate::arena::schedule::Tournament;

    fn identity(variant: &str) -> Identity {
        Identity {
            variant: variant.into(),
            draw_rules: "club".into(),
            engines: Vec::new(),
            tournament: Tournament::RoundRobin,
            adjudication: Adjudication::default(),
            openings: "0".into(),
        }
    }

    fn record(number: usize) -> GameRecord {
        let text = format!(
            r#"{{"number":{number},"engines":[0,1],"opening":0,"fen":null,"first":"white","book":[],"moves":[{{"text":"32-28","score":{{"cp":5}}}}],
            "result":"draw","termination":"rules","reason":"x","failed":null,"date":"2026.01.01"}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn games_come_back_and_a_torn_line_is_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state");
        let (mut state, games) = State::open(&path, &identity("a")).unwrap();
        assert!(games.is_empty());
        state.add(&record(1)).unwrap();
        state.add(&record(2)).unwrap();
        drop(state);
        let whole = std::fs::read(&path).unwrap();
        for cut in whole.len() - 50..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let (mut state, games) = State::open(&path, &identity("a")).unwrap();
            let kept = if cut == whole.len() { 2 } else { 1 };
            assert_eq!(games.len(), kept, "{cut}");
            state.add(&record(3)).unwrap();
            drop(state);
            let (_, games) = State::open(&path, &identity("a")).unwrap();
            assert_eq!(games.len(), kept + 1);
            assert_eq!(games[kept], record(3));
        }
    }

    #[test]
    fn another_match_and_another_file_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state");
        State::open(&path, &identity("a")).unwrap();
        let error = State::open(&path, &identity("b")).unwrap_err().to_string();
        assert!(error.contains("its rule set is a, not b"), "{error}");
        std::fs::write(&path, "hello\n").unwrap();
        let error = State::open(&path, &identity("a")).unwrap_err().to_string();
        assert!(error.contains("line 1"), "{error}");
    }
}
