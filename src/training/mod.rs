//! Everything that makes the weights of the evaluation: games of the engine against itself ([`selfplay`]), the file that
//! keeps their positions ([`data`]), fitting a network to them ([`fit`]), the match that decides whether it is stronger
//! ([`gate`]), and the loop of all four ([`generations`]).
//!
//! Only the engine's own games and scores come in. Every step is deterministic for its seed, whatever the number of
//! threads, as long as no clock ends it.

pub mod adam;
pub mod data;
pub mod fit;
pub mod gate;
pub mod generations;
pub mod model;
pub mod selfplay;

use std::sync::Arc;

use crate::board::Rules;
use crate::eval::Evaluator;
use crate::eval::weights::{Weights, WeightsError};

/// What judges positions in self-play.
#[derive(Clone, Debug)]
pub enum Teacher {
    /// What the program embeds for the set.
    Embedded,
    /// The hand-made evaluation.
    HandMade,
    /// Learnt weights.
    Weights(Arc<Weights>),
}

impl Teacher {
    /// Reads `embedded`, `hand-made`, `material` or the name of a file of weights for a set.
    pub fn read<R: Rules>(text: &str) -> Result<Teacher, WeightsError> {
        Ok(match text {
            "embedded" => Teacher::Embedded,
            "hand-made" => Teacher::HandMade,
            "material" => {
                let king = if R::FLYING_KINGS { 250 } else { 140 };
                Teacher::Weights(Arc::new(Weights::material(R::VARIANT, king)))
            }
            file => Teacher::Weights(Arc::new(Weights::load(file.as_ref(), R::VARIANT)?)),
        })
    }

    /// The evaluator it stands for.
    pub fn evaluator<R: Rules>(&self) -> Evaluator<R> {
        match self {
            Teacher::Embedded => Evaluator::default(),
            Teacher::HandMade => Evaluator::hand_made(),
            Teacher::Weights(weights) => Evaluator::new(weights),
        }
    }

    fn weights<R: Rules>(&self) -> Option<Arc<Weights>> {
        match self {
            Teacher::Embedded => crate::eval::embedded(R::VARIANT)
                .and_then(|bytes| Weights::from_bytes(bytes, R::VARIANT).ok())
                .map(Arc::new),
            Teacher::HandMade => None,
            Teacher::Weights(weights) => Some(weights.clone()),
        }
    }

    /// A number that tells teachers apart, and the logistic slope of results on its scores if it is known.
    pub fn signature<R: Rules>(&self) -> (u32, f64) {
        self.weights::<R>().map_or((0, 0.0), |weights| {
            (crc32fast::hash(&weights.to_bytes()), weights.slope)
        })
    }
}
