//! Word that the log has grown. A nudge carries a position and is only ever a hint: reading is the truth.
//!
//! Inside the process a watch channel carries it at once. Other engines hear it by `NOTIFY`, sent on another connection
//! after the commit: inside the append it would make the whole database commit one at a time, and a payload would have to
//! stay under 8,000 bytes. Where `LISTEN` hears nothing (a transaction pooler stands between) the log is looked at once a
//! second instead.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use sqlx::postgres::PgListener;
use tokio::sync::{broadcast, watch};
use tokio::task::JoinHandle;

use super::recent::Recent;

const CHANNEL: &str = "leasehold_log";
/// A notification that only asks whether it is heard.
const NO_POSITION: &str = "";
/// Between two looks at the head where notifications do not arrive.
const POLL: Duration = Duration::from_secs(1);
/// Between two looks where they do: writers that are no engine do not notify.
const GLANCE: Duration = Duration::from_secs(10);
/// How long a notification of our own may take to come back before `LISTEN` counts as deaf.
const ECHO: Duration = Duration::from_secs(2);

/// Words about staged items that a receiver may be behind before it is told only that it has missed some.
const WORDS: usize = 256;

/// What may have been staged: the earliest due instant of what an append of this process has staged, or that others have
/// appended and nobody here knows what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StagedWord {
    Due(DateTime<Utc>),
    Unknown,
}

/// The nudges of one [`super::Log`]: the position that is known to be reached, what was staged meanwhile, and the two tasks that
/// keep them so.
pub(super) struct Nudge {
    reached: watch::Sender<Option<u64>>,
    staged: broadcast::Sender<StagedWord>,
    own: watch::Sender<Option<u64>>,
    tasks: [JoinHandle<()>; 2],
}

impl Nudge {
    /// Must be called within a runtime; the tasks end with the value.
    pub fn start(pool: &PgPool, recent: &Arc<Recent>) -> Self {
        let (reached, _) = watch::channel(None);
        let (own, heard) = watch::channel(None);
        let staged = broadcast::Sender::new(WORDS);
        let said = Said::default();
        let others = Others { reached: reached.clone(), staged: staged.clone(), said: said.clone(), recent: Arc::clone(recent) };
        let tasks = [tokio::spawn(tell(pool.clone(), heard, said)), tokio::spawn(hear(pool.clone(), others))];
        Self { reached, staged, own, tasks }
    }

    /// Our own appends reached `position`; the earliest of what they staged is due at `soonest`.
    pub fn appended(&self, position: u64, soonest: Option<DateTime<Utc>>) {
        raise(&self.reached, position);
        raise(&self.own, position);
        if let Some(due) = soonest {
            let _ = self.staged.send(StagedWord::Due(due));
        }
    }

    /// Word of what is staged from now on.
    pub fn staged(&self) -> broadcast::Receiver<StagedWord> {
        self.staged.subscribe()
    }

    pub fn subscribe(&self) -> watch::Receiver<Option<u64>> {
        self.reached.subscribe()
    }
}

impl Drop for Nudge {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// What this process has said last, so that it knows its own words when it hears them.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<VecDeque<u64>>>);

impl Said {
    fn say(&self, position: u64) {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if said.len() == WORDS {
            said.pop_front();
        }
        said.push_back(position);
    }

    fn contains(&self, position: u64) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&position)
    }
}

/// What others append, as it is heard of.
struct Others {
    reached: watch::Sender<Option<u64>>,
    staged: broadcast::Sender<StagedWord>,
    said: Said,
    recent: Arc<Recent>,
}

impl Others {
    /// Another's word may be overtaken by an append of our own: it is no news of the log then, and yet of what was staged.
    fn told(&self, position: u64) {
        raise(&self.reached, position);
        if !self.said.contains(position) {
            let _ = self.staged.send(StagedWord::Unknown);
        }
    }

    fn reached(&self, position: u64) {
        if raise(&self.reached, position) {
            let _ = self.staged.send(StagedWord::Unknown);
        }
    }
}

/// Whether that was news.
fn raise(reached: &watch::Sender<Option<u64>>, position: u64) -> bool {
    reached.send_if_modified(|known| {
        let further = known.is_none_or(|known| known < position);
        if further {
            *known = Some(position);
        }
        further
    })
}

/// Tells other engines how far our own appends have come; many at once become one word.
async fn tell(pool: PgPool, mut own: watch::Receiver<Option<u64>>, said: Said) {
    while own.changed().await.is_ok() {
        let Some(position) = *own.borrow_and_update() else { continue };
        said.say(position);
        if let Err(error) = notify(&pool, &position.to_string()).await {
            tracing::debug!(%error, position, "other engines were not told; they look for themselves");
        }
    }
}

/// A notification takes a place in the write-ahead log like any write; nothing is lost with one, so nobody waits for the disk.
async fn notify(pool: &PgPool, word: &str) -> Result<(), sqlx::Error> {
    let word_sent = "select pg_notify($1, $2) from (select set_config('synchronous_commit', 'off', true) as setting) relaxed
                     where relaxed.setting = 'off'";
    sqlx::query(word_sent).bind(CHANNEL).bind(word).execute(pool).await?;
    Ok(())
}

/// Tells what others have reached by what others notify and by looking, for as long as the log is in use.
async fn hear(pool: PgPool, others: Others) {
    loop {
        if let Ok(mut listener) = listen(&pool).await {
            follow(&pool, &mut listener, &others).await;
            others.recent.forget();
        }
        look(&pool, &others).await;
        tokio::time::sleep(POLL).await;
    }
}

/// A listener that has been shown to hear.
async fn listen(pool: &PgPool) -> Result<PgListener, sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    notify(pool, NO_POSITION).await?;
    match tokio::time::timeout(ECHO, listener.recv()).await {
        Ok(heard) => heard.map(|_| listener),
        Err(_) => Err(sqlx::Error::PoolTimedOut),
    }
}

/// Returns when the connection is lost.
async fn follow(pool: &PgPool, listener: &mut PgListener, others: &Others) {
    look(pool, others).await;
    loop {
        match tokio::time::timeout(GLANCE, listener.try_recv()).await {
            Ok(Ok(Some(word))) => {
                if let Ok(position) = word.payload().parse() {
                    others.told(position);
                }
            }
            Ok(Ok(None) | Err(_)) => return,
            Err(_) => look(pool, others).await,
        }
    }
}

async fn look(pool: &PgPool, others: &Others) {
    let head = sqlx::query_scalar::<_, Option<i64>>("select max(position) from public.events").fetch_one(pool).await;
    if let Ok(Some(position)) = head {
        others.reached(super::error::place(position));
    }
}
