//! Bytes of a file through a window of bounded size: looking ahead, line ends of all systems, lines counted.

use std::io::{self, ErrorKind, Read};

/// How much is read at a time.
const CHUNK: usize = 1 << 16;

/// An input seen through a window.
#[derive(Debug)]
pub(super) struct Source<I> {
    input: I,
    window: Vec<u8>,
    at: usize,
    ended: bool,
    failure: Option<io::Error>,
    /// The line of the next byte, from 1.
    pub(super) line: usize,
    /// Whether the next byte is the first of its line.
    pub(super) at_line_start: bool,
}

impl<I: Read> Source<I> {
    pub(super) fn new(input: I) -> Self {
        let mut source = Source {
            input,
            window: Vec::new(),
            at: 0,
            ended: false,
            failure: None,
            line: 1,
            at_line_start: true,
        };
        if source.ahead(3) == "\u{feff}".as_bytes() {
            source.at += 3;
        }
        source
    }

    /// Reads on; whether there is more.
    #[cold]
    fn fill(&mut self) -> bool {
        if self.ended {
            return false;
        }
        self.window.drain(..self.at);
        self.at = 0;
        let kept = self.window.len();
        self.window.resize(kept + CHUNK, 0);
        let space = self.window.get_mut(kept..).unwrap_or_default();
        let count = loop {
            match self.input.read(space) {
                Ok(count) => break count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error);
                    break 0;
                }
            }
        };
        self.window.truncate(kept + count);
        self.ended = count == 0;
        !self.ended
    }

    /// The error that ended the input, if it was one.
    pub(super) fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// The next byte, `\n` for every kind of line end; `None` at the end of the input.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        if self.at >= self.window.len() && !self.fill() {
            return None;
        }
        match self.window.get(self.at) {
            Some(b'\r') => Some(b'\n'),
            byte => byte.copied(),
        }
    }

    /// Passes over the next byte, over both of a line end that has two.
    #[inline]
    pub(super) fn advance(&mut self) {
        let byte = self.window.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        self.at_line_start = false;
        if matches!(byte, Some(b'\n' | b'\r')) {
            if byte == Some(b'\r') && self.ahead(1) == b"\n" {
                self.at += 1;
            }
            self.line += 1;
            self.at_line_start = true;
        }
    }

    /// Passes over `count` bytes that hold no line end.
    pub(super) fn skip(&mut self, count: usize) {
        self.at = self.window.len().min(self.at + count);
    }

    /// Takes the next byte if it satisfies `wanted`.
    #[inline]
    pub(super) fn take_if(&mut self, wanted: impl Fn(u8) -> bool) -> Option<u8> {
        let byte = self.peek().filter(|&byte| wanted(byte))?;
        self.advance();
        Some(byte)
    }

    /// Takes bytes as long as they satisfy `wanted`, which no line end may do, and puts them behind `kept` until that has
    /// `most` bytes.
    #[inline]
    pub(super) fn take_while(
        &mut self,
        kept: &mut Vec<u8>,
        most: usize,
        wanted: impl Fn(u8) -> bool,
    ) {
        loop {
            let bytes = self.window.get(self.at..).unwrap_or_default();
            let end = bytes.iter().position(|&byte| !wanted(byte));
            let count = end.unwrap_or(bytes.len());
            let room = most.saturating_sub(kept.len());
            kept.extend_from_slice(bytes.get(..count.min(room)).unwrap_or_default());
            self.at += count;
            self.at_line_start &= count == 0;
            if end.is_some() || !self.fill() {
                break;
            }
        }
    }

    /// The next `count` bytes as they are, fewer only at the end of the input.
    pub(super) fn ahead(&mut self, count: usize) -> &[u8] {
        while self.window.len() < self.at + count && self.fill() {}
        let end = self.window.len().min(self.at + count);
        self.window.get(self.at..end).unwrap_or_default()
    }

    /// Whether a tag begins here, at the start of a line: `[Name "`.
    pub(super) fn at_tag(&mut self) -> bool {
        self.at_line_start && self.peek() == Some(b'[') && is_tag_start(self.ahead(80))
    }
}

/// Whether bytes begin as a tag does: `[`, a name and a quote, blanks between them or not.
pub(super) fn is_tag_start(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.strip_prefix(b"[") else {
        return false;
    };
    let blanks = |bytes: &[u8]| {
        let blanks = bytes.iter().take_while(|b| matches!(b, b' ' | b'\t'));
        blanks.count()
    };
    let rest = rest.get(blanks(rest)..).unwrap_or_default();
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let length = rest.iter().take_while(|b| is_name(b)).count();
    let begins = rest.first().is_some_and(u8::is_ascii_alphabetic);
    let after = rest.get(length..).unwrap_or_default();
    begins && after.get(blanks(after)) == Some(&b'"')
}
