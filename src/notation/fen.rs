//! FEN: `W:W31-50:B1-20`, a side to move and the squares of each side.
//!
//! Read: the sections in either order, `K` before a king, numbers or letters, ranges of numbers (`K31-33` are all kings),
//! either case, blanks anywhere, an empty section, the counters `:H<n>` and `:F<n>`, a final dot. Written: the set's own
//! squares (or a chosen style) in order, no ranges, no blanks, no dot, and the counters only if they were given.

use thiserror::Error;

use super::squares::{self, SquareError, Squares};
use super::{excerpt, is_dash};
use crate::board::geometry::{self, bit};
use crate::board::validate::{BoardError, validate};
use crate::board::variant::SquareStyle;
use crate::board::{Bits, Board, Rules, Side, Square};

/// The counters that may follow a FEN; they are printed again only if they were given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Suffixes {
    /// `:H<n>`: plies without progress.
    pub half_moves: Option<u16>,
    /// `:F<n>`: number of the move to be played, which grows by one after a move of the side that moves second.
    pub full_move: Option<u32>,
}

impl Suffixes {
    /// The counters after `plies` plies of a game that began with these and with `first` to move, `half_moves` of them now
    /// without progress. What was not given stays so.
    #[must_use]
    pub fn after<R: Rules>(self, first: Side, plies: usize, half_moves: u16) -> Suffixes {
        let begun = plies + usize::from(first != R::FIRST_MOVER);
        let full_moves = u32::try_from(begun / 2).unwrap_or(u32::MAX);
        Suffixes {
            half_moves: self.half_moves.map(|_| half_moves),
            full_move: self.full_move.map(|n| n.saturating_add(full_moves)),
        }
    }
}

/// What a FEN says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Pieces and side to move.
    pub board: Board,
    /// The counters, if given.
    pub suffixes: Suffixes,
}

impl Setup {
    /// The start of a game of a set.
    pub fn start<R: Rules>() -> Setup {
        Setup {
            board: Board::start::<R>(),
            suffixes: Suffixes::default(),
        }
    }
}

/// Why a FEN is refused. Columns count the characters of the text as it was given, from 1.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FenError {
    /// There is nothing to read.
    #[error("the FEN is empty, expected something like W:W31-50:B1-20")]
    Empty,
    /// The first section is not a colour.
    #[error("the FEN has no side to move: it starts with \"{found}\", expected W or B and a colon")]
    NoSideToMove {
        /// What stands there.
        found: String,
    },
    /// A section begins with a letter that means nothing.
    #[error(
        "section \"{found}\" at column {column} of the FEN is unknown, expected one that starts with W, B, H or F"
    )]
    UnknownSection {
        /// The section.
        found: String,
        /// Where it begins.
        column: usize,
    },
    /// A section is there twice.
    #[error("section {letter} stands twice in the FEN, again at column {column}")]
    RepeatedSection {
        /// Its letter.
        letter: char,
        /// Where it begins again.
        column: usize,
    },
    /// A colour has no section.
    #[error(
        "the FEN has no section {letter}, expected :{letter} and its squares, or :{letter} alone for no pieces"
    )]
    MissingSection {
        /// The colour's letter.
        letter: char,
    },
    /// Something in a section is not a square or a range.
    #[error(
        "\"{found}\" at column {column} of the FEN is not a square, expected {accepted}, with K before it for a king"
    )]
    NotASquare {
        /// What stands there.
        found: String,
        /// Where.
        column: usize,
        /// The names that are squares.
        accepted: String,
    },
    /// A square that the board does not have.
    #[error(
        "square {found} at column {column} of the FEN is outside the board, expected {accepted}"
    )]
    OutsideBoard {
        /// The name.
        found: String,
        /// Where.
        column: usize,
        /// The names that are squares.
        accepted: String,
    },
    /// A range that does not run upwards between two numbers.
    #[error(
        "\"{found}\" at column {column} of the FEN is not a range, expected two numbers, the lower one first, as in 31-50"
    )]
    BadRange {
        /// The range.
        found: String,
        /// Where.
        column: usize,
    },
    /// A square is named a second time.
    #[error("square {square} stands twice in the FEN, again at column {column}")]
    Twice {
        /// The square.
        square: String,
        /// Where it is named again.
        column: usize,
    },
    /// A man stands where it would have been crowned.
    #[error(
        "{square} in section {letter} of the FEN is a man on its own last row, expected a king (K{square}) there"
    )]
    ManOnLastRow {
        /// The square.
        square: String,
        /// The colour's letter.
        letter: char,
    },
    /// A counter is not a number of its range.
    #[error(
        "counter \"{found}\" at column {column} of the FEN is not {letter} and a number from 0 to {most}"
    )]
    BadCounter {
        /// The section.
        found: String,
        /// Where it begins.
        column: usize,
        /// Its letter.
        letter: char,
        /// The largest number it can hold.
        most: u32,
    },
    /// The pieces make no board.
    #[error("the FEN is refused: {0}")]
    Board(BoardError),
}

