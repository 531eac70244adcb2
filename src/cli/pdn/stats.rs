//! `warcab pdn stats`: what a collection of games holds.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use warcab::board::Variant;
use warcab::notation::Style;
use warcab::notation::pdn::{GameResult, PlayedGame};

use super::input::{Found, Input};
use crate::cli::Trouble;
use crate::cli::output::Output;
use crate::cli::progress::thousands;

/// Arguments of `warcab pdn stats`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    input: Input,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// How many openings and players are listed
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// The moves of an opening, in plies
    #[arg(long, value_name = "N", default_value_t = 6)]
    plies: usize,
}

/// Games by their results.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Results {
    games: u64,
    white_wins: u64,
    draws: u64,
    black_wins: u64,
    other: u64,
}

impl Results {
    fn add(&mut self, result: &GameResult) {
        self.games += 1;
        *match result {
            GameResult::WhiteWins => &mut self.white_wins,
            GameResult::Draw => &mut self.draws,
            GameResult::BlackWins => &mut self.black_wins,
            _ => &mut self.other,
        } += 1;
    }

    fn text(&self) -> String {
        format!(
            "White won {}, Black won {}, drawn {}, other {}",
            thousands(self.white_wins),
            thousands(self.black_wins),
            thousands(self.draws),
            thousands(self.other)
        )
    }
}

/// What a player did.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Player {
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
}

/// Games of one set.
#[derive(Debug, Default, Serialize)]
struct Set {
    #[serde(flatten)]
    results: Results,
    lengths: Lengths,
    #[serde(skip)]
    by_length: BTreeMap<usize, u64>,
    openings: Vec<Opening>,
    #[serde(skip)]
    by_opening: HashMap<String, Results>,
}

/// Lengths of games in plies.
#[derive(Debug, Default, Serialize)]
struct Lengths {
    shortest: usize,
    median: usize,
    mean: f64,
    longest: usize,
}

#[derive(Debug, Serialize)]
struct Opening {
    moves: String,
    #[serde(flatten)]
    results: Results,
}

#[derive(Debug, Serialize)]
struct Named {
    name: String,
    #[serde(flatten)]
    player: Player,
}

/// Everything that is counted.
#[derive(Debug, Default, Serialize)]
struct Stats {
    games: u64,
    moves: u64,
    games_with_errors: u64,
    sets: BTreeMap<&'static str, Set>,
    players: Vec<Named>,
    #[serde(skip)]
    by_name: HashMap<String, Player>,
}

pub(super) fn run(args: &Args, variant: Variant) -> Result<(), Trouble> {
    let mut stats = Stats::default();
    args.input.each_game(variant, |_, found| {
        if let Found::Game(game) = found {
            stats.add(game, args.plies);
        }
        Ok(())
    })?;
    stats.settle(args.top);
    let mut out = Output::open(None)?;
    if args.json {
        out.write(&(serde_json::to_string(&stats)? + "\n"))?;
    } else {
        out.write(&stats.text())?;
    }
    out.finish()?;
    Ok(())
}

impl Stats {
    fn add(&mut self, game: &PlayedGame, plies: usize) {
        let length = game.moves.len();
        self.games += 1;
        self.moves += length as u64;
        self.games_with_errors += u64::from(game.has_error());
        let set = self.sets.entry(game.variant.name()).or_default();
        set.results.add(&game.result);
        *set.by_length.entry(length).or_default() += 1;
        if game.starts_normally() && length >= plies && plies > 0 {
            let moves = game.bare(plies).move_texts(Style::default()).join(" ");
            set.by_opening.entry(moves).or_default().add(&game.result);
        }
        for (tag, won, lost) in [
            ("White", GameResult::WhiteWins, GameResult::BlackWins),
            ("Black", GameResult::BlackWins, GameResult::WhiteWins),
        ] {
            let known = |name: &&str| !["", "?"].contains(name);
            if let Some(name) = game.tag(tag).map(str::trim).filter(known) {
                if !self.by_name.contains_key(name) {
                    self.by_name.insert(name.to_owned(), Player::default());
                }
                if let Some(player) = self.by_name.get_mut(name) {
                    player.games += 1;
                    player.won += u64::from(game.result == won);
                    player.drawn += u64::from(game.result == GameResult::Draw);
                    player.lost += u64::from(game.result == lost);
                }
            }
        }
    }

    /// Sorts what is listed.
    fn settle(&mut self, top: usize) {
        for set in self.sets.values_mut() {
            set.lengths = lengths(&set.by_length);
            let openings = set.by_opening.drain();
            set.openings = openings
                .map(|(moves, results)| Opening { moves, results })
                .collect();
            set.openings.sort_by(|a, b| {
                let most = b.results.games.cmp(&a.results.games);
                most.then_with(|| a.moves.cmp(&b.moves))
            });
            set.openings.truncate(top);
        }
        let players = self.by_name.drain();
        self.players = players
            .map(|(name, player)| Named { name, player })
            .collect();
        self.players.sort_by(|a, b| {
            let most = b.player.games.cmp(&a.player.games);
            most.then_with(|| a.name.cmp(&b.name))
        });
        self.players.truncate(top);
    }

    fn text(&self) -> String {
        let mut text = format!(
            "games {}, moves {}, games with errors {}\n",
            thousands(self.games),
            thousands(self.moves),
            thousands(self.games_with_errors)
        );
        for (name, set) in &self.sets {
            let Lengths {
                shortest,
                median,
                mean,
                longest,
            } = set.lengths;
            text += &format!(
                "\n{name}: games {}\n  results: {}\n  plies: {shortest} to {longest}, median {median}, mean {mean:.1}\n",
                thousands(set.results.games),
                set.results.text(),
            );
            if !set.openings.is_empty() {
                text += "  openings:\n";
            }
            for Opening { moves, results } in &set.openings {
                text += &format!(
                    "  {:>7}  {moves}: {}\n",
                    thousands(results.games),
                    results.text()
                );
            }
        }
        if !self.players.is_empty() {
            text += "\nplayers:\n";
        }
        for Named { name, player } in &self.players {
            text += &format!(
                "  {:>7}  {name}: won {}, drawn {}, lost {}\n",
                thousands(player.games),
                thousands(player.won),
                thousands(player.drawn),
                thousands(player.lost)
            );
        }
        text
    }
}

fn lengths(by_length: &BTreeMap<usize, u64>) -> Lengths {
    let games: u64 = by_length.values().sum();
    let plies: u64 = by_length.iter().map(|(length, n)| *length as u64 * n).sum();
    let mut passed = 0;
    let median = by_length.iter().find(|(_, n)| {
        passed += **n;
        2 * passed >= games
    });
    Lengths {
        shortest: by_length.keys().next().copied().unwrap_or(0),
        median: median.map_or(0, |(length, _)| *length),
        mean: plies as f64 / games.max(1) as f64,
        longest: by_length.keys().next_back().copied().unwrap_or(0),
    }
}
