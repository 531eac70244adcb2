//! Pictures in SVG: a [`Canvas`] of a few shapes, and the board drawn on one.

use super::diagram;
use super::squares::{self, Squares};
use crate::board::geometry::bit;
use crate::board::variant::SquareStyle;
use crate::board::{Board, Geometry, Move, Rules, Side};

/// Where a text stands beside its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// A picture in the making. Lengths are in pixels from the top left.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: f64,
    height: f64,
    body: String,
}

/// A text inside XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

impl Canvas {
    /// An empty picture on `background`.
    pub fn new(width: f64, height: f64, background: &str) -> Self {
        let mut canvas = Self {
            width,
            height,
            body: String::new(),
        };
        canvas.rect(0.0, 0.0, width, height, background);
        canvas
    }

    /// A filled rectangle.
    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str) {
        self.body += &format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{fill}\"/>\n"
        );
    }

    /// A disc with a rim; `title` is shown where a pointer rests on it.
    pub fn disc(&mut self, (x, y): (f64, f64), radius: f64, fill: &str, rim: &str, title: &str) {
        let title = match title {
            "" => String::new(),
            title => format!("<title>{}</title>", escaped(title)),
        };
        self.body += &format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"{rim}\" stroke-width=\"2\">{title}</circle>\n"
        );
    }

    /// A text of `size` pixels, its baseline through the point.
    pub fn text(&mut self, (x, y): (f64, f64), size: f64, anchor: Anchor, fill: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.body += &format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.0}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{}</text>\n",
            escaped(text)
        );
    }

    /// Straight lines from point to point.
    pub fn lines(&mut self, points: &[(f64, f64)], width: f64, colour: &str) {
        let points: Vec<_> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        self.body += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width:.1}\"/>\n",
            points.join(" ")
        );
    }

    /// The whole file.
    pub fn finish(self) -> String {
        let Canvas {
            width,
            height,
            body,
        } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\">\n{body}</svg>\n"
        )
    }
}

/// Side of a square.
const CELL: f64 = 56.0;
/// Room around the board.
const MARGIN: f64 = 24.0;

/// The board as White sees it, with the names of the squares and the last move marked.
pub fn board<R: Rules>(board: &Board, squares: Squares, last: Option<&Move>) -> String {
    let style = squares.style::<R>();
    let rows = diagram::rows::<R>();
    let size = CELL * rows.len() as f64 + 2.0 * MARGIN;
    let mut canvas = Canvas::new(size, size, "#f4efe6");
    let at = |line: usize| MARGIN + CELL * line as f64;
    for (row, line) in rows.iter().enumerate() {
        for (file, square) in line.iter().enumerate() {
            let (x, y) = (at(file), at(row));
            let marked = square.is_some_and(|s| last.is_some_and(|mv| mv.ends() & bit(s) != 0));
            let dark = match square {
                Some(_) => R::Geo::WIDTH < R::Geo::ROWS || (row + file) % 2 == 1,
                None => false,
            };
            let fill = match (marked, dark) {
                (true, _) => "#c9b04a",
                (false, true) => "#a9805a",
                (false, false) => "#ecd9b9",
            };
            canvas.rect(x, y, CELL, CELL, fill);
            let Some(square) = *square else { continue };
            let name = squares::name::<R>(square, style);
            canvas.text((x + 3.0, y + 12.0), 10.0, Anchor::Start, "#3a2a1a", &name);
            let letter = diagram::letter(board, square);
            let (fill, rim) = match letter.to_ascii_lowercase() {
                'w' => ("#fffaf0", "#5a4a3a"),
                'b' => ("#2b2b2b", "#d0c0a0"),
                _ => continue,
            };
            let centre = (x + CELL / 2.0, y + CELL / 2.0 + 2.0);
            canvas.disc(centre, CELL * 0.36, fill, rim, "");
            if letter.is_ascii_uppercase() {
                canvas.disc(centre, CELL * 0.2, "#d9a520", rim, "");
            }
        }
    }
    if style == SquareStyle::Algebraic {
        for (line, row) in rows.iter().enumerate() {
            let middle = at(line) + CELL / 2.0;
            let letter = squares::letter(line).to_string();
            let below = (middle, size - 8.0);
            canvas.text(below, 13.0, Anchor::Middle, "#3a2a1a", &letter);
            let (rank, _) = diagram::edges::<R>(row, style);
            let beside = (MARGIN / 2.0, middle + 4.0);
            canvas.text(beside, 13.0, Anchor::Middle, "#3a2a1a", &rank);
        }
    }
    let mover = match board.side {
        Side::White => "white to move",
        Side::Black => "black to move",
    };
    canvas.text((size / 2.0, 16.0), 12.0, Anchor::Middle, "#3a2a1a", mover);
    canvas.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::rules::{International, Turkish};
    use crate::notation::{fen, moves};

    #[test]
    fn a_board_has_its_squares_pieces_and_last_move() {
        let setup = fen::parse::<International>("W:WK1,32:B5,KA1").unwrap();
        let mv = moves::parse::<International>(&setup.board, "32-28").unwrap();
        let text = board::<International>(&setup.board.after(&mv), Squares::Native, Some(&mv));
        assert_eq!(text.matches("<rect ").count(), 101);
        // Four pieces, two of them kings with a ring.
        assert_eq!(text.matches("<circle ").count(), 6);
        assert_eq!(text.matches("#c9b04a").count(), 2);
        assert!(
            text.contains(">50</text>") && text.contains("black to move"),
            "{text}"
        );
        let text = board::<Turkish>(&Board::start::<Turkish>(), Squares::Native, None);
        assert_eq!(text.matches("<circle ").count(), 32);
        assert!(text.contains(">h8</text>") && text.starts_with("<svg "));
    }

    #[test]
    fn texts_are_escaped() {
        let mut canvas = Canvas::new(10.0, 10.0, "#fff");
        canvas.text((0.0, 0.0), 5.0, Anchor::End, "#000", "<a & \"b\">\n");
        assert!(
            canvas
                .finish()
                .contains(">&lt;a &amp; &quot;b&quot;&gt; </text>")
        );
    }
}
