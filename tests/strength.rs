//! Games against a weak player, refereed by the library's board: the engine must play legally, stay within its nodes and
//! win nearly all of them. And a player with more points of `UCI_Elo` must win against one with fewer.

#[path = "tools/material_player.rs"]
mod material_player;

use warcab::board::movegen::legal_moves;
use warcab::board::{Board, DrawRules, Game, Outcome, Rules, Side};
use warcab::engine::elo::strength;
use warcab::search::{Limits, Request, Searcher, Signals, Strength};

const GAMES: u64 = 200;
const NODES: u64 = 2_000;
/// Longer games count as drawn.
const MOST_PLIES: usize = 400;
const RANDOM_PLIES: usize = 4;

/// A game from a short random opening; 2 for a win of the engine, 1 for a draw, 0 for a loss.
fn play<R: Rules>(searcher: &mut Searcher<R>, engine: Side, random: &mut fastrand::Rng) -> u64 {
    let mut game = Game::<R>::new(Board::start::<R>(), 0, R::draw_table(DrawRules::Club));
    for _ in 0..RANDOM_PLIES {
        let moves = legal_moves::<R>(game.board());
        game.play(moves[random.usize(..moves.len())]);
    }
    searcher.clear();
    let request = Request {
        limits: Limits {
            nodes: Some(NODES),
            ..Limits::default()
        },
        ..Request::default()
    };
    loop {
        match game.outcome() {
            Outcome::Win(side, _) => return if side == engine { 2 } else { 0 },
            Outcome::Draw(_) => return 1,
            Outcome::Ongoing if game.moves().len() > MOST_PLIES => return 1,
            Outcome::Ongoing => (),
        }
        let mv = if game.board().side == engine {
            let (mut nodes, mut depth) = (0, 0);
            let answer = searcher.search(&game, &request, &Signals::default(), &mut |r| {
                (nodes, depth) = (r.nodes, r.depth);
            });
            let mv = answer
                .best
                .expect("a position with legal moves gets a move");
            assert!(
                legal_moves::<R>(game.board()).contains(&mv),
                "illegal move {mv:?} in {:?}",
                game.board()
            );
            // Only the first iteration may go on, so that there is an answer.
            assert!(nodes <= NODES + 64 || depth <= 1, "{nodes} nodes searched");
            mv
        } else {
            material_player::choose::<R>(game.board(), random)
        };
        game.play(mv);
    }
}

fn beats_the_material_player<R: Rules>() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut searcher = Searcher::<R>::new(4, 1).expect("4 MiB fit in memory");
    let points: u64 = (0..GAMES)
        .map(|n| play(&mut searcher, Side::ALL[n as usize % 2], &mut random))
        .sum();
    let share = points as f64 / (2 * GAMES) as f64;
    println!("{}: {:.1} % of {GAMES} games", R::VARIANT, 100.0 * share);
    assert!(share > 0.95, "{}: only {:.1} %", R::VARIANT, 100.0 * share);
}

/// Points that are this far apart let the stronger player win eleven of twelve games.
const POINTS: [u32; 2] = [1_600, 1_200];
const GAMES_OF_LEVELS: usize = 60;

/// A game between two strengths, White's first; 2 for a win of White, 1 for a draw, 0 for a loss.
fn play_strengths<R: Rules>(
    searchers: &mut [Searcher<R>; 2],
    strengths: [Strength; 2],
    random: &mut fastrand::Rng,
) -> u64 {
    let mut game = Game::<R>::new(Board::start::<R>(), 0, R::draw_table(DrawRules::Club));
    for _ in 0..RANDOM_PLIES {
        let moves = legal_moves::<R>(game.board());
        game.play(moves[random.usize(..moves.len())]);
    }
    searchers.iter_mut().for_each(Searcher::clear);
    for _ in 0..MOST_PLIES {
        match game.outcome() {
            Outcome::Win(Side::White, _) => return 2,
            Outcome::Win(Side::Black, _) => return 0,
            Outcome::Draw(_) => return 1,
            Outcome::Ongoing => (),
        }
        let side = game.board().side;
        let strength = strengths[side];
        let request = Request {
            strength,
            ..Request::default()
        };
        let (mut nodes, mut depth) = (0, 0);
        let answer =
            searchers[side as usize].search(&game, &request, &Signals::default(), &mut |r| {
                (nodes, depth) = (r.nodes, r.depth);
            });
        // Nothing else limits the search, and helpers would search more.
        let most = strength.nodes() + 64;
        assert!(nodes <= most || depth <= 1, "{nodes} nodes searched");
        game.play(answer.best.expect("a legal move"));
    }
    1
}

fn more_points_win<R: Rules>() {
    let mut random = fastrand::Rng::with_seed(11);
    // Threads make nobody stronger who plays below the full strength.
    let searcher = |threads| Searcher::<R>::new(1, threads).expect("1 MiB fits in memory");
    let mut searchers = [searcher(1), searcher(3)];
    let [more, less] = POINTS.map(|points| strength(R::VARIANT, points));
    let points: u64 = (0..GAMES_OF_LEVELS)
        .map(|n| match n % 2 {
            0 => play_strengths(&mut searchers, [more, less], &mut random),
            _ => 2 - play_strengths(&mut searchers, [less, more], &mut random),
        })
        .sum();
    let share = points as f64 / (2 * GAMES_OF_LEVELS) as f64;
    println!("{}: {:.1} % with more points", R::VARIANT, 100.0 * share);
    assert!(share > 0.75, "{}: only {:.1} %", R::VARIANT, 100.0 * share);
}

macro_rules! test_each {
    ($($name:ident: $rules:ident),*) => {
        $(#[test]
        fn $name() {
            beats_the_material_player::<warcab::board::rules::$rules>();
            more_points_win::<warcab::board::rules::$rules>();
        })*
    };
}

test_each! {
    english: English,
    international: International,
    brazilian: Brazilian,
    spanish: Spanish,
    turkish: Turkish,
    italian: Italian,
    russian: Russian
}
