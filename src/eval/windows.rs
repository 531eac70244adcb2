//! What the network sees of a position: the mover's view of it, and the states of its windows of men.
//!
//! A *window* is two columns wide and four rows high, counted in playable squares of a row. Its *state* is a number to
//! base 3 with a digit for each of its eight squares: own man 2, empty or a king 1, opponent's man 0. Windows start at
//! every column and every second row, so window `height * columns + column` overlaps its neighbours by half. Two symmetries
//! relate their states: the half-turn, which exchanges the sides, and, on a board without a preferred diagonal, the mirror.

use crate::board::{Bits, Board, Geometry, Side};

/// States of a window.
pub const STATES: usize = 6561;
/// The state of a window without men; exchanging the sides turns it by as much to the other side.
pub const NO_MEN: usize = STATES / 2;
/// Room for the columns of windows of any board.
const COLUMNS: usize = 8;
/// Room for the heights of windows of any board.
const HEIGHTS: usize = 4;
/// States of all windows, by height and column.
pub type States = [[u16; COLUMNS]; HEIGHTS];

/// Columns of windows.
pub const fn columns<G: Geometry>() -> usize {
    G::WIDTH - 1
}

/// Heights of windows, that of the opponent's first row first.
pub const fn heights<G: Geometry>() -> usize {
    G::ROWS / 2 - 1
}

/// Number of windows.
pub const fn count<G: Geometry>() -> usize {
    columns::<G>() * heights::<G>()
}

/// Whether left and right of the board are alike: not so on dark squares, whose main road leans one way.
pub const fn has_mirror<G: Geometry>() -> bool {
    G::WIDTH == G::ROWS
}

/// The pieces as the side to move sees them: its men walk towards row 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Men of the side to move, then of its opponent.
    pub men: [Bits; 2],
    /// Kings of the side to move, then of its opponent.
    pub kings: [Bits; 2],
}

impl View {
    /// The view of the side to move.
    #[inline(always)]
    pub fn of<G: Geometry>(board: &Board) -> View {
        let own = board.side;
        let mut view = View {
            men: [board.men(own), board.men(!own)],
            kings: [0, 0],
        };
        if own == Side::Black {
            view.men = view.men.map(G::half_turn);
        }
        if board.kings != 0 {
            view.kings = [board.kings_of(own), board.kings_of(!own)];
            if own == Side::Black {
                view.kings = view.kings.map(G::half_turn);
            }
        }
        view
    }
}

/// What each set of men in a row adds to the two digits of the windows above it: one lane a column.
static SPREAD: [[i16; COLUMNS]; 256] = {
    let mut table = [[0; COLUMNS]; 256];
    let mut set = 0;
    while set < 256 {
        let mut column = 0;
        while column < COLUMNS - 1 {
            table[set][column] = (set >> column & 1) as i16 + 3 * (set >> (column + 1) & 1) as i16;
            column += 1;
        }
        set += 1;
    }
    table
};

/// The states of all windows.
#[inline(always)]
pub fn states<G: Geometry>(men: &[Bits; 2]) -> States {
    type Lanes = [i16; COLUMNS];
    let row = |index: usize| -> Lanes {
        let low = G::square(index * G::WIDTH);
        let of = |set: Bits| &SPREAD[(set >> low) as usize & ((1 << G::WIDTH) - 1)];
        let (own, other) = (of(men[0]), of(men[1]));
        std::array::from_fn(|i| own[i] - other[i])
    };
    let pair = |index: usize| -> Lanes {
        let (first, second) = (row(2 * index), row(2 * index + 1));
        std::array::from_fn(|i| first[i] + 9 * second[i])
    };
    let mut states = States::default();
    let mut above = pair(0);
    for height in 0..heights::<G>() {
        let below = pair(height + 1);
        states[height] = std::array::from_fn(|i| (NO_MEN as i16 + above[i] + 81 * below[i]) as u16);
        above = below;
    }
    states
}

/// The digits of a state, each -1 (opponent's man), 0 or 1 (own man); digit `2 * row + column` within the window.
pub fn digits(state: usize) -> [i8; 8] {
    let mut rest = state;
    std::array::from_fn(|_| {
        let digit = rest % 3;
        rest /= 3;
        digit as i8 - 1
    })
}

/// The state of the given digits.
fn state(digits: impl DoubleEndedIterator<Item = i8>) -> usize {
    digits
        .rev()
        .fold(0, |sum, digit| sum * 3 + (digit + 1) as usize)
}

/// The playable square, as a dense index, of a digit of a window.
pub fn square<G: Geometry>(window: usize, digit: usize) -> usize {
    let (height, column) = (window / columns::<G>(), window % columns::<G>());
    (2 * height + digit / 2) * G::WIDTH + column + digit % 2
}

/// The one window that answers for a square, a dense index, where several cover it, and the square's digit there.
pub fn owner<G: Geometry>(index: usize) -> (usize, usize) {
    let (row, file) = (index / G::WIDTH, index % G::WIDTH);
    let height = (row / 2).min(heights::<G>() - 1);
    let column = file.min(columns::<G>() - 1);
    let digit = 2 * (row - 2 * height) + file - column;
    (height * columns::<G>() + column, digit)
}

