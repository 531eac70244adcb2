//! Reading moves: a text is first cut into squares, then compared with the legal moves.
//!
//! Three squares or more may be a path (start, squares where the piece turns or that it crosses behind a captured one, end)
//! or Hub's form (start, end, captured squares). A text that is *complete* in one of the two readings fits one legal move at most: on a path with one piece to take from
//! each square to the next, the squares determine the captured set; and no text is complete in both, since a path ends on
//! an empty square and Hub's list on a piece. (Where pieces leave at once a path may end where a piece was, but there the
//! most pieces must be taken, and the two readings differ in their number by one.) So a complete reading wins, and only
//! without one are those moves looked for that the text describes in part; if there are several, one of them whose piece can
//! stop on all squares named fits better than those that merely cross some. Two squares are complete for a quiet move and
//! for a single jump, and part of any longer capture.

use smallvec::SmallVec;

use super::cut::{Cut, cut};
use super::{MoveError, Notation, Style, write};
use crate::board::geometry::{Bits, Geometry, bit, lowest};
use crate::board::movegen::{find_route, legal_moves, stops_at};
use crate::board::rules::Removal;
use crate::board::variant::SquareStyle;
use crate::board::{Board, Move, Rules, Side, Square};
use crate::notation::excerpt;
use crate::notation::squares::{self, Squares};

/// Reads a move of the position in any form.
///
/// Squares are numbers or letters with ranks, in any mixture; between them stand `-`, `x`, `:`, their typographical
/// likenesses or blanks, which all mean the same. Without any, letters part the squares (`a3b4`) or digits go in pairs (`3228`).
///
/// # Errors
///
/// A text that is no list of squares, one that fits no legal move, and one that fits several.
pub fn parse<R: Rules>(board: &Board, text: &str) -> Result<Move, MoveError> {
    let cut = cut::<R>(text)?;
    let legal = legal_moves::<R>(board);
    let readings = readings::<R>(board, &legal, &cut.squares);
    match readings.moves.as_slice() {
        [] => Err(illegal::<R>(board, &legal, &cut, text)),
        [mv, ..] if readings.equal == 1 => Ok(*mv),
        several => {
            let style = Style {
                notation: Notation::Short,
                squares: Squares::from(cut.style),
            };
            Err(MoveError::Ambiguous {
                text: excerpt(text.trim().chars()),
                candidates: several
                    .iter()
                    .map(|mv| write::<R>(board, mv, style))
                    .collect(),
            })
        }
    }
}

/// The legal moves that a list of squares may mean, the best fitting first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::notation) struct Readings {
    pub(in crate::notation) moves: SmallVec<[Move; 4]>,
    /// How many of them fit equally well.
    pub(in crate::notation) equal: usize,
}

/// Finds what a list of squares may mean among the legal moves of the position.
pub(in crate::notation) fn readings<R: Rules>(
    board: &Board,
    legal: &[Move],
    list: &[Square],
) -> Readings {
    let &[from, ref rest @ ..] = list else {
        return Readings::default();
    };
    let started = legal.iter().filter(|mv| mv.from == from);
    let complete = |mv: &Move| is_path::<R>(board, list, mv) || is_hub(rest, mv);
    let mut moves: SmallVec<[Move; 4]> = match *rest {
        // Every capture with these ends passes no squares in between.
        [to] => started.filter(|mv| mv.to == to).copied().collect(),
        _ => {
            let partial = |mv: &Move| {
                is_part_of_hub(rest, mv) || is_part_of_path::<R>(board, rest, mv) || complete(mv)
            };
            started.filter(|mv| partial(mv)).copied().collect()
        }
    };
    let mut equal = moves.len();
    if equal > 1 {
        let stopping = |mv: &Move| {
            rest.split_last()
                .is_some_and(|(_, waypoints)| stops_at::<R>(board, mv, waypoints))
        };
        let best = moves.iter().position(complete).or_else(|| {
            let mut closer = (0..moves.len()).filter(|&i| moves.get(i).is_some_and(stopping));
            closer.next().filter(|_| closer.next().is_none())
        });
        if let Some(best) = best {
            moves.get_mut(..=best).unwrap_or_default().rotate_right(1);
            equal = 1;
        }
    }
    Readings { moves, equal }
}

/// Why a text whose squares fit no legal move does not.
pub(in crate::notation) fn illegal<R: Rules>(
    board: &Board,
    legal: &[Move],
    cut: &Cut,
    text: &str,
) -> MoveError {
    let (from, to) = match cut.squares.as_slice() {
        [from, .., to] => (*from, *to),
        _ => (0, 0),
    };
    MoveError::Illegal {
        text: excerpt(text.trim().chars()),
        reason: reason::<R>(board, legal, from, to, cut.style),
    }
}

