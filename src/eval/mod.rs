//! Static evaluation of quiet positions, in hundredths of a man.
//!
//! The rest of the engine knows [`Evaluator`] only: a [`network::Network`] with the [`weights`] its set has learnt from
//! its own games, or, as long as a set has none, what was made by hand.

use std::path::Path;
use std::sync::Arc;

use crate::board::{Board, Rules, Variant};

pub mod drawish;
mod hand;
pub mod kernel;
mod masks;
pub mod network;
mod source;
pub mod weights;
pub mod windows;

pub use source::Source;

use hand::Hand;
use network::Network;
use weights::{Weights, WeightsError};

/// Hundredths of a man.
type Value = i32;

/// Value of a man.
pub const MAN: Value = 100;

macro_rules! embedded {
    ($name:literal) => {
        include_bytes!(concat!("weights/", $name, ".bin"))
    };
}
/// The weights that each set has learnt, by set; empty where there are none yet.
const EMBEDDED: [&[u8]; Variant::ALL.len()] = crate::board::variant::for_each_name!(embedded);

/// The weights embedded for a set; `None` where there are none yet.
pub fn embedded(variant: Variant) -> Option<&'static [u8]> {
    let place = Variant::ALL.iter().position(|v| *v == variant);
    place.map(|i| EMBEDDED[i]).filter(|bytes| !bytes.is_empty())
}

/// An evaluator of one rule set.
#[derive(Clone, Debug)]
pub struct Evaluator<R: Rules>(Kind<R>);

#[derive(Clone, Debug)]
enum Kind<R: Rules> {
    Hand(Arc<Hand<R>>),
    Network(Arc<Network<R>>),
}

impl<R: Rules> Default for Evaluator<R> {
    /// With the embedded weights.
    fn default() -> Self {
        match embedded(R::VARIANT) {
            Some(bytes) => {
                let weights = Weights::from_bytes(bytes, R::VARIANT);
                Self::new(&weights.expect("a test reads all embedded weights"))
            }
            None => Self::hand_made(),
        }
    }
}

impl<R: Rules> Evaluator<R> {
    /// An evaluator with the given weights, which must be of the set.
    pub fn new(weights: &Weights) -> Self {
        assert_eq!(weights.variant, R::VARIANT, "weights of another set");
        Self(Kind::Network(Arc::new(Network::new(weights))))
    }

    /// An evaluator with the weights of a file.
    pub fn load(file: &Path) -> Result<Self, WeightsError> {
        Weights::load(file, R::VARIANT).map(|weights| Self::new(&weights))
    }

    /// The hand-made evaluator.
    pub fn hand_made() -> Self {
        Self(Kind::Hand(Arc::default()))
    }

    /// The value of a position for the side to move. Positions with a capture on the board are not its business.
    #[inline]
    pub fn evaluate(&self, board: &Board) -> Value {
        match &self.0 {
            Kind::Hand(hand) => hand.evaluate(board),
            Kind::Network(network) => network.evaluate(board),
        }
    }
}
