//! What games report by themselves, kept in a file in the order in which it came: an engine that was away reads on where it
//! left off.
//!
//! Each scope has its numbers, from 1 without gaps. A report is on disk before anybody is told of it, its game included. One
//! thread writes, and flushes all that waits at once; whoever reads, reads from the file at its own pace, so that a slow
//! reader costs itself only.

mod extent;
mod file;
mod store;
#[cfg(test)]
mod tests;
mod writer;

pub use extent::Extent;
pub use file::FeedFailure;
pub use store::{Fault, Retention};
pub use writer::{Incoming, Outcome};

use extent::Extents;
use leasehold_link::wire::feed::Feed;
use serde_json::{Map, Value};
use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};
use store::Reader;
use tokio::sync::mpsc;
use writer::Work;

/// Reports that may wait for the disk before a game has to.
const WAITING: usize = 1024;

/// The feeds of this sidecar. Cheap to clone.
#[derive(Clone)]
pub struct FeedStore {
    id: Arc<str>,
    reader: Arc<Mutex<Reader>>,
    extents: Arc<Extents>,
    work: mpsc::Sender<Work>,
}

impl FeedStore {
    /// Opens the file, or begins one whose id is `fresh`. A file that is no feed is put aside, and a new one begins.
    pub fn open(path: &Path, fresh: &str, retention: Retention) -> Result<Self, FeedFailure> {
        let file::Opened { id, store, reader, lock } = file::open(path, fresh, retention)?;
        let extents = Arc::new(Extents::new(store.extents()));
        let (work, waiting) = mpsc::channel(WAITING);
        writer::start(store, waiting, Arc::clone(&extents), lock).map_err(|source| file::unwritable(path, source))?;
        Ok(Self { id: id.into(), reader: Arc::new(Mutex::new(reader)), extents, work })
    }

    /// Hands a report in; waits where the disk is behind. What became of it is told to whom it names.
    pub async fn accept(&self, incoming: Incoming) -> Result<(), Fault> {
        self.work.send(Work::Report(incoming)).await.map_err(|_| Fault::stopped())
    }

    /// Keeps one frame of a scope; returns once it is on disk.
    pub async fn keep(&self, scope: &str, boot_id: &str, frame: Map<String, Value>) -> Result<(), Fault> {
        let (done, mut told) = mpsc::unbounded_channel();
        self.accept(Incoming { scope: scope.into(), boot_id: boot_id.into(), frame, done }).await?;
        told.recv().await.unwrap_or_else(|| Err(Fault::stopped())).map(drop)
    }

    /// Drops what has become too old.
    pub async fn trim(&self) {
        drop(self.work.send(Work::Trim).await);
    }

    /// What lies behind that number, `limit` at most and no more than an engine reads at once.
    pub async fn after(&self, scope: &str, number: u64, limit: usize) -> Result<Feed, Fault> {
        let (reader, scope, id) = (Arc::clone(&self.reader), scope.to_owned(), self.id.to_string());
        let read = move || {
            let mut reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
            let (extent, reports) = reader.after(&scope, number, limit)?;
            Ok(Feed { feed: id, oldest: extent.oldest, newest: extent.newest, reports })
        };
        tokio::task::spawn_blocking(read).await.unwrap_or_else(|_| Err(Fault::stopped()))
    }

    /// Returns when there is something behind that number.
    pub async fn grown_past(&self, scope: &str, number: u64) {
        self.extents.grown_past(scope, number).await;
    }

    /// The first and the last number of a scope that are kept.
    pub fn extent(&self, scope: &str) -> Extent {
        self.extents.of(scope)
    }

    /// The id of this file's feeds.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Every scope that has ever reported.
    pub fn scopes(&self) -> Vec<String> {
        self.extents.scopes()
    }

    /// Why reports cannot be kept now; none where they can.
    pub fn fault(&self) -> Option<String> {
        self.extents.fault()
    }
}
