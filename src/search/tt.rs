//! The transposition table: shared by all threads without locks.
//!
//! An entry is two atomic words, the second the data and the first the key exclusive-or the data, so that an entry torn
//! by two writers no longer matches any key (Hyatt and Mann 2002). Four entries share a cache line; within it the entry of
//! least worth, shallow or from an old search, is replaced.

use std::sync::atomic::{AtomicU64, Ordering};

use super::score::{TABLE_BOUND, Value};
use super::{Bound, HashError};
use crate::board::Move;
use crate::pages::{Pages, Zeroed};

/// Sixteen bits that tell a move from the other legal moves of its position, but for rare accidents among captures that
/// share both ends: a move found by its code is legal in any case. 0 means no move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveCode(u16);

impl MoveCode {
    pub(super) const fn new(mv: &Move) -> Self {
        let captured = mv.captured.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
        MoveCode((mv.from as u16) << 10 | (mv.to as u16) << 4 | captured as u16)
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) best: MoveCode,
    /// From the side to move, ends of games counted from this position.
    pub(super) value: Value,
    /// Static evaluation, [`NO_EVAL`] where there is none.
    pub(super) eval: Value,
    /// Plies searched.
    pub(super) depth: i32,
    pub(super) bound: Bound,
}

/// Stands for a missing static evaluation.
pub(super) const NO_EVAL: Value = i16::MIN as Value;

const GENERATIONS: u64 = 64;

impl Entry {
    fn pack(self, generation: u64) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 3,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        u64::from(self.best.0)
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(self.eval as i16 as u16) << 32
            | (self.depth.clamp(0, 255) as u64) << 48
            | bound << 56
            | generation << 58
    }

    fn unpack(data: u64) -> Entry {
        Entry {
            best: MoveCode(data as u16),
            value: Value::from((data >> 16) as i16),
            eval: Value::from((data >> 32) as i16),
            depth: (data >> 48 & 255) as i32,
            bound: match data >> 56 & 3 {
                1 => Bound::Lower,
                2 => Bound::Upper,
                _ => Bound::Exact,
            },
        }
    }
}

#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Cluster([Slot; 4]);

const CLUSTERS_A_MIB: usize = (1 << 20) / size_of::<Cluster>();
const _: () = assert!(size_of::<Cluster>() == 64);

// SAFETY: zeroes are an empty cluster, and numbers have nothing to drop.
#[allow(unsafe_code)]
unsafe impl Zeroed for Cluster {}

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    clusters: Pages<Cluster>,
    generation: u64,
}

impl Table {
    /// A table of `mib` MiB; an error where memory does not allow it.
    pub(super) fn new(mib: usize) -> Result<Table, HashError> {
        let refused = HashError { mib, now: 0 };
        if available_mib().is_some_and(|available| mib > available) {
            return Err(refused);
        }
        let count = mib
            .max(1)
            .checked_mul(CLUSTERS_A_MIB)
            .ok_or(refused.clone())?;
        let clusters = Pages::new(count).map_err(|_| refused)?;
        Ok(Table {
            clusters,
            generation: 0,
        })
    }

    /// The size in MiB.
    pub(super) fn mib(&self) -> usize {
        self.clusters.len() / CLUSTERS_A_MIB
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.generation = 0;
        self.clusters
            .iter_mut()
            .for_each(|cluster| *cluster = Cluster::default());
    }

    /// Starts a search: what is there from now on counts as old.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline(always)]
    fn cluster_of(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }

    /// Asks for the memory of a key before it is needed.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(super) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: a prefetch reads nothing into the program, and the address is that of a live cluster.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        &self.clusters[self.cluster_of(key)]
    }

    /// What is known of the position with this key, `ply` plies from the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.check.load(Ordering::Relaxed) ^ data == key && data != 0).then(|| {
                let mut entry = Entry::unpack(data);
                entry.value = from_table(entry.value, ply);
                entry
            })
        })
    }

    /// Remembers an entry found `ply` plies from the root. An entry without a move keeps the move known before.
    #[inline]
    pub(super) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        entry.value = to_table(entry.value, ply);
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            let old = Entry::unpack(data);
            if slot.check.load(Ordering::Relaxed) ^ data == key {
                if entry.best == MoveCode::default() {
                    entry.best = old.best;
                }
                // A shallow bound does not push out a much deeper one of the same search.
                let current = data >> 58 == self.generation;
                if current && entry.bound != Bound::Exact && entry.depth + 3 < old.depth {
                    return;
                }
                victim = Some(slot);
                break;
            }
            let age = (GENERATIONS + self.generation - (data >> 58)) % GENERATIONS;
            let worth = if data == 0 {
                -1000
            } else {
                old.depth - 8 * age as i32
            };
            if worth < least {
                least = worth;
                victim = Some(slot);
            }
        }
        if let Some(slot) = victim {
            let data = entry.pack(self.generation);
            slot.check.store(key ^ data, Ordering::Relaxed);
            slot.data.store(data, Ordering::Relaxed);
        }
    }

    /// Entries of the current search, in thousandths of the table, by a sample.
    pub(super) fn hashfull(&self) -> u32 {
        let sample = self.clusters.len().min(250);
        let used = |slot: &&Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && data >> 58 == self.generation
        };
        let count = self.clusters[..sample]
            .iter()
            .flat_map(|cluster| &cluster.0)
            .filter(used)
            .count();
        (count * 1000 / (4 * sample)) as u32
    }
}

/// Ends of games, and wins that endgame tables know of, are stored as distances from the position itself.
fn to_table(value: Value, ply: usize) -> Value {
    if value > TABLE_BOUND {
        value + ply as Value
    } else if value < -TABLE_BOUND {
        value - ply as Value
    } else {
        value
    }
}

fn from_table(value: Value, ply: usize) -> Value {
    if value > TABLE_BOUND {
        value - ply as Value
    } else if value < -TABLE_BOUND {
        value + ply as Value
    } else {
        value
    }
}

/// The memory the system can still give, in MiB, where it tells. An allocation beyond it may be granted and kill the
/// process when it is used.
fn available_mib() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

#[cfg(test)]
mod tests {
    use super::super::score::MATE;
    use super::*;

    fn entry(value: Value, depth: i32) -> Entry {
        Entry {
            best: MoveCode(77),
            value,
            eval: -12,
            depth,
            bound: Bound::Lower,
        }
    }

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = Table::new(1).unwrap();
        table.store(12345, 3, entry(-321, 7));
        let found = table.probe(12345, 9).unwrap();
        assert_eq!((found.value, found.depth, found.eval), (-321, 7, -12));
        assert_eq!((found.best, found.bound), (MoveCode(77), Bound::Lower));
        assert!(table.probe(54321, 0).is_none());
    }

    #[test]
    fn ends_of_games_are_counted_from_the_position() {
        let table = Table::new(1).unwrap();
        table.store(1, 4, entry(MATE - 10, 7));
        assert_eq!(table.probe(1, 6).unwrap().value, MATE - 12);
        table.store(2, 4, entry(10 - MATE, 7));
        assert_eq!(table.probe(2, 6).unwrap().value, 12 - MATE);
    }

    #[test]
    fn a_table_beyond_memory_is_refused() {
        assert_eq!(Table::new(1 << 40).unwrap_err().mib, 1 << 40);
        assert_eq!(Table::new(3).unwrap().mib(), 3);
    }

    #[test]
    fn clearing_forgets() {
        let mut table = Table::new(1).unwrap();
        table.store(12345, 0, entry(1, 1));
        table.clear();
        assert!(table.probe(12345, 0).is_none());
        assert_eq!(table.hashfull(), 0);
    }
}
