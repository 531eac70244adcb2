//! The library's generator against the independent one of `support::reference`, on random positions and random games.
//!
//! Seeds are fixed; a failure prints the position. Positions with too many routes for the plain generator are passed
//! over: their share is bounded.

use std::collections::{BTreeSet, HashSet};

use rayon::prelude::*;
use warcab::board::geometry::bit;
use warcab::board::movegen::{
    can_capture, capturing_men, count_moves, find_route, has_moves, legal_moves,
};
use warcab::board::{Board, Geometry, Rules, Square, Variant};
use warcab::with_rules;

use crate::support::reference::Play;
use crate::support::{fen, grid_board, random_board, reference, spot_of, square, squares};

const POSITIONS: u64 = 20_000;
const GAMES: u64 = 60;

/// Compares everything the generator says of a position; returns whether the reference could follow all routes.
fn compare<R: Rules>(board: &Board) -> bool {
    let other = reference::<R>(board);
    let Some(complete) = other.complete_captures() else {
        return false;
    };
    let captures = !complete.is_empty();
    let men = complete
        .iter()
        .map(|line| bit(square::<R>(line.play.from)))
        .fold(0, |set, from| set | from)
        & !board.kings;
    let lines = other.best_of(complete);
    let expected: BTreeSet<Play> = if captures {
        lines.iter().map(|line| line.play.clone()).collect()
    } else {
        other.quiet_moves()
    };
    let place = format!("{} {}", R::VARIANT, fen::<R>(board));
    let moves = legal_moves::<R>(board);
    let plays: BTreeSet<Play> = moves
        .iter()
        .map(|mv| Play {
            from: spot_of::<R>(mv.from),
            to: spot_of::<R>(mv.to),
            captured: squares(mv.captured).map(spot_of::<R>).collect(),
            promotes: mv.promotes,
        })
        .collect();
    assert_eq!(plays, expected, "{place}");
    assert_eq!(plays.len(), moves.len(), "{place}: a move is listed twice");
    assert_eq!(count_moves::<R>(board), moves.len(), "{place}");
    assert_eq!(has_moves::<R>(board), !moves.is_empty(), "{place}");
    assert_eq!(can_capture::<R>(board), captures, "{place}");
    assert_eq!(capturing_men::<R>(board), men, "{place}");
    let routes: HashSet<Vec<Square>> = lines
        .iter()
        .map(|line| line.route().into_iter().map(square::<R>).collect())
        .collect();
    for mv in moves.iter().filter(|mv| mv.is_capture()) {
        let route = find_route::<R>(board, mv, &[]).expect(&place);
        assert!(routes.contains(&route), "{place}: {mv:?} by {route:?}");
        assert_eq!((route[0], route[route.len() - 1]), (mv.from, mv.to));
        let again = find_route::<R>(board, mv, &route[1..]);
        assert!(again.is_some(), "{place}: {mv:?} by {route:?}");
    }
    true
}

fn random_positions<R: Rules>() {
    let men = R::Geo::SQUARES * 2 / 5;
    let passed_over: u64 = (0..POSITIONS)
        .into_par_iter()
        .map(|seed| {
            let mut rng = fastrand::Rng::with_seed(seed);
            let board = match seed % 4 {
                0 | 2 => random_board::<R>(&mut rng, [men, men], 15),
                1 => random_board::<R>(&mut rng, [men / 2, men], 85),
                _ => grid_board::<R>(&mut rng),
            };
            u64::from(!compare::<R>(&board))
        })
        .sum();
    println!("{}: {passed_over} passed over", R::VARIANT);
    assert!(passed_over < POSITIONS / 100, "{passed_over} passed over");
}

#[test]
fn agrees_on_random_positions() {
    for variant in Variant::ALL {
        with_rules!(variant, R => random_positions::<R>());
    }
}

fn random_games<R: Rules>() {
    (0..GAMES).into_par_iter().for_each(|seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut board = Board::start::<R>();
        for _ in 0..150 {
            assert!(compare::<R>(&board), "{}", fen::<R>(&board));
            let moves = legal_moves::<R>(&board);
            match rng.choice(moves.iter()) {
                Some(mv) => board = board.after(mv),
                None => break,
            }
        }
    });
}

#[test]
fn agrees_in_random_games() {
    for variant in Variant::ALL {
        with_rules!(variant, R => random_games::<R>());
    }
}
