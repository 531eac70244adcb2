//! The controller: the state machine between the user and the engine.
//!
//! It waits for commands and for the events of the one job that may run, never for anything else, and it alone stops
//! jobs. Its invariants:
//! * each `go` is answered by exactly one [`Message::Best`], each perft by one [`Reply::Perft`] or one error;
//! * commands are obeyed in the order they came, but for the urgent ones: a command that stops the running search waits
//!   for that search's end, one that finds a perft running for the perft's, and all later ones wait behind it;
//! * the answer of an infinite or pondering search is held back until it is stopped or its move was played.

use std::collections::VecDeque;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, never, select};

use super::command::{Best, Command, Event, Message, Order, Question, Reply, Setting};
use super::error::{Code, Failure, quote};
use super::log::Log;
use super::options::{Kind, Opt, Settings};
use super::{Engine, Job, build};
use crate::board::Outcome;
use crate::search::HashError;

/// A running job.
#[derive(Debug)]
struct Running {
    job: Job,
    task: Task,
}

/// What a running job does.
#[derive(Debug)]
enum Task {
    Search {
        /// It has no limit of its own: its answer waits for a stop.
        infinite: bool,
        /// Its limits do not hold yet: its answer waits for a stop or a ponderhit.
        pondering: bool,
        /// The answer, held back.
        held: Option<Best>,
    },
    Perft {
        depth: u32,
    },
}

impl Task {
    /// Whether it goes on until it is told to stop.
    const fn is_unlimited(&self) -> bool {
        matches!(
            self,
            Task::Search { infinite: true, .. }
                | Task::Search {
                    pondering: true,
                    ..
                }
        )
    }
}

/// Commands that may wait for the end of a perft.
const MOST_WAITING: usize = 256;

/// The controller.
pub struct Controller {
    engine: Box<dyn Engine>,
    log: Arc<Log>,
    output: Sender<Message>,
    running: Option<Running>,
    /// Commands that wait for the running job to end, in their order.
    waiting: VecDeque<Command>,
    /// The first of them has to wait until the engine is idle.
    blocked: bool,
    /// No more commands will come.
    ended: bool,
    debug: bool,
}

impl Controller {
    /// A controller of `engine` that speaks to `output`.
    pub fn new(engine: Box<dyn Engine>, output: Sender<Message>, log: Arc<Log>) -> Self {
        Self {
            engine,
            log,
            output,
            running: None,
            waiting: VecDeque::new(),
            blocked: false,
            ended: false,
            debug: false,
        }
    }

    /// Obeys `commands` until they end, or `quit`, or `listener` disconnects because nobody hears the messages any more.
    pub fn run(mut self, commands: &Receiver<Command>, listener: &Receiver<()>) {
        loop {
            self.blocked &= self.running.is_some();
            if !self.blocked
                && let Some(command) = self.waiting.pop_front()
            {
                self.take(command);
                continue;
            }
            if self.ended {
                match &self.running {
                    None => return,
                    Some(running) if running.task.is_unlimited() => self.stop(),
                    Some(_) => {}
                }
            }
            let deaf = self.ended || self.waiting.len() >= self.most_waiting();
            let commands = if deaf { &never() } else { commands };
            let events = match &self.running {
                // A search that waits with its answer has nothing more to say.
                Some(Running {
                    task: Task::Search { held: Some(_), .. },
                    ..
                })
                | None => never(),
                Some(running) => running.job.events().clone(),
            };
            select! {
                recv(commands) -> command => match command {
                    Ok(command) => self.receive(command),
                    Err(_) => self.ended = true,
                },
                recv(events) -> event => self.hear(event.ok()),
                recv(listener) -> _ => return,
            }
        }
    }

    fn say(&self, message: Message) {
        // Fails only when nobody listens any more, which `run` notices by itself.
        let _ = self.output.send(message);
    }

    fn fail(&self, failure: Failure) {
        self.say(Message::Error(failure));
    }

    /// How many commands may wait. Behind a search that was told to stop one is enough; a perft may take long.
    fn most_waiting(&self) -> usize {
        match &self.running {
            Some(Running {
                task: Task::Perft { .. },
                ..
            }) => MOST_WAITING,
            _ => 1,
        }
    }

