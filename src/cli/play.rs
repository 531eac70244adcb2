//! `warcab play`: a game against a person at a terminal, or in a pipe.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::ValueEnum;

use warcab::arena::pdn::date;
use warcab::board::{DrawReason, LossReason, Outcome, Rules, Side, Variant};
use warcab::engine::command::{Event, Info, Order, Origin, Setting};
use warcab::engine::error::quote;
use warcab::engine::options::Settings;
use warcab::engine::{Engine, build};
use warcab::notation::pdn::{self, GameResult, Item};
use warcab::notation::{MoveError, Squares, Style, fen, moves};
use warcab::protocol::lines::{Line, Lines};
use warcab::search::{FULL_LEVEL, Limits, Score};
use warcab::with_rules;

use super::output::replace;
use super::scene::{Color, Scene};
use super::show::origin;
use super::{Trouble, read_variant, usage};

/// Arguments of `warcab play`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// How well the program plays: easy, medium, hard, or 0 to 20
    #[arg(long, value_name = "LEVEL", default_value = "medium", value_parser = read_level)]
    level: u8,
    /// The side you play
    #[arg(long, value_enum, default_value_t)]
    side: Seat,
    /// Milliseconds the program thinks at most about a move
    #[arg(long, value_name = "MS", default_value_t = 1_000)]
    movetime: u64,
    /// The position to begin with, as a FEN; the start position if none is given
    #[arg(long, value_name = "FEN", default_value = "startpos")]
    fen: String,
    /// Never play from the opening book
    #[arg(long)]
    no_book: bool,
    /// Colour
    #[arg(long, value_enum, default_value_t)]
    color: Color,
}

/// The sides a person plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, ValueEnum)]
enum Seat {
    /// White
    #[default]
    White,
    /// Black
    Black,
    /// Both: the program only keeps the board
    Both,
    /// None: the program plays itself
    None,
}

impl Seat {
    fn has(self, side: Side) -> bool {
        match self {
            Seat::White => side == Side::White,
            Seat::Black => side == Side::Black,
            Seat::Both => true,
            Seat::None => false,
        }
    }
}

/// The levels that have names, as the option `Skill Level` counts them.
const LEVELS: [(&str, u8); 3] = [("easy", 5), ("medium", 10), ("hard", 15)];

fn read_level(text: &str) -> Result<u8, String> {
    let named = LEVELS.iter().find(|(name, _)| *name == text);
    let level = named.map(|(_, level)| *level).or_else(|| text.parse().ok());
    level.filter(|level| *level <= FULL_LEVEL).ok_or_else(|| {
        let names: Vec<_> = LEVELS.iter().map(|(name, _)| *name).collect();
        format!(
            "expected {} or a number from 0 to {FULL_LEVEL}",
            names.join(", ")
        )
    })
}

/// A word that is no move.
struct Word {
    name: &'static str,
    form: &'static str,
    help: &'static str,
    obey: fn(&mut Table, &str) -> Result<Next, Trouble>,
}

/// What comes after a command.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    /// The board has changed.
    Board,
    /// Nothing has.
    Same,
    /// The end.
    Quit,
}

