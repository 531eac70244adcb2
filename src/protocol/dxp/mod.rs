//! DXP (Damexchange): games of 10x10 over TCP, as follower and as initiator.
//!
//! [`Party`] is the state machine; this file gives it a connection. A thread reads messages and hands them over a bounded
//! channel, another one waits for connections, and the caller's thread does the rest and waits for nothing without end:
//! silence of the other side, where it is its turn to speak, ends the connection, and so does a write it does not take.

mod party;
mod record;

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, after, bounded, never, select};

pub use party::{Output, Party, Plan};

use crate::notation::dxp::{DxpError, Frames, Message};

/// Messages that may wait for the party.
const QUEUE: usize = 64;
/// How long one read or write may block.
const BLOCKED: Duration = Duration::from_secs(10);
/// How long a connection is tried to be made.
const CONNECTING: Duration = Duration::from_secs(20);
/// How long is waited for the other side to close, so that it gets what was sent last.
const LINGER: Duration = Duration::from_secs(2);

/// How the two sides get together.
#[derive(Debug)]
pub enum Link {
    /// This side waits for connections.
    Listen(TcpListener),
    /// This side connects to the address.
    Connect(String),
}

/// What is told of the dialogue.
#[derive(Clone, Copy, Debug)]
pub enum Notice<'a> {
    /// A sentence.
    Words(&'a str),
    /// A game that ended, in PDN.
    Game(&'a str),
}

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// As the two sides wanted, or at least not in a game.
    Closed,
    /// It was lost in a game.
    Lost,
    /// The program is to end.
    Quit,
}

/// Plays until the plan is done, or `quit` comes or has no sender any more. `patience` is how long the other side may be
/// silent where it is to speak.
///
/// # Errors
///
/// The connection this side should make cannot be made, or is lost before the plan is done.
pub fn run(
    party: &mut Party,
    link: Link,
    patience: Duration,
    quit: &Receiver<()>,
    tell: &mut dyn FnMut(Notice<'_>),
) -> io::Result<()> {
    let streams = match link {
        Link::Connect(address) => {
            let Some(stream) = connect(&address, quit)? else {
                return Ok(());
            };
            tell(Notice::Words(&format!("connected to {address}")));
            return match talk(party, stream, patience, quit, tell)? {
                Ended::Lost => Err(io::Error::new(
                    io::ErrorKind::ConnectionAborted,
                    format!("the connection to {address} was lost"),
                )),
                Ended::Closed | Ended::Quit => Ok(()),
            };
        }
        Link::Listen(listener) => listen(listener)?,
    };
    while !party.is_done() {
        let stream = select! {
            recv(streams) -> stream => stream,
            recv(quit) -> _ => return Ok(()),
        };
        let Ok((stream, address)) = stream else {
            return Err(io::Error::other("cannot wait for connections any more"));
        };
        tell(Notice::Words(&format!("connection from {address}")));
        match talk(party, stream, patience, quit, tell) {
            Ok(Ended::Quit) => return Ok(()),
            Ok(_) => {}
            Err(error) => tell(Notice::Words(&error.to_string())),
        }
    }
    Ok(())
}

/// Connects, trying again for a while: the other side may only just be starting. `None` if the program is to end.
fn connect(address: &str, quit: &Receiver<()>) -> io::Result<Option<TcpStream>> {
    let end = Instant::now() + CONNECTING;
    let failed = |error: io::Error| {
        io::Error::new(
            error.kind(),
            format!("cannot connect to {address}: {error}"),
        )
    };
    loop {
        let mut last = io::Error::other("it is no address");
        for address in address.to_socket_addrs().map_err(failed)? {
            match TcpStream::connect_timeout(&address, BLOCKED) {
                Ok(stream) => return Ok(Some(stream)),
                Err(error) => last = error,
            }
        }
        if Instant::now() > end {
            return Err(failed(last));
        }
        if quit.recv_timeout(Duration::from_millis(100)) != Err(RecvTimeoutError::Timeout) {
            return Ok(None);
        }
    }
}

/// Waits for connections, one at a time, in a thread of its own.
fn listen(listener: TcpListener) -> io::Result<Receiver<(TcpStream, SocketAddr)>> {
    let (sender, streams) = bounded(0);
    thread::Builder::new()
        .name("listener".into())
        .spawn(move || {
            loop {
                match listener.accept() {
                    Ok(stream) => {
                        if sender.send(stream).is_err() {
                            return;
                        }
                    }
                    // A connection that failed before it was taken is none; what lasts should not take all time.
                    Err(_) => thread::sleep(Duration::from_millis(100)),
                }
            }
        })?;
    Ok(streams)
}

/// Reads messages until the connection ends or nobody hears them.
fn read(mut stream: TcpStream, messages: &Sender<Result<Message, DxpError>>) {
    let mut frames = Frames::default();
    let mut bytes = [0; 4096];
    loop {
        let count = match stream.read(&mut bytes) {
            Ok(0) => return,
            Ok(count) => count,
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock
                | io::ErrorKind::TimedOut
                | io::ErrorKind::Interrupted => continue,
                _ => return,
            },
        };
        for message in frames.push(bytes.get(..count).unwrap_or_default()) {
            if messages.send(message).is_err() {
                return;
            }
        }
    }
}

