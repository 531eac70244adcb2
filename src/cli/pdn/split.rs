//! `warcab pdn split`: games sorted into files.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context;
use clap::ValueEnum;

use warcab::board::Variant;
use warcab::notation::Style;
use warcab::notation::pdn::PlayedGame;
use warcab::part::Part;

use super::input::{Found, Input};
use crate::cli::Trouble;
use crate::cli::output::{Output, create};

/// Text that waits to be written, in bytes over all files.
const MOST_PENDING: usize = 16 << 20;

/// Letters of a file's name.
const LONGEST_NAME: usize = 80;

/// Arguments of `warcab pdn split`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    input: Input,
    /// So many games a file
    #[arg(
        long,
        value_name = "N",
        required_unless_present = "by",
        conflicts_with = "by"
    )]
    games: Option<NonZeroUsize>,
    /// A file for each value
    #[arg(long, value_name = "KEY", value_enum)]
    by: Option<Key>,
    /// The folder for the files; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
}

/// What games are sorted by.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Key {
    /// The tag Event
    Event,
    /// The player with the white pieces
    White,
    /// The player with the black pieces
    Black,
    /// The result
    Result,
    /// The rule set
    Variant,
}

/// A file being written.
struct Target {
    part: Part,
    pending: String,
    games: u64,
}

pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    fs::create_dir_all(&args.dir)
        .with_context(|| format!("cannot make the folder {}", args.dir.display()))?;
    let mut targets: BTreeMap<String, Target> = BTreeMap::new();
    let (mut pending, mut number) = (0, 0);
    args.input.each_game(variant, |_, found| {
        let Found::Game(game) = found else {
            return Ok(());
        };
        let name = match (args.by, args.games) {
            (Some(key), _) => file_name(&key.of(game)),
            (None, games) => format!("games-{:05}", number / games.map_or(1, usize::from) + 1),
        };
        number += 1;
        let target = match targets.entry(name) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let path = args.dir.join(format!("{}.pdn", entry.key()));
                if args.input.contains(&path) {
                    let text = "is one of the files to be read, expected another folder";
                    return Err(Trouble::Usage(format!("{} {text}", path.display())));
                }
                let (_, part) = create(&path)?;
                entry.insert(Target {
                    part,
                    pending: String::new(),
                    games: 0,
                })
            }
        };
        let text = game.write(Style::default());
        target.games += 1;
        pending += text.len();
        target.pending += &text;
        if pending > MOST_PENDING {
            targets.values_mut().try_for_each(Target::flush)?;
            pending = 0;
        }
        Ok(())
    })?;
    targets.values_mut().try_for_each(Target::flush)?;
    let files = targets.len();
    let mut out = Output::open(None)?;
    for (name, target) in targets {
        let failed = format!("cannot write {}", target.part.unfinished().display());
        target.part.finish().context(failed)?;
        out.write(&format!(
            "{}  games {}\n",
            args.dir.join(name + ".pdn").display(),
            target.games
        ))?;
    }
    out.write(&format!("games {number}, files {files}\n"))?;
    out.finish()?;
    Ok(())
}

impl Target {
    /// Writes what waits. The file is opened for that alone, since there may be more of them than a process may hold open.
    fn flush(&mut self) -> anyhow::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let path = self.part.unfinished();
        let written = OpenOptions::new()
            .append(true)
            .open(path)
            .and_then(|mut file| file.write_all(self.pending.as_bytes()));
        written.with_context(|| format!("cannot write {}", path.display()))?;
        self.pending.clear();
        Ok(())
    }
}

impl Key {
    /// The value games are sorted by.
    fn of(self, game: &PlayedGame) -> String {
        let tag = |name| game.tag(name).unwrap_or_default().to_owned();
        match self {
            Key::Event => tag("Event"),
            Key::White => tag("White"),
            Key::Black => tag("Black"),
            Key::Result => game.result.tag(game.variant).replace('*', "unknown"),
            Key::Variant => game.variant.name().to_owned(),
        }
    }
}

/// A name for a file that every system takes: letters and digits of the value, others as `-`.
fn file_name(value: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    let name: String = value.trim().chars().take(LONGEST_NAME).map(plain).collect();
    let name = name.trim_matches('-').to_lowercase();
    if name.is_empty() {
        "unknown".to_owned()
    } else {
        name
    }
}
