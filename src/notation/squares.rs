//! Names of squares: numbers from 1 and letters with ranks, for every set in both styles.
//!
//! Numbers run row by row from the top left as White sees the board, or, where square 1 is White's, from the bottom right;
//! Hub's boards run in the same order. Letters run from White's left and ranks from White's side. Inside, mirrored boards
//! are kept unmirrored: here, and only here, their rows are turned round.

use crate::board::variant::SquareStyle;
use crate::board::{Geometry, Rules, Square};

/// The option `Squares`: how squares are printed. Both styles are always read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Squares {
    /// As the set writes them in play.
    #[default]
    Native,
    /// Numbers.
    Numeric,
    /// Letters and ranks.
    Algebraic,
}

impl Squares {
    /// All choices with their names, in the order they are listed to users.
    pub const ALL: [(Squares, &'static str); 3] = [
        (Squares::Native, "native"),
        (Squares::Numeric, "numeric"),
        (Squares::Algebraic, "algebraic"),
    ];

    /// The style this choice means for a set.
    pub const fn style<R: Rules>(self) -> SquareStyle {
        match self {
            Squares::Native => R::VARIANT.labels().squares,
            Squares::Numeric => SquareStyle::Numeric,
            Squares::Algebraic => SquareStyle::Algebraic,
        }
    }
}

impl From<SquareStyle> for Squares {
    fn from(style: SquareStyle) -> Self {
        match style {
            SquareStyle::Numeric => Squares::Numeric,
            SquareStyle::Algebraic => Squares::Algebraic,
        }
    }
}

/// Why a text is not the name of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquareError {
    /// It has not the form of a number or of a letter and a number.
    Form,
    /// It names no playable square of the board.
    Outside,
}

/// The number of a square, from 1.
pub fn number<R: Rules>(square: Square) -> usize {
    let labels = R::VARIANT.labels();
    let (row, column) = place::<R>(square);
    let from_top = row * R::Geo::WIDTH + column;
    if labels.numbers_from_bottom {
        R::Geo::SQUARES - from_top
    } else {
        from_top + 1
    }
}

/// The square of a number; `None` outside the board.
pub fn from_number<R: Rules>(number: usize) -> Option<Square> {
    if number == 0 || number > R::Geo::SQUARES {
        return None;
    }
    let labels = R::VARIANT.labels();
    let from_top = if labels.numbers_from_bottom {
        R::Geo::SQUARES - number
    } else {
        number - 1
    };
    Some(at::<R>(from_top / R::Geo::WIDTH, from_top % R::Geo::WIDTH))
}

/// The file, 0 at White's left, and the rank, from 1 at White's side, of a square.
pub fn file_and_rank<R: Rules>(square: Square) -> (usize, usize) {
    let index = R::Geo::index(square);
    let file = R::Geo::file_of(index);
    let file = if R::VARIANT.labels().mirrored {
        R::Geo::ROWS - 1 - file
    } else {
        file
    };
    (file, R::Geo::ROWS - R::Geo::row_of(index))
}

/// The square of a file and a rank; `None` if it is outside the board or not playable.
pub fn from_file_and_rank<R: Rules>(file: usize, rank: usize) -> Option<Square> {
    let row = R::Geo::ROWS.checked_sub(rank)?;
    if rank == 0 {
        return None;
    }
    (0..R::Geo::WIDTH)
        .map(|column| at::<R>(row, column))
        .find(|&square| file_and_rank::<R>(square).0 == file)
}

/// The row, 0 at the top, and the place in its row, 0 at the left, as White sees the board.
fn place<R: Rules>(square: Square) -> (usize, usize) {
    let index = R::Geo::index(square);
    (R::Geo::row_of(index), turned::<R>(index % R::Geo::WIDTH))
}

/// The square at a place: the inverse of [`place`].
fn at<R: Rules>(row: usize, column: usize) -> Square {
    R::Geo::square(row * R::Geo::WIDTH + turned::<R>(column))
}

fn turned<R: Rules>(column: usize) -> usize {
    if R::VARIANT.labels().mirrored {
        R::Geo::WIDTH - 1 - column
    } else {
        column
    }
}

/// The letter of a file, 0 at White's left.
pub const fn letter(file: usize) -> char {
    (b'a' + file as u8) as char
}

/// The name of a square.
pub fn name<R: Rules>(square: Square, style: SquareStyle) -> String {
    match style {
        SquareStyle::Numeric => number::<R>(square).to_string(),
        SquareStyle::Algebraic => {
            let (file, rank) = file_and_rank::<R>(square);
            format!("{}{rank}", letter(file))
        }
    }
}

