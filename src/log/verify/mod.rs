//! Checking the chain: every position there, every hash right, no instant before the one in front of it.

mod chain;
mod link;

use futures::TryStreamExt;
use futures::stream::BoxStream;
use sqlx::postgres::PgRow;

use super::Log;
use super::anchor::Anchor;
use super::stream::Head;
use chain::Chain;

/// Events handed over at once: the next are read while these are hashed.
const BATCH: usize = 2_000;
/// Events read by one statement, a whole number of batches. No statement then keeps its view of the database for long.
const RANGE: usize = 50 * BATCH;

/// The log as it was found: whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// How many events there are up to the newest.
    pub events: u64,
    /// The newest of them; keep it elsewhere, for nothing in the log can show that its tail was cut off.
    pub head: Option<Head>,
}

/// Why the log could not be called whole.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The first position at which the log is not what was recorded.
    #[error("the log is broken at position {position}: {why}")]
    Broken { position: u64, why: Break },
    #[error("the database did not answer while the log was checked")]
    Database(#[from] sqlx::Error),
    #[error("the check ended before it was through")]
    Ended(#[from] tokio::task::JoinError),
}

/// What is wrong at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Break {
    #[error("the event is missing")]
    Missing,
    #[error("there is an event too many")]
    Surplus,
    #[error("the event or the one in front of it was changed: its hash does not follow")]
    Hash,
    #[error("the event's instant is before that of the event in front of it")]
    Instant,
    #[error("the event has a field that no event can have")]
    Unreadable,
    #[error("the event is not the one that the expected head names")]
    OtherHead,
}

impl Log {
    /// Checks the whole log from its first event and, if a head kept elsewhere is given, that it still leads through it.
    ///
    /// `progress` is told the number of events checked so far, every 2,000.
    pub async fn verify(&self, expected: Option<&Head>, progress: impl FnMut(u64) + Send) -> Result<Verified, VerifyError> {
        let expected: Vec<Anchor> = expected.map(Anchor::from).into_iter().collect();
        self.verify_through(&expected, progress).await
    }

    /// The same with any number of places through which the log must lead.
    pub async fn verify_through(&self, expected: &[Anchor], progress: impl FnMut(u64) + Send) -> Result<Verified, VerifyError> {
        self.follow(Chain::from_the_start(expected), progress).await
    }

    /// Checks that the log still leads through `from`, and what was appended since. What lies before is not looked at.
    pub async fn verify_from(&self, from: &Anchor, progress: impl FnMut(u64) + Send) -> Result<Verified, VerifyError> {
        self.follow(Chain::from_anchor(*from), progress).await
    }

    async fn follow(&self, mut chain: Chain, mut progress: impl FnMut(u64) + Send) -> Result<Verified, VerifyError> {
        loop {
            let read = self.range(&mut chain, &mut progress).await?;
            if read < RANGE {
                return chain.end();
            }
        }
    }

    /// Reads and checks at the same time: while one batch is hashed by a task of its own, the next comes in. Says how
    /// many events there were.
    async fn range(&self, chain: &mut Chain, progress: &mut (impl FnMut(u64) + Send)) -> Result<usize, VerifyError> {
        let mut batches = self.links_from(chain.lowest()).try_chunks(BATCH);
        let mut ahead = batches.try_next().await.map_err(|error| error.1)?;
        let mut read = 0;
        while let Some(batch) = ahead {
            read += batch.len();
            let front = std::mem::take(chain);
            let checking = tokio::spawn(async move { front.with(&batch) });
            ahead = batches.try_next().await.map_err(|error| error.1)?;
            *chain = checking.await??;
            progress(chain.events());
        }
        Ok(read)
    }

    fn links_from(&self, lowest: i64) -> BoxStream<'_, Result<PgRow, sqlx::Error>> {
        sqlx::query(link::SELECT).bind(lowest).bind(i64::try_from(RANGE).unwrap_or(i64::MAX)).fetch(self.pool())
    }
}
