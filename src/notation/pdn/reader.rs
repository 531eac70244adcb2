//! Cuts a stream into games.
//!
//! A game ends at its result, where the tags of the next begin, or with the file. Comments and variations that are never
//! closed end where a line begins with a tag, so that one slip costs one game. Memory is bounded by [`MOST_TEXT`]
//! whatever the input, and nothing recurses.

use std::io::{self, Read};

use encoding_rs::{Encoding, WINDOWS_1252};

use super::GameResult;
use super::problem::Finding;
use super::raw::{MOST_TEXT, RawGame, Tag, TokenKind};
use super::source::{Source, is_tag_start};
use super::words::{
    belongs_to, decoded, glyphs, has_single_blanks, is_move_like, is_name_byte, without_number,
};
use crate::notation::excerpt;

/// The bytes of a word, a tag's name and a tag's value that are kept.
const MOST_WORD: usize = 1 << 10;
const MOST_VALUE: usize = 1 << 16;

/// How far is looked ahead for the end of a comment in a comment.
const NESTING_SIGHT: usize = 1 << 12;

/// Reads the games of a stream one after the other.
#[derive(Debug)]
pub struct Reader<I> {
    source: Source<I>,
    /// What text is that is not UTF-8.
    encoding: &'static Encoding,
    games: usize,
    /// Whether nothing has been read yet.
    fresh: bool,
    scratch: Vec<u8>,
    /// Whether a line was empty since the last thing read.
    after_blank_line: bool,
}

/// Whether a comment or a variation came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Close {
    Closed,
    Open,
}

impl<I: Read> Reader<I> {
    /// Reads from an input, in UTF-8 or, where it is not that, Windows-1252 (of which ISO-8859-1 is a part).
    pub fn new(input: I) -> Self {
        Self::with_encoding(input, WINDOWS_1252)
    }

    /// Reads from an input whose text is in UTF-8 or, where it is not that, in `encoding`, which must have ASCII in it.
    pub fn with_encoding(input: I, encoding: &'static Encoding) -> Self {
        Reader {
            source: Source::new(input),
            encoding,
            games: 0,
            fresh: true,
            scratch: Vec::new(),
            after_blank_line: false,
        }
    }