/// All that can be typed but for moves.
const WORDS: &[Word] = &[
    Word {
        name: "moves",
        form: "moves",
        help: "the legal moves",
        obey: |table, _| {
            let legal = table.engine.legal().unwrap_or_default();
            table.say(&format!("{} moves: {}", legal.len(), legal.join("  ")))
        },
    },
    Word {
        name: "hint",
        form: "hint",
        help: "what the program would play",
        obey: |table, _| table.hint(),
    },
    Word {
        name: "undo",
        form: "undo",
        help: "take your last move back, and the answer to it",
        obey: |table, _| table.undo(),
    },
    Word {
        name: "new",
        form: "new [SET]",
        help: "a new game, of another set if one is named",
        obey: |table, rest| table.restart(rest),
    },
    Word {
        name: "level",
        form: "level LEVEL",
        help: "how well the program plays: easy, medium, hard, or 0 to 20",
        obey: |table, rest| match read_level(rest) {
            Ok(level) => {
                table.level = level;
                table.say(&format!("level {level}"))
            }
            Err(expected) => table.say(&format!("{} is no level: {expected}", quote(rest))),
        },
    },
    Word {
        name: "side",
        form: "side SIDE",
        help: "the side you play: white, black, both or none",
        obey: |table, rest| match Seat::from_str(rest, true) {
            Ok(seat) => {
                table.seat = seat;
                Ok(Next::Same)
            }
            Err(_) => table.say(&format!(
                "{} is no side: expected white, black, both or none",
                quote(rest)
            )),
        },
    },
    Word {
        name: "board",
        form: "board",
        help: "show the board again",
        obey: |_, _| Ok(Next::Board),
    },
    Word {
        name: "fen",
        form: "fen [FEN]",
        help: "the position as a FEN; with one, a new game from there",
        obey: |table, rest| table.fen(rest),
    },
    Word {
        name: "save",
        form: "save FILE",
        help: "write the game to a file, in PDN",
        obey: |table, rest| table.save(rest),
    },
    Word {
        name: "resign",
        form: "resign",
        help: "give the game up",
        obey: |table, _| table.resign(),
    },
    Word {
        name: "help",
        form: "help",
        help: "this list",
        obey: |table, _| {
            let mut text = "A move, in any notation, or".to_owned();
            for word in WORDS {
                text += &format!("\n  {:<12} {}", word.form, word.help);
            }
            table.say(&text)
        },
    },
    Word {
        name: "quit",
        form: "quit",
        help: "end the program",
        obey: |_, _| Ok(Next::Quit),
    },
];

/// A game and those who play it.
struct Table {
    engine: Box<dyn Engine>,
    origin: Origin,
    /// The moves as PDN writes them.
    moves: Vec<String>,
    /// The positions before each of them.
    fens: Vec<String>,
    resigned: Option<Side>,
    seat: Seat,
    level: u8,
    movetime: Duration,
    colour: bool,
}

/// Plays until the input ends or the person has enough.
pub(super) fn run(args: &Args, settings: Settings) -> Result<(), Trouble> {
    let settings = Settings {
        own_book: !args.no_book,
        ..settings
    };
    let mut table = Table {
        engine: build(settings)?,
        origin: origin(&args.fen),
        moves: Vec::new(),
        fens: Vec::new(),
        resigned: None,
        seat: args.side,
        level: args.level,
        movetime: Duration::from_millis(args.movetime),
        colour: args.color.is_on(),
    };
    table.place().map_err(usage)?;
    let prompts = io::stdin().is_terminal() && io::stdout().is_terminal();
    if prompts {
        table.say("Type a move such as the ones that moves lists, or help.")?;
    }
    let mut lines = Lines::new(io::stdin().lock());
    let mut next = Next::Board;
    // So that the end of a game is told once.
    let mut told = false;
    loop {
        match next {
            Next::Quit => return Ok(()),
            Next::Board => {
                told = false;
                table.show()?;
            }
            Next::Same => {}
        }
        let end = table.end();
        if let (Some(end), false) = (&end, told) {
            table.say(end)?;
            told = true;
        }
        if end.is_none() && !table.seat.has(table.side()) {
            next = table.answer()?;
            continue;
        }
        if prompts {
            let mut out = io::stdout().lock();
            write!(out, "{}> ", side_name(table.side()))?;
            out.flush()?;
        }
        next = match lines.next() {
            Line::End => {
                if prompts {
                    table.say("")?;
                }
                return Ok(());
            }
            Line::TooLong => table.say("that line is too long to be a move")?,
            Line::Text(text) => table.obey(text.trim())?,
        };
    }
}

/// The name of a side.
const fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// How the rules end a game, in a sentence.
fn ending(outcome: Outcome) -> Option<String> {
    Some(match outcome {
        Outcome::Ongoing => return None,
        Outcome::Win(winner, reason) => {
            let loser = side_name(!winner);
            let why = match reason {
                LossReason::NoPieces => "has no pieces left",
                LossReason::Blocked => "cannot move",
            };
            format!("{} wins: {loser} {why}.", side_name(winner))
        }
        Outcome::Draw(reason) => {
            let why = match reason {
                DrawReason::Repetition => "the position has come about three times",
                DrawReason::NoProgress => "too many moves without progress",
                DrawReason::KingEndgame => "this ending with kings has lasted too long",
                DrawReason::OneEach => "one piece is left on each side",
            };
            format!("The game is drawn: {why} ({}).", reason.word())
        }
    })
}

