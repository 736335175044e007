//! The append task of a log: gathers what waits while the last batch is on its way, and carries the next.
//!
//! Commands are taken strictly in the order in which they came, so nobody is overtaken, on a stream or off it. A batch is
//! first tried as one statement behind the head that is remembered ([`super::optimist`]); if somebody else has written, it is
//! carried under the lock ([`super::locked`]), as are the next [`WARY`] batches; if something in it is refused, each command is
//! carried alone, and its caller alone is told. When the connection breaks, the lock decides: once we have it, nothing of ours
//! runs any more, and a command is done or it is not. One that is not is carried again in the same transaction, so that a
//! statement which is still on its way somewhere meets a head that has moved on, and fails.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard};

use sqlx::{Connection, PgConnection, PgPool};
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::sync::oneshot;

use super::answers;
use super::known::{self, Known};
use super::plan::Verdicts;
use super::session::Sessions;
use super::trouble::Trouble;
use super::waiting::{Prepared, Waiting};
use super::{Append, AppendError, Appended, found, locked, optimist};
use crate::log::nudge::Nudge;
use crate::log::recent::Recent;
use crate::telling::catalogue::{APPEND_BATCH, APPENDS_WAITING};

/// Commands that may wait for the task; whoever comes then waits to be let in.
const QUEUE: usize = 1_024;
/// Commands of a batch at most, and bytes of text with which it is full.
const COMMANDS: usize = 128;
const BYTES: usize = 4 << 20;
/// Batches carried under the lock after somebody else was seen to write.
const WARY: u32 = 64;
/// How often others get a turn to join a batch, for as long as somebody does.
const TURNS: usize = 8;

/// The way to the append task. The task ends when the last of these is gone.
#[derive(Clone)]
pub(in crate::log) struct Appends {
    queue: Sender<Waiting>,
    known: Arc<Mutex<Known>>,
}

impl Appends {
    /// Must be called within a runtime.
    pub fn start(sessions: Sessions, pool: PgPool, nudge: Arc<Nudge>, recent: Arc<Recent>) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let known = Arc::new(Mutex::new(Known::nothing()));
        let task = Task { sessions, pool, nudge, recent, known: Arc::clone(&known), session: None, wary: 0 };
        tokio::spawn(task.run(Queue { waiting, next: None }));
        Self { queue, known }
    }

    /// What the task knows. It is exact as of the newest event that this process knows of.
    pub fn known(&self) -> MutexGuard<'_, Known> {
        known::of(&self.known)
    }

    pub async fn carry(&self, append: Append) -> Result<Appended, AppendError> {
        let command_id = append.command_id;
        let (answer, told) = oneshot::channel();
        let gone = || AppendError::Unknown { command_id, source: Arc::new(sqlx::Error::WorkerCrashed) };
        self.queue.send(Waiting { command: Prepared::of(append), answer }).await.map_err(|_| gone())?;
        told.await.unwrap_or_else(|_| Err(gone()))
    }
}

struct Queue {
    waiting: Receiver<Waiting>,
    /// The one with which the last batch was full.
    next: Option<Waiting>,
}

impl Queue {
    /// The next batch; none when nobody can come any more.
    async fn gather(&mut self) -> Option<Vec<Waiting>> {
        let first = match self.next.take() {
            Some(next) => next,
            None => self.waiting.recv().await?,
        };
        let (mut size, mut ids) = (first.command.size, HashSet::from([first.command.append.command_id]));
        let mut batch = vec![first];
        for _ in 0..TURNS {
            let before = batch.len();
            while let Ok(waiting) = self.waiting.try_recv() {
                size += waiting.command.size;
                // A command that is sent twice waits until it is known what became of it the first time.
                if batch.len() == COMMANDS || size > BYTES || !ids.insert(waiting.command.append.command_id) {
                    self.next = Some(waiting);
                    return Some(batch);
                }
                batch.push(waiting);
            }
            if batch.len() == before {
                break;
            }
            tokio::task::yield_now().await;
        }
        Some(batch)
    }

    /// Whoever waits by now has waited for the same database in vain.
    fn nobody_waits_for_a_database_that_is_away(&mut self) {
        let waiting = self.next.take().into_iter().chain(std::iter::from_fn(|| self.waiting.try_recv().ok()));
        for waiting in waiting {
            waiting.tell(Err(AppendError::Busy(Arc::new(sqlx::Error::PoolTimedOut))));
        }
    }
}

struct Task {
    sessions: Sessions,
    pool: PgPool,
    nudge: Arc<Nudge>,
    recent: Arc<Recent>,
    known: Arc<Mutex<Known>>,
    session: Option<PgConnection>,
    /// Batches still to be carried under the lock before a single statement is tried again.
    wary: u32,
}

impl Task {
    async fn run(mut self, mut queue: Queue) {
        while let Some(batch) = queue.gather().await {
            APPENDS_WAITING.count(&[], queue.waiting.len() as u64);
            if self.carry(batch).await.is_break() {
                queue.nobody_waits_for_a_database_that_is_away();
            }
        }
        if let Some(session) = self.session.take() {
            let _ = session.close().await;
        }
    }

