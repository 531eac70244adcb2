//! One side of a DXP dialogue: what it answers to each message, and when it thinks.
//!
//! No connection, no clock but the engine's own: messages go in and out as values, so that any dialogue can be played
//! through. A party that asks for games is the initiator, else the follower, whoever of the two listens. Invariants:
//! * a job runs only in a game in which this side is to move;
//! * each game that begins is handed over once, as it ended;
//! * a game whose end was said waits for the other side to acknowledge it, and takes no move any more.

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use super::record::{Played, pdn};
use crate::board::{Outcome, Side};
use crate::engine::command::{Best, Clocks, Event, Order, Origin, PlayerClock, Setting};
use crate::engine::error::Failure;
use crate::engine::{Engine, Job};
use crate::notation::dxp::{
    Acceptance, Back, DxpError, Message, Move, Reason, Request, SQUARES, VERSION,
};
use crate::notation::pdn::GameResult;

/// Time for a move in games that have none to speak of.
const QUICK: Duration = Duration::from_millis(100);
/// Bad messages on a connection that are put up with.
const MOST_BAD: u32 = 20;

/// What a party is to do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The name it goes by.
    pub name: String,
    /// Whether it asks for games; else it waits to be asked.
    pub initiator: bool,
    /// How many games it plays; `None` for no limit.
    pub games: Option<u32>,
    /// Minutes for each side and game it asks for; 0 for as fast as is sensible.
    pub minutes: u32,
    /// Moves of each side, of games it asks for; 0 for no limit.
    pub moves: u32,
    /// The first position of games it asks for, in Hub's letters; `None` for the start position.
    pub board: Option<String>,
    /// The side it takes in the first game it asks for; they alternate from then on.
    pub side: Side,
    /// The day, as PDN writes it.
    pub today: fn() -> String,
}

/// A game in play.
#[derive(Debug)]
struct Game {
    peer: String,
    own: Side,
    first: Side,
    /// The first position in Hub's letters; `None` for the start position.
    board: Option<String>,
    minutes: u32,
    most_moves: u32,
    /// The moves in Hub's form.
    moves: Vec<String>,
    /// Time this side has used.
    used: Duration,
}

impl Game {
    fn mover(&self) -> Side {
        if self.moves.len().is_multiple_of(2) {
            self.first
        } else {
            !self.first
        }
    }

    /// What this side may think.
    fn order(&self) -> Order {
        let mut order = Order {
            book: true,
            ..Order::default()
        };
        if self.minutes == 0 {
            order.limits.movetime = Some(QUICK);
            return order;
        }
        let whole = Duration::from_secs(60 * u64::from(self.minutes));
        let left = whole.saturating_sub(self.used).as_millis();
        let clock = PlayerClock {
            time: Some(i64::try_from(left).unwrap_or(i64::MAX)),
            increment: None,
        };
        let made = u32::try_from(self.moves.len() / 2).unwrap_or(u32::MAX);
        order.clocks = Clocks {
            white: clock,
            black: clock,
            moves_to_go: (self.most_moves > 0).then(|| self.most_moves.saturating_sub(made).max(1)),
        };
        order
    }
}

/// Where the dialogue is.
#[derive(Debug)]
enum State {
    /// No game.
    Idle,
    /// A game was asked for, in which this side would play so.
    Asked(Request),
    /// A game goes on.
    Playing(Game),
    /// This side has said how the game ended, and the other has not acknowledged it.
    Ending(Game, Reason, String),
}

/// What a party has to say to the world.
#[derive(Debug, Default)]
pub struct Output {
    /// Messages for the other side.
    pub messages: Vec<Message>,
    /// Sentences for whoever watches.
    pub words: Vec<String>,
    /// Games that ended, in PDN.
    pub games: Vec<String>,
}

/// One side of a dialogue.
pub struct Party {
    plan: Plan,
    engine: Box<dyn Engine>,
    state: State,
    thinking: Option<(Job, Instant)>,
    begun: u32,
    bad: u32,
    closing: bool,
    output: Output,
}

impl Party {
    /// A party without a connection; `None` where the engine's set has another board than DXP.
    pub fn new(plan: Plan, engine: Box<dyn Engine>) -> Option<Party> {
        let variant = engine.settings().variant;
        let squares = crate::with_rules!(variant, R => {
            <<R as crate::board::Rules>::Geo as crate::board::Geometry>::SQUARES
        });
        (squares == SQUARES).then_some(Party {
            plan,
            engine,
            state: State::Idle,
            thinking: None,
            begun: 0,
            bad: 0,
            closing: false,
            output: Output::default(),
        })
    }

