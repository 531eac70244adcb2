//! The lines a suite is chosen from: all of a length, or a random sample.
//!
//! A line that ends where something is to be captured goes on until nothing is, so that every exchange is played out.
//! Each position is given out once, with the first line found that leads to it; positions that are reflections of
//! each other, on boards where that makes the same game, count as one.

use std::collections::HashSet;
use std::marker::PhantomData;

use fastrand::Rng;

use crate::board::movegen::{can_capture, has_moves, legal_moves};
use crate::board::perft::perft;
use crate::board::{Board, Move, Rules};

/// Up to this many lines of one length are taken all; of more, a sample is drawn.
const MOST_ENUMERATED: u64 = 50_000;

/// A line and the position it leads to.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) board: Board,
    pub(super) line: Vec<Move>,
}

/// The one of a position and its reflection that stands for both; the position itself where boards have no reflection.
pub fn canonical<R: Rules>(board: &Board) -> Board {
    match board.mirrored::<R::Geo>() {
        Some(mirrored) if (mirrored.pieces, mirrored.kings) < (board.pieces, board.kings) => {
            mirrored
        }
        _ => *board,
    }
}

/// Whether a game can start from the position: the side to move has a move and nothing to capture.
pub fn is_fit<R: Rules>(board: &Board) -> bool {
    !can_capture::<R>(board) && has_moves::<R>(board)
}

/// Gives out positions, none of them twice.
#[derive(Debug, Default)]
pub(super) struct Source<R: Rules> {
    seen: HashSet<Board>,
    rules: PhantomData<R>,
}

impl<R: Rules> Source<R> {
    /// Whether the lines of `plies` plies are few enough to take them all.
    pub(super) fn is_enumerable(plies: u32) -> bool {
        // The numbers grow with the length, so the first that is too large settles it before a longer count is begun.
        (1..=plies).all(|n| perft::<R>(&Board::start::<R>(), n) <= MOST_ENUMERATED)
    }

    /// The new positions that all lines of `plies` plies lead to.
    pub(super) fn enumerate(&mut self, plies: u32) -> Vec<Candidate> {
        let mut found = Vec::new();
        self.walk(
            &Board::start::<R>(),
            plies as usize,
            &mut Vec::new(),
            &mut found,
        );
        found
    }

    fn walk(
        &mut self,
        board: &Board,
        plies: usize,
        line: &mut Vec<Move>,
        found: &mut Vec<Candidate>,
    ) {
        if line.len() >= plies && !can_capture::<R>(board) {
            found.extend(self.admit(*board, line));
            return;
        }
        for mv in legal_moves::<R>(board) {
            line.push(mv);
            self.walk(&board.after(&mv), plies, line, found);
            line.pop();
        }
    }

    /// The new positions that `count` random lines of `plies` plies lead to, each move of a line being equally likely.
    pub(super) fn sample(&mut self, plies: u32, count: usize, rng: &mut Rng) -> Vec<Candidate> {
        let mut found = Vec::new();
        for _ in 0..count {
            let (mut board, mut line) = (Board::start::<R>(), Vec::new());
            while line.len() < plies as usize || can_capture::<R>(&board) {
                let Some(mv) = rng.choice(legal_moves::<R>(&board)) else {
                    break;
                };
                board = board.after(&mv);
                line.push(mv);
            }
            found.extend(self.admit(board, &line));
        }
        found
    }

    fn admit(&mut self, board: Board, line: &[Move]) -> Option<Candidate> {
        let admitted = is_fit::<R>(&board) && self.seen.insert(canonical::<R>(&board));
        admitted.then(|| Candidate {
            board,
            line: line.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::rules::{English, Turkish};

    #[test]
    fn three_plies_of_english_lead_to_the_known_number_of_positions() {
        let start = Board::start::<English>();
        assert_eq!(perft::<English>(&start, 3), 302);
        let mut ends = HashSet::new();
        for first in legal_moves::<English>(&start) {
            let board = start.after(&first);
            for second in legal_moves::<English>(&board) {
                let board = board.after(&second);
                for third in legal_moves::<English>(&board) {
                    ends.insert(board.after(&third));
                }
            }
        }
        assert_eq!(ends.len(), 216);
        let quiet = ends.iter().filter(|end| !can_capture::<English>(end));
        let three = Source::<English>::default().enumerate(3);
        let short = three.iter().filter(|candidate| candidate.line.len() == 3);
        assert_eq!(short.count(), quiet.count());
        assert!(
            three
                .iter()
                .all(|candidate| is_fit::<English>(&candidate.board))
        );
    }

    #[test]
    fn reflections_count_once() {
        // Eight men forward; reflected in pairs.
        assert_eq!(Source::<Turkish>::default().enumerate(1).len(), 4);
    }

    #[test]
    fn a_sample_depends_on_the_seed_alone_and_repeats_nothing() {
        let sample = |seed| {
            let mut source = Source::<Turkish>::default();
            let mut rng = Rng::with_seed(seed);
            let mut found = source.sample(9, 200, &mut rng);
            found.extend(source.sample(9, 200, &mut rng));
            found
        };
        let boards = |list: &[Candidate]| -> Vec<Board> { list.iter().map(|c| c.board).collect() };
        let (first, again, other) = (sample(1), sample(1), sample(2));
        assert_eq!(boards(&first), boards(&again));
        assert_ne!(boards(&first), boards(&other));
        let different: HashSet<Board> = first
            .iter()
            .map(|c| canonical::<Turkish>(&c.board))
            .collect();
        assert_eq!(different.len(), first.len());
    }
}
