//! A game: a first position, the moves played, and what the rules say of the position reached.

use super::draw::{DrawReason, DrawTable};
use super::movegen::has_moves;
use super::moves::Move;
use super::position::{Board, Position, Side};
use super::rules::Rules;

/// Why a side has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossReason {
    /// It has no piece left.
    NoPieces,
    /// Its pieces cannot move.
    Blocked,
}

/// What the rules say of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The game goes on.
    Ongoing,
    /// One side has won.
    Win(Side, LossReason),
    /// The position is drawn by rule.
    Draw(DrawReason),
}

/// A game from its first position on.
#[derive(Clone, Debug)]
pub struct Game<R: Rules> {
    /// The draw rules in force.
    pub table: DrawTable,
    positions: Vec<Position<R>>,
    moves: Vec<Move>,
}

impl<R: Rules> Game<R> {
    /// A game that starts from `board` with `no_progress` plies already on the no-progress counter.
    pub fn new(board: Board, no_progress: u16, table: DrawTable) -> Self {
        let mut first = Position::new(board, &table);
        first.counters.no_progress = no_progress;
        Self {
            table,
            positions: vec![first],
            moves: Vec::new(),
        }
    }

    /// The same game under other draw rules.
    #[must_use]
    pub fn under(&self, table: DrawTable) -> Self {
        let first = &self.positions[0];
        let mut game = Self::new(first.board, first.counters.no_progress, table);
        self.moves.iter().for_each(|mv| game.play(*mv));
        game
    }

    /// Plays a move, which must be legal.
    pub fn play(&mut self, mv: Move) {
        let next = self.position().after(&mv, &self.table);
        self.positions.push(next);
        self.moves.push(mv);
    }

    /// Takes the last move back; `None` in the first position.
    pub fn take_back(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// The current position.
    pub fn position(&self) -> &Position<R> {
        &self.positions[self.positions.len() - 1]
    }

    /// Pieces and side to move of the current position.
    pub fn board(&self) -> &Board {
        &self.position().board
    }

    /// All positions from the first to the current one.
    pub fn positions(&self) -> &[Position<R>] {
        &self.positions
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How often the current position has stood on the board with the same side to move, this time included.
    pub fn occurrences(&self) -> usize {
        let current = self.position();
        let span = usize::from(current.reversible).min(self.positions.len() - 1);
        let first = self.positions.len() - 1 - span;
        self.positions[first..]
            .iter()
            .filter(|p| p.key == current.key)
            .count()
    }

    /// What the rules say of the current position. A loss comes before any draw.
    pub fn outcome(&self) -> Outcome {
        let board = self.board();
        if board.pieces[board.side] == 0 {
            return Outcome::Win(!board.side, LossReason::NoPieces);
        }
        if !has_moves::<R>(board) {
            return Outcome::Win(!board.side, LossReason::Blocked);
        }
        if self.occurrences() >= 3 {
            return Outcome::Draw(DrawReason::Repetition);
        }
        match self.position().counters.draw::<R>(board, &self.table) {
            Some(reason) => Outcome::Draw(reason),
            None => Outcome::Ongoing,
        }
    }
}
