//! A game as it stands in its file: tags, and the words of its moves with their lines.

use super::problem::{Finding, Problem};
use super::{GameResult, Severity};

/// The bytes of text, tags and bookkeeping a game may have.
pub const MOST_TEXT: usize = 8 << 20;

/// Findings kept of a game; the others are counted.
const MOST_PROBLEMS: usize = 50;

/// A tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    /// Its name, as it was written.
    pub name: String,
    /// Its value, without the marks that protect quotes.
    pub value: String,
    /// Where it stands.
    pub line: usize,
}

/// Names of tags in other languages, with PDN's.
const ALIASES: &[(&str, &[&str])] = &[
    ("Event", &["evento", "dati", "manifestazione"]),
    ("Site", &["luogo", "sito"]),
    ("Date", &["data"]),
    ("Round", &["turno"]),
    ("White", &["bianco"]),
    ("Black", &["nero"]),
    ("Result", &["risultato"]),
    ("GameType", &["game_type"]),
    ("SetUp", &[]),
    ("FEN", &[]),
];

/// Whether a tag's name is one or any of the others, in whatever case.
fn is_any_of(name: &str, one: &str, others: &[&str]) -> bool {
    let is = |other: &&str| name.eq_ignore_ascii_case(other);
    is(&one) || others.iter().any(is)
}

impl Tag {
    /// PDN's own name of the tag, if it has one for it.
    pub fn canonical_name(&self) -> &str {
        ALIASES
            .iter()
            .find(|(canonical, others)| is_any_of(&self.name, canonical, others))
            .map_or(&self.name, |(canonical, _)| canonical)
    }
}

/// What a word among the moves is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A move, or what should be one.
    Word,
    /// A comment, without its braces and with single blanks.
    Comment,
    /// A variation, without its parentheses and with single blanks.
    Variation,
    /// The number of a glyph, those of `!` and its like included.
    Nag,
    /// The FEN of a position from which the moves go on.
    SetUp,
}

/// A word of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its line, from 1.
    pub line: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A game as it stands in its file. One is filled again and again, so that reading allocates little.
#[derive(Clone, Debug, Default)]
pub struct RawGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The line where it begins.
    pub line: usize,
    /// Its tags in their order.
    pub tags: Vec<Tag>,
    /// Its words in their order.
    pub tokens: Vec<Token>,
    /// The result at its end; `None` if there is none.
    pub end: Option<GameResult>,
    text: String,
    tag_bytes: usize,
    overflown: bool,
    moving: bool,
    /// What was found, in the order of the lines.
    pub problems: Vec<Problem>,
    more_problems: usize,
}

impl RawGame {
    /// The text of a word of this game.
    pub fn text(&self, token: &Token) -> &str {
        self.text.get(token.start..token.end).unwrap_or_default()
    }

    /// The first tag of a name, PDN's or another language's.
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        let of_name = |(canonical, _): &&(&str, &[&str])| *canonical == name;
        let others = ALIASES.iter().find(of_name).map(|(_, others)| *others);
        self.tags.iter().find(|tag| match others {
            Some(others) => is_any_of(&tag.name, name, others),
            None => tag.name == name,
        })
    }

    pub(super) fn clear(&mut self) {
        self.line = 0;
        self.tags.clear();
        self.tokens.clear();
        self.end = None;
        self.text.clear();
        self.tag_bytes = 0;
        self.overflown = false;
        self.moving = false;
        self.problems.clear();
        self.more_problems = 0;
    }

    /// Whether anything of it has been read.
    pub(super) fn has_begun(&self) -> bool {
        !self.tags.is_empty() || self.has_moves()
    }

    /// Whether anything after its tags has been read.
    pub(super) fn has_moves(&self) -> bool {
        self.overflown || self.moving
    }

    /// Whether `count` more bytes fit; if not, the game ends here.
    pub(super) fn has_room(&mut self, count: usize, line: usize) -> bool {
        let tokens = self.tokens.len() * size_of::<Token>();
        let used = self.text.len() + self.tag_bytes + tokens;
        if !self.overflown && used + count > MOST_TEXT {
            self.overflown = true;
            self.note(line, Finding::TooLong);
        }
        !self.overflown
    }

    /// Adds a word.
    pub(super) fn push(&mut self, kind: TokenKind, line: usize, text: &str) {
        self.moving |= kind != TokenKind::Comment;
        if self.has_room(text.len() + size_of::<Token>(), line) {
            let start = self.text.len();
            self.text.push_str(text);
            self.tokens.push(Token {
                kind,
                line,
                start,
                end: self.text.len(),
            });
        }
    }

    /// Adds a tag.
    pub(super) fn push_tag(&mut self, tag: Tag) {
        let size = tag.name.len() + tag.value.len() + size_of::<Tag>();
        if self.has_room(size, tag.line) {
            self.tag_bytes += size;
            self.tags.push(tag);
        }
    }

    /// Lengthens the last word, which must be the last thing read.
    pub(super) fn lengthen(&mut self, text: &str, line: usize) {
        if self.has_room(text.len(), line)
            && let Some(last) = self.tokens.last_mut()
        {
            self.text.push_str(text);
            last.end = self.text.len();
        }
    }

    /// Takes the last word away.
    pub(super) fn pop(&mut self) {
        if let Some(last) = self.tokens.pop() {
            self.text.truncate(last.start);
        }
    }

    /// The last word, if it is the last thing read.
    pub(super) fn last_word(&self) -> Option<&str> {
        let last = self.tokens.last()?;
        (last.kind == TokenKind::Word).then(|| self.text(last))
    }

    /// Notes a finding; an error nearly always finds room.
    pub(super) fn note(&mut self, line: usize, finding: Finding) {
        let is_error = finding.severity() == Severity::Error;
        if is_error && self.problems.len() < 2 * MOST_PROBLEMS
            || self.problems.len() < MOST_PROBLEMS
        {
            self.problems.push(Problem { line, finding });
        } else {
            self.more_problems += 1;
        }
    }

    /// The game is read: what was counted is noted.
    pub(super) fn close(&mut self, line: usize) {
        if self.more_problems > 0 {
            let finding = Finding::More(self.more_problems);
            self.problems.push(Problem { line, finding });
        }
    }
}
