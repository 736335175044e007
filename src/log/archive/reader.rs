//! Reading the file line by line, and hashing it on the way.

use std::io::BufRead;

use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::{ArchiveError, END};

pub(super) struct Reader<R> {
    file: R,
    hash: Sha256,
    line: Vec<u8>,
}

impl<R: BufRead> Reader<R> {
    pub fn new(file: R) -> Self {
        Self { file, hash: Sha256::new(), line: Vec::new() }
    }

    /// The sha256 of all lines so far.
    pub fn sha256(&self) -> String {
        hex::encode(self.hash.clone().finalize())
    }

    /// The next line, which is JSON.
    pub fn said<T: DeserializeOwned>(&mut self, part: &'static str) -> Result<T, ArchiveError> {
        let line = self.next(part)?;
        serde_json::from_slice(line).map_err(|error| ArchiveError::Malformed { part, why: error.to_string() })
    }

    /// The next row of the table, its end included; none at the table's end.
    pub fn row(&mut self, part: &'static str) -> Result<Option<&[u8]>, ArchiveError> {
        let line = self.next(part)?;
        Ok((line != END).then_some(line))
    }

    /// Nothing may follow.
    pub fn end(&mut self) -> Result<(), ArchiveError> {
        if self.file.fill_buf()?.is_empty() {
            return Ok(());
        }
        Err(ArchiveError::Malformed { part: "its end", why: "something follows".to_owned() })
    }

    fn next(&mut self, part: &'static str) -> Result<&[u8], ArchiveError> {
        self.line.clear();
        self.file.read_until(b'\n', &mut self.line)?;
        if self.line.last() != Some(&b'\n') {
            return Err(ArchiveError::Malformed { part, why: "the file ends there".to_owned() });
        }
        self.hash.update(&self.line);
        Ok(&self.line)
    }
}
