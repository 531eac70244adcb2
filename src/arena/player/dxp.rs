//! An engine that waits for DXP connections: this side connects and asks for the games.
//!
//! DXP knows nothing of openings: a game is asked for from the position in which the engine has its first move.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use super::process::Dialogue;
use super::{
    Answer, Fault, FaultKind, Player, Process, READY, STARTUP, Silence, Situation, read_move,
};
use crate::arena::spec::EngineSpec;
use crate::board::{Board, Game, Geometry, Rules};
use crate::notation::dxp::{
    Acceptance, Back, DxpError, Frames, Message, Move, PORT, Reason, Request, SQUARES, VERSION,
};
use crate::notation::{Notation, Squares, Style, hub, moves};

/// What stands for a free port in a command line.
const PORT_MARK: &str = "{port}";

/// A player at the other end of a connection.
pub(super) struct Dxp {
    /// The engine, where it is this program that runs it.
    process: Option<Process>,
    address: String,
    link: Option<Link>,
    dialogue: Dialogue,
    minutes: u32,
    /// How many moves of the game both sides know; `None` where none goes on.
    told: Option<usize>,
}

/// A connection.
struct Link {
    stream: TcpStream,
    frames: Frames,
    inbox: VecDeque<Result<Message, DxpError>>,
}

impl Link {
    /// The next message.
    fn receive(&mut self, deadline: Instant) -> Result<Result<Message, DxpError>, Silence> {
        let mut bytes = [0; 4096];
        loop {
            if let Some(message) = self.inbox.pop_front() {
                return Ok(message);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Silence::TimedOut);
            }
            let waits = self.stream.set_read_timeout(Some(left));
            match waits.and_then(|()| self.stream.read(&mut bytes)) {
                Ok(0) => return Err(Silence::Ended),
                Ok(count) => self.inbox.extend(self.frames.push(&bytes[..count])),
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock
                    | io::ErrorKind::TimedOut
                    | io::ErrorKind::Interrupted => {}
                    _ => return Err(Silence::Ended),
                },
            }
        }
    }
}

/// A port that is free now.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

impl Dxp {
    /// Starts the engine, if there is a command, and connects.
    pub(super) fn start<R: Rules>(
        spec: &EngineSpec,
        command: &[String],
        dir: Option<&str>,
        address: Option<&str>,
    ) -> Result<Self, Fault> {
        let failed = |kind, what: String| Fault {
            kind,
            what,
            lines: Vec::new(),
        };
        if R::Geo::SQUARES != SQUARES {
            let what = format!(
                "does not play {}: DXP has boards of {SQUARES} squares",
                R::VARIANT
            );
            return Err(failed(FaultKind::Protocol, what));
        }
        let port = free_port().map_err(|error| {
            failed(
                FaultKind::Crash,
                format!("cannot be started: there is no free port: {error}"),
            )
        })?;
        let marked = command.iter().any(|word| word.contains(PORT_MARK));
        let command: Vec<String> = command
            .iter()
            .map(|word| word.replace(PORT_MARK, &port.to_string()))
            .collect();
        let process = match command.as_slice() {
            [] => None,
            command => Some(Process::start(command, dir)?),
        };
        let default = if marked { port } else { PORT };
        let clock = spec
            .control
            .clock
            .map_or(0, |clock| clock.time.as_secs() / 60);
        let mut player = Self {
            process,
            address: address.map_or_else(|| format!("127.0.0.1:{default}"), str::to_owned),
            link: None,
            dialogue: Dialogue::default(),
            minutes: u32::try_from(clock).unwrap_or(u32::MAX),
            told: None,
        };
        player.connect()?;
        Ok(player)
    }

