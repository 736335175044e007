//! A file of lines that is flushed with every append.
//!
//! Room is made ahead: the file ends in zero bytes, which lines take the place of. So a flush has data to write and no length, no
//! blocks and no journal of the file system, which is several times faster, and far faster still on a disk that others use too.

use super::replace_by;
use std::{
    fs::{File, OpenOptions},
    io::{self, BufWriter, Read, Write},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

/// How many bytes of room are made at a time.
const ROOM: u64 = 1024 * 1024;

/// The open file. Texts that it is given are whole lines without a zero byte.
#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    file: File,
    /// Bytes known to be whole lines on the disk.
    length: u64,
    /// Bytes that the file has on the disk.
    room: u64,
}

impl LineFile {
    /// Opens the file, which is made if it is not there, and reads its lines. What a crash tore, the last that was written and never
    /// acknowledged, is cut off. An error where it is no UTF-8.
    pub fn open(path: &Path) -> io::Result<(Self, String)> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut room = bytes.len() as u64;
        let whole = whole_lines(&bytes).len();
        if bytes[whole..].iter().any(|byte| *byte != 0) {
            tracing::warn!(path = %path.display(), "cut off what a crash tore");
            room = whole as u64;
            file.set_len(room)?;
            file.sync_all()?;
        }
        bytes.truncate(whole);
        let text = String::from_utf8(bytes).map_err(|fault| io::Error::new(io::ErrorKind::InvalidData, fault))?;
        Ok((Self { path: path.to_owned(), file, length: whole as u64, room }, text))
    }

    /// Appends whole lines; returns once they are on the disk. On failure nothing of them stays.
    pub fn append(&mut self, text: &str) -> io::Result<()> {
        let end = self.length + text.len() as u64;
        let written = self.make_room(end).and_then(|()| {
            self.file.write_all_at(text.as_bytes(), self.length)?;
            self.file.sync_data()
        });
        if written.is_ok() {
            self.length = end;
        } else {
            self.file.set_len(self.length)?;
            self.room = self.length;
        }
        written
    }

    /// A file of these lines, in the place of whatever is there.
    pub fn replacing(path: &Path, text: &str) -> io::Result<Self> {
        Self::replacing_by(path, std::iter::once(Ok(text.to_owned())))
    }

    fn replacing_by(path: &Path, texts: impl Iterator<Item = io::Result<String>>) -> io::Result<Self> {
        let mut length = 0;
        replace_by(path, |file| {
            let mut file = BufWriter::new(file);
            for text in texts {
                let text = text?;
                file.write_all(text.as_bytes())?;
                length += text.len() as u64;
            }
            io::copy(&mut io::repeat(0).take(ROOM), &mut file)?;
            file.flush()
        })?;
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        Ok(Self { path: path.to_owned(), file, length, room: length + ROOM })
    }

    /// Puts these lines in the place of all that there are, one after the other: they need not all be in memory. Where that fails,
    /// all stays as it was.
    pub fn rewrite(&mut self, texts: impl Iterator<Item = io::Result<String>>) -> io::Result<()> {
        *self = Self::replacing_by(&self.path, texts)?;
        Ok(())
    }

    /// How many bytes of lines there are.
    pub const fn length(&self) -> u64 {
        self.length
    }

    fn make_room(&mut self, wanted: u64) -> io::Result<()> {
        if wanted <= self.room {
            return Ok(());
        }
        let room = wanted + ROOM;
        let zeros = vec![0; usize::try_from(room - self.room).map_err(io::Error::other)?];
        self.file.write_all_at(&zeros, self.room)?;
        self.file.sync_all()?;
        self.room = room;
        Ok(())
    }
}

/// The whole lines of such a file: up to its room, and without a last line that has no end.
pub fn whole_lines(bytes: &[u8]) -> &[u8] {
    let written = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    let end = written.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    &written[..end]
}
