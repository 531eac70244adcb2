//! The pace of the output: lines apart from each other, and not too many infos.
//!
//! Some clients lose lines that come in one burst, and others do more work for an info than the engine did. So no line
//! comes sooner than [`GAP`] after the one before, and no info sooner than [`INFO_GAP`] after the info before: a later one
//! takes the place of one that waits, and the last one is written before the search's end in any case.

use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};

use super::format;
use crate::engine::command::{Info, Message};
use crate::engine::log::Log;
use crate::search::Bound;

/// The least time between two lines.
const GAP: Duration = Duration::from_micros(1100);
/// The least time between two infos of a search.
const INFO_GAP: Duration = Duration::from_millis(20);

/// Writes messages until there are no more or nobody reads them.
pub(crate) fn write(output: impl Write, log: &Log, messages: &Receiver<Message>) -> io::Result<()> {
    let mut pen = Pen {
        output,
        log,
        last: None,
        last_info: None,
    };
    let mut waiting: Option<Info> = None;
    loop {
        let due = match (&waiting, pen.last_info) {
            (Some(_), Some(last)) => Some(last + INFO_GAP),
            (Some(_), None) => Some(Instant::now()),
            (None, _) => None,
        };
        let message = match due {
            Some(due) => messages.recv_deadline(due),
            None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match message {
            // Hub has no word for a bound, and none for other lines than the best.
            Ok(Message::Info(info)) => {
                if info.bound == Bound::Exact && info.multi_pv == 1 {
                    waiting = Some(info);
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Some(info) = waiting.take() {
                    pen.info(info)?;
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Ok(message) => {
                if let Message::Best(_) = message
                    && let Some(info) = waiting.take()
                {
                    pen.info(info)?;
                }
                pen.message(&message)?;
            }
        }
    }
}

/// What writes lines at their pace.
struct Pen<'a, W> {
    output: W,
    log: &'a Log,
    last: Option<Instant>,
    last_info: Option<Instant>,
}

impl<W: Write> Pen<'_, W> {
    fn info(&mut self, info: Info) -> io::Result<()> {
        self.message(&Message::Info(info))?;
        self.last_info = self.last;
        Ok(())
    }

    fn message(&mut self, message: &Message) -> io::Result<()> {
        for line in format(message) {
            if let Some(last) = self.last {
                thread::sleep(GAP.saturating_sub(last.elapsed()));
            }
            self.log.output(&line);
            self.output.write_all(format!("{line}\n").as_bytes())?;
            self.output.flush()?;
            self.last = Some(Instant::now());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::command::Best;

    fn info(depth: u32, multi_pv: usize, bound: Bound) -> Message {
        Message::Info(Info {
            multi_pv,
            bound,
            ..Info::sample(depth, &["1-6"])
        })
    }

    #[test]
    fn of_a_burst_of_infos_the_last_is_written_before_the_end() {
        let (sender, messages) = crossbeam_channel::unbounded();
        for depth in 1..100 {
            sender.send(info(depth, 1, Bound::Exact)).unwrap();
        }
        sender.send(info(100, 1, Bound::Lower)).unwrap();
        sender.send(info(100, 2, Bound::Exact)).unwrap();
        sender.send(Message::Best(Best::default())).unwrap();
        drop(sender);
        let mut output = Vec::new();
        write(&mut output, &Log::default(), &messages).unwrap();
        let text = String::from_utf8(output).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() < 50, "{text}");
        assert!(
            lines[lines.len() - 2].starts_with("info depth=99 "),
            "{text}"
        );
        assert_eq!(lines.last(), Some(&"done"));
    }
}
