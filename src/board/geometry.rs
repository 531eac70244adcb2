//! The boards: how playable squares are laid out in a 64-bit word.
//!
//! A [`Square`] is a bit number. Squares run row by row from the top left as White sees the board, White moving towards
//! bit 0. Dark-square boards leave one *ghost* bit after every second row, so that one shift by a constant moves a whole
//! set of pieces along a diagonal and whatever leaves the board lands on a ghost (or beyond the last row), where the mask
//! of playable squares drops it. The Turkish board uses all 64 bits and masks the edge files instead.
//!
//! Directions are numbered 0 to 3 so that `3 - d` is the opposite of `d`, {0, 3} and {1, 2} are the two axes, and White's
//! men move along the first [`Geometry::MAN_DIRECTIONS`] of them; Black's men along their opposites.
//!
//! Boards of more than 64 bits (12x12) would need a wider word: they are not built until a rule set asks for one.

/// A set of squares, one bit each.
pub type Bits = u64;

/// The number of a square's bit, 0 to 63.
pub type Square = u8;

/// The set that holds one square.
#[inline(always)]
pub const fn bit(square: Square) -> Bits {
    1 << square
}

/// The lowest square of a set; 64 for the empty set.
#[inline(always)]
pub const fn lowest(set: Bits) -> Square {
    set.trailing_zeros() as Square
}

/// The squares of a set, lowest first.
#[inline(always)]
pub fn squares(set: Bits) -> impl Iterator<Item = Square> {
    let mut rest = set;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let square = lowest(rest);
            rest &= rest - 1;
            square
        })
    })
}

/// The direction opposite to `direction`.
#[inline(always)]
pub const fn opposite(direction: usize) -> usize {
    3 - direction
}

/// The two directions at right angles to `direction`.
#[inline(always)]
pub const fn across(direction: usize) -> [usize; 2] {
    if direction == 0 || direction == 3 {
        [1, 2]
    } else {
        [0, 3]
    }
}

/// A board: its playable squares and the steps between them.
pub trait Geometry: Copy + Default + Send + Sync + 'static {
    /// Rows, and files, of the board as a person sees it.
    const ROWS: usize;
    /// Playable squares in a row.
    const WIDTH: usize;
    /// All playable squares.
    const ALL: Bits;
    /// In how many of the four directions a man steps: 2 on a dark-square board, 3 on the Turkish one.
    const MAN_DIRECTIONS: usize;
    /// What a step in each direction adds to a square's number.
    const STEP: [i8; 4];
    /// The bits from square 0 to the last playable one, so that a half-turn maps `s` to `SPAN - 1 - s`.
    const SPAN: u32;

    /// Number of playable squares.
    const SQUARES: usize = Self::ROWS * Self::WIDTH;

    /// The set moved one step; bits that leave the board may land on ghosts and must be masked by the caller.
    fn shift(set: Bits, direction: usize) -> Bits;
    /// The square of a dense index, 0 to `SQUARES` - 1, row by row from the top left.
    fn square(index: usize) -> Square;
    /// The dense index of a playable square.
    fn index(square: Square) -> usize;
    /// The file, 0 to `ROWS` - 1 from White's left, of a dense index.
    fn file_of(index: usize) -> usize;

    /// Whether a man's step between two squares stays in its row, which only men that move sideways do.
    fn is_sideways(from: Square, to: Square) -> bool;

    /// The row, 0 at the top as White sees it, of a dense index.
    #[inline(always)]
    fn row_of(index: usize) -> usize {
        index / Self::WIDTH
    }

    /// All playable squares of a row, 0 at the top.
    fn row(row: usize) -> Bits {
        (row * Self::WIDTH..(row + 1) * Self::WIDTH).fold(0, |set, i| set | bit(Self::square(i)))
    }

    /// The set turned by 180 degrees, which exchanges the two sides' views.
    #[inline(always)]
    fn half_turn(set: Bits) -> Bits {
        set.reverse_bits() >> (64 - Self::SPAN)
    }

    /// The set reflected from left to right; `None` on dark-square boards, whose playable squares the reflection moves.
    fn mirrored(_: Bits) -> Option<Bits> {
        None
    }

    /// The row on which White's men are crowned.
    const TOP: Bits;
    /// The row on which Black's men are crowned.
    const BOTTOM: Bits;
}

/// All playable squares of a dark-square board with `width` squares in each of `2 * width` rows.
const fn dark_squares(width: u32) -> Bits {
    let pair = (1u64 << (2 * width)) - 1;
    let (mut set, mut i) = (0u64, 0);
    while i < width {
        set |= pair << (i * (2 * width + 1));
        i += 1;
    }
    set
}

