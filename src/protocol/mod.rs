//! Protocols: text to commands and messages to text, and the threads that read and write them.
//!
//! A reader parses lines and hands them over a bounded channel; the controller runs in the caller's thread; a writer is
//! the only one that prints.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod dxp;
pub mod hub;
pub mod lines;
pub mod uci;

use std::io::{self, BufRead, BufReader, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::engine::build;
use crate::engine::command::{Command, Message};
use crate::engine::controller::Controller;
use crate::engine::error::{Code, Failure};
use crate::engine::log::Log;
use crate::engine::options::Settings;
use crate::notation::{Notation, Squares, Style};
use lines::{Line, Lines};

/// Commands that may wait for the controller.
const QUEUE: usize = 256;

/// How long the last messages may take to be written after `quit`, when nobody may be reading them.
const FAREWELL: Duration = Duration::from_secs(1);

/// What is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The UCI-like protocol of `protocol.md`.
    Uci,
    /// Hub 2.
    Hub,
}

/// The word that asks for Hub, if it is the first of all.
const HUB: &str = "hub";

impl Dialect {
    /// The dialect of somebody who begins with this line.
    fn of(first: &str) -> Dialect {
        if first.trim() == HUB {
            Dialect::Hub
        } else {
            Dialect::Uci
        }
    }

    fn parser(self) -> Parser {
        match self {
            Dialect::Uci => Parser::Uci,
            Dialect::Hub => Parser::Hub(hub::Parser::default()),
        }
    }
}

/// What turns the lines of a dialect into commands.
enum Parser {
    Uci,
    Hub(hub::Parser),
}

impl Parser {
    fn parse(&mut self, line: &str) -> Option<Command> {
        match self {
            Parser::Uci => uci::parse(line),
            Parser::Hub(parser) => parser.parse(line),
        }
    }
}

/// Speaks a dialect, or the one that the first line asks for, on standard input and output until the input ends, `quit`,
/// or a broken pipe.
pub fn run(mut settings: Settings, dialect: Option<Dialect>) -> Result<(), Failure> {
    let mut lines = Lines::new(BufReader::new(io::stdin()));
    let (dialect, first) = match dialect {
        Some(dialect) => (dialect, None),
        None => match lines.next() {
            Line::Text(text) => (Dialect::of(text), Some(Some(text.to_owned()))),
            Line::TooLong => (Dialect::Uci, Some(None)),
            Line::End => (Dialect::Uci, None),
        },
    };
    if dialect == Dialect::Hub {
        // Hub has one form of moves, and squares have numbers.
        settings.style = Style {
            notation: Notation::Hub,
            squares: Squares::Numeric,
        };
    }
    let log = Arc::new(Log::default());
    log.open(&settings.log_file)?;
    let engine = build(settings)?;
    let (commands, queue) = bounded(QUEUE);
    let (output, messages) = unbounded();
    let (listener, listening) = bounded(0);
    let (quit, has_quit) = bounded(1);

    let reader_log = Arc::clone(&log);
    spawn("reader", move || {
        let parser = dialect.parser();
        read(lines, first, parser, &reader_log, &commands, &quit);
    })?;
    let writer_log = Arc::clone(&log);
    let writer = spawn("writer", move || {
        // Held until the writer ends, however it ends: the controller takes that for a broken pipe.
        let _listener: Sender<()> = listener;
        match dialect {
            Dialect::Uci => write(io::stdout(), &writer_log, &messages),
            Dialect::Hub => hub::write(io::stdout(), &writer_log, &messages),
        }
    })?;

    // The controller's end drops the last sender of messages, and the writer ends when it has written them.
    Controller::new(engine, output, log).run(&queue, &listening);
    if has_quit.try_recv().is_ok() {
        let _ = listening.recv_timeout(FAREWELL);
    } else {
        let _ = writer.join();
    }
    Ok(())
}

fn spawn<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<thread::JoinHandle<T>, Failure> {
    let started = thread::Builder::new().name(name.to_owned()).spawn(work);
    started.map_err(|error| {
        let what = format!("cannot start the {name} thread: {error}");
        Failure::new(Code::Internal, what)
    })
}

/// Reads commands until the input or the controller ends; a read error is the end of the input. Tells `quit` of the
/// command to quit, which ends it too. `first` is the line that has been read already, `None` inside if it was too long.
fn read(
    mut lines: Lines<impl BufRead>,
    mut first: Option<Option<String>>,
    mut parser: Parser,
    log: &Log,
    commands: &Sender<Command>,
    quit: &Sender<()>,
) {
    loop {
        let first = first.take();
        let line = match &first {
            Some(Some(text)) => Line::Text(text),
            Some(None) => Line::TooLong,
            None => lines.next(),
        };
        let command = match line {
            Line::End => return,
            Line::TooLong => Command::Bad(Failure::new(
                Code::LineTooLong,
                format!("a line of more than {} bytes was skipped", lines::LONGEST),
            )),
            Line::Text(text) => {
                log.input(text);
                match parser.parse(text) {
                    Some(command) => command,
                    None => continue,
                }
            }
        };
        let ends = matches!(command, Command::Quit);
        if ends {
            // Sent before the command, so that the controller cannot end without it.
            let _ = quit.send(());
        }
        if commands.send(command).is_err() || ends {
            return;
        }
    }
}

/// Writes messages, one write a line, until there are no more or nobody reads them.
fn write(mut output: impl Write, log: &Log, messages: &Receiver<Message>) -> io::Result<()> {
    for message in messages {
        for line in uci::format(&message).lines() {
            log.output(line);
            output.write_all(format!("{line}\n").as_bytes())?;
            output.flush()?;
        }
    }
    Ok(())
}
