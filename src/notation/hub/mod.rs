//! Hub's boards: the side to move and one letter a square, in the order of the set's numbers.
//!
//! `W` or `B` is to move; then `w` and `b` are men, `W` and `B` kings, `e` empty squares: 51 characters on 10x10, 33 on the
//! dark squares of 8x8, 65 on all of 8x8.
//!
//! [`mod@line`] reads Hub's lines, [`Convention`] the boards and moves of those who number the squares of 8x8 boards their own way.

pub mod line;
mod numbering;

pub use numbering::{Convention, Numbering};

use thiserror::Error;

use super::squares;
use super::{diagram, excerpt};
use crate::board::geometry::bit;
use crate::board::validate::{BoardError, validate};
use crate::board::{Board, Geometry, Rules, Side};

/// Why a text is not a board.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum HubError {
    /// It has the wrong number of letters.
    #[error(
        "the board has {found} letters, expected {expected}: the side to move and one for each square"
    )]
    Length {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// The side to move is neither `W` nor `B`.
    #[error("the board starts with \"{found}\", expected W or B, the side to move")]
    Side {
        /// What stands there.
        found: char,
    },
    /// A letter means nothing.
    #[error("\"{found}\" on square {number} of the board is unknown, expected one of w W b B e")]
    Letter {
        /// The letter.
        found: String,
        /// The square's number.
        number: usize,
    },
    /// A man stands where it would have been crowned.
    #[error("the man on square {number} of the board stands on its own last row")]
    ManOnLastRow {
        /// The square's number.
        number: usize,
    },
    /// The pieces make no board.
    #[error("the board is refused: {0}")]
    Board(BoardError),
}

/// Reads a board.
///
/// # Errors
///
/// A wrong number of letters, an unknown letter, a man on its own last row.
pub fn parse<R: Rules>(text: &str) -> Result<Board, HubError> {
    let text = text.trim();
    let expected = R::Geo::SQUARES + 1;
    let found = text.chars().count();
    let mut letters = text.chars();
    let first = letters.next().filter(|_| found == expected);
    let side = match first.ok_or(HubError::Length { found, expected })? {
        'W' => Side::White,
        'B' => Side::Black,
        found => return Err(HubError::Side { found }),
    };
    let mut board = Board {
        pieces: [0, 0],
        kings: 0,
        side,
    };
    for (number, letter) in (1..).zip(letters) {
        let square = squares::from_number::<R>(number).map_or(0, bit);
        let [white, black] = &mut board.pieces;
        match letter {
            'w' | 'W' => *white |= square,
            'b' | 'B' => *black |= square,
            'e' => {}
            _ => {
                let found = excerpt([letter]);
                return Err(HubError::Letter { found, number });
            }
        }
        if letter.is_ascii_uppercase() {
            board.kings |= square;
        }
    }
    validate::<R>(&board).map_err(|error| match error {
        BoardError::ManOnLastRow(_, square) => HubError::ManOnLastRow {
            number: squares::number::<R>(square),
        },
        other => HubError::Board(other),
    })?;
    Ok(board)
}

/// Writes a board.
pub fn write<R: Rules>(board: &Board) -> String {
    let side = match board.side {
        Side::White => 'W',
        Side::Black => 'B',
    };
    let letters = (1..=R::Geo::SQUARES)
        .filter_map(squares::from_number::<R>)
        .map(|square| match diagram::letter(board, square) {
            '.' => 'e',
            letter => letter,
        });
    std::iter::once(side).chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::board::rules::{International, Italian, Spanish};
    use crate::notation::fen;
    use crate::with_rules;

    #[test]
    fn boards_read_back() {
        for variant in Variant::ALL {
            with_rules!(variant, R => {
                let start = Board::start::<R>();
                let text = write::<R>(&start);
                assert_eq!(text.len(), <R as Rules>::Geo::SQUARES + 1);
                assert_eq!(parse::<R>(&text), Ok(start), "{variant} {text}");
            });
        }
        let board = fen::parse::<International>("W:WK1,K5:Bb4,KA1")
            .unwrap()
            .board;
        let text = write::<International>(&board);
        assert_eq!(
            text,
            format!(
                "WW{}W{}b{}B{}",
                "e".repeat(3),
                "e".repeat(25),
                "e".repeat(14),
                "e".repeat(4)
            )
        );
    }

    #[test]
    fn squares_run_as_the_numbers_of_the_set() {
        let italian = fen::parse::<Italian>("W:W32:B1").unwrap().board;
        assert_eq!(write::<Italian>(&italian), format!("Wb{}w", "e".repeat(30)));
        let spanish = fen::parse::<Spanish>("B:W1:B32").unwrap().board;
        assert_eq!(write::<Spanish>(&spanish), format!("Bw{}b", "e".repeat(30)));
    }

    #[test]
    fn refusals_name_value_place_and_what_was_expected() {
        let e = |n| "e".repeat(n);
        for (text, words) in [
            (String::new(), "0 letters, expected 51"),
            ("Wxx".into(), "3 letters, expected 51"),
            (format!("X{}", e(50)), "\"X\", expected W or B"),
            (format!("W{}x{}", e(9), e(40)), "\"x\" on square 10"),
            (format!("W{}é{}", e(9), e(40)), "\"é\" on square 10"),
            (
                format!("Wew{}", e(48)),
                "square 2 of the board stands on its own last row",
            ),
        ] {
            let sentence = parse::<International>(&text).unwrap_err().to_string();
            assert!(sentence.contains(words), "{text}: {sentence}");
        }
    }
}
