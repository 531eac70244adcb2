//! Static evaluations that a thread met before, by the key of their position.
//!
//! Many lines lead to the same quiet positions, which the transposition table, kept for searched nodes, does not hold. The
//! cache stays in the processor's second-level cache, and as it compares whole keys it changes nothing but the speed.

use super::score::Value;

/// Places, a power of two no greater than what the low part of a key tells apart.
const PLACES: usize = 1 << 16;

/// A place that knows nothing: only a key whose upper 48 bits are all ones takes it for its own.
const NOTHING: u64 = !0xffff;

/// The cache of one thread. A place holds the upper 48 bits of a key and the value of its position; the lower 16 bits
/// are the number of the place.
#[derive(Clone, Debug)]
pub(super) struct Values(Vec<u64>);

impl Values {
    pub(super) fn new() -> Self {
        Values(vec![NOTHING; PLACES])
    }

    /// The value of the position of `key`, from `evaluate` if it is not known.
    #[inline(always)]
    pub(super) fn get(&mut self, key: u64, evaluate: impl FnOnce() -> Value) -> Value {
        let place = &mut self.0[key as usize % PLACES];
        if (*place ^ key) >> 16 == 0 {
            return Value::from(*place as u16 as i16);
        }
        let value = evaluate();
        *place = key & !0xffff | u64::from(value as i16 as u16);
        value
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(NOTHING);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_asked_for_once_until_its_place_is_taken_or_cleared() {
        let mut values = Values::new();
        let other = 1 << 16;
        for key in [0, 7, u64::MAX >> 1, 0x1234_5678_9abc_def0] {
            for value in [-15_000, -1, 0, 15_000] {
                values.clear();
                assert_eq!(values.get(key, || value), value);
                assert_eq!(values.get(key, || unreachable!()), value);
                assert_eq!(values.get(key ^ other, || 5), 5);
                assert_eq!(values.get(key, || value), value);
            }
        }
    }
}
