//! The lines of a run's phases and their gates.

use chrono::{DateTime, Utc};
use leasehold_aggregates::plan::OnFailure;
use leasehold_aggregates::run::{NoteRef, PlannedGate, SatisfiedBy, SignalSeen};
use serde_json::json;

use super::line::StoryKind;
use super::teller::{About, Teller, note, quoted};
use crate::sentences::{instant, phase_label, time_out};

pub(super) fn entered(teller: &mut Teller<'_>, phase: &str, gate_due: Option<DateTime<Utc>>) {
    let about = About { phase: Some(phase), step: None };
    let label = phase_label(&teller.run, phase);
    teller.say(StoryKind::PhaseEntered, about, format!("phase {label} began"), json!({}));
    if let Some(gate) = planned(teller, phase) {
        let given_up = gate_due.map(|due| format!("; until {} at the latest", instant(due))).unwrap_or_default();
        let text = format!("phase {label} waits for {}{given_up}", gate.words());
        let detail = json!({"on": gate.trigger, "where": gate.condition, "needed": gate.needed, "until": gate_due});
        teller.say(StoryKind::PhaseGate, about, text, detail);
    } else if let Some(due) = gate_due {
        let text = format!("phase {label} ends at {} at the earliest", instant(due));
        teller.say(StoryKind::PhaseGate, about, text, json!({"due": due}));
    }
}

pub(super) fn opened(teller: &mut Teller<'_>, phase: &str, by: SatisfiedBy, said: Option<&NoteRef>) {
    let words = teller.words(said);
    let why = match by {
        SatisfiedBy::Elapsed => "its time had come",
        SatisfiedBy::Condition => "what it waited for had come",
        SatisfiedBy::TimedOut => "it had waited as long as it may",
        SatisfiedBy::Human => "somebody opened it",
    };
    let text = format!("the gate of phase {} opened: {why}{}", phase_label(&teller.run, phase), quoted(said, words));
    let detail = json!({"by": by, "note": note(said, words)});
    teller.say(StoryKind::PhaseAdvanced, About { phase: Some(phase), step: None }, text, detail);
}

pub(super) fn counted(teller: &mut Teller<'_>, phase: &str, through: u64, matched: u64, tally: u64, last: &SignalSeen) {
    let needed = planned(teller, phase).map_or(0, |gate| gate.needed);
    let label = phase_label(&teller.run, phase);
    let text = match &last.why_not {
        None => format!("a signal for the gate of phase {label} counted: {tally} of {needed}"),
        Some(why) => format!("a signal for the gate of phase {label} did not count: {why}; {tally} of {needed}"),
    };
    let detail = json!({"through": through, "matched": matched, "tally": tally, "needed": needed, "last": last});
    teller.say(StoryKind::ConditionEvaluated, About { phase: Some(phase), step: None }, text, detail);
}

pub(super) fn timed_out(teller: &mut Teller<'_>, phase: &str, then: OnFailure) {
    let label = phase_label(&teller.run, phase);
    let text = format!("the gate of phase {label} has waited as long as it may: {}", time_out(then));
    let kind = if then == OnFailure::Skip { StoryKind::PhaseGate } else { StoryKind::RunStatus };
    let status = match then {
        OnFailure::Skip => None,
        OnFailure::Pause => Some("paused"),
        OnFailure::Abort => Some("failed"),
    };
    teller.say(kind, About { phase: Some(phase), step: None }, text, json!({"then": then, "status": status}));
}

pub(super) fn stalled(teller: &mut Teller<'_>, phase: &str) {
    let text = format!("stalled: the gate of phase {} still waits for its signals", phase_label(&teller.run, phase));
    teller.say(StoryKind::PhaseGate, About { phase: Some(phase), step: None }, text, json!({"stalled": true}));
}

fn planned(teller: &Teller<'_>, phase: &str) -> Option<PlannedGate> {
    let gate = teller.run.signal_gates().find(|(planned, _)| planned.key == phase);
    gate.map(|(_, gate)| gate.clone())
}