    /// Takes a new command, at once or in its turn.
    fn receive(&mut self, command: Command) {
        let starts = |c: &Command| matches!(c, Command::Go(_) | Command::Perft(_));
        let urgent = match command {
            Command::Hello
            | Command::IsReady
            | Command::Ping
            | Command::Debug(_)
            | Command::Quit => true,
            // Unless it means a job that has not started yet.
            Command::Stop => !self.waiting.iter().any(starts),
            _ => self.waiting.is_empty(),
        };
        if urgent {
            self.take(command);
        } else {
            self.waiting.push_back(command);
        }
    }

    /// Obeys a command, or puts it off until the running job has ended.
    fn take(&mut self, command: Command) {
        match command {
            Command::Hello => {
                let settings = self.engine.settings().clone();
                self.say(Message::Hello(Box::new(settings)));
            }
            Command::Ping => self.say(Message::Pong),
            Command::IsReady => self.say(Message::Ready),
            Command::Debug(on) => self.debug = on,
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponderhit(),
            Command::Quit => self.quit(),
            Command::Ignore => {}
            Command::Bad(failure) => self.fail(failure),
            _ => match &self.running {
                None => self.obey(command),
                Some(Running {
                    task: Task::Perft { .. },
                    ..
                }) => self.put_off(command),
                Some(_) => match command {
                    Command::Go(_) | Command::Position(_) | Command::NewGame => {
                        self.stop();
                        self.put_off(command);
                    }
                    _ => self.fail(Failure::new(
                        Code::Busy,
                        "a search is running: send stop first",
                    )),
                },
            },
        }
    }

    fn put_off(&mut self, command: Command) {
        self.waiting.push_front(command);
        self.blocked = true;
    }

    /// Obeys a command that needs the engine idle.
    fn obey(&mut self, command: Command) {
        match command {
            Command::Go(order) => self.go(order),
            Command::Position(setting) => self.position(setting),
            Command::NewGame => self.engine.clear(),
            Command::SetOption { name, value } => {
                if let Err(failure) = self.set_option(&name, value.as_deref()) {
                    self.fail(failure);
                }
            }
            Command::Perft(depth) => self.perft(depth),
            Command::Ask(question) => self.reply(question),
            _ => {}
        }
    }

    fn quit(&mut self) {
        self.ended = true;
        if self.running.is_some() {
            self.stop();
        }
        for command in std::mem::take(&mut self.waiting) {
            if let Command::Go(_) = command {
                self.fail(Failure::new(
                    Code::Stopped,
                    "go was stopped before it began",
                ));
                self.say(Message::Best(Best::default()));
            }
        }
    }

    fn stop(&mut self) {
        let Some(running) = &mut self.running else {
            return self.remark("stop ignored: nothing is running");
        };
        running.job.stop();
        if let Task::Search {
            infinite,
            pondering,
            ..
        } = &mut running.task
        {
            (*infinite, *pondering) = (false, false);
        }
        self.release();
    }

    fn ponderhit(&mut self) {
        match &mut self.running {
            Some(Running {
                job,
                task: Task::Search { pondering, .. },
            }) if *pondering => {
                job.ponderhit();
                *pondering = false;
                self.release();
            }
            _ => self.remark("ponderhit ignored: nothing is pondering"),
        }
    }

    /// Hears an event of the running job; `None` means that it ended without its last one.
    fn hear(&mut self, event: Option<Event>) {
        match (event, &mut self.running) {
            (Some(Event::Info(info)), _) => self.say(Message::Info(info)),
            (Some(Event::Best(best)), Some(running)) => {
                if let Task::Search { held, .. } = &mut running.task {
                    *held = Some(best);
                }
                self.release();
            }
            (Some(Event::Count(counts)), Some(running)) => {
                let depth = match running.task {
                    Task::Perft { depth } => depth,
                    Task::Search { .. } => 0,
                };
                self.running = None;
                match counts {
                    Some(counts) => {
                        let nodes = match depth {
                            0 => 1,
                            _ => counts.iter().map(|(_, count)| count).sum(),
                        };
                        self.say(Message::Reply(Reply::Perft(Some((counts, nodes)))));
                    }
                    None => {
                        let what = format!("perft {depth} was stopped before its end");
                        self.fail(Failure::new(Code::Stopped, what));
                    }
                }
            }
            (None, Some(running)) => {
                let search = matches!(running.task, Task::Search { .. });
                self.running = None;
                self.fail(Failure::new(Code::Internal, "the running job broke down"));
                if search {
                    self.say(Message::Best(Best::default()));
                }
            }
            (_, None) => {}
        }
    }