    /// Connects, as soon as the engine waits for it.
    fn connect(&mut self) -> Result<(), Fault> {
        let end = Instant::now() + STARTUP;
        loop {
            let addresses = self.address.to_socket_addrs();
            let tried = addresses.and_then(|list| {
                let mut last = io::Error::other("it is no address");
                for address in list {
                    match TcpStream::connect_timeout(&address, STARTUP) {
                        Ok(stream) => return Ok(stream),
                        Err(error) => last = error,
                    }
                }
                Err(last)
            });
            let ready = tried.and_then(|stream| {
                stream.set_nodelay(true)?;
                stream.set_write_timeout(Some(STARTUP))?;
                Ok(stream)
            });
            let gone = self.process.as_mut().and_then(|p| p.exit(Duration::ZERO));
            match ready {
                Ok(stream) => {
                    self.link = Some(Link {
                        stream,
                        frames: Frames::default(),
                        inbox: VecDeque::new(),
                    });
                    return Ok(());
                }
                Err(error) if Instant::now() > end => {
                    let what = format!("cannot be reached at {}: {error}", self.address);
                    return Err(self.fault(FaultKind::Crash, what));
                }
                Err(_) => match gone {
                    Some(status) => {
                        let what = format!("ended ({status}) before it took a connection");
                        return Err(self.fault(FaultKind::Crash, what));
                    }
                    None => thread::sleep(Duration::from_millis(50)),
                },
            }
        }
    }

    fn fault(&self, kind: FaultKind, what: String) -> Fault {
        let mut lines = self.dialogue.shown();
        if let Some(process) = &self.process {
            lines.extend(process.fault(kind, String::new()).lines);
        }
        Fault { kind, what, lines }
    }

    fn send(&mut self, message: &Message) -> Result<(), Fault> {
        let text = message.encode();
        self.dialogue.sent(format!("-> {text}"));
        let sent = match &mut self.link {
            Some(link) => link.stream.write_all(&[text.as_bytes(), &[0]].concat()),
            None => Err(io::Error::other("there is no connection")),
        };
        sent.map_err(|error| {
            self.link = None;
            self.fault(
                FaultKind::Crash,
                format!("cannot be sent a message: {error}"),
            )
        })
    }

    /// The next message that is no chat, if it comes in time.
    fn receive(&mut self, deadline: Instant, time: Duration) -> Result<Message, Fault> {
        loop {
            let heard = match &mut self.link {
                Some(link) => link.receive(deadline),
                None => Err(Silence::Ended),
            };
            match heard {
                Ok(Ok(message)) => {
                    self.dialogue.heard(format!("<- {}", message.encode()));
                    match message {
                        Message::Chat(_) | Message::BackAnswer(_) => {}
                        Message::BackRequest { .. } => {
                            self.send(&Message::BackAnswer(Back::No))?;
                        }
                        message => return Ok(message),
                    }
                }
                Ok(Err(error)) => {
                    let what = format!("sends what is no message: {error}");
                    return Err(self.fault(FaultKind::Protocol, what));
                }
                Err(Silence::TimedOut) => {
                    let what = format!("did not answer within {:.3} s", time.as_secs_f64());
                    return Err(self.fault(FaultKind::Hang, what));
                }
                Err(Silence::Ended) => {
                    self.link = None;
                    return Err(self.fault(FaultKind::Crash, "closed the connection".into()));
                }
            }
        }
    }

    /// Ends the game, if one goes on: the engine has moved last, so that it is for this side to say so.
    fn end(&mut self) -> Result<(), Fault> {
        if self.told.take().is_none() {
            return Ok(());
        }
        let over = Message::End {
            reason: Reason::Unknown,
            stop: false,
        };
        self.send(&over)?;
        let deadline = Instant::now() + READY;
        loop {
            if let Message::End { stop, .. } = self.receive(deadline, READY)? {
                if stop {
                    self.link = None;
                }
                return Ok(());
            }
        }
    }

