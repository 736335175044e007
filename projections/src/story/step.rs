//! The lines of a step: each attempt, what it drew, how it ended and what it left.

use std::collections::BTreeMap;

use leasehold_aggregates::plan::OnFailure;
use leasehold_aggregates::run::{Borrowed, RunEvent};
use leasehold_aggregates::target::Target;
use serde_json::{Value, json};

use super::line::StoryKind;
use super::teller::{About, Teller, amounts, note, quoted};
use crate::sentences::{error, instant};

pub(super) fn tell(teller: &mut Teller<'_>, event: &RunEvent) {
    match event {
        RunEvent::StepClaimed { step, attempt, key, draws, target, .. } => {
            claimed(teller, step, *attempt, key, target.as_ref());
            drawn(teller, step, draws);
        }
        RunEvent::StepDone { step, resources, borrowed, replayed, held_until, words, .. } => {
            let told = teller.words(words.as_ref());
            let again = if *replayed { ", as an earlier attempt had done it already" } else { "" };
            let hold = held_until.map(|until| format!("; what follows waits until {}", instant(until))).unwrap_or_default();
            let text = format!("step {step} done{again}{}{hold}", quoted(words.as_ref(), told));
            let detail = json!({"replayed": replayed, "heldUntil": held_until, "words": note(words.as_ref(), told)});
            status(teller, step, "done", text, detail);
            recorded(teller, step, resources, borrowed.as_ref());
        }
        RunEvent::StepParked { step, resources, .. } => {
            status(teller, step, "running", format!("step {step} waits for a person to confirm it"), json!({"parked": true}));
            recorded(teller, step, resources, None);
        }
        RunEvent::StepConfirmed { step, note: said, .. } => {
            let words = teller.words(said.as_ref());
            let detail = json!({"note": note(said.as_ref(), words)});
            status(teller, step, "done", format!("step {step} confirmed{}", quoted(said.as_ref(), words)), detail);
        }
        RunEvent::AttemptFailed { step, code, unknown, next_try_at, detail, words, .. } => {
            let told = teller.words(words.as_ref());
            let attempt = teller.run.step(step).map_or(0, |state| state.attempts);
            let why = error(code, detail.as_deref(), words.as_ref(), told);
            let next = instant(*next_try_at);
            let text = format!("attempt {attempt} at step {step} failed: {why}{}; next try at {next}", may_have(*unknown));
            let detail = json!({"attempt": attempt, "code": code, "unknown": unknown, "nextTryAt": next_try_at,
                "sentence": detail, "words": note(words.as_ref(), told)});
            status(teller, step, "pending", text, detail);
        }
        RunEvent::StepFailed { step, code, unknown, disposition, detail, words, .. } => {
            let told = teller.words(words.as_ref());
            let why = error(code, detail.as_deref(), words.as_ref(), told);
            let text = format!("step {step} failed: {why}{}; {}", may_have(*unknown), disposed(*disposition));
            let detail = json!({"code": code, "unknown": unknown, "disposition": disposition, "sentence": detail,
                "words": note(words.as_ref(), told)});
            status(teller, step, "failed", text, detail);
        }
        RunEvent::StepRefused { step, why, disposition, .. } => {
            let mut phase = String::new();
            let about = teller.about_step(step, &mut phase);
            let text = format!("step {step} refused: {why}; {}", disposed(*disposition));
            teller.say(StoryKind::StepRefused, about, text, json!({"why": why, "disposition": disposition}));
        }
        RunEvent::StepAbandoned { step, .. } => {
            let text = format!("step {step} given up: the run had ended, and no answer came");
            status(teller, step, "cancelled", text, json!({}));
        }
        _ => {}
    }
}

fn status(teller: &mut Teller<'_>, step: &str, status: &str, text: String, mut detail: Value) {
    detail["status"] = json!(status);
    let mut phase = String::new();
    let about = teller.about_step(step, &mut phase);
    teller.say(StoryKind::StepStatus, about, text, detail);
}

fn claimed(teller: &mut Teller<'_>, step: &str, attempt: u32, key: &str, holds: Option<&Target>) {
    let planned = teller.run.planned(step);
    let (summary, action, version) =
        planned.map_or(("", "", 0), |planned| (planned.summary.as_str(), planned.action.as_str(), planned.action_version));
    let reserved = holds.filter(|target| !target.is_placeholder());
    let first = reserved.map(|reserved| format!("; {reserved} is reserved for it")).unwrap_or_default();
    let text = format!("attempt {attempt} at step {step}: {summary} ({action} version {version}){first}");
    let detail = json!({"attempt": attempt, "action": action, "actionVersion": version, "key": key, "target": holds,
        "params": planned.map(|planned| &planned.params)});
    status(teller, step, "running", text, detail);
}

fn drawn(teller: &mut Teller<'_>, step: &str, draws: &BTreeMap<String, u64>) {
    for (dimension, amount) in draws {
        let meter = teller.run.budget.iter().find(|meter| &meter.dimension == dimension);
        let spent = meter.map_or(0, |meter| meter.consumed).saturating_add(*amount);
        let of = meter.and_then(|meter| meter.cap).map(|cap| format!(" of {cap}")).unwrap_or_default();
        let text = format!("step {step} drew {amount} of {dimension}: {spent}{of} spent");
        let one = BTreeMap::from([(dimension.clone(), *amount)]);
        let mut phase = String::new();
        let about = teller.about_step(step, &mut phase);
        teller.say(StoryKind::RunBudget, about, text, json!({"drawn": amounts(&one), "consumed": spent}));
    }
}

fn recorded(teller: &mut Teller<'_>, step: &str, resources: &[Target], borrowed: Option<&Borrowed>) {
    let mut phase = String::new();
    let about = teller.about_step(step, &mut phase);
    if let Some(borrowed) = borrowed {
        let held = teller.run.holdings.iter().find(|held| held.step == step && held.status.holds());
        let held = held.map(|held| held.target.clone());
        let name = held.as_ref().map_or_else(|| "a value".to_owned(), ToString::to_string);
        let (baseline, applied, until) = (&borrowed.baseline, &borrowed.applied, borrowed.until);
        let text = format!("{name} borrowed: {baseline} before, {applied} now, until {} at the latest", instant(until));
        let detail = json!({"target": held, "baseline": baseline, "applied": applied, "leaseUntil": until});
        teller.say(StoryKind::ResourceRecorded, about, text, detail);
    }
    for resource in resources {
        object(teller, about, resource);
    }
}

fn object(teller: &mut Teller<'_>, about: About<'_>, resource: &Target) {
    let text = format!("{resource} is there");
    let detail = json!({"target": resource, "baseline": null, "applied": null, "leaseUntil": null});
    teller.say(StoryKind::ResourceRecorded, about, text, detail);
}

fn may_have(unknown: bool) -> &'static str {
    if unknown { "; it may have taken effect all the same" } else { "" }
}

fn disposed(disposition: OnFailure) -> &'static str {
    match disposition {
        OnFailure::Skip => "the run goes on without it",
        OnFailure::Pause => "the run waits for a person",
        OnFailure::Abort => "the run ends with it",
    }
}