/// The letter of a side.
const fn side_letter(side: Side) -> char {
    match side {
        Side::White => 'W',
        Side::Black => 'B',
    }
}

fn side_of(letter: char) -> Option<Side> {
    Side::ALL
        .into_iter()
        .find(|&side| side_letter(side) == letter.to_ascii_uppercase())
}

/// A character with its column.
type Placed = (usize, char);

fn string(chars: &[Placed]) -> String {
    excerpt(chars.iter().map(|&(_, c)| c))
}

fn column(chars: &[Placed]) -> usize {
    chars.first().map_or(0, |&(column, _)| column)
}

/// The column of a part of a list; of an empty one, that of the separator that should have come after it.
fn start(part: &[Placed], after_last: &mut usize) -> usize {
    let column = part.first().map_or(*after_last, |&(column, _)| column);
    *after_last = part.last().map_or(*after_last, |&(column, _)| column) + 1;
    column
}

/// Reads a FEN.
///
/// # Errors
///
/// Whatever is not as the module's header says, a square outside the board or named twice, a man on its own last row. Any
/// number of pieces is accepted, and a side without any.
pub fn parse<R: Rules>(text: &str) -> Result<Setup, FenError> {
    let mut chars: Vec<Placed> = (1..)
        .zip(text.chars())
        .filter(|(_, c)| !c.is_whitespace())
        .collect();
    if chars.last().is_some_and(|&(_, c)| c == '.') {
        chars.pop();
    }
    let mut sections = chars.split(|&(_, c)| c == ':');
    let side = match sections.next() {
        None | Some([]) if chars.is_empty() => return Err(FenError::Empty),
        Some(&[(_, letter)]) if side_of(letter).is_some() => side_of(letter),
        first => {
            return Err(FenError::NoSideToMove {
                found: string(first.unwrap_or_default()),
            });
        }
    };
    let mut reader = Reader::<R>::new(side.unwrap_or(R::FIRST_MOVER));
    let mut seen = String::new();
    let mut after_last = column(&chars) + 1;
    for section in sections {
        let at = start(section, &mut after_last);
        let unknown = || FenError::UnknownSection {
            found: string(section),
            column: at,
        };
        let (&(_, letter), rest) = section.split_first().ok_or_else(unknown)?;
        let letter = letter.to_ascii_uppercase();
        if seen.contains(letter) {
            return Err(FenError::RepeatedSection { letter, column: at });
        }
        seen.push(letter);
        match (letter, side_of(letter)) {
            (_, Some(side)) => reader.pieces(side, rest)?,
            ('H', _) => {
                let most = u16::MAX.into();
                let number = counter(letter, section, rest, most)?;
                reader.suffixes.half_moves = u16::try_from(number).ok();
            }
            ('F', _) => {
                reader.suffixes.full_move = Some(counter(letter, section, rest, u32::MAX)?);
            }
            _ => return Err(unknown()),
        }
    }
    for letter in Side::ALL.map(side_letter) {
        if !seen.contains(letter) {
            return Err(FenError::MissingSection { letter });
        }
    }
    reader.finish()
}

/// The number of a counter's section.
fn counter(
    letter: char,
    section: &[Placed],
    digits: &[Placed],
    most: u32,
) -> Result<u32, FenError> {
    let digits: String = digits.iter().map(|&(_, c)| c).collect();
    let number = digits.parse().ok().filter(|&number: &u32| number <= most);
    match number {
        Some(number) if digits.bytes().all(|b| b.is_ascii_digit()) => Ok(number),
        _ => Err(FenError::BadCounter {
            found: string(section),
            column: column(section),
            letter,
            most,
        }),
    }
}

/// What has been read so far.
struct Reader<R: Rules> {
    board: Board,
    suffixes: Suffixes,
    /// The style in which errors name squares: algebraic once a letter was read.
    style: SquareStyle,
    rules: std::marker::PhantomData<R>,
}

