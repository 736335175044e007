//! What became of one occurrence, and why.

use chrono::{DateTime, Utc};
use leasehold_aggregates::schedule::{LocalDateTime, place};
use leasehold_projections::definitions::{SlotFact, SlotFactKind};
use leasehold_projections::runs::{NotRun, SlotRun};
use serde::Serialize;
use uuid::Uuid;

use super::Accounted;
use super::source::Named;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Its run has begun.
    Executed,
    NotExecuted,
    /// It may still begin.
    Ahead,
}

/// What became of it; of what is ahead, what speaks against it so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fate {
    pub outcome: Outcome,
    /// Its run's status, where it has one.
    pub status: Option<String>,
    pub cause: Option<String>,
    /// The cause as a sentence.
    pub reason: Option<String>,
    /// When that was so decided, or when it began.
    pub when: Option<DateTime<Utc>>,
    /// An account's id, `scheduler` or `runner`.
    pub by: Option<String>,
    /// The run that had its concurrency key.
    pub holder: Option<String>,
    /// The window in which nothing started.
    pub freeze: Option<Uuid>,
    #[serde(skip)]
    pub note: Option<Uuid>,
    /// What the person who decided it wrote.
    #[serde(rename = "note")]
    pub words: Option<String>,
}

impl Fate {
    /// Whether it is among what was executed, or among what was not.
    pub fn is_of(&self, executed: bool) -> bool {
        self.outcome == if executed { Outcome::Executed } else { Outcome::NotExecuted }
    }

    fn plain(outcome: Outcome) -> Self {
        Self {
            outcome,
            status: None,
            cause: None,
            reason: None,
            when: None,
            by: None,
            holder: None,
            freeze: None,
            note: None,
            words: None,
        }
    }

    fn not_run(told: &NotRun) -> Self {
        Self {
            reason: Some(sentence(&told.cause, told.holder.as_deref())),
            cause: Some(told.cause.clone()),
            when: Some(told.at),
            by: Some(told.by.clone()),
            holder: told.holder.clone(),
            freeze: told.freeze,
            note: told.note.as_ref().map(|note| note.id),
            ..Self::plain(Outcome::NotExecuted)
        }
    }

    fn of_fact(outcome: Outcome, cause: &str, fact: &SlotFact) -> Self {
        Self {
            reason: Some(sentence(cause, None)),
            cause: Some(cause.to_owned()),
            when: Some(fact.at),
            by: Some(fact.by.clone()),
            note: fact.note.as_ref().map(|note| note.id),
            ..Self::plain(outcome)
        }
    }
}

/// A slot that a schedule in force names.
pub(super) fn of_slot(
    named: &Named<'_>,
    slot: &str,
    run: Option<&SlotRun>,
    fact: Option<&SlotFact>,
    now: DateTime<Utc>,
) -> Accounted {
    if let Some(run) = run {
        let told = of_known_run(run, fact);
        return Accounted { title: named.source.title.clone(), ..accounted(run, named.at, told) };
    }
    let moved = fact.filter(|fact| fact.kind == SlotFactKind::Moved).and_then(|fact| fact.moved_to.as_deref());
    let moved = moved.and_then(|to| to.parse::<LocalDateTime>().ok()).map(|to| place(to, named.zone));
    let scheduled_for = moved.as_ref().map_or(named.at, |moved| moved.at);
    Accounted {
        definition_id: named.source.definition_id.clone(),
        slug: named.source.slug.clone(),
        title: named.source.title.clone(),
        version: named.source.version,
        slot: slot.to_owned(),
        timezone: named.source.timezone.clone(),
        at: named.at,
        scheduled_for,
        moved_from: moved.as_ref().map(|_| named.at),
        dst_adjusted: moved.map_or(named.dst_adjusted, |moved| moved.dst_adjusted),
        run_id: None,
        fate: without_run(fact, named.is_over(scheduled_for, now)),
    }
}

