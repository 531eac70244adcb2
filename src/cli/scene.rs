//! The board for people: on a terminal with or without colour, or as a picture.

use std::io::{self, IsTerminal};

use clap::ValueEnum;

use warcab::board::geometry::bit;
use warcab::board::{Board, Geometry, Move, Rules, Variant};
use warcab::notation::{Squares, diagram, fen, moves, squares, svg};
use warcab::with_rules;

/// Whether output is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Whether standard output is to be coloured.
    pub(super) fn is_on(self) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            // As no-color.org has it: set and not empty.
            Color::Auto => {
                io::stdout().is_terminal()
                    && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        }
    }
}

/// A position, and how it came about.
#[derive(Clone, Debug)]
pub(super) struct Scene<'a> {
    pub(super) variant: Variant,
    pub(super) fen: &'a str,
    pub(super) squares: Squares,
    /// The last move and the position it was made in.
    pub(super) last: Option<(&'a str, &'a str)>,
}

impl Scene<'_> {
    /// The board as text.
    pub(super) fn text(&self, colour: bool) -> String {
        with_rules!(self.variant, R => self.read::<R>().map_or_else(String::new, |(board, last)| {
            draw::<R>(&board, self.squares, colour, last)
        }))
    }

    /// The board as a picture.
    pub(super) fn svg(&self) -> String {
        with_rules!(self.variant, R => self.read::<R>().map_or_else(String::new, |(board, last)| {
            svg::board::<R>(&board, self.squares, last.as_ref())
        }))
    }

    fn read<R: Rules>(&self) -> Option<(Board, Option<Move>)> {
        let board = fen::parse::<R>(self.fen).ok()?.board;
        let last = self.last.and_then(|(before, text)| {
            let before = fen::parse::<R>(before).ok()?.board;
            moves::parse::<R>(&before, text).ok()
        });
        Some((board, last))
    }
}

/// The board as White sees it: pieces as draughtsmen, empty squares by their names.
fn draw<R: Rules>(board: &Board, squares: Squares, colour: bool, last: Option<Move>) -> String {
    let style = squares.style::<R>();
    let mut text = String::new();
    for (row, line) in diagram::rows::<R>().iter().enumerate() {
        let (left, right) = diagram::edges::<R>(line, style);
        text += &format!("{left:>3} ");
        for (file, square) in line.iter().enumerate() {
            let Some(square) = *square else {
                let blank = if colour {
                    "\x1b[48;5;223m    \x1b[0m"
                } else {
                    "    "
                };
                text += blank;
                continue;
            };
            let marked = last.is_some_and(|mv| mv.ends() & bit(square) != 0);
            let letter = diagram::letter(board, square);
            let (piece, ink) = match letter {
                'w' => (Some('⛀'), 231),
                'W' => (Some('⛁'), 231),
                'b' => (Some('⛂'), 16),
                'B' => (Some('⛃'), 16),
                _ => (None, 180),
            };
            let cell = match piece {
                Some(piece) if marked && !colour => format!("[{piece} ]"),
                Some(piece) => format!(" {piece}  "),
                None => format!("{:>3} ", squares::name::<R>(square, style)),
            };
            let dark = R::Geo::WIDTH < R::Geo::ROWS || (row + file) % 2 == 1;
            let ground = match (marked, dark) {
                (true, _) => 136,
                (false, true) => 94,
                (false, false) => 137,
            };
            if colour {
                let bold = if piece.is_some() { "1;" } else { "" };
                text += &format!("\x1b[{bold}38;5;{ink};48;5;{ground}m{cell}\x1b[0m");
            } else {
                text += &cell;
            }
        }
        let line = format!(" {right}\n");
        text += &line;
    }
    text
}