impl<R: Rules> Reader<R> {
    fn new(side: Side) -> Self {
        Reader {
            board: Board {
                pieces: [0, 0],
                kings: 0,
                side,
            },
            suffixes: Suffixes::default(),
            style: SquareStyle::Numeric,
            rules: std::marker::PhantomData,
        }
    }

    fn pieces(&mut self, side: Side, list: &[Placed]) -> Result<(), FenError> {
        if list.is_empty() {
            return Ok(());
        }
        let mut after_last = column(list);
        for item in list.split(|&(_, c)| c == ',') {
            let at = start(item, &mut after_last);
            let (king, rest) = match item.split_first() {
                Some((&(_, 'K' | 'k'), rest)) => (true, rest),
                _ => (false, item),
            };
            let mut ends = rest.split(|&(_, c)| is_dash(c));
            let first = ends.next().unwrap_or_default();
            let (square, style) = self.square(item, at, first)?;
            if style == SquareStyle::Algebraic {
                self.style = style;
            }
            let Some(last) = ends.next() else {
                self.place(side, king, square, at)?;
                continue;
            };
            let (last, last_style) = self.square(item, at, last)?;
            let (low, high) = (squares::number::<R>(square), squares::number::<R>(last));
            let numeric = style == SquareStyle::Numeric && last_style == SquareStyle::Numeric;
            if !numeric || low > high || ends.next().is_some() {
                return Err(FenError::BadRange {
                    found: string(item),
                    column: at,
                });
            }
            for square in (low..=high).filter_map(squares::from_number::<R>) {
                self.place(side, king, square, at)?;
            }
        }
        Ok(())
    }

    /// The square that `name`, part of `item`, stands for.
    fn square(
        &self,
        item: &[Placed],
        column: usize,
        name: &[Placed],
    ) -> Result<(Square, SquareStyle), FenError> {
        let text: String = name.iter().map(|&(_, c)| c).collect();
        squares::read::<R>(&text).map_err(|error| match error {
            SquareError::Form => FenError::NotASquare {
                found: string(item),
                column,
                accepted: squares::accepted::<R>(),
            },
            SquareError::Outside => FenError::OutsideBoard {
                found: string(name),
                column,
                accepted: squares::accepted::<R>(),
            },
        })
    }

    fn place(
        &mut self,
        side: Side,
        king: bool,
        square: Square,
        column: usize,
    ) -> Result<(), FenError> {
        if self.board.occupied() & bit(square) != 0 {
            return Err(FenError::Twice {
                square: squares::name::<R>(square, self.style),
                column,
            });
        }
        let [white, black] = &mut self.board.pieces;
        *match side {
            Side::White => white,
            Side::Black => black,
        } |= bit(square);
        if king {
            self.board.kings |= bit(square);
        }
        Ok(())
    }

    fn finish(self) -> Result<Setup, FenError> {
        validate::<R>(&self.board).map_err(|error| match error {
            BoardError::ManOnLastRow(side, square) => FenError::ManOnLastRow {
                square: squares::name::<R>(square, self.style),
                letter: side_letter(side),
            },
            other => FenError::Board(other),
        })?;
        Ok(Setup {
            board: self.board,
            suffixes: self.suffixes,
        })
    }
}