    /// Carries a batch and answers each of its commands. Breaks off where the database is away.
    async fn carry(&mut self, batch: Vec<Waiting>) -> ControlFlow<()> {
        APPEND_BATCH.count_seen(batch.len());
        let commands: Vec<&Prepared> = batch.iter().map(|waiting| &waiting.command).collect();
        match self.once(&commands, true).await {
            Ok(carried) => self.tell(batch, carried.verdicts, carried.looked_up),
            Err(Trouble::Refused(refusal)) => match <[Waiting; 1]>::try_from(batch) {
                Ok([alone]) => alone.tell(Err(refusal)),
                Err(batch) => return self.one_by_one(batch).await,
            },
            Err(trouble) => return answers::failed(batch, &trouble),
        }
        ControlFlow::Continue(())
    }

    async fn one_by_one(&mut self, batch: Vec<Waiting>) -> ControlFlow<()> {
        let mut left = batch.into_iter();
        while let Some(waiting) = left.next() {
            match self.once(&[&waiting.command], false).await {
                Ok(carried) => self.tell(vec![waiting], carried.verdicts, carried.looked_up),
                Err(Trouble::Refused(refusal)) => waiting.tell(Err(refusal)),
                Err(trouble) => {
                    // The rest is not tried against a database that does not answer, one wait after the other.
                    let all = std::iter::once(waiting).chain(left).collect();
                    return answers::failed(all, &trouble);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn tell(&self, batch: Vec<Waiting>, verdicts: Verdicts, looked_up: bool) {
        if let Some(position) = verdicts.reached {
            let items = verdicts.ahead.iter().flat_map(|(nth, _)| &batch[*nth].command.append.stage);
            self.nudge.appended(position, items.map(|item| item.due_at).min());
        }
        answers::tell(&self.pool, batch, verdicts, looked_up);
    }

    /// Carries the commands as one transaction. A connection that breaks is made anew, once, and the lock decides.
    async fn once(&mut self, commands: &[&Prepared], optimistic: bool) -> Result<Carried, Trouble> {
        let tried = if optimistic && self.wary == 0 && commands.iter().all(|command| command.is_plain()) {
            self.optimistic(commands).await
        } else {
            Err(Trouble::Behind)
        };
        let tried = match tried {
            Err(Trouble::Behind | Trouble::Refused(_)) => self.under_lock(commands).await,
            settled => settled,
        };
        let Err(Trouble::Lost { error, sent }) = tried else { return tried };
        tracing::warn!(%error, sent, "the connection broke while a batch was written; looking its commands up");
        match self.under_lock(commands).await {
            Ok(mut carried) => {
                let Ok(ours) = found::ours(self.session().await?, commands, &carried.verdicts).await else {
                    // Whose they are, each caller asks for itself.
                    return self.after(Err(Trouble::Lost { error, sent: true }));
                };
                carried.verdicts.found(&ours);
                Ok(carried)
            }
            Err(Trouble::Refused(refusal)) => Err(Trouble::Refused(refusal)),
            Err(Trouble::Behind | Trouble::Away(_) | Trouble::Busy(_) | Trouble::Lost { .. }) => {
                Err(Trouble::Lost { error, sent })
            }
        }
    }

    async fn optimistic(&mut self, commands: &[&Prepared]) -> Result<Carried, Trouble> {
        let known = Arc::clone(&self.known);
        let carried = optimist::carry(self.session().await?, commands, &known).await;
        let (plan, written) = self.after(carried)?;
        self.recent.appended(written);
        Ok(Carried { verdicts: plan.verdicts(), looked_up: false })
    }

    async fn under_lock(&mut self, commands: &[&Prepared]) -> Result<Carried, Trouble> {
        let (known, lock_wait) = (Arc::clone(&self.known), self.sessions.lock_wait);
        let carried = locked::carry(self.session().await?, lock_wait, commands, &known).await;
        let (plan, written, others) = self.after(carried)?;
        self.recent.appended(written);
        self.wary = if others { WARY } else { self.wary.saturating_sub(1) };
        Ok(Carried { verdicts: plan.verdicts(), looked_up: true })
    }

    /// Notes whether what we believe of the log still holds, and lets go of a session that is not to be relied on.
    fn after<T>(&mut self, carried: Result<T, Trouble>) -> Result<T, Trouble> {
        known::of(&self.known).in_step = carried.is_ok();
        if matches!(carried, Err(Trouble::Lost { .. })) {
            self.session = None;
            self.recent.forget();
        }
        carried
    }

    async fn session(&mut self) -> Result<&mut PgConnection, Trouble> {
        let session = match self.session.take() {
            Some(session) => session,
            None => self.sessions.open().await.map_err(|error| Trouble::Away(Arc::new(error)))?,
        };
        Ok(self.session.insert(session))
    }
}

/// A batch that has committed.
struct Carried {
    verdicts: Verdicts,
    /// Whether its commands were looked up under the lock, so that its refusals are final.
    looked_up: bool,
}
