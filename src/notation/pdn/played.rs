//! A game replayed by the rules of its set.

use super::write::{Game, Item, write};
use super::{GameResult, Problem, RawGame, Tag};
use crate::board::{DrawRules, Move, Position, Rules, Side, Variant};
use crate::notation::{Setup, Squares, Style, Suffixes, fen, moves};
use crate::with_rules;

/// A game replayed by the rules of its set, as far as its moves could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The line where it begins.
    pub line: usize,
    /// Its set.
    pub variant: Variant,
    /// Its tags in their order.
    pub tags: Vec<Tag>,
    /// The first position.
    pub start: Setup,
    /// The moves, each legal where it is played.
    pub moves: Vec<Move>,
    /// Comments, glyphs, variations and positions set up within the game, in order.
    pub remarks: Vec<Remark>,
    /// What stands after the last move that could be read, if one could not.
    pub unread: Option<String>,
    /// How it ended, by its last word, or by its tag if that says nothing.
    pub result: GameResult,
    /// What was found on the way.
    pub problems: Vec<Problem>,
}

/// Something said about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// How many moves come before it.
    pub ply: usize,
    /// What is said.
    pub kind: RemarkKind,
}

/// What is said about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// A comment; clock times in it are read by [`clocks`](super::clocks).
    Comment(String),
    /// A glyph by its number; `!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6, and 7 is the only move.
    Nag(u16),
    /// A variation as it was written, without its parentheses.
    Variation(String),
    /// A position from which the moves go on.
    SetUp(Setup),
}

impl PlayedGame {
    /// A game without moves.
    pub(super) fn new(raw: &RawGame, variant: Variant, start: Setup) -> Self {
        PlayedGame {
            number: raw.number,
            line: raw.line,
            variant,
            tags: raw.tags.clone(),
            start,
            moves: Vec::new(),
            remarks: Vec::new(),
            unread: None,
            result: GameResult::default(),
            problems: raw.problems.clone(),
        }
    }

