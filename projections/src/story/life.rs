//! The lines of a run's own life: its status and its budget.

use leasehold_aggregates::authorise::Meter;
use leasehold_aggregates::run::{MissedCause, NoteRef, Scheduled, WithdrawnCause};
use leasehold_module::spell_duration;
use serde_json::{Value, json};
use uuid::Uuid;

use super::line::StoryKind;
use super::teller::{About, Teller, note, quoted};
use crate::sentences::{instant, recovery};

pub(super) fn scheduled(teller: &mut Teller<'_>, how: &str, run: &Scheduled) {
    status(teller, "scheduled", in_words(how, run), pinned(run));
}

pub(super) fn withdrawn(teller: &mut Teller<'_>, cause: WithdrawnCause) {
    let why = match cause {
        WithdrawnCause::Archived => "its definition was archived",
        WithdrawnCause::Rescheduled => "a newer version does not have it",
        WithdrawnCause::NeverVerified => "nobody has verified its version",
        WithdrawnCause::Skipped => "somebody has decided that this one does not happen",
    };
    status(teller, "cancelled", format!("taken off the calendar: {why}"), json!({"cause": cause}));
}

pub(super) fn blocked(teller: &mut Teller<'_>, by: &str) {
    let text = format!("due, and held up by run {by}, which has the same concurrency key");
    status(teller, "scheduled", text, json!({"blockedBy": by}));
}

pub(super) fn missed(teller: &mut Teller<'_>, cause: &MissedCause) {
    let why = match cause {
        MissedCause::GracePassed {} => "no engine was there before its grace was over".to_owned(),
        MissedCause::SlotHeld { by } => format!("run {by} had its concurrency key for all of its grace"),
        MissedCause::Stopped { stop } => format!("everything was stopped (stop {stop})"),
        MissedCause::Frozen { freeze, from, to } => {
            format!("nothing was to start from {} until {} (freeze {freeze})", instant(*from), instant(*to))
        }
    };
    status(teller, "missed", format!("missed: {why}"), json!({"missed": cause}));
}

pub(super) fn started(teller: &mut Teller<'_>, late_seconds: u64, budget: &[Meter]) {
    let late = if late_seconds == 0 { String::new() } else { format!(", {} late", spell_duration(late_seconds)) };
    status(teller, "running", format!("started{late}"), json!({"lateSeconds": late_seconds}));
    for meter in budget {
        let (dimension, from) = (&meter.dimension, meter.cap_from.as_deref().unwrap_or("nobody"));
        let text = match meter.cap {
            Some(cap) => format!("may spend {cap} of {dimension}, by the switch of {from}"),
            None => format!("may spend {dimension} without a cap"),
        };
        teller.say(StoryKind::RunBudget, About::default(), text, json!(meter));
    }
}

/// A stop of everything has paused or ended it.
pub(super) fn by_stop(teller: &mut Teller<'_>, to: &str, stop: Uuid) {
    status(teller, to, format!("{to}: everything was stopped (stop {stop})"), json!({"stop": stop}));
}

/// A person has stopped it, or set it going again.
pub(super) fn by_person(teller: &mut Teller<'_>, to: &str, done: &str, said: Option<&NoteRef>) {
    let words = teller.words(said);
    status(teller, to, format!("{done} by a person{}", quoted(said, words)), json!({"note": note(said, words)}));
}

pub(super) fn cap_reread(teller: &mut Teller<'_>, dimension: &str, cap: Option<u64>, from: Option<&str>) {
    let meter = teller.run.budget.iter().find(|meter| meter.dimension == dimension);
    let consumed = meter.map_or(0, |meter| meter.consumed);
    let text = match cap {
        Some(cap) => format!("may spend {cap} of {dimension} from now on, by the switch of {}", from.unwrap_or("nobody")),
        None => format!("may spend {dimension} without a cap from now on"),
    };
    let detail = json!({"dimension": dimension, "consumed": consumed, "cap": cap, "capFrom": from});
    teller.say(StoryKind::RunBudget, About::default(), text, detail);
}

pub(super) fn completed(teller: &mut Teller<'_>) {
    status(teller, "completed", "completed".to_owned(), json!({}));
}

pub(super) fn cancelled(teller: &mut Teller<'_>, cleanup: bool, reason: Option<&NoteRef>) {
    let words = teller.words(reason);
    let then = if cleanup { "" } else { " without a teardown" };
    let detail = json!({"cleanup": cleanup, "note": note(reason, words)});
    status(teller, "cancelled", format!("cancelled{then}{}", quoted(reason, words)), detail);
}

pub(super) fn degraded(teller: &mut Teller<'_>, step: Option<&str>, code: &str) {
    let mut phase = String::new();
    let about = step.map_or_else(About::default, |step| teller.about_step(step, &mut phase));
    let at = step.map(|step| format!("step {step}, ")).unwrap_or_default();
    let text = format!("in trouble from here on: {at}{}", code.replace('_', " "));
    teller.say(StoryKind::RunHealth, about, text, json!({"health": "degraded", "code": code}));
}

pub(super) fn recovered(teller: &mut Teller<'_>, step: Option<&str>, phase: Option<&str>) {
    let text = format!("recovered: {}", recovery(&teller.run, step, phase));
    teller.say(StoryKind::RunHealth, About { phase, step }, text, json!({"health": "recovered"}));
}

/// It paused or failed at a step.
pub(super) fn at_step(teller: &mut Teller<'_>, to: &str, step: &str) {
    let mut phase = String::new();
    let about = teller.about_step(step, &mut phase);
    teller.say(StoryKind::RunStatus, about, format!("{to} at step {step}"), json!({"status": to}));
}

fn status(teller: &mut Teller<'_>, status: &str, text: String, mut detail: Value) {
    detail["status"] = json!(status);
    teller.say(StoryKind::RunStatus, About::default(), text, detail);
}

fn in_words(how: &str, run: &Scheduled) -> String {
    let slot = match &run.slot {
        Some(slot) if run.moved_from.is_some() => format!("moved from {slot} in {}", run.timezone),
        Some(slot) => format!("{slot} in {}", run.timezone),
        None => "started by hand".to_owned(),
    };
    let rehearsal = if run.rehearsal { ", as a rehearsal" } else { "" };
    let (version, definition) = (run.definition_version, &run.definition_id);
    format!("{how} {} ({slot}) by version {version} of definition {definition}{rehearsal}", instant(run.scheduled_for))
}

fn pinned(run: &Scheduled) -> Value {
    json!({
        "definitionId": run.definition_id,
        "version": run.definition_version,
        "scope": run.scope,
        "slot": run.slot,
        "generation": run.generation,
        "scheduledFor": run.scheduled_for,
        "movedFrom": run.moved_from,
        "timezone": run.timezone,
        "dstAdjusted": run.dst_adjusted,
        "graceSeconds": run.grace_seconds,
        "concurrencyKey": run.concurrency_key,
        "rehearsal": run.rehearsal,
        "params": run.params,
    })
}
