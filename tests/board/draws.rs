//! Draws by rule: every number and condition of every table, by games that are drawn at exactly the stated ply.

use warcab::board::draw::{DrawReason, DrawRules};
use warcab::board::rules::{Brazilian, English, International, Italian, Russian, Spanish, Turkish};
use warcab::board::{Board, Game, LossReason, Outcome, Rules, Side};

use crate::support::{at, board};
use crate::walk::{Drawn, Men, first_draw, game, read, walk, walk_where};

const CLUB: DrawRules = DrawRules::Club;
const CLUB_40: DrawRules = DrawRules::Club40;
const FEDERATION: DrawRules = DrawRules::Federation;
const NONE: DrawRules = DrawRules::None;

fn no_progress(ply: usize) -> Drawn {
    Some((ply, DrawReason::NoProgress))
}

fn king_ending(ply: usize) -> Drawn {
    Some((ply, DrawReason::KingEndgame))
}

/// Two kings against two far from each other, so that no clock but the general one runs.
const KINGS_32: &str = "W:WK29,K30,32:BK3,K4,1";
const KINGS_32_BLACK: &str = "B:WK29,K30,32:BK3,K4,1";

#[test]
fn plies_without_progress() {
    let kings_50 = "W:WK46,K47,K48,41:BK3,K4,K5,10";
    for (rules, limit) in [(CLUB, 80), (CLUB_40, 80), (FEDERATION, 80)] {
        let draw = walk::<English>(rules, KINGS_32_BLACK, &[], Men::Rest);
        assert_eq!(draw, no_progress(limit), "{rules:?}");
    }
    for (rules, limit) in [(CLUB, 120), (CLUB_40, 120), (FEDERATION, 50)] {
        let draw = walk::<International>(rules, kings_50, &[], Men::Rest);
        assert_eq!(draw, no_progress(limit), "{rules:?}");
    }
    for (rules, limit) in [(CLUB, 120), (CLUB_40, 120), (FEDERATION, 30)] {
        let draw = walk::<Brazilian>(rules, KINGS_32, &[], Men::Rest);
        assert_eq!(draw, no_progress(limit), "{rules:?}");
    }
    for rules in [CLUB, CLUB_40, FEDERATION] {
        let draw = walk::<Spanish>(rules, "W:WK1,K2,4:BK31,K32,29", &[], Men::Rest);
        assert_eq!(draw, no_progress(100), "{rules:?}");
        let draw = walk::<Turkish>(rules, "W:WKc1,Kd1,h2:BKe8,Kf8,a7", &[], Men::Rest);
        assert_eq!(draw, no_progress(100), "{rules:?}");
        let draw = walk::<Russian>(rules, KINGS_32, &[], Men::Rest);
        assert_eq!(draw, no_progress(30), "{rules:?}");
    }
    for (rules, limit) in [(CLUB, 100), (CLUB_40, 80), (FEDERATION, 80)] {
        let draw = walk::<Italian>(rules, KINGS_32, &[], Men::Rest);
        assert_eq!(draw, no_progress(limit), "{rules:?}");
    }
}

#[test]
fn without_a_table_only_repetition_draws() {
    fn never<R: Rules>(fen: &str) {
        assert_eq!(walk::<R>(NONE, fen, &[], Men::Rest), None, "{}", R::VARIANT);
    }
    never::<English>(KINGS_32_BLACK);
    never::<International>("W:WK46,K47,K48,41:BK3,K4,K5,10");
    never::<Brazilian>(KINGS_32);
    never::<Spanish>("W:WK1,K2,4:BK31,K32,29");
    never::<Turkish>("W:WKc1,Kd1,h2:BKe8,Kf8,a7");
    never::<Italian>(KINGS_32);
    never::<Russian>(KINGS_32);
    let shuffle = [
        "29-25", "4-8", "25-29", "8-4", "29-25", "4-8", "25-29", "8-4",
    ];
    let draw = first_draw::<English>(NONE, "W:WK29:BK4", &shuffle);
    assert_eq!(draw, Some((8, DrawReason::Repetition)));
}

