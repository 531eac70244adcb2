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

pub mod lines;
pub mod uci;

use std::io::{self, BufRead, Write};
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
use lines::{Line, Lines};

/// Commands that may wait for the controller.
const QUEUE: usize = 256;

/// How long the last messages may take to be written after `quit`, when nobody may be reading them.
const FAREWELL: Duration = Duration::from_secs(1);

/// Speaks the protocol on standard input and output until the input ends, `quit`, or a broken pipe.
pub fn run(settings: Settings) -> Result<(), Failure> {
    let engine = build(settings)?;
    let log = Arc::new(Log::default());
    let (commands, queue) = bounded(QUEUE);
    let (output, messages) = unbounded();
    let (listener, listening) = bounded(0);
    let (quit, has_quit) = bounded(1);

    let reader_log = Arc::clone(&log);
    spawn("reader", move || {
        read(io::stdin().lock(), &reader_log, &commands, &quit);
    })?;
    let writer_log = Arc::clone(&log);
    let writer = spawn("writer", move || {
        // Held until the writer ends, however it ends: the controller takes that for a broken pipe.
        let _listener: Sender<()> = listener;
        write(io::stdout(), &writer_log, &messages)
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
/// command to quit, which ends it too.
fn read(input: impl BufRead, log: &Log, commands: &Sender<Command>, quit: &Sender<()>) {
    let mut lines = Lines::new(input);
    loop {
        let command = match lines.next() {
            Line::End => return,
            Line::TooLong => Command::Bad(Failure::new(
                Code::LineTooLong,
                format!("a line of more than {} bytes was skipped", lines::LONGEST),
            )),
            Line::Text(text) => {
                log.input(text);
                match uci::parse(text) {
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
