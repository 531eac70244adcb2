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
    [800, 848, 926, 1024, 1110, 1190, 1290, 1389, 1496, 1588, 1667, 1742, 1824, 1882, 1918, 1949, 1968, 1981, 1994, 2006, 2023],
    // international
    [800, 834, 873, 926, 968, 1010, 1082, 1165, 1262, 1376, 1458, 1546, 1628, 1719, 1815, 1906, 1989, 2064, 2129, 2190, 2253],
    // brazilian
    [800, 842, 892, 948, 1003, 1086, 1180, 1256, 1349, 1452, 1523, 1590, 1662, 1709, 1751, 1782, 1804, 1824, 1843, 1857, 1870],
    // spanish
    [800, 831, 885, 949, 1026, 1099, 1182, 1270, 1372, 1475, 1558, 1639, 1733, 1808, 1868, 1925, 1968, 2003, 2036, 2076, 2122],
    // turkish
    [800, 826, 857, 895, 911, 928, 981, 1055, 1156, 1282, 1398, 1514, 1613, 1698, 1769, 1867, 1972, 2077, 2181, 2273, 2365],
    // italian
    [800, 881, 938, 997, 1069, 1175, 1290, 1401, 1514, 1629, 1726, 1828, 1921, 1995, 2051, 2113, 2161, 2203, 2249, 2291, 2337],
    // russian
    [800, 827, 870, 928, 1004, 1103, 1195, 1280, 1376, 1457, 1510, 1554, 1605, 1647, 1680, 1700, 1713, 1731, 1748, 1765, 1786],
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
    let ladder = LADDERS.into_iter().nth(variant.place());
    ladder.into_iter().flatten().map(u32::from)
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
