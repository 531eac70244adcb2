//! The file of a suite: one opening a line, `FEN | moves | score`, and comments on lines that begin with `#`.
//!
//! The moves, blanks between them, lead to the position from the start of the game; they may be missing, for a position
//! that stands by itself. The score is a whole number, hundredths of a man from White's view. Squares are the set's own.
//! Reading checks all of it: a line that cannot be played, or leads elsewhere, is an error.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Opening;
use crate::board::{Board, Rules, Variant};
use crate::notation::{FenError, MoveError, Squares, Style, Suffixes, fen, moves};
use crate::search::score::EVAL_LIMIT;
use crate::with_rules;

/// What is wrong with a line.
#[derive(Debug, Error)]
pub enum LineError {
    /// It has not three fields.
    #[error("expected \"FEN | moves | score\", found {0} fields")]
    Fields(usize),
    /// The first field is no position of the set.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move cannot be played.
    #[error("move {number}: {error}")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// The moves lead to another position.
    #[error("the moves lead to {reached}, expected the FEN of the line")]
    Elsewhere {
        /// The position they lead to.
        reached: String,
    },
    /// The third field is no score.
    #[error(
        "the score is \"{0}\", expected a whole number of hundredths of a man, White's view, within ±{EVAL_LIMIT}"
    )]
    Score(String),
}

/// Why a file of openings cannot be read.
#[derive(Debug, Error)]
pub enum FileError {
    /// It cannot be opened or is not text.
    #[error("cannot read {}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A line is bad.
    #[error("{}:{line}: {error}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: LineError,
    },
}

/// Reads a file of openings.
///
/// # Errors
///
/// A file that cannot be read and the first bad line, both with the place.
pub fn read(variant: Variant, path: &Path) -> Result<Vec<Opening>, FileError> {
    let text = std::fs::read_to_string(path).map_err(|error| FileError::Io {
        path: path.to_owned(),
        error,
    })?;
    parse(variant, &text).map_err(|(line, error)| FileError::Line {
        path: path.to_owned(),
        line,
        error,
    })
}

/// Reads the text of such a file.
///
/// # Errors
///
/// The first bad line with its number, from 1.
pub fn parse(variant: Variant, text: &str) -> Result<Vec<Opening>, (usize, LineError)> {
    (1..)
        .zip(text.lines())
        .map(|(number, line)| (number, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            with_rules!(variant, R => opening::<R>(line)).map_err(|error| (number, error))
        })
        .collect()
}

fn opening<R: Rules>(line: &str) -> Result<Opening, LineError> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[position, texts, score] = fields.as_slice() else {
        return Err(LineError::Fields(fields.len()));
    };
    let board = fen::parse::<R>(position)?.board;
    let mut reached = Board::start::<R>();
    let mut played = Vec::new();
    for (number, text) in (1..).zip(texts.split_whitespace()) {
        let mv =
            moves::parse::<R>(&reached, text).map_err(|error| LineError::Move { number, error })?;
        reached = reached.after(&mv);
        played.push(mv);
    }
    if !played.is_empty() && reached != board {
        return Err(LineError::Elsewhere {
            reached: write_fen::<R>(&reached),
        });
    }
    match score.parse() {
        Ok(score) if (-EVAL_LIMIT..=EVAL_LIMIT).contains(&score) => Ok(Opening {
            board,
            line: played,
            score,
        }),
        _ => Err(LineError::Score(score.chars().take(20).collect())),
    }
}

fn write_fen<R: Rules>(board: &Board) -> String {
    fen::write::<R>(board, Squares::Native, Suffixes::default())
}

/// Writes a file of openings with the lines of `comment` before them. It appears whole or not at all: until it is finished
/// it has another name, with `.part` at its end.
///
/// # Errors
///
/// What the system says; the unfinished file is removed.
pub fn write(variant: Variant, path: &Path, comment: &str, openings: &[Opening]) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let written =
        write_part(variant, &part, comment, openings).and_then(|()| std::fs::rename(&part, path));
    if written.is_err() {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(&part);
    }
    written
}

fn write_part(
    variant: Variant,
    part: &Path,
    comment: &str,
    openings: &[Opening],
) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(part)?);
    for line in comment.lines() {
        writeln!(out, "{}", format!("# {line}").trim_end())?;
    }
    for opening in openings {
        let line = with_rules!(variant, R => text::<R>(opening));
        writeln!(out, "{line}")?;
    }
    out.into_inner()?.sync_all()
}

fn text<R: Rules>(opening: &Opening) -> String {
    let position = write_fen::<R>(&opening.board);
    let start = Board::start::<R>();
    let moves = moves::write_line::<R>(&start, &opening.line, Style::default()).join(" ");
    format!("{position} | {moves} | {}", opening.score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::movegen::legal_moves;

    fn error(line: &str) -> String {
        let text = format!("# a comment\n\n{line}\n");
        let (number, error) = parse(Variant::International, &text).unwrap_err();
        assert_eq!(number, 3);
        error.to_string()
    }

    fn sample(variant: Variant) -> Vec<Opening> {
        with_rules!(variant, R => {
            let start = Board::start::<R>();
            let mut openings = Vec::new();
            for mv in legal_moves::<R>(&start) {
                let board = start.after(&mv);
                openings.push(Opening { board, line: vec![mv], score: -7 });
            }
            openings
        })
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        for variant in Variant::ALL {
            let path = folder.path().join(variant.name());
            let openings = sample(variant);
            write(variant, &path, "first\n\nthird", &openings).unwrap();
            assert_eq!(read(variant, &path).unwrap(), openings);
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.starts_with("# first\n#\n# third\n"), "{text}");
        }
        // Nothing unfinished is left.
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, Variant::ALL.len());
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        std::fs::create_dir_all(path.join("inside")).unwrap();
        let variant = Variant::default();
        assert!(write(variant, &path, "", &sample(variant)).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_position_may_stand_by_itself() {
        let openings = parse(Variant::International, "W:W50:B1 | | 0").unwrap();
        assert!(openings[0].line.is_empty());
    }

    #[test]
    fn bad_lines_are_told_with_the_reason() {
        assert!(error("W:W50:B1 | 0").contains("found 2 fields"));
        assert!(error("W:W51:B1 | | 0").contains("square 51"));
        assert!(error("W:W50:B1 | | much").contains("\"much\""));
        assert!(error("W:W50:B1 | | 99999").contains("\"99999\""));
        assert!(error("W:W50:B1 | 32-28 19-23 28x20 | 0").starts_with("move 3: \"28x20\""));
        assert!(error("W:W50:B1 | 32-28 | 0").contains("lead to B:W28,31,33"));
    }

    #[test]
    fn errors_of_a_file_name_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("suite.txt");
        let missing = read(Variant::default(), &path).unwrap_err();
        assert!(missing.to_string().contains("suite.txt"));
        std::fs::write(&path, "# nothing\nhello\n").unwrap();
        let bad = read(Variant::default(), &path).unwrap_err();
        assert!(bad.to_string().contains("suite.txt:2: "), "{bad}");
    }
}
