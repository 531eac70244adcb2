//! Zobrist keys: one 64-bit number a piece and square, made by a fixed generator at compile time.

use super::geometry::{Square, bit, squares};
use super::position::{Board, Side};

/// SplitMix64 (Steele, Lea and Flood 2014): the next state and its output.
pub(crate) const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

const fn table() -> [u64; 256] {
    let (mut keys, mut state, mut i) = ([0; 256], 0x5741_5243_4142, 0);
    while i < 256 {
        let (next, key) = split_mix(state);
        keys[i] = key;
        state = next;
        i += 1;
    }
    keys
}

static PIECES: [u64; 256] = table();

/// Changes with the side to move: set when Black moves.
pub(super) const SIDE: u64 = 0xd6e8_feb8_6659_fd93;

/// The key of one piece.
#[inline(always)]
pub(super) fn piece(side: Side, king: bool, square: Square) -> u64 {
    PIECES[((side as usize) << 7 | usize::from(king) << 6) | (square & 63) as usize]
}

/// The key of a whole board.
pub(super) fn key(board: &Board) -> u64 {
    let start = if board.side == Side::Black { SIDE } else { 0 };
    Side::ALL.iter().fold(start, |key, &side| {
        squares(board.pieces[side]).fold(key, |key, s| {
            key ^ piece(side, board.kings & bit(s) != 0, s)
        })
    })
}
