//! Files that appear whole or not at all: until they are finished they have another name, with `.part` at its end.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Where a command writes to: standard output, or a file that gets its name at the end.
#[derive(Debug)]
pub(super) enum Output {
    /// Standard output.
    Stdout(BufWriter<io::Stdout>),
    /// A file.
    File(BufWriter<File>, Part),
}

/// An unfinished file; it is removed if it is dropped so.
#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    unfinished: PathBuf,
    finished: bool,
}

impl Part {
    /// An unfinished file that is to become `path`; it is created empty.
    pub(super) fn create(path: &Path) -> anyhow::Result<(File, Self)> {
        let mut name = path.as_os_str().to_owned();
        name.push(".part");
        let unfinished = PathBuf::from(name);
        let file = File::create(&unfinished)
            .with_context(|| format!("cannot create {}", unfinished.display()))?;
        let path = path.to_owned();
        let finished = false;
        Ok((
            file,
            Self {
                path,
                unfinished,
                finished,
            },
        ))
    }

    /// The name it has until it is finished.
    pub(super) fn unfinished(&self) -> &Path {
        &self.unfinished
    }

    /// Gives the file its name.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        fs::rename(&self.unfinished, &self.path)
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.finished {
            // The error that left it unfinished is the one to tell.
            let _ = fs::remove_file(&self.unfinished);
        }
    }
}

impl Output {
    /// Opens a file, or standard output if none is named.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        Ok(match path {
            None => Output::Stdout(BufWriter::new(io::stdout())),
            Some(path) => {
                let (file, part) = Part::create(path)?;
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
                out.flush()
                    .with_context(|| format!("cannot write {}", part.unfinished().display()))?;
                part.finish()?;
            }
        }
        Ok(())
    }
}
