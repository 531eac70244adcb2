//! A child process as a line of text in and lines of text out, with a deadline for each wait.
//!
//! Threads read its output and its error output and write its input, so that a child that hangs, floods or does not read
//! blocks nobody. What it has said and not been asked for is bounded: then its own output blocks.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::{Fault, FaultKind, Situation};
use crate::board::Rules;

/// Lines of output that may wait to be read.
const OUTPUT_LINES: usize = 4096;
/// Commands that may wait for the child to read them.
const INPUT_LINES: usize = 256;
/// Bytes of a line that are kept.
const LONGEST_LINE: u64 = 64 * 1024;
/// Commands that a fault shows.
const SHOWN_COMMANDS: usize = 9;
/// Answers, and lines of the error output, that a fault shows.
const SHOWN_LINES: usize = 20;
/// Characters of a line that a fault shows.
const SHOWN_CHARS: usize = 4000;
/// How long a child may take to end after it was told to.
const FAREWELL: Duration = Duration::from_secs(2);

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// It did not come in time.
    TimedOut,
    /// The process has closed its output.
    Ended,
}

/// What a child has answered to an order.
pub(super) struct Said {
    /// The word it answers with.
    pub(super) word: Result<String, Fault>,
    /// Time from the order to the answer.
    pub(super) time: Duration,
}

/// A running child. It is killed when it is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<Sender<String>>,
    output: Receiver<(Instant, String)>,
    dialogue: Dialogue,
    errors: Arc<Mutex<VecDeque<String>>>,
    /// Word that tells the child to end.
    farewell: &'static str,
}

impl Process {
    /// Starts a program.
    pub fn start(command: &[String], dir: Option<&str>) -> Result<Process, Fault> {
        let failed = |what: String| Fault {
            kind: FaultKind::Crash,
            what: format!("cannot be started: {what}"),
            lines: Vec::new(),
        };
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| failed("there is no command".into()))?;
        let mut builder = Command::new(program);
        builder.args(arguments);
        if let Some(dir) = dir {
            builder.current_dir(dir);
        }
        let piped = builder
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = piped.spawn().map_err(|error| {
            let place = dir.map_or_else(String::new, |dir| format!(" in {dir}"));
            failed(format!("{program}{place}: {error}"))
        })?;
        let (sender, output) = bounded(OUTPUT_LINES);
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || {
                each_line(stdout, |line| sender.send((Instant::now(), line)).is_ok());
            });
        }
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(stderr) = child.stderr.take() {
            let tail = Arc::clone(&errors);
            thread::spawn(move || {
                each_line(stderr, |line| {
                    push_bounded(&mut lock(&tail), SHOWN_LINES, cut(line));
                    true
                });
            });
        }
        let (input, commands) = bounded::<String>(INPUT_LINES);
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                for line in commands {
                    // A child that has gone is noticed where its answer is missed.
                    if stdin.write_all(line.as_bytes()).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Process {
            child,
            input: Some(input),
            output,
            dialogue: Dialogue::default(),
            errors,
            farewell: "quit\n",
        })
    }

    /// Sends a line. Where the child does not read, lines are dropped in the end, and it will not answer them.
    pub fn send(&mut self, line: &str) {
        self.dialogue.sent(format!("-> {line}"));
        if let Some(input) = &self.input {
            let _ = input.try_send(format!("{line}\n"));
        }
    }

    /// The next line and when it came.
    pub fn receive(&mut self, deadline: Instant) -> Result<(Instant, String), Silence> {
        match self.output.recv_deadline(deadline) {
            Ok((moment, line)) => {
                self.dialogue.heard(format!("<- {line}"));
                Ok((moment, line))
            }
            Err(RecvTimeoutError::Timeout) => Err(Silence::TimedOut),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::Ended),
        }
    }

    /// Waits for a line whose first word is `word`, telling `hear` of all lines before it.
    ///
    /// # Errors
    ///
    /// The process ended, or the line did not come within `time`, a flood of other lines notwithstanding.
    pub fn expect(
        &mut self,
        word: &str,
        time: Duration,
        mut hear: impl FnMut(&str),
    ) -> Result<String, Fault> {
        let deadline = Instant::now() + time;
        loop {
            match self.receive(deadline) {
                Ok((moment, line)) => {
                    if line.split_whitespace().next() == Some(word) {
                        return Ok(line);
                    }
                    hear(&line);
                    if moment > deadline {
                        return Err(self.silence(Silence::TimedOut, word, time));
                    }
                }
                Err(silence) => return Err(self.silence(silence, word, time)),
            }
        }
    }

    /// Waits for the answer to an order that was just sent: the word that `hear` takes from a line, or what is wrong with
    /// that line. `word` names the answer where it does not come.
    pub(super) fn answer<R: Rules>(
        &mut self,
        situation: &Situation<'_, R>,
        word: &str,
        mut hear: impl FnMut(&str) -> Option<Result<String, String>>,
    ) -> Said {
        let start = Instant::now();
        let time = situation.allowed.unwrap_or_default() + situation.patience;
        let deadline = start + time;
        loop {
            let (moment, line) = match self.receive(deadline) {
                Ok(heard) if heard.0 <= deadline => heard,
                other => {
                    let silence = other.err().unwrap_or(Silence::TimedOut);
                    let time_taken = start.elapsed();
                    return Said {
                        word: Err(self.silence(silence, word, time)),
                        time: time_taken,
                    };
                }
            };
            if let Some(found) = hear(&line) {
                return Said {
                    word: found.map_err(|what| self.fault(FaultKind::Protocol, what)),
                    time: moment.saturating_duration_since(start),
                };
            }
        }
    }

    /// The fault of a missing answer.
    pub fn silence(&mut self, silence: Silence, word: &str, time: Duration) -> Fault {
        match silence {
            Silence::TimedOut => {
                let seconds = time.as_secs_f64();
                let what = format!("did not answer with {word} within {seconds:.3} s");
                self.fault(FaultKind::Hang, what)
            }
            Silence::Ended => {
                let how = match self.exit(FAREWELL) {
                    Some(status) => format!("ended ({status})"),
                    None => "closed its output".into(),
                };
                let what = format!("{how} before its {word}");
                self.fault(FaultKind::Crash, what)
            }
        }
    }

    /// A fault with the last lines exchanged.
    pub fn fault(&self, kind: FaultKind, what: String) -> Fault {
        let mut lines = self.dialogue.shown();
        lines.extend(lock(&self.errors).iter().map(|line| format!("!! {line}")));
        Fault { kind, what, lines }
    }

    /// Ends the child's input.
    pub fn close(&mut self) {
        self.dialogue.sent("-> end of input".into());
        self.input = None;
    }

    /// How the child has ended; `None` if it does not within the time.
    pub fn exit(&mut self, time: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(input) = self.input.take() {
            let _ = input.try_send(self.farewell.into());
        }
        self.exit(FAREWELL);
        // It has ended already where it obeyed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lock(lines: &Mutex<VecDeque<String>>) -> MutexGuard<'_, VecDeque<String>> {
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The last lines exchanged. Commands and answers are kept apart, so that no flood of answers hides what was asked.
#[derive(Debug, Default)]
pub(super) struct Dialogue {
    commands: VecDeque<(u64, String)>,
    answers: VecDeque<(u64, String)>,
    count: u64,
}

impl Dialogue {
    pub(super) fn sent(&mut self, line: String) {
        self.count += 1;
        push_bounded(&mut self.commands, SHOWN_COMMANDS, (self.count, cut(line)));
    }

    pub(super) fn heard(&mut self, line: String) {
        self.count += 1;
        // Of a row of search reports the last one tells all.
        let is_report = |line: &str| line.starts_with("<- info ") && !line.contains("string");
        let follows = |(number, last): &(u64, String)| *number + 1 == self.count && is_report(last);
        if is_report(&line) && self.answers.back().is_some_and(follows) {
            self.answers.pop_back();
        }
        push_bounded(&mut self.answers, SHOWN_LINES, (self.count, cut(line)));
    }

    /// The lines in their order.
    pub(super) fn shown(&self) -> Vec<String> {
        let mut lines: Vec<_> = self.commands.iter().chain(&self.answers).collect();
        lines.sort_unstable();
        lines.into_iter().map(|(_, line)| line.clone()).collect()
    }
}

/// Adds to the end of a list and drops its beginning where it grows too long.
fn push_bounded<T>(list: &mut VecDeque<T>, most: usize, item: T) {
    if list.len() == most {
        list.pop_front();
    }
    list.push_back(item);
}

/// A line, cut where it is too long to be shown.
fn cut(line: String) -> String {
    match line.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Gives each line of an output to `take` until it says no more. What is too long is cut, what is not UTF-8 replaced.
fn each_line(output: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let Ok(count) = output
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut bytes)
        else {
            return;
        };
        if count == 0 {
            return;
        }
        let whole = bytes.last() == Some(&b'\n');
        let line = String::from_utf8_lossy(&bytes);
        if !take(line.trim_end_matches(['\r', '\n']).into()) || !whole && !skip_line(&mut output) {
            return;
        }
    }
}

