//! `warcab analyse` of a game: evaluations and better lines as comments in PDN, a plot, and who did what wrong.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use warcab::analysis::Config;
use warcab::analysis::annotate::{Judged, Tally, annotate};
use warcab::analysis::plot;
use warcab::analysis::request::{Query, parse_moves};
use warcab::board::{Outcome, Side, Variant};
use warcab::engine::command::{Origin, Setting};
use warcab::engine::options::Settings;
use warcab::engine::{Engine, build};
use warcab::notation::pdn::{self, GameResult, Item, RawGame, Reader, play};
use warcab::notation::{Squares, Style};
use warcab::with_rules;

use super::output::replace;
use super::show::origin;
use super::{Trouble, usage};

/// A game to annotate, and how.
#[derive(Debug, clap::Args)]
#[group(id = "annotated")]
pub(super) struct GameArgs {
    /// Annotate the games of this PDN file instead of answering requests
    #[arg(value_name = "FILE", group = "game")]
    file: Option<PathBuf>,
    /// Annotate the game with these moves instead of answering requests
    #[arg(long, value_name = "MOVES", group = "game")]
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
    #[arg(long, value_name = "CP", requires = "game", default_value_t = 100, value_parser = clap::value_parser!(i32).range(1..))]
    blunder: i32,
    /// Write the annotated game to this file, in PDN
    #[arg(long, value_name = "FILE", requires = "game")]
    out: Option<PathBuf>,
    /// Write a picture of the evaluation over the moves to this file
    #[arg(long, value_name = "FILE", requires = "game")]
    svg: Option<PathBuf>,
    /// Show the evaluation over the moves
    #[arg(long, requires = "game")]
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
    /// The result its record gives.
    result: GameResult,
}

impl GameArgs {
    /// Whether there is a game to annotate.
    pub(super) const fn is_given(&self) -> bool {
        self.file.is_some() || self.moves.is_some()
    }

    /// The games, in a set of their own or else in this one.
    fn games(&self, variant: Variant) -> Result<Vec<Game>, Trouble> {
        if let Some(path) = &self.file {
            return read(path, variant);
        }
        let tags = ["Event", "Site", "Date", "Round", "White", "Black"];
        Ok(vec![Game {
            variant,
            tags: tags.map(|name| (name.to_owned(), "?".to_owned())).into(),
            origin: origin(&self.fen),
            moves: parse_moves(self.moves.as_deref().unwrap_or_default()),
            result: GameResult::Unknown,
        }])
    }
}

/// Reads the games of a file, each as far as it can be read.
fn read(path: &Path, variant: Variant) -> Result<Vec<Game>, Trouble> {
    let named = |error| anyhow::anyhow!("{}: {error}", path.display());
    let mut reader = Reader::new(File::open(path).map_err(named)?);
    let (mut raw, mut games) = (RawGame::default(), Vec::new());
    while reader.read(&mut raw).map_err(named)? {
        let played = play(&raw, variant);
        let place = format!("{}: game {}", path.display(), played.number);
        if played.set_ups().next().is_some() {
            let what =
                format!("{place} is set up anew on its way, expected moves from one position");
            return Err(anyhow::anyhow!(what).into());
        }
        if played.has_error() {
            writeln!(
                io::stderr(),
                "{place} is annotated up to ply {}: warcab pdn check tells what is wrong with the next",
                played.moves.len()
            )?;
        }
        let own = ["Result", "GameType", "SetUp", "FEN"];
        let tags = played
            .tags
            .iter()
            .map(|tag| (tag.canonical_name().to_owned(), tag.value.clone()))
            .filter(|(name, _)| !own.contains(&name.as_str()));
        games.push(Game {
            variant: played.variant,
            tags: tags.collect(),
            origin: if played.starts_normally() {
                Origin::Start
            } else {
                Origin::Fen(played.fen(&played.start, Squares::Native))
            },
            moves: played.move_texts(Style::default()),
            result: played.result.clone(),
        });
    }
    if games.is_empty() {
        let what = format!("{}: there is no game in it, expected PDN", path.display());
        return Err(anyhow::anyhow!(what).into());
    }
    Ok(games)
}

/// Annotates the games.
pub(super) fn run(args: &GameArgs, config: &Config) -> Result<(), Trouble> {
    let games = args.games(config.defaults.settings.variant)?;
    if args.svg.is_some() && games.len() != 1 {
        let what = format!("--svg with {} games: expected one", games.len());
        return Err(Trouble::Usage(what));
    }
    let (mut text, mut report) = (String::new(), String::new());
    let mut picture = None;
    for mut game in games {
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
        text += &pdn(&game, engine.as_ref(), first, &judged);
        let title = format!("{}, from White's side, in men", game.variant);
        picture = args
            .svg
            .as_ref()
            .map(|path| (path, plot::svg(&judged, &title)));
        if args.plot {
            report += &plot::text(&judged);
        }
        report += &summary(&judged);
    }
    // Nothing is written before all is known.
    if let Some((path, picture)) = picture {
        replace(path, picture)?;
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
    let items = judged.iter().flat_map(|judged| {
        [
            Item::Move(judged.text.clone()),
            Item::Comment(judged.comment()),
        ]
    });
    let written = pdn::Game {
        tags: game.tags.clone(),
        fen: match &game.origin {
            Origin::Fen(fen) => Some(fen.clone()),
            _ => None,
        },
        first,
        items: items.collect(),
        result: match (&game.result, end.outcome()) {
            (GameResult::Unknown, Some(Outcome::Win(Side::White, _))) => GameResult::WhiteWins,
            (GameResult::Unknown, Some(Outcome::Win(Side::Black, _))) => GameResult::BlackWins,
            (GameResult::Unknown, Some(Outcome::Draw(_))) => GameResult::Draw,
            (result, _) => result.clone(),
        },
    };
    with_rules!(game.variant, R => pdn::write::<R>(&written, Squares::Native))
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
