//! Lines to the user: at once, or in the order of the lines they answer.
//!
//! Each line of input is opened here before anything is said of it, with the number of lines that will answer it.

use std::collections::BTreeMap;
use std::io::{self, Write};

/// What is still to be said about a line of input.
#[derive(Debug, Default)]
struct Slot {
    /// The lines that came before their turn, by their index.
    early: BTreeMap<usize, String>,
    /// Lines that have been written.
    written: usize,
    /// Lines there will be.
    expected: usize,
}

/// The outbox.
#[derive(Debug)]
pub(super) struct Outbox<W> {
    output: W,
    ordered: bool,
    slots: BTreeMap<u64, Slot>,
}

impl<W: Write> Outbox<W> {
    pub(super) const fn new(output: W, ordered: bool) -> Self {
        Self {
            output,
            ordered,
            slots: BTreeMap::new(),
        }
    }

    /// Lines of input that are not answered yet; only known where order is kept.
    pub(super) fn open_lines(&self) -> usize {
        self.slots.len()
    }

    /// Says that a line of input will have so many answers.
    pub(super) fn open(&mut self, line: u64, expected: usize) {
        if self.ordered && expected > 0 {
            let slot = Slot {
                expected,
                ..Slot::default()
            };
            self.slots.insert(line, slot);
        }
    }

    /// Gives answer `index`, from 0, to a line of input.
    pub(super) fn answer(&mut self, line: u64, index: usize, text: String) -> io::Result<()> {
        if !self.ordered {
            return self.say(text);
        }
        if let Some(slot) = self.slots.get_mut(&line) {
            slot.early.insert(index, text);
        }
        while let Some(mut first) = self.slots.first_entry() {
            let slot = first.get_mut();
            while let Some(text) = slot.early.remove(&slot.written) {
                slot.written += 1;
                write_line(&mut self.output, text)?;
            }
            if slot.written < slot.expected {
                break;
            }
            first.remove();
        }
        Ok(())
    }

    /// Says something that has no place in the order.
    pub(super) fn say(&mut self, text: String) -> io::Result<()> {
        write_line(&mut self.output, text)
    }
}

/// Writes a line at once.
fn write_line(output: &mut impl Write, mut text: String) -> io::Result<()> {
    text.push('\n');
    output.write_all(text.as_bytes())?;
    output.flush()
}
