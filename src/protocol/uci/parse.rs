//! Lines to commands. One table holds every command word with its form, its meaning and its parser.

use std::time::Duration;

use crate::engine::command::{Command, Order, Origin, Question, Setting};
use crate::engine::error::{Code, Failure, quote};

/// A command word.
#[derive(Clone, Copy, Debug)]
pub struct CommandWord {
    /// The word.
    pub word: &'static str,
    /// The whole form of the command.
    pub form: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
    parse: fn(Words<'_>) -> Command,
}

/// All commands, in the order they are listed.
pub const COMMANDS: &[CommandWord] = &[
    CommandWord {
        word: "uci",
        form: "uci",
        help: "Name, author and options of the engine, then `uciok`.",
        parse: |_| Command::Hello,
    },
    CommandWord {
        word: "isready",
        form: "isready",
        help: "`readyok` when everything before is done; at once while a search runs.",
        parse: |_| Command::IsReady,
    },
    CommandWord {
        word: "debug",
        form: "debug on|off",
        help: "Whether to remark on commands that have no effect.",
        parse: debug,
    },
    CommandWord {
        word: "setoption",
        form: "setoption name NAME [value VALUE]",
        help: "Sets an option.",
        parse: set_option,
    },
    CommandWord {
        word: "register",
        form: "register ...",
        help: "Nothing: there is nothing to register.",
        parse: |_| Command::Ignore,
    },
    CommandWord {
        word: "ucinewgame",
        form: "ucinewgame",
        help: "Forgets what earlier searches have found. The position stays.",
        parse: |_| Command::NewGame,
    },
    CommandWord {
        word: "position",
        form: "position startpos | fen F | hub P [moves M...]",
        help: "Sets the position.",
        parse: |words| Command::Position(position(words)),
    },
    CommandWord {
        word: "go",
        form: "go [depth N] [nodes N] [mate N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [infinite] [ponder] [searchmoves M...]",
        help: "Searches; one `bestmove` ends it. `go perft N` counts instead.",
        parse: go,
    },
    CommandWord {
        word: "stop",
        form: "stop",
        help: "Ends the search or the perft.",
        parse: |_| Command::Stop,
    },
    CommandWord {
        word: "ponderhit",
        form: "ponderhit",
        help: "The move pondered on was played: the limits of `go ponder` hold from now on.",
        parse: |_| Command::PonderHit,
    },
    CommandWord {
        word: "quit",
        form: "quit",
        help: "Ends the program.",
        parse: |_| Command::Quit,
    },
    CommandWord {
        word: "d",
        form: "d",
        help: "A picture of the board, then `fen F`.",
        parse: |_| Command::Ask(Question::Board),
    },
    CommandWord {
        word: "fen",
        form: "fen",
        help: "`fen F`, the position as a FEN.",
        parse: |_| Command::Ask(Question::Fen),
    },
    CommandWord {
        word: "legal",
        form: "legal",
        help: "`legal N M...`, the number of legal moves and the moves.",
        parse: |_| Command::Ask(Question::Legal),
    },
    CommandWord {
        word: "result",
        form: "result",
        help: "`result R`, what the rules say of the position.",
        parse: |_| Command::Ask(Question::Result),
    },
    CommandWord {
        word: "rules",
        form: "rules",
        help: "`rules TABLE COUNTERS...`, the draw table in force and its counters.",
        parse: |_| Command::Ask(Question::Rules),
    },
    CommandWord {
        word: "eval",
        form: "eval",
        help: "The board with the worth of each piece in men, the parts of the value, and `eval cp N`, the static evaluation for the side to move.",
        parse: |_| Command::Ask(Question::Eval),
    },
    CommandWord {
        word: "help",
        form: "help",
        help: "The commands and options.",
        parse: |_| Command::Ask(Question::Help),
    },
];

/// The words of a line, and what follows the last one taken.
#[derive(Clone, Copy, Debug)]
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let line = self.0.trim_start();
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        let (word, rest) = line.split_at_checked(end)?;
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Reads a line. Words before the first command are skipped, as UCI has it; `None` is an empty line.
pub fn parse(line: &str) -> Option<Command> {
    let line = line.trim_start_matches('\u{feff}');
    let mut words = Words(line);
    let first = Words(line).next()?;
    while let Some(word) = words.next() {
        if let Some(command) = COMMANDS.iter().find(|c| is(word, c.word)) {
            return Some((command.parse)(words));
        }
    }
    let what = format!("{} is not a command: help lists them all", quote(first));
    Some(Command::Bad(Failure::new(Code::UnknownCommand, what)))
}

/// Whether a word of the user is that keyword; case does not matter.
fn is(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

fn bad_command(what: String) -> Command {
    Command::Bad(Failure::new(Code::BadCommand, what))
}

fn debug(mut words: Words<'_>) -> Command {
    match words.next() {
        Some(word) if is(word, "on") => Command::Debug(true),
        Some(word) if is(word, "off") => Command::Debug(false),
        other => bad_command(format!(
            "debug {}: expected on or off",
            quote(other.unwrap_or_default())
        )),
    }
}

fn set_option(mut words: Words<'_>) -> Command {
    let mut name = String::new();
    let mut value = None;
    let named = words.by_ref().any(|word| is(word, "name"));
    while let Some(word) = words.next() {
        if is(word, "value") {
            value = Some(words.0.trim().to_owned());
            break;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
    }
    if !named || name.is_empty() {
        return bad_command(
            "setoption without a name: expected name NAME [value VALUE]".to_owned(),
        );
    }
    Command::SetOption { name, value }
}

fn position(mut words: Words<'_>) -> Result<Setting, Failure> {
    let kind = words
        .by_ref()
        .find(|word| ["startpos", "fen", "hub"].iter().any(|kind| is(word, kind)));
    let mut text = String::new();
    for word in words.by_ref() {
        if is(word, "moves") {
            break;
        }
        text.push_str(word);
    }
    let origin = match kind {
        Some(kind) if is(kind, "fen") => Origin::Fen(text),
        Some(kind) if is(kind, "hub") => Origin::Hub(text),
        Some(_) => Origin::Start,
        None => {
            let what = "a position begins with startpos, fen or hub";
            return Err(Failure::new(Code::BadPosition, what));
        }
    };
    Ok(Setting {
        origin,
        moves: words.0.trim().to_owned(),
    })
}

/// A whole number after a keyword of `go`.
fn number(keyword: &str, words: &mut Words<'_>, least: i64) -> Result<i64, Failure> {
    let word = words.next();
    let value = word.and_then(|word| word.parse().ok());
    value.filter(|&n| n >= least).ok_or_else(|| {
        let expected = if least == i64::MIN {
            "a whole number".to_owned()
        } else {
            format!("a whole number from {least} on")
        };
        let given = word.map_or_else(|| "nothing".to_owned(), quote);
        let what = format!("{given} after {keyword}: expected {expected}");
        Failure::new(Code::BadLimit, what)
    })
}

/// The same, where more than the greatest count means no more than that.
fn count(keyword: &str, words: &mut Words<'_>, least: i64) -> Result<u32, Failure> {
    number(keyword, words, least).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
}

fn go(words: Words<'_>) -> Command {
    const ANY: i64 = i64::MIN;
    let mut perft = None;
    let mut order = Order::default();
    let mut in_moves = false;
    let mut read = |word: &str, words: &mut Words<'_>| -> Result<(), Failure> {
        let (limits, clocks) = (&mut order.limits, &mut order.clocks);
        let keyword = word.to_ascii_lowercase();
        let moves = std::mem::replace(&mut in_moves, false);
        match keyword.as_str() {
            "depth" => limits.depth = Some(count(word, words, 1)?),
            "nodes" => limits.nodes = Some(number(word, words, 1)?.unsigned_abs()),
            "mate" => limits.mate = Some(count(word, words, 1)?),
            "movetime" => {
                let time = u64::try_from(number(word, words, ANY)?).unwrap_or(0);
                limits.movetime = Some(Duration::from_millis(time));
            }
            "wtime" => clocks.white.time = Some(number(word, words, ANY)?),
            "btime" => clocks.black.time = Some(number(word, words, ANY)?),
            "winc" => clocks.white.increment = Some(number(word, words, ANY)?),
            "binc" => clocks.black.increment = Some(number(word, words, ANY)?),
            "movestogo" => clocks.moves_to_go = Some(count(word, words, 0)?).filter(|&n| n > 0),
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "perft" => perft = Some(count(word, words, 0)?),
            "searchmoves" => in_moves = true,
            _ if moves => {
                order.moves.push_str(word);
                order.moves.push(' ');
                in_moves = true;
            }
            _ => {}
        }
        Ok(())
    };
    let mut rest = words;
    while let Some(word) = rest.next() {
        if let Err(failure) = read(word, &mut rest) {
            return Command::Go(Err(failure));
        }
    }
    // Whoever looks for a win or has all the time there is wants more than a move.
    order.book = order.has_limit() && order.limits.mate.is_none();
    match perft {
        Some(depth) => Command::Perft(depth),
        None => Command::Go(Ok(order)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(line: &str) -> Order {
        match parse(line) {
            Some(Command::Go(Ok(order))) => order,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn blanks_case_and_unknown_words_do_not_matter() {
        assert!(parse(" \t ").is_none());
        assert!(matches!(parse("\tisready "), Some(Command::IsReady)));
        assert!(matches!(parse("joho debug on"), Some(Command::Debug(true))));
        assert!(matches!(
            parse("SetOption   NAME  Move   Overhead value  3 "),
            Some(Command::SetOption { name, value: Some(value) }) if name == "Move Overhead" && value == "3"
        ));
        assert!(matches!(
            parse("setoption name Debug Log File value "),
            Some(Command::SetOption { value: Some(value), .. }) if value.is_empty()
        ));
        for bad in ["setoption", "setoption name", "debug maybe", "xyzzy plugh"] {
            assert!(matches!(parse(bad), Some(Command::Bad(_))), "{bad}");
        }
    }

    #[test]
    fn positions() {
        let setting = |line| match parse(line) {
            Some(Command::Position(setting)) => setting,
            other => panic!("{line}: {other:?}"),
        };
        let fen = setting("position fen W : W31 - 50 : B1-20 moves  32-28  19-23").unwrap();
        assert_eq!(fen.origin, Origin::Fen("W:W31-50:B1-20".into()));
        assert_eq!(fen.moves, "32-28  19-23");
        let start = setting("position now startpos moves").unwrap();
        assert_eq!((start.origin, start.moves.as_str()), (Origin::Start, ""));
        assert_eq!(setting("position").unwrap_err().code, Code::BadPosition);
    }

    #[test]
    fn limits_in_any_order() {
        let got =
            order("go winc 5 movestogo 0 junk 7 btime -3 searchmoves 32-28 19x23 depth 3 infinite");
        assert_eq!(got.limits.depth, Some(3));
        assert!(got.limits.infinite);
        assert_eq!(
            (got.clocks.white.time, got.clocks.black.time),
            (None, Some(-3))
        );
        assert_eq!(got.clocks.white.increment, Some(5));
        assert_eq!(got.clocks.moves_to_go, None);
        assert_eq!(got.moves, "32-28 19x23 ");
        assert_eq!(
            order("go movetime -1").limits.movetime,
            Some(Duration::ZERO)
        );
        assert!(matches!(parse("go perft 3"), Some(Command::Perft(3))));
    }

    #[test]
    fn malformed_limits() {
        for bad in [
            "go depth",
            "go depth 0",
            "go depth -3",
            "go depth abc",
            "go nodes 0",
            "go nodes 99999999999999999999999",
            "go movetime abc",
            "go movetime",
            "go wtime 1.5",
            "go mate 0",
            "go movestogo -1",
            "go perft x",
        ] {
            let Some(Command::Go(Err(failure))) = parse(bad) else {
                panic!("{bad} was accepted");
            };
            assert_eq!(failure.code, Code::BadLimit, "{bad}");
        }
    }
}