    /// Reads the next game into `game`, whatever that held; false if there is none. Problems that belong to no game come
    /// with the one after them, those after the last game with the answer false.
    ///
    /// # Errors
    ///
    /// What the input says, and a text in UTF-16.
    pub fn read(&mut self, game: &mut RawGame) -> io::Result<bool> {
        game.clear();
        if std::mem::take(&mut self.fresh)
            && matches!(self.source.ahead(2), [0xff, 0xfe] | [0xfe, 0xff])
        {
            let text = "the text is UTF-16, expected UTF-8 or an encoding of one byte a letter";
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        self.after_blank_line = false;
        while let Some(byte) = self.next_thing() {
            if !game.has_begun() {
                game.line = self.source.line;
            }
            if byte == b'[' && is_tag_start(self.source.ahead(MOST_WORD)) {
                if self.begins_next_game(game) {
                    break;
                }
                self.tag(game);
            } else {
                self.element(game, byte);
                if game.end.is_some() {
                    self.after_the_end(game);
                    break;
                }
            }
            self.after_blank_line = false;
        }
        if let Some(error) = self.source.failure() {
            return Err(error);
        }
        game.close(self.source.line);
        let found = game.has_begun();
        self.games += usize::from(found);
        game.number = self.games;
        if found {
            settle_result(game);
        }
        Ok(found)
    }

    /// Passes over blanks; the byte after them.
    fn next_thing(&mut self) -> Option<u8> {
        loop {
            let at_line_start = self.source.at_line_start;
            match self.source.peek()? {
                b'\n' => self.after_blank_line |= at_line_start,
                b' ' | b'\t' | 0 | 0x0b | 0x0c | 0x1a => {}
                0xef if self.source.ahead(3) == "\u{feff}".as_bytes() => self.source.skip(2),
                byte => return Some(byte),
            }
            self.source.advance();
        }
    }

    /// Whether the tag that stands next is the first of another game than `game`.
    fn begins_next_game(&mut self, game: &RawGame) -> bool {
        if game.has_moves() {
            return true;
        }
        let bytes = self.source.ahead(MOST_WORD).trim_ascii_start();
        let name = bytes.get(1..).unwrap_or_default().trim_ascii_start();
        let end = name.iter().position(|b| !is_name_byte(*b));
        let name = name.get(..end.unwrap_or(name.len())).unwrap_or_default();
        let repeated = game.tags.iter().any(|tag| tag.name.as_bytes() == name);
        repeated && (self.after_blank_line || name.eq_ignore_ascii_case(b"event"))
    }

    /// Reads a tag, whose beginning is sound.
    fn tag(&mut self, game: &mut RawGame) {
        let line = self.source.line;
        self.source.advance();
        self.skip_blanks();
        let mut name = Vec::new();
        while let Some(byte) = self.source.take_if(is_name_byte) {
            name.push(byte);
        }
        self.skip_blanks();
        self.source.advance();
        let mut value = std::mem::take(&mut self.scratch);
        value.clear();
        let sound = self.tag_value(&mut value);
        if !sound {
            let trimmed = value.trim_ascii_end();
            let length = trimmed.strip_suffix(b"]").unwrap_or(trimmed).len();
            value.truncate(length);
        }
        let tag = Tag {
            name: String::from_utf8_lossy(&name).into_owned(),
            value: decoded(&value, self.encoding).into_owned(),
            line,
        };
        self.scratch = value;
        if !sound {
            game.note(line, Finding::Tag(excerpt(tag.name.chars())));
        }
        if game.tags.iter().any(|other| other.name == tag.name) {
            game.note(line, Finding::RepeatedTag(excerpt(tag.name.chars())));
        }
        game.push_tag(tag);
    }

    /// Reads the rest of a tag after the first quote; whether it was well-formed.
    fn tag_value(&mut self, value: &mut Vec<u8>) -> bool {
        let mut sound = true;
        loop {
            let Some(mut byte) = self.source.take_if(|byte| byte != b'\n') else {
                return false;
            };
            if byte == b'\\' && matches!(self.source.peek(), Some(b'"' | b'\\')) {
                byte = self.source.peek().unwrap_or(byte);
                self.source.advance();
            } else if byte == b'"' {
                let is_gap = |b: &u8| matches!(b, b' ' | b'\t');
                let mut next = self.source.ahead(8).iter().copied();
                match next.find(|b| !is_gap(b)) {
                    Some(b']') => {
                        self.skip_blanks();
                        self.source.advance();
                        return sound;
                    }
                    // The bracket is missing.
                    None | Some(b'\n' | b'\r') => return false,
                    // A quote within the value that nobody protected.
                    Some(_) => sound = false,
                }
            }
            if value.len() < MOST_VALUE {
                value.push(byte);
            } else {
                sound = false;
            }
        }
    }

    fn skip_blanks(&mut self) {
        while self.source.take_if(|b| b == b' ' || b == b'\t').is_some() {}
    }

    /// Reads anything but a tag.
    fn element(&mut self, game: &mut RawGame, byte: u8) {
        let line = self.source.line;
        match byte {
            b'{' => {
                let close = self.comment();
                self.add(game, TokenKind::Comment, line);
                if close == Close::Open {
                    game.note(line, Finding::OpenComment);
                }
            }
            b'(' if self.is_mark() => {
                self.source.advance();
                self.one_word();
                self.source.advance();
                let marks = String::from_utf8_lossy(&self.scratch);
                if game.has_begun() {
                    glyphs(game, line, &marks);
                }
            }
            b'(' => {
                let close = self.variation();
                if !game.has_begun() {
                    let text = decoded(&self.scratch, self.encoding);
                    game.note(line, Finding::Outside(excerpt(text.chars())));
                    return;
                }
                self.add(game, TokenKind::Variation, line);
                if close == Close::Open {
                    game.note(line, Finding::OpenVariation);
                }
            }
            b';' => {
                self.source.advance();
                self.rest_of_line();
                self.add(game, TokenKind::Comment, line);
            }
            // A line of somebody's program.
            b'%' => {
                self.source.advance();
                self.rest_of_line();
                if game.has_moves() {
                    self.add(game, TokenKind::Comment, line);
                }
            }
            b'$' => {
                self.source.advance();
                self.scratch.clear();
                while let Some(digit) = self.source.take_if(|b| b.is_ascii_digit()) {
                    self.keep(digit, 8);
                }
                if self.scratch.is_empty() {
                    game.note(line, Finding::Stray('$'));
                } else if game.has_begun() {
                    self.add(game, TokenKind::Nag, line);
                }
            }
            b'[' => self.bracketed(game, line),
            b')' | b'}' | b']' | b'"' => {
                self.source.advance();
                game.note(line, Finding::Stray(byte.into()));
            }
            b'/' if self.source.ahead(4).eq_ignore_ascii_case(b"/FEN") => self.set_up(game, line),
            _ => {
                self.one_word();
                let word = std::mem::take(&mut self.scratch);
                self.word(game, line, &decoded(&word, self.encoding));
                self.scratch = word;
            }
        }
    }

    /// Adds what was scratched up as one word, with single blanks; nothing if it is blank.
    fn add(&mut self, game: &mut RawGame, kind: TokenKind, line: usize) {
        if !game.has_room(self.scratch.len(), line) {
            return;
        }
        let text = decoded(&self.scratch, self.encoding);
        if has_single_blanks(text.as_bytes()) {
            return game.push(kind, line, &text);
        }
        let mut words = text.split_whitespace();
        let Some(first) = words.next() else { return };
        game.push(kind, line, first);
        for word in words {
            game.lengthen(" ", line);
            game.lengthen(word, line);
        }
    }

    /// Scratches up a byte if fewer than `most` are there.
    fn keep(&mut self, byte: u8, most: usize) {
        if self.scratch.len() < most {
            self.scratch.push(byte);
        }
    }

    /// Scratches up the next byte and those after it until a blank or a bracket, or whatever else ends a word.
    fn one_word(&mut self) {
        self.scratch.clear();
        if let Some(byte) = self.source.take_if(|b| b != b'\n') {
            self.scratch.push(byte);
        }
        let goes_on = |b: u8| {
            b > b' '
                && !matches!(
                    b,
                    b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'"' | b'$'
                )
        };
        self.source
            .take_while(&mut self.scratch, MOST_WORD, goes_on);
    }

    /// Scratches up the rest of the line.
    fn rest_of_line(&mut self) {
        self.scratch.clear();
        let most = MOST_TEXT + 1;
        let goes_on = |b| !matches!(b, b'\n' | b'\r');
        self.source.take_while(&mut self.scratch, most, goes_on);
    }

    /// Whether a parenthesis holds nothing but marks: `(?)`.
    fn is_mark(&mut self) -> bool {
        let bytes = self.source.ahead(8);
        let inside = bytes.get(1..).unwrap_or_default();
        let marks = |b: &&u8| matches!(b, b'!' | b'?' | b'*');
        let count = inside.iter().take_while(marks).count();
        count > 0 && inside.get(count) == Some(&b')')
    }

    /// Scratches up a comment.
    fn comment(&mut self) -> Close {
        self.scratch.clear();
        self.source.advance();
        // Comments do not nest in PDN: one within another is told by the closing braces it takes.
        let (mut depth, mut nests) = (0usize, false);
        loop {
            let plain = |b| !matches!(b, b'{' | b'}' | b'\n' | b'\r');
            let most = MOST_TEXT + 1;
            self.source.take_while(&mut self.scratch, most, plain);
            let Some(byte) = self.source.peek() else {
                break;
            };
            match byte {
                b'{' => depth += 1,
                b'}' => {
                    nests = depth > 0 && (nests || self.closes(depth));
                    if !nests {
                        self.source.advance();
                        return Close::Closed;
                    }
                    depth -= 1;
                }
                _ => {}
            }
            self.keep(byte, MOST_TEXT + 1);
            self.source.advance();
            if byte == b'\n' && self.source.at_tag() {
                break;
            }
        }
        Close::Open
    }

    /// Whether `depth` comments, and the one around them, are all closed within sight, the first of them at once.
    fn closes(&mut self, depth: usize) -> bool {
        let mut open = depth + 1;
        let bytes = self.source.ahead(NESTING_SIGHT);
        for (index, byte) in bytes.iter().enumerate() {
            match byte {
                b'{' => open += 1,
                b'}' => open -= 1,
                b'\n' if is_tag_start(bytes.get(index + 1..).unwrap_or_default()) => return false,
                _ => {}
            }
            if open == 0 {
                return true;
            }
        }
        false
    }

    /// Scratches up a variation; comments to the end of their line get braces.
    fn variation(&mut self) -> Close {
        self.scratch.clear();
        self.source.advance();
        let mut depth = 0usize;
        let (mut in_comment, mut to_line_end) = (false, false);
        while let Some(byte) = self.source.peek() {
            self.source.advance();
            let mut kept = byte;
            match byte {
                b'\n' => {
                    if to_line_end {
                        self.keep(b'}', MOST_TEXT + 1);
                        to_line_end = false;
                    }
                    if self.source.at_tag() {
                        return Close::Open;
                    }
                }
                b'{' | b'}' if to_line_end => kept = b' ',
                _ if to_line_end => {}
                b'{' => in_comment = true,
                b'}' => in_comment = false,
                _ if in_comment => {}
                b';' => {
                    to_line_end = true;
                    kept = b'{';
                }
                b'(' => depth += 1,
                b')' if depth == 0 => return Close::Closed,
                b')' => depth -= 1,
                _ => {}
            }
            self.keep(kept, MOST_TEXT + 1);
        }
        Close::Open
    }

    /// Reads text in brackets that is no tag: a tag without quotes before the moves, a comment among them.
    fn bracketed(&mut self, game: &mut RawGame, line: usize) {
        self.source.advance();
        self.scratch.clear();
        while let Some(byte) = self.source.take_if(|b| b != b']' && b != b'\n') {
            self.keep(byte, MOST_VALUE);
        }
        self.source.take_if(|b| b == b']');
        let text = decoded(&self.scratch, self.encoding).trim().to_owned();
        let is_name = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(is_name_byte)
        };
        match text.split_once(char::is_whitespace) {
            Some((name, value)) if !game.has_moves() && is_name(name) => {
                game.note(line, Finding::Tag(excerpt(name.chars())));
                game.push_tag(Tag {
                    name: name.to_owned(),
                    value: value.trim().trim_matches('"').to_owned(),
                    line,
                });
            }
            _ if game.has_begun() => {
                game.note(line, Finding::Bracketed(excerpt(text.chars())));
                self.add(game, TokenKind::Comment, line);
            }
            _ => game.note(line, Finding::Outside(excerpt(text.chars()))),
        }
    }

