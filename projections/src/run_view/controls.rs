//! What a person may do to the run now, and what would follow: asked of the decision itself, so that a button never
//! promises what the command refuses.

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{Run, RunCommand, RunEvent};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Surroundings, consequence};
use crate::sentences;

/// One control, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ControlView {
    /// The last part of its route.
    pub verb: &'static str,
    /// The step that it is about, where it is about one.
    pub step: Option<String>,
    pub legal: bool,
    /// Why not, in the words that the command would answer with.
    pub refusal: Option<String>,
    /// What would follow, in words; empty where it is not legal.
    pub consequence: Vec<String>,
}

pub(super) fn controls(run: &Run, around: Surroundings<'_>) -> Vec<ControlView> {
    let cancel = RunCommand::Cancel { at: around.at, cleanup: true, note: None };
    let mut controls = vec![control(run, "cancel", None, cancel, around)];
    let parked: Vec<&str> = run.steps.iter().filter(|step| step.parked).map(|step| step.key.as_str()).collect();
    if parked.is_empty() {
        controls.push(ControlView {
            verb: "confirm",
            step: None,
            legal: false,
            refusal: Some("no step of this run waits for a person".to_owned()),
            consequence: Vec::new(),
        });
    }
    controls.extend(parked.into_iter().map(|step| {
        let facts = around.facts.clone();
        let confirm = RunCommand::Confirm { at: around.at, step: step.to_owned(), note: None, facts };
        control(run, "confirm", Some(step), confirm, around)
    }));
    controls.push(control(run, "cleanup", None, RunCommand::Cleanup { at: around.at }, around));
    controls
}

/// What follows by itself at the next instant for which the run would then wait. A view does not know how late it is
/// when somebody reads it; where that instant has passed by then, all of it follows at once.
fn later(run: &Run, events: &[RunEvent], around: Surroundings<'_>) -> Vec<String> {
    let mut after = run.clone();
    for event in events {
        after.apply(event.clone());
    }
    let Some(due) = after.waits_until() else { return Vec::new() };
    let advance = RunCommand::Advance { at: due, facts: around.facts.clone() };
    let following = after.decide(advance).unwrap_or_default();
    let said = consequence::consequences(&after, &following).into_iter();
    said.map(|line| format!("from {} on: {line}", sentences::second(due))).collect()
}

fn control(run: &Run, verb: &'static str, step: Option<&str>, command: RunCommand, around: Surroundings<'_>) -> ControlView {
    let (refusal, consequence) = match run.decide(command) {
        Ok(events) if events.is_empty() => (Some("there is nothing left to do".to_owned()), Vec::new()),
        Ok(events) => (None, consequence::consequences(run, &events).into_iter().chain(later(run, &events, around)).collect()),
        Err(refusal) => (Some(refusal.to_string()), Vec::new()),
    };
    ControlView { verb, step: step.map(str::to_owned), legal: refusal.is_none(), refusal, consequence }
}