    /// The value of the first tag of a name, PDN's or another language's.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|tag| tag.canonical_name() == name)?;
        Some(&tag.value)
    }

    /// Whether something kept the game from being read to its end.
    pub fn has_error(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }

    /// The moves as text.
    pub fn move_texts(&self, style: Style) -> Vec<String> {
        let mut texts = Vec::with_capacity(self.moves.len());
        with_rules!(self.variant, R => {
            self.walk::<R>(|step| if let Step::Move(position, mv) = step {
                texts.push(moves::write::<R>(&position.board, &mv, style));
            });
        });
        texts
    }

    /// Shows the FEN of each position, from the first to the last; set-ups have their own.
    pub fn each_fen(&self, squares: Squares, mut show: impl FnMut(String)) {
        with_rules!(self.variant, R => {
            self.walk::<R>(|step| if let Step::Position(position, counted) = step {
                show(text::<R>(position, &counted, squares));
            });
        });
    }

    /// The FEN of the first and that of the last position.
    pub fn first_and_last_fen(&self, squares: Squares) -> (String, String) {
        let mut ends = (String::new(), String::new());
        with_rules!(self.variant, R => {
            let mut end = None;
            self.walk::<R>(|step| if let Step::Position(position, counted) = step {
                end = Some((*position, counted));
            });
            ends.0 = fen::write::<R>(&self.start.board, squares, self.start.suffixes);
            if let Some((position, counted)) = &end {
                ends.1 = text::<R>(position, counted, squares);
            }
        });
        ends
    }

    /// The positions set up within the game, each with the number of moves before it.
    pub fn set_ups(&self) -> impl Iterator<Item = (usize, &Setup)> {
        self.remarks.iter().filter_map(|remark| match &remark.kind {
            RemarkKind::SetUp(setup) => Some((remark.ply, setup)),
            _ => None,
        })
    }

    /// A position of the game's set as a FEN.
    pub fn fen(&self, setup: &Setup, squares: Squares) -> String {
        with_rules!(self.variant, R => fen::write::<R>(&setup.board, squares, setup.suffixes))
    }

    /// Whether its moves begin at the start of a game.
    pub fn starts_normally(&self) -> bool {
        self.start == with_rules!(self.variant, R => Setup::start::<R>())
    }

    /// The game without tags and remarks, and without its moves after the first `plies`.
    pub fn bare(&self, plies: usize) -> PlayedGame {
        PlayedGame {
            tags: Vec::new(),
            moves: self.moves.iter().take(plies).copied().collect(),
            remarks: self
                .set_ups()
                .map(|(ply, setup)| Remark {
                    ply,
                    kind: RemarkKind::SetUp(*setup),
                })
                .collect(),
            unread: None,
            result: self.result.clone(),
            problems: Vec::new(),
            ..*self
        }
    }

    /// The moves with their numbers, and the result, in lines, without anything else.
    pub fn plain_moves(&self, style: Style) -> String {
        let text = self.bare(usize::MAX).write(style);
        let moves = text.split_once("\n\n").map(|(_, moves)| moves);
        moves.unwrap_or_default().trim_end().to_owned()
    }

    /// The game in PDN 3.0, its moves in a style; an empty line ends it. What could not be read stands in a comment.
    pub fn write(&self, style: Style) -> String {
        with_rules!(self.variant, R => write::<R>(&self.written::<R>(style), style.squares))
    }

    fn written<R: Rules>(&self, style: Style) -> Game {
        let mut items = Vec::with_capacity(self.moves.len() + self.remarks.len());
        self.walk::<R>(|step| match step {
            Step::Position(..) => {}
            Step::Remark(kind) => items.push(match kind {
                RemarkKind::Comment(text) => Item::Comment(text.clone()),
                RemarkKind::Nag(number) => Item::Nag(*number),
                RemarkKind::Variation(text) => Item::Variation(text.clone()),
                RemarkKind::SetUp(Setup { board, suffixes }) => {
                    Item::SetUp(fen::write::<R>(board, style.squares, *suffixes), board.side)
                }
            }),
            Step::Move(position, mv) => {
                items.push(Item::Move(moves::write::<R>(&position.board, &mv, style)));
            }
        });
        if let Some(unread) = &self.unread {
            items.push(Item::Comment(format!("not read: {unread}")));
        }
        let own = ["Result", "GameType", "SetUp", "FEN"];
        let tags = self
            .tags
            .iter()
            .filter(|t| !own.contains(&t.canonical_name()));
        let fen = fen::write::<R>(&self.start.board, style.squares, self.start.suffixes);
        Game {
            tags: tags
                .map(|tag| (tag.canonical_name().to_owned(), tag.value.clone()))
                .collect(),
            fen: (self.start != Setup::start::<R>()).then_some(fen),
            first: self.start.board.side,
            items,
            result: self.result.clone(),
        }
    }

    /// Goes through the game: its first position, then remarks, set-ups and moves with the positions they lead to.
    fn walk<R: Rules>(&self, mut visit: impl FnMut(Step<'_, R>)) {
        let table = R::draw_table(DrawRules::default());
        let begin = |setup: &Setup| {
            let mut position = Position::<R>::new(setup.board, &table);
            position.counters.no_progress = setup.suffixes.half_moves.unwrap_or(0);
            let counted = Counted {
                suffixes: setup.suffixes,
                first: setup.board.side,
                plies: 0,
            };
            (position, counted)
        };
        let (mut position, mut counted) = begin(&self.start);
        visit(Step::Position(&position, counted));
        let mut remarks = self.remarks.iter().peekable();
        for ply in 0..=self.moves.len() {
            while let Some(remark) = remarks.next_if(|remark| remark.ply <= ply) {
                visit(Step::Remark(&remark.kind));
                if let RemarkKind::SetUp(setup) = &remark.kind {
                    (position, counted) = begin(setup);
                    visit(Step::Position(&position, counted));
                }
            }
            if let Some(mv) = self.moves.get(ply) {
                visit(Step::Move(&position, *mv));
                position = position.after(mv, &table);
                counted.plies += 1;
                visit(Step::Position(&position, counted));
            }
        }
    }
}

/// What a FEN's counters depend on: those of the last set-up, the side to move in it, and the plies since.
#[derive(Clone, Copy, Debug)]
struct Counted {
    suffixes: Suffixes,
    first: Side,
    plies: usize,
}

/// The FEN of a position of a game.
fn text<R: Rules>(position: &Position<R>, counted: &Counted, squares: Squares) -> String {
    let no_progress = position.counters.no_progress;
    let suffixes = counted
        .suffixes
        .after::<R>(counted.first, counted.plies, no_progress);
    fen::write::<R>(&position.board, squares, suffixes)
}

/// A step of a game.
enum Step<'a, R: Rules> {
    /// A position is reached.
    Position(&'a Position<R>, Counted),
    /// Something is said, or a position set up.
    Remark(&'a RemarkKind),
    /// A move is made in a position.
    Move(&'a Position<R>, Move),
}
