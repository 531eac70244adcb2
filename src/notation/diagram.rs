//! The board as plain text, White at the bottom: `w` and `b` are men, `W` and `B` kings, `.` empty playable squares.

use super::squares::{self, Squares};
use crate::board::geometry::bit;
use crate::board::variant::SquareStyle;
use crate::board::{Board, Geometry, Rules, Side, Square};

/// The letter of what stands on a square: one of `w W b B` and `.`.
pub fn letter(board: &Board, square: Square) -> char {
    let [white, black] = board.pieces;
    let letter = if white & bit(square) != 0 {
        'w'
    } else if black & bit(square) != 0 {
        'b'
    } else {
        return '.';
    };
    if board.kings & bit(square) != 0 {
        letter.to_ascii_uppercase()
    } else {
        letter
    }
}

/// The board as White sees it, row by row from the top: the playable squares, and `None` for those that are not.
pub fn rows<R: Rules>() -> Vec<Vec<Option<Square>>> {
    let ranks = (1..=R::Geo::ROWS).rev();
    ranks
        .map(|rank| {
            (0..R::Geo::ROWS)
                .map(|file| squares::from_file_and_rank::<R>(file, rank))
                .collect()
        })
        .collect()
}

/// What stands at the left and at the right of a row: its rank on both sides, or the numbers of its outer squares.
pub fn edges<R: Rules>(row: &[Option<Square>], style: SquareStyle) -> (String, String) {
    let label = |square: Option<Square>| match (square, style) {
        (None, _) => String::new(),
        (Some(square), SquareStyle::Numeric) => squares::number::<R>(square).to_string(),
        (Some(square), SquareStyle::Algebraic) => squares::file_and_rank::<R>(square).1.to_string(),
    };
    let mut playable = row.iter().copied().flatten();
    let first = playable.next();
    (label(first), label(playable.next_back()))
}

/// The board and the side to move as lines of text, each ended by a line feed.
///
/// The edges show ranks and files, or, in numbers, the first and the last square of each row.
pub fn draw<R: Rules>(board: &Board, squares: Squares) -> String {
    let style = squares.style::<R>();
    let mut text = String::new();
    let rows = rows::<R>();
    for row in &rows {
        let (left, right) = edges::<R>(row, style);
        let cells: String = row
            .iter()
            .flat_map(|square| [' ', square.map_or(' ', |square| letter(board, square))])
            .collect();
        text.push_str(&format!("{left:>3} {cells}  {right}\n"));
    }
    if style == SquareStyle::Algebraic {
        text.push_str("    ");
        for file in 0..rows.len() {
            text.extend([' ', squares::letter(file)]);
        }
        text.push('\n');
    }
    text.push_str(match board.side {
        Side::White => "white to move\n",
        Side::Black => "black to move\n",
    });
    text
}

/// The board with its pieces and, behind each, a number of hundredths in units with one decimal.
pub fn draw_worth<R: Rules>(
    board: &Board,
    squares: Squares,
    worth: impl Fn(Square) -> Option<i32>,
) -> String {
    let style = squares.style::<R>();
    let mut text = String::new();
    for row in &rows::<R>() {
        let (left, right) = edges::<R>(row, style);
        let cell = |square: &Option<Square>| match square {
            None => "      ".to_owned(),
            Some(square) => match worth(*square) {
                None => "     .".to_owned(),
                Some(hundredths) => {
                    let number = format!("{:+.1}", f64::from(hundredths) / 100.0);
                    format!("{:>6}", format!("{}{number}", letter(board, *square)))
                }
            },
        };
        let cells: String = row.iter().map(cell).collect();
        text.push_str(&format!("{left:>3} {cells}  {right}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::rules::{International, Italian, Russian, Spanish, Turkish};
    use crate::notation::fen;

    fn drawn<R: Rules>(text: &str) -> String {
        draw::<R>(&fen::parse::<R>(text).unwrap().board, Squares::Native)
    }

    #[test]
    fn numeric_boards_show_the_outer_numbers_of_each_row() {
        assert_eq!(
            drawn::<International>("W:WK1,50:B5,KA1"),
            [
                "  1    W   .   .   .   b  5\n",
                "  6  .   .   .   .   .    10\n",
                " 11    .   .   .   .   .  15\n",
                " 16  .   .   .   .   .    20\n",
                " 21    .   .   .   .   .  25\n",
                " 26  .   .   .   .   .    30\n",
                " 31    .   .   .   .   .  35\n",
                " 36  .   .   .   .   .    40\n",
                " 41    .   .   .   .   .  45\n",
                " 46  B   .   .   .   w    50\n",
                "white to move\n",
            ]
            .concat()
        );
    }

    #[test]
    fn algebraic_boards_show_files_and_ranks() {
        let board = drawn::<Russian>("B:Wa1:BKh8");
        assert!(board.starts_with("  8    .   .   .   B  8\n"), "{board}");
        assert!(
            board.ends_with("  1  w   .   .   .    1\n     a b c d e f g h\nblack to move\n"),
            "{board}"
        );
        let board = drawn::<Turkish>("B:Wa1:BKh8");
        assert!(board.starts_with("  8  . . . . . . . B  8\n"), "{board}");
    }

    #[test]
    fn mirrored_boards_are_drawn_as_they_lie() {
        let board = drawn::<Italian>("W:W32:B1");
        assert!(board.starts_with("  1  b   .   .   .    4\n"), "{board}");
        assert!(board.contains("\n 29    .   .   .   w  32\n"), "{board}");
        let board = drawn::<Spanish>("W:W1:B32");
        assert!(board.starts_with(" 32  b   .   .   .    29\n"), "{board}");
        assert!(board.contains("\n  4    .   .   .   w  1\n"), "{board}");
    }
}
