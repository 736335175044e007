//! What was in force at a place in the log: each hold on a target, by whose decision and under which version. From the
//! streams of the target, its run and its definition alone.

mod text;

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::event::StoredEvent;
use leasehold_aggregates::ledger::{Entry, EntryStatus, Hold, LedgerEvent};
use leasehold_aggregates::run::{RunEvent, Scheduled};
use leasehold_aggregates::target::Target;
use serde::Serialize;

use crate::story::{Answering, Signature, StoryFault};
use crate::{Placed, SeenEvent};

/// One hold, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InForce {
    pub module: String,
    pub scope: String,
    pub kind: String,
    #[serde(rename = "ref")]
    pub reference: String,
    /// `pending`, `confirmed` or `reverting`: the rest of the statuses hold nothing.
    pub status: EntryStatus,
    /// The value before, as apply's own answer told it; only of a borrowed value.
    pub baseline: Option<String>,
    pub applied: Option<String>,
    pub lease_until: Option<DateTime<Utc>>,
    pub revert_attempts: u32,
    /// Where the hold begins.
    pub held_since: Placed,
    pub run_id: String,
    /// The step that took it.
    pub step: String,
    pub definition_id: String,
    pub version: u64,
    pub title: String,
    pub rehearsal: bool,
    pub scheduled_for: DateTime<Utc>,
    /// Who put the run on the calendar: `scheduler` for an occurrence, a person for a start by hand.
    pub scheduled: Signed,
    pub started: Option<Signed>,
    /// Of the run's version, as far as it had happened by then.
    pub published: Option<Signed>,
    pub verified: Option<Signed>,
}

/// Somebody's act, with the name of who it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Signed {
    #[serde(flatten)]
    pub signature: Signature,
    /// Of the account, as it is called now; absent where it is no account, was erased, or is not the reader's to know.
    pub name: Option<String>,
}

/// A hold that its target is under, and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    pub target: Target,
    pub since: Placed,
    pub hold: Hold,
}

/// What a run's first events say of where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    pub run: Scheduled,
    pub scheduled: Signature,
    pub started: Option<Signature>,
}

/// Types of the events of a run that [`origin`] looks at.
pub const ORIGIN: [&str; 3] = ["run_scheduled", "run_repinned", "run_started"];

/// The hold that a target is under after these events, its whole stream up to some place; none where it is free.
pub fn held(target: &Target, events: &[SeenEvent]) -> Result<Option<Held>, StoryFault> {
    let (mut entry, mut since) = (Entry::default(), None);
    for seen in events {
        let was_free = entry.holder().is_none();
        entry.apply(decode::<LedgerEvent>(seen)?);
        if was_free {
            since = Some(Placed { position: seen.position, at: seen.at() });
        }
    }
    let hold = entry.holder().cloned();
    Ok(hold.zip(since).map(|(hold, since)| Held { target: target.clone(), since, hold }))
}

/// Where a run comes from, by its events of the types [`ORIGIN`]; none where nobody had scheduled it.
pub fn origin(events: &[SeenEvent]) -> Result<Option<Origin>, StoryFault> {
    let mut origin: Option<Origin> = None;
    for seen in events {
        match decode::<RunEvent>(seen)? {
            RunEvent::RunScheduled { run, .. } => {
                origin = Some(Origin { run: *run, scheduled: Signature::of(seen), started: None });
            }
            RunEvent::RunRepinned { run, .. } => {
                if let Some(origin) = &mut origin {
                    origin.run = *run;
                }
            }
            RunEvent::RunStarted { .. } => {
                if let Some(origin) = &mut origin {
                    origin.started = Some(Signature::of(seen));
                }
            }
            _ => {}
        }
    }
    Ok(origin)
}

/// Who had a part in it, as the log names them.
pub fn actors(origin: &Origin, answering: &Answering) -> BTreeSet<String> {
    let signed = [Some(&origin.scheduled), origin.started.as_ref(), answering.published.as_ref(), answering.verified.as_ref()];
    signed.into_iter().flatten().map(|signature| signature.by.clone()).collect()
}

fn decode<E: StoredEvent>(seen: &SeenEvent) -> Result<E, StoryFault> {
    seen.decode().map_err(|source| StoryFault::Undecodable { position: seen.position, source })
}

impl InForce {
    /// One hold with where it comes from; `name` knows what accounts are called.
    pub fn of(held: Held, origin: &Origin, answering: &Answering, name: impl Fn(&str) -> Option<String>) -> Self {
        let signed = |signature: &Signature| Signed { signature: signature.clone(), name: name(&signature.by) };
        let (Held { target, since, hold }, run) = (held, &origin.run);
        Self {
            module: target.module,
            scope: target.scope,
            kind: target.kind,
            reference: target.reference,
            status: hold.status,
            baseline: hold.baseline,
            applied: hold.applied,
            lease_until: hold.until,
            revert_attempts: hold.undo_attempts,
            held_since: since,
            run_id: hold.run_id,
            step: hold.step,
            definition_id: run.definition_id.clone(),
            version: run.definition_version,
            title: run.title.clone(),
            rehearsal: run.rehearsal,
            scheduled_for: run.scheduled_for,
            scheduled: signed(&origin.scheduled),
            started: origin.started.as_ref().map(signed),
            published: answering.published.as_ref().map(signed),
            verified: answering.verified.as_ref().map(signed),
        }
    }
}
