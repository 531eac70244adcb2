//! Which moves the words of a game mean.
//!
//! A short capture may mean several legal ones. Each of them begins a line of its own, and the words that follow decide: a
//! line in which the next word is not legal ends there. Where words go on from the square the one before ended on, they are
//! the jumps of one capture. At most [`MOST_LINES`] are followed.

use smallvec::SmallVec;

use super::problem::{Finding, Problem};
use super::{RawGame, Token, TokenKind};
use crate::board::movegen::legal_moves;
use crate::board::{Board, Move, Rules};
use crate::notation::moves::{Cut, cut, illegal, is_separator, readings, write};
use crate::notation::{Notation, Setup, Squares, Style, excerpt, fen};

/// Readings of a game that are followed at a time.
const MOST_LINES: usize = 64;

/// Steps after which the best of several readings is taken.
const MOST_DOUBTFUL: usize = 500;

/// Other readings that are noted.
const MOST_NOTED: usize = 3;

/// Words that one capture may be split into.
const MOST_JUMPS: usize = 32;

/// What a word of the game did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    /// The first of its tokens.
    pub(super) token: usize,
    /// What it did.
    pub(super) act: Act,
}

/// What a word may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Act {
    /// A legal move.
    Move(Move),
    /// A position from which the moves go on.
    SetUp(Setup),
    /// A number, or an empty move before the first: nothing.
    Nothing,
}

/// A reading of the game.
#[derive(Clone, Debug)]
struct Line {
    board: Board,
    /// The token to be read.
    next: usize,
    /// What it read since it split off from the others.
    steps: Vec<Step>,
    moves: usize,
    /// How often it took a word for less than the word says.
    strained: u32,
    /// What it leaves undecided.
    doubts: Vec<Problem>,
}

/// What a word may mean in a line.
struct Meaning {
    act: Act,
    /// How many tokens it takes.
    tokens: usize,
    strained: bool,
}

type Meanings = SmallVec<[Meaning; 2]>;

/// A game being replayed.
pub(super) struct Replay<'a, R: Rules> {
    raw: &'a RawGame,
    start: Setup,
    /// What all lines have in common.
    pub(super) steps: Vec<Step>,
    /// The position after those steps, where there is more than one line.
    fork: Board,
    /// How many moves those are.
    fork_moves: usize,
    /// What was found on the way.
    pub(super) problems: Vec<Problem>,
    /// The first token that could not be read.
    pub(super) stop: Option<usize>,
    rules: std::marker::PhantomData<R>,
}

impl<'a, R: Rules> Replay<'a, R> {
    pub(super) fn new(raw: &'a RawGame, start: Setup) -> Self {
        Replay {
            raw,
            start,
            steps: Vec::with_capacity(raw.tokens.len()),
            fork: start.board,
            fork_moves: 0,
            problems: Vec::new(),
            stop: None,
            rules: std::marker::PhantomData,
        }
    }

    pub(super) fn run(mut self) -> Self {
        let mut lines = vec![Line {
            board: self.start.board,
            next: 0,
            steps: Vec::new(),
            moves: 0,
            strained: 0,
            doubts: Vec::new(),
        }];
        let mut failed: Option<(Line, Problem)> = None;
        loop {
            if lines.len() > 1 && lines.iter().any(|line| line.steps.len() > MOST_DOUBTFUL) {
                self.decide(&mut lines);
            }
            let got_on = |line: &Line| failed.as_ref().is_none_or(|(f, _)| f.next < line.next);
            if let [line] = lines.as_mut_slice()
                && got_on(line)
            {
                self.steps.append(&mut line.steps);
                self.problems.append(&mut line.doubts);
                (self.fork, self.fork_moves) = (line.board, line.moves);
                failed = None;
            }
            let Some(index) = self.next_line(&lines) else {
                break;
            };
            let Some(meanings) = lines.get(index).map(|line| self.meanings(line)) else {
                break;
            };
            // Nearly always there is one line, and one way to read it on.
            if let [line] = lines.as_mut_slice()
                && let Ok([meaning]) = meanings.as_deref()
            {
                self.extend(line, meaning);
                continue;
            }
            let line = lines.remove(index);
            match meanings {
                Ok(meanings) => {
                    for (more, meaning) in meanings.iter().enumerate() {
                        let mut child = line.clone();
                        self.extend(&mut child, meaning);
                        self.insert(&mut lines, index + more, child);
                    }
                }
                Err(finding) => {
                    let token = self.raw.tokens.get(line.next);
                    let at = token.map_or(self.raw.line, |token| token.line);
                    let further = failed
                        .as_ref()
                        .is_none_or(|(other, _)| line.next > other.next);
                    if further {
                        failed = Some((line, Problem { line: at, finding }));
                    }
                }
            }
        }
        self.end(lines, failed);
        self
    }