    /// What there is to say since the last call.
    pub fn output(&mut self) -> Output {
        std::mem::take(&mut self.output)
    }

    /// The events of the running search.
    pub fn events(&self) -> Option<&Receiver<Event>> {
        self.thinking.as_ref().map(|(job, _)| job.events())
    }

    /// Whether the connection is to be closed.
    pub const fn is_closing(&self) -> bool {
        self.closing
    }

    /// Whether all games were begun and none goes on.
    pub fn is_done(&self) -> bool {
        !self.games_left() && matches!(self.state, State::Idle)
    }

    fn games_left(&self) -> bool {
        self.plan.games.is_none_or(|games| self.begun < games)
    }

    fn send(&mut self, message: Message) {
        self.output.messages.push(message);
    }

    fn say(&mut self, words: impl Into<String>) {
        self.output.words.push(words.into());
    }

    /// A connection was made.
    pub fn connected(&mut self) {
        self.bad = 0;
        self.closing = false;
        if self.plan.initiator {
            self.ask();
        }
    }

    /// The connection is gone. Tells whether that broke a game off.
    pub fn lost(&mut self, why: &str) -> bool {
        let broken = !matches!(self.state, State::Idle);
        self.say(format!("connection over: {why}"));
        self.abandon(&format!("connection over: {why}"));
        broken
    }

    /// The program ends: says so to the other side, if a game goes on.
    pub fn leave(&mut self) {
        if let State::Playing(_) = self.state {
            let reason = Reason::Unknown;
            self.send(Message::End { reason, stop: true });
        }
        self.abandon("broken off");
        self.closing = true;
    }