/// Writes a FEN in canonical form.
pub fn write<R: Rules>(board: &Board, squares: Squares, suffixes: Suffixes) -> String {
    let style = squares.style::<R>();
    let list = |set: Bits| {
        let mut list: Vec<Square> = geometry::squares(set).collect();
        list.sort_by_key(|&square| squares::sort_key::<R>(square, style));
        let names: Vec<String> = list
            .into_iter()
            .map(|square| {
                let king = board.kings & bit(square) != 0;
                let name = squares::name::<R>(square, style);
                format!("{}{name}", if king { "K" } else { "" })
            })
            .collect();
        names.join(",")
    };
    let [white, black] = board.pieces.map(list);
    let mut fen = format!("{}:W{white}:B{black}", side_letter(board.side));
    if let Some(number) = suffixes.half_moves {
        fen.push_str(&format!(":H{number}"));
    }
    if let Some(number) = suffixes.full_move {
        fen.push_str(&format!(":F{number}"));
    }
    fen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::rules::{English, International, Russian, Spanish, Turkish};

    fn rewritten<R: Rules>(text: &str) -> String {
        let setup = parse::<R>(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        write::<R>(&setup.board, Squares::Native, setup.suffixes)
    }

    #[test]
    fn lenient_forms_are_read() {
        type I = International;
        for (text, canonical) in [
            ("W:W:B.", "W:W:B"),
            ("w : w k27 , 23 : b k28, 1 2 .", "W:W23,K27:B12,K28"),
            ("W:BK47:WK3,25", "W:WK3,25:BK47"),
            ("B:WK31-33:B007", "B:WK31,K32,K33:B7"),
            ("B:WK31–33:B7", "B:WK31,K32,K33:B7"),
            ("B:Wa1,Kb10:Bj10", "B:WK1,46:B5"),
            ("W:W31:B1:H07:F12", "W:W31:B1:H7:F12"),
            ("W:F3:W31:h0:B1.", "W:W31:B1:H0:F3"),
        ] {
            assert_eq!(rewritten::<I>(text), canonical, "{text}");
        }
    }

    #[test]
    fn refusals_name_value_place_and_what_was_expected() {
        type I = International;
        let refusal = |text: &str| parse::<I>(text).unwrap_err().to_string();
        for (text, words) in [
            ("", &["empty"][..]),
            (" . ", &["empty"]),
            ("?:W29:B22", &["no side to move", "\"?\"", "W or B"]),
            ("W29:B22", &["no side to move", "\"W29\""]),
            (":W29:B22", &["no side to move"]),
            ("W", &["no section W"]),
            ("W:W29", &["no section B"]),
            ("W:W29:B22:", &["section \"\"", "column 10"]),
            ("W:W29:B22:X1", &["\"X1\"", "column 11"]),
            ("W:W29:B22:W30", &["section W", "twice", "column 11"]),
            ("W:W29,:B22", &["\"\"", "column 6", "1 to 50"]),
            ("W:W29, foo:B22", &["\"foo\"", "column 8", "1 to 50"]),
            ("W:W51:B22", &["51", "column 4", "outside", "1 to 50"]),
            ("W:W0:B22", &["0", "column 4", "outside"]),
            ("W:Wa2:B22", &["a2", "column 4", "outside", "a1 to j10"]),
            ("W:W99999999999999999999999:B22", &["outside", "column 4"]),
            ("W:W1-4000000000:B22", &["4000000000", "outside"]),
            ("W:W40-31:B22", &["\"40-31\"", "range", "column 4"]),
            ("W:Wa1-c1:B22", &["\"a1-c1\"", "range"]),
            ("W:W31-33-35:B22", &["\"31-33-35\"", "range"]),
            ("W:W31-K33:B22", &["K33", "outside"]),
            ("W:W31:B22,31", &["square 31", "twice", "column 11"]),
            ("W:W31-33,32:B22", &["square 32", "twice", "column 10"]),
            ("W:W31,1:B22", &["1 in section W", "last row", "K1"]),
            ("W:W31:Ba1", &["a1 in section B", "last row", "Ka1"]),
            ("W:W31:B1:H65536", &["\"H65536\"", "column 10", "65535"]),
            ("W:W31:B1:H", &["\"H\"", "column 10"]),
            ("W:W31:B1:H+1", &["\"H+1\""]),
            ("W:W31:B1:F1:F2", &["section F", "twice", "column 13"]),
        ] {
            let sentence = refusal(text);
            for word in words {
                assert!(sentence.contains(word), "{text}: {sentence}, not {word}");
            }
        }
        assert!(refusal(&format!("W:W{}", "31".repeat(100_000))).len() < 200);
    }

    #[test]
    fn counters_advance_with_the_game_but_only_if_given() {
        let given = Suffixes {
            half_moves: Some(3),
            full_move: Some(10),
        };
        let numbers = |s: Suffixes| (s.half_moves, s.full_move);
        let after = |first, plies| numbers(given.after::<English>(first, plies, 5));
        assert_eq!(after(Side::Black, 1), (Some(5), Some(10)));
        assert_eq!(after(Side::Black, 2), (Some(5), Some(11)));
        assert_eq!(after(Side::White, 1), (Some(5), Some(11)));
        assert_eq!(after(Side::White, 2), (Some(5), Some(11)));
        let none = Suffixes::default();
        assert_eq!(none.after::<English>(Side::White, 7, 7), none);
    }

    #[test]
    fn squares_are_written_in_the_order_of_their_names() {
        assert_eq!(
            rewritten::<Russian>("W:W32,27,K18:B5,1"),
            "W:WKd4,f2,g1:Ba7,b8"
        );
        assert_eq!(rewritten::<Spanish>("W:W1-3:B32,31"), "W:W1,2,3:B31,32");
        assert_eq!(rewritten::<Turkish>("W:W64:BK1"), "W:Wh1:BKa8");
    }
}
