//! The engine's own triggers: what happens to its runs, for gates and trigger files to wait for.

use leasehold_aggregates::plan::OnFailure;
use leasehold_aggregates::run::{Run, RunEvent, UndoOutcome};
use leasehold_module::{
    Answering, Failure, Manifest, Module, ParamType, Perform, Performed, Revert, Reverted, Trigger, TriggerField,
};
use serde_json::{Map, Value, json};

/// The id of the module under which the engine declares them.
pub const EVENT: &str = "event";

/// Nothing but the last phase and the teardown is left of a run.
const ENDING: &str = "event.run.ending";

/// Id, label, and what a gate on it waits for.
const TRIGGERS: [(&str, &str, &str); 14] = [
    ("event.run.scheduled", "A run came onto the calendar", "a run to come onto the calendar"),
    ("event.run.started", "A run started", "a run to start"),
    ("event.phase.changed", "A run entered a phase", "a run to enter a phase"),
    (ENDING, "A run entered its last phase", "a run to enter its last phase"),
    ("event.run.completed", "A run completed", "a run to complete"),
    ("event.run.cancelled", "A run was cancelled", "a run to be cancelled"),
    ("event.run.failed", "A run failed", "a run to fail"),
    ("event.run.missed", "A run was missed", "a run to be missed"),
    ("event.run.stalled", "A run stalled at a gate", "a run to stall"),
    ("event.run.degraded", "A run had its first trouble", "a run to have trouble"),
    ("event.run.drifted", "Something that a run held was changed by somebody else", "a run to find something changed"),
    ("event.run.cleanup_incomplete", "A run could not put everything back", "a run to leave something behind"),
    ("event.results.published", "The result of a run was published", "a result to be published"),
    ("event.run.recovered", "A run that needed somebody goes on or is clean", "a run to recover"),
];

/// The module `event`: it declares, and does nothing.
pub struct Own {
    manifest: Manifest,
}

impl Default for Own {
    fn default() -> Self {
        let triggers = TRIGGERS.iter().map(|(id, label, awaiting)| Trigger {
            id: (*id).into(),
            label: (*label).into(),
            awaiting: (*awaiting).into(),
            fields: fields(),
        });
        let manifest = Manifest {
            id: EVENT.into(),
            label: "Events themselves".into(),
            version: 1,
            triggers: triggers.collect(),
            ..Manifest::default()
        };
        Self { manifest }
    }
}

fn fields() -> Vec<TriggerField> {
    let field = |name: &str, value_type, example| TriggerField { name: name.into(), value_type, example };
    vec![
        field("definition", ParamType::String, json!("4b0c7a6e-2f61-4f0f-9d2a-6f2d3c1b5a90")),
        field("title", ParamType::String, json!("Harvest Party")),
        field("run", ParamType::String, json!("0f6f2d5e-8a1b-5c3d-9e4f-7a6b5c4d3e2f")),
        field("version", ParamType::Int, json!(1)),
        field("rehearsal", ParamType::Bool, json!(false)),
        field("phase", ParamType::String, json!("gather")),
    ]
}

impl Module for Own {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn perform(&self, request: Perform) -> Answering<'_, Performed> {
        let reason = format!("there is no action {}", request.action);
        Box::pin(async { Performed::Failed(Failure::refused("no_such_action", reason)) })
    }

    fn revert(&self, request: Revert) -> Answering<'_, Reverted> {
        let reason = format!("{} makes nothing", request.action);
        Box::pin(async { Reverted::Failed(Failure::refused("nothing_to_revert", reason)) })
    }
}

/// The triggers that an event of a run may fire, by its type alone: which of them, the run before it tells.
pub fn candidates(event_type: &str) -> &'static [&'static str] {
    match event_type {
        "run_scheduled" => &["event.run.scheduled"],
        "run_started" => &["event.run.started"],
        "phase_entered" => &["event.phase.changed", ENDING],
        "run_completed" => &["event.run.completed"],
        "run_cancelled" | "run_withdrawn" => &["event.run.cancelled"],
        "run_failed" | "gate_timed_out" => &["event.run.failed"],
        "run_missed" => &["event.run.missed"],
        "run_stalled" => &["event.run.stalled"],
        "run_degraded" => &["event.run.degraded"],
        "undo_settled" => &["event.run.drifted"],
        "cleanup_stopped" => &["event.run.cleanup_incomplete"],
        "results_published" => &["event.results.published"],
        "run_recovered" => &["event.run.recovered"],
        _ => &[],
    }
}

/// The triggers that this event fires, on the run as it has left it; none where it is an ordinary one.
pub fn fired(event: &RunEvent, run: &Run) -> Vec<&'static str> {
    let candidates = candidates(cqrs_es::DomainEvent::event_type(event).as_str());
    let fires = |trigger: &str| match event {
        RunEvent::PhaseEntered { .. } => trigger != ENDING || is_in_its_last_phase(run),
        RunEvent::GateTimedOut { then, .. } => *then == OnFailure::Abort,
        RunEvent::UndoSettled { undone, .. } => undone.iter().any(|one| matches!(one.result, UndoOutcome::Drifted { .. })),
        _ => true,
    };
    candidates.iter().copied().filter(|trigger| fires(trigger)).collect()
}

fn is_in_its_last_phase(run: &Run) -> bool {
    run.plan().is_some_and(|plan| plan.phases.len() == run.phases.len())
}

/// What such a signal carries: the run as the event has left it.
pub fn vars(run: &Run) -> Map<String, Value> {
    let Some(scheduled) = &run.scheduled else { return Map::new() };
    let mut vars = Map::from_iter([
        ("definition".to_owned(), json!(scheduled.definition_id)),
        ("title".to_owned(), json!(scheduled.title)),
        ("run".to_owned(), json!(scheduled.run_id)),
        ("version".to_owned(), json!(scheduled.definition_version)),
        ("rehearsal".to_owned(), json!(scheduled.rehearsal)),
    ]);
    if let Some(phase) = run.phases.last() {
        vars.insert("phase".to_owned(), json!(phase.key));
    }
    vars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_is_sound_and_every_candidate_is_declared() {
        let own = Own::default();
        assert_eq!(own.manifest().faults(), []);
        for event_type in <RunEvent as leasehold_aggregates::event::StoredEvent>::TYPES.iter().map(|(name, _)| *name) {
            for trigger in candidates(event_type) {
                assert!(own.manifest().triggers.iter().any(|declared| declared.id == *trigger), "{event_type}: {trigger}");
            }
        }
    }

    #[test]
    fn only_a_gate_that_gives_the_run_up_fails_it() {
        let at = chrono::DateTime::UNIX_EPOCH;
        let timed_out = |then| fired(&RunEvent::GateTimedOut { at, phase: "lights".into(), then }, &Run::default());
        assert_eq!(timed_out(OnFailure::Abort), ["event.run.failed"]);
        assert_eq!((timed_out(OnFailure::Skip), timed_out(OnFailure::Pause)), (vec![], vec![]));
    }
}
