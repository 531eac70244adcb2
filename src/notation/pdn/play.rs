//! Replays a game by the rules of its set.
//!
//! A short capture may mean several legal ones. Each of them begins a line of its own, and the words that follow decide: a
//! line in which the next word is not legal ends there. Where words go on from the square the one before ended on, they are
//! the jumps of one capture. At most [`MOST_LINES`] are followed.

use smallvec::SmallVec;

use super::played::{PlayedGame, Remark, RemarkKind};
use super::problem::{Finding, Problem};
use super::{GameResult, RawGame, Token, TokenKind};
use crate::board::movegen::legal_moves;
use crate::board::{Board, Move, Rules, Variant};
use crate::notation::moves::{Cut, cut, illegal, is_separator, readings, write};
use crate::notation::{Notation, Setup, Squares, Style, excerpt, fen};
use crate::with_rules;

/// Readings of a game that are followed at a time.
const MOST_LINES: usize = 64;

/// Steps after which the best of several readings is taken.
const MOST_DOUBTFUL: usize = 500;

/// Other readings that are noted.
const MOST_NOTED: usize = 3;

/// Words that one capture may be split into.
const MOST_JUMPS: usize = 32;

/// Replays a game; `default` is its set if it does not say.
///
/// What cannot be read is a problem of the game, and its moves up to there are kept.
pub fn play(raw: &RawGame, default: Variant) -> PlayedGame {
    let (variant, unknown) = match variant_of(raw, default) {
        Ok(variant) => (variant, None),
        Err(problem) => (default, Some(problem)),
    };
    let known = unknown.is_none();
    let mut game = with_rules!(variant, R => {
        if known { replay::<R>(raw) } else {
            let mut game = PlayedGame::new(raw, variant, Setup::start::<R>());
            game.unread = rest_of(raw, 0);
            game
        }
    });
    game.problems.extend(unknown);
    for problem in &mut game.problems {
        if let Finding::Move { fitting, .. } = &mut problem.finding {
            *fitting = fitting_sets(raw, variant);
        }
    }
    settle_result(raw, &mut game);
    game.problems.sort_by_key(|problem| problem.line);
    game
}

/// The set of a game by its tag.
fn variant_of(raw: &RawGame, default: Variant) -> Result<Variant, Problem> {
    let Some(tag) = raw.tag("GameType") else {
        return Ok(default);
    };
    let value = tag.value.trim();
    if value.is_empty() || value == "?" {
        return Ok(default);
    }
    let rest = value.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = value.get(..value.len() - rest.len()).unwrap_or_default();
    let variant = match number.parse() {
        Ok(number) => Variant::from_game_type(number),
        Err(_) => Variant::from_name(value),
    };
    variant.ok_or_else(|| Problem {
        line: tag.line,
        finding: Finding::GameType(excerpt(value.chars())),
    })
}

/// The sets but `variant` by whose rules all moves of the game are legal.
fn fitting_sets(raw: &RawGame, variant: Variant) -> Vec<Variant> {
    let others = Variant::ALL.into_iter().filter(|v| *v != variant);
    others
        .filter(|&other| {
            let game = with_rules!(other, R => replay::<R>(raw));
            game.unread.is_none() && !game.moves.is_empty()
        })
        .collect()
}

/// The result is that of the last word, or the tag's if that says nothing.
fn settle_result(raw: &RawGame, game: &mut PlayedGame) {
    let tag = raw.tag("Result");
    let said = tag.map_or(GameResult::Unknown, |tag| GameResult::read(&tag.value));
    match &raw.end {
        None | Some(GameResult::Unknown) => game.result = said,
        Some(end) => {
            if let Some(tag) = tag.filter(|_| said != GameResult::Unknown && said != *end) {
                game.problems.push(Problem {
                    line: tag.line,
                    finding: Finding::Results {
                        tag: excerpt(tag.value.chars()),
                        end: end.tag(game.variant).to_owned(),
                    },
                });
            }
            game.result = end.clone();
        }
    }
}

/// What a word of the game did.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    /// The first of its tokens.
    token: usize,
    act: Act,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    Move(Move),
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

fn replay<R: Rules>(raw: &RawGame) -> PlayedGame {
    let start = match start_of::<R>(raw) {
        Ok(start) => start,
        Err(problem) => {
            let mut game = PlayedGame::new(raw, R::VARIANT, Setup::start::<R>());
            game.unread = rest_of(raw, 0);
            game.problems.push(problem);
            return game;
        }
    };
    let replayed = Replay::<R>::new(raw, start).run();
    let mut game = PlayedGame::new(raw, R::VARIANT, start);
    game.problems.extend(replayed.problems);
    fill(raw, &replayed.steps, replayed.stop, &mut game);
    game
}