macro_rules! dark_board {
    ($(#[$doc:meta])* $name:ident, $width:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name;

        impl Geometry for $name {
            const ROWS: usize = 2 * $width;
            const WIDTH: usize = $width;
            const ALL: Bits = dark_squares($width);
            const MAN_DIRECTIONS: usize = 2;
            const STEP: [i8; 4] = [-($width + 1), -$width, $width, $width + 1];
            const SPAN: u32 = $width * (2 * $width + 1) - 1;
            const TOP: Bits = (1 << $width) - 1;
            const BOTTOM: Bits = Self::TOP << (Self::SPAN - $width);

            #[inline(always)]
            fn shift(set: Bits, direction: usize) -> Bits {
                match direction {
                    0 => set >> ($width + 1),
                    1 => set >> $width,
                    2 => set << $width,
                    _ => set << ($width + 1),
                }
            }

            #[inline(always)]
            fn square(index: usize) -> Square {
                (index + index / (2 * $width)) as Square
            }

            #[inline(always)]
            fn index(square: Square) -> usize {
                let square = square as usize;
                square - square / (2 * $width + 1)
            }

            #[inline(always)]
            fn is_sideways(_: Square, _: Square) -> bool {
                false
            }

            fn file_of(index: usize) -> usize {
                2 * (index % $width) + (Self::row_of(index) + 1) % 2
            }
        }
    };
}

dark_board!(
    /// The 32 dark squares of an 8x8 board; directions NW, NE, SW, SE.
    Dark8,
    4
);
dark_board!(
    /// The 50 dark squares of a 10x10 board; directions NW, NE, SW, SE.
    Dark10,
    5
);

/// All 64 squares of an 8x8 board; directions N, W, E, S.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Full8;

/// The files from which a step to the west, and to the east, stays on the board.
const NOT_A_FILE: Bits = 0xfefe_fefe_fefe_fefe;
const NOT_H_FILE: Bits = 0x7f7f_7f7f_7f7f_7f7f;

impl Geometry for Full8 {
    const ROWS: usize = 8;
    const WIDTH: usize = 8;
    const ALL: Bits = !0;
    const MAN_DIRECTIONS: usize = 3;
    const STEP: [i8; 4] = [-8, -1, 1, 8];
    const SPAN: u32 = 64;
    const TOP: Bits = 0xff;
    const BOTTOM: Bits = 0xff << 56;

    #[inline(always)]
    fn shift(set: Bits, direction: usize) -> Bits {
        match direction {
            0 => set >> 8,
            1 => (set & NOT_A_FILE) >> 1,
            2 => (set & NOT_H_FILE) << 1,
            _ => set << 8,
        }
    }

    #[inline(always)]
    fn square(index: usize) -> Square {
        index as Square
    }

    #[inline(always)]
    fn index(square: Square) -> usize {
        square as usize
    }

    #[inline(always)]
    fn is_sideways(from: Square, to: Square) -> bool {
        from / 8 == to / 8
    }

    fn file_of(index: usize) -> usize {
        index % 8
    }

    fn mirrored(set: Bits) -> Option<Bits> {
        // Bytes are rows: turning all bits around reverses rows too, which swapping the bytes undoes.
        Some(set.reverse_bits().swap_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<G: Geometry>(ghosts: u32) {
        assert_eq!(G::ALL.count_ones() as usize, G::SQUARES);
        assert_eq!(G::SPAN, G::SQUARES as u32 + ghosts);
        assert_eq!((G::TOP, G::BOTTOM), (G::row(0), G::row(G::ROWS - 1)));
        for index in 0..G::SQUARES {
            let square = G::square(index);
            assert_eq!(G::index(square), index);
            assert_ne!(G::ALL & bit(square), 0);
            let turned = G::square(G::SQUARES - 1 - index);
            assert_eq!(G::half_turn(bit(square)), bit(turned));
            let reflected = G::mirrored(bit(square)).map(|set| G::index(lowest(set)));
            assert!(reflected.is_none_or(|other| {
                G::row_of(other) == G::row_of(index)
                    && G::file_of(other) + G::file_of(index) == G::ROWS - 1
            }));
            for (direction, step) in G::STEP.iter().enumerate() {
                let to = G::shift(bit(square), direction) & G::ALL;
                if to != 0 {
                    assert_eq!(i32::from(lowest(to)), i32::from(square) + i32::from(*step));
                    let other = G::index(lowest(to));
                    let rows = G::row_of(other).abs_diff(G::row_of(index));
                    let files = G::file_of(other).abs_diff(G::file_of(index));
                    assert_eq!(rows.max(files), 1, "{index} to {other}");
                    assert_eq!(G::shift(to, opposite(direction)), bit(square));
                }
            }
        }
    }

    #[test]
    fn every_step_reaches_a_neighbour_or_leaves_the_board() {
        check::<Dark8>(3);
        check::<Dark10>(4);
        check::<Full8>(0);
    }
}
