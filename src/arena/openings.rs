//! Openings: the positions from which pairs of games start.
//!
//! A file is a suite ([`crate::opening`]) or holds games in PDN, whose moves are the openings. An opening in which the game is already
//! over by rule is refused, since it could only be played on by accident.

use thiserror::Error;

use crate::board::{Board, DrawTable, Game, Outcome, Rules};
use crate::engine::command::outcome_words;
use crate::notation::{Setup, Squares, fen, pdn};
use crate::opening::{self as suite, BadLine};

/// An opening of a rule set.
#[derive(Clone, Debug)]
pub struct Opening<R: Rules> {
    /// The first position as a FEN; `None` for the start position of the set.
    pub fen: Option<String>,
    /// The game that leads to the position in which the engines take over.
    pub game: Game<R>,
}

/// Why openings cannot be used.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum OpeningError {
    /// A game in PDN is not one of the set, or cannot be read.
    #[error("opening at line {line}: {what}")]
    Game {
        /// Where it begins, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The file cannot be read.
    #[error("the openings cannot be read: {0}")]
    Unreadable(String),
    /// A line of a suite is bad.
    #[error("opening at {0}")]
    Suite(#[from] BadLine),
    /// There is nothing left to play.
    #[error(
        "opening at line {line}: the game is already over there ({outcome}), expected a position to play on from"
    )]
    Over {
        /// Where it stands, from 1.
        line: usize,
        /// What the rules say.
        outcome: String,
    },
    /// The file has none.
    #[error(
        "there is no opening in the file, expected lines of the form FEN | moves, or games in PDN"
    )]
    Empty,
}

impl<R: Rules> Opening<R> {
    /// The start position of the set.
    pub fn start(draws: DrawTable) -> Self {
        Opening {
            fen: None,
            game: Game::new(Board::start::<R>(), 0, draws),
        }
    }

    fn from_setup(setup: Setup, draws: DrawTable) -> Self {
        let plain = setup == Setup::start::<R>();
        let no_progress = setup.suffixes.half_moves.unwrap_or(0);
        let written = || fen::write::<R>(&setup.board, Squares::Native, setup.suffixes);
        Opening {
            fen: (!plain).then(written),
            game: Game::new(setup.board, no_progress, draws),
        }
    }

    fn from_suite(opening: &suite::Opening, draws: DrawTable) -> Self {
        if opening.line.is_empty() {
            return Opening::from_setup(opening.setup, draws);
        }
        let mut played = Opening::start(draws);
        for &mv in &opening.line {
            played.game.play(mv);
        }
        played
    }

    fn check(self, line: usize) -> Result<Self, OpeningError> {
        match self.game.outcome() {
            Outcome::Ongoing => Ok(self),
            outcome => Err(OpeningError::Over {
                line,
                outcome: outcome_words(outcome),
            }),
        }
    }

    /// A line of random moves from the start position to a position with as many pieces on both sides in which nothing
    /// has to be captured.
    pub fn random(plies: usize, draws: DrawTable, random: &mut fastrand::Rng) -> Self {
        // A hundred tries find one; else the last will do.
        let mut opening = Self::start(draws);
        for _ in 0..100 {
            opening = Self::start(draws);
            for _ in 0..plies {
                let legal = crate::board::movegen::legal_moves::<R>(opening.game.board());
                let mut next = opening.game.clone();
                match random.choice(&legal) {
                    Some(mv) => next.play(*mv),
                    None => break,
                }
                if next.outcome() != Outcome::Ongoing {
                    break;
                }
                opening.game = next;
            }
            let board = opening.game.board();
            let [white, black] = board.pieces.map(u64::count_ones);
            if white == black && !crate::board::movegen::can_capture::<R>(board) {
                break;
            }
        }
        opening
    }
}

/// Reads a file of openings. `plies` is the most moves taken of each game of a PDN file.
pub fn read<R: Rules>(
    text: &str,
    draws: DrawTable,
    plies: Option<usize>,
) -> Result<Vec<Opening<R>>, OpeningError> {
    let is_pdn = text.lines().any(|line| line.trim_start().starts_with('['));
    let openings = if is_pdn {
        games(text, draws, plies)?
    } else {
        suite::parse::<R>(text)?
            .into_iter()
            .map(|(line, opening)| Opening::from_suite(&opening, draws).check(line))
            .collect::<Result<Vec<_>, _>>()?
    };
    if openings.is_empty() {
        return Err(OpeningError::Empty);
    }
    Ok(openings)
}

