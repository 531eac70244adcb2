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
/// Room for the heights of windows of any board.
const HEIGHTS: usize = 4;

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

/// What each set of men in a row adds to the two digits of the windows above it: a lane for each column.
static SPREAD: [[u64; BANKS]; 256] = {
    let mut table = [[0; BANKS]; 256];
    let mut set = 0;
    while set < 256 {
        let mut column = 0;
        while column < 7 {
            let digits = (set >> column & 1) + 3 * (set >> (column + 1) & 1);
            table[set][column / LANES] |= (digits as u64) << (16 * (column % LANES));
            column += 1;
        }
        set += 1;
    }
    table
};
/// Lanes in a word.
const LANES: usize = 4;
/// Words that hold the columns of any board.
const BANKS: usize = 2;
/// The digits of an empty row, in all lanes: 1 + 3.
const EMPTY_ROW: u64 = 0x0004_0004_0004_0004;

/// The states of all windows, by height; sixteen bits for each column.
#[derive(Clone, Copy, Debug, Default)]
pub struct States([[u64; BANKS]; HEIGHTS]);

impl States {
    /// The states of windows of men, own ones first.
    #[inline(always)]
    pub fn of<G: Geometry>(men: &[Bits; 2]) -> States {
        let mut states = States::default();
        for bank in 0..columns::<G>().div_ceil(LANES) {
            // No lane ever overflows into its neighbour: digits are 0 to 2, states less than 3^8.
            let row = |index: usize| {
                let low = G::square(index * G::WIDTH);
                let of = |set: Bits| SPREAD[(set >> low) as usize & ((1 << G::WIDTH) - 1)][bank];
                of(men[0]) + EMPTY_ROW - of(men[1])
            };
            let pair = |index: usize| row(2 * index) + 9 * row(2 * index + 1);
            let mut above = pair(0);
            for (height, words) in states.0[..heights::<G>()].iter_mut().enumerate() {
                let below = pair(height + 1);
                words[bank] = above + 81 * below;
                above = below;
            }
        }
        states
    }

    /// The state of a window.
    #[inline(always)]
    pub fn get<G: Geometry>(&self, window: usize) -> usize {
        let (height, column) = (window / columns::<G>(), window % columns::<G>());
        let word = self.0[height][column / LANES];
        (word >> (16 * (column % LANES)) & 0xffff) as usize
    }
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
            for (state, turned_to) in turned_state.iter().enumerate() {
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
                let opposite = same(turn(window), *turned_to);
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
            let found = States::of::<G>(&men);
            let turned = [G::half_turn(men[1]), G::half_turn(men[0])];
            let turned = States::of::<G>(&turned);
            for window in 0..count::<G>() {
                let state = found.get::<G>(window);
                for (digit, value) in digits(state).into_iter().enumerate() {
                    let at = bit(G::square(square::<G>(window, digit)));
                    let expected = i8::from(men[0] & at != 0) - i8::from(men[1] & at != 0);
                    assert_eq!(value, expected, "window {window}, digit {digit}");
                }
                let twin = count::<G>() - 1 - window;
                let (here, sign) = symmetry.turned[window * STATES + state];
                let other = symmetry.turned[twin * STATES + turned.get::<G>(twin)];
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
            let here = States::of::<Full8>(&men);
            let there = States::of::<Full8>(&men.map(mirror));
            for height in 0..3 {
                for column in 0..7 {
                    let place = |states: &States, column: usize| {
                        let window = height * 7 + column;
                        window * STATES + states.get::<Full8>(window)
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
