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
    /// The hand-made evaluation.
    HandMade,
    /// Learnt weights.
    Weights(Arc<Weights>),
}

impl Source {
    /// Reads `embedded` (or nothing), `hand-made`, `material` or the name of a file of weights for a set.
    pub fn read<R: Rules>(text: &str) -> Result<Source, WeightsError> {
        Ok(match text {
            "" | "embedded" => Source::Embedded,
            "hand-made" => Source::HandMade,
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
            Source::HandMade => Evaluator::hand_made(),
            Source::Weights(weights) => Evaluator::new(weights),
        }
    }

    /// A number that tells sources apart, and the logistic slope of results on its scores; 0 for what has no weights or
    /// does not know its slope.
    pub fn signature<R: Rules>(&self) -> (u32, f64) {
        let weights = match self {
            Source::Embedded => embedded(R::VARIANT)
                .and_then(|bytes| Weights::from_bytes(bytes, R::VARIANT).ok())
                .map(Arc::new),
            Source::HandMade => None,
            Source::Weights(weights) => Some(weights.clone()),
        };
        weights.map_or((0, 0.0), |weights| {
            (crc32fast::hash(&weights.to_bytes()), weights.slope)
        })
    }
}
