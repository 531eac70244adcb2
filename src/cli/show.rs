//! `warcab show`: a position for people.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use warcab::engine::build;
use warcab::engine::command::{Origin, Setting, outcome_words};
use warcab::engine::options::Settings;

use super::output::replace;
use super::scene::{Color, Scene};
use super::{Trouble, usage};

/// Arguments of `warcab show`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The position, as a FEN
    #[arg(value_name = "FEN", default_value = "startpos")]
    fen: String,
    /// Moves to play from there, in any notation
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// Write a picture to this file instead; - for standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Colour
    #[arg(long, value_enum, default_value_t)]
    color: Color,
}

/// The first position that a text means.
pub(super) fn origin(text: &str) -> Origin {
    match text.trim() {
        "startpos" => Origin::Start,
        fen => Origin::Fen(fen.to_owned()),
    }
}

/// The FEN of the position that a text and moves mean, in the set of `settings`.
pub(super) fn fen_of(settings: &Settings, position: &str, moves: &str) -> Result<String, Trouble> {
    let mut engine = build(Settings {
        hash: 1,
        ..settings.clone()
    })?;
    let (origin, moves) = (origin(position), moves.to_owned());
    let setting = Setting { origin, moves };
    engine.set_position(&setting).map_err(usage)?;
    Ok(engine.fen().unwrap_or_default())
}

/// Shows the position.
pub(super) fn run(args: &Args, settings: Settings) -> Result<(), Trouble> {
    let mut engine = build(Settings {
        hash: 1,
        ..settings
    })?;
    let words: Vec<&str> = args.moves.split_whitespace().collect();
    let mut place = |moves: &[&str]| {
        let origin = origin(&args.fen);
        let moves = moves.join(" ");
        engine
            .set_position(&Setting { origin, moves })
            .map_err(usage)?;
        Ok::<_, Trouble>(engine.fen().unwrap_or_default())
    };
    let before = match words.split_last() {
        Some((last, before)) => Some((place(before)?, *last)),
        None => None,
    };
    let fen = place(&words)?;
    let scene = Scene {
        variant: engine.settings().variant,
        fen: &fen,
        squares: engine.settings().style.squares,
        last: before.as_ref().map(|(fen, mv)| (fen.as_str(), *mv)),
    };
    let mut out = io::stdout().lock();
    match &args.svg {
        Some(path) if path == Path::new("-") => out.write_all(scene.svg().as_bytes())?,
        Some(path) => replace(path, scene.svg())?,
        None => {
            let legal = engine.legal().unwrap_or_default();
            let result = engine.outcome().map(outcome_words).unwrap_or_default();
            let side = if fen.starts_with('W') {
                "white"
            } else {
                "black"
            };
            write!(
                out,
                "{}\nset     {}\nfen     {fen}\nside    {side}\nlegal   {} {}\nresult  {result}\n",
                scene.text(args.color.is_on()),
                scene.variant,
                legal.len(),
                legal.join(" "),
            )?;
        }
    }
    Ok(())
}