/// The openings of games in PDN, each with its line; `plies` is the most moves taken of each.
fn games<R: Rules>(
    text: &str,
    draws: DrawTable,
    plies: Option<usize>,
) -> Result<Vec<Opening<R>>, OpeningError> {
    let mut reader = pdn::Reader::new(text.as_bytes());
    let mut raw = pdn::RawGame::default();
    let mut list = Vec::new();
    while reader
        .read(&mut raw)
        .map_err(|error| OpeningError::Unreadable(error.to_string()))?
    {
        let most = plies.unwrap_or(usize::MAX);
        let played = pdn::play(&raw, R::VARIANT);
        let bad = |what: String| OpeningError::Game {
            line: played.line,
            what,
        };
        if played.variant != R::VARIANT {
            return Err(bad(format!("it is a game of {}", played.variant)));
        }
        // What comes after the moves that are taken does not matter.
        let mut errors = played.problems.iter().filter(|p| p.is_error());
        if played.moves.len() < most
            && let Some(problem) = errors.next()
        {
            return Err(bad(problem.finding.to_string()));
        }
        if played.set_ups().any(|(ply, _)| ply < most) {
            return Err(bad("it sets up a position among its moves".to_owned()));
        }
        let mut opening = Opening::from_setup(played.start, draws);
        for &mv in played.moves.iter().take(most) {
            opening.game.play(mv);
        }
        list.push(opening.check(played.line)?);
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::DrawRules;
    use crate::board::rules::{English, International, Russian, Turkish};

    fn openings<R: Rules>(text: &str) -> Result<Vec<Opening<R>>, String> {
        read::<R>(text, R::draw_table(DrawRules::Club), None).map_err(|error| error.to_string())
    }

    #[test]
    fn lines_with_and_without_moves_and_comments() {
        let text = "# english openings\n\
            B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12 | |0\n\n\
            W:W21-32:B1-10,12,15 | 11-15 | -3\n\
            B:WK1:BK32\n";
        let list = openings::<English>(text).unwrap();
        assert_eq!(list.len(), 3);
        assert_eq!(list[0].fen, None);
        assert_eq!((list[1].fen.clone(), list[1].game.moves().len()), (None, 1));
        assert_eq!(list[2].fen.as_deref(), Some("B:WK1:BK32"));
    }

    #[test]
    fn games_in_pdn() {
        let text = "[Event \"a\"]\n[GameType \"25\"]\n\n1. c3-d4 {good [x] \"y\" (z)} d6-c5 $1 2.b2-c3! (2. a3-b4) 1-0\n\
            [Event \"b\"]\n[FEN \"W:Wc3:Bf6\"]\n\n1. c3-d4 *\n";
        let list = openings::<Russian>(text).unwrap();
        assert_eq!(list[0].game.moves().len(), 3);
        assert_eq!(list[1].fen.as_deref(), Some("W:Wc3:Bf6"));
        assert_eq!(list[1].game.moves().len(), 1);
        let draws = Russian::draw_table(DrawRules::Club);
        let short = read::<Russian>(text, draws, Some(2)).unwrap();
        assert_eq!(short[0].game.moves().len(), 2);
    }

    #[test]
    fn an_opening_in_which_the_game_is_over_is_refused() {
        let shuffle = "W:WK46:BK5 | 46-41 5-10 41-46 10-5 46-41 5-10 41-46 10-5";
        // The moves start from the start position of the set, so that this one is a PDN game.
        assert!(
            openings::<International>(shuffle)
                .unwrap_err()
                .contains("move 1")
        );
        let pdn = "[FEN \"W:WK1:BK50\"]\n1. 1-6 50-45 2. 6-1 45-50 3. 1-6 50-45 4. 6-1 45-50 *\n";
        let error = openings::<International>(pdn).unwrap_err();
        assert!(
            error.contains("line 1") && error.contains("draw repetition"),
            "{error}"
        );
        let error = openings::<International>("W:W:B20").unwrap_err();
        assert!(error.contains("black-wins no-pieces"), "{error}");
        let error = openings::<Turkish>("W:WKa1:BKb3").unwrap_err();
        assert!(error.contains("draw one-each"), "{error}");
    }

    #[test]
    fn refusals_name_the_line() {
        for (text, words) in [
            ("\nfoo", "line 2"),
            ("W:W31-50:B1-20|32-26|0", "line 1: move 1"),
            ("B:W28,31,33-50:B1-20|31-27|0", "its moves lead to B:W"),
            ("# nothing\n", "no opening"),
        ] {
            let error = openings::<International>(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn random_openings_are_balanced_and_depend_on_the_seed_alone() {
        let draws = International::draw_table(DrawRules::Club);
        let make = |seed| {
            let mut random = fastrand::Rng::with_seed(seed);
            Opening::<International>::random(8, draws, &mut random)
        };
        let opening = make(7);
        assert_eq!(opening.game.moves(), make(7).game.moves());
        assert_ne!(opening.game.moves(), make(8).game.moves());
        assert_eq!(opening.game.moves().len(), 8);
    }
}
