//! Files that a command reads whole and writes whole.

use std::fs::{self, File};
use std::io::{BufWriter, Error, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// A file, with its name in what is said when it cannot be read.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
}

/// Puts `bytes` in the place of what the file held. Whoever reads it meanwhile, or after a crash, finds the old ones or the
/// new ones.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let mut file = Replacing::begin(path)?;
    file.write_all(bytes).map_err(|error| unwritable(path, &error))?;
    file.finish()
}

/// A file that takes another's place once it is whole; dropped before that, it leaves nothing.
pub struct Replacing {
    path: PathBuf,
    fresh: PathBuf,
    file: BufWriter<File>,
    whole: bool,
}

impl Replacing {
    pub fn begin(path: &Path) -> Result<Self, String> {
        Self::with_mode(path, 0o666)
    }

    /// One that only this user may read.
    pub fn secret(path: &Path) -> Result<Self, String> {
        Self::with_mode(path, 0o600)
    }

    fn with_mode(path: &Path, mode: u32) -> Result<Self, String> {
        let fresh = beside(path);
        let mut options = File::options();
        options.write(true).create_new(true).mode(mode);
        let file = options.open(&fresh).map_err(|error| unwritable(path, &error))?;
        Ok(Self { path: path.to_owned(), fresh, file: BufWriter::new(file), whole: false })
    }

    /// Written through, and under its name.
    pub fn finish(mut self) -> Result<(), String> {
        self.settle().map_err(|error| unwritable(&self.path, &error))
    }

    fn settle(&mut self) -> Result<(), Error> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.fresh, &self.path)?;
        self.whole = true;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()
    }
}

impl Write for Replacing {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.file.flush()
    }
}

impl Drop for Replacing {
    fn drop(&mut self) {
        if !self.whole {
            let _ = fs::remove_file(&self.fresh);
        }
    }
}

fn unwritable(path: &Path, error: &Error) -> String {
    format!("{} cannot be written: {error}", path.display())
}

/// A name in the same folder that no other process takes.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.new", std::process::id()));
    path.with_file_name(name)
}
