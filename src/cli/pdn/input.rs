//! The files of games a command is given.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use encoding_rs::{Encoding, WINDOWS_1252};

use warcab::board::Variant;
use warcab::notation::pdn::{PlayedGame, Problem, RawGame, Reader, play};

use crate::cli::Trouble;
use crate::cli::progress::{Line, thousands};

/// The files of games.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Input {
    /// Files in PDN; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What text is that is not UTF-8, for instance windows-1251
    #[arg(long, value_name = "NAME", value_parser = read_encoding)]
    encoding: Option<&'static Encoding>,
}

/// What is found in a file.
pub(in crate::cli) enum Found<'a> {
    /// A game.
    Game(&'a PlayedGame),
    /// A problem after the last game.
    Problem(&'a Problem),
}

impl Input {
    /// These files, of the usual encodings.
    pub(in crate::cli) const fn of(files: Vec<PathBuf>) -> Self {
        let encoding = None;
        Self { files, encoding }
    }

    /// Whether a path is one of the files; a file that is being read cannot be written.
    pub(super) fn contains(&self, path: &Path) -> bool {
        let same = |other: &PathBuf| {
            let real = |path: &Path| path.canonicalize().ok();
            other == path || real(other).is_some() && real(other) == real(path)
        };
        self.files.iter().any(same)
    }

    /// Shows `visit` all games of all files, one after the other, each with the name of its file.
    pub(in crate::cli) fn each_game(
        &self,
        variant: Variant,
        mut visit: impl FnMut(&str, Found<'_>) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let mut line = Line::new();
        let mut games = 0;
        let sizes = self
            .files
            .iter()
            .map(|file| file.metadata().map_or(0, |m| m.len()));
        let whole: u64 = sizes.sum();
        let passed = Rc::new(Cell::new(0));
        let mut raw = RawGame::default();
        for path in &self.files {
            let name = path.display().to_string();
            let failed = |error: io::Error| anyhow::anyhow!("cannot read {name}: {error}");
            let input: Box<dyn Read> = if name == "-" {
                Box::new(io::stdin().lock())
            } else {
                Box::new(File::open(path).map_err(failed)?)
            };
            let input = Counting {
                input,
                passed: Rc::clone(&passed),
            };
            let mut reader = Reader::with_encoding(input, self.encoding.unwrap_or(WINDOWS_1252));
            while reader.read(&mut raw).map_err(failed)? {
                games += 1;
                visit(&name, Found::Game(&play(&raw, variant)))?;
                line.show(|| progress(games, passed.get(), whole));
            }
            for problem in &raw.problems {
                visit(&name, Found::Problem(problem))?;
            }
        }
        line.clear();
        Ok(())
    }
}

fn progress(games: u64, passed: u64, whole: u64) -> String {
    let games = thousands(games);
    let megabytes = passed >> 20;
    match (100 * passed).checked_div(whole) {
        Some(percent) if percent <= 100 => format!("{games} games, {megabytes} MiB, {percent} %"),
        _ => format!("{games} games, {megabytes} MiB"),
    }
}

/// An input that counts what is read of it.
struct Counting {
    input: Box<dyn Read>,
    passed: Rc<Cell<u64>>,
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.passed.set(self.passed.get() + count as u64);
        Ok(count)
    }
}

/// A problem with its place, for people and for editors: `file:line: game N: severity: text`.
pub(super) fn place(file: &str, game: Option<usize>, problem: &Problem) -> String {
    let game = game.map_or(String::new(), |number| format!("game {number}: "));
    let severity = problem.finding.severity().word();
    format!(
        "{file}:{}: {game}{severity}: {}",
        problem.line, problem.finding
    )
}

fn read_encoding(name: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(name.as_bytes())
        .filter(|encoding| encoding.is_ascii_compatible())
        .ok_or_else(|| {
            "expected an encoding that contains ASCII, such as windows-1251, iso-8859-2 or koi8-r"
                .to_owned()
        })
}