/// Which states of which windows mean the same. A *place* is a window and its state in one number.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// For each place the one that stands for it: equal under the mirror.
    pub mirrored: Vec<u32>,
    /// For each place the one that stands for it, and by which sign: equal under the mirror, opposite under the half-turn.
    /// The sign is 0 where a place is its own opposite.
    pub turned: Vec<(u32, i8)>,
}

impl Symmetry {
    /// The symmetries of a board.
    pub fn of<G: Geometry>() -> Symmetry {
        let (columns, heights) = (columns::<G>(), heights::<G>());
        let mut turned_state = vec![0; STATES];
        let mut mirrored_state = vec![0; STATES];
        for index in 0..STATES {
            let d = digits(index);
            turned_state[index] = state(d.iter().rev().map(|digit| -digit));
            mirrored_state[index] = state((0..8).map(|i| d[i ^ 1]));
        }
        let mirror = |window: usize| window / columns * columns + columns - 1 - window % columns;
        let turn = |window: usize| columns * heights - 1 - window;
        let mut mirrored = Vec::with_capacity(STATES * columns * heights);
        let mut turned = Vec::with_capacity(STATES * columns * heights);
        for window in 0..columns * heights {
            for state in 0..STATES {
                let place = |window: usize, state: usize| (window * STATES + state) as u32;
                let same = |window: usize, state: usize| {
                    let plain = place(window, state);
                    if has_mirror::<G>() {
                        plain.min(place(mirror(window), mirrored_state[state]))
                    } else {
                        plain
                    }
                };
                let here = same(window, state);
                let opposite = same(turn(window), turned_state[state]);
                mirrored.push(here);
                turned.push(match here.cmp(&opposite) {
                    std::cmp::Ordering::Less => (here, 1),
                    std::cmp::Ordering::Equal => (here, 0),
                    std::cmp::Ordering::Greater => (opposite, -1),
                });
            }
        }
        Symmetry { mirrored, turned }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::geometry::{Dark8, Dark10, Full8, bit, squares};

    /// Random men that stand on none of the same squares.
    fn random_men<G: Geometry>(random: &mut fastrand::Rng) -> [Bits; 2] {
        let own = random.u64(..) & random.u64(..) & G::ALL;
        [own, random.u64(..) & random.u64(..) & G::ALL & !own]
    }

    fn check<G: Geometry>() {
        let mut random = fastrand::Rng::with_seed(1);
        let symmetry = Symmetry::of::<G>();
        for _ in 0..200 {
            let men = random_men::<G>(&mut random);
            let found = states::<G>(&men);
            let flat = |states: &States, w: usize| {
                usize::from(states[w / columns::<G>()][w % columns::<G>()])
            };
            let turned = [G::half_turn(men[1]), G::half_turn(men[0])];
            let turned = states::<G>(&turned);
            for window in 0..count::<G>() {
                let state = flat(&found, window);
                for (digit, value) in digits(state).into_iter().enumerate() {
                    let at = bit(G::square(square::<G>(window, digit)));
                    let expected = i8::from(men[0] & at != 0) - i8::from(men[1] & at != 0);
                    assert_eq!(value, expected, "window {window}, digit {digit}");
                }
                let twin = count::<G>() - 1 - window;
                let (here, sign) = symmetry.turned[window * STATES + state];
                let other = symmetry.turned[twin * STATES + flat(&turned, twin)];
                assert_eq!(other, (here, -sign));
            }
        }
    }

    #[test]
    fn states_are_what_stands_in_the_windows() {
        check::<Dark8>();
        check::<Dark10>();
        check::<Full8>();
    }

    #[test]
    fn the_mirror_exchanges_the_columns() {
        let symmetry = Symmetry::of::<Full8>();
        let mirror = |set: Bits| squares(set).fold(0, |all, square| all | bit(square ^ 7));
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..200 {
            let men = random_men::<Full8>(&mut random);
            let (here, there) = (states::<Full8>(&men), states::<Full8>(&men.map(mirror)));
            for height in 0..3 {
                for column in 0..7 {
                    let place = |states: &States, column: usize| {
                        let window = height * 7 + column;
                        window * STATES + usize::from(states[height][column])
                    };
                    let (a, b) = (place(&here, column), place(&there, 6 - column));
                    assert_eq!(symmetry.mirrored[a], symmetry.mirrored[b]);
                    assert_eq!(symmetry.turned[a], symmetry.turned[b]);
                }
            }
        }
    }

    #[test]
    fn every_square_has_an_owner() {
        fn check<G: Geometry>() {
            for index in 0..G::SQUARES {
                let (window, digit) = owner::<G>(index);
                assert_eq!(square::<G>(window, digit), index);
            }
        }
        check::<Dark8>();
        check::<Dark10>();
        check::<Full8>();
    }
}