/// A score as people write it.
fn score(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(moves) if moves > 0 => format!("wins in {moves}"),
        Score::Mate(moves) => format!("loses in {}", -moves),
    }
}

/// The move of a position that a text means, as PDN writes it.
fn read_move<R: Rules>(fen: &str, text: &str) -> Result<String, MoveError> {
    let board =
        fen::parse::<R>(fen).map_or_else(|_| warcab::board::Board::start::<R>(), |s| s.board);
    let mv = moves::parse::<R>(&board, text)?;
    Ok(moves::write::<R>(&board, &mv, Style::default()))
}

impl Table {
    fn variant(&self) -> Variant {
        self.engine.settings().variant
    }

    fn position(&self) -> String {
        self.engine.fen().unwrap_or_default()
    }

    fn side(&self) -> Side {
        if self.position().starts_with('W') {
            Side::White
        } else {
            Side::Black
        }
    }

    /// Says something; nothing has changed.
    fn say(&self, text: &str) -> Result<Next, Trouble> {
        let mut out = io::stdout().lock();
        writeln!(out, "{text}")?;
        out.flush()?;
        Ok(Next::Same)
    }

    fn show(&self) -> Result<(), Trouble> {
        let fen = self.position();
        let last = self.fens.last().zip(self.moves.last());
        let scene = Scene {
            variant: self.variant(),
            fen: &fen,
            squares: self.engine.settings().style.squares,
            last: last.map(|(fen, mv)| (fen.as_str(), mv.as_str())),
        };
        self.say(&format!("\n{}", scene.text(self.colour)))?;
        Ok(())
    }

    /// Puts the game's position before the engine.
    fn place(&mut self) -> Result<(), warcab::engine::error::Failure> {
        self.engine.set_position(&Setting {
            origin: self.origin.clone(),
            moves: self.moves.join(" "),
        })
    }

    /// Why the game is over, if it is.
    fn end(&self) -> Option<String> {
        if let Some(side) = self.resigned {
            let (loser, winner) = (side_name(side), side_name(!side));
            return Some(format!("{winner} wins: {loser} resigns."));
        }
        ending(self.engine.outcome().unwrap_or(Outcome::Ongoing))
    }

    /// Obeys a line that was typed.
    fn obey(&mut self, text: &str) -> Result<Next, Trouble> {
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let named = |word: &&Word| word.name.eq_ignore_ascii_case(first);
        if let Some(word) = WORDS.iter().find(named) {
            return (word.obey)(self, rest.trim());
        }
        if text.is_empty() {
            return Ok(Next::Same);
        }
        if self.end().is_some() {
            return self.say("The game is over: undo, new or quit.");
        }
        let fen = self.position();
        match with_rules!(self.variant(), R => read_move::<R>(&fen, text)) {
            Ok(mv) => self.play(mv),
            Err(error @ MoveError::Unreadable { .. }) => {
                self.say(&format!("{error}; help lists the commands"))
            }
            Err(error) => self.say(&error.to_string()),
        }
    }

    fn play(&mut self, mv: String) -> Result<Next, Trouble> {
        self.fens.push(self.position());
        self.moves.push(mv);
        self.place()?;
        Ok(Next::Board)
    }

    /// Searches at a level, or asks the book: the last line and the move.
    fn search(&mut self, level: u8, book: bool) -> Result<(Option<Info>, Option<String>), Trouble> {
        let settings = Settings {
            skill: level,
            ..self.engine.settings().clone()
        };
        self.engine.apply(settings)?;
        let order = Order {
            limits: Limits {
                movetime: Some(self.movetime),
                ..Limits::default()
            },
            book,
            ..Order::default()
        };
        let started = self.engine.go(&order)?;
        let mut last = None;
        for event in started.job.events() {
            match event {
                Event::Info(info) => last = Some(info),
                Event::Best(best) => return Ok((last, best.mv)),
                Event::Count(_) => {}
            }
        }
        Err(anyhow::anyhow!("the search broke down").into())
    }

    /// The program's move.
    fn answer(&mut self) -> Result<Next, Trouble> {
        let side = side_name(self.side());
        match self.search(self.level, true)?.1 {
            Some(mv) => {
                self.say(&format!("{side} plays {mv}"))?;
                self.play(mv)
            }
            None => Err(anyhow::anyhow!("the search found no move").into()),
        }
    }

