//! The lines of a run's own life: its status, its budget, its phases.

use leasehold_aggregates::run::{MissedCause, RunEvent, Scheduled, WithdrawnCause};
use leasehold_module::spell_duration;
use serde_json::{Value, json};

use super::line::StoryKind;
use super::teller::{About, Teller, note, quoted};
use crate::sentences::{instant, phase_label};

pub(super) fn tell(teller: &mut Teller<'_>, event: &RunEvent) {
    match event {
        RunEvent::RunScheduled { run, .. } => status(teller, "scheduled", scheduled("scheduled for", run), pinned(run)),
        RunEvent::RunRepinned { run, .. } => status(teller, "scheduled", scheduled("pinned anew, for", run), pinned(run)),
        RunEvent::RunWithdrawn { cause, .. } => {
            let why = match cause {
                WithdrawnCause::Archived => "its definition was archived",
                WithdrawnCause::Rescheduled => "a newer version does not have it, or is not verified",
            };
            status(teller, "cancelled", format!("taken off the calendar: {why}"), json!({"cause": cause}));
        }
        RunEvent::RunBlocked { by, .. } => {
            let text = format!("due, and held up by run {by}, which has the same concurrency key");
            status(teller, "scheduled", text, json!({"blockedBy": by}));
        }
        RunEvent::RunMissed { cause, .. } => {
            let why = match cause {
                MissedCause::GracePassed {} => "no engine was there before its grace was over".to_owned(),
                MissedCause::SlotHeld { by } => format!("run {by} had its concurrency key for all of its grace"),
            };
            status(teller, "missed", format!("missed: {why}"), json!({"missed": cause}));
        }
        RunEvent::RunStarted { late_seconds, budget, .. } => {
            let late = if *late_seconds == 0 { String::new() } else { format!(", {} late", spell_duration(*late_seconds)) };
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
        RunEvent::PhaseEntered { phase, gate_due, .. } => {
            let about = About { phase: Some(phase), step: None };
            let label = phase_label(&teller.run, phase);
            teller.say(StoryKind::PhaseEntered, about, format!("phase {label} began"), json!({}));
            if let Some(due) = gate_due {
                let text = format!("phase {label} ends at {} at the earliest", instant(*due));
                teller.say(StoryKind::PhaseGate, about, text, json!({"due": due}));
            }
        }
        RunEvent::GateSatisfied { phase, .. } => {
            let about = About { phase: Some(phase), step: None };
            let text = format!("the gate of phase {} opened: its time had come", phase_label(&teller.run, phase));
            teller.say(StoryKind::PhaseAdvanced, about, text, json!({"by": "deadline"}));
        }
        RunEvent::RunPaused { step, .. } => at_step(teller, "paused", step),
        RunEvent::RunFailed { step, .. } => at_step(teller, "failed", step),
        RunEvent::RunCompleted { .. } => status(teller, "completed", "completed".to_owned(), json!({})),
        RunEvent::RunCancelled { cleanup, note: reason, .. } => {
            let words = teller.words(reason.as_ref());
            let then = if *cleanup { "" } else { " without a teardown" };
            let detail = json!({"cleanup": cleanup, "note": note(reason.as_ref(), words)});
            status(teller, "cancelled", format!("cancelled{then}{}", quoted(reason.as_ref(), words)), detail);
        }
        _ => {}
    }
}

fn status(teller: &mut Teller<'_>, status: &str, text: String, mut detail: Value) {
    detail["status"] = json!(status);
    teller.say(StoryKind::RunStatus, About::default(), text, detail);
}

fn at_step(teller: &mut Teller<'_>, to: &str, step: &str) {
    let mut phase = String::new();
    let about = teller.about_step(step, &mut phase);
    teller.say(StoryKind::RunStatus, about, format!("{to} at step {step}"), json!({"status": to}));
}

fn scheduled(how: &str, run: &Scheduled) -> String {
    let slot = match &run.slot {
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
        "timezone": run.timezone,
        "dstAdjusted": run.dst_adjusted,
        "graceSeconds": run.grace_seconds,
        "concurrencyKey": run.concurrency_key,
        "rehearsal": run.rehearsal,
        "params": run.params,
    })
}