#[test]
fn a_man_move_is_progress() {
    // The man moves at ply 3, after which the count runs again.
    let draw = walk::<Russian>(CLUB, KINGS_32, &["30-26", "3-7", "32-28"], Men::Rest);
    assert_eq!(draw, no_progress(33));
    let draw = walk::<Italian>(FEDERATION, KINGS_32, &["30-26", "3-7", "32-28"], Men::Rest);
    assert_eq!(draw, no_progress(83));
    // Under club-40 only a capture or a promotion is.
    let draw = walk::<Italian>(CLUB_40, KINGS_32, &["30-26", "3-7", "32-28"], Men::Rest);
    assert_eq!(draw, no_progress(80));
}

#[test]
fn a_promotion_and_a_capture_are_progress() {
    let promotes = "W:WK29,K30,5:BK4,24";
    let draw = walk::<Italian>(CLUB_40, promotes, &["29-25", "4-8", "5-1"], Men::Rest);
    assert_eq!(draw, no_progress(83));
    let captures = "W:WK29,K30,14:BK4,K1,6";
    let moves = ["29-25", "6-10", "14x5", "1x10"];
    for (rules, limit) in [(CLUB, 104), (CLUB_40, 84)] {
        let draw = walk::<Italian>(rules, captures, &moves, Men::Rest);
        assert_eq!(draw, no_progress(limit), "{rules:?}");
    }
}

#[test]
fn forty_moves_of_each_side() {
    let moves = "4-8 30-26 3-7 26-30 7-11 30-26 11-7 26-22 8-11 22-18 11-16 18-14 16-12 14-17 7-11 17-13 11-7 \
        13-9 12-8 9-14 8-12 14-18 7-11 18-22 12-16 22-17 11-7 17-13 16-12 13-9 7-11 9-6 12-16 6-1 16-19 1-5 \
        11-7 5-9 19-24 9-6 7-3 6-2 24-19 2-6 19-23 6-10 23-27 10-15 3-7 15-18 27-31 18-15 31-27 15-19 7-2 \
        19-15 27-24 15-10 24-20 10-14 2-6 14-17 20-16 17-21 6-1 21-17 16-20 17-14 20-16 14-17 16-20 17-22 \
        20-24 22-17 24-28 17-21 28-24 21-17 24-28 17-21";
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let fen = "B:WK29,K30,25:BK4,K3";
    assert_eq!(first_draw::<English>(CLUB, fen, &moves), no_progress(80));
    assert_eq!(first_draw::<English>(CLUB, fen, &moves[..79]), None);
}

#[test]
fn the_first_position_counts_as_an_occurrence() {
    let shuffle = [
        "4-8", "29-25", "8-4", "25-29", "4-8", "29-25", "8-4", "25-29",
    ];
    let repetition = Some((8, DrawReason::Repetition));
    for rules in [CLUB, CLUB_40, FEDERATION, NONE] {
        assert_eq!(
            first_draw::<English>(rules, "B:WK29:BK4", &shuffle),
            repetition
        );
        assert_eq!(
            first_draw::<English>(rules, "B:WK29:BK4", &shuffle[..7]),
            None
        );
    }
}

#[test]
fn an_occurrence_has_the_same_side_to_move() {
    // White loses a move, so that the first placement comes back with Black to move.
    let moves = ["c1-d2", "h8-g7", "d2-e3", "g7-h8", "e3-c1"];
    let mut game = game::<Russian>(NONE, "W:WKc1:BKh8");
    let first = *game.board();
    for text in moves {
        let mv = read::<Russian>(game.board(), text);
        game.play(mv);
    }
    assert_eq!(game.board().pieces, first.pieces);
    assert_eq!(game.occurrences(), 1);
}

#[test]
fn taking_a_move_back_undoes_a_repetition() {
    let shuffle = [
        "4-8", "29-25", "8-4", "25-29", "4-8", "29-25", "8-4", "25-29",
    ];
    let mut game = game::<English>(CLUB, "B:WK29:BK4");
    for text in shuffle {
        let mv = read::<English>(game.board(), text);
        game.play(mv);
    }
    assert_eq!(game.occurrences(), 3);
    assert_eq!(game.position().reversible, 8);
    game.take_back();
    assert_eq!(game.outcome(), Outcome::Ongoing);
    assert_eq!(game.moves().len(), 7);
}

