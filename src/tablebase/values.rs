//! The values of one material's positions, two bits each.

use std::sync::atomic::{AtomicU64, Ordering};

/// How a position ends for the side to move when both sides play their best, whatever the draw rules count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// The side to move loses.
    Loss,
    /// Neither side can win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Verdict {
    /// What the verdict is for the other side.
    #[must_use]
    pub fn reversed(self) -> Verdict {
        match self {
            Verdict::Loss => Verdict::Win,
            Verdict::Draw => Verdict::Draw,
            Verdict::Win => Verdict::Loss,
        }
    }

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Loss => "loss",
            Verdict::Draw => "draw",
            Verdict::Win => "win",
        }
    }

    /// The two bits it is kept as.
    const fn code(self) -> u64 {
        match self {
            Verdict::Draw => 0,
            Verdict::Win => 1,
            Verdict::Loss => 2,
        }
    }
}

/// Positions in a word.
const IN_WORD: u64 = 32;

/// Values that many threads read and write at once. Each begins as a draw and becomes a win or a loss at most once, so
/// that a thread that reads too early only sees that nothing is known yet.
#[derive(Debug)]
pub(super) struct Values(Vec<AtomicU64>);

impl Values {
    /// `len` draws.
    pub(super) fn new(len: u64) -> Values {
        Values(
            (0..len.div_ceil(IN_WORD))
                .map(|_| AtomicU64::new(0))
                .collect(),
        )
    }

    /// The value of a number.
    #[inline(always)]
    pub(super) fn get(&self, index: u64) -> Verdict {
        let word = self.0[(index / IN_WORD) as usize].load(Ordering::Relaxed);
        match word >> (2 * (index % IN_WORD)) & 3 {
            1 => Verdict::Win,
            2 => Verdict::Loss,
            _ => Verdict::Draw,
        }
    }

    /// Turns a draw into another value.
    #[inline]
    pub(super) fn decide(&self, index: u64, verdict: Verdict) {
        let bits = verdict.code() << (2 * (index % IN_WORD));
        self.0[(index / IN_WORD) as usize].fetch_or(bits, Ordering::Relaxed);
    }

    /// The values of bytes, four in each, the first in the lowest bits; `None` if they are not as many as `len` takes or
    /// hold something else.
    pub(super) fn from_bytes(bytes: &[u8], len: u64) -> Option<Values> {
        let sound = |byte: &u8| byte & byte >> 1 & 0x55 == 0;
        if bytes.len() as u64 != len.div_ceil(4) || !bytes.iter().all(sound) {
            return None;
        }
        let word = |part: &[u8]| {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            AtomicU64::new(u64::from_le_bytes(word))
        };
        Some(Values(bytes.chunks(8).map(word).collect()))
    }

    /// The bytes of values in the order of their numbers.
    pub(super) fn to_bytes(verdicts: impl Iterator<Item = Verdict>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (order, verdict) in verdicts.enumerate() {
            if order % 4 == 0 {
                bytes.push(0);
            }
            if let Some(last) = bytes.last_mut() {
                *last |= (verdict.code() as u8) << (2 * (order % 4));
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_bytes_are_each_others() {
        let verdict =
            |n: u64| [Verdict::Win, Verdict::Draw, Verdict::Loss][(n * n % 7 % 3) as usize];
        for len in [1, 4, 31, 32, 33, 100] {
            let bytes = Values::to_bytes((0..len).map(verdict));
            let values = Values::from_bytes(&bytes, len).unwrap();
            assert!((0..len).all(|n| values.get(n) == verdict(n)), "{len}");
            assert!(Values::from_bytes(&bytes[1..], len).is_none());
            let decided = Values::new(len);
            (0..len).for_each(|n| decided.decide(n, verdict(n)));
            assert!((0..len).all(|n| decided.get(n) == verdict(n)), "{len}");
        }
        assert!(
            Values::from_bytes(&[3], 4).is_none(),
            "no value has both bits"
        );
    }
}