fn lost(party: &mut Party, why: &str) -> Ended {
    if party.lost(why) {
        Ended::Lost
    } else {
        Ended::Closed
    }
}

/// Leads the dialogue over a connection up to its end.
fn talk(
    party: &mut Party,
    mut stream: TcpStream,
    patience: Duration,
    quit: &Receiver<()>,
    tell: &mut dyn FnMut(Notice<'_>),
) -> io::Result<Ended> {
    stream.set_read_timeout(Some(BLOCKED))?;
    stream.set_write_timeout(Some(BLOCKED))?;
    stream.set_nodelay(true)?;
    let (sender, messages) = bounded(QUEUE);
    let theirs = stream.try_clone()?;
    let reader = thread::Builder::new()
        .name("connection".into())
        .spawn(move || read(theirs, &sender))?;
    party.connected();
    let mut heard = Instant::now();
    let ended = loop {
        let output = party.output();
        let sent = deliver(&mut stream, output, tell);
        if let Err(error) = sent {
            break lost(party, &error.to_string());
        }
        if party.is_closing() {
            break Ended::Closed;
        }
        let (events, silence) = match party.events() {
            Some(events) => (events.clone(), never()),
            None => (never(), after(patience.saturating_sub(heard.elapsed()))),
        };
        select! {
            recv(messages) -> message => match message {
                Ok(message) => {
                    heard = Instant::now();
                    party.hear(message);
                }
                Err(_) => break lost(party, "they have closed it"),
            },
            recv(events) -> event => {
                party.event(event.ok());
                heard = Instant::now();
            }
            recv(silence) -> _ => break lost(party, "they are silent"),
            recv(quit) -> _ => {
                party.leave();
                break Ended::Quit;
            }
        }
    };
    // What failed before fails again.
    let _ = deliver(&mut stream, party.output(), tell);
    if ended != Ended::Lost {
        let _ = stream.shutdown(Shutdown::Write);
        let end = Instant::now() + LINGER;
        while Instant::now() < end && messages.recv_deadline(end).is_ok() {}
    }
    let _ = stream.shutdown(Shutdown::Both);
    drop(messages);
    let _ = reader.join();
    Ok(ended)
}

/// Sends and tells what the party has to say.
fn deliver(
    stream: &mut TcpStream,
    output: Output,
    tell: &mut dyn FnMut(Notice<'_>),
) -> io::Result<()> {
    for words in &output.words {
        tell(Notice::Words(words));
    }
    for game in &output.games {
        tell(Notice::Game(game));
    }
    for message in &output.messages {
        let text = message.encode();
        stream.write_all(&[text.as_bytes(), &[0]].concat())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
