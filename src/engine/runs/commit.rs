//! One command, one append: decided on what is remembered, or else on what is read; decided again when somebody was faster, and
//! looked up when the database was lost meanwhile. What the append holds is [`super::writes`]' business.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{Run, RunCommand, RunEvent, RunRefusal};
use leasehold_aggregates::target::Target;
use tracing::Instrument;
use uuid::Uuid;

use super::Reading;
use crate::engine::again::moved_stream;
use crate::engine::fault::moved;
use crate::engine::folds::{Fold, Look};
use crate::engine::streams::{Loaded, event, fold, load_until, stream};
use crate::engine::{Act, Engine, Fault, crash};
use crate::log::{AppendError, Appended, Recorded, RowWrite, StreamId, StreamWrite};

/// How often a decision is taken again when somebody else was faster.
pub(super) const TRIES: u32 = 50;
/// How often, and with what pause, a lost database is asked what became of a command.
const LOOKS: u32 = 150;
const PAUSE: Duration = Duration::from_millis(200);
/// The event that wakes runs which wait for a slot.
pub const SLOT_RELEASED: &str = "slot_released";

/// What comes along with a command.
#[derive(Debug, Clone, Default)]
pub struct Extras {
    /// The staged item that is being carried out.
    pub item: Option<Uuid>,
    pub rows: Vec<RowWrite>,
    /// What is written to other streams with it, if anything happens to the run.
    pub beside: Vec<StreamWrite>,
    /// Streams that the caller read for the decision.
    pub requires: Vec<(StreamId, u64)>,
    /// Targets that an answer has named.
    pub reported: Vec<Target>,
    /// Since when this was due, where it was.
    pub due: Option<DateTime<Utc>>,
}

/// What was committed.
#[derive(Debug, Clone)]
pub struct Committed {
    pub run_id: String,
    /// The run as it stands now.
    pub run: Run,
    pub events: Vec<RunEvent>,
    /// The sequence of the first of them.
    pub first_sequence: u64,
    /// The log's position up to which the commit reaches.
    pub position: u64,
    /// Since when what the commit begins is to be done.
    pub since: DateTime<Utc>,
}

/// How one try at one decision ended.
pub(in crate::engine) enum Tried {
    Committed(Box<Committed>),
    /// It has to be decided again on what the log holds now; on which stream somebody was faster, where that is known.
    Overtaken(Option<StreamId>),
}

impl Tried {
    fn committed(committed: Committed) -> Self {
        Self::Committed(Box::new(committed))
    }
}

impl Engine {
    /// Decides on the run as it is and appends; decides again when somebody was faster. An empty decision appends
    /// nothing but the end of the item that asked for it.
    pub(crate) async fn commit_run(
        &self,
        act: &Act,
        run_id: &str,
        extras: &Extras,
        command: impl Fn(&Reading) -> RunCommand + Send,
    ) -> Result<Committed, Fault> {
        let (mut look, mut lanes) = (Look::Remembered, BTreeSet::from([stream::<Run>(run_id)]));
        for _ in 0..TRIES {
            let in_lanes = self.lanes.enter(&lanes).await;
            let tried = self.try_command(act, run_id, extras, &command, look).await;
            drop(in_lanes);
            match tried {
                Ok(Tried::Committed(committed)) => {
                    self.carry_out(&committed);
                    return Ok(*committed);
                }
                Ok(Tried::Overtaken(lost_on)) => lanes.extend(lost_on),
                // A refusal that may rest on a memory is nobody's to hear.
                Err(Fault::Refused(_)) if look == Look::Remembered => {}
                Err(fault) => return Err(fault),
            }
            look = Look::Fresh;
        }
        Err(Fault::Busy)
    }

    async fn try_command(
        &self,
        act: &Act,
        run_id: &str,
        extras: &Extras,
        command: &(impl Fn(&Reading) -> RunCommand + Send),
        look: Look,
    ) -> Result<Tried, Fault> {
        let mut reading = Reading::of(self, run_id, act.at, &extras.reported, look).await?;
        let decide = || reading.run.state.decide(command(&reading));
        let events = tracing::debug_span!("decide", run = run_id).in_scope(decide).map_err(Fault::refused)?;
        if events.is_empty() && reading.remembered {
            return Ok(Tried::Overtaken(None));
        }
        self.try_commit(act, &mut reading, events, extras).await
    }

