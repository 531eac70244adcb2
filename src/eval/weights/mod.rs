//! The weights of a network as whole numbers, and their file.
//!
//! The file keeps what cannot be derived: rows of the places that were met in training; all others follow from the men in
//! them. In the envelope of [`crate::sealed`] with the mark `WARCABNN`, numbers little-endian, lie:
//!
//! | part | content |
//! |---|---|
//! | slope | logistic slope of results on values, in millionths for a hundredth of a man (u32) |
//! | results | margin and scale of win, draw and loss, in hundredths of a hundredth of a man (u32 each) |
//! | first layer | bias: 30 x i16; then for own and opponent's men, own and opponent's kings a row of 32 x i16 a square |
//! | counts | opening and end weight of each count (i32) |
//! | heads | four times: 480 weights (i16, by input and neuron), 16 biases, 16 output weights, output bias (i32) |
//! | hidden rows | number (u32), then for each its place (u32) and 30 x i8 |
//! | linear rows | number (u32), then for each its place (u32) and 2 x i16 |

use std::fs;
use std::path::{Path, PathBuf};

use super::Wdl;
use super::kernel::{Head, LANES, NEURONS, Row};
use super::windows::Symmetry;
use crate::board::{Geometry, Rules, Variant};
use crate::sealed::{self, Kind};
use crate::{part, with_rules};

pub use crate::sealed::Reason;

/// Lanes that feed the second layer.
pub const HIDDEN: usize = LANES - 2;
/// The lane of linear terms that count in the opening, in tenths of a hundredth of a man.
pub const OPENING: usize = HIDDEN;
/// The lane of linear terms that count in the end.
pub const END: usize = HIDDEN + 1;
/// Counts of the linear part.
pub const COUNTS: usize = 4;
/// Heads, by the number of pieces.
pub const HEADS: usize = 4;
/// Output weights stay within plus or minus this, so that no sum overflows.
pub const MOST_OUTPUT: i32 = 100_000;

/// Files of weights.
const KIND: Kind = Kind {
    mark: "WARCABNN",
    version: 2,
};

/// A file of weights that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("weights {}: {reason}", file.display())]
pub struct WeightsError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub reason: Reason,
}

/// The weights of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The rule set they are for.
    pub variant: Variant,
    /// Logistic slope of results on values, for a hundredth of a man.
    pub slope: f64,
    /// Win, draw and loss of results on scores.
    pub wdl: Wdl,
    /// What sums start from; its linear lanes are 0.
    pub bias: Row,
    /// Rows of men, own and opponent's, by square (dense index).
    pub men: [Vec<Row>; 2],
    /// Rows of kings, own and opponent's, by square (dense index).
    pub kings: [Vec<Row>; 2],
    /// Opening and end weights of the counts, in tenths of a hundredth of a man.
    pub counts: [[i32; 2]; COUNTS],
    /// The layers above.
    pub heads: [Head; HEADS],
    /// Rows of places, by place, ascending; of places equal under the mirror the one that stands for them.
    pub hidden: Vec<(u32, [i8; HIDDEN])>,
    /// Linear terms of places, by place, ascending; of places equal or opposite the one that stands for them.
    pub linear: Vec<(u32, [i16; 2])>,
}

impl Weights {
    /// Weights that know material only, at `king` hundredths of a man for a king.
    pub fn material(variant: Variant, king: i32) -> Weights {
        let squares = with_rules!(variant, R => <R as Rules>::Geo::SQUARES);
        let rows = || [vec![Row::default(); squares], vec![Row::default(); squares]];
        let head = Head {
            weights: [[[0; 2]; NEURONS]; LANES / 2],
            biases: [0; NEURONS],
            output: [0; NEURONS],
            bias: 0,
        };
        Weights {
            variant,
            slope: 0.0,
            wdl: Wdl::default(),
            bias: Row::default(),
            men: rows(),
            kings: rows(),
            counts: [[1_000; 2], [10 * king; 2], [10 * king; 2], [0; 2]],
            heads: std::array::from_fn(|_| head.clone()),
            hidden: Vec::new(),
            linear: Vec::new(),
        }
    }

    /// Reads a file.
    pub fn load(file: &Path, variant: Variant) -> Result<Weights, WeightsError> {
        let read = fs::read(file).map_err(Reason::from);
        read.and_then(|bytes| Self::from_bytes(&bytes, variant))
            .map_err(|reason| WeightsError {
                file: file.to_owned(),
                reason,
            })
    }

    /// Writes a file; an old one is replaced only once the new one is complete.
    pub fn save(&self, file: &Path) -> Result<(), WeightsError> {
        part::write(file, &self.to_bytes()).map_err(|error| WeightsError {
            file: file.to_owned(),
            reason: error.into(),
        })
    }