    /// Ends a game without a result.
    fn abandon(&mut self, why: &str) {
        self.thinking = None;
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Playing(game) => self.finish(game, Reason::Unknown, why),
            State::Ending(game, reason, why) => self.finish(game, reason, &why),
            State::Asked(_) => self.begun -= 1,
            State::Idle => {}
        }
    }

    /// Asks for the next game.
    fn ask(&mut self) {
        let even = self.begun.is_multiple_of(2);
        let own = if even {
            self.plan.side
        } else {
            !self.plan.side
        };
        let request = Request {
            version: VERSION.into(),
            name: self.plan.name.clone(),
            follower: !own,
            minutes: self.plan.minutes,
            moves: self.plan.moves,
            board: self.plan.board.clone(),
        };
        self.begun += 1;
        self.send(Message::Request(request.clone()));
        self.state = State::Asked(request);
    }

    /// Hears a message, or why what came is none.
    pub fn hear(&mut self, message: Result<Message, DxpError>) {
        match message {
            Err(error) => {
                self.bad += 1;
                self.say(format!("bad message: {error}"));
                self.send(Message::Chat(format!("Bad message: {error}")));
                if self.bad > MOST_BAD {
                    self.closing = true;
                    self.abandon("too many bad messages");
                }
            }
            Ok(Message::Chat(text)) => self.say(format!("they say: {text}")),
            Ok(Message::Request(request)) => self.requested(request),
            Ok(Message::Accept { name, answer }) => self.answered(name, answer),
            Ok(Message::Move(mv)) => self.moved(&mv),
            Ok(Message::End { reason, stop }) => self.ended(reason, stop),
            Ok(Message::BackRequest { number, side }) => self.go_back(number, side),
            Ok(Message::BackAnswer(_)) => {}
        }
    }

    fn requested(&mut self, request: Request) {
        let refusal = if request.version != VERSION {
            Some((Acceptance::Version, "another version of DXP".to_owned()))
        } else if self.plan.initiator {
            Some((Acceptance::NotThis, "both sides ask for games".to_owned()))
        } else if !self.games_left() {
            Some((Acceptance::NoMore, "no more games".to_owned()))
        } else {
            self.abandon("another game was asked for");
            let set = self.set(request.board.clone(), &[]);
            set.err().map(|failure| (Acceptance::NotThis, failure.what))
        };
        let answer = refusal
            .as_ref()
            .map_or(Acceptance::Yes, |(answer, _)| *answer);
        self.send(Message::Accept {
            name: self.plan.name.clone(),
            answer,
        });
        if let Some((_, why)) = refusal {
            self.say(format!("refused a game of {}: {why}", request.name));
            self.send(Message::Chat(format!("Refused: {why}")));
            return;
        }
        self.begun += 1;
        self.begin(request.name.clone(), request.follower, request);
    }

    fn answered(&mut self, name: String, answer: Acceptance) {
        let State::Asked(request) = &self.state else {
            return;
        };
        let request = request.clone();
        if answer == Acceptance::Yes {
            self.begin(name, !request.follower, request);
            return;
        }
        let why = match answer {
            Acceptance::Version => "they have another version of DXP",
            Acceptance::NoMore => "they play no more games",
            _ => "they do not play this game",
        };
        self.say(format!("{name} refused the game: {why}"));
        self.abandon(why);
        // There is nothing else to ask for.
        self.plan.games = Some(self.begun);
        self.closing = true;
    }

    fn begin(&mut self, peer: String, own: Side, terms: Request) {
        let black = terms
            .board
            .as_ref()
            .is_some_and(|board| board.starts_with('B'));
        let game = Game {
            peer,
            own,
            first: if black { Side::Black } else { Side::White },
            board: terms.board,
            minutes: terms.minutes,
            most_moves: terms.moves,
            moves: Vec::new(),
            used: Duration::ZERO,
        };
        self.say(format!(
            "game {}: {own:?} against {}, {} minutes, {} moves",
            self.begun, game.peer, game.minutes, game.most_moves
        ));
        self.engine.clear();
        let set = self.set(game.board.clone(), &[]);
        self.state = State::Playing(game);
        match set {
            Ok(()) => self.turn(),
            // A board of one's own plan that is none.
            Err(failure) => self.end(Reason::Unknown, failure.what),
        }
    }

    fn set(&mut self, board: Option<String>, moves: &[String]) -> Result<(), Failure> {
        self.engine.set_position(&Setting {
            origin: board.map_or(Origin::Start, Origin::Hub),
            moves: moves.join(" "),
        })
    }

    /// Thinks, or says that the game is over, if this side is to move.
    fn turn(&mut self) {
        let State::Playing(game) = &self.state else {
            return;
        };
        if game.mover() != game.own {
            return;
        }
        let most = usize::try_from(game.most_moves).unwrap_or(usize::MAX);
        let limit = most > 0 && game.moves.len() >= most.saturating_mul(2);
        match self.engine.outcome() {
            Some(Outcome::Win(_, reason)) => self.end(Reason::Lost, format!("{reason:?}")),
            Some(Outcome::Draw(reason)) => self.end(Reason::Draw, reason.word().to_owned()),
            _ if limit => {
                self.send(Message::Chat("The limit of moves is reached".into()));
                self.end(Reason::Unknown, "limit of moves".into());
            }
            _ => match self.engine.go(&game.order()) {
                Ok(started) => self.thinking = Some((started.job, Instant::now())),
                Err(failure) => self.end(Reason::Unknown, failure.what),
            },
        }
    }

    /// Says that the game is over.
    fn end(&mut self, reason: Reason, why: String) {
        self.thinking = None;
        if let State::Playing(game) = std::mem::replace(&mut self.state, State::Idle) {
            let stop = !self.games_left();
            self.send(Message::End { reason, stop });
            self.state = State::Ending(game, reason, why);
        }
    }

    /// Hears an event of the running search; `None` means that it ended without its last one.
    pub fn event(&mut self, event: Option<Event>) {
        let best = match event {
            Some(Event::Best(best)) => best,
            None => Best::default(),
            Some(_) => return,
        };
        let taken = self.thinking.take().map(|(_, since)| since.elapsed());
        let State::Playing(game) = &mut self.state else {
            return;
        };
        let taken = taken.unwrap_or_default();
        game.used += taken;
        let Some((text, mv)) = best
            .mv
            .and_then(|text| Some((message(&text, taken)?, text)))
        else {
            return self.end(Reason::Unknown, "the search broke down".into());
        };
        game.moves.push(mv);
        let (board, moves) = (game.board.clone(), game.moves.clone());
        self.send(Message::Move(text));
        if let Err(failure) = self.set(board, &moves) {
            self.say(failure.what);
        }
    }

    fn moved(&mut self, mv: &Move) {
        let State::Playing(game) = &mut self.state else {
            return;
        };
        if game.mover() == game.own {
            return self.send(Message::Chat("It is not your turn".into()));
        }
        let sign = if mv.captured.is_empty() { "-" } else { "x" };
        let mut text = format!("{}{sign}{}", mv.from, mv.to);
        for square in &mv.captured {
            text += &format!("x{square}");
        }
        let before = game.moves.clone();
        game.moves.push(text);
        let (board, moves) = (game.board.clone(), game.moves.clone());
        match self.set(board.clone(), &moves) {
            Ok(()) => self.turn(),
            Err(failure) => {
                if let State::Playing(game) = &mut self.state {
                    game.moves.clone_from(&before);
                }
                // Of the position before it nothing can be wrong.
                let _ = self.set(board, &before);
                self.send(Message::Chat(format!("Illegal {}", failure.what)));
                self.end(Reason::Unknown, format!("illegal {}", failure.what));
            }
        }
    }

    fn ended(&mut self, reason: Reason, stop: bool) {
        self.thinking = None;
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Playing(game) => {
                self.send(Message::End {
                    reason: Reason::Unknown,
                    stop: stop || !self.games_left(),
                });
                let (own, why) = match reason {
                    Reason::Lost => (Reason::Won, "they say they lose"),
                    Reason::Draw => (Reason::Draw, "they say it is a draw"),
                    Reason::Won => (Reason::Lost, "they say they win"),
                    Reason::Unknown => (Reason::Unknown, "ended without a result"),
                };
                self.finish(game, own, why);
            }
            State::Ending(game, reason, why) => self.finish(game, reason, &why),
            State::Asked(request) => self.state = State::Asked(request),
            State::Idle => {}
        }
        if stop {
            self.closing = true;
            if self.plan.initiator {
                self.plan.games = Some(self.begun);
            }
        } else if !self.games_left() {
            self.closing = true;
        } else if self.plan.initiator && matches!(self.state, State::Idle) {
            self.ask();
        }
    }

    fn go_back(&mut self, number: u32, side: Side) {
        let State::Playing(game) = &mut self.state else {
            return self.send(Message::BackAnswer(Back::No));
        };
        // The number counts pairs of moves, White's first; a game that Black begins has half a pair at first.
        let half = |side: Side| i64::from(side == Side::Black);
        let ply = 2 * (i64::from(number) - 1) + half(side) - half(game.first);
        let ply = usize::try_from(ply).ok();
        let Some(ply) = ply.filter(|&ply| ply <= game.moves.len()) else {
            return self.send(Message::BackAnswer(Back::No));
        };
        game.moves.truncate(ply);
        let (board, moves) = (game.board.clone(), game.moves.clone());
        self.thinking = None;
        self.send(Message::BackAnswer(Back::Yes));
        match self.set(board, &moves) {
            Ok(()) => self.turn(),
            Err(failure) => self.end(Reason::Unknown, failure.what),
        }
    }

    /// Hands a game over with its result from this side.
    fn finish(&mut self, game: Game, reason: Reason, why: &str) {
        let won = |side| match side {
            Side::White => GameResult::WhiteWins,
            Side::Black => GameResult::BlackWins,
        };
        let result = match reason {
            Reason::Unknown => GameResult::Unknown,
            Reason::Draw => GameResult::Draw,
            Reason::Won => won(game.own),
            Reason::Lost => won(!game.own),
        };
        let mut names = [self.plan.name.clone(), game.peer];
        if game.own == Side::Black {
            names.reverse();
        }
        let played = Played {
            names,
            round: self.begun,
            date: (self.plan.today)(),
            board: game.board,
            moves: game.moves,
            result,
            why: why.to_owned(),
        };
        let variant = self.engine.settings().variant;
        let result = played.result.terminator(variant);
        self.say(format!("game {}: {result}, {why}", self.begun));
        self.output.games.push(pdn(variant, &played));
    }
}

/// A move in Hub's form as DXP sends it.
fn message(text: &str, taken: Duration) -> Option<Move> {
    let squares = text.split(['-', 'x']).map(str::parse);
    let mut squares = squares.collect::<Result<Vec<u32>, _>>().ok()?.into_iter();
    Some(Move {
        seconds: u32::try_from((taken.as_millis() + 500) / 1000).unwrap_or(u32::MAX),
        from: squares.next()?,
        to: squares.next()?,
        captured: squares.collect(),
    })
}
