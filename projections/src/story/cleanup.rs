//! The lines of the teardown: each undo, and how it ended for each target.

use chrono::{DateTime, Utc};
use leasehold_aggregates::ledger::Let;
use leasehold_aggregates::run::{Holding, NoteRef, UndoOutcome, Undone};
use leasehold_aggregates::target::Target;
use serde_json::json;

use super::line::StoryKind;
use super::teller::{About, Teller, note, quoted};
use crate::sentences::{count, instant};

pub(super) fn begun(teller: &mut Teller<'_>, step: &str, round: u32, attempt: u32, key: &str, targets: &[Target]) {
    let things = count(targets.len(), "thing");
    let text = format!("attempt {attempt} at undoing step {step}, round {round}: {things}");
    let detail = json!({"round": round, "attempt": attempt, "key": key, "targets": targets});
    say(teller, StoryKind::CleanupBegun, step, text, detail);
}

pub(super) fn settled(
    teller: &mut Teller<'_>,
    step: &str,
    undone: &[Undone],
    next_try_at: Option<DateTime<Utc>>,
    words: Option<&NoteRef>,
) {
    for one in undone {
        of_target(teller, step, one, words);
    }
    if let Some(next) = next_try_at {
        let text = format!("the undo of step {step} is tried again at {}", instant(next));
        say(teller, StoryKind::CleanupFailed, step, text, json!({"nextTryAt": next}));
    }
}

pub(super) fn requested(teller: &mut Teller<'_>, round: u32) {
    let text = format!("a person asked for the teardown again: round {round}");
    teller.say(StoryKind::CleanupRetry, About::default(), text, json!({"round": round}));
}

/// The teardown came to an end, with so much left.
pub(super) fn ended(teller: &mut Teller<'_>, unresolved: u64) {
    let text = match unresolved {
        0 => "everything is put back".to_owned(),
        left => format!("the teardown stopped: {left} of what the run held is for a person to look at"),
    };
    teller.say(StoryKind::CleanupSwept, About::default(), text, json!({"unresolved": unresolved}));
}

fn say(teller: &mut Teller<'_>, kind: StoryKind, step: &str, text: String, detail: serde_json::Value) {
    let mut phase = String::new();
    let about = teller.about_step(step, &mut phase);
    teller.say(kind, about, text, detail);
}

fn of_target(teller: &mut Teller<'_>, step: &str, one: &Undone, words: Option<&NoteRef>) {
    let told = teller.words(words);
    let held = teller.run.holdings.iter().find(|held| held.target == one.target && held.status.holds());
    let (baseline, applied) = held.map_or((None, None), |held| (held.baseline.clone(), held.applied.clone()));
    let name = one.target.to_string();
    let (kind, text) = match &one.result {
        UndoOutcome::Reverted { reason } => (StoryKind::CleanupReverted, reverted(&name, *reason, held, &one.target)),
        UndoOutcome::Drifted { found } => {
            let values =
                format!("{} before, {} applied, {found} found", or_unknown(baseline.as_ref()), or_unknown(applied.as_ref()));
            (StoryKind::ResourceDrifted, format!("{name} was moved by somebody else and left alone: {values}"))
        }
        UndoOutcome::Failed { code } => {
            (StoryKind::CleanupFailed, format!("{name} is not undone: {}{}", code.replace('_', " "), quoted(words, told)))
        }
    };
    let found = if let UndoOutcome::Drifted { found } = &one.result { Some(found) } else { None };
    let detail = json!({"target": one.target, "baseline": baseline, "applied": applied, "found": found, "result": one.result,
        "words": note(words, told)});
    say(teller, kind, step, text, detail);
}

fn reverted(name: &str, reason: Let, held: Option<&Holding>, of: &Target) -> String {
    let baseline = held.and_then(|held| held.baseline.as_deref()).unwrap_or("its baseline");
    match reason {
        Let::Removed => format!("{name} is removed"),
        Let::Restored => format!("{name} is put back to {baseline}"),
        Let::Gone => format!("{name} was not there any more"),
        Let::ExpiredAtGame => format!("{name} was back at {baseline} already: the game let go at the deadline"),
        Let::LetGoByRestart => format!("{name} was back at {baseline} already: a restart of the game had let go"),
        Let::NeverTaken => format!("{name} was never taken"),
        Let::Answered if of.is_placeholder() => format!("{name} has done its work"),
        Let::Answered => format!("{name} is answered for"),
    }
}

fn or_unknown(value: Option<&String>) -> &str {
    value.map_or("unknown", String::as_str)
}
