//! Squares and positions as people write them, read by a parser of the tests' own, so that it also checks the library's.
//!
//! A [`Spot`] is a row and a file of the real board, files counted from White's left; the library's boards are mirrored
//! where the set's playable corner is at each player's right.

pub(crate) mod reference;

use std::collections::BTreeSet;

use warcab::board::geometry::bit;
use warcab::board::rules::crown_row;
use warcab::board::{Bits, Board, Geometry, Move, Rules, Side, Square, Variant};

use reference::{Piece, Reference};

/// What tells moves apart: from, to and the captured set.
pub(crate) type Triple = (Square, Square, Bits);

/// A square of the real board: row 0 at the top, file 0 at the left, as White sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub(crate) row: usize,
    pub(crate) file: usize,
}

/// How a set's board is cut and numbered.
struct Layout {
    size: usize,
    every_square: bool,
    /// The playable corner is at each player's right.
    mirrored: bool,
    /// Number 1 is in the bottom right corner instead of the top left one.
    from_bottom: bool,
}

fn layout(variant: Variant) -> Layout {
    let size = if variant == Variant::International {
        10
    } else {
        8
    };
    Layout {
        size,
        every_square: variant == Variant::Turkish,
        mirrored: matches!(variant, Variant::Spanish | Variant::Italian),
        from_bottom: variant == Variant::Spanish,
    }
}

/// All playable squares, row by row from the top left.
pub(crate) fn spots(variant: Variant) -> Vec<Spot> {
    let board = layout(variant);
    let mut list = Vec::new();
    for row in 0..board.size {
        for file in 0..board.size {
            let rank = board.size - 1 - row;
            if board.every_square || (rank + file).is_multiple_of(2) != board.mirrored {
                list.push(Spot { row, file });
            }
        }
    }
    list
}

/// Reads a square, by number or by letter and rank.
pub(crate) fn spot(variant: Variant, text: &str) -> Spot {
    let board = layout(variant);
    let spots = spots(variant);
    let found = if let Ok(number) = text.parse::<usize>() {
        let index = if board.from_bottom {
            spots.len() - number
        } else {
            number - 1
        };
        spots[index]
    } else {
        let file = (text.as_bytes()[0] - b'a') as usize;
        let rank: usize = text[1..].parse().unwrap();
        Spot {
            row: board.size - rank,
            file,
        }
    };
    assert!(spots.contains(&found), "{variant}: no square {text}");
    found
}

/// The set's number of a square; Turkish squares have letters.
fn name(variant: Variant, spot: Spot) -> String {
    let board = layout(variant);
    if board.every_square {
        let letter = (b'a' + spot.file as u8) as char;
        return format!("{letter}{}", board.size - spot.row);
    }
    let spots = spots(variant);
    let index = spots.iter().position(|&s| s == spot).unwrap();
    if board.from_bottom {
        (spots.len() - index).to_string()
    } else {
        (index + 1).to_string()
    }
}

/// The library's bit number of a square.
pub(crate) fn square<R: Rules>(spot: Spot) -> Square {
    let file = if layout(R::VARIANT).mirrored {
        R::Geo::ROWS - 1 - spot.file
    } else {
        spot.file
    };
    let index = (0..R::Geo::SQUARES)
        .find(|&i| R::Geo::row_of(i) == spot.row && R::Geo::file_of(i) == file)
        .unwrap();
    R::Geo::square(index)
}

/// The real place of a bit number of the library.
pub(crate) fn spot_of<R: Rules>(square: Square) -> Spot {
    let index = R::Geo::index(square);
    let file = R::Geo::file_of(index);
    Spot {
        row: R::Geo::row_of(index),
        file: if layout(R::VARIANT).mirrored {
            R::Geo::ROWS - 1 - file
        } else {
            file
        },
    }
}

/// The library's bit number of a square as written.
pub(crate) fn at<R: Rules>(text: &str) -> Square {
    square::<R>(spot(R::VARIANT, text))
}

/// Reads a FEN.
pub(crate) fn board<R: Rules>(fen: &str) -> Board {
    let side_of = |letter: &str| match letter {
        "W" => Side::White,
        "B" => Side::Black,
        _ => panic!("{fen}: no side {letter}"),
    };
    let mut parts = fen.split(':');
    let mut board = Board {
        pieces: [0, 0],
        kings: 0,
        side: side_of(parts.next().unwrap()),
    };
    for part in parts {
        let side = side_of(&part[..1]);
        for piece in part[1..].split(',').filter(|piece| !piece.is_empty()) {
            let (king, piece) = match piece.strip_prefix('K') {
                Some(rest) => (true, rest),
                None => (false, piece),
            };
            let squares: Vec<Square> = match piece.split_once('-') {
                Some((first, last)) => (first.parse::<u32>().unwrap()..=last.parse().unwrap())
                    .map(|number| at::<R>(&number.to_string()))
                    .collect(),
                None => vec![at::<R>(piece)],
            };
            for square in squares {
                board.pieces[side] |= bit(square);
                board.kings |= if king { bit(square) } else { 0 };
            }
        }
    }
    board
}