#[test]
fn turkish_men_that_move_sideways_can_return() {
    let shuffle = [
        "a3-b3", "h6-g6", "b3-a3", "g6-h6", "a3-b3", "h6-g6", "b3-a3", "g6-h6",
    ];
    let draw = first_draw::<Turkish>(CLUB, "W:Wa3,h2:Bh6,a7", &shuffle);
    assert_eq!(draw, Some((8, DrawReason::Repetition)));
    // Yet they are progress: their moves set the counter back.
    let mut game = game::<Turkish>(CLUB, "W:WKb1,h2:BKf8,a7");
    for (text, no_progress) in [("b1-b2", 1), ("f8-f7", 2), ("h2-g2", 0), ("a7-a6", 0)] {
        let mv = read::<Turkish>(game.board(), text);
        game.play(mv);
        assert_eq!(game.position().counters.no_progress, no_progress, "{text}");
    }
}

#[test]
fn turkish_one_piece_each_is_drawn_unless_the_side_to_move_captures() {
    let one_each = Some((0, DrawReason::OneEach));
    for rules in [CLUB, CLUB_40, FEDERATION] {
        for fen in ["W:WKa1:BKh8", "W:Wa3:BKh8", "B:Wa3:Bh6", "B:WKa8:BKc7"] {
            assert_eq!(first_draw::<Turkish>(rules, fen, &[]), one_each, "{fen}");
        }
        for fen in ["W:WKa8:BKb8", "W:WKa1,a2:BKh8", "W:WKa1:BKh8,h7"] {
            assert_eq!(first_draw::<Turkish>(rules, fen, &[]), None, "{fen}");
        }
    }
    assert_eq!(first_draw::<Turkish>(NONE, "W:WKa1:BKh8", &[]), None);
    assert_eq!(first_draw::<English>(CLUB, "W:WK29:BK4", &[]), None);
    // Every placement of two kings: 672 of 4,032 can capture.
    let mut captures = 0;
    for white in 0..64 {
        for black in (0..64).filter(|&black| black != white) {
            let pieces = [1 << white, 1 << black];
            let board = Board {
                pieces,
                kings: pieces[0] | pieces[1],
                side: Side::White,
            };
            let game = Game::<Turkish>::new(board, 0, Turkish::draw_table(CLUB));
            captures += usize::from(game.outcome() == Outcome::Ongoing);
        }
    }
    assert_eq!(captures, 672);
}

#[test]
fn international_lone_king_against_three() {
    let three = [
        "W:WK46,K47,K48:BK3",
        "W:WK46,K47,36:BK4",
        "B:WK3:BK48,45,36",
    ];
    for fen in three {
        let draw = walk::<International>(FEDERATION, fen, &[], Men::Rest);
        assert_eq!(draw, king_ending(32), "{fen}");
        assert_eq!(
            walk::<International>(CLUB, fen, &[], Men::Rest),
            no_progress(120),
            "{fen}"
        );
    }
    // Nothing stops the clock: neither a man move nor a promotion.
    let man = walk::<International>(FEDERATION, "W:WK46,K47,36:BK4", &[], Men::MoveEvery(10));
    assert_eq!(man, king_ending(32));
    let promotes = ["46-41", "3-8", "6-1"];
    let draw = walk::<International>(FEDERATION, "W:WK46,K47,6:BK3", &promotes, Men::Rest);
    assert_eq!(draw, king_ending(32));
    // Three men or a lone man start none, nor do four pieces or two against three.
    for fen in ["W:W46,47,48:BK4", "W:WK46,K47,K48:B15"] {
        let clocks = game::<International>(FEDERATION, fen).position().counters;
        assert_eq!((clocks.clock(0), clocks.clock(1)), (None, None), "{fen}");
    }
    for fen in ["W:WK46,K47,K48,K49:BK3", "W:WK46,K47,K48:BK3,15"] {
        let draw = walk::<International>(FEDERATION, fen, &[], Men::Rest);
        assert_eq!(draw, no_progress(50), "{fen}");
    }
}

