//! What stands on the board, which says to which table a position belongs.

use std::fmt;

use crate::board::{Board, Side};

/// The most pieces tables are built for.
pub const MOST_PIECES: usize = 6;

/// How many men and kings each side has: the side to move first, then the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// Men of the side to move, and of the other.
    pub men: [u8; 2],
    /// Kings of the side to move, and of the other.
    pub kings: [u8; 2],
}

impl Material {
    /// Numbers given by [`code`](Self::code) are below this.
    pub(super) const CODES: usize = 1 << 12;

    /// The material of a board.
    #[inline(always)]
    pub fn of(board: &Board) -> Material {
        let sides = [board.side, !board.side];
        Material {
            men: sides.map(|side| board.men(side).count_ones() as u8),
            kings: sides.map(|side| board.kings_of(side).count_ones() as u8),
        }
    }

    /// Pieces in all.
    pub fn pieces(&self) -> usize {
        self.men
            .iter()
            .chain(&self.kings)
            .map(|n| usize::from(*n))
            .sum()
    }

    /// The same pieces with the other side to move.
    #[must_use]
    pub fn swapped(&self) -> Material {
        let swap = |[own, other]: [u8; 2]| [other, own];
        Material {
            men: swap(self.men),
            kings: swap(self.kings),
        }
    }

    /// A number of its own, for at most seven pieces of a kind.
    #[inline(always)]
    pub(super) fn code(&self) -> usize {
        let digits = [self.men[0], self.men[1], self.kings[0], self.kings[1]];
        digits
            .iter()
            .fold(0, |code, digit| code << 3 | usize::from(digit & 7))
    }

    /// All material of so many pieces in which both sides have one, fewer men first: whatever a move leads to without a
    /// capture is not later in the list than the other side's view of the same pieces.
    pub fn all(pieces: usize) -> Vec<Material> {
        let mut list = Vec::new();
        let most = pieces as u8;
        for men in 0..=most {
            for own_men in 0..=men {
                for own_kings in 0..=most - men {
                    let material = Material {
                        men: [own_men, men - own_men],
                        kings: [own_kings, most - men - own_kings],
                    };
                    let side = |index: usize| material.men[index] + material.kings[index];
                    if side(0) > 0 && side(1) > 0 {
                        list.push(material);
                    }
                }
            }
        }
        list
    }
}

impl fmt::Display for Material {
    /// Kings and men of the side to move, `v`, those of the other: `KKvKM`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in Side::ALL {
            if side == Side::Black {
                f.write_str("v")?;
            }
            for _ in 0..self.kings[side] {
                f.write_str("K")?;
            }
            for _ in 0..self.men[side] {
                f.write_str("M")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_distribution_is_listed_once_and_kings_come_first() {
        for (pieces, expected) in [(2, 4), (3, 12), (4, 25)] {
            let list = Material::all(pieces);
            assert_eq!(list.len(), expected, "{pieces} pieces");
            for (place, material) in list.iter().enumerate() {
                assert_eq!(material.pieces(), pieces);
                assert_eq!(list.iter().position(|m| m == material), Some(place));
                assert!(list.contains(&material.swapped()));
                assert!(material.code() < Material::CODES);
            }
            let men = |m: &Material| m.men[0] + m.men[1];
            assert!(list.is_sorted_by_key(men));
        }
    }

    #[test]
    fn the_name_says_who_moves() {
        let material = Material {
            men: [0, 1],
            kings: [2, 1],
        };
        assert_eq!(material.to_string(), "KKvKM");
        assert_eq!(material.swapped().to_string(), "KMvKK");
    }
}
