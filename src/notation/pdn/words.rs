//! The words of a game's text: what could be a move, what belongs to the word before, what the marks behind a move mean.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::raw::{RawGame, TokenKind};
use crate::notation::is_dash;
use crate::notation::moves::is_separator;

pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The text of bytes in UTF-8 or, where they are not that, in another encoding.
pub(super) fn decoded<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Cow<'a, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => encoding.decode_without_bom_handling(bytes).0,
    }
}

/// Whether a text is words of ASCII with one blank between them, as nearly all comments are.
pub(super) fn has_single_blanks(text: &[u8]) -> bool {
    let mut after_blank = true;
    let single = text.iter().all(|byte| {
        let blank = *byte == b' ';
        let sound = byte.is_ascii_graphic() || blank && !after_blank;
        after_blank = blank;
        sound
    });
    single && !after_blank
}

/// A word without the number of a move and the dots before it.
pub(super) fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = rest.trim_start_matches(['.', '…']);
    if after.len() < rest.len() {
        after
    } else {
        word
    }
}

/// Whether a word could be a move, a square of one, or a result.
pub(super) fn is_move_like(word: &str) -> bool {
    let fits =
        |c: char| matches!(c, '0'..='9' | 'a'..='j' | 'A'..='J' | '/' | '½') || is_separator(c);
    word.chars().all(fits) && word.chars().any(|c| c.is_ascii_digit())
}

/// Whether two words are one move with blanks in it: `32 - 28`, `32- 28`, `32x23 x14`.
pub(super) fn belongs_to(last: &str, word: &str) -> bool {
    if word.is_empty() {
        return false;
    }
    let is_place = |word: &str| {
        word.len() <= 3 && !word.contains(is_separator) && word.chars().any(|c| c.is_ascii_digit())
    };
    let only_signs = |word: &str| word.chars().all(is_separator);
    if only_signs(last) {
        // `- -` stands for a move that is not given.
        return only_signs(word);
    }
    if only_signs(word) {
        return is_place(last);
    }
    let goes_on = || is_move_like(word) && is_move_like(last);
    last.ends_with(is_separator) && goes_on()
        || word.starts_with(is_dash) && is_place(last)
        || word.starts_with(is_separator) && !word.starts_with(is_dash) && goes_on()
}

/// Adds the marks behind a move: those of strength by their numbers, others as a comment.
pub(super) fn glyphs(game: &mut RawGame, line: usize, marks: &str) {
    let strength: String = marks
        .chars()
        .filter(|c| matches!(c, '!' | '?' | '*'))
        .collect();
    let number = match strength.as_str() {
        "" => None,
        "!" => Some("1"),
        "?" => Some("2"),
        "!?" => Some("5"),
        "?!" => Some("6"),
        _ if strength.starts_with("!!") => Some("3"),
        _ if strength.starts_with("??") => Some("4"),
        _ if strength.starts_with('!') => Some("1"),
        _ if strength.starts_with('?') => Some("2"),
        // The only move, as the books print it.
        _ => Some("7"),
    };
    if let Some(number) = number {
        game.push(TokenKind::Nag, line, number);
    }
    let rest: String = marks
        .chars()
        .filter(|c| !matches!(c, '!' | '?' | '*'))
        .collect();
    if !rest.is_empty() {
        game.push(TokenKind::Comment, line, &rest);
    }
}