    /// Says the answer of the running search, if it is there and need not be held back.
    fn release(&mut self) {
        if let Some(Running {
            task:
                Task::Search {
                    infinite: false,
                    pondering: false,
                    held,
                },
            ..
        }) = &mut self.running
            && let Some(best) = held.take()
        {
            self.running = None;
            self.say(Message::Best(best));
        }
    }

    fn go(&mut self, order: Result<Order, Failure>) {
        let started = order.and_then(|order| Ok((self.engine.go(&order)?, order)));
        let (started, order) = match started {
            Ok(started) => started,
            Err(failure) => {
                self.fail(failure);
                return self.say(Message::Best(Best::default()));
            }
        };
        for failure in started.failures {
            self.fail(failure);
        }
        if started.outcome != Outcome::Ongoing {
            self.say(Message::Decided(started.outcome));
        }
        self.running = Some(Running {
            job: started.job,
            task: Task::Search {
                infinite: !order.has_limit() && !started.instant,
                pondering: order.limits.ponder,
                held: None,
            },
        });
    }

    fn position(&mut self, setting: Result<Setting, Failure>) {
        let set = setting.and_then(|setting| self.engine.set_position(&setting));
        if let Err(failure) = set {
            self.engine.drop_position();
            self.fail(failure);
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Failure> {
        let Some(option) = Opt::find(name) else {
            let what = format!("{} is not an option: uci lists them all", quote(name));
            return Err(Failure::new(Code::NoSuchOption, what));
        };
        if let Kind::Button { press } = option.kind {
            press(self.engine.as_mut());
            return Ok(());
        }
        let old = self.engine.settings().clone();
        let mut wanted = old.clone();
        option.read(&mut wanted, value)?;
        if wanted.log_file != old.log_file {
            self.log.open(&wanted.log_file)?;
        }
        if wanted.variant == old.variant {
            return self.engine.apply(wanted);
        }
        // The old hash table makes room for the new one.
        let small = Settings {
            hash: 1,
            ..old.clone()
        };
        self.engine.apply(small)?;
        let hash = wanted.hash;
        match build(wanted) {
            Ok(engine) => self.engine = engine,
            Err(failure) => {
                self.engine.apply(old)?;
                return Err(failure);
            }
        }
        let now = self.engine.settings().hash;
        if now == hash {
            return Ok(());
        }
        Err(HashError { mib: hash, now }.into())
    }

    fn perft(&mut self, depth: u32) {
        match self.engine.perft(depth) {
            None => self.say(Message::Reply(Reply::Perft(None))),
            Some(Err(failure)) => self.fail(failure),
            Some(Ok(job)) => {
                self.running = Some(Running {
                    job,
                    task: Task::Perft { depth },
                });
            }
        }
    }

    fn reply(&self, question: Question) {
        let engine = &self.engine;
        self.say(Message::Reply(match question {
            Question::Board => Reply::Board(engine.diagram().zip(engine.fen())),
            Question::Fen => Reply::Fen(engine.fen()),
            Question::Legal => Reply::Legal(engine.legal()),
            Question::Result => Reply::Result(engine.outcome()),
            Question::Rules => Reply::Rules(engine.draw_state()),
            Question::Eval => Reply::Eval(engine.evaluate()),
            Question::Help => Reply::Help,
        }));
    }

    /// Tells what only somebody who looks for an error wants to know.
    fn remark(&self, text: &str) {
        if self.debug {
            self.say(Message::Remark(text.to_owned()));
        }
    }
}
