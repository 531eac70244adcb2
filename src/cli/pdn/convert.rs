//! `warcab pdn convert`: games in another form.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use serde::{Serialize, Serializer};

use warcab::board::{Side, Variant};
use warcab::notation::pdn::{PlayedGame, Problem, RemarkKind, Severity, Tag, clocks};
use warcab::notation::{Notation, Squares, Style};

use super::input::{Found, Input, place};
use crate::cli::Trouble;
use crate::cli::output::Output;

/// Arguments of `warcab pdn convert`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    input: Input,
    /// The form
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Pdn)]
    to: Form,
    /// How moves are written: short, path or hub
    #[arg(long, value_name = "NOTATION", default_value = "short", value_parser = read_notation)]
    notation: Notation,
    /// How squares are written: native, numeric or algebraic
    #[arg(long, value_name = "SQUARES", default_value = "native", value_parser = read_squares)]
    squares: Squares,
    /// With --to fen: only the last position of each game
    #[arg(long)]
    last: bool,
    /// The file to write instead of standard output; it is replaced if it is there
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The forms games are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// PDN 3.0
    Pdn,
    /// One JSON object a line for each game
    Json,
    /// One FEN a line for each position
    Fen,
    /// Players, result and moves, for people
    Text,
}

pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    if args.last && args.to != Form::Fen {
        let text = "--last belongs to --to fen, expected that with it";
        return Err(Trouble::Usage(text.to_owned()));
    }
    let output = args.output.as_deref();
    if let Some(path) = output.filter(|path| args.input.contains(path)) {
        let text = "is one of the files to be read, expected another name";
        return Err(Trouble::Usage(format!("{} {text}", path.display())));
    }
    let style = Style {
        notation: args.notation,
        squares: args.squares,
    };
    let mut out = Output::open(output)?;
    args.input.each_game(variant, |file, found| {
        match found {
            Found::Problem(problem) => tell(file, None, problem),
            Found::Game(game) => {
                for problem in &game.problems {
                    tell(file, Some(game.number), problem);
                }
                match args.to {
                    Form::Pdn => out.write(&game.write(style))?,
                    Form::Json => out.write(&(json(file, game, style)? + "\n"))?,
                    Form::Text => out.write(&text(game, style))?,
                    Form::Fen if args.last => {
                        let (_, last) = game.first_and_last_fen(args.squares);
                        out.write(&(last + "\n"))?;
                    }
                    Form::Fen => {
                        let mut written = Ok(());
                        game.each_fen(args.squares, |fen| {
                            if written.is_ok() {
                                written = out.write(&(fen + "\n"));
                            }
                        });
                        written?;
                    }
                }
            }
        }
        Ok(())
    })?;
    out.finish()?;
    Ok(())
}

/// Tells a problem that costs something; notes are for `warcab pdn check`.
fn tell(file: &str, game: Option<usize>, problem: &Problem) {
    if problem.finding.severity() > Severity::Note {
        // Problems that cannot be shown do not keep the games from being written.
        let _ = writeln!(io::stderr(), "{}", place(file, game, problem));
    }
}

/// A game for programs.
#[derive(Serialize)]
struct JsonGame<'a> {
    file: &'a str,
    game: usize,
    line: usize,
    variant: &'a str,
    #[serde(serialize_with = "as_map")]
    tags: &'a [Tag],
    start: String,
    moves: Vec<String>,
    end: String,
    result: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    set_ups: Vec<JsonRemark<String>>,
    comments: Vec<JsonRemark<&'a str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clocks: Vec<JsonClock>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    glyphs: Vec<JsonRemark<u16>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<JsonRemark<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<&'a str>,
    problems: Vec<JsonProblem>,
}

/// Something said after a number of moves.
#[derive(Serialize)]
struct JsonRemark<T> {
    ply: usize,
    value: T,
}

#[derive(Serialize)]
struct JsonClock {
    ply: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonProblem {
    severity: &'static str,
    line: usize,
    text: String,
}

/// Tags as an object in their order; the first of several with one name.
fn as_map<S: Serializer>(tags: &[Tag], serializer: S) -> Result<S::Ok, S::Error> {
    let first = |index: usize, tag: &Tag| {
        let before = tags.iter().take(index);
        !before.into_iter().any(|other| other.name == tag.name)
    };
    let list = tags.iter().enumerate().filter(|(i, tag)| first(*i, tag));
    serializer.collect_map(list.map(|(_, tag)| (&tag.name, &tag.value)))
}

fn json(file: &str, game: &PlayedGame, style: Style) -> serde_json::Result<String> {
    let (start, end) = game.first_and_last_fen(style.squares);
    let mut json = JsonGame {
        file,
        game: game.number,
        line: game.line,
        variant: game.variant.name(),
        tags: &game.tags,
        start,
        moves: game.move_texts(style),
        end,
        result: game.result.tag(game.variant),
        set_ups: Vec::new(),
        comments: Vec::new(),
        clocks: Vec::new(),
        glyphs: Vec::new(),
        variations: Vec::new(),
        unread: game.unread.as_deref(),
        problems: Vec::new(),
    };
    for remark in &game.remarks {
        let ply = remark.ply;
        match &remark.kind {
            RemarkKind::Nag(value) => json.glyphs.push(JsonRemark { ply, value: *value }),
            RemarkKind::Variation(value) => json.variations.push(JsonRemark { ply, value }),
            RemarkKind::SetUp(setup) => json.set_ups.push(JsonRemark {
                ply,
                value: game.fen(setup, style.squares),
            }),
            RemarkKind::Comment(value) => {
                json.comments.push(JsonRemark { ply, value });
                json.clocks
                    .extend(clocks(value).iter().map(|clock| JsonClock {
                        ply,
                        side: clock.side.map(|side| match side {
                            Side::White => "white",
                            Side::Black => "black",
                        }),
                        seconds: clock.left.as_secs_f64(),
                    }));
            }
        }
    }
    json.problems
        .extend(game.problems.iter().map(|problem| JsonProblem {
            severity: problem.finding.severity().word(),
            line: problem.line,
            text: problem.finding.to_string(),
        }));
    serde_json::to_string(&json)
}

/// A game for people: who, where and when, the result, the moves.
fn text(game: &PlayedGame, style: Style) -> String {
    let tag = |name| game.tag(name).filter(|value| !["", "?"].contains(value));
    let name = |side| tag(side).unwrap_or("?");
    let (white, black) = (name("White"), name("Black"));
    let result = game.result.tag(game.variant);
    let mut text = format!(
        "{}. {white} - {black}  {result}  {}\n",
        game.number, game.variant
    );
    let places: Vec<&str> = ["Event", "Site", "Date", "Round"]
        .into_iter()
        .filter_map(tag)
        .collect();
    if !places.is_empty() {
        text += &format!("   {}\n", places.join(", "));
    }
    text + &game.plain_moves(style) + "\n\n"
}

fn read_notation(name: &str) -> Result<Notation, String> {
    choice(name, &Notation::ALL)
}

fn read_squares(name: &str) -> Result<Squares, String> {
    choice(name, &Squares::ALL)
}

fn choice<T: Copy>(name: &str, list: &[(T, &'static str)]) -> Result<T, String> {
    let found = list.iter().find(|(_, other)| *other == name);
    found.map(|(value, _)| *value).ok_or_else(|| {
        let names: Vec<_> = list.iter().map(|(_, name)| *name).collect();
        format!("expected one of {}", names.join(", "))
    })
}
