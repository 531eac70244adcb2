//! Hub's lines: a command and its arguments, `name` or `name=value`.
//!
//! Blanks separate arguments; double quotes protect blanks in a value, and nothing stands for a quotation mark itself.

use thiserror::Error;

use crate::notation::excerpt;

/// An argument; a bare name has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value.
    pub value: Option<&'a str>,
}

/// Why a line is none of Hub's.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LineError {
    /// A value stands without a name.
    #[error("bad argument: nothing stands before \"{found}\", expected name=value")]
    NoName {
        /// The text from there on.
        found: String,
    },
    /// A name is followed by `=` and nothing.
    #[error("missing value: nothing stands after {name}=, write {name}=\"\" for an empty value")]
    NoValue {
        /// The name.
        name: String,
    },
    /// A quotation mark has no partner.
    #[error("missing quote: the value of {name} has no closing quotation mark")]
    OpenQuote {
        /// The name.
        name: String,
    },
    /// Something follows a quotation mark at once.
    #[error("bad argument: expected a blank behind the value of {name} and not \"{found}\"")]
    AfterQuote {
        /// The name.
        name: String,
        /// What follows.
        found: String,
    },
}

/// A text cut where its first word ends; the rest begins with a blank or is empty.
fn word(text: &str) -> (&str, &str) {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    text.split_at(end)
}

/// The command of a line, which is empty where there is none, and the text of its arguments.
pub fn command(line: &str) -> (&str, &str) {
    word(line.trim_start())
}

/// Reads arguments.
///
/// # Errors
///
/// A value without a name, an empty value without quotes, a quotation mark without a partner or with something behind it.
pub fn arguments(text: &str) -> Result<Vec<Argument<'_>>, LineError> {
    let mut list = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_whitespace());
        let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
        let Some(given) = after.strip_prefix('=') else {
            list.push(Argument { name, value: None });
            rest = after.trim_start();
            continue;
        };
        let own = |text: &str| excerpt(text.chars());
        if name.is_empty() {
            return Err(LineError::NoName {
                found: own(word(rest).0),
            });
        }
        let (value, after) = match given.strip_prefix('"') {
            Some(quoted) => {
                let parts = quoted.split_once('"');
                parts.ok_or_else(|| LineError::OpenQuote { name: own(name) })?
            }
            None => match word(given) {
                ("", _) => return Err(LineError::NoValue { name: own(name) }),
                parts => parts,
            },
        };
        if !after.is_empty() && !after.starts_with(char::is_whitespace) {
            return Err(LineError::AfterQuote {
                name: own(name),
                found: own(word(after).0),
            });
        }
        list.push(Argument {
            name,
            value: Some(value),
        });
        rest = after.trim_start();
    }
    Ok(list)
}

/// The value of an argument, empty for a bare name; of several of a name the last one counts.
pub fn value<'a>(list: &[Argument<'a>], name: &str) -> Option<&'a str> {
    let named = list.iter().rev().find(|argument| argument.name == name);
    named.map(|argument| argument.value.unwrap_or_default())
}

/// A value as it is written: in quotes where it needs them.
pub fn quoted(value: &str) -> String {
    // Nothing stands for a quotation mark in a value.
    let value = value.replace('"', "'");
    if value.is_empty() || value.contains(|c: char| c.is_whitespace() || c == '=') {
        format!("\"{value}\"")
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_into_arguments() {
        let (command, rest) = command("  info\tdepth=9 score=-0.10  pv=\"32-28 19-23\" bare");
        assert_eq!(command, "info");
        let list = arguments(rest).unwrap();
        assert_eq!(list.len(), 4);
        assert_eq!(value(&list, "depth"), Some("9"));
        assert_eq!(value(&list, "pv"), Some("32-28 19-23"));
        assert_eq!(value(&list, "bare"), Some(""));
        assert_eq!(value(&list, "nodes"), None);
        assert_eq!(value(&arguments("a=1 a=2 b=\"\"").unwrap(), "a"), Some("2"));
        assert_eq!(value(&arguments("file=x=y").unwrap(), "file"), Some("x=y"));
    }

    #[test]
    fn refusals_name_the_argument() {
        for (text, words) in [
            ("pos=\"W", "value of pos has no closing"),
            ("value=", "after value="),
            ("value= x", "after value="),
            ("=x", "nothing stands before"),
            ("a=\"b\"c", "and not"),
        ] {
            let sentence = arguments(text).unwrap_err().to_string();
            assert!(sentence.contains(words), "{text}: {sentence}");
        }
    }

    #[test]
    fn values_are_quoted_only_where_they_must_be() {
        assert_eq!(quoted("a"), "a");
        assert_eq!(quoted("a b"), "\"a b\"");
        assert_eq!(quoted("a=b"), "\"a=b\"");
        assert_eq!(quoted(""), "\"\"");
        assert_eq!(quoted("a\"b"), "a'b");
    }
}
