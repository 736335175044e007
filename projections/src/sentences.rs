//! Words that more than one view needs, each in one place.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat, Utc};
use leasehold_aggregates::note::NoteRef;
use leasehold_aggregates::plan::OnFailure;
use leasehold_aggregates::run::{Run, StepState, StepStatus};
use leasehold_module::spell_duration;

/// An instant in UTC, with as many decimals as it needs.
pub(crate) fn instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// An instant in UTC to the second, for sentences that people read.
pub(crate) fn second(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// The phase's label in quotes, or its key where the plan has no such phase.
pub(crate) fn phase_label(run: &Run, key: &str) -> String {
    let phase = run.plan().and_then(|plan| plan.phases.iter().find(|phase| phase.key == key));
    format!("“{}”", phase.map_or(key, |phase| phase.label.as_str()))
}

/// What went wrong: the engine's own sentence and a game's words, as far as there are any; else what the code stands for.
/// Where `note` has lost its words, that is told.
pub(crate) fn error(code: &str, detail: Option<&str>, note: Option<&NoteRef>, words: Option<&str>) -> String {
    match (detail, words) {
        (Some(detail), Some(words)) => format!("{detail}: “{words}”"),
        (None, Some(words)) => words.to_owned(),
        (Some(detail), None) => format!("{detail}{}", erased(note)),
        (None, None) => format!("{}{}", code.replace('_', " "), erased(note)),
    }
}

/// What is told in the place of a note that is not kept any more.
pub(crate) fn erased(note: Option<&NoteRef>) -> &'static str {
    if note.is_some() { " (its words were erased)" } else { "" }
}

/// What a gate of time waits for.
pub(crate) fn time_gate(label: &str, after_seconds: u64, due: DateTime<Utc>) -> String {
    format!("{} after “{label}” began, which is {}", spell_duration(after_seconds), second(due))
}

/// Why no signal comes for a gate.
pub(crate) fn dormant(trigger: &str, module: &str) -> String {
    format!("no installed module declares {trigger}, so no signal comes; module {module} is missing")
}

/// What becomes of a run whose gate has waited as long as it may.
pub(crate) fn time_out(then: OnFailure) -> &'static str {
    match then {
        OnFailure::Skip => "the run goes on without it",
        OnFailure::Pause => "the run waits for a person",
        OnFailure::Abort => "the run ends as failed",
    }
}

/// Why a phase cannot end although its gate may be open.
pub(crate) fn holds_its_phase(step: &StepState) -> String {
    let key = &step.key;
    match (step.parked, step.status, step.not_before) {
        (true, ..) => format!("step {key} waits for a person"),
        (_, StepStatus::Running, _) => format!("step {key} is being carried out"),
        (_, _, Some(next)) => format!("step {key} is tried again at {}", second(next)),
        _ => format!("step {key} is still to come"),
    }
}

/// What went right after all.
pub(crate) fn recovery(run: &Run, step: Option<&str>, phase: Option<&str>) -> String {
    match (step, phase) {
        (Some(step), _) => format!("step {step} is settled, and nothing else is wrong"),
        (None, Some(phase)) => format!("the gate of the phase {} opened after all", phase_label(run, phase)),
        (None, None) if !run.status.terminal() => "the game that had started anew has told what is left".to_owned(),
        (None, None) => "everything is put back after all".to_owned(),
    }
}

/// Amounts by dimension.
pub(crate) fn draws(draws: &BTreeMap<String, u64>) -> String {
    let each: Vec<String> = draws.iter().map(|(dimension, amount)| format!("{amount} of {dimension}")).collect();
    each.join(", ")
}

/// A number and its noun.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// A number, its noun and the verb that goes with it.
pub(crate) fn is_or_are(number: usize, noun: &str) -> String {
    format!("{} {}", count(number, noun), if number == 1 { "is" } else { "are" })
}

/// A text on one line: whatever steers a terminal is spelled out.
pub(crate) fn plain(text: &str) -> String {
    let spelled = |c: char| {
        let steers = c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if steers { c.escape_default().to_string() } else { c.to_string() }
    };
    text.chars().map(spelled).collect()
}
