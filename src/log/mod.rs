//! The append-only log in PostgreSQL, and what commits with it.
//!
//! The schema (`migrations/`) keeps the promises: one total order without gaps, a chain of hashes, nothing but inserts,
//! whoever writes. [`Log::append`] is the only way in which the engine writes; [`Log::load`] and [`Log::read_after`] are
//! how it reads. The log stores opaque events: what they mean is the aggregates' business.

mod anchor;
mod append;
mod archive;
mod bundle;
mod canonical;
mod checkpoint;
pub mod crash;
mod cursor;
mod drawn;
mod due_counts;
mod error;
mod firings;
mod games;
mod genesis;
pub mod guard;
mod heads;
mod keyed;
mod keys;
mod lag;
mod leadership;
mod listeners;
mod members;
mod migrate;
mod nudge;
mod past;
mod read;
mod recent;
mod rows;
mod staged;
mod stream;
mod streams;
mod tail;
mod verify;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, Executor, PgPool};
use tokio::sync::{broadcast, watch};

pub use anchor::{Anchor, NoAnchor};
pub use append::{Append, AppendError, Appended};
pub use archive::{ArchiveError, Archived, CARRIED, LEFT_BEHIND};
pub use bundle::{
    AgainstError, Bundle, BundleFault, BundleRequest, BundledEvent, BundledNote, ExportError, Part, Wrong, note_digest,
};
pub use checkpoint::{Checkpoint, CheckpointFault};
pub use cursor::{Cursor, CursorMove};
pub use due_counts::{COUNTED, DueCount};
pub use error::LogError;
pub use firings::{Claim, Claimed, Firing, FiringRow, FiringState, Retried};
pub use genesis::OpenError;
pub use guard::{AppendOnly, GuardError, prepare};
pub use heads::EventHead;
pub use keyed::{KeyedAnswer, KeyedClaim, KeyedRequest};
pub use keys::{CheckKey, KeyFault, SignKey, SignatureFault, Signed};
pub use lag::{Followed, Lag};
pub use listeners::{LISTENERS, Listener};
pub use members::Member;
pub use migrate::{MIGRATIONS, SetupError};
pub use nudge::StagedWord;
pub use read::RecordedText;
pub use recent::RecentEvent;
pub use rows::{AccountRow, Draft, Note, RowWrite};
pub use staged::Staged;
pub use stream::{Head, NewEvent, Recorded, StreamEnd, StreamId, StreamWrite};
pub use tail::{Filter, TailLine};
pub use verify::{Break, Verified, VerifyError};

/// Number of the advisory lock that makes writers queue; the schema's trigger takes the same one.
pub(crate) const LOCK: i64 = 7_810_756_276_994_469_740;

/// How a [`Log`] uses its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogOptions {
    /// Connections at most, one of them kept for `LISTEN`; the append task has another of its own.
    pub connections: u32,
    /// How long an append waits for the log's lock before it is [`AppendError::Busy`]. At least a millisecond.
    pub lock_wait: Duration,
    /// How long to wait for a free connection.
    pub connection_wait: Duration,
    /// How long one of our transactions may lie idle before the database ends it.
    pub idle_in_transaction: Duration,
}

impl Default for LogOptions {
    fn default() -> Self {
        Self {
            connections: 16,
            lock_wait: Duration::from_secs(5),
            connection_wait: Duration::from_secs(5),
            idle_in_transaction: Duration::from_secs(30),
        }
    }
}

/// A handle on the log: cheap to clone, safe to share.
#[derive(Clone)]
pub struct Log {
    pool: PgPool,
    nudge: Arc<nudge::Nudge>,
    appends: append::Appends,
    recent: Arc<recent::Recent>,
    held_back: Arc<AtomicBool>,
}

/// A connection that has lain idle for so long is tried before it is used again.
const UNTRIED: Duration = Duration::from_millis(500);

/// Large texts are packed by the quicker method, where the server has it.
const QUICK: &str = "select set_config('default_toast_compression', 'lz4', false) from pg_catalog.pg_settings
                     where name = 'default_toast_compression' and 'lz4' = any (enumvals)";

/// What appends is planned once: with few events at a time each plan would look cheaper than the one for all, and cost more to make
/// than to carry out.
const ONE_PLAN: &str = "set plan_cache_mode = force_generic_plan";

impl Log {
    /// Connects, as the role that appends. The schema must be there already.
    pub async fn connect(database: PgConnectOptions, options: LogOptions) -> Result<Self, LogError> {
        let (lock_wait, idle) = (options.lock_wait.max(Duration::from_millis(1)), options.idle_in_transaction.as_millis().max(1));
        let lock = lock_wait.as_millis();
        let limits = format!("set lock_timeout = {lock}; set idle_in_transaction_session_timeout = {idle}; {QUICK}");
        let database = database.application_name("leasehold");
        let sessions = append::Sessions {
            database: database.clone(),
            limits: format!("{limits}; {ONE_PLAN}"),
            connection_wait: options.connection_wait,
            lock_wait,
        };
        let pool = PgPoolOptions::new()
            .max_connections(options.connections.max(2))
            .acquire_timeout(options.connection_wait)
            .test_before_acquire(false)
            .before_acquire(|connection, meta| {
                Box::pin(async move {
                    if meta.idle_for >= UNTRIED {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .after_connect(move |connection, _| {
                let limits = limits.clone();
                Box::pin(async move {
                    connection.execute(limits.as_str()).await?;
                    Ok(())
                })
            })
            .connect_with(database)
            .await?;
        let recent = Arc::default();
        let nudge = Arc::new(nudge::Nudge::start(&pool, &recent));
        let appends = append::Appends::start(sessions, pool.clone(), Arc::clone(&nudge), Arc::clone(&recent));
        Ok(Self { pool, nudge, appends, recent, held_back: Arc::default() })
    }

    /// The connections, for reads beside the log.
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// From now on every append through this handle and its clones is [`AppendError::HeldBack`], until the process ends.
    pub fn hold_back(&self) {
        self.held_back.store(true, Ordering::SeqCst);
    }

    /// Word that the log has grown, by this process or another: the position known to be reached. Only a hint; read on
    /// from a cursor whenever it changes.
    pub fn subscribe(&self) -> watch::Receiver<Option<u64>> {
        self.nudge.subscribe()
    }

    /// Word of what is staged from now on, by this process or, unseen, by another. Only a hint, as all word is.
    pub fn staged_words(&self) -> broadcast::Receiver<StagedWord> {
        self.nudge.staged()
    }
}
