//! How strong the levels are: the scale of `UCI_Elo`, one for each rule set.
//!
//! The points were measured by `warcab levels`, in games of the engine against itself from the openings of matches
//! (`openings/`). They are relative to level 0 of the same set, which is called [`MIN_ELO`]; they compare neither sets nor
//! people. Full strength stands in the scale as it plays with [`Strength::nodes`] of its own.

use crate::board::Variant;
use crate::search::level::{FULL_LEVEL, Strength};

/// The points of level 0.
pub const MIN_ELO: u32 = 800;

/// The points of each level of a set.
type Ladder = [u16; FULL_LEVEL as usize + 1];

/// The points by set, in the order of [`Variant::ALL`].
#[rustfmt::skip]
const LADDERS: [Ladder; Variant::ALL.len()] = [
    // english
    [800, 860, 935, 1025, 1107, 1179, 1277, 1380, 1482, 1586, 1681, 1764, 1847, 1910, 1953, 1990, 2012, 2028, 2040, 2050, 2060],
    // international
    [800, 845, 889, 933, 970, 1011, 1076, 1150, 1241, 1344, 1426, 1512, 1595, 1681, 1765, 1854, 1938, 2017, 2085, 2148, 2210],
    // brazilian
    [800, 848, 898, 954, 1004, 1064, 1142, 1214, 1298, 1396, 1471, 1537, 1608, 1663, 1714, 1752, 1776, 1797, 1818, 1838, 1859],
    // spanish
    [800, 845, 900, 964, 1046, 1138, 1228, 1313, 1407, 1511, 1601, 1681, 1770, 1848, 1907, 1961, 2007, 2049, 2091, 2147, 2209],
    // turkish
    [800, 839, 876, 906, 914, 926, 984, 1070, 1179, 1310, 1434, 1546, 1642, 1723, 1788, 1872, 1973, 2084, 2194, 2282, 2360],
    // italian
    [800, 882, 950, 1024, 1102, 1204, 1320, 1441, 1555, 1668, 1769, 1876, 1983, 2059, 2118, 2180, 2230, 2276, 2319, 2365, 2414],
    // russian
    [800, 826, 866, 910, 976, 1063, 1149, 1245, 1353, 1432, 1485, 1522, 1563, 1598, 1627, 1646, 1660, 1677, 1694, 1708, 1723],
];

/// The points of full strength in the set in which it is furthest from level 0.
pub const MAX_ELO: u32 = {
    let (mut most, mut rest) = (MIN_ELO, LADDERS.as_slice());
    while let [[.., full], others @ ..] = rest {
        if *full as u32 > most {
            most = *full as u32;
        }
        rest = others;
    }
    most
};

/// The points of the levels of a set, from level 0.
pub fn ladder(variant: Variant) -> impl Iterator<Item = u32> {
    let sets = Variant::ALL.iter().zip(LADDERS);
    let ladder = sets.filter(move |(set, _)| **set == variant);
    ladder.flat_map(|(_, ladder)| ladder).map(u32::from)
}

/// The strength that so many points of a set stand for; between two levels that between them.
pub fn strength(variant: Variant, elo: u32) -> Strength {
    let mut found = Strength::level(0);
    for (level, (lower, upper)) in (0u8..).zip(ladder(variant).zip(ladder(variant).skip(1))) {
        if elo >= lower {
            let share = f64::from(elo - lower) / f64::from(upper.saturating_sub(lower).max(1));
            found = Strength::between(level, share);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ladder_climbs() {
        for variant in Variant::ALL {
            let ladder: Vec<_> = ladder(variant).collect();
            assert_eq!(ladder.len(), usize::from(FULL_LEVEL) + 1);
            assert_eq!(ladder[0], MIN_ELO, "{variant}");
            assert!(ladder.is_sorted_by(|a, b| a < b), "{variant}: {ladder:?}");
        }
        let full = |variant| ladder(variant).last();
        assert_eq!(
            Variant::ALL.into_iter().map(full).max(),
            Some(Some(MAX_ELO))
        );
    }

    #[test]
    fn points_and_levels_agree_and_more_points_are_never_weaker() {
        for variant in Variant::ALL {
            for (level, points) in (0..).zip(ladder(variant)) {
                assert_eq!(
                    strength(variant, points),
                    Strength::level(level),
                    "{variant}"
                );
            }
            let all = (0..=MAX_ELO + 1).map(|points| strength(variant, points));
            assert!(all.is_sorted(), "{variant}");
            assert_eq!(strength(variant, 0), Strength::level(0));
            assert_eq!(strength(variant, u32::MAX), Strength::FULL);
            let full = ladder(variant).last().expect("a level");
            assert!(strength(variant, full - 1) < Strength::FULL, "{variant}");
        }
    }
}