    /// Asks for a game from the current position, in which the engine is to move.
    fn ask<R: Rules>(&mut self, board: &Board) -> Result<(), Fault> {
        if self.link.is_none() {
            self.connect()?;
        }
        let request = Message::Request(Request {
            version: VERSION.into(),
            name: "Warcab match".into(),
            follower: board.side,
            minutes: self.minutes,
            moves: 0,
            board: (*board != Board::start::<R>()).then(|| hub::write::<R>(board)),
        });
        self.send(&request)?;
        let deadline = Instant::now() + READY;
        loop {
            match self.receive(deadline, READY)? {
                Message::Accept {
                    answer: Acceptance::Yes,
                    ..
                } => return Ok(()),
                Message::Accept { answer, .. } => {
                    let what = format!("refuses the game ({answer:?})");
                    return Err(self.fault(FaultKind::Protocol, what));
                }
                // What was on its way when the last game ended.
                _ => {}
            }
        }
    }

    /// Tells the engine what it does not know yet, so that it thinks.
    fn tell<R: Rules>(&mut self, game: &Game<R>) -> Result<(), Fault> {
        let played = game.moves();
        if self.told.is_some_and(|told| told + 1 == played.len())
            && let (Some(mv), [.., before, _]) = (played.last(), game.positions())
        {
            let style = Style {
                notation: Notation::Hub,
                squares: Squares::Numeric,
            };
            let text = moves::write::<R>(&before.board, mv, style);
            let squares: Vec<u32> = text.split(['-', 'x']).flat_map(str::parse).collect();
            if let [from, to, captured @ ..] = squares.as_slice() {
                return self.send(&Message::Move(Move {
                    seconds: 0,
                    from: *from,
                    to: *to,
                    captured: captured.to_vec(),
                }));
            }
        }
        self.end()?;
        self.ask::<R>(game.board())
    }

    /// Waits for the engine's move, or for what it claims instead.
    fn listen<R: Rules>(
        &mut self,
        situation: &Situation<'_, R>,
        start: Instant,
        claim: &mut Option<Reason>,
    ) -> Result<crate::board::Move, Fault> {
        let time = situation.allowed.unwrap_or_default() + situation.patience;
        let said = self.receive(start + time, time)?;
        match said {
            Message::Move(mv) => {
                let sign = if mv.captured.is_empty() { "-" } else { "x" };
                let mut text = format!("{}{sign}{}", mv.from, mv.to);
                for square in &mv.captured {
                    text += &format!("x{square}");
                }
                let mv = read_move(situation.game, &text, |kind, what| self.fault(kind, what))?;
                self.told = Some(situation.game.moves().len() + 1);
                Ok(mv)
            }
            Message::End { reason, stop } => {
                self.told = None;
                self.send(&Message::End {
                    reason: Reason::Unknown,
                    stop: false,
                })?;
                if stop {
                    self.link = None;
                }
                let what = match reason {
                    Reason::Lost => "gives the game up",
                    Reason::Draw => "takes the game for drawn and plays no further",
                    Reason::Won => "takes the game for won and plays no further",
                    Reason::Unknown => "plays no further",
                };
                *claim = Some(reason);
                Err(self.fault(FaultKind::Protocol, what.into()))
            }
            other => {
                let what = format!("answers {} where it is to move", other.encode());
                Err(self.fault(FaultKind::Protocol, what))
            }
        }
    }
}

impl<R: Rules> Player<R> for Dxp {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.end()
    }

    fn think(&mut self, situation: &Situation<'_, R>) -> Answer {
        let mut answer = Answer::none();
        if let Err(fault) = self.tell(situation.game) {
            answer.mv = Err(fault);
            return answer;
        }
        let start = Instant::now();
        answer.mv = self.listen(situation, start, &mut answer.claim);
        answer.time = start.elapsed();
        answer
    }
}

impl Drop for Dxp {
    fn drop(&mut self) {
        // The engine may have gone already.
        if self.told.is_some() {
            let _ = self.send(&Message::End {
                reason: Reason::Unknown,
                stop: true,
            });
        }
    }
}
