//! Two ways to number the squares of 8x8 boards, since Hub itself speaks of 10x10 only.

use serde::{Deserialize, Serialize};

use super::{HubError, parse, write};
use crate::board::variant::SquareStyle;
use crate::board::{Board, Geometry, Move, Rules, Side};
use crate::notation::{Notation, Squares, Style, moves};

/// How Hub numbers the squares of an 8x8 board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Numbering {
    /// Boards and moves in the numbers PDN gives the set.
    #[default]
    Pdn,
    /// As the Python library of that name: boards as White to start on the high numbers, moves in numbers of its own.
    Pydraughts,
}

impl Numbering {
    /// All choices with their names.
    pub const ALL: [(Numbering, &'static str); 2] = [
        (Numbering::Pdn, "pdn"),
        (Numbering::Pydraughts, "pydraughts"),
    ];

    /// The choice of a name; case does not matter.
    pub fn from_name(name: &str) -> Option<Numbering> {
        let found = Numbering::ALL
            .iter()
            .find(|(_, n)| n.eq_ignore_ascii_case(name));
        found.map(|(numbering, _)| *numbering)
    }
}

/// A numbering in one rule set: the conversion between its texts and ours. The default converts nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Convention {
    /// Boards are seen by the side that moves second, with exchanged colours.
    turned: bool,
    /// Rows of move numbers run upwards, of `width` squares each, on a board of `squares`.
    upwards: Option<(usize, usize)>,
}

impl Convention {
    /// The numbering's conversion in a rule set.
    pub fn of<R: Rules>(numbering: Numbering) -> Self {
        let foreign = numbering == Numbering::Pydraughts && R::Geo::ROWS == 8;
        let letters = R::VARIANT.labels().squares == SquareStyle::Algebraic;
        Convention {
            turned: foreign && R::FIRST_MOVER == Side::Black,
            upwards: (foreign && letters).then_some((R::Geo::WIDTH, R::Geo::SQUARES)),
        }
    }

    /// Whether boards are given from the other side.
    pub const fn is_turned(self) -> bool {
        self.turned
    }

    /// Whether moves have other numbers.
    pub const fn is_renumbered(self) -> bool {
        self.upwards.is_some()
    }

    /// Reads a board.
    ///
    /// # Errors
    ///
    /// Those of [`parse`].
    pub fn read_board<R: Rules>(self, text: &str) -> Result<Board, HubError> {
        let board = parse::<R>(text)?;
        Ok(if self.turned {
            board.flipped::<R::Geo>()
        } else {
            board
        })
    }

    /// Writes a board.
    pub fn write_board<R: Rules>(self, board: &Board) -> String {
        if self.turned {
            write::<R>(&board.flipped::<R::Geo>())
        } else {
            write::<R>(board)
        }
    }

    /// A square's number turned into the other side's; its own inverse.
    fn number(self, number: usize) -> usize {
        match self.upwards {
            Some((width, squares)) if (1..=squares).contains(&number) => {
                let (row, place) = ((number - 1) / width, (number - 1) % width);
                (squares / width - 1 - row) * width + place + 1
            }
            _ => number,
        }
    }

    /// A move's text turned into the other side's; one with letters means the same to both.
    pub fn text(self, text: &str) -> String {
        let is_letter = |c: char| c.is_alphabetic() && !c.eq_ignore_ascii_case(&'x');
        if self.upwards.is_none() || text.contains(is_letter) {
            return text.into();
        }
        let mut out = String::new();
        let mut digits = String::new();
        for c in text.chars().chain(['\0']) {
            if c.is_ascii_digit() {
                digits.push(c);
                continue;
            }
            match digits.parse() {
                Ok(number) => out += &self.number(number).to_string(),
                Err(_) => out += &digits,
            }
            digits.clear();
            out.push(c);
        }
        out.pop();
        out
    }

    /// Writes a move.
    pub fn write_move<R: Rules>(self, board: &Board, mv: &Move) -> String {
        let style = Style {
            notation: Notation::Hub,
            squares: Squares::Numeric,
        };
        self.text(&moves::write::<R>(board, mv, style))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::rules::{English, International, Italian, Russian, Turkish};

    fn pydraughts<R: Rules>() -> Convention {
        Convention::of::<R>(Numbering::Pydraughts)
    }

    #[test]
    fn pydraughts_numbers_squares_its_own_way() {
        // a1 = 1, c1 = 2, a3 = 9 for sets that write letters; rows of eight in the set that uses all squares.
        for (ours, theirs) in [(29, 1), (30, 2), (21, 9), (4, 32)] {
            assert_eq!(pydraughts::<Russian>().number(ours), theirs);
            assert_eq!(pydraughts::<Russian>().number(theirs), ours);
        }
        assert_eq!(pydraughts::<Turkish>().number(41), 17);
        assert_eq!(pydraughts::<Russian>().text("22x15x18"), "10x19x14");
        for text in ["22-18", "1x12x7"] {
            assert_eq!(pydraughts::<English>().text(text), text);
            assert_eq!(pydraughts::<Italian>().text(text), text);
        }
        // Its board has White to start, on the high numbers, whoever starts.
        let start = pydraughts::<English>().write_board::<English>(&Board::start::<English>());
        let expected = format!("W{}{}{}", "b".repeat(12), "e".repeat(8), "w".repeat(12));
        assert_eq!(start, expected);
        let own = Convention::of::<English>(Numbering::Pdn);
        assert!(
            own.write_board::<English>(&Board::start::<English>())
                .starts_with('B')
        );
        let large = pydraughts::<International>();
        assert_eq!(large.text("32-28"), "32-28");
    }

    #[test]
    fn moves_in_letters_need_no_numbers() {
        assert_eq!(pydraughts::<Russian>().text("c3-d4"), "c3-d4");
    }

    #[test]
    fn boards_read_back() {
        let board = Board::start::<English>();
        let text = pydraughts::<English>().write_board::<English>(&board);
        assert_eq!(
            pydraughts::<English>().read_board::<English>(&text),
            Ok(board)
        );
    }
}
