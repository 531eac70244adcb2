//! The number of a position among all of its material, and back.
//!
//! A position is looked at with White to move. Four sets are numbered one after the other by their ranks among all sets of
//! their size: White's men and Black's men each on the squares where such men can stand, White's kings on the squares the
//! men leave, Black's kings on those left then. Numbers in which both sides' men would share a square belong to no position.

use std::marker::PhantomData;

use super::material::{MOST_PIECES, Material};
use crate::board::geometry::{Bits, bit, lowest, squares};
use crate::board::{Board, Geometry, Rules, Side};

/// Binomial coefficients: sets of so many squares (second) among so many (first).
const CHOOSE: [[u32; MOST_PIECES + 1]; 65] = choose();

const fn choose() -> [[u32; MOST_PIECES + 1]; 65] {
    let mut table = [[0; MOST_PIECES + 1]; 65];
    let mut n = 0;
    while n <= 64 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MOST_PIECES && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// The squares on which a man can stand in play, counted from the row before that of its crowning.
const fn men_squares<R: Rules>() -> usize {
    R::Geo::SQUARES - R::Geo::WIDTH - R::FIRST_MEN_ROW * R::Geo::WIDTH
}

/// The numbers of one material's positions.
#[derive(Clone, Copy, Debug)]
pub struct Layout<R: Rules> {
    material: Material,
    /// How many sets there are of White's men, Black's men, White's kings and Black's kings.
    sizes: [u64; 4],
    rules: PhantomData<R>,
}

impl<R: Rules> Layout<R> {
    /// The numbers of some material, of [`MOST_PIECES`] pieces at most.
    pub fn new(material: Material) -> Self {
        let sets = |squares: usize, pieces: u8| u64::from(CHOOSE[squares][usize::from(pieces)]);
        let [own_men, other_men] = material.men;
        let [own_kings, other_kings] = material.kings;
        let free = R::Geo::SQUARES - usize::from(own_men) - usize::from(other_men);
        Layout {
            material,
            sizes: [
                sets(men_squares::<R>(), own_men),
                sets(men_squares::<R>(), other_men),
                sets(free, own_kings),
                sets(free - usize::from(own_kings), other_kings),
            ],
            rules: PhantomData,
        }
    }

    /// The material.
    pub fn material(&self) -> Material {
        self.material
    }

    /// How many numbers there are.
    pub fn size(&self) -> u64 {
        self.sizes.iter().product()
    }

    /// The number of a position of this material with White to move; `None` if a man stands where none can in play.
    #[inline]
    pub fn index(&self, board: &Board) -> Option<u64> {
        let [own, other] = [Side::White, Side::Black].map(|side| board.men(side));
        let own_men = rank_men::<R>(own)?;
        let other_men = rank_men::<R>(R::Geo::half_turn(other))?;
        let men = own | other;
        let kings = board.kings_of(Side::White);
        let own_kings = rank_kings::<R>(kings, men);
        let other_kings = rank_kings::<R>(board.kings_of(Side::Black), men | kings);
        let [_, second, third, fourth] = self.sizes;
        Some(((own_men * second + other_men) * third + own_kings) * fourth + other_kings)
    }

    /// The position of a number below [`size`](Self::size), White to move; `None` if none has it.
    pub fn board(&self, index: u64) -> Option<Board> {
        let [_, second, third, fourth] = self.sizes;
        let (rest, other_kings) = (index / fourth, index % fourth);
        let (rest, own_kings) = (rest / third, rest % third);
        let (own_men, other_men) = (rest / second, rest % second);
        let [own_count, other_count] = self.material.men;
        let own = men_of::<R>(own_men, own_count);
        let other = R::Geo::half_turn(men_of::<R>(other_men, other_count));
        if own & other != 0 {
            return None;
        }
        let men = own | other;
        let [own_count, other_count] = self.material.kings;
        let own_kings = kings_of::<R>(own_kings, own_count, men);
        let other_kings = kings_of::<R>(other_kings, other_count, men | own_kings);
        Some(Board {
            pieces: [own | own_kings, other | other_kings],
            kings: own_kings | other_kings,
            side: Side::White,
        })
    }
}

/// The rank of a set of White's men.
#[inline(always)]
fn rank_men<R: Rules>(men: Bits) -> Option<u64> {
    let mut rank = 0;
    for (order, square) in squares(men).enumerate() {
        let place = R::Geo::index(square).checked_sub(R::Geo::WIDTH)?;
        if place >= men_squares::<R>() {
            return None;
        }
        rank += u64::from(CHOOSE[place][order + 1]);
    }
    Some(rank)
}

/// The rank of a set of kings among the squares that are not `taken`.
#[inline(always)]
fn rank_kings<R: Rules>(kings: Bits, taken: Bits) -> u64 {
    let mut rank = 0;
    for (order, square) in squares(kings).enumerate() {
        let before = (taken & (bit(square) - 1)).count_ones() as usize;
        rank += u64::from(CHOOSE[R::Geo::index(square) - before][order + 1]);
    }
    rank
}

/// The places of a set of `count`, highest first.
fn places(mut rank: u64, count: u8) -> impl Iterator<Item = usize> {
    (1..=usize::from(count)).rev().map(move |order| {
        let mut place = order - 1;
        while u64::from(CHOOSE[place + 1][order]) <= rank {
            place += 1;
        }
        rank -= u64::from(CHOOSE[place][order]);
        place
    })
}

fn men_of<R: Rules>(rank: u64, count: u8) -> Bits {
    let square = |place: usize| bit(R::Geo::square(place + R::Geo::WIDTH));
    places(rank, count).fold(0, |set, place| set | square(place))
}

fn kings_of<R: Rules>(rank: u64, count: u8, taken: Bits) -> Bits {
    let free = R::Geo::ALL & !taken;
    let square = |place: usize| bit(lowest((0..place).fold(free, |set, _| set & (set - 1))));
    places(rank, count).fold(0, |set, place| set | square(place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::with_rules;

    fn check<R: Rules>(material: Material) {
        let layout = Layout::<R>::new(material);
        let step = layout.size() / 2_000 + 1;
        let mut seen = 0;
        for index in (0..layout.size()).step_by(step as usize) {
            let Some(board) = layout.board(index) else {
                continue;
            };
            seen += 1;
            assert_eq!(layout.index(&board), Some(index), "{material} {board:?}");
            assert_eq!(Material::of(&board), material);
            assert_eq!(board.pieces[0] & board.pieces[1], 0);
            assert_eq!(board.occupied() & !R::Geo::ALL, 0);
        }
        assert!(seen > 0, "{material}");
    }

    #[test]
    fn numbers_and_positions_are_each_others() {
        for variant in Variant::ALL {
            with_rules!(variant, R => {
                (2..=MOST_PIECES).flat_map(Material::all).for_each(check::<R>);
            });
        }
    }

    /// Counted by others: `own men, own kings, other men, other kings` and the positions of English (32 squares),
    /// International (50 squares) and Turkish (64 squares, no man on its own first row).
    #[test]
    fn as_many_positions_as_formulas_say() {
        fn count<R: Rules>(men: [u8; 2], kings: [u8; 2]) -> u64 {
            let layout = Layout::<R>::new(Material { men, kings });
            (0..layout.size())
                .filter(|index| layout.board(*index).is_some())
                .count() as u64
        }
        use crate::board::rules::{English, International, Turkish};
        assert_eq!(count::<English>([0, 0], [1, 1]), 992);
        assert_eq!(count::<English>([1, 1], [0, 0]), 760);
        assert_eq!(count::<English>([0, 2], [1, 0]), 11_340);
        assert_eq!(count::<English>([0, 1], [1, 1]), 26_040);
        assert_eq!(count::<International>([1, 1], [0, 0]), 1_985);
        assert_eq!(count::<International>([1, 2], [0, 0]), 42_790);
        assert_eq!(count::<Turkish>([1, 1], [0, 0]), 2_256);
        assert_eq!(count::<Turkish>([0, 2], [1, 0]), 69_936);
    }
}
