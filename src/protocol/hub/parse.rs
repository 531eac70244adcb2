//! Lines to commands.
//!
//! Hub says in several lines what [`Command::Go`] holds in one: the parser adds up the levels since the last position. It
//! also knows how the client numbers squares, as far as it was told.

use std::time::Duration;

use crate::engine::command::{Clocks, Command, Order, Origin, PlayerClock, Setting};
use crate::engine::error::{Code, Failure, quote};
use crate::notation::hub::Numbering;
use crate::notation::hub::line::{self, Argument, value};

use super::params::Param;

/// The longest time that is taken for one, in seconds: more than thirty years.
const LONGEST: f64 = 1e9;

/// Levels of playing strength that a handicap of one takes off.
const LEVELS_A_HANDICAP: u8 = 5;

/// What limits the searches of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Level {
    depth: Option<u32>,
    ply: Option<u32>,
    nodes: Option<u64>,
    /// Seconds.
    move_time: Option<f64>,
    /// Seconds, before the increment is added.
    time: Option<f64>,
    /// Seconds.
    increment: Option<f64>,
    moves: Option<u32>,
    infinite: bool,
    handicap: u8,
}

/// Reads lines.
#[derive(Debug)]
pub struct Parser {
    /// An error if the last line about it was none.
    level: Result<Level, Failure>,
    /// How squares are numbered; `None` if that is to be found out.
    numbering: Option<Numbering>,
}

impl Default for Parser {
    fn default() -> Self {
        Self {
            level: Ok(Level::default()),
            numbering: None,
        }
    }
}

impl Parser {
    /// The command of a line; `None` where there is nothing to do.
    pub fn parse(&mut self, text: &str) -> Option<Command> {
        let (command, rest) = line::command(text);
        let list = line::arguments(rest)
            .map_err(|error| Failure::new(Code::BadCommand, error.to_string()));
        Some(match command {
            "hub" => Command::Hello,
            "init" => Command::IsReady,
            "ping" => Command::Ping,
            "new-game" => Command::NewGame,
            "stop" => Command::Stop,
            "ponder-hit" => Command::PonderHit,
            "quit" => Command::Quit,
            "pos" => {
                self.level = Ok(Level::default());
                Command::Position(list.map(|list| self.position(&list)))
            }
            "level" => {
                let level = self.level.clone().unwrap_or_default();
                self.level = list.and_then(|list| add(level, &list));
                Command::Bad(self.level.clone().err()?)
            }
            "go" => Command::Go(list.and_then(|list| self.order(&list))),
            "set-param" => match list {
                Ok(list) => self.set_param(&list)?,
                Err(failure) => Command::Bad(failure),
            },
            "" => Command::Bad(Failure::new(Code::BadCommand, "missing command")),
            other => {
                let what = format!("{} is none of Hub's", quote(other));
                Command::Bad(Failure::new(Code::UnknownCommand, what))
            }
        })
    }

