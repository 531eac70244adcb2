//! Games for the tests of draw rules: played from a list of moves, or found by a seeded random walk of quiet moves that
//! meets no position twice and leaves nothing to capture, so that nothing but the rule under test can end them.

use std::collections::HashSet;

use warcab::board::draw::{DrawReason, DrawRules};
use warcab::board::movegen::{can_capture, legal_moves};
use warcab::board::{Board, Game, Move, Outcome, Rules};

use crate::support::{at, board, path_of};

/// Longer than every limit.
const LONG: usize = 300;

/// A game's first draw, its ply and reason.
pub(crate) type Drawn = Option<(usize, DrawReason)>;

pub(crate) fn game<R: Rules>(rules: DrawRules, fen: &str) -> Game<R> {
    Game::new(board::<R>(fen), 0, R::draw_table(rules))
}

/// The only legal move with the ends of a text.
pub(crate) fn read<R: Rules>(board: &Board, text: &str) -> Move {
    let path = path_of(text);
    let ends = (at::<R>(path[0]), at::<R>(path[path.len() - 1]));
    let fits: Vec<Move> = legal_moves::<R>(board)
        .into_iter()
        .filter(|mv| (mv.from, mv.to) == ends)
        .collect();
    assert_eq!(fits.len(), 1, "{text} fits {fits:?}");
    fits[0]
}

/// Plays the moves and returns the ply and reason of the first draw.
pub(crate) fn first_draw<R: Rules>(rules: DrawRules, fen: &str, moves: &[&str]) -> Drawn {
    let mut game = game::<R>(rules, fen);
    for ply in 0..=moves.len() {
        match game.outcome() {
            Outcome::Draw(reason) => return Some((ply, reason)),
            Outcome::Win(..) => panic!("{fen}: won after {ply} plies"),
            Outcome::Ongoing => {}
        }
        if let Some(text) = moves.get(ply) {
            let mv = read::<R>(game.board(), text);
            game.play(mv);
        }
    }
    None
}

/// What a walk may do besides moving kings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Men {
    /// They stand still.
    Rest,
    /// One moves as soon as this many plies have gone without one, where it can.
    MoveEvery(usize),
}

/// A random walk that steps back out of dead ends.
struct Walk<R: Rules, F> {
    game: Game<R>,
    seen: HashSet<Board>,
    men: Men,
    fits: F,
    rng: fastrand::Rng,
    steps: usize,
}

impl<R: Rules, F: Fn(&Board) -> bool> Walk<R, F> {
    fn play(&mut self, mv: Move) {
        self.game.play(mv);
        self.seen.insert(*self.game.board());
    }

    /// Goes on until a draw or for [`LONG`] plies in all; `None` at a dead end.
    fn go_on(&mut self, since_man: usize) -> Option<Drawn> {
        let ply = self.game.moves().len();
        match self.game.outcome() {
            Outcome::Draw(reason) => return Some(Some((ply, reason))),
            Outcome::Win(..) => return None,
            Outcome::Ongoing if ply == LONG => return Some(None),
            Outcome::Ongoing => {}
        }
        let board = *self.game.board();
        let is_man = |mv: &Move| board.kings & 1 << mv.from == 0;
        let mut moves: Vec<Move> = legal_moves::<R>(&board).into_vec();
        moves.retain(|mv| !mv.is_capture() && !mv.promotes);
        let due = matches!(self.men, Men::MoveEvery(plies) if since_man + 1 >= plies);
        let man_moves = due && moves.iter().any(is_man);
        moves.retain(|mv| is_man(mv) == man_moves);
        self.rng.shuffle(&mut moves);
        for mv in moves {
            let next = board.after(&mv);
            if self.seen.contains(&next) || can_capture::<R>(&next) || !(self.fits)(&next) {
                continue;
            }
            self.steps += 1;
            assert!(self.steps < 100_000, "no walk found");
            self.play(mv);
            let found = self.go_on(if man_moves { 0 } else { since_man + 1 });
            if found.is_some() {
                return found;
            }
            self.game.take_back();
            self.seen.remove(&next);
        }
        None
    }
}

/// Plays `opening`, then a random walk without captures, promotions and repetitions until a draw, or none for [`LONG`]
/// plies.
pub(crate) fn walk<R: Rules>(rules: DrawRules, fen: &str, opening: &[&str], men: Men) -> Drawn {
    walk_where::<R>(rules, fen, opening, men, |_| true)
}

/// As [`walk`], through positions that fit a condition.
pub(crate) fn walk_where<R: Rules>(
    rules: DrawRules,
    fen: &str,
    opening: &[&str],
    men: Men,
    fits: impl Fn(&Board) -> bool,
) -> Drawn {
    let game = game::<R>(rules, fen);
    let mut walk = Walk {
        seen: HashSet::from([*game.board()]),
        game,
        men,
        fits,
        rng: fastrand::Rng::with_seed(0),
        steps: 0,
    };
    for text in opening {
        assert_eq!(walk.game.outcome(), Outcome::Ongoing, "{fen}: {text}");
        let mv = read::<R>(walk.game.board(), text);
        walk.play(mv);
    }
    let found = walk.go_on(0);
    found.unwrap_or_else(|| panic!("{} {fen}: no walk", R::VARIANT))
}
