//! Lines from an untrusted source: any bytes, any length.

use std::io::{BufRead, ErrorKind};

/// The longest line that is read, in bytes.
pub const LONGEST: usize = 64 << 20;

/// A line, as far as it can be had.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Its text without the line end; what is not UTF-8 is replaced.
    Text(&'a str),
    /// It was longer than [`LONGEST`] and has been skipped.
    TooLong,
    /// There are no more.
    End,
}

/// Reads lines that end with LF or CR LF; the last one may lack its end.
#[derive(Debug)]
pub struct Lines<I> {
    input: I,
    longest: usize,
    text: String,
}

impl<I: BufRead> Lines<I> {
    /// Reads from `input`.
    pub const fn new(input: I) -> Self {
        Self {
            input,
            longest: LONGEST,
            text: String::new(),
        }
    }

    /// The next line; a read error is the end.
    #[allow(
        clippy::should_implement_trait,
        reason = "a line borrows from the reader"
    )]
    pub fn next(&mut self) -> Line<'_> {
        let mut bytes = Vec::new();
        let mut any = false;
        let mut too_long = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => &[],
            };
            if chunk.is_empty() {
                break;
            }
            any = true;
            let (part, used, ended) = match chunk.iter().position(|&byte| byte == b'\n') {
                Some(end) => (chunk.get(..end).unwrap_or_default(), end + 1, true),
                None => (chunk, chunk.len(), false),
            };
            if bytes.len() + part.len() > self.longest {
                too_long = true;
                bytes = Vec::new();
            }
            if !too_long {
                bytes.extend_from_slice(part);
            }
            self.input.consume(used);
            if ended {
                break;
            }
        }
        if !any {
            return Line::End;
        }
        if too_long {
            return Line::TooLong;
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        self.text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        Line::Text(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_bad_bytes_and_lengths() {
        let mut lines = Lines::new(&b"one\r\n\n\xfftwo\n12345678\n1234567\nlast"[..]);
        lines.longest = 7;
        assert_eq!(lines.next(), Line::Text("one"));
        assert_eq!(lines.next(), Line::Text(""));
        assert_eq!(lines.next(), Line::Text("\u{fffd}two"));
        assert_eq!(lines.next(), Line::TooLong);
        assert_eq!(lines.next(), Line::Text("1234567"));
        assert_eq!(lines.next(), Line::Text("last"));
        assert_eq!(lines.next(), Line::End);
        assert_eq!(lines.next(), Line::End);
    }
}
