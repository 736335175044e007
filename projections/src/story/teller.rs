//! Telling a story: the run as it stood before each event, and the lines so far.

use std::collections::BTreeMap;

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{NoteRef, Run, RunEvent};
use serde_json::{Value, json};

use super::line::{StoryKind, StoryLine};
use super::{cleanup, life, step};
use crate::SeenEvent;
use crate::run_view::Notes;
use crate::sentences::erased;

pub(super) struct Teller<'a> {
    /// As it stood before the event that is being told.
    pub run: Run,
    notes: &'a Notes,
    lines: Vec<StoryLine>,
}

/// What a line is about.
#[derive(Clone, Copy, Default)]
pub(super) struct About<'a> {
    pub phase: Option<&'a str>,
    pub step: Option<&'a str>,
}

impl<'a> Teller<'a> {
    pub fn new(notes: &'a Notes) -> Self {
        Self { run: Run::default(), notes, lines: Vec::new() }
    }

    pub fn tell(&mut self, seen: &SeenEvent, event: RunEvent) {
        let from = self.lines.len();
        self.lines_of(&event);
        for line in &mut self.lines[from..] {
            (line.position, line.at) = (seen.position, seen.at());
            seen.actor().clone_into(&mut line.actor);
        }
        self.run.apply(event);
    }

    pub fn end(self) -> (Run, Vec<StoryLine>) {
        (self.run, self.lines)
    }

    fn lines_of(&mut self, event: &RunEvent) {
        match event {
            RunEvent::RunScheduled { .. }
            | RunEvent::RunRepinned { .. }
            | RunEvent::RunWithdrawn { .. }
            | RunEvent::RunBlocked { .. }
            | RunEvent::RunMissed { .. }
            | RunEvent::RunStarted { .. }
            | RunEvent::PhaseEntered { .. }
            | RunEvent::GateSatisfied { .. }
            | RunEvent::RunPaused { .. }
            | RunEvent::RunCompleted { .. }
            | RunEvent::RunCancelled { .. }
            | RunEvent::RunFailed { .. } => life::tell(self, event),
            RunEvent::StepClaimed { .. }
            | RunEvent::StepDone { .. }
            | RunEvent::StepParked { .. }
            | RunEvent::StepConfirmed { .. }
            | RunEvent::AttemptFailed { .. }
            | RunEvent::StepFailed { .. }
            | RunEvent::StepRefused { .. }
            | RunEvent::StepAbandoned { .. } => step::tell(self, event),
            RunEvent::UndoBegun { .. }
            | RunEvent::UndoSettled { .. }
            | RunEvent::CleanupRequested { .. }
            | RunEvent::CleanupCompleted { .. }
            | RunEvent::CleanupStopped { .. } => cleanup::tell(self, event),
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
