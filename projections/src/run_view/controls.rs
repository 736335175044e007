//! What a person may do to the run now, and what would follow: asked of the decision itself, so that a button never
//! promises what the command refuses.

use leasehold_aggregates::account::Role;
use leasehold_aggregates::authorise::Asker;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{Retry, Run, RunCommand, RunEvent};
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

/// All eight, in one order. What is about a step names the one at which the run stands.
pub(super) fn controls(run: &Run, around: Surroundings<'_>) -> Vec<ControlView> {
    let Surroundings { at, facts, .. } = around;
    let facts = || facts.clone();
    let whole = |verb, command| control(run, verb, None, command, around);
    let cancel = RunCommand::Cancel { at, by: Asker::Person(Role::Admin), cleanup: true, stop: None, note: None };
    let open = run.open_step().map(|step| step.key.clone());
    let parked = run.states().find(|step| step.parked).map(|step| step.key.clone());
    let stopped = run.furthest_step().map(|step| step.key.clone());
    let skip = |step| RunCommand::Skip { at, step, note: None, facts: facts() };
    let retry = |step| RunCommand::Retry(Retry { at, step, note: None, facts: facts(), caps: Some(around.budget_now.to_vec()) });
    let confirm = |step| RunCommand::Confirm { at, step, note: None, facts: facts() };
    let of_step = |verb, step: Option<String>, none: &str, command: &dyn Fn(String) -> RunCommand| match step {
        Some(step) => control(run, verb, Some(&step), command(step.clone()), around),
        None => refused(verb, none.to_owned()),
    };
    vec![
        whole("pause", RunCommand::Pause { at, stop: None, note: None }),
        whole("resume", RunCommand::Resume { at, note: None, facts: facts() }),
        whole("advance", RunCommand::OpenGate { at, note: None }),
        whole("cancel", cancel),
        whole("cleanup", RunCommand::Cleanup { at }),
        of_step("skip", open, "no step of this run is open", &skip),
        of_step("retry", stopped, "no step of this run has been begun with", &retry),
        of_step("confirm", parked, "no step of this run waits for a person", &confirm),
    ]
}

fn refused(verb: &'static str, why: String) -> ControlView {
    ControlView { verb, step: None, legal: false, refusal: Some(why), consequence: Vec::new() }
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