/// The first position, by the tag FEN, or by SetUp where that has one.
fn start_of<R: Rules>(raw: &RawGame) -> Result<Setup, Problem> {
    let set_up = || raw.tag("SetUp").filter(|tag| tag.value.contains(':'));
    let tag = raw.tag("FEN").or_else(set_up);
    let Some(tag) = tag.filter(|tag| !tag.value.trim().is_empty()) else {
        return Ok(Setup::start::<R>());
    };
    fen::parse::<R>(&tag.value).map_err(|error| Problem {
        line: tag.line,
        finding: Finding::Fen(error),
    })
}

/// Fills in what the steps say, and the remarks between them; `stop` is the first token that is not read.
fn fill(raw: &RawGame, steps: &[Step], stop: Option<usize>, game: &mut PlayedGame) {
    let end = stop.unwrap_or(raw.tokens.len());
    let mut signs = (0, None);
    let mut steps = steps.iter().peekable();
    for (index, token) in raw.tokens.iter().enumerate().take(end) {
        if let Some(step) = steps.next_if(|step| step.token == index) {
            match step.act {
                Act::Move(mv) => {
                    if has_wrong_sign(raw.text(token), &mv) {
                        signs = (signs.0 + 1, signs.1.or(Some(token)));
                    }
                    game.moves.push(mv);
                }
                Act::SetUp(setup) => {
                    let (ply, kind) = (game.moves.len(), RemarkKind::SetUp(setup));
                    game.remarks.push(Remark { ply, kind });
                }
                Act::Nothing => {}
            }
        }
        if let Some(kind) = remark(raw, token) {
            let ply = game.moves.len();
            game.remarks.push(Remark { ply, kind });
        }
    }
    if let (count, Some(token)) = signs {
        game.problems.push(Problem {
            line: token.line,
            finding: Finding::Signs {
                count,
                first: excerpt(raw.text(token).chars()),
            },
        });
    }
    game.unread = stop.and_then(|stop| rest_of(raw, stop));
}

fn remark(raw: &RawGame, token: &Token) -> Option<RemarkKind> {
    let text = raw.text(token);
    match token.kind {
        TokenKind::Word | TokenKind::SetUp => None,
        TokenKind::Comment => Some(RemarkKind::Comment(text.to_owned())),
        TokenKind::Variation => Some(RemarkKind::Variation(text.to_owned())),
        TokenKind::Nag => text.parse().ok().map(RemarkKind::Nag),
    }
}

/// Whether a capture has the sign of a quiet move, or the other way round.
fn has_wrong_sign(text: &str, mv: &Move) -> bool {
    let sign = text.chars().find(|&c| is_separator(c));
    sign.is_some_and(|sign| matches!(sign, 'x' | 'X' | ':' | '×' | '✕') != mv.is_capture())
}

/// The tokens from `stop` on as text; `None` if there are none.
fn rest_of(raw: &RawGame, stop: usize) -> Option<String> {
    let mut rest = String::new();
    for token in raw.tokens.iter().skip(stop) {
        let text = raw.text(token);
        if !rest.is_empty() {
            rest.push(' ');
        }
        match token.kind {
            TokenKind::Word => rest += text,
            TokenKind::Comment => rest.extend(["{", text, "}"]),
            TokenKind::Variation => rest.extend(["(", text, ")"]),
            TokenKind::Nag => rest.extend(["$", text]),
            TokenKind::SetUp => rest.extend(["/FEN \"", text, "\"/"]),
        }
    }
    (!rest.is_empty()).then_some(rest)
}

/// A game being replayed.
struct Replay<'a, R: Rules> {
    raw: &'a RawGame,
    start: Setup,
    /// What all lines have in common.
    steps: Vec<Step>,
    /// The position after those steps, where there is more than one line.
    fork: Board,
    /// How many moves those are.
    fork_moves: usize,
    problems: Vec<Problem>,
    /// The first token that could not be read.
    stop: Option<usize>,
    rules: std::marker::PhantomData<R>,
}

impl<'a, R: Rules> Replay<'a, R> {
    fn new(raw: &'a RawGame, start: Setup) -> Self {
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

    fn run(mut self) -> Self {
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
