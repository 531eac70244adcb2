//! The envelope of the program's binary files: what a file is, of which set, and that it is whole and unharmed.
//!
//! Numbers are little-endian: a mark of eight letters, version (u16), length of the file (u32), length of the set's name
//! (u8), the name, the content, CRC-32 of all before it (u32). Nothing of the content is looked at before all this holds.

use std::io;

use crate::board::Variant;

/// Length of the checksum at the end.
const SUM: usize = 4;

/// A kind of files.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// What they begin with.
    pub mark: &'static str,
    /// The version of their content.
    pub version: u16,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as such a file does.
    #[error("it does not begin with {0} as such a file does")]
    Foreign(&'static str),
    /// It is of another version of the format.
    #[error("the format is version {found}, expected {expected}")]
    Version {
        /// What the file says.
        found: u16,
        /// The version that is read.
        expected: u16,
    },
    /// It is for another rule set.
    #[error("the file is for {found}, expected {expected}")]
    Set {
        /// What the file says.
        found: String,
        /// What was asked for.
        expected: Variant,
    },
    /// It ends too soon.
    #[error("the file is cut off after {0} bytes")]
    Truncated(usize),
    /// Its checksum does not fit.
    #[error("the checksum is {found:08x}, expected {expected:08x}: the file is damaged")]
    Checksum {
        /// That of the content.
        found: u32,
        /// That in the file.
        expected: u32,
    },
    /// Its content makes no sense.
    #[error("{0}")]
    Content(String),
}

/// The file with a content.
pub fn seal(kind: Kind, variant: Variant, content: &[u8]) -> Vec<u8> {
    let name = variant.name().as_bytes();
    let mut file = kind.mark.as_bytes().to_vec();
    file.extend(kind.version.to_le_bytes());
    let length = file.len() + 4 + 1 + name.len() + content.len() + SUM;
    file.extend((length as u32).to_le_bytes());
    file.push(name.len() as u8);
    file.extend(name);
    file.extend(content);
    let sum = crc32fast::hash(&file);
    file.extend(sum.to_le_bytes());
    file
}

/// The content of a file of a set.
///
/// # Errors
///
/// The first thing that keeps the file from being what it should be; never [`Reason::Io`] or [`Reason::Content`].
pub fn open(kind: Kind, variant: Variant, file: &[u8]) -> Result<&[u8], Reason> {
    let mark = kind.mark.as_bytes();
    let truncated = || Reason::Truncated(file.len());
    let Some(rest) = file.strip_prefix(mark) else {
        return Err(match mark.starts_with(file) {
            true => truncated(),
            false => Reason::Foreign(kind.mark),
        });
    };
    let (version, rest) = rest.split_first_chunk().ok_or_else(truncated)?;
    let found = u16::from_le_bytes(*version);
    if found != kind.version {
        let expected = kind.version;
        return Err(Reason::Version { found, expected });
    }
    let (length, rest) = rest.split_first_chunk().ok_or_else(truncated)?;
    let length = u32::from_le_bytes(*length) as usize;
    if file.len() < length {
        return Err(truncated());
    }
    let (body, sum) = file.split_last_chunk::<SUM>().ok_or_else(truncated)?;
    let (found, expected) = (crc32fast::hash(body), u32::from_le_bytes(*sum));
    if file.len() != length || found != expected {
        return Err(Reason::Checksum { found, expected });
    }
    let rest = &rest[..rest.len().saturating_sub(SUM)];
    let (name, rest) = rest.split_first().ok_or_else(truncated)?;
    let (name, content) = rest
        .split_at_checked((*name).into())
        .ok_or_else(truncated)?;
    if name != variant.name().as_bytes() {
        return Err(Reason::Set {
            found: String::from_utf8_lossy(name).into_owned(),
            expected: variant,
        });
    }
    Ok(content)
}
