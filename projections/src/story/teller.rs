//! Telling a story: the run as it stood before each event, and the lines so far.

use std::collections::BTreeMap;

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{NoteRef, Run, RunEvent};
use serde_json::{Value, json};

use super::line::{StoryKind, StoryLine};
use super::step::Failure;
use super::{Signature, cleanup, gate, life, reconcile, results, step};
use crate::SeenEvent;
use crate::run_view::Notes;
use crate::sentences::erased;

pub(super) struct Teller<'a> {
    /// As it stood before the event that is being told.
    pub run: Run,
    notes: &'a Notes,
    pub lines: Vec<StoryLine>,
    /// Who brought its start about.
    pub started: Option<Signature>,
}

/// What a line is about.
#[derive(Clone, Copy, Default)]
pub(super) struct About<'a> {
    pub phase: Option<&'a str>,
    pub step: Option<&'a str>,
}

impl<'a> Teller<'a> {
    pub fn new(notes: &'a Notes) -> Self {
        Self { run: Run::default(), notes, lines: Vec::new(), started: None }
    }

    pub fn tell(&mut self, seen: &SeenEvent, event: RunEvent) {
        let from = self.lines.len();
        self.lines_of(&event);
        for line in &mut self.lines[from..] {
            (line.position, line.at) = (seen.position, seen.at());
            seen.actor().clone_into(&mut line.actor);
        }
        if matches!(event, RunEvent::RunStarted { .. }) {
            self.started = Some(Signature::of(seen));
        }
        self.run.apply(event);
    }

    /// Every event has its sentence: one that is new to the aggregate does not compile without.
    fn lines_of(&mut self, event: &RunEvent) {
        match event {
            RunEvent::RunScheduled { run, .. } => life::scheduled(self, "scheduled for", run),
            RunEvent::RunRepinned { run, .. } => life::scheduled(self, "pinned anew, for", run),
            RunEvent::RunWithdrawn { cause, .. } => life::withdrawn(self, *cause),
            RunEvent::RunBlocked { by, .. } => life::blocked(self, by),
            RunEvent::RunMissed { cause, .. } => life::missed(self, cause),
            RunEvent::RunStarted { late_seconds, budget, .. } => life::started(self, *late_seconds, budget),
            RunEvent::PhaseEntered { phase, gate_due, .. } => gate::entered(self, phase, *gate_due),
            RunEvent::RunDegraded { step, code, .. } => life::degraded(self, step.as_deref(), code),
            RunEvent::RunRecovered { step, phase, .. } => life::recovered(self, step.as_deref(), phase.as_deref()),
            RunEvent::GateSatisfied { phase, by, note, .. } => gate::opened(self, phase, *by, note.as_ref()),
            RunEvent::SignalsCounted { phase, through, matched, tally, last, .. } => {
                gate::counted(self, phase, *through, *matched, *tally, last);
            }
            RunEvent::GateTimedOut { phase, then, .. } => gate::timed_out(self, phase, *then),
            RunEvent::RunStalled { phase, .. } => gate::stalled(self, phase),
            RunEvent::RunPaused { step: Some(step), .. } => life::at_step(self, "paused", step),
            RunEvent::RunPaused { stop: Some(stop), .. } => life::by_stop(self, "paused", *stop),
            RunEvent::RunPaused { note, .. } => life::by_person(self, "paused", "paused", note.as_ref()),
            RunEvent::RunResumed { note, .. } => life::by_person(self, "running", "resumed", note.as_ref()),
            RunEvent::CapReread { dimension, cap, cap_from, .. } => {
                life::cap_reread(self, dimension, *cap, cap_from.as_deref());
            }
            RunEvent::StepSkipped { step, note, .. } => step::skipped(self, step, note.as_ref()),
            RunEvent::StepRetried { step, note, .. } => step::retried(self, step, note.as_ref()),
            RunEvent::RunFailed { step, .. } => life::at_step(self, "failed", step),
            RunEvent::RunCompleted { .. } => life::completed(self),
            RunEvent::RunCancelled { stop: Some(stop), .. } => life::by_stop(self, "cancelled", *stop),
            RunEvent::RunCancelled { cleanup, note, .. } => life::cancelled(self, *cleanup, note.as_ref()),
            RunEvent::StepClaimed { step, attempt, key, draws, target, .. } => {
                step::claimed(self, step, *attempt, key, draws, target.as_ref());
            }
            RunEvent::StepDone { step, resources, until, borrowed, replayed, held_until, words, .. } => {
                step::done(self, step, (resources, *until), borrowed.as_ref(), *replayed, *held_until, words.as_ref());
            }
            RunEvent::StepParked { step, resources, until, borrowed, words, .. } => {
                step::parked(self, step, (resources, *until), borrowed.as_ref(), words.as_ref());
            }
            RunEvent::StepConfirmed { step, note, .. } => step::confirmed(self, step, note.as_ref()),
            RunEvent::AttemptFailed { step, code, unknown, next_try_at, detail, words, .. } => {
                let (detail, words) = (detail.as_deref(), words.as_ref());
                step::attempt_failed(self, step, &Failure { code, unknown: *unknown, detail, words }, *next_try_at);
            }
            RunEvent::StepFailed { step, code, unknown, disposition, detail, words, .. } => {
                let (detail, words) = (detail.as_deref(), words.as_ref());
                step::failed(self, step, &Failure { code, unknown: *unknown, detail, words }, *disposition);
            }
            RunEvent::StepRefused { step, why, disposition, .. } => step::refused(self, step, why, *disposition),
            RunEvent::StepAbandoned { step, .. } => step::abandoned(self, step),
            RunEvent::UndoBegun { step, round, attempt, key, targets, .. } => {
                cleanup::begun(self, step, *round, *attempt, key, targets);
            }
            RunEvent::UndoSettled { step, undone, next_try_at, words, .. } => {
                cleanup::settled(self, step, undone, *next_try_at, words.as_ref());
            }
            RunEvent::ParticipantsReported { step, participants, .. } => results::reported(self, step, participants.len()),
            RunEvent::ResultsPublished { step, places, .. } => results::published(self, step.as_deref(), places.len()),
            RunEvent::GameRestarted { module, boot, .. } => reconcile::restarted(self, module, boot),
            RunEvent::HoldingsReconciled { module, lost, returned, unknown, .. } => {
                reconcile::told(self, module, lost, returned, *unknown);
            }
            RunEvent::CleanupRequested { round, .. } => cleanup::requested(self, *round),
            RunEvent::CleanupCompleted { .. } => cleanup::ended(self, 0),
            RunEvent::CleanupStopped { unresolved, .. } => cleanup::ended(self, *unresolved),
        }
    }

