//! The file of a set's tables: everything up to some number of pieces.
//!
//! In the envelope of [`sealed`](crate::sealed), little-endian: the number of tables (u16), then each with its material
//! (men and kings of the side to move, men and kings of the other; u8), the positions won, drawn and lost (u64), the
//! length of its data (u32) and its data: values of two bits in the order of [`Layout`], deflated; then, deflated too, the
//! length (u32) and the data of the distances of kings alone, a byte each, which are empty where there are men. Positions
//! with a capture and numbers of no position have the value of the number before them.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::build::{Builder, Counts};
use super::distance::{distances, has_distances, stored};
use super::index::Layout;
use super::material::{MOST_PIECES, Material};
use super::values::Values;
use super::{Table, Tables};
use crate::board::Rules;
use crate::sealed::{self, Kind, Reason};

const KIND: Kind = Kind {
    mark: "WARCABTB",
    version: 2,
};

/// What files of tables end with.
const ENDING: &str = "wtb";

/// A file of tables, or a folder of them, that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("tables {}: {reason}", path.display())]
pub struct TablebaseError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: Reason,
}

/// The name of the file with the tables of a set up to so many pieces.
pub fn file_name<R: Rules>(pieces: usize) -> String {
    format!("{}-{pieces}.{ENDING}", R::VARIANT.name())
}

/// The file of a set with the most pieces in a folder, if it has more than `least`.
pub(super) fn largest<R: Rules>(
    folder: &Path,
    least: usize,
) -> Result<Option<PathBuf>, TablebaseError> {
    if let Err(error) = folder.read_dir() {
        return Err(TablebaseError {
            path: folder.to_owned(),
            reason: error.into(),
        });
    }
    let files = (least + 1..=MOST_PIECES).rev();
    let mut files = files.map(|pieces| folder.join(file_name::<R>(pieces)));
    Ok(files.find(|file| file.exists()))
}

/// Reads a file.
pub(super) fn load<R: Rules>(file: &Path) -> Result<Tables<R>, TablebaseError> {
    let content = std::fs::read(file).map_err(Reason::from);
    content
        .and_then(|bytes| read(&bytes))
        .map_err(|reason| TablebaseError {
            path: file.to_owned(),
            reason,
        })
}

/// Reads the bytes of a file.
pub(super) fn read<R: Rules>(bytes: &[u8]) -> Result<Tables<R>, Reason> {
    let mut rest = sealed::open(KIND, R::VARIANT, bytes)?;
    let count = u16::from_le_bytes(take(&mut rest)?);
    let mut by_code: Vec<Option<Table<R>>> = (0..Material::CODES).map(|_| None).collect();
    for _ in 0..count {
        let table = read_table::<R>(&mut rest)?;
        let code = table.layout.material().code();
        by_code[code] = Some(table);
    }
    if !rest.is_empty() {
        return Err(Reason::Content(format!("{} bytes too many", rest.len())));
    }
    let has = |pieces: &usize| {
        let mut all = Material::all(*pieces).into_iter();
        all.all(|material| by_code[material.code()].is_some())
    };
    let pieces = (2..=MOST_PIECES).take_while(has).last().unwrap_or(0);
    Ok(Tables { by_code, pieces })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Reason> {
    let (head, tail) = rest
        .split_first_chunk()
        .ok_or_else(|| Reason::Content("its last table is not whole".to_owned()))?;
    *rest = tail;
    Ok(*head)
}

fn read_table<R: Rules>(rest: &mut &[u8]) -> Result<Table<R>, Reason> {
    let [own_men, own_kings, other_men, other_kings] = take(rest)?;
    let material = Material {
        men: [own_men, other_men],
        kings: [own_kings, other_kings],
    };
    if !Material::all(material.pieces().min(MOST_PIECES)).contains(&material) {
        return Err(Reason::Content(format!(
            "it has a table of {:?}",
            [own_men, own_kings, other_men, other_kings]
        )));
    }
    let mut number = || take(rest).map(u64::from_le_bytes);
    let counts = Counts {
        wins: number()?,
        draws: number()?,
        losses: number()?,
    };
    let damaged = || Reason::Content(format!("the table {material} is damaged"));
    let layout = Layout::<R>::new(material);
    let before = rest.len();
    let bytes = inflate(rest, layout.size().div_ceil(4)).ok_or_else(damaged)?;
    let values = Values::from_bytes(&bytes, layout.size()).ok_or_else(damaged)?;
    let distances = match has_distances(material) {
        true => Some(inflate(rest, layout.size()).ok_or_else(damaged)?),
        false => None,
    };
    let stored = before - rest.len();
    Ok(Table {
        layout,
        values,
        distances,
        counts,
        stored,
    })
}

/// Takes `size` bytes that are stored deflated after their stored length; `None` if that is not what is there.
fn inflate(rest: &mut &[u8], size: u64) -> Option<Vec<u8>> {
    let stored = u32::from_le_bytes(take(rest).ok()?) as usize;
    let (data, tail) = rest.split_at_checked(stored)?;
    *rest = tail;
    let mut bytes = Vec::new();
    // One byte more than there can be tells data that are too long.
    let mut decoder = DeflateDecoder::new(data).take(size + 1);
    decoder.read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == size).then_some(bytes)
}

/// Adds bytes as [`inflate`] takes them.
fn deflate(content: &mut Vec<u8>, bytes: &[u8]) {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    let data = written.expect("memory can be written to");
    content.extend((data.len() as u32).to_le_bytes());
    content.extend(data);
}

/// Works out the tables of a set up to so many pieces, [`MOST_PIECES`] at most, and returns the bytes of their file.
/// `report` hears of each material with the positions it has.
pub fn build<R: Rules>(pieces: usize, report: &mut dyn FnMut(Material, Counts)) -> Vec<u8> {
    let mut builder = Builder::<R>::new();
    let mut content = Vec::new();
    let all: Vec<Material> = (2..=pieces.min(MOST_PIECES))
        .flat_map(Material::all)
        .collect();
    content.extend((all.len() as u16).to_le_bytes());
    for material in all {
        if builder.get(material).is_none() {
            builder.add(material);
        }
        let built = builder.get(material).expect("it was just built");
        let (counts, bytes) = built.finish();
        let [own_men, other_men] = material.men;
        let [own_kings, other_kings] = material.kings;
        content.extend([own_men, own_kings, other_men, other_kings]);
        for number in [counts.wins, counts.draws, counts.losses] {
            content.extend(number.to_le_bytes());
        }
        deflate(&mut content, &bytes);
        if has_distances(material) {
            let [plies, _] = distances(&builder, material);
            deflate(&mut content, &stored(&plies));
        }
        report(material, counts);
    }
    sealed::seal(KIND, R::VARIANT, &content)
}
