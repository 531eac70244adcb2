//! `warcab book show` and `warcab book check`: what is in a book.

use std::io::{self, Write};

use warcab::board::{Rules, Variant};
use warcab::engine::options::Settings;
use warcab::notation::{Style, fen, moves};
use warcab::opening::book::{Book, Summary, WON, inspect};
use warcab::search::Value;
use warcab::with_rules;

use crate::cli::Trouble;
use crate::cli::progress::thousands;
use crate::cli::show::fen_of;

/// Arguments of `warcab book show`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The book; embedded for the program's own
    #[arg(value_name = "FILE")]
    file: String,
    /// The position, as a FEN
    #[arg(value_name = "FEN", default_value = "startpos")]
    fen: String,
    /// Moves to play from there, in any notation
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// The margin that the chances are for, in hundredths of a man; that of the option BookMargin if not given
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..=100))]
    margin: Option<i32>,
}

/// Arguments of `warcab book check`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct CheckArgs {
    /// The book; embedded for the program's own
    #[arg(value_name = "FILE")]
    file: String,
}

/// A score in men.
pub(super) fn cp(score: Value) -> String {
    match score {
        WON => "won".to_owned(),
        _ if score == -WON => "lost".to_owned(),
        _ => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

/// What is in a book, in one line.
pub(super) fn summary(book: &Book, summary: &Summary) -> String {
    format!(
        "{}: positions {}, all moves of {} up to ply {}, start {}",
        book.variant(),
        thousands(summary.positions as u64),
        thousands(summary.known as u64),
        summary.plies,
        summary.start.map_or_else(|| "missing".to_owned(), cp)
    )
}

/// Shows what a book knows of a position.
pub(super) fn run(args: &Args, settings: Settings) -> Result<(), Trouble> {
    let book = Book::read(&args.file, settings.variant)?;
    let margin = args.margin.unwrap_or(settings.book_margin);
    let (variant, style) = (settings.variant, settings.style);
    let fen = fen_of(&settings, &args.fen, &args.moves)?;
    let text = with_rules!(variant, R => table::<R>(&book, &fen, margin, style));
    let text = text.ok_or_else(|| {
        anyhow::anyhow!("book {}: it does not know the moves of {fen}", args.file)
    })?;
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// The moves of a position; `None` where they are not known.
fn table<R: Rules>(book: &Book, fen: &str, margin: Value, style: Style) -> Option<String> {
    let board = fen::parse::<R>(fen).ok()?.board;
    let known = book.moves::<R>(&board);
    let best = known.first()?;
    let total: u32 = known.iter().map(|known| known.weight(margin)).sum();
    let mut text = format!("fen {fen}\nscore {}\n", cp(best.score));
    for known in &known {
        let chance = 100.0 * f64::from(known.weight(margin)) / f64::from(total.max(1));
        let mv = moves::write::<R>(&board, &known.mv, style);
        text += &format!("{mv:<12} {:>6} {chance:>4.0} %\n", cp(known.score));
    }
    Some(text)
}

/// Checks a book.
pub(super) fn check(args: &CheckArgs, variant: Variant) -> Result<(), Trouble> {
    let book = Book::read(&args.file, variant)?;
    let found = inspect(&book);
    writeln!(io::stdout(), "{}", summary(&book, &found))?;
    match found.complaint() {
        Some(what) => Err(anyhow::anyhow!("book {}: {what}", args.file).into()),
        None => Ok(()),
    }
}
