//! The file of the option `Debug Log File`: a copy of all lines that come in and go out.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::{Code, Failure, quote};

/// The log, shared by those who read and write; closed until it is opened.
#[derive(Debug, Default)]
pub struct Log(Mutex<Option<File>>);

impl Log {
    /// Goes on in the file at `path`, which is appended to; an empty path closes the log. On an error all stays as it was.
    pub fn open(&self, path: &str) -> Result<(), Failure> {
        let file = if path.is_empty() {
            None
        } else {
            let opened = OpenOptions::new().append(true).create(true).open(path);
            Some(opened.map_err(|error| {
                let what = format!("{} for option Debug Log File: {error}", quote(path));
                Failure::new(Code::LogFile, what)
            })?)
        };
        *self.file() = file;
        Ok(())
    }

    /// Notes a line that came in.
    pub fn input(&self, line: &str) {
        self.note("<<", line);
    }

    /// Notes a line that goes out.
    pub fn output(&self, line: &str) {
        self.note(">>", line);
    }

    fn note(&self, sign: &str, line: &str) {
        let mut file = self.file();
        let written = file
            .as_mut()
            .map(|file| file.write_all(format!("{sign} {line}\n").as_bytes()));
        // A log that cannot be written must not end a game: it is closed.
        if let Some(Err(_)) = written {
            *file = None;
        }
    }

    fn file(&self) -> MutexGuard<'_, Option<File>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
