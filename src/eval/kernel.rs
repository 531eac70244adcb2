//! The network's arithmetic, in plain Rust and with AVX2. Both compute the same integers: sums that saturate are added in
//! the same order, all others cannot overflow with the weights that [`super::weights`] lets in, or wrap alike.

use crate::pages::Zeroed;

/// Numbers in a row.
pub const LANES: usize = 32;
/// Neurons of the second layer.
pub const NEURONS: usize = 16;
/// An activation of 1 in the first layer.
pub const ONE: i16 = 256;
/// A weight of 1 in the second layer.
pub const ONE_WEIGHT: i32 = 1024;
/// An activation of 1 in the second layer.
pub const ONE_NEURON: i32 = 1024;
/// From the second layer's sums to its activations.
const SHIFT: i32 = (ONE as i32 * ONE_WEIGHT / ONE_NEURON).trailing_zeros() as i32;

/// A vector of the first layer, in a cache line of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [i16; LANES]);

// SAFETY: zeroes are numbers, and numbers have nothing to drop.
#[allow(unsafe_code)]
unsafe impl Zeroed for Row {}

/// The layers above the first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Head {
    /// Weights by pair of lanes, neuron, and lane within the pair.
    pub weights: [[[i16; 2]; NEURONS]; LANES / 2],
    /// Biases of the neurons.
    pub biases: [i32; NEURONS],
    /// What an activation of 1 adds to the output.
    pub output: [i32; NEURONS],
    /// What the output starts from.
    pub bias: i32,
}

/// The sum of rows on top of `bias`, lane by lane, and what the head makes of it.
#[inline(always)]
pub fn run(bias: &Row, rows: &[&Row], head: &Head) -> (Row, i32) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        #[allow(unsafe_code)]
        return unsafe { avx2::run(bias, rows, head) };
    }
    plain(bias, rows, head)
}

/// [`run`] in plain Rust.
pub fn plain(bias: &Row, rows: &[&Row], head: &Head) -> (Row, i32) {
    let mut sum = *bias;
    for row in rows {
        for (sum, lane) in sum.0.iter_mut().zip(&row.0) {
            *sum = sum.saturating_add(*lane);
        }
    }
    let mut neurons = head.biases;
    for (pair, weights) in sum.0.chunks_exact(2).zip(&head.weights) {
        let [a, b] = [pair[0], pair[1]].map(|lane| i32::from(lane.clamp(0, ONE)));
        for (neuron, [x, y]) in neurons.iter_mut().zip(weights) {
            *neuron = neuron.wrapping_add(a * i32::from(*x) + b * i32::from(*y));
        }
    }
    let output = neurons.iter().zip(&head.output);
    let output = output.fold(head.bias, |sum, (neuron, weight)| {
        let neuron = (neuron >> SHIFT).clamp(0, ONE_NEURON);
        sum.wrapping_add(neuron.wrapping_mul(*weight))
    });
    (sum, output)
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Head, LANES, NEURONS, ONE, ONE_NEURON, Row, SHIFT};

    const _: () = assert!(LANES == 32 && NEURONS == 16);

    #[target_feature(enable = "avx2")]
    #[inline]
    #[allow(unsafe_code)]
    pub(super) fn run(bias: &Row, rows: &[&Row], head: &Head) -> (Row, i32) {
        // SAFETY: every pointer is to an aligned array of the size that is read or written.
        unsafe {
            let halves = |row: &Row| {
                let at = row.0.as_ptr().cast::<__m256i>();
                (_mm256_load_si256(at), _mm256_load_si256(at.add(1)))
            };
            let (mut low, mut high) = halves(bias);
            for row in rows {
                let (a, b) = halves(row);
                low = _mm256_adds_epi16(low, a);
                high = _mm256_adds_epi16(high, b);
            }
            let mut sum = Row::default();
            let at = sum.0.as_mut_ptr().cast::<__m256i>();
            _mm256_store_si256(at, low);
            _mm256_store_si256(at.add(1), high);

            let clamp = |v| {
                let v = _mm256_max_epi16(v, _mm256_setzero_si256());
                _mm256_min_epi16(v, _mm256_set1_epi16(ONE))
            };
            let mut active = Row::default();
            let at = active.0.as_mut_ptr().cast::<__m256i>();
            _mm256_store_si256(at, clamp(low));
            _mm256_store_si256(at.add(1), clamp(high));

            let biases = head.biases.as_ptr().cast::<__m256i>();
            let mut first = _mm256_loadu_si256(biases);
            let mut second = _mm256_loadu_si256(biases.add(1));
            let pairs = active.0.as_ptr().cast::<i32>();
            for (index, weights) in head.weights.iter().enumerate() {
                let pair = _mm256_set1_epi32(pairs.add(index).read());
                let weights = weights.as_ptr().cast::<__m256i>();
                let product = _mm256_madd_epi16(pair, _mm256_loadu_si256(weights));
                first = _mm256_add_epi32(first, product);
                let product = _mm256_madd_epi16(pair, _mm256_loadu_si256(weights.add(1)));
                second = _mm256_add_epi32(second, product);
            }

            let neuron = |sum| {
                let v = _mm256_srai_epi32::<SHIFT>(sum);
                let v = _mm256_max_epi32(v, _mm256_setzero_si256());
                _mm256_min_epi32(v, _mm256_set1_epi32(ONE_NEURON))
            };
            let weights = head.output.as_ptr().cast::<__m256i>();
            let all = _mm256_add_epi32(
                _mm256_mullo_epi32(neuron(first), _mm256_loadu_si256(weights)),
                _mm256_mullo_epi32(neuron(second), _mm256_loadu_si256(weights.add(1))),
            );
            let four = _mm_add_epi32(
                _mm256_castsi256_si128(all),
                _mm256_extracti128_si256::<1>(all),
            );
            let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
            (sum, _mm_cvtsi128_si32(one).wrapping_add(head.bias))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_head(random: &mut fastrand::Rng, extreme: bool) -> Head {
        let mut weight = |limit: i32| match (extreme, random.u8(..3)) {
            (true, 0) => limit,
            (true, 1) => -limit - 1,
            _ => random.i32(-limit - 1..=limit),
        };
        let mut head = Head {
            weights: [[[0; 2]; NEURONS]; LANES / 2],
            biases: [0; NEURONS],
            output: [0; NEURONS],
            bias: weight(1 << 20),
        };
        for value in head.weights.as_flattened_mut().as_flattened_mut() {
            *value = weight(i16::MAX.into()) as i16;
        }
        for value in head.biases.iter_mut().chain(&mut head.output) {
            *value = weight(if extreme { i32::MAX } else { 1 << 20 });
        }
        head
    }

    #[test]
    fn the_processor_s_fast_path_gives_the_same_integers() {
        let mut random = fastrand::Rng::with_seed(7);
        for round in 0..2_000 {
            let reach = [30, 300, 32_767][round % 3];
            let mut row = || Row(std::array::from_fn(|_| random.i16(-reach..=reach)));
            let bias = row();
            let rows: Vec<Row> = (0..24).map(|_| row()).collect();
            let rows: Vec<&Row> = rows.iter().collect();
            let head = random_head(&mut random, round % 2 == 0);
            assert_eq!(run(&bias, &rows, &head), plain(&bias, &rows, &head));
        }
    }
}