    /// One try at one decision. Where it is the caller's own requirement that has moved, that is the error: only the caller can
    /// read it anew.
    pub(in crate::engine) async fn try_commit(
        &self,
        act: &Act,
        reading: &mut Reading,
        events: Vec<RunEvent>,
        extras: &Extras,
    ) -> Result<Tried, Fault> {
        let append = self.append_of(act, reading, &events, extras).await?;
        let mut run = reading.run.clone();
        for event in &events {
            run.state.apply(event.clone());
            run.sequence += 1;
        }
        let (run_id, first_sequence) = (reading.run.id.clone(), reading.run.sequence + 1);
        let since = extras.due.unwrap_or(act.at);
        let span = tracing::debug_span!("append", run = run_id, events = events.len());
        crash::around("before", &events);
        match self.log.append(append).instrument(span).await {
            Ok(appended) => {
                crash::around("after", &events);
                self.folds.keep(reading.after.drain(..).chain([Fold::of(&run, reading.era)]));
                Ok(Tried::committed(Committed { run_id, run: run.state, events, first_sequence, position: appended.last, since }))
            }
            Err(AppendError::AlreadyDone(appended)) => self.as_left(&run_id, appended, since).await.map(Tried::committed),
            Err(AppendError::Unstaged(_)) => Err(Fault::refused(RunRefusal::MovedOn)),
            Err(AppendError::Unknown { command_id, source }) => self.find_out(&run_id, command_id, since, source).await,
            Err(error) if moved(&error) && !is_of_caller(&error, extras) => {
                let lost_on = moved_stream(error);
                if let Some(stream) = &lost_on {
                    self.folds.drop(stream);
                }
                Ok(Tried::Overtaken(lost_on))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The database was lost while it committed: asks until it answers whether it did, and takes up what it did.
    async fn find_out(
        &self,
        run_id: &str,
        command_id: Uuid,
        since: DateTime<Utc>,
        lost: Arc<sqlx::Error>,
    ) -> Result<Tried, Fault> {
        for _ in 0..LOOKS {
            match self.log.command(command_id).await {
                Ok(None) => return Ok(Tried::Overtaken(None)),
                Ok(Some(appended)) => return self.as_found(run_id, appended, since).await.map(Tried::committed),
                Err(error) => tracing::warn!(%error, "whether a command was recorded is not known yet"),
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(AppendError::Unknown { command_id, source: lost }.into())
    }

    /// The run as a command has left it that was carried out before. What it began was begun then: nothing of it is told as new.
    pub(super) async fn as_left(&self, run_id: &str, done: Appended, since: DateTime<Utc>) -> Result<Committed, Fault> {
        let run: Loaded<Run> = load_until(&self.log, run_id, done.last).await?;
        let (run_id, first_sequence) = (run_id.to_owned(), run.sequence + 1);
        Ok(Committed { run_id, run: run.state, events: Vec::new(), first_sequence, position: done.last, since })
    }

    /// What a command has appended to this run, read back. Another engine may have had the same to do, and was faster: what it has
    /// begun is its own to carry out.
    async fn as_found(&self, run_id: &str, appended: Appended, since: DateTime<Utc>) -> Result<Committed, Fault> {
        let recorded = self.log.load(&stream::<Run>(run_id)).await?;
        let (own, ours) = (self.recorded_by(), appended.first..=appended.last);
        let of_command =
            |event: &&Recorded| ours.contains(&event.position) && event.metadata.get("recorded_by").is_some_and(|by| *by == own);
        let first_sequence = recorded.iter().find(of_command).map_or(0, |event| event.sequence);
        let events = recorded.iter().filter(of_command).cloned().map(event::<Run>).collect::<Result<Vec<_>, _>>()?;
        let run = fold::<Run>(run_id, recorded)?.state;
        Ok(Committed { run_id: run_id.to_owned(), run, events, first_sequence, position: appended.last, since })
    }
}

fn is_of_caller(error: &AppendError, extras: &Extras) -> bool {
    matches!(error, AppendError::Moved { stream, .. } if extras.requires.iter().any(|(required, _)| required == stream))
}
