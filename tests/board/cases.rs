//! Positions that users of draughts programs asked about, with their legal moves.

use warcab::board::movegen::{find_route, legal_moves};
use warcab::board::rules::{Brazilian, English, International, Italian, Russian, Spanish, Turkish};
use warcab::board::{Move, Rules};

use crate::support::{at, board, path_of, reference, triples_of};

/// The moves that fit a text: its ends and, for a capture, the squares it passes.
fn fitting<R: Rules>(fen: &str, text: &str) -> Vec<Move> {
    let board = board::<R>(fen);
    let path: Vec<_> = path_of(text).into_iter().map(at::<R>).collect();
    let (from, to) = (path[0], path[path.len() - 1]);
    legal_moves::<R>(&board)
        .into_iter()
        .filter(|mv| (mv.from, mv.to) == (from, to))
        .filter(|mv| find_route::<R>(&board, mv, &path[1..]).is_some() || !mv.is_capture())
        .collect()
}

/// The legal moves are those of the texts, each of which fits one move alone.
fn check<R: Rules>(fen: &str, texts: &[&str]) {
    let place = format!("{} {fen}", R::VARIANT);
    let moves = legal_moves::<R>(&board::<R>(fen));
    let mut named = Vec::new();
    for text in texts {
        let fitting = fitting::<R>(fen, text);
        assert_eq!(fitting.len(), 1, "{place}: {text} fits {fitting:?}");
        named.extend(fitting);
    }
    assert_eq!(triples_of(&moves), triples_of(&named), "{place}");
}

#[test]
fn a_man_crowned_in_a_capture_goes_on_as_a_king() {
    check::<Russian>("W:Wh6:Bg7,c5,d2", &["12x3x17x31"]);
}

#[test]
fn a_king_lands_where_the_capture_can_go_on() {
    let fen = "B:W12,17,19,23,25,27,29:B1,3,4,7,8,10,11,K13,14";
    check::<Russian>(fen, &["13x31x24x15", "14x21x30"]);
}

#[test]
fn captures_with_the_same_ends_are_told_apart_by_their_route() {
    let fen = "W:WK4:B13,20,32,37";
    check::<International>(fen, &["4x27x38x15", "4x31x42x15"]);
    assert_eq!(fitting::<International>(fen, "4x15").len(), 2);
    assert_eq!(fitting::<International>(fen, "4x33x15").len(), 0);
}

#[test]
fn a_king_does_not_move_to_its_own_square() {
    let moves = [
        "49-21", "49-27", "49-32", "49-35", "49-38", "49-40", "49-43", "49-44",
    ];
    check::<International>("B:WK1,K2,14,16,31,37,42:BK49", &moves);
}

#[test]
fn a_man_that_passes_the_last_row_is_not_crowned() {
    let fen = "B:W41,42:B36";
    check::<International>(fen, &["36x47x38"]);
    let board_before = board::<International>(fen);
    let capture = fitting::<International>(fen, "36x47x38")[0];
    assert_eq!(
        board_before.after(&capture),
        board::<International>("W:W:B38")
    );
    check::<Brazilian>("W:W10:B7,8", &["10x3x12"]);
}

#[test]
fn english_kings_jump_a_neighbour_only() {
    let fen = "W:WK4,19,21,23,24,26,27,29,30,31:B2,7,8,9,10,12,13,14,18";
    check::<English>(fen, &["4x11"]);
}

#[test]
fn men_capture_backwards_in_one_set_and_not_in_the_other() {
    check::<International>("W:W28:B33", &["28x39"]);
    check::<English>("W:W18:B22", &["18-14", "18-15"]);
}

#[test]
fn turkish_captures_count_pieces_and_not_kings() {
    check::<Turkish>("W:Wa4,e3:BKa5,e4,e6", &["e3xe5xe7"]);
    check::<Turkish>("W:Wa4,e3:BKa5,e4", &["a4xa6", "e3xe5"]);
}

#[test]
fn turkish_pieces_leave_one_by_one() {
    let moves = ["a3xh3xh6xb6xb1", "a3xh3xh6xb6xb2", "a3xh3xh6xb6xb3"];
    check::<Turkish>("W:WKa3:Bb3,b4,d6,h4", &moves);
}

#[test]
fn a_turkish_king_that_ends_on_the_square_of_a_captured_piece_stays_a_king() {
    let position = board::<Turkish>("W:WKf8:Bb6,Kd2,Ke6,e8");
    let moves = legal_moves::<Turkish>(&position);
    let to_e8 = moves
        .iter()
        .find(|mv| mv.to == at::<Turkish>("e8"))
        .unwrap();
    assert_eq!(position.after(to_e8), board::<Turkish>("B:WKe8:B"));
}

#[test]
fn jumped_pieces_stay_until_the_move_is_over() {
    let fen = "W:WK1:B7,10,35,37";
    check::<International>(fen, &["1x23x41", "1x23x46", "1x23x5"]);
}

#[test]
fn italian_order_of_captures() {
    check::<Italian>("W:W22:BK18", &["22-19"]);
    check::<Italian>("W:WK15,28:BK10,11,K20,K22", &["15x6x13"]);
    check::<Italian>("W:WK19,20:B7,15,K30", &["19x12x3"]);
    // Equal in number, by a king, one king taken: the line whose king comes first.
    check::<Italian>("W:WK30:B10,K12,K18,20,K26,K27", &["30x21x14x5"]);
}

#[test]
fn spanish_quantity_then_quality() {
    check::<Spanish>("W:WK29,K11:BK25,22,15,K5", &["29x19x1"]);
    check::<Spanish>("W:WK29,K19:BK15,K14,5", &["19x10x1"]);
}

#[test]
fn thirty_two_routes_are_two_moves() {
    let position = board::<International>("W:WK1:B7,8,9,17,18,19,27,28,29,37,38,39");
    let moves = legal_moves::<International>(&position);
    let ends: Vec<_> = moves.iter().map(|mv| mv.to).collect();
    assert_eq!(ends.len(), 2);
    assert!(ends.contains(&at::<International>("41")) && ends.contains(&at::<International>("46")));
    assert!(moves.iter().all(|mv| mv.captured.count_ones() == 12));
    let routes = reference::<International>(&position).captures().unwrap();
    assert_eq!(routes.len(), 32);
}