    /// The line that is behind the others; `None` at the end of all.
    fn next_line(&self, lines: &[Line]) -> Option<usize> {
        let (index, line) = lines.iter().enumerate().min_by_key(|(_, line)| line.next)?;
        (line.next < self.raw.tokens.len()).then_some(index)
    }

    /// All lines have come to their end: the best of them, or the one that came furthest, is the game.
    fn end(&mut self, mut lines: Vec<Line>, failed: Option<(Line, Problem)>) {
        self.decide(&mut lines);
        if let (None, Some((line, problem))) = (lines.first(), failed) {
            self.stop = Some(line.next);
            self.problems.push(problem);
            lines.push(line);
        }
        for line in lines {
            self.steps.extend(line.steps);
            self.problems.extend(line.doubts);
        }
    }

    /// Leaves the best of several lines and notes what is as good.
    fn decide(&mut self, lines: &mut Vec<Line>) {
        let Some(least) = lines.iter().map(|line| line.strained).min() else {
            return;
        };
        let mut equal = lines.drain(..).filter(|line| line.strained == least);
        if let Some(best) = equal.next() {
            let doubts = equal.filter_map(|other| self.doubt(&best, &other));
            let doubts: Vec<Problem> = doubts.take(MOST_NOTED).collect();
            self.problems.extend(doubts);
            lines.push(best);
        }
    }

    /// What two lines differ in; `None` if they are the same.
    fn doubt(&self, taken: &Line, other: &Line) -> Option<Problem> {
        let mut pairs = taken.steps.iter().zip(&other.steps);
        let mut board = self.fork;
        let mut moves = self.fork_moves;
        let (mine, theirs) = loop {
            let (mine, theirs) = pairs.next()?;
            if mine != theirs {
                break (mine, theirs);
            }
            match mine.act {
                Act::Move(mv) => {
                    board = board.after(&mv);
                    moves += 1;
                }
                Act::SetUp(setup) => board = setup.board,
                Act::Nothing => {}
            }
        };
        let text = |step: &Step| match step.act {
            Act::Move(mv) => write::<R>(&board, &mv, PATHS),
            _ => "no move".to_owned(),
        };
        let token = self.raw.tokens.get(mine.token)?;
        Some(Problem {
            line: token.line,
            finding: Finding::Ambiguous {
                number: self.number(moves),
                side: board.side,
                text: excerpt(self.raw.text(token).chars()),
                taken: text(mine),
                other: text(theirs),
            },
        })
    }

    /// The number of the move after `moves`.
    fn number(&self, moves: usize) -> usize {
        let begun = usize::from(self.start.board.side != R::FIRST_MOVER);
        (moves + begun) / 2 + 1
    }

    /// Puts a line among the others, unless one of them stands in the same position.
    fn insert(&mut self, lines: &mut Vec<Line>, index: usize, line: Line) {
        let same = |other: &&mut Line| other.next == line.next && other.board == line.board;
        if let Some(other) = lines.iter_mut().find(same) {
            if other.strained == line.strained
                && other.doubts.is_empty()
                && let Some(doubt) = self.doubt(other, &line)
            {
                other.doubts.push(doubt);
            }
        } else if lines.len() < MOST_LINES {
            lines.insert(index.min(lines.len()), line);
        } else {
            let finding = Finding::TooManyLines(MOST_LINES);
            let noted = |p: &Problem| p.finding == finding;
            if !self.problems.iter().any(noted) {
                let token = self.raw.tokens.get(line.next.saturating_sub(1));
                let line = token.map_or(self.raw.line, |token| token.line);
                self.problems.push(Problem { line, finding });
            }
        }
    }