/// Writes a FEN, so that a failing test shows its position.
pub(crate) fn fen<R: Rules>(board: &Board) -> String {
    let letter = |side| if side == Side::White { 'W' } else { 'B' };
    let pieces = |side: Side| {
        let list: Vec<String> = squares(board.pieces[side])
            .map(|square| {
                let king = if board.kings & bit(square) != 0 {
                    "K"
                } else {
                    ""
                };
                format!("{king}{}", name(R::VARIANT, spot_of::<R>(square)))
            })
            .collect();
        list.join(",")
    };
    format!(
        "{}:W{}:B{}",
        letter(board.side),
        pieces(Side::White),
        pieces(Side::Black)
    )
}

/// The squares of a set, lowest first.
pub(crate) fn squares(set: Bits) -> impl Iterator<Item = Square> {
    (0..64).filter(move |&square| set & bit(square) != 0)
}

/// The triples of the library's moves; none may occur twice.
pub(crate) fn triples_of(moves: &[Move]) -> BTreeSet<Triple> {
    let set: BTreeSet<Triple> = moves.iter().map(|m| (m.from, m.to, m.captured)).collect();
    assert_eq!(set.len(), moves.len(), "a move is listed twice: {moves:?}");
    set
}

/// Reads moves: `30-27`, `12x3x17 {8,14}`, with or without a final ` =K`.
pub(crate) fn triples<R: Rules>(texts: &[impl AsRef<str>]) -> BTreeSet<Triple> {
    let one = |text: &str| {
        let text = text.trim_end_matches(" =K");
        let (path, captured) = text.split_once(" {").unwrap_or((text, ""));
        let path = path_of(path);
        let captured = captured
            .trim_end_matches('}')
            .split(',')
            .filter(|name| !name.is_empty())
            .fold(0, |set, name| set | bit(at::<R>(name)));
        (at::<R>(path[0]), at::<R>(path[path.len() - 1]), captured)
    };
    texts.iter().map(|text| one(text.as_ref())).collect()
}

/// The squares a written move names.
pub(crate) fn path_of(text: &str) -> Vec<&str> {
    text.split(['x', '-', ':']).collect()
}

/// A board as the independent generator sees it.
pub(crate) fn reference<R: Rules>(board: &Board) -> Reference {
    let mut pieces = Vec::new();
    for side in Side::ALL {
        for square in squares(board.pieces[side]) {
            let piece = Piece {
                white: side == Side::White,
                king: board.kings & bit(square) != 0,
            };
            pieces.push((spot_of::<R>(square), piece));
        }
    }
    let flags = reference::flags(R::VARIANT.name());
    Reference::new(flags, board.side == Side::White, &pieces)
}

/// A random board with up to `most` pieces a side, of which `kings` in a hundred are kings.
pub(crate) fn random_board<R: Rules>(
    rng: &mut fastrand::Rng,
    most: [usize; 2],
    kings: u32,
) -> Board {
    let mut free: Vec<Square> = (0..R::Geo::SQUARES).map(R::Geo::square).collect();
    rng.shuffle(&mut free);
    let mut board = Board {
        pieces: [0, 0],
        kings: 0,
        side: if rng.bool() { Side::White } else { Side::Black },
    };
    for side in Side::ALL {
        for _ in 0..rng.usize(1..=most[side]) {
            let Some(square) = free.pop() else { break };
            board.pieces[side] |= bit(square);
            if rng.u32(0..100) < kings || crown_row::<R>(side) & bit(square) != 0 {
                board.kings |= bit(square);
            }
        }
    }
    board
}

/// A random board with pieces of the side to wait on a grid that leaves gaps between them, so that a king takes many in
/// one move and by many routes, and up to three kings of the side to move anywhere.
pub(crate) fn grid_board<R: Rules>(rng: &mut fastrand::Rng) -> Board {
    let side = if rng.bool() { Side::White } else { Side::Black };
    let mut board = Board {
        pieces: [0, 0],
        kings: 0,
        side,
    };
    let last = R::Geo::ROWS - 1;
    let offset = rng.usize(0..=1);
    let mut free = Vec::new();
    for spot in spots(R::VARIANT) {
        let at = bit(square::<R>(spot));
        let inside = |line: usize| line > 0 && line < last;
        let spaced =
            spot.row % 2 == offset && (R::Geo::WIDTH < R::Geo::ROWS || spot.file % 2 == offset);
        if inside(spot.row) && inside(spot.file) && spaced && rng.u32(0..100) < 80 {
            board.pieces[!side] |= at;
            board.kings |= if rng.bool() { at } else { 0 };
        } else {
            free.push(at);
        }
    }
    rng.shuffle(&mut free);
    for at in free.into_iter().take(rng.usize(1..=3)) {
        board.pieces[side] |= at;
        board.kings |= at;
    }
    board
}