#[test]
fn international_lone_king_against_two_or_one() {
    for fen in [
        "W:WK46,K47:BK3",
        "W:WK46,36:BK4",
        "W:WK47:BK4",
        "B:WK47:BK3,15",
    ] {
        let draw = walk::<International>(FEDERATION, fen, &[], Men::Rest);
        assert_eq!(draw, king_ending(10), "{fen}");
    }
    let draw = walk::<International>(FEDERATION, "W:WK46,36:BK4", &[], Men::MoveEvery(8));
    assert_eq!(draw, king_ending(10));
    // Two men against a king: no king among the stronger side's pieces.
    let men = "W:W46,47:BK4";
    let mut game = game::<International>(FEDERATION, men);
    assert_eq!(game.position().counters.clock(1), None);
    let mv = read::<International>(game.board(), "47-42");
    game.play(mv);
    assert_eq!(game.position().counters.clock(1), None);
}

#[test]
fn an_ending_of_three_that_becomes_one_of_two_is_not_lengthened() {
    let moves = "47-38 3-9 46-23 9-22 38-24 22-17 48-31 17-39 24-38 39-17 31-42 17-22 38-15 22-6 42-31 6-1 \
        31-18 1-6 18-13 6-17 15-20 17-39 13-18 39-17 20-33 17x39 18-13 39-33 13-27 33-17 23-19 17-12 27-22 \
        12-29 19-32 29-12";
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let fen = "W:WK46,K47,K48:BK3";
    // The capture at ply 26 would allow ten plies more, the sixteen moves of the first clock are over at 32.
    assert_eq!(
        first_draw::<International>(FEDERATION, fen, &moves),
        king_ending(32)
    );
    assert_eq!(
        first_draw::<International>(FEDERATION, fen, &moves[..31]),
        None
    );
}

#[test]
fn three_kings_against_one() {
    let moves = "31-22 3-7 22-15 7-20 30-21 20-31 15-10 31-27 29-11 27-31 11-2 31-27 2-16 27-20 16-30 20-31 \
        21-25 31-20 10-6 20-27 30-16 27-31 25-11 31-17 6-13 17-10 16-26 10-28 11-25 28-10";
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let fen = "W:WK29,K30,K31:BK3";
    for rules in [CLUB, CLUB_40] {
        assert_eq!(first_draw::<Russian>(rules, fen, &moves), no_progress(30));
    }
    assert_eq!(first_draw::<Russian>(FEDERATION, fen, &moves[..29]), None);
    assert!(matches!(
        first_draw::<Russian>(FEDERATION, fen, &moves),
        Some((30, _))
    ));
}

#[test]
fn federation_clocks_of_the_64_square_sets() {
    fn check<R: Rules>() {
        let walk = |fen: &str, opening: &[&str], men: Men| walk::<R>(FEDERATION, fen, opening, men);
        // Two and three pieces.
        for fen in [
            "W:WK1:BK32",
            "W:WK1,K2:BK32",
            "W:WK1,21:BK32",
            "B:WK1:BK32,12",
        ] {
            assert_eq!(walk(fen, &[], Men::Rest), king_ending(10), "{fen}");
        }
        assert_eq!(
            walk("W:WK1,21:BK32", &[], Men::MoveEvery(8)),
            king_ending(10)
        );
        // A promotion starts it again.
        let promotes = ["1-5", "32-28", "6-2"];
        assert_eq!(walk("W:WK1,6:BK32", &promotes, Men::Rest), king_ending(13));
        // No king on one side: no clock, and man moves keep the general one low.
        let mut game = game::<R>(FEDERATION, "W:WK1:B9,8");
        assert_eq!(game.position().counters.clock(1), None);
        let mv = read::<R>(game.board(), "1-5");
        game.play(mv);
        assert_eq!(game.position().counters.clock(1), None);
        // Four and five, six and seven pieces: men that move keep the general clock of 30 low.
        for fen in ["W:WK1,21,28:BK4", "W:WK1,21,28:BK4,12"] {
            assert_eq!(walk(fen, &[], Men::MoveEvery(20)), king_ending(60), "{fen}");
        }
        for fen in ["W:WK3,K2,21,28,29:BK4", "W:WK3,K2,21,28,29:BK4,12"] {
            assert_eq!(
                walk(fen, &[], Men::MoveEvery(24)),
                king_ending(120),
                "{fen}"
            );
        }
        // Eight pieces have none.
        let eight = "W:WK3,K2,21,28,29,30:BK4,12";
        let clocks = self::game::<R>(FEDERATION, eight).position().counters;
        assert!((0..5).all(|clock| clocks.clock(clock).is_none()));
    }
    check::<Russian>();
    check::<Brazilian>();
}