/// Skips to the end of a line that was cut; false at the end of the output.
fn skip_line(output: &mut impl BufRead) -> bool {
    loop {
        let Ok(chunk) = output.fill_buf() else {
            return false;
        };
        if chunk.is_empty() {
            return false;
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(chunk.len(), |end| end + 1);
        output.consume(used);
        if end.is_some() {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_replaced_but_none_is_lost() {
        let long = "x".repeat(3 * LONGEST_LINE as usize);
        let text = format!("one\r\n{long}\n\u{e9}\n\nlast");
        let mut lines = Vec::new();
        each_line(text.as_bytes(), |line| {
            lines.push(line);
            true
        });
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[1].len(), LONGEST_LINE as usize);
        assert_eq!(
            [&lines[0], &lines[2], &lines[3], &lines[4]],
            ["one", "é", "", "last"]
        );
    }

    #[test]
    fn a_flood_does_not_hide_the_command() {
        let mut dialogue = Dialogue::default();
        dialogue.sent("-> go".into());
        (0..100).for_each(|n| dialogue.heard(format!("<- info depth {n}")));
        assert_eq!(dialogue.shown(), ["-> go", "<- info depth 99"]);
        (0..100).for_each(|n| dialogue.heard(format!("<- info string {n}")));
        let shown = dialogue.shown();
        assert_eq!((shown.len(), &*shown[0]), (SHOWN_LINES + 1, "-> go"));
        assert_eq!(shown.last().unwrap(), "<- info string 99");
    }

    #[test]
    fn a_program_that_does_not_exist_is_a_fault() {
        let fault = Process::start(&["/no/such/engine".into()], None).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Crash);
        assert!(fault.what.contains("/no/such/engine"), "{}", fault.what);
    }
}
