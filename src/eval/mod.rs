//! Static evaluation of positions in which the side to move cannot capture, in hundredths of a man.
//!
//! The rest of the engine knows [`Evaluator`] only: a [`network::Network`] with the [`weights`] its set has learnt from its
//! own games. Those of all sets are embedded in the program.

use std::path::Path;
use std::sync::Arc;

use crate::board::{Board, Rules, Variant};
use crate::per_set::PerSet;

pub mod drawish;
pub mod kernel;
pub mod network;
mod source;
mod wdl;
pub mod weights;
pub mod windows;

pub use network::Trace;
pub use source::Source;
pub use wdl::Wdl;

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
/// The weights that each set has learnt, by set.
const EMBEDDED: [&[u8]; Variant::ALL.len()] = crate::board::variant::for_each_name!(embedded);

/// The networks of the embedded weights.
static NETWORKS: PerSet = PerSet::new();

/// The weights embedded for a set.
pub fn embedded(variant: Variant) -> Weights {
    let weights = Weights::from_bytes(EMBEDDED[variant.place()], variant);
    weights.expect("a test reads all embedded weights")
}

/// An evaluator of one rule set. Copies share its network.
#[derive(Clone, Debug)]
pub struct Evaluator<R: Rules>(Arc<Network<R>>);

impl<R: Rules> Default for Evaluator<R> {
    /// With the embedded weights.
    fn default() -> Self {
        Self(NETWORKS.get(R::VARIANT, || Network::new(&embedded(R::VARIANT))))
    }
}

impl<R: Rules> Evaluator<R> {
    /// An evaluator with the given weights, which must be of the set.
    pub fn new(weights: &Weights) -> Self {
        assert_eq!(weights.variant, R::VARIANT, "weights of another set");
        Self(Arc::new(Network::new(weights)))
    }

    /// An evaluator with the weights of a file.
    pub fn load(file: &Path) -> Result<Self, WeightsError> {
        Weights::load(file, R::VARIANT).map(|weights| Self::new(&weights))
    }

    /// How games end from its scores.
    pub fn wdl(&self) -> Wdl {
        self.0.wdl()
    }

    /// The value of a position for the side to move. Positions with a capture on the board are not its business.
    #[inline]
    pub fn evaluate(&self, board: &Board) -> Value {
        self.0.evaluate(board)
    }

    /// What the value of a position is made of.
    pub fn trace(&self, board: &Board) -> Trace {
        self.0.trace(board)
    }
}