    fn position(&self, list: &[Argument<'_>]) -> Setting {
        Setting {
            origin: Origin::Numbered {
                board: value(list, "pos").map(str::to_owned),
                numbering: self.numbering,
            },
            moves: value(list, "moves").unwrap_or_default().to_owned(),
        }
    }

    /// An unknown parameter is no error: clients set those of other engines unasked.
    fn set_param(&mut self, list: &[Argument<'_>]) -> Option<Command> {
        let Some(name) = value(list, "name") else {
            let what = "missing name: expected set-param name=N value=V";
            return Some(Command::Bad(Failure::new(Code::BadCommand, what)));
        };
        let param = Param::find(name)?;
        Some(param.set(
            value(list, "value").unwrap_or_default(),
            &mut self.numbering,
        ))
    }

    fn order(&self, list: &[Argument<'_>]) -> Result<Order, Failure> {
        let level = self.level.clone()?;
        let mut order = level.order();
        // What is to be done is the first of the words that are known; thinking is what is done most.
        let known = ["think", "ponder", "analyze", "analyse"];
        let word = list.iter().find(|argument| known.contains(&argument.name));
        match word.map_or("think", |argument| argument.name) {
            "ponder" => order.limits.ponder = true,
            "think" => {
                order.instant = Some(1);
                order.book = !order.limits.infinite;
            }
            _ => order.instant = Some(0),
        }
        Ok(order)
    }
}

impl Level {
    fn order(&self) -> Order {
        let mut order = Order {
            handicap: self.handicap.saturating_mul(LEVELS_A_HANDICAP),
            ..Order::default()
        };
        let limits = &mut order.limits;
        limits.depth = self.depth.into_iter().chain(self.ply).min();
        limits.nodes = self.nodes;
        limits.infinite = self.infinite;
        limits.movetime = self
            .move_time
            .map(|time| Duration::from_secs_f64(time.max(0.0)));
        if self.time.is_some() || self.increment.is_some() {
            let milliseconds = |seconds: f64| (seconds * 1000.0).round() as i64;
            let increment = self.increment.unwrap_or(0.0);
            // The increment has not been added for this move yet. Whose clock it is does not matter: the mover's.
            let clock = PlayerClock {
                time: Some(milliseconds(self.time.unwrap_or(0.0) + increment)),
                increment: Some(milliseconds(increment)),
            };
            order.clocks = Clocks {
                white: clock,
                black: clock,
                moves_to_go: self.moves.filter(|&moves| moves > 0),
            };
        }
        order
    }
}

/// A level with the arguments of another line; what is unknown is left out.
fn add(mut level: Level, list: &[Argument<'_>]) -> Result<Level, Failure> {
    for argument in list {
        let text = argument.value.unwrap_or_default();
        let refuse = |expected: &str| {
            let what = format!(
                "bad level: {}={}: expected {expected}",
                argument.name,
                quote(text)
            );
            Failure::new(Code::BadLimit, what)
        };
        let seconds = || seconds(text).ok_or_else(|| refuse("seconds, as in 0.25"));
        let number = |least: u64| {
            let number = text.parse().ok().filter(|&number: &u64| number >= least);
            number.ok_or_else(|| refuse(&format!("a whole number from {least}")))
        };
        let short = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        match argument.name {
            "depth" => level.depth = Some(short(number(1)?)),
            "ply" => level.ply = Some(short(number(1)?)),
            "nodes" => level.nodes = Some(number(1)?),
            "moves" => level.moves = Some(short(number(0)?)),
            "handicap" => level.handicap = u8::try_from(number(0)?).unwrap_or(u8::MAX),
            "move-time" => level.move_time = Some(seconds()?),
            "time" => level.time = Some(seconds()?),
            "inc" => level.increment = Some(seconds()?),
            "infinite" => level.infinite = true,
            _ => {}
        }
    }
    Ok(level)
}

/// A number of seconds, with a point or, as some systems write it, a comma.
fn seconds(text: &str) -> Option<f64> {
    let number: f64 = text.replacen(',', ".", 1).parse().ok()?;
    (number.abs() <= LONGEST).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn order(lines: &[&str]) -> Result<Order, Failure> {
        let mut parser = Parser::default();
        for line in lines {
            parser.parse(line);
        }
        match parser.parse("go analyze") {
            Some(Command::Go(order)) => order,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn levels_add_up_until_the_next_position() {
        let both = order(&["level depth=7 foo=1 bar", "level nodes=50 handicap=1 ply=5"]).unwrap();
        assert_eq!((both.limits.depth, both.limits.nodes), (Some(5), Some(50)));
        assert_eq!(both.handicap, LEVELS_A_HANDICAP);
        let none = order(&["level depth=7", "pos start"]).unwrap();
        assert!(!none.has_limit());
        assert!(!order(&["level depth=3 infinite"]).unwrap().has_limit());
    }

    #[test]
    fn the_increment_is_added_before_the_move() {
        let clock = |line: &str| order(&[line]).unwrap().clocks.white;
        let of = |time, increment| PlayerClock {
            time: Some(time),
            increment: Some(increment),
        };
        assert_eq!(clock("level time=-0.4 inc=1"), of(600, 1000));
        assert_eq!(clock("level time=19,5 inc=0,5"), of(20_000, 500));
        assert_eq!(clock("level time=60 moves=40"), of(60_000, 0));
        assert_eq!(clock("level inc=2"), of(2000, 2000));
        assert_eq!(clock("level move-time=1"), PlayerClock::default());
    }

    #[test]
    fn bad_levels_are_refused_until_a_good_one() {
        for bad in [
            "depth=abc",
            "depth=0",
            "depth=1.5",
            "nodes=-1",
            "move-time=1e9999",
            "move-time=nan",
            "time=inf",
            "time=1e30",
            "time=1,000,000",
            "inc=\"\"",
            "moves",
            "depth=",
            "depth=\"3",
        ] {
            let line = format!("level {bad}");
            assert!(order(&[&line]).is_err(), "{bad}");
            assert!(order(&[&line, "level depth=2"]).is_ok(), "{bad}");
            assert!(order(&[&line, "pos start"]).is_ok(), "{bad}");
            let mut parser = Parser::default();
            assert!(
                matches!(parser.parse(&line), Some(Command::Bad(_))),
                "{bad}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(lines in prop::collection::vec(
            "(pos|level|go|set-param|hub)?( |=|\"|[a-z-]{1,6}=|[0-9eE.,+-]{1,5}|depth=|time=|name=|value=|\\PC){0,12}", 0..8)
        ) {
            let mut parser = Parser::default();
            for line in &lines {
                parser.parse(line);
            }
            // Whatever came before, a position and a level of its own hold.
            parser.parse("pos start");
            parser.parse("level depth=3");
            let order = match parser.parse("go think") {
                Some(Command::Go(order)) => order,
                other => panic!("{other:?}"),
            };
            prop_assert_eq!(order.map(|order| order.limits.depth), Ok(Some(3)));
        }
    }
}