    /// Lets a line read on.
    fn extend(&self, line: &mut Line, meaning: &Meaning) {
        match meaning.act {
            Act::Move(mv) => {
                line.board = line.board.after(&mv);
                line.moves += 1;
            }
            Act::SetUp(setup) => line.board = setup.board,
            Act::Nothing => {}
        }
        if meaning.act != Act::Nothing {
            line.steps.push(Step {
                token: line.next,
                act: meaning.act,
            });
        }
        line.next += meaning.tokens;
        line.strained += u32::from(meaning.strained);
    }

    /// What the next token of a line may mean, the best first.
    fn meanings(&mut self, line: &Line) -> Result<Meanings, Finding> {
        let nothing = |tokens| Meaning {
            act: Act::Nothing,
            tokens,
            strained: false,
        };
        let tokens = self.raw.tokens.get(line.next..).unwrap_or_default();
        let acts = |token: &Token| matches!(token.kind, TokenKind::Word | TokenKind::SetUp);
        let Some(token) = tokens.first().filter(|token| acts(token)) else {
            let passed = tokens.iter().position(acts).unwrap_or(tokens.len());
            return Ok(SmallVec::from_iter([nothing(passed.max(1))]));
        };
        let text = self.raw.text(token);
        if token.kind == TokenKind::SetUp {
            let setup = fen::parse::<R>(text).map_err(Finding::Fen)?;
            let act = Act::SetUp(setup);
            return Ok(SmallVec::from_iter([Meaning { act, ..nothing(1) }]));
        }
        if text.len() <= 3 && text.bytes().all(|b| b.is_ascii_digit()) {
            return Ok(SmallVec::from_iter([nothing(1)]));
        }
        if is_null(text) {
            if line.moves > 0 {
                return Err(Finding::NullMove {
                    number: self.number(line.moves),
                    side: line.board.side,
                    text: excerpt(text.chars()),
                });
            }
            self.problems.push(Problem {
                line: token.line,
                finding: Finding::LeadingNull(excerpt(text.chars())),
            });
            return Ok(SmallVec::from_iter([nothing(1)]));
        }
        self.moves(line, text, tokens)
    }

    /// What moves a word may mean, alone or with those after it.
    fn moves(&self, line: &Line, text: &str, tokens: &[Token]) -> Result<Meanings, Finding> {
        let failed = |error| Finding::Move {
            number: self.number(line.moves),
            side: line.board.side,
            error,
            fitting: Vec::new(),
        };
        let cut = cut::<R>(text).map_err(failed)?;
        let legal = legal_moves::<R>(&line.board);
        let mut meanings = Meanings::new();
        if legal.first().is_some_and(Move::is_capture) {
            self.jumps(line, &legal, &cut, tokens, &mut meanings);
        }
        let split = !meanings.is_empty();
        let found = readings::<R>(&line.board, &legal, &cut.squares);
        for (index, mv) in found.moves.iter().enumerate() {
            meanings.push(Meaning {
                act: Act::Move(*mv),
                tokens: 1,
                strained: split || index >= found.equal,
            });
        }
        if meanings.is_empty() {
            return Err(failed(illegal::<R>(&line.board, &legal, &cut, text)));
        }
        Ok(meanings)
    }

    /// Captures whose jumps are words of their own, the longest first.
    fn jumps(
        &self,
        line: &Line,
        legal: &[Move],
        first: &Cut,
        tokens: &[Token],
        meanings: &mut Meanings,
    ) {
        let mut squares = first.squares.clone();
        for (index, token) in tokens.iter().enumerate().take(MOST_JUMPS).skip(1) {
            if token.kind != TokenKind::Word {
                break;
            }
            let text = self.raw.text(token);
            let Ok(next) = cut::<R>(text) else { break };
            let [from, rest @ ..] = next.squares.as_slice() else {
                break;
            };
            if squares.last() != Some(from) {
                break;
            }
            squares.extend_from_slice(rest);
            let found = readings::<R>(&line.board, legal, &squares);
            for (rank, mv) in found.moves.iter().enumerate() {
                let meaning = Meaning {
                    act: Act::Move(*mv),
                    tokens: index + 1,
                    strained: rank >= found.equal,
                };
                meanings.insert(rank, meaning);
            }
        }
    }
}

/// Moves are named by their whole path where it matters which one is meant.
const PATHS: Style = Style {
    notation: Notation::Path,
    squares: Squares::Native,
};

/// Whether a word stands for no move.
fn is_null(text: &str) -> bool {
    ["null", "pass", "0000"].contains(&text) || text.chars().all(is_separator)
}
