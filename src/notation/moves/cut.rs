//! Cutting a move's text into squares.

use smallvec::SmallVec;

use super::MoveError;
use crate::board::variant::SquareStyle;
use crate::board::{Rules, Square};
use crate::notation::squares::{self, SquareError};
use crate::notation::{excerpt, is_dash};

/// More squares than any move needs.
const MOST_SQUARES: usize = 130;

/// The squares of a move's text, two at least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::notation) struct Cut {
    pub(in crate::notation) squares: SmallVec<[Square; 8]>,
    /// Algebraic if any of them is.
    pub(in crate::notation) style: SquareStyle,
}

/// Whether a character stands between squares.
pub(in crate::notation) fn is_separator(c: char) -> bool {
    is_dash(c) || c.is_whitespace() || matches!(c, 'x' | 'X' | ':' | '×' | '✕')
}

/// Cuts a text into squares.
pub(in crate::notation) fn cut<R: Rules>(text: &str) -> Result<Cut, MoveError> {
    if let Some(cut) = cut_plain::<R>(text.as_bytes()) {
        return Ok(cut);
    }
    let trimmed = text.trim();
    let names: Vec<&str> = trimmed
        .split(is_separator)
        .filter(|name| !name.is_empty())
        .flat_map(|name| names_in(name, name.len() == trimmed.len()))
        .take(MOST_SQUARES + 1)
        .collect();
    if trimmed.is_empty() {
        return Err(unreadable(text, "it is empty".into()));
    }
    if trimmed.starts_with(is_separator) || trimmed.ends_with(is_separator) {
        return Err(unreadable(
            text,
            "expected a square at both ends of it".into(),
        ));
    }
    if names.len() > MOST_SQUARES {
        return Err(unreadable(text, "it has more squares than any move".into()));
    }
    let mut style = SquareStyle::Numeric;
    let mut list = SmallVec::new();
    for name in names {
        let (square, its_style) = squares::read::<R>(name).map_err(|error| {
            let found = excerpt(name.chars());
            let accepted = squares::accepted::<R>();
            unreadable(
                text,
                match error {
                    SquareError::Form => {
                        format!("\"{found}\" is not a square, expected {accepted}")
                    }
                    SquareError::Outside => {
                        format!("square {found} is outside the board, expected {accepted}")
                    }
                },
            )
        })?;
        if its_style == SquareStyle::Algebraic {
            style = its_style;
        }
        list.push(square);
    }
    if list.len() < 2 {
        return Err(unreadable(text, "expected at least two squares".into()));
    }
    Ok(Cut {
        squares: list,
        style,
    })
}

/// Cuts a text as nearly all are written: numbers, or letters with ranks, of one or two digits, and one plain sign between
/// them. `None` for any other.
fn cut_plain<R: Rules>(text: &[u8]) -> Option<Cut> {
    let mut squares: SmallVec<[Square; 8]> = SmallVec::new();
    let first = text.first()?;
    let style = if first.is_ascii_digit() {
        SquareStyle::Numeric
    } else {
        SquareStyle::Algebraic
    };
    let mut rest = text;
    loop {
        let mut file = 0;
        if style == SquareStyle::Algebraic {
            let (letter @ b'a'..=b'z', tail) = rest.split_first()? else {
                return None;
            };
            file = usize::from(letter - b'a');
            rest = tail;
        }
        let (digit @ b'0'..=b'9', tail) = rest.split_first()? else {
            return None;
        };
        let mut number = usize::from(digit - b'0');
        rest = tail;
        if let Some((digit @ b'0'..=b'9', tail)) = rest.split_first() {
            number = 10 * number + usize::from(digit - b'0');
            rest = tail;
        }
        squares.push(match style {
            SquareStyle::Numeric => squares::from_number::<R>(number)?,
            SquareStyle::Algebraic => squares::from_file_and_rank::<R>(file, number)?,
        });
        match rest.split_first() {
            None => break,
            Some((b'-' | b'x' | b':', tail)) if squares.len() < MOST_SQUARES => rest = tail,
            Some(_) => return None,
        }
    }
    (squares.len() > 1).then_some(Cut { squares, style })
}

/// The names in a text without separators: a letter begins a name, and digits that are the whole text go in pairs.
fn names_in(text: &str, whole: bool) -> Vec<&str> {
    let pairs = whole
        && text.len() >= 4
        && text.len().is_multiple_of(2)
        && text.bytes().all(|b| b.is_ascii_digit());
    let mut names = Vec::new();
    let (mut start, mut last) = (0, ' ');
    for (index, c) in text.char_indices() {
        let begins = if pairs {
            index % 2 == 0
        } else {
            c.is_ascii_alphabetic() && last.is_ascii_digit()
        };
        if begins && index > start {
            names.extend(text.get(start..index));
            start = index;
        }
        last = c;
    }
    names.extend(text.get(start..));
    names
}

fn unreadable(text: &str, reason: String) -> MoveError {
    MoveError::Unreadable {
        text: excerpt(text.trim().chars()),
        reason,
    }
}