/// Whether a list of squares is a whole path of the move.
fn is_path<R: Rules>(board: &Board, list: &[Square], mv: &Move) -> bool {
    if !mv.is_capture() {
        return *list == [mv.from, mv.to];
    }
    list.last() == Some(&mv.to) && taken_along::<R>(board, list) == Some(mv.captured)
}

/// What is taken on a path from each square of the list to the next, if on each leg there is one piece of the opponent's to
/// take, not taken before, and nothing else in the way.
fn taken_along<R: Rules>(board: &Board, list: &[Square]) -> Option<Bits> {
    let own_start = list.first().map_or(0, |&square| bit(square));
    let empty = board.empty::<R::Geo>() | own_start;
    let them = board.men(!board.side) | board.kings_of(!board.side);
    let mut taken = 0;
    for leg in list.windows(2) {
        let &[start, end] = leg else { return None };
        let passable = match R::REMOVAL {
            Removal::AtEnd => empty,
            Removal::AtOnce => empty | taken,
        };
        let victim = (0..4).find_map(|direction| {
            let mut at = bit(start);
            let mut victim = 0;
            loop {
                at = R::Geo::shift(at, direction) & R::Geo::ALL;
                if at & passable == 0 {
                    if victim != 0 || at & them & !taken == 0 {
                        return None;
                    }
                    victim = at;
                } else if at == bit(end) {
                    return (victim != 0).then_some(victim);
                }
            }
        })?;
        taken |= victim;
    }
    Some(taken)
}

/// Whether the squares after the first are the whole of the move in Hub's form.
fn is_hub(rest: &[Square], mv: &Move) -> bool {
    let count = mv.captured.count_ones() as usize;
    rest.len() == count + 1 && is_part_of_hub(rest, mv) && set(rest) & mv.captured == mv.captured
}

/// Whether the squares after the first are the move's end and captured squares, not necessarily all.
fn is_part_of_hub(rest: &[Square], mv: &Move) -> bool {
    rest.split_first()
        .is_some_and(|(&to, captured)| to == mv.to && set(captured) & !mv.captured == 0)
}

fn set(list: &[Square]) -> Bits {
    list.iter().fold(0, |set, &square| set | bit(square))
}

/// Whether the squares after the first are places on a path of the move, its end last.
fn is_part_of_path<R: Rules>(board: &Board, rest: &[Square], mv: &Move) -> bool {
    rest.split_last().is_some_and(|(&to, waypoints)| {
        to == mv.to && mv.is_capture() && find_route::<R>(board, mv, waypoints).is_some()
    })
}

