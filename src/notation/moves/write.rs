//! Writing moves.
//!
//! Two moves of a position never get the same text, and [`parse`](super::parse) reads each text as its move. Two squares are
//! enough where no other move shares them; a whole path takes exactly one piece from each of its squares to the next, so
//! that its squares determine what is captured; Hub's form names it. The whole path of a single jump has but two squares:
//! where a longer capture shares them it is that one that is written, and read, with more.

use super::{Notation, Style};
use crate::board::geometry;
use crate::board::movegen::{find_route, legal_moves};
use crate::board::variant::SquareStyle;
use crate::board::{Board, Move, Rules, Square};
use crate::notation::squares;

/// What Hub writes between the squares of a capture, in every set.
const HUB_SIGN: char = 'x';

/// Writes a legal move of the position.
///
/// A move that is not legal there is written too, as far as its squares go.
pub fn write<R: Rules>(board: &Board, mv: &Move, style: Style) -> String {
    let writer = Writer::<R>::new(board, style);
    if style.notation == Notation::Short && mv.is_capture() {
        writer.write(mv, &legal_moves::<R>(board))
    } else {
        writer.write(mv, &[])
    }
}

/// All legal moves of the position with their texts, in the generator's order.
pub fn write_legal<R: Rules>(board: &Board, style: Style) -> Vec<(Move, String)> {
    let writer = Writer::<R>::new(board, style);
    let legal = legal_moves::<R>(board);
    legal
        .iter()
        .map(|mv| (*mv, writer.write(mv, &legal)))
        .collect()
}

/// Writes the moves of a line that starts from the position; it stops before a move that is not legal.
pub fn write_line<R: Rules>(board: &Board, line: &[Move], style: Style) -> Vec<String> {
    let mut board = *board;
    let mut texts = Vec::with_capacity(line.len());
    for mv in line {
        let legal = legal_moves::<R>(&board);
        if !legal.contains(mv) {
            break;
        }
        texts.push(Writer::<R>::new(&board, style).write(mv, &legal));
        board = board.after(mv);
    }
    texts
}

/// Writes moves of one position in one style.
struct Writer<'a, R: Rules> {
    board: &'a Board,
    notation: Notation,
    style: SquareStyle,
    rules: std::marker::PhantomData<R>,
}

impl<'a, R: Rules> Writer<'a, R> {
    fn new(board: &'a Board, style: Style) -> Self {
        Writer {
            board,
            notation: style.notation,
            style: style.squares.style::<R>(),
            rules: std::marker::PhantomData,
        }
    }

    /// The text of a move; `legal` are the moves it must be told apart from.
    fn write(&self, mv: &Move, legal: &[Move]) -> String {
        if !mv.is_capture() {
            return self.join(&[mv.from, mv.to], '-');
        }
        let route = match self.notation {
            Notation::Short if self.is_alone(mv, legal) => Some(vec![mv.from, mv.to]),
            Notation::Short | Notation::Path => self.route(mv),
            Notation::Hub => None,
        };
        match route {
            Some(route) => self.join(&route, R::VARIANT.labels().capture_sign),
            None => self.hub(mv),
        }
    }

    /// Whether no other move has the same ends.
    fn is_alone(&self, mv: &Move, legal: &[Move]) -> bool {
        !legal
            .iter()
            .any(|other| other != mv && (other.from, other.to) == (mv.from, mv.to))
    }

    /// The route to print; `None` only where the search for one gives up, among more kings than a game can have.
    fn route(&self, mv: &Move) -> Option<Vec<Square>> {
        find_route::<R>(self.board, mv, &[])
    }

    fn hub(&self, mv: &Move) -> String {
        let mut list: Vec<Square> = geometry::squares(mv.captured).collect();
        list.sort_by_key(|&square| squares::sort_key::<R>(square, self.style));
        list.splice(0..0, [mv.from, mv.to]);
        self.join(&list, HUB_SIGN)
    }

    fn join(&self, list: &[Square], sign: char) -> String {
        let names: Vec<String> = list
            .iter()
            .map(|&square| squares::name::<R>(square, self.style))
            .collect();
        names.join(sign.encode_utf8(&mut [0; 4]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::rules::{English, International, Italian, Russian, Turkish};
    use crate::notation::{Squares, fen};

    fn texts<R: Rules>(text: &str, notation: Notation, squares: Squares) -> Vec<String> {
        let board = fen::parse::<R>(text).unwrap().board;
        let mut texts: Vec<String> = write_legal::<R>(&board, Style { notation, squares })
            .into_iter()
            .map(|(_, text)| text)
            .collect();
        texts.sort();
        texts
    }

    #[test]
    fn captures_are_short_unless_they_share_their_ends() {
        let native = Squares::Native;
        let short = |text| texts::<International>(text, Notation::Short, native);
        assert_eq!(short("W:WK47:B42,29,19,31"), ["47x36"]);
        assert_eq!(short("W:WK4:B13,20,32,37"), ["4x27x38x15", "4x31x42x15"]);
        let russian = texts::<Russian>("W:WKf6:Bc5,c7,e5,g5", Notation::Short, native);
        assert_eq!(russian, ["f6:d4:b6:d8:h4", "f6:h4"]);
    }

    #[test]
    fn paths_have_a_square_behind_each_captured_piece_but_the_last() {
        let path = |text, squares| texts::<International>(text, Notation::Path, squares);
        let text = "W:WK47:B42,29,19,31";
        assert_eq!(path(text, Squares::Native), ["47x38x24x13x36"]);
        assert_eq!(path(text, Squares::Algebraic), ["c1xe3xh6xf8xa3"]);
        let english = texts::<English>("B:B1:W6,15", Notation::Path, Squares::Native);
        assert_eq!(english, ["1x10x19"]);
    }

    #[test]
    fn hub_lists_the_captured_squares_in_the_order_of_their_names() {
        let hub = |squares| texts::<Italian>("W:W32:B28,19,11", Notation::Hub, squares);
        assert_eq!(hub(Squares::Native), ["32x7x11x19x28"]);
        assert_eq!(hub(Squares::Algebraic), ["h1xf7xe4xe6xg2"]);
    }

    #[test]
    fn quiet_moves_have_a_dash_and_captures_the_sign_of_the_set() {
        assert_eq!(
            texts::<Turkish>("W:Wa3:Bh5", Notation::Hub, Squares::Native),
            ["a3-a4", "a3-b3"]
        );
        for (notation, text) in [
            (Notation::Short, "c3:e5"),
            (Notation::Path, "c3:e5"),
            (Notation::Hub, "c3xe5xd4"),
        ] {
            let written = texts::<Russian>("W:Wc3:Bd4", notation, Squares::Native);
            assert_eq!(written, [text]);
        }
        let numeric = texts::<Russian>("W:Wc3:Bd4", Notation::Short, Squares::Numeric);
        assert_eq!(numeric, ["22:15"]);
    }

    #[test]
    fn a_line_stops_before_a_move_that_is_not_legal() {
        let start = Board::start::<International>();
        let first = legal_moves::<International>(&start)[0];
        let line = write_line::<International>(&start, &[first, first], Style::default());
        assert_eq!(line.len(), 1);
    }
}
