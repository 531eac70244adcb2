//! Adam (Kingma and Ba 2015) with a cosine schedule.
//!
//! Gradients are sums over a batch, not means. A large epsilon then means that a parameter which few positions of a batch
//! touch hardly moves, which is what keeps rare rows from learning single games by heart.

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
/// Steps over which the rate rises to its full size.
const WARM_UP: f32 = 50.0;
/// Where the rate ends, as a share of its full size.
const LAST: f32 = 0.01;

/// One step for all parameters.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    rate: f32,
    correction1: f32,
    correction2: f32,
}

impl Step {
    /// Step `number` (from 0) of `steps` at a full rate of `rate`.
    pub fn new(number: usize, steps: usize, rate: f32) -> Step {
        let done = number as f32 / steps.max(1) as f32;
        let cosine = 0.5 + 0.5 * (std::f32::consts::PI * done).cos();
        let warm = ((number + 1) as f32 / WARM_UP).min(1.0);
        let power = (number + 1) as i32;
        Step {
            rate: rate * warm * (LAST + (1.0 - LAST) * cosine),
            correction1: 1.0 / (1.0 - BETA1.powi(power)),
            correction2: 1.0 / (1.0 - BETA2.powi(power)),
        }
    }

    /// Moves parameters against their gradients.
    #[inline(always)]
    pub fn apply(
        &self,
        values: &mut [f32],
        moments: &mut [[f32; 2]],
        gradients: &[f32],
        epsilon: f32,
    ) {
        for ((value, moment), gradient) in values.iter_mut().zip(moments).zip(gradients) {
            moment[0] += (1.0 - BETA1) * (gradient - moment[0]);
            moment[1] += (1.0 - BETA2) * (gradient * gradient - moment[1]);
            let scale = (moment[1] * self.correction2).sqrt() + epsilon;
            *value -= self.rate * moment[0] * self.correction1 / scale;
        }
    }
}
