//! `warcab analyse` of a game: evaluations and better lines as comments in PDN, a plot, and who did what wrong.

use std::io::{self, Write};
use std::path::PathBuf;

use warcab::analysis::Config;
use warcab::analysis::annotate::{Judged, Tally, annotate};
use warcab::analysis::plot;
use warcab::analysis::request::{Query, parse_moves};
use warcab::board::{Outcome, Side, Variant};
use warcab::engine::command::{Origin, Setting};
use warcab::engine::options::Settings;
use warcab::engine::{Engine, build};
use warcab::notation::Style;
use warcab::notation::pdn::write;
use warcab::with_rules;

use super::scene::replace;
use super::show::origin;
use super::{Trouble, usage};

/// A game to annotate, and how.
#[derive(Debug, clap::Args)]
pub(super) struct GameArgs {
    /// Annotate the game with these moves instead of answering requests
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// The first position of that game
    #[arg(
        long,
        value_name = "FEN",
        requires = "moves",
        default_value = "startpos"
    )]
    fen: String,
    /// Hundredths of a man that a move must give away to be called a blunder; half of it is a mistake, a quarter an inaccuracy
    #[arg(long, value_name = "CP", requires = "moves", default_value_t = 100, value_parser = clap::value_parser!(i32).range(1..))]
    blunder: i32,
    /// Write the annotated game to this file, in PDN
    #[arg(long, value_name = "FILE", requires = "moves")]
    out: Option<PathBuf>,
    /// Write a picture of the evaluation over the moves to this file
    #[arg(long, value_name = "FILE", requires = "moves")]
    svg: Option<PathBuf>,
    /// Show the evaluation over the moves
    #[arg(long, requires = "moves")]
    plot: bool,
}

/// A game as it was played.
struct Game {
    variant: Variant,
    /// Tags but for those that follow from the game.
    tags: Vec<(String, String)>,
    origin: Origin,
    /// The moves, in any notation.
    moves: Vec<String>,
}

impl GameArgs {
    /// Whether there is a game to annotate.
    pub(super) const fn is_given(&self) -> bool {
        self.moves.is_some()
    }

    fn game(&self, variant: Variant) -> Game {
        let tags = ["Event", "Site", "Date", "Round", "White", "Black"];
        Game {
            variant,
            tags: tags.map(|name| (name.to_owned(), "?".to_owned())).into(),
            origin: origin(&self.fen),
            moves: parse_moves(self.moves.as_deref().unwrap_or_default()),
        }
    }
}

/// Annotates the game.
pub(super) fn run(args: &GameArgs, config: &Config) -> Result<(), Trouble> {
    let mut game = args.game(config.defaults.settings.variant);
    let (engine, first) = replay(&mut game)?;
    let query = Query {
        settings: Settings {
            variant: game.variant,
            ..config.defaults.settings.clone()
        },
        origin: game.origin.clone(),
        moves: game.moves.clone(),
        ..config.defaults.clone()
    };
    let judged = annotate(&query, config.workers, args.blunder)?;
    let text = pdn(&game, engine.as_ref(), first, &judged);
    if let Some(path) = &args.svg {
        let title = format!("{}, from White's side, in men", game.variant);
        replace(path, &plot::svg(&judged, &title))?;
    }
    let mut report = summary(&judged);
    if args.plot {
        report = plot::text(&judged) + &report;
    }
    match &args.out {
        Some(path) => {
            replace(path, &text)?;
            io::stdout().write_all(report.as_bytes())?;
        }
        None => {
            io::stdout().write_all(text.as_bytes())?;
            io::stderr().write_all(report.as_bytes())?;
        }
    }
    Ok(())
}

/// Plays a game through: its moves become as PDN writes them; the engine stands at its end. Also the side that began.
fn replay(game: &mut Game) -> Result<(Box<dyn Engine>, Side), Trouble> {
    let mut engine = build(Settings {
        variant: game.variant,
        hash: 1,
        ..Settings::default()
    })?;
    let mut place = |moves: &[String]| {
        let origin = game.origin.clone();
        let moves = moves.join(" ");
        engine
            .set_position(&Setting { origin, moves })
            .map_err(usage)?;
        Ok::<_, Trouble>(engine.fen().unwrap_or_default())
    };
    let fen = place(&[])?;
    place(&game.moves)?;
    game.moves = with_rules!(game.variant, R => {
        warcab::notation::moves::rewrite::<R>(&fen, &game.moves, Style::default())
    });
    let first = if fen.starts_with('W') {
        Side::White
    } else {
        Side::Black
    };
    Ok((engine, first))
}

/// The annotated game.
fn pdn(game: &Game, end: &dyn Engine, first: Side, judged: &[Judged]) -> String {
    let moves = judged.iter().map(|judged| write::Move {
        text: judged.text.clone(),
        comment: Some(judged.comment()),
    });
    let written = write::Game {
        tags: game.tags.clone(),
        fen: match &game.origin {
            Origin::Fen(fen) => Some(fen.clone()),
            _ => None,
        },
        moves: moves.collect(),
        remark: None,
        white_half_points: match end.outcome() {
            Some(Outcome::Win(Side::White, _)) => Some(2),
            Some(Outcome::Win(Side::Black, _)) => Some(0),
            Some(Outcome::Draw(_)) => Some(1),
            _ => None,
        },
    };
    with_rules!(game.variant, R => write::write::<R>(&written, first))
}

/// What both sides did wrong.
fn summary(judged: &[Judged]) -> String {
    let mut text = String::new();
    for (name, side) in [("White", Side::White), ("Black", Side::Black)] {
        let tally = Tally::of(side, judged);
        let [inaccuracies, mistakes, blunders] = tally.grades;
        text += &format!(
            "{name}: {} moves, {blunders} blunders, {mistakes} mistakes, {inaccuracies} inaccuracies, mean loss {:.2} of a man\n",
            tally.moves,
            tally.mean_loss() / 100.0
        );
    }
    text
}