    fn hint(&mut self) -> Result<Next, Trouble> {
        if self.end().is_some() {
            return self.say("The game is over.");
        }
        let (info, best) = self.search(FULL_LEVEL, false)?;
        let mut text = best.map_or_else(String::new, |mv| format!("hint: {mv}"));
        if let Some(info) = info {
            text += &format!(" ({}, {})", score(info.score), info.pv.join(" "));
        }
        self.say(&text)
    }

    fn undo(&mut self) -> Result<Next, Trouble> {
        if self.resigned.take().is_some() {
            return Ok(Next::Board);
        }
        if self.moves.is_empty() {
            return self.say("there is no move to take back");
        }
        loop {
            self.moves.pop();
            self.fens.pop();
            self.place()?;
            if self.moves.is_empty() || self.seat == Seat::None || self.seat.has(self.side()) {
                return Ok(Next::Board);
            }
        }
    }

    fn restart(&mut self, set: &str) -> Result<Next, Trouble> {
        if !set.is_empty() {
            match read_variant(set) {
                Ok(variant) => {
                    let settings = self.engine.settings().clone();
                    self.engine = build(Settings {
                        variant,
                        ..settings
                    })?;
                }
                Err(expected) => {
                    return self.say(&format!("{} is no set: {expected}", quote(set)));
                }
            }
        }
        self.begin(Origin::Start)
    }

    /// A new game from a position.
    fn begin(&mut self, origin: Origin) -> Result<Next, Trouble> {
        self.origin = origin;
        self.moves.clear();
        self.fens.clear();
        self.resigned = None;
        self.engine.clear();
        self.place()?;
        Ok(Next::Board)
    }

    fn fen(&mut self, text: &str) -> Result<Next, Trouble> {
        if text.is_empty() {
            return self.say(&self.position());
        }
        let checked = self.engine.set_position(&Setting {
            origin: origin(text),
            moves: String::new(),
        });
        if let Err(failure) = checked {
            self.place()?;
            return self.say(&failure.what);
        }
        self.begin(origin(text))
    }

    fn resign(&mut self) -> Result<Next, Trouble> {
        if self.end().is_some() {
            return self.say("The game is over.");
        }
        self.resigned = Some(self.side());
        Ok(Next::Same)
    }

    fn save(&mut self, file: &str) -> Result<Next, Trouble> {
        if file.is_empty() {
            return self.say("save what where? Give a file, as in save game.pdn");
        }
        match replace(Path::new(file), self.pdn()) {
            Ok(()) => self.say(&format!("saved to {file}")),
            Err(error) => self.say(&error.to_string()),
        }
    }

    /// The game in PDN.
    fn pdn(&self) -> String {
        let name = |side| match self.seat.has(side) {
            true => "Person".to_owned(),
            false => format!("Warcab, level {}", self.level),
        };
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH);
        let tags = [
            ("Event", "A game at the terminal".to_owned()),
            ("Site", "?".to_owned()),
            ("Date", date(seconds.map_or(0, |time| time.as_secs()))),
            ("Round", "-".to_owned()),
            ("White", name(Side::White)),
            ("Black", name(Side::Black)),
        ];
        let outcome = self.engine.outcome().unwrap_or(Outcome::Ongoing);
        let winner = match (self.resigned, outcome) {
            (Some(loser), _) => Some(!loser),
            (None, Outcome::Win(winner, _)) => Some(winner),
            _ => None,
        };
        let first = self.fens.first().cloned();
        let first = first.unwrap_or_else(|| self.position());
        let mut items: Vec<Item> = self.moves.iter().cloned().map(Item::Move).collect();
        items.extend(self.end().map(Item::Comment));
        let game = pdn::Game {
            tags: tags.map(|(name, value)| (name.to_owned(), value)).into(),
            fen: (self.origin != Origin::Start).then(|| first.clone()),
            first: if first.starts_with('W') {
                Side::White
            } else {
                Side::Black
            },
            items,
            result: match (winner, outcome) {
                (Some(Side::White), _) => GameResult::WhiteWins,
                (Some(Side::Black), _) => GameResult::BlackWins,
                (None, Outcome::Draw(_)) => GameResult::Draw,
                (None, _) => GameResult::Unknown,
            },
        };
        with_rules!(self.variant(), R => pdn::write::<R>(&game, Squares::Native))
    }
}