    /// Reads `/FEN "..."/`.
    fn set_up(&mut self, game: &mut RawGame, line: usize) {
        self.source.skip(4);
        self.skip_blanks();
        self.source.take_if(|b| b == b'"');
        self.scratch.clear();
        while let Some(byte) = self.source.take_if(|b| !matches!(b, b'"' | b'/' | b'\n')) {
            self.keep(byte, MOST_VALUE);
        }
        self.source.take_if(|b| b == b'"');
        self.skip_blanks();
        self.source.take_if(|b| b == b'/');
        self.add(game, TokenKind::SetUp, line);
    }

    /// Reads the comments that belong to a game after its result: before the next empty line.
    fn after_the_end(&mut self, game: &mut RawGame) {
        self.after_blank_line = false;
        while let Some(byte @ (b'{' | b';')) = self.next_thing() {
            if self.after_blank_line {
                break;
            }
            self.element(game, byte);
        }
    }

    /// Reads a word among the moves, which may hold blanks of other kinds than ASCII's.
    fn word(&mut self, game: &mut RawGame, line: usize, text: &str) {
        if text.is_ascii() {
            return self.plain_word(game, line, text);
        }
        for part in text.split(|c: char| c.is_whitespace() || c == '\u{feff}') {
            if !part.is_empty() && game.end.is_none() {
                self.plain_word(game, line, part);
            }
        }
    }

