//! What the game reports by itself, kept in a file in the order in which it came: an engine that was away reads on where it
//! left off.
//!
//! A report is on disk before anybody is told of it. The file begins with the feed's id and holds one report a line; a last
//! line without its line feed was torn by a crash and is cut off. Of old reports the newest [`KEPT`] are kept.

use leasehold_link::wire::feed::{Feed, Report};
use serde_json::{Map, Value, json};
use std::{
    collections::VecDeque,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::watch;

/// Reports that are kept at least; twice as many at most.
const KEPT: usize = 10_000;

/// The feed of this sidecar. Cheap to clone.
#[derive(Clone)]
pub struct FeedFile {
    kept: Arc<Mutex<Kept>>,
    newest: watch::Sender<u64>,
}

struct Kept {
    id: String,
    path: PathBuf,
    file: File,
    reports: VecDeque<Report>,
    newest: u64,
}

/// Why reports cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum FeedFailure {
    #[error("the game's reports cannot be kept in {path}: {source}; name a file that can be written with --feed-file")]
    Unwritable { path: PathBuf, source: io::Error },
}

impl FeedFile {
    /// Reads the file, or begins one under `fresh`. A file that does not read as a feed is put aside: a new feed begins.
    pub fn open(path: PathBuf, fresh: &str) -> Result<Self, FeedFailure> {
        let unwritable = |source| FeedFailure::Unwritable { path: path.clone(), source };
        let (id, reports) = match fs::read(&path) {
            Ok(text) => {
                if let Some(read) = read(&text) {
                    read
                } else {
                    tracing::error!(path = %path.display(), "what is there is no feed; it is put aside and a new one begins");
                    fs::rename(&path, path.with_extension("broken")).map_err(unwritable)?;
                    (fresh.to_owned(), VecDeque::new())
                }
            }
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => (fresh.to_owned(), VecDeque::new()),
            Err(source) => return Err(unwritable(source)),
        };
        let newest = reports.back().map_or(0, |report: &Report| report.n);
        let file = write_whole(&path, &id, &reports).map_err(unwritable)?;
        let (sender, _) = watch::channel(newest);
        Ok(Self { kept: Arc::new(Mutex::new(Kept { id, path, file, reports, newest })), newest: sender })
    }

    /// Keeps a frame; returns once it is on disk.
    pub async fn keep(&self, frame: Map<String, Value>) -> io::Result<()> {
        let (kept, newest) = (Arc::clone(&self.kept), self.newest.clone());
        let write = move || {
            let number = held(&kept).append(frame)?;
            newest.send_replace(number);
            Ok(())
        };
        tokio::task::spawn_blocking(write).await.unwrap_or_else(|ended| Err(io::Error::other(ended)))
    }

    /// What lies behind that number, `limit` at most.
    pub fn after(&self, number: u64, limit: usize) -> Feed {
        let kept = held(&self.kept);
        let oldest = kept.reports.front().map_or(kept.newest + 1, |report| report.n);
        let reports = kept.reports.iter().filter(|report| report.n > number).take(limit).cloned().collect();
        Feed { feed: kept.id.clone(), oldest, newest: kept.newest, reports }
    }

    /// Returns when there is something behind that number.
    pub async fn grown_past(&self, number: u64) {
        let mut newest = self.newest.subscribe();
        // The sender lives as long as this feed.
        let _ = newest.wait_for(|newest| *newest > number).await;
    }
}

impl Kept {
    fn append(&mut self, frame: Map<String, Value>) -> io::Result<u64> {
        let report = Report { n: self.newest + 1, frame };
        self.file.write_all(format!("{}\n", json!(report)).as_bytes())?;
        self.file.sync_data()?;
        self.newest = report.n;
        self.reports.push_back(report);
        if self.reports.len() >= 2 * KEPT {
            self.reports.drain(..KEPT);
            self.file = write_whole(&self.path, &self.id, &self.reports)?;
        }
        Ok(self.newest)
    }
}

/// The id and the reports of a file; nothing where it is no feed.
fn read(text: &[u8]) -> Option<(String, VecDeque<Report>)> {
    let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let mut lines = text[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let head: Value = serde_json::from_slice(lines.next()?).ok()?;
    let id = head["feed"].as_str()?.to_owned();
    let reports = lines.map(|line| serde_json::from_slice(line).ok()).collect::<Option<VecDeque<Report>>>()?;
    let in_order = reports.iter().zip(reports.iter().skip(1)).all(|(one, next)| next.n == one.n + 1);
    in_order.then_some((id, reports))
}

/// Puts the whole feed in the place of the file, and gives it to be written on.
fn write_whole(path: &Path, id: &str, reports: &VecDeque<Report>) -> io::Result<File> {
    let fresh = path.with_extension("new");
    let lines = reports.iter().map(|report| json!(report));
    let text: String =
        std::iter::once(json!({"feed": id})).chain(lines).flat_map(|line| [line.to_string(), "\n".to_owned()]).collect();
    let mut file = File::create(&fresh)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&fresh, path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    OpenOptions::new().append(true).open(path)
}

fn held(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(nth: u64) -> Map<String, Value> {
        json!({"kind": "mob.killed", "t": nth}).as_object().cloned().unwrap()
    }

    #[tokio::test]
    async fn what_was_reported_is_there_after_a_crash_and_a_torn_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token.feed");
        let feed = FeedFile::open(path.clone(), "one").unwrap();
        for nth in 1..=3 {
            feed.keep(frame(nth)).await.unwrap();
        }
        drop(feed);
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"n\":4,\"fra").unwrap();
        let again = FeedFile::open(path.clone(), "two").unwrap();
        let read = again.after(1, 10);
        assert_eq!((read.feed.as_str(), read.oldest, read.newest), ("one", 1, 3));
        assert_eq!(read.reports.iter().map(|report| report.n).collect::<Vec<_>>(), [2, 3]);
        again.keep(frame(4)).await.unwrap();
        again.grown_past(3).await;
        assert_eq!(again.after(3, 10).reports[0].frame, frame(4));
    }

    #[test]
    fn what_is_no_feed_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token.feed");
        fs::write(&path, "{\"feed\":\"one\"}\n{\"n\":1,\"frame\":{}}\n{\"n\":3,\"frame\":{}}\n").unwrap();
        let feed = FeedFile::open(path.clone(), "two").unwrap();
        assert_eq!(feed.after(0, 10), Feed { feed: "two".into(), oldest: 1, newest: 0, reports: Vec::new() });
        assert!(path.with_extension("broken").exists());
    }
}
