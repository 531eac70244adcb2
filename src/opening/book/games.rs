//! The positions of played games, counted: which lines a book made from games is to know.

use std::collections::HashMap;

use super::key::key;
use crate::board::{Board, Move, Rules, Variant};
use crate::notation::pdn::PlayedGame;
use crate::with_rules;

/// How often positions have come about in games.
#[derive(Clone, Debug)]
pub struct Games {
    variant: Variant,
    plies: u32,
    seen: HashMap<u64, u32>,
    /// Games that were counted.
    pub counted: u64,
    /// Games of other sets, or that do not begin at the start of a game.
    pub skipped: u64,
}

impl Games {
    /// No games yet, of a set, to be counted up to so many plies.
    pub fn new(variant: Variant, plies: u32) -> Self {
        Self {
            variant,
            plies,
            seen: HashMap::new(),
            counted: 0,
            skipped: 0,
        }
    }

    /// Counts a game as far as it could be read; one of another set or from another first position is left out.
    pub fn count(&mut self, game: &PlayedGame) {
        let set_up = game.set_ups().next().is_some();
        if game.variant != self.variant || !game.starts_normally() || set_up {
            self.skipped += 1;
            return;
        }
        self.counted += 1;
        with_rules!(self.variant, R => self.walk::<R>(&game.moves));
    }

    fn walk<R: Rules>(&mut self, moves: &[Move]) {
        let mut board = Board::start::<R>();
        // A position is met before each of these moves.
        for mv in moves.iter().take(self.plies as usize) {
            *self.seen.entry(key::<R>(&board)).or_default() += 1;
            board = board.after(mv);
        }
    }

    /// How often the position with a key has come about.
    pub(super) fn seen(&self, key: u64) -> u32 {
        self.seen.get(&key).copied().unwrap_or(0)
    }
}