    fn plain_word(&mut self, game: &mut RawGame, line: usize, text: &str) {
        let unnumbered = without_number(text);
        if unnumbered.is_empty() {
            return;
        }
        let is_mark = |c: char| matches!(c, '!' | '?' | '*' | '+' | '#' | '=');
        let bare = unnumbered.trim_end_matches(is_mark);
        let marks = unnumbered.get(bare.len()..).unwrap_or_default();
        if !game.has_begun() {
            if !is_move_like(bare) {
                self.rest_of_line();
                let rest = decoded(&self.scratch, self.encoding);
                let outside = text.chars().chain(rest.chars());
                game.note(line, Finding::Outside(excerpt(outside)));
                return;
            }
            game.line = line;
        }
        if bare.is_empty() && marks == "*" {
            game.end = Some(GameResult::Unknown);
            return;
        }
        let numbered = unnumbered.len() < text.len();
        if !numbered && game.last_word().is_some_and(|last| belongs_to(last, bare)) {
            game.lengthen(bare, line);
            game.end = game.last_word().and_then(GameResult::of_word);
            if game.end.is_some() {
                game.pop();
                return;
            }
        } else if let Some(result) = GameResult::of_word(bare) {
            if game.has_begun() {
                game.end = Some(result);
            } else {
                game.note(line, Finding::Outside(bare.to_owned()));
            }
            return;
        } else if !bare.is_empty() {
            game.push(TokenKind::Word, line, bare);
        }
        if !marks.is_empty() {
            glyphs(game, line, marks);
        }
    }
}

/// A last word that is the Result tag's own is the end of the game, whatever it looks like.
fn settle_result(game: &mut RawGame) {
    let Some(tag) = game.tag("Result").map(|tag| tag.value.trim().to_owned()) else {
        return;
    };
    let last = game.tokens.iter().rposition(|t| t.kind == TokenKind::Word);
    if let (None, Some(index)) = (&game.end, last)
        && game.tokens.get(index).map(|token| game.text(token)) == Some(tag.as_str())
    {
        game.tokens.remove(index);
        game.end = Some(GameResult::read(&tag));
    }
}
