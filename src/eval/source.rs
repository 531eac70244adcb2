//! Where an evaluator comes from, as users name it.

use std::sync::Arc;

use super::weights::{Weights, WeightsError};
use super::{Evaluator, embedded};
use crate::board::Rules;

/// Where an evaluator comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// What the program embeds for the set.
    Embedded,
    /// Learnt weights.
    Weights(Arc<Weights>),
}

impl Source {
    /// Reads `embedded` (or nothing), `material` or the name of a file of weights for a set.
    pub fn read<R: Rules>(text: &str) -> Result<Source, WeightsError> {
        Ok(match text {
            "" | "embedded" => Source::Embedded,
            "material" => {
                let king = if R::FLYING_KINGS { 250 } else { 140 };
                Source::Weights(Arc::new(Weights::material(R::VARIANT, king)))
            }
            file => Source::Weights(Arc::new(Weights::load(file.as_ref(), R::VARIANT)?)),
        })
    }

    /// The evaluator.
    pub fn evaluator<R: Rules>(&self) -> Evaluator<R> {
        match self {
            Source::Embedded => Evaluator::default(),
            Source::Weights(weights) => Evaluator::new(weights),
        }
    }

    /// A number that tells sources apart, and the logistic slope of results on its scores, 0 if they do not know it.
    pub fn signature<R: Rules>(&self) -> (u32, f64) {
        let weights = match self {
            Source::Embedded => &Arc::new(embedded(R::VARIANT)),
            Source::Weights(weights) => weights,
        };
        (crc32fast::hash(&weights.to_bytes()), weights.slope)
    }
}
