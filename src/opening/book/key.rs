//! The key of a position in books: the same in every build and on every machine, and of nothing but the position.
//!
//! With `mix(n)` the first output of SplitMix64 seeded with `n`, it is the exclusive or of
//! * `mix(64 k + s + 1)` for each piece of kind `k` (0 White's men, 1 White's kings, 2 Black's men, 3 Black's kings) on
//!   square `s`, counted from 0 row by row from the top left as White sees the board (from the top right where boards are
//!   mirrored), playable squares only;
//! * `mix(1000)` if Black is to move;
//! * `mix(1000 + g)` for the set's number `g` of PDN's GameType.
//!
//! Where a position reflected from left to right is the same game, the key of both is the smaller one of the two.

use crate::board::geometry::{bit, squares};
use crate::board::{Board, Geometry, Rules, Side, split_mix};

/// What stands for Black to move; the sets' numbers are added to it.
const SIDE: u64 = 1000;

/// The key of a position.
pub fn key<R: Rules>(board: &Board) -> u64 {
    let own = plain_key::<R>(board);
    let mirrored = board.mirrored::<R::Geo>();
    mirrored.map_or(own, |mirrored| own.min(plain_key::<R>(&mirrored)))
}

fn mix(seed: u64) -> u64 {
    split_mix(seed).1
}

fn plain_key<R: Rules>(board: &Board) -> u64 {
    let mut key = mix(SIDE + u64::from(R::VARIANT.labels().game_type));
    if board.side == Side::Black {
        key ^= mix(SIDE);
    }
    let [_, black] = board.pieces;
    for square in squares(board.occupied()) {
        let black = u64::from(black & bit(square) != 0);
        let king = u64::from(board.kings & bit(square) != 0);
        let index = R::Geo::index(square) as u64;
        key ^= mix(64 * (2 * black + king) + index + 1);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::board::movegen::legal_moves;
    use crate::board::rules::Turkish;
    use crate::with_rules;

    /// A book that is kept must be read by every later build.
    #[test]
    fn keys_are_what_they_always_were() {
        let known = [
            ("english", 0xc597_c635_b708_99ff),
            ("international", 0xc263_6211_b9c3_dfa9),
            ("brazilian", 0x85c8_efd9_8b41_1b41),
            ("spanish", 0x16b4_f556_f9f1_f4e4),
            ("turkish", 0x64ff_0f42_289f_6d0b),
            ("italian", 0xcb12_6795_8b05_7eca),
            ("russian", 0xca6f_13d2_1139_82dd_u64),
        ];
        for (name, expected) in known {
            let variant = Variant::from_name(name).unwrap();
            let found = with_rules!(variant, R => key::<R>(&Board::start::<R>()));
            assert_eq!(found, expected, "{name}: {found:#018x}");
        }
    }

    #[test]
    fn reflections_share_a_key_and_other_positions_do_not() {
        let start = Board::start::<Turkish>();
        let boards = legal_moves::<Turkish>(&start);
        let boards = boards.iter().map(|mv| start.after(mv));
        let keys: std::collections::HashSet<u64> = boards.map(|b| key::<Turkish>(&b)).collect();
        assert_eq!(keys.len(), 4, "eight men forward");
    }
}
