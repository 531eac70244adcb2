//! `warcab tablebase info` and `warcab tablebase probe`: what tables hold.

use std::io::{self, Write};
use std::path::PathBuf;

use warcab::board::{Rules, Variant};
use warcab::engine::options::Settings;
use warcab::notation::{Style, fen, moves};
use warcab::tablebase::Tablebase;
use warcab::with_rules;

use crate::cli::Trouble;
use crate::cli::progress::thousands;
use crate::cli::show::fen_of;

/// Arguments of `warcab tablebase info`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct InfoArgs {
    /// A file of tables, or a folder of them; the embedded ones if not given
    path: Option<PathBuf>,
}

/// Arguments of `warcab tablebase probe`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ProbeArgs {
    /// The position, as a FEN
    #[arg(value_name = "FEN")]
    fen: String,
    /// A file of tables, or a folder of them; the embedded ones if not given
    #[arg(long, value_name = "PATH")]
    path: Option<PathBuf>,
}

/// Lists the tables.
pub(super) fn info(args: &InfoArgs, variant: Variant) -> Result<(), Trouble> {
    let mut out = io::stdout().lock();
    with_rules!(variant, R => {
        let tablebase = super::open::<R>(args.path.as_deref())?;
        let (mut positions, mut bytes) = (0, 0);
        for (material, counts, stored) in tablebase.content() {
            let numbers = [counts.wins, counts.draws, counts.losses].map(thousands);
            let [wins, draws, losses] = &numbers;
            let name = material.to_string();
            let stored_text = thousands(stored as u64);
            writeln!(out, "{name:<8} {wins:>14} {draws:>14} {losses:>14} {stored_text:>12}")?;
            positions += counts.total();
            bytes += stored as u64;
        }
        let (pieces, positions, bytes) = (tablebase.pieces(), thousands(positions), thousands(bytes));
        writeln!(out, "{variant}: up to {pieces} pieces, {positions} positions, {bytes} bytes")?;
    });
    Ok(())
}

/// Says how a position ends.
pub(super) fn probe(args: &ProbeArgs, settings: Settings) -> Result<(), Trouble> {
    let (variant, style) = (settings.variant, settings.style);
    let fen = fen_of(&settings, &args.fen, "")?;
    let text = with_rules!(variant, R => {
        let tablebase = super::open::<R>(args.path.as_deref())?;
        let most = tablebase.pieces();
        verdicts::<R>(&tablebase, &fen, style).ok_or_else(|| {
            anyhow::anyhow!("the tables do not have {fen}: they go up to {most} pieces, with one on each side")
        })
    })?;
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// The verdict on a position and on each of its moves, for the side to move; `None` if the tables do not have it.
fn verdicts<R: Rules>(tablebase: &Tablebase<R>, fen: &str, style: Style) -> Option<String> {
    let board = fen::parse::<R>(fen).ok()?.board;
    let mut text = format!("fen {fen}\nresult {}\n", tablebase.probe(&board)?.word());
    for (mv, name) in moves::write_legal::<R>(&board, style) {
        let verdict = tablebase.probe_move(&board, &mv)?;
        text += &format!("{name:<12} {}\n", verdict.word());
    }
    Some(text)
}