#[test]
fn federation_three_or_more_kings_against_one() {
    fn clock<R: Rules>(fen: &str) -> Option<u8> {
        game::<R>(FEDERATION, fen).position().counters.clock(0)
    }
    fn check<R: Rules>() {
        // Its limit is that of the general rule, so the clock itself has to be looked at.
        assert_eq!(R::draw_table(FEDERATION).clocks[0].limit, 30);
        for fen in [
            "W:WK1,K2,K3:BK32",
            "W:WK32:BK1,K2,K3,K4",
            "W:WK1,K2,K3,K5,K6:BK32",
        ] {
            assert_eq!(clock::<R>(fen), Some(0), "{fen}");
        }
        for fen in [
            "W:WK1,K2:BK32",
            "W:WK6,K2,K3,9:BK32",
            "W:WK1,K2,K3:BK32,K31",
            "W:WK1,K2,K3:B20",
        ] {
            assert_eq!(clock::<R>(fen), None, "{fen}");
        }
        // A promotion that makes the third king starts it.
        let mut game = game::<R>(FEDERATION, "W:WK1,K2,6:BK32");
        for (text, clock) in [
            ("2-7", None),
            ("32-28", None),
            ("6-2", Some(0)),
            ("28-32", Some(1)),
        ] {
            let mv = read::<R>(game.board(), text);
            game.play(mv);
            assert_eq!(game.position().counters.clock(0), clock, "{text}");
        }
    }
    check::<Russian>();
    check::<Brazilian>();
}

#[test]
fn federation_main_road() {
    fn check<R: Rules>() {
        let road = "a1 b2 c3 d4 e5 f6 g7 h8".split(' ').map(at::<R>);
        let road = road.fold(0, |set, square| set | 1 << square);
        let on_road = |board: &Board| board.pieces[Side::Black] & road != 0;
        // Three pieces with a man among them, which would have 60 plies otherwise.
        let fen = "W:WKc1,Kg1,h4:BKa1";
        let draw = walk_where::<R>(FEDERATION, fen, &[], Men::Rest, on_road);
        assert_eq!(draw, king_ending(10));
        // Three kings: 30 otherwise.
        let draw = walk_where::<R>(FEDERATION, "W:WKc1,Kg1,Kh4:BKa1", &[], Men::Rest, on_road);
        assert_eq!(draw, king_ending(10));
        // A king that leaves the road stops the clock, one that comes back starts it anew.
        let mut game = game::<R>(FEDERATION, fen);
        let moves = [
            ("g1-f2", Some(1)),
            ("a1-h8", Some(2)),
            ("f2-g1", Some(3)),
            ("h8-f6", Some(4)),
            ("c1-d2", Some(5)),
            ("f6-d8", None),
            ("d2-c1", None),
            ("d8-f6", Some(0)),
        ];
        for (text, clock) in moves {
            let mv = read::<R>(game.board(), text);
            game.play(mv);
            assert_eq!(game.position().counters.clock(4), clock, "{text}");
        }
        // Two and four pieces against the king are no such ending.
        for fen in [
            "W:WKc1,Kg1:BKa1",
            "W:WKc1,Kg1,h4,h2:BKa1",
            "W:WKc1,Kg1,h4:Ba5",
            "W:WKc1,Kg1,h4:BKb8",
        ] {
            let clocks = self::game::<R>(FEDERATION, fen).position().counters;
            assert_eq!(clocks.clock(4), None, "{fen}");
        }
    }
    check::<Russian>();
    check::<Brazilian>();
}

#[test]
fn a_lost_position_is_not_drawn() {
    // White's last king move blocks Black at the very ply of the limit.
    let table = English::draw_table(CLUB);
    let mut game = Game::<English>::new(board::<English>("W:W9,14,K30:B5"), 79, table);
    assert_eq!(game.outcome(), Outcome::Ongoing);
    let mv = read::<English>(game.board(), "30-26");
    game.play(mv);
    assert_eq!(game.position().counters.no_progress, 80);
    assert_eq!(
        game.outcome(),
        Outcome::Win(Side::White, LossReason::Blocked)
    );
    let game = Game::<English>::new(board::<English>("B:W9:B"), 80, table);
    assert_eq!(
        game.outcome(),
        Outcome::Win(Side::White, LossReason::NoPieces)
    );
}
