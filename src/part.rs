//! Files that appear whole or not at all: until they are finished they have another name, with `.part` at its end.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// An unfinished file; it is removed if it is dropped so.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    unfinished: PathBuf,
    finished: bool,
}

impl Part {
    /// An unfinished file that is to become `path`; it is created empty.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn create(path: &Path) -> io::Result<(File, Self)> {
        let mut name = path.as_os_str().to_owned();
        name.push(".part");
        let unfinished = PathBuf::from(name);
        let file = File::create(&unfinished)?;
        let part = Self {
            path: path.to_owned(),
            unfinished,
            finished: false,
        };
        Ok((file, part))
    }

    /// The name it has until it is finished.
    pub fn unfinished(&self) -> &Path {
        &self.unfinished
    }

    /// Gives the file its name; another file of that name is replaced.
    ///
    /// # Errors
    ///
    /// What the system says; the unfinished file is removed.
    pub fn finish(mut self) -> io::Result<()> {
        fs::rename(&self.unfinished, &self.path)?;
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

/// Writes a file; an old one is replaced only once the new one is safe on its disk.
///
/// # Errors
///
/// What the system says; the old file stays as it was.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let (mut file, part) = Part::create(path)?;
    file.write_all(content)?;
    file.sync_all()?;
    part.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("whole");
        write(&path, b"old").unwrap();
        let (mut file, part) = Part::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        part.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        drop(Part::create(&path).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        fs::create_dir_all(path.join("inside")).unwrap();
        assert!(write(&path, b"new").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
