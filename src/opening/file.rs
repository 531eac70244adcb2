//! A suite as text: one opening a line, `FEN | moves | score`, and comments on lines that begin with `#`.
//!
//! The moves, blanks between them, lead to the position from the start of the game; without any the position stands by
//! itself. The score is a whole number, hundredths of a man from White's view. Fields may be missing from the right.
//! Reading checks all of it: a line that cannot be played, or leads elsewhere, is an error.

use std::io;
use std::path::Path;

use thiserror::Error;

use super::Opening;
use crate::board::{Board, Move, Rules, Variant};
use crate::notation::{FenError, MoveError, Squares, Style, Suffixes, fen, moves};
use crate::search::Value;
use crate::search::score::EVAL_LIMIT;
use crate::{part, with_rules};

/// What is wrong with a line.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LineError {
    /// It has more than three fields.
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
    #[error("its moves lead to {reached}, not to the position it gives")]
    Elsewhere {
        /// The position they lead to.
        reached: String,
    },
    /// The third field is no score.
    #[error(
        "the score is \"{0}\", expected hundredths of a man from -{EVAL_LIMIT} to {EVAL_LIMIT}"
    )]
    Score(String),
}

/// A bad line and its place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {error}")]
pub struct BadLine {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: LineError,
}

/// Reads openings, each with the number of its line, from 1.
///
/// # Errors
///
/// The first bad line.
pub fn parse<R: Rules>(text: &str) -> Result<Vec<(usize, Opening)>, BadLine> {
    (1..)
        .zip(text.lines().map(str::trim))
        .filter(|(_, content)| !content.is_empty() && !content.starts_with('#'))
        .map(|(line, content)| match read_line::<R>(content) {
            Ok(opening) => Ok((line, opening)),
            Err(error) => Err(BadLine { line, error }),
        })
        .collect()
}

fn read_line<R: Rules>(content: &str) -> Result<Opening, LineError> {
    let mut fields = content.split('|').map(str::trim);
    let mut field = || fields.next().unwrap_or_default();
    let (position, texts, score) = (field(), field(), field());
    let more = fields.count();
    if more > 0 {
        return Err(LineError::Fields(3 + more));
    }
    let setup = fen::parse::<R>(position)?;
    let (line, reached) = play::<R>(texts)?;
    if !line.is_empty() && reached != setup.board {
        return Err(LineError::Elsewhere {
            reached: write_fen::<R>(&reached, Suffixes::default()),
        });
    }
    Ok(Opening {
        setup,
        line,
        score: read_score(score)?,
    })
}

/// The moves of a text and the position they lead to from the start of the game.
fn play<R: Rules>(texts: &str) -> Result<(Vec<Move>, Board), LineError> {
    let (mut line, mut board) = (Vec::new(), Board::start::<R>());
    for (number, text) in (1..).zip(texts.split_whitespace()) {
        let read = moves::parse::<R>(&board, text);
        let mv = read.map_err(|error| LineError::Move { number, error })?;
        board = board.after(&mv);
        line.push(mv);
    }
    Ok((line, board))
}

fn read_score(text: &str) -> Result<Option<Value>, LineError> {
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse() {
        Ok(score) if (-EVAL_LIMIT..=EVAL_LIMIT).contains(&score) => Ok(Some(score)),
        _ => Err(LineError::Score(text.chars().take(20).collect())),
    }
}

fn write_fen<R: Rules>(board: &Board, suffixes: Suffixes) -> String {
    fen::write::<R>(board, Squares::Native, suffixes)
}

/// Writes a file of openings with the lines of `comment` before them. It appears whole or not at all.
///
/// # Errors
///
/// What the system says.
pub fn write(variant: Variant, path: &Path, comment: &str, openings: &[Opening]) -> io::Result<()> {
    let mut content = String::new();
    for line in comment.lines() {
        content += format!("# {line}").trim_end();
        content.push('\n');
    }
    for opening in openings {
        content += &with_rules!(variant, R => text::<R>(opening));
        content.push('\n');
    }
    part::write(path, content.as_bytes())
}

fn text<R: Rules>(opening: &Opening) -> String {
    let position = write_fen::<R>(&opening.setup.board, opening.setup.suffixes);
    let start = Board::start::<R>();
    let moves = moves::write_line::<R>(&start, &opening.line, Style::default()).join(" ");
    let score = opening
        .score
        .map_or(String::new(), |score| score.to_string());
    format!("{position} | {moves} | {score}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::movegen::legal_moves;
    use crate::board::rules::International;
    use crate::notation::Setup;

    fn read<R: Rules>(text: &str) -> Vec<Opening> {
        let openings = parse::<R>(text).unwrap();
        openings.into_iter().map(|(_, opening)| opening).collect()
    }

    fn sample<R: Rules>() -> Vec<Opening> {
        let start = Board::start::<R>();
        let opening = |mv| Opening {
            setup: Setup {
                board: start.after(&mv),
                suffixes: Suffixes::default(),
            },
            line: vec![mv],
            score: Some(-7),
        };
        legal_moves::<R>(&start).into_iter().map(opening).collect()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        for variant in Variant::ALL {
            let path = folder.path().join(variant.name());
            let text = with_rules!(variant, R => {
                let openings = sample::<R>();
                write(variant, &path, "first\n\nthird", &openings).unwrap();
                let text = std::fs::read_to_string(&path).unwrap();
                assert_eq!(read::<R>(&text), openings);
                text
            });
            assert!(text.starts_with("# first\n#\n# third\n"), "{text}");
        }
        // Nothing unfinished is left.
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, Variant::ALL.len());
    }

    #[test]
    fn fields_may_be_missing_from_the_right() {
        for text in ["W:W50:B1:H3", "W:W50:B1:H3 |", "W:W50:B1:H3 | | "] {
            let openings = read::<International>(text);
            assert_eq!((openings[0].line.len(), openings[0].score), (0, None));
            assert_eq!(openings[0].setup.suffixes.half_moves, Some(3));
        }
        assert_eq!(read::<International>("W:W50:B1 | | 0")[0].score, Some(0));
    }

    #[test]
    fn bad_lines_are_told_with_place_and_reason() {
        for (content, reason) in [
            ("W:W50:B1 | | 0 | 1", "found 4 fields"),
            ("W:W51:B1 | | 0", "square 51"),
            ("W:W50:B1 | | much", "\"much\""),
            ("W:W50:B1 | | 99999", "\"99999\""),
            (
                "W:W50:B1 | 32-28 19-23 28x20 | 0",
                "line 3: move 3: \"28x20\"",
            ),
            ("W:W50:B1 | 32-28 | 0", "lead to B:W28,31,33"),
        ] {
            let text = format!("# a comment\n\n{content}\n");
            let error = parse::<International>(&text).unwrap_err();
            assert_eq!(error.line, 3);
            assert!(error.to_string().contains(reason), "{error}");
        }
    }
}