    /// The content of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(Vec::new());
        let numbers = [
            self.slope * 1e6,
            self.wdl.margin * 1e2,
            self.wdl.scale * 1e2,
        ];
        for number in numbers {
            out.0.extend((number.round() as u32).to_le_bytes());
        }
        out.i16s(&self.bias.0[..HIDDEN]);
        for row in self.men.iter().chain(&self.kings).flatten() {
            out.i16s(&row.0);
        }
        out.i32s(self.counts.as_flattened());
        for head in &self.heads {
            for input in 0..HIDDEN {
                out.i16s(&head.weights[input / 2].map(|pair| pair[input % 2]));
            }
            out.i32s(&head.biases);
            out.i32s(&head.output);
            out.i32s(&[head.bias]);
        }
        out.0.extend((self.hidden.len() as u32).to_le_bytes());
        for (place, row) in &self.hidden {
            out.0.extend(place.to_le_bytes());
            out.0.extend(row.map(|lane| lane as u8));
        }
        out.0.extend((self.linear.len() as u32).to_le_bytes());
        for (place, row) in &self.linear {
            out.0.extend(place.to_le_bytes());
            out.i16s(row);
        }
        sealed::seal(KIND, self.variant, &out.0)
    }

    /// The weights in the content of a file.
    pub fn from_bytes(bytes: &[u8], variant: Variant) -> Result<Weights, Reason> {
        let content = sealed::open(KIND, variant, bytes)?;
        let mut input = Reader {
            bytes: content,
            at: 0,
        };
        let mut weights = Weights::material(variant, 0);
        let symmetry = with_rules!(variant, R => Symmetry::of::<<R as Rules>::Geo>());
        read_body(&mut input, &mut weights, &symmetry)?;
        match content.len() - input.at {
            0 => Ok(weights),
            spare => Err(Reason::Content(format!("{spare} bytes lie behind its end"))),
        }
    }
}

/// Reads everything behind the name.
fn read_body(
    input: &mut Reader<'_>,
    weights: &mut Weights,
    symmetry: &Symmetry,
) -> Result<(), Reason> {
    let complain = |what: String| Err(Reason::Content(what));
    weights.slope = f64::from(u32::from_le_bytes(input.take()?)) / 1e6;
    let [margin, scale] = [input.take()?, input.take()?].map(u32::from_le_bytes);
    if scale == 0 {
        return complain("the scale of win, draw and loss is 0".into());
    }
    weights.wdl = Wdl {
        margin: f64::from(margin) / 1e2,
        scale: f64::from(scale) / 1e2,
    };
    input.i16s(&mut weights.bias.0[..HIDDEN])?;
    for row in weights.men.iter_mut().chain(&mut weights.kings).flatten() {
        input.i16s(&mut row.0)?;
    }
    input.i32s(weights.counts.as_flattened_mut())?;
    if weights
        .counts
        .as_flattened()
        .iter()
        .any(|w| w.abs() > 100_000)
    {
        return complain("a count weighs more than 100 men".into());
    }
    for head in &mut weights.heads {
        for lane in 0..HIDDEN {
            let mut neurons = [0; NEURONS];
            input.i16s(&mut neurons)?;
            for (pair, neuron) in head.weights[lane / 2].iter_mut().zip(neurons) {
                pair[lane % 2] = neuron;
            }
        }
        input.i32s(&mut head.biases)?;
        input.i32s(&mut head.output)?;
        input.i32s(std::slice::from_mut(&mut head.bias))?;
        if head.output.iter().any(|w| w.abs() > MOST_OUTPUT) {
            return complain(format!("an output weight lies beyond {MOST_OUTPUT}"));
        }
    }
    let places = symmetry.mirrored.len();
    let count = input.count()?;
    let mut last = None;
    for _ in 0..count {
        let place = u32::from_le_bytes(input.take()?);
        let lanes: [u8; HIDDEN] = input.take()?;
        let home = symmetry.mirrored.get(place as usize);
        if last >= Some(place) || home != Some(&place) {
            return complain(format!(
                "no row can stand for place {place} of {places} here"
            ));
        }
        last = Some(place);
        weights.hidden.push((place, lanes.map(|lane| lane as i8)));
    }
    let count = input.count()?;
    let mut last = None;
    for _ in 0..count {
        let place = u32::from_le_bytes(input.take()?);
        let mut lanes = [0; 2];
        input.i16s(&mut lanes)?;
        let home = symmetry.turned.get(place as usize);
        if last >= Some(place) || home != Some(&(place, 1)) || lanes.contains(&i16::MIN) {
            return complain(format!(
                "no terms can stand for place {place} of {places} here"
            ));
        }
        last = Some(place);
        weights.linear.push((place, lanes));
    }
    Ok(())
}

struct Writer(Vec<u8>);

impl Writer {
    fn i16s(&mut self, values: &[i16]) {
        values.iter().for_each(|v| self.0.extend(v.to_le_bytes()));
    }

    fn i32s(&mut self, values: &[i32]) {
        values.iter().for_each(|v| self.0.extend(v.to_le_bytes()));
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn slice(&mut self, length: usize) -> Result<&'a [u8], Reason> {
        let end = self.at.saturating_add(length);
        let slice = self.bytes.get(self.at..end);
        self.at = end;
        slice.ok_or_else(|| Reason::Content("its content ends too soon".into()))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Reason> {
        let mut array = [0; N];
        array.copy_from_slice(self.slice(N)?);
        Ok(array)
    }

    fn i16s(&mut self, values: &mut [i16]) -> Result<(), Reason> {
        for value in values {
            *value = i16::from_le_bytes(self.take()?);
        }
        Ok(())
    }

    fn i32s(&mut self, values: &mut [i32]) -> Result<(), Reason> {
        for value in values {
            *value = i32::from_le_bytes(self.take()?);
        }
        Ok(())
    }

    fn count(&mut self) -> Result<usize, Reason> {
        Ok(u32::from_le_bytes(self.take()?) as usize)
    }
}
