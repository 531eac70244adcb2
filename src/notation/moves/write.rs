//! Writing moves.

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
        match self.notation {
            Notation::Short if self.is_alone(mv, legal) => {
                self.join(&[mv.from, mv.to], capture_sign::<R>())
            }
            Notation::Short => match self.route(mv) {
                // A single jump's whole path looks like the short form of the longer capture it shares its ends with.
                Some(route) if route.len() > 2 => self.join(&route, capture_sign::<R>()),
                _ => self.hub(mv),
            },
            Notation::Path => match self.route(mv) {
                Some(route) => self.join(&route, capture_sign::<R>()),
                None => self.hub(mv),
            },
            Notation::Hub => self.hub(mv),
        }
    }

    /// Whether no other move has the same ends.
    fn is_alone(&self, mv: &Move, legal: &[Move]) -> bool {
        !legal
            .iter()
            .any(|other| other != mv && (other.from, other.to) == (mv.from, mv.to))
    }

    /// The route to print. Its squares determine the captured set, so that it needs no comparing with other moves: from one
    /// of them to the next there is exactly one piece to take. `None` only where the search for one gives up.
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

/// What the set writes between the squares of a capture.
fn capture_sign<R: Rules>() -> char {
    R::VARIANT.labels().capture_sign
}