/// A run whose slot no schedule in force names: it was on the calendar once.
pub(super) fn of_run(run: &SlotRun, fact: Option<&SlotFact>) -> Accounted {
    accounted(run, run.slot_at, of_known_run(run, fact))
}

fn accounted(run: &SlotRun, at: DateTime<Utc>, fate: Fate) -> Accounted {
    Accounted {
        definition_id: run.definition_id.clone(),
        slug: run.slug.clone(),
        title: run.title.clone(),
        version: run.version,
        slot: run.slot.clone(),
        timezone: run.timezone.clone(),
        at,
        scheduled_for: run.scheduled_for,
        moved_from: run.moved_from,
        dst_adjusted: run.dst_adjusted,
        run_id: Some(run.run_id.clone()),
        fate,
    }
}

/// What was put on record last counts: a slot that was taken off the calendar may have been withheld for another reason
/// since.
fn of_known_run(run: &SlotRun, fact: Option<&SlotFact>) -> Fate {
    let later = fact.filter(|fact| fact.position > run.position);
    let fate = match (&run.not_run, later, run.started_at) {
        (_, _, Some(started)) => Fate { when: Some(started), by: None, ..Fate::plain(Outcome::Executed) },
        (Some(_), Some(fact), None) if fact.kind == SlotFactKind::Withheld => {
            Fate::of_fact(Outcome::NotExecuted, fact.cause.as_deref().unwrap_or_default(), fact)
        }
        (Some(not_run), fact, None) => {
            let mut fate = Fate::not_run(not_run);
            if let ("archived", Some((when, by))) = (not_run.cause.as_str(), &run.archived) {
                (fate.when, fate.by) = (Some(*when), Some(by.clone()));
            }
            if fate.note.is_none() && not_run.cause == "skipped" {
                fate.note = fact.and_then(|fact| fact.note.as_ref()).map(|note| note.id);
            }
            fate
        }
        (None, _, None) => Fate::plain(Outcome::Ahead),
    };
    Fate { status: Some(run.status.to_string()), ..fate }
}

fn without_run(fact: Option<&SlotFact>, over: bool) -> Fate {
    let decided = |outcome, cause: &str, fact| Fate::of_fact(outcome, cause, fact);
    match fact.map(|fact| (fact.kind, fact.cause.as_deref().unwrap_or_default(), fact)) {
        Some((SlotFactKind::Skipped, _, fact)) => decided(Outcome::NotExecuted, "skipped", fact),
        Some((SlotFactKind::Withheld, cause @ ("merged" | "missed"), fact)) => decided(Outcome::NotExecuted, cause, fact),
        Some((SlotFactKind::Withheld, cause, fact)) if over => decided(Outcome::NotExecuted, cause, fact),
        Some((SlotFactKind::Withheld, cause, fact)) => decided(Outcome::Ahead, cause, fact),
        _ if over => {
            let reason = Some(sentence("missed", None));
            Fate { cause: Some("missed".to_owned()), reason, ..Fate::plain(Outcome::NotExecuted) }
        }
        _ => Fate::plain(Outcome::Ahead),
    }
}

fn sentence(cause: &str, holder: Option<&str>) -> String {
    let why = match cause {
        "missed" => "no engine was there before its grace was over",
        "slot_held" => return format!("run {} had its concurrency key for all of its grace", holder.unwrap_or("?")),
        "frozen" => "it fell due in a window in which nothing starts",
        "stopped" => "it fell due while everything was stopped",
        "never_verified" => "nobody had verified its version",
        "dormant" => "an action or value that it names was not there",
        "unknown_zone" => "the zone data in use had not its zone",
        "merged" => "it falls on the instant of an earlier one",
        "archived" => "its definition was archived",
        "withdrawn" => "a newer version does not have it",
        "skipped" => "somebody has decided that it does not happen",
        "cancelled" => "somebody has cancelled it before it began",
        other => other,
    };
    why.to_owned()
}
