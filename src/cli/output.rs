//! Where commands write to.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;

use warcab::part::{self, Part};

/// An unfinished file that is to become `path`.
pub(super) fn create(path: &Path) -> anyhow::Result<(File, Part)> {
    Part::create(path).with_context(|| format!("cannot create {}", path.display()))
}

/// Writes a file so that it is there whole or not at all.
pub(super) fn replace(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    part::write(path, content.as_ref()).with_context(|| format!("cannot write {}", path.display()))
}

/// Where a command writes to: standard output, or a file that gets its name at the end.
#[derive(Debug)]
pub(super) enum Output {
    /// Standard output.
    Stdout(BufWriter<io::Stdout>),
    /// A file.
    File(BufWriter<File>, Part),
}

impl Output {
    /// Opens a file, or standard output if none is named.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        Ok(match path {
            None => Output::Stdout(BufWriter::new(io::stdout())),
            Some(path) => {
                let (file, part) = create(path)?;
                Output::File(BufWriter::new(file), part)
            }
        })
    }

    /// Writes text.
    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        match self {
            Output::Stdout(out) => out.write_all(text.as_bytes()),
            Output::File(out, _) => out.write_all(text.as_bytes()),
        }
    }

    /// Everything is written: a file gets its name.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            Output::Stdout(mut out) => out.flush()?,
            Output::File(mut out, part) => {
                let failed = format!("cannot write {}", part.unfinished().display());
                let written = out.flush().and_then(|()| part.finish());
                written.context(failed)?;
            }
        }
        Ok(())
    }
}