/// Why no legal move goes from one square to the other.
fn reason<R: Rules>(
    board: &Board,
    legal: &[Move],
    from: Square,
    to: Square,
    style: SquareStyle,
) -> String {
    let name = |square| squares::name::<R>(square, style);
    let (side, other) = match board.side {
        Side::White => ("White", "Black"),
        Side::Black => ("Black", "White"),
    };
    let Some(first) = legal.first() else {
        return format!("{side} has no legal move");
    };
    if board.occupied() & bit(from) == 0 {
        return format!("{} is empty", name(from));
    }
    if (board.men(board.side) | board.kings_of(board.side)) & bit(from) == 0 {
        return format!(
            "{} holds a piece of {other}, and {side} is to move",
            name(from)
        );
    }
    let mut from_here = legal.iter().filter(|mv| mv.from == from).peekable();
    if from_here.peek().is_none() {
        return if first.is_capture() {
            let captors = legal.iter().fold(0, |set, mv| set | bit(mv.from));
            format!(
                "{side} must capture, for instance with the piece on {}",
                name(lowest(captors))
            )
        } else {
            format!("the piece on {} cannot move", name(from))
        };
    }
    let compulsory = if first.is_capture() {
        "must capture and ends on"
    } else {
        "can go to"
    };
    let mut ends: Vec<Square> = from_here.map(|mv| mv.to).collect();
    if ends.contains(&to) {
        return format!(
            "no capture from {} to {} takes that way",
            name(from),
            name(to)
        );
    }
    ends.sort_by_key(|&square| squares::sort_key::<R>(square, style));
    ends.dedup();
    let ends: Vec<String> = ends.into_iter().map(name).collect();
    format!(
        "the piece on {} {compulsory} {}",
        name(from),
        ends.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::rules::{English, International, Italian, Russian, Turkish};
    use crate::notation::fen;

    fn board<R: Rules>(text: &str) -> Board {
        fen::parse::<R>(text).unwrap().board
    }

    /// The move in canonical short form, or the error's sentence.
    fn read<R: Rules>(board: &Board, text: &str) -> String {
        match parse::<R>(board, text) {
            Ok(mv) => write::<R>(board, &mv, Style::default()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_square_where_the_piece_stops_fits_better_than_one_it_crosses() {
        // The other capture, 2x35x44x11, crosses 30 on its way to 35.
        let board = board::<International>("W:WK2,45:B16,18,K22,24,K29,34,40");
        assert_eq!(read::<International>(&board, "2x30x11"), "2x30x39x11");
    }

    #[test]
    fn separators_are_all_alike() {
        let start = Board::start::<International>();
        for text in [
            "32-28",
            "32x28",
            "32:28",
            "32–28",
            "32\u{2011}28",
            "32×28",
            " 32 - 28 ",
            "32--28",
            "32 28",
            "3228",
            "032-0028",
            "d4-e5",
            "D4e5",
            "32-e5",
        ] {
            assert_eq!(read::<International>(&start, text), "32-28", "{text}");
        }
        let start = Board::start::<Russian>();
        for text in ["c3-d4", "c3d4", "C3:D4", "22-18", "2218"] {
            assert_eq!(read::<Russian>(&start, text), "c3-d4", "{text}");
        }
        assert_eq!(read::<English>(&Board::start::<English>(), "0914"), "9-14");
        assert_eq!(
            read::<Italian>(&Board::start::<Italian>(), "d3-e4"),
            "22-19"
        );
        assert_eq!(
            read::<Turkish>(&Board::start::<Turkish>(), "41x33"),
            "a3-a4"
        );
    }

    #[test]
    fn captures_are_read_as_path_as_part_of_it_and_as_hub_has_them() {
        // PDN 3.0's own example of a path.
        let board = board::<International>("W:WK47:B42,29,19,31");
        let whole = "47x38x24x13x36";
        let mv = parse::<International>(&board, "47x36").unwrap();
        let path = Style {
            notation: super::super::Notation::Path,
            squares: Squares::Native,
        };
        assert_eq!(write::<International>(&board, &mv, path), whole);
        for text in [
            whole,
            "47x33x24x13x36",
            "47x24x36",
            "47x38x13x36",
            "47x36x19x42x31x29",
            "47x36x42x29",
            "47:36:19",
        ] {
            assert_eq!(parse::<International>(&board, text), Ok(mv), "{text}");
        }
        for text in [
            "47x38",
            "47x38x24",
            "47x24x38x36",
            "47x36x42x10",
            "47x46x36",
        ] {
            let error = parse::<International>(&board, text).unwrap_err();
            assert!(matches!(error, MoveError::Illegal { .. }), "{text} {error}");
        }
    }

    #[test]
    fn a_complete_reading_wins_over_partial_ones() {
        // The king may take g5 alone, or the other three and then g5.
        let board = board::<Russian>("W:WKf6:Bc5,c7,e5,g5");
        for (text, canonical) in [
            ("f6h4", "f6:h4"),
            ("f6xh4xg5", "f6:h4"),
            ("f6b6h4", "f6:d4:b6:d8:h4"),
            ("f6h4e5", "f6:d4:b6:d8:h4"),
        ] {
            assert_eq!(read::<Russian>(&board, text), canonical, "{text}");
        }
    }

    #[test]
    fn what_is_no_list_of_squares_is_unreadable() {
        let start = Board::start::<International>();
        for (text, words) in [
            ("", "empty"),
            ("  ", "empty"),
            ("32", "two squares"),
            ("32-", "both ends"),
            ("-32-28", "both ends"),
            ("32-foo", "\"foo\""),
            ("32-51", "51 is outside"),
            ("32-99999999999999999999", "outside"),
            ("322", "outside"),
            ("(none)", "\"(none)\""),
            ("0000", "outside"),
        ] {
            let error = parse::<International>(&start, text).unwrap_err();
            let sentence = error.to_string();
            assert!(matches!(error, MoveError::Unreadable { .. }), "{text}");
            assert!(sentence.contains(words), "{text}: {sentence}");
        }
        let long = "1-".repeat(100_000) + "1";
        assert!(read::<International>(&start, &long).len() < 200);
    }

    #[test]
    fn illegal_moves_are_told_why() {
        let start = Board::start::<International>();
        let reason = |board: &Board, text| read::<International>(board, text);
        assert!(reason(&start, "28-23").contains("28 is empty"));
        assert!(reason(&start, "19-23").contains("piece of Black"));
        assert!(reason(&start, "46-41").contains("46 cannot move"));
        assert!(reason(&start, "e5-a1").contains("e5 is empty"));
        assert!(reason(&start, "32-23").contains("can go to 27, 28"));
        let forced = board::<International>("W:W32,46:B28");
        assert!(
            reason(&forced, "46-41").contains("must capture, for instance with the piece on 32")
        );
        assert!(reason(&forced, "32-27").contains("must capture and ends on 23"));
        let lost = board::<International>("W:W:B28");
        assert!(reason(&lost, "32-27").contains("no legal move"));
    }
}
