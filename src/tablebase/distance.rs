//! How far the next capture is in endings of kings alone.
//!
//! Who wins is not enough to win: three kings that keep a won ending won may still circle for ever. Where there are men, their
//! moves and crownings are the progress that a search finds; for kings alone the tables hold the way.

use rayon::prelude::*;

use super::build::{Builder, Built, carried};
use super::canonical_index;
use super::material::Material;
use super::values::Verdict;
use crate::board::movegen::{can_capture, has_moves, legal_moves};
use crate::board::{Board, Rules};

/// Nothing is known of a position yet.
const UNKNOWN: u8 = u8::MAX;

/// Whether a material has distances.
pub(super) fn has_distances(material: Material) -> bool {
    material.men == [0, 0]
}

/// For both sides' views of a material of kings: the plies to the next capture, for each position that is won or lost, when
/// the winner hurries and the loser does not. 0 stands where the side to move captures or cannot move, and where nobody
/// cares: in draws and under numbers of no position.
pub(super) fn distances<R: Rules>(builder: &Builder<R>, material: Material) -> [Vec<u8>; 2] {
    let views = [material, material.swapped()];
    let built = views.map(|view| builder.get(view).expect("it was built before"));
    let mut known = built.map(start);
    for plies in 1.. {
        let found = [0, 1].map(|view| {
            let (others, partner) = (&known[1 - view], built[1 - view]);
            let here: Vec<(usize, u8)> = known[view]
                .par_iter()
                .enumerate()
                .with_min_len(1 << 12)
                .filter(|(_, old)| **old == UNKNOWN)
                .filter_map(|(index, _)| {
                    let board = built[view].layout.board(index as u64)?;
                    let won = built[view].values.get(index as u64) == Verdict::Win;
                    Some((index, reach(&board, won, partner, others)?))
                })
                .collect();
            here
        });
        if found.iter().all(Vec::is_empty) {
            break;
        }
        assert!(plies < UNKNOWN, "no ending of kings is so long");
        for (known, found) in known.iter_mut().zip(found) {
            found
                .into_iter()
                .for_each(|(index, plies)| known[index] = plies);
        }
    }
    known
}

/// What is to be found out.
fn start<R: Rules>(built: &Built<R>) -> Vec<u8> {
    let numbers = (0..built.layout.size()).into_par_iter();
    let asked = |index| {
        built.values.get(index) != Verdict::Draw
            && built.layout.board(index).is_some_and(|board| {
                canonical_index(&built.layout, &board) == Some(index)
                    && !can_capture::<R>(&board)
                    && has_moves::<R>(&board)
            })
    };
    numbers
        .map(|index| if asked(index) { UNKNOWN } else { 0 })
        .collect()
}

/// The plies from a quiet position, if what is known of its successors tells.
fn reach<R: Rules>(board: &Board, won: bool, partner: &Built<R>, others: &[u8]) -> Option<u8> {
    let mut plies: Option<u8> = None;
    for mv in &legal_moves::<R>(board) {
        let next = board.after(mv).flipped::<R::Geo>();
        let index = canonical_index(&partner.layout, &next).expect("kings stand anywhere");
        let lost = partner.values.get(index) == Verdict::Loss;
        if won && !lost {
            continue;
        }
        let further = match others[index as usize] {
            UNKNOWN if won => continue,
            UNKNOWN => return None,
            known => known + 1,
        };
        plies = Some(match plies {
            Some(plies) if won => plies.min(further),
            Some(plies) => plies.max(further),
            None => further,
        });
    }
    plies
}

/// The distances as they are stored.
pub(super) fn stored(distances: &[u8]) -> Vec<u8> {
    let kept = distances
        .iter()
        .map(|plies| Some(*plies).filter(|n| *n > 0));
    carried(kept, 0).collect()
}
