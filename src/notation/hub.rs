//! Positions as the Hub protocol writes them: the side to move and one character a square.
//!
//! The squares follow in the order of their numbers: row by row from the top left as White sees the board, or, in a set
//! that numbers from the bottom, from its own square 1.

use thiserror::Error;

use super::{excerpt, squares};
use crate::board::geometry::{Geometry, Square, bit};
use crate::board::validate::{BoardError, validate};
use crate::board::{Board, Rules, Side};

/// Why a position is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum HubError {
    /// The first character is not a side.
    #[error("\"{0}\" does not begin with the side to move, W or B")]
    NoSide(String),
    /// A square's character is none of the five.
    #[error("'{letter}' on square {number} is not one of w, b, W, B and e")]
    BadLetter {
        /// The character.
        letter: char,
        /// The square's number, from 1.
        number: usize,
    },
    /// There are too few or too many squares.
    #[error("{given} squares follow the side to move: expected {expected}")]
    BadLength {
        /// How many there are.
        given: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A man stands where it would have been crowned.
    #[error("a man on square {0} stands on its own last row")]
    ManOnLastRow(usize),
    /// The placement is refused for another reason.
    #[error(transparent)]
    Board(BoardError),
}

/// Reads a position.
pub fn parse<R: Rules>(text: &str) -> Result<Board, HubError> {
    let mut letters = text.chars();
    let side = match letters.next() {
        Some('W' | 'w') => Side::White,
        Some('B' | 'b') => Side::Black,
        _ => return Err(HubError::NoSide(excerpt(text.chars()))),
    };
    let given = letters.clone().count();
    if given != R::Geo::SQUARES {
        let expected = R::Geo::SQUARES;
        return Err(HubError::BadLength { given, expected });
    }
    let mut board = Board {
        pieces: [0, 0],
        kings: 0,
        side,
    };
    for (number, letter) in (1..).zip(letters) {
        let square = squares::from_number::<R>(number).map_or(0, bit);
        let owner = match letter {
            'w' | 'W' => Side::White,
            'b' | 'B' => Side::Black,
            'e' => continue,
            _ => return Err(HubError::BadLetter { letter, number }),
        };
        board.pieces[owner] |= square;
        if letter.is_ascii_uppercase() {
            board.kings |= square;
        }
    }
    validate::<R>(&board).map_err(|error| match error {
        BoardError::ManOnLastRow(_, square) => HubError::ManOnLastRow(squares::number::<R>(square)),
        other => HubError::Board(other),
    })?;
    Ok(board)
}

/// Writes a position.
pub fn write<R: Rules>(board: &Board) -> String {
    let letter = |square: Square| {
        let king = board.kings & bit(square) != 0;
        match (
            board.pieces[Side::White] & bit(square) != 0,
            board.pieces[Side::Black] & bit(square) != 0,
        ) {
            (true, _) if king => 'W',
            (true, _) => 'w',
            (_, true) if king => 'B',
            (_, true) => 'b',
            _ => 'e',
        }
    };
    let side = match board.side {
        Side::White => 'W',
        Side::Black => 'B',
    };
    let squares = (1..=R::Geo::SQUARES).filter_map(squares::from_number::<R>);
    std::iter::once(side).chain(squares.map(letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::with_rules;

    #[test]
    fn start_positions_come_back() {
        for variant in Variant::ALL {
            with_rules!(variant, R => {
                let board = Board::start::<R>();
                let text = write::<R>(&board);
                assert_eq!(parse::<R>(&text), Ok(board), "{variant} {text}");
            });
        }
    }

    #[test]
    fn errors_name_the_place() {
        with_rules!(Variant::English, R => {
            let full = write::<R>(&Board::start::<R>());
            assert_eq!(
                parse::<R>("xyz"),
                Err(HubError::NoSide("xyz".into()))
            );
            assert_eq!(
                parse::<R>("Wbb"),
                Err(HubError::BadLength { given: 2, expected: 32 })
            );
            assert_eq!(
                parse::<R>(&full.replacen('b', "q", 1)),
                Err(HubError::BadLetter { letter: 'q', number: 1 })
            );
            let stray = format!("Ww{}", "e".repeat(31));
            assert_eq!(parse::<R>(&stray), Err(HubError::ManOnLastRow(1)));
        });
    }
}
