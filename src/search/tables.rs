//! Endgame tables in a search: which positions are looked up, and what that means for the root.
//!
//! The tables say who wins and, but for kings alone, not how soon, so a game that has reached them must still make progress.
//! From a root that they have, only positions with fewer pieces or of kings alone are taken as won or lost: the search has
//! to find its way there. It keeps to moves that do not change the outcome, at the root and, where that is a win or a loss, below it: what the tables know to
//! be drawn is not searched.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Request;
use super::score::{TABLE_BOUND, Value};
use crate::board::{Board, DrawTable, Game, Move, Position, Rules};
use crate::tablebase::{Ending, Tablebase, Verdict};

/// The tables as one search uses them.
#[derive(Debug)]
pub(super) struct Tables<'a, R: Rules> {
    tablebase: &'a Tablebase<R>,
    /// Positions with more pieces are not looked up.
    most: u32,
    /// Positions with more pieces are not taken as won or lost.
    most_decided: u32,
    /// Tells what this search stores apart from what was found when other positions were looked up.
    salt: u64,
    /// Whether the root's draw clocks leave time for what the tables say of its moves.
    in_time: bool,
    hits: AtomicU64,
    /// The moves of the root with what the tables say of them.
    moves: Vec<(Move, Option<Verdict>)>,
}

impl<'a, R: Rules> Tables<'a, R> {
    /// What the tables are good for in the current position of a game whose `moves` are to be searched. Where only the best
    /// move is asked for, those that do not hold the outcome are dropped.
    pub(super) fn new(
        tablebase: &'a Tablebase<R>,
        game: &Game<R>,
        request: &Request,
        moves: &[Move],
    ) -> Self {
        let root = game.positions()[game.positions().len() - 1];
        let usable = request.tables && Tablebase::<R>::fits(&game.table);
        let most = if usable { tablebase.pieces() } else { 0 };
        let pieces = root.board.occupied().count_ones();
        let mut tables = Tables {
            tablebase,
            most: most as u32,
            most_decided: most as u32,
            salt: 0,
            in_time: root.counters.leaves_time(&game.table),
            hits: AtomicU64::new(0),
            moves: moves.iter().map(|mv| (*mv, None)).collect(),
        };
        let verdict = (pieces <= tables.most).then(|| tablebase.probe(&root.board));
        if let Some(verdict) = verdict.flatten() {
            tables.most_decided = pieces - 1;
            tables.most = match verdict {
                Verdict::Draw => tables.most_decided,
                _ => pieces,
            };
            tables.salt = u64::from(pieces).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for (mv, verdict) in &mut tables.moves {
                *verdict = tablebase.probe_move(&root.board, mv);
            }
            tables.moves.sort_by_key(|(_, verdict)| Reverse(*verdict));
            if request.multi_pv <= 1 {
                let best = tables.moves.first().and_then(|(_, verdict)| *verdict);
                tables.moves.retain(|(_, verdict)| *verdict == best);
                tables.hurry(&root.board, verdict);
            }
        }
        tables
    }

    /// Keeps to the moves with which the winner is nearest to the next capture, or the loser furthest from it, if the tables
    /// know that of all moves.
    fn hurry(&mut self, board: &Board, verdict: Verdict) {
        let plies = |mv: &Move| match mv.is_capture() {
            true => Some(0),
            false => self.tablebase.ending(&board.after(mv))?.distance,
        };
        let all: Option<Vec<u8>> = self.moves.iter().map(|(mv, _)| plies(mv)).collect();
        let best = all.as_ref().and_then(|all| match verdict {
            Verdict::Loss => all.iter().max(),
            _ => all.iter().min(),
        });
        if let (Some(all), Some(best)) = (&all, best) {
            let mut each = all.iter();
            self.moves.retain(|_| each.next() == Some(best));
        }
    }

    /// The moves of the root, those the tables say most for first.
    pub(super) fn moves(&self) -> &[(Move, Option<Verdict>)] {
        &self.moves
    }

    /// How a position ends, and after how many plies the next capture comes, 0 if that is not known. A win that may come too
    /// late under the draw rules is not known.
    #[inline(always)]
    pub(super) fn probe(&self, position: &Position<R>, draws: &DrawTable) -> Option<(Verdict, u8)> {
        let pieces = position.board.occupied().count_ones();
        if pieces > self.most {
            return None;
        }
        let Ending { verdict, distance } = self.tablebase.ending(&position.board)?;
        let counters = &position.counters;
        let in_time = match distance {
            _ if verdict == Verdict::Draw => true,
            Some(plies) => counters.leaves_plies(draws, plies),
            None => pieces <= self.most_decided && counters.leaves_time(draws),
        };
        in_time.then_some((verdict, distance.unwrap_or(0)))
    }

    /// The key under which the search keeps a position.
    #[inline(always)]
    pub(super) fn key(&self, position: &Position<R>) -> u64 {
        position.key ^ self.salt
    }

    /// The value of a move of the root, brought in line with what the tables say of it.
    pub(super) fn agreed(&self, verdict: Option<Verdict>, value: Value) -> Value {
        match verdict {
            Some(Verdict::Draw) => 0,
            Some(Verdict::Win) if self.in_time => value.max(TABLE_BOUND + 1),
            Some(Verdict::Loss) if self.in_time => value.min(-TABLE_BOUND - 1),
            _ => value,
        }
    }

    /// Adds hits of a thread.
    pub(super) fn count(&self, hits: u64) {
        if hits > 0 {
            self.hits.fetch_add(hits, Ordering::Relaxed);
        }
    }

    /// The hits that were added.
    pub(super) fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }
}