/// The order in which names are listed: by number, or by letter and then rank.
pub fn sort_key<R: Rules>(square: Square, style: SquareStyle) -> (usize, usize) {
    match style {
        SquareStyle::Numeric => (number::<R>(square), 0),
        SquareStyle::Algebraic => file_and_rank::<R>(square),
    }
}

/// Reads a name in either style, in either case, with or without leading zeros, and tells which style it was.
pub fn read<R: Rules>(name: &str) -> Result<(Square, SquareStyle), SquareError> {
    let first = name.chars().next().ok_or(SquareError::Form)?;
    let (file, digits) = if first.is_ascii_alphabetic() {
        let file = first.to_ascii_lowercase() as usize - 'a' as usize;
        (Some(file), name.get(1..).unwrap_or_default())
    } else {
        (None, name)
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(SquareError::Form);
    }
    // Digits alone can fail to be a number only by being too many.
    let number = digits.parse().map_err(|_| SquareError::Outside)?;
    let (square, style) = match file {
        Some(file) => (
            from_file_and_rank::<R>(file, number),
            SquareStyle::Algebraic,
        ),
        None => (from_number::<R>(number), SquareStyle::Numeric),
    };
    square
        .map(|square| (square, style))
        .ok_or(SquareError::Outside)
}

/// What [`read`] accepts, for error messages: `1 to 50 or a1 to j10`.
pub fn accepted<R: Rules>() -> String {
    let last = R::Geo::ROWS;
    let dark = if R::Geo::WIDTH < last {
        "dark squares "
    } else {
        ""
    };
    format!(
        "1 to {} or {dark}a1 to {}{last}",
        R::Geo::SQUARES,
        letter(last - 1)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::board::geometry::squares;
    use crate::with_rules;

    fn named<R: Rules>(text: &str) -> (String, String) {
        let (square, _) = read::<R>(text).unwrap();
        (
            name::<R>(square, SquareStyle::Numeric),
            name::<R>(square, SquareStyle::Algebraic),
        )
    }

    #[test]
    fn every_square_has_two_names_that_read_back() {
        for variant in Variant::ALL {
            with_rules!(variant, R => {
                let mut numbers = Vec::new();
                for square in squares(<R as Rules>::Geo::ALL) {
                    for style in [SquareStyle::Numeric, SquareStyle::Algebraic] {
                        let text = name::<R>(square, style);
                        assert_eq!(read::<R>(&text), Ok((square, style)), "{variant} {text}");
                    }
                    numbers.push(number::<R>(square));
                }
                numbers.sort_unstable();
                assert!(numbers.iter().copied().eq(1..=<R as Rules>::Geo::SQUARES), "{variant}");
            });
        }
    }

    #[test]
    fn corners_are_where_the_game_type_puts_them() {
        use Variant::*;
        for (variant, number, algebraic) in [
            (English, "1", "b8"),
            (English, "32", "g1"),
            (International, "1", "b10"),
            (International, "46", "a1"),
            (International, "50", "i1"),
            (Brazilian, "29", "a1"),
            (Russian, "22", "c3"),
            (Russian, "18", "d4"),
            (Turkish, "1", "a8"),
            (Turkish, "64", "h1"),
            (Italian, "1", "a8"),
            (Italian, "32", "h1"),
            (Italian, "5", "b7"),
            (Spanish, "1", "h1"),
            (Spanish, "4", "b1"),
            (Spanish, "5", "g2"),
            (Spanish, "32", "a8"),
        ] {
            let expected = (number.to_string(), algebraic.to_string());
            with_rules!(variant, R => {
                assert_eq!(named::<R>(number), expected, "{variant}");
                assert_eq!(named::<R>(algebraic), expected, "{variant}");
            });
        }
    }

    #[test]
    fn names_of_no_square_are_refused() {
        type R = crate::board::rules::International;
        for text in ["", "a", "-1", "1a", "aa1", "é1", "1é", "+5", "a+1", "k"] {
            assert_eq!(read::<R>(text), Err(SquareError::Form), "{text}");
        }
        let long = "9".repeat(100);
        for text in ["0", "51", "a0", "a2", "a11", "k1", "z9", &long] {
            assert_eq!(read::<R>(text), Err(SquareError::Outside), "{text}");
        }
        assert_eq!(named::<R>("007"), ("7".into(), "c9".into()));
        assert_eq!(named::<R>("C09"), ("7".into(), "c9".into()));
    }
}