    /// Adds a line of the event at hand; place, instant and actor are filled in afterwards.
    pub fn say(&mut self, kind: StoryKind, about: About<'_>, text: String, detail: Value) {
        self.lines.push(StoryLine {
            position: 0,
            at: chrono::DateTime::UNIX_EPOCH,
            actor: String::new(),
            kind,
            phase: about.phase.map(str::to_owned),
            step: about.step.map(str::to_owned),
            text,
            detail,
        });
    }

    /// A step with the phase that it belongs to.
    pub fn about_step<'s>(&self, step: &'s str, phase: &'s mut String) -> About<'s> {
        let plan = self.run.plan();
        let of = plan.and_then(|plan| plan.phases.iter().find(|phase| phase.steps.iter().any(|planned| planned.key == step)));
        of.map_or("", |phase| phase.key.as_str()).clone_into(phase);
        About { phase: Some(phase.as_str()).filter(|phase| !phase.is_empty()), step: Some(step) }
    }

    /// The words behind a reference, while they are kept.
    pub fn words(&self, note: Option<&NoteRef>) -> Option<&'a str> {
        self.notes.get(&note?.id).map(String::as_str)
    }
}

/// A note as a line's detail has it: always its id and digest, the words while they are kept.
pub(super) fn note(note: Option<&NoteRef>, words: Option<&str>) -> Value {
    note.map_or(Value::Null, |note| json!({"id": note.id, "digest": note.digest, "words": words}))
}

/// Words at the end of a sentence, or that there were some.
pub(super) fn quoted(note: Option<&NoteRef>, words: Option<&str>) -> String {
    words.map_or_else(|| erased(note).to_owned(), |words| format!(": “{words}”"))
}

/// Draws as a line's detail has them.
pub(super) fn amounts(draws: &BTreeMap<String, u64>) -> Value {
    json!(draws)
}
