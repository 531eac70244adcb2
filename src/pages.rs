//! Large tables that are read all over. They lie in huge pages where the system has them, so that a look-up need not wait
//! for the translation of its address first.

use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// The size of a huge page, to which a table is aligned.
const HUGE: usize = 2 << 20;

/// Types of which zeroes are a value, and that have nothing to drop.
///
/// # Safety
///
/// Both must hold.
#[allow(unsafe_code)]
pub unsafe trait Zeroed: Sized {}

/// A slice of values that begin as zeroes.
#[derive(Debug)]
pub struct Pages<T: Zeroed> {
    map: MmapMut,
    /// Where the values begin, in bytes.
    start: usize,
    len: usize,
    values: PhantomData<T>,
}

impl<T: Zeroed> Pages<T> {
    /// `len` zeroes.
    ///
    /// # Errors
    ///
    /// Too much memory, or what the system says.
    pub fn new(len: usize) -> io::Result<Self> {
        const { assert!(align_of::<T>() <= HUGE) };
        let bytes = len
            .checked_mul(size_of::<T>())
            .and_then(|bytes| bytes.checked_add(HUGE))
            .ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapMut::map_anon(bytes)?;
        // A system without huge pages does without.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        let start = map.as_ptr().align_offset(HUGE);
        Ok(Self {
            map,
            start,
            len,
            values: PhantomData,
        })
    }
}

impl<T: Zeroed> Deref for Pages<T> {
    type Target = [T];

    #[inline(always)]
    #[allow(unsafe_code)]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` is at most one huge page and aligned for `T`, the map is a huge page longer than the values are, it
        // began as zeroes, which are values, and only values were written to it since.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().add(self.start).cast(), self.len) }
    }
}

impl<T: Zeroed> DerefMut for Pages<T> {
    #[inline(always)]
    #[allow(unsafe_code)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above; the map is borrowed for as long as the slice.
        unsafe {
            std::slice::from_raw_parts_mut(self.map.as_mut_ptr().add(self.start).cast(), self.len)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SAFETY: zeroes are a number.
    #[allow(unsafe_code)]
    unsafe impl Zeroed for u64 {}

    #[test]
    fn values_begin_as_zeroes_are_aligned_and_keep_what_is_written() {
        for len in [0, 1, 1000, HUGE / 8, HUGE / 8 + 1] {
            let mut pages = Pages::<u64>::new(len).unwrap();
            assert_eq!(pages.len(), len);
            assert!(pages.iter().all(|n| *n == 0));
            assert_eq!(pages.as_ptr() as usize % HUGE, 0);
            pages
                .iter_mut()
                .enumerate()
                .for_each(|(n, value)| *value = n as u64);
            assert!(
                pages
                    .iter()
                    .enumerate()
                    .all(|(n, value)| *value == n as u64)
            );
        }
        assert!(Pages::<u64>::new(usize::MAX / 8).is_err());
        assert!(Pages::<u64>::new(usize::MAX).is_err());
    }
}
