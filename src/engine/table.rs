//! What is on the table: a game and how its moves are read and written.

use super::error::{Code, Failure};
use crate::board::{Board, DrawTable, Game, Move, Rules};
use crate::notation::hub::Convention;
use crate::notation::moves::MoveError;
use crate::notation::{Setup, Style, Suffixes, moves};

/// What is on the table: the game, and the counters its FEN came with.
#[derive(Clone, Debug)]
pub(super) struct Table<R: Rules> {
    pub(super) game: Game<R>,
    pub(super) suffixes: Suffixes,
    /// How the user numbers the squares.
    pub(super) convention: Convention,
}

impl<R: Rules> Table<R> {
    pub(super) fn new(setup: Setup, draws: DrawTable) -> Self {
        let no_progress = setup.suffixes.half_moves.unwrap_or(0);
        Self {
            game: Game::new(setup.board, no_progress, draws),
            suffixes: setup.suffixes,
            convention: Convention::default(),
        }
    }

    pub(super) fn start(draws: DrawTable) -> Self {
        let setup = Setup {
            board: Board::start::<R>(),
            suffixes: Suffixes::default(),
        };
        Self::new(setup, draws)
    }

    /// The same game under other draw rules.
    pub(super) fn under(&self, draws: DrawTable) -> Self {
        let first = self.game.positions().first();
        let setup = Setup {
            board: first.map_or_else(Board::start::<R>, |position| position.board),
            suffixes: self.suffixes,
        };
        let mut table = Self::new(setup, draws);
        table.convention = self.convention;
        for mv in self.game.moves() {
            table.game.play(*mv);
        }
        table
    }

    /// Plays moves in any notation, with blanks between them, in the user's numbers.
    pub(super) fn play(&mut self, texts: &str) -> Result<(), Failure> {
        for (index, text) in texts.split_whitespace().enumerate() {
            let mv = moves::parse::<R>(self.game.board(), &self.convention.text(text))
                .map_err(|error| move_failure(&format!("move {}", index + 1), &error))?;
            self.game.play(mv);
        }
        Ok(())
    }

    /// Texts of moves in the user's numbers.
    pub(super) fn write_line(&self, line: &[Move], style: Style) -> Vec<String> {
        let texts = moves::write_line::<R>(self.game.board(), line, style).into_iter();
        texts.map(|text| self.convention.text(&text)).collect()
    }

    /// The counters to print with the current position: those that were given, advanced by the moves played.
    pub(super) fn suffixes(&self) -> Suffixes {
        let later = self.game.positions().iter().skip(1);
        let rounds = later.filter(|p| p.board.side == R::FIRST_MOVER).count();
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        let no_progress = self.game.position().counters.no_progress;
        Suffixes {
            half_moves: self.suffixes.half_moves.map(|_| no_progress),
            full_move: self.suffixes.full_move.map(|n| n.saturating_add(rounds)),
        }
    }
}

/// A move that could not be read, and where it stands.
pub(super) fn move_failure(place: &str, error: &MoveError) -> Failure {
    let code = match error {
        MoveError::Unreadable { .. } => Code::BadMove,
        MoveError::Illegal { .. } => Code::IllegalMove,
        MoveError::Ambiguous { .. } => Code::AmbiguousMove,
    };
    Failure::new(code, format!("{place}: {error}"))
}

/// A position of one character a square.
pub(super) fn hub_table<R: Rules>(
    text: &str,
    convention: Convention,
    draws: DrawTable,
) -> Result<Table<R>, Failure> {
    let board = convention
        .read_board::<R>(text)
        .map_err(|error| Failure::new(Code::BadHub, error.to_string()))?;
    let suffixes = Suffixes::default();
    Ok(Table::new(Setup { board, suffixes }, draws))
}
