//! A dialogue with the real binary, with a deadline for every answer.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long any answer may take: far more than a working engine needs on a busy machine.
const DEADLINE: Duration = Duration::from_secs(60);

/// A running engine. A test that ends without [`Session::finish`] kills it.
pub(crate) struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    transcript: String,
}

/// Starts the engine with arguments, its input and output at hand.
fn spawn(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_warcab"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts")
}

impl Session {
    /// Starts the engine with arguments.
    pub(crate) fn start(args: &[&str]) -> Session {
        let mut child = spawn(args);
        let stdout = BufReader::new(child.stdout.take().expect("it has an output"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Session {
            stdin: child.stdin.take(),
            child,
            lines,
            transcript: String::new(),
        }
    }

    /// Starts the engine with a rule set.
    pub(crate) fn of(variant: &str) -> Session {
        Session::start(&["--variant", variant])
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let shown = String::from_utf8_lossy(bytes.get(..200).unwrap_or(bytes));
        self.transcript += &format!("-> {shown}\n");
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes).expect("the engine reads");
        stdin.flush().expect("the engine reads");
    }

    /// All lines up to the first whose first word is this one; it is the last of them.
    pub(crate) fn until(&mut self, word: &str) -> Vec<String> {
        self.until_beginning(&[word])
    }

    /// All lines up to the first whose first words are these; it is the last of them.
    pub(crate) fn until_beginning(&mut self, words: &[&str]) -> Vec<String> {
        let end = Instant::now() + DEADLINE;
        let mut seen = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    self.transcript += &format!("<- {line}\n");
                    seen.push(line);
                    let said = seen.last().map_or("", String::as_str).split(' ');
                    if said.take(words.len()).eq(words.iter().copied()) {
                        return seen;
                    }
                }
                Err(error) => panic!("no {words:?} ({error}) in\n{}", self.transcript),
            }
        }
    }

    /// The line that answers a command: the next one, which must begin with the word.
    pub(crate) fn ask(&mut self, command: &str, word: &str) -> String {
        self.send(command);
        let mut lines = self.until(word);
        let last = lines.pop().expect("until gives a line");
        assert_eq!(lines, [""; 0], "before {last} in\n{}", self.transcript);
        last
    }

    /// Everything the engine says until it is idle: sends `isready` and drops its answer.
    pub(crate) fn settle(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends a `go` and gives its infos and the move of its `bestmove`.
    pub(crate) fn go(&mut self, command: &str) -> (Vec<String>, String) {
        self.send(command);
        let mut lines = self.until("bestmove");
        let last = lines.pop().expect("until gives a line");
        let best = last.split(' ').nth(1).expect("a move").to_owned();
        (lines, best)
    }

    /// The legal moves as the engine lists them.
    pub(crate) fn legal(&mut self) -> Vec<String> {
        let line = self.ask("legal", "legal");
        let moves: Vec<_> = line.split(' ').skip(2).map(str::to_owned).collect();
        assert_eq!(
            line.split(' ').nth(1),
            Some(moves.len().to_string().as_str())
        );
        moves
    }

    /// Ends the input.
    pub(crate) fn close(&mut self) {
        self.transcript += "-> end of input\n";
        self.stdin = None;
    }

    /// Waits for the engine's own end: the lines it still says, and how it ended.
    pub(crate) fn finish(&mut self) -> (Vec<String>, ExitStatus) {
        let end = Instant::now() + DEADLINE;
        let mut lines = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("no end in\n{}", self.transcript),
            }
        }
        let status =
            wait(&mut self.child).unwrap_or_else(|| panic!("no end in\n{}", self.transcript));
        (lines, status)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It has ended already where the test was to the end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for a child's end; `None` if it does not come in time.
pub(crate) fn wait(child: &mut Child) -> Option<ExitStatus> {
    let end = Instant::now() + DEADLINE;
    while Instant::now() < end {
        if let Some(status) = child.try_wait().expect("the child is ours") {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    None
}

/// Runs the engine on a whole input: all it says, and how it ended.
pub(crate) fn batch(args: &[&str], input: &[u8]) -> (Vec<String>, ExitStatus) {
    let mut session = Session::start(args);
    session.send_bytes(input);
    session.close();
    session.finish()
}

/// Runs the engine on an input while nobody listens: its output is closed after the first byte.
pub(crate) fn unheard(args: &[&str], input: &[u8]) -> Option<ExitStatus> {
    let mut child = spawn(args);
    let mut stdin = child.stdin.take().expect("it has an input");
    let mut stdout = child.stdout.take().expect("it has an output");
    // Writing fails as soon as the engine has gone, which is what it should do.
    let _ = stdin.write_all(input);
    let mut byte = [0];
    let _ = stdout.read(&mut byte);
    drop(stdout);
    let _ = stdin.write_all(input);
    let status = wait(&mut child);
    drop(stdin);
    status
}

/// How many of the lines are `bestmove` lines.
pub(crate) fn bestmoves(lines: &[String]) -> usize {
    lines
        .iter()
        .filter(|line| line.starts_with("bestmove "))
        .count()
}

/// The codes of the error lines among the lines.
pub(crate) fn errors(lines: &[String]) -> Vec<&str> {
    lines
        .iter()
        .filter_map(|line| line.strip_prefix("info string error "))
        .filter_map(|rest| rest.split(' ').next())
        .collect()
}
