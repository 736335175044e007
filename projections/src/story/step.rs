//! The lines of a step: each attempt, what it drew, how it ended and what it left.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use leasehold_aggregates::authorise::Denied;
use leasehold_aggregates::plan::OnFailure;
use leasehold_aggregates::run::{Borrowed, NoteRef};
use leasehold_aggregates::target::Target;
use serde_json::{Value, json};

use super::line::StoryKind;
use super::teller::{About, Teller, amounts, note, quoted};
use crate::sentences::{error, instant};

/// Why an attempt brought no success.
pub(super) struct Failure<'a> {
    pub code: &'a str,
    pub unknown: bool,
    /// The engine's own sentence.
    pub detail: Option<&'a str>,
    /// What the game said.
    pub words: Option<&'a NoteRef>,
}

/// What is there from now on, and when the game takes it away by itself.
type Made<'a> = (&'a [Target], Option<DateTime<Utc>>);

pub(super) fn done(
    teller: &mut Teller<'_>,
    step: &str,
    made: Made<'_>,
    borrowed: Option<&Borrowed>,
    replayed: bool,
    held_until: Option<DateTime<Utc>>,
    words: Option<&NoteRef>,
) {
    let told = teller.words(words);
    let again = if replayed { ", as an earlier attempt had done it already" } else { "" };
    let hold = held_until.map(|until| format!("; what follows waits until {}", instant(until))).unwrap_or_default();
    let text = format!("step {step} done{again}{}{hold}", quoted(words, told));
    let detail = json!({"replayed": replayed, "heldUntil": held_until, "words": note(words, told)});
    status(teller, step, "done", text, detail);
    recorded(teller, step, made, borrowed);
}

pub(super) fn parked(teller: &mut Teller<'_>, step: &str, made: Made<'_>, borrowed: Option<&Borrowed>, words: Option<&NoteRef>) {
    let told = teller.words(words);
    let text = format!("step {step} waits for a person to confirm it{}", quoted(words, told));
    status(teller, step, "running", text, json!({"parked": true, "words": note(words, told)}));
    recorded(teller, step, made, borrowed);
}

pub(super) fn confirmed(teller: &mut Teller<'_>, step: &str, said: Option<&NoteRef>) {
    let words = teller.words(said);
    let text = format!("step {step} confirmed{}", quoted(said, words));
    status(teller, step, "done", text, json!({"note": note(said, words)}));
}

pub(super) fn skipped(teller: &mut Teller<'_>, step: &str, said: Option<&NoteRef>) {
    let words = teller.words(said);
    let text = format!("step {step} skipped by a person{}", quoted(said, words));
    status(teller, step, "skipped", text, json!({"note": note(said, words)}));
}

pub(super) fn retried(teller: &mut Teller<'_>, step: &str, said: Option<&NoteRef>) {
    let words = teller.words(said);
    let text = format!("step {step} is to be tried again, and the run resumed, by a person{}", quoted(said, words));
    status(teller, step, "pending", text, json!({"note": note(said, words)}));
}

pub(super) fn attempt_failed(teller: &mut Teller<'_>, step: &str, why: &Failure<'_>, next_try_at: DateTime<Utc>) {
    let attempt = teller.run.step(step).map_or(0, |state| state.attempts);
    let (sentence, next) = (why.sentence(teller), instant(next_try_at));
    let text = format!("attempt {attempt} at step {step} failed: {sentence}; next try at {next}");
    let mut detail = why.detail(teller);
    (detail["attempt"], detail["nextTryAt"]) = (json!(attempt), json!(next_try_at));
    status(teller, step, "pending", text, detail);
}

pub(super) fn failed(teller: &mut Teller<'_>, step: &str, why: &Failure<'_>, disposition: OnFailure) {
    let text = format!("step {step} failed: {}; {}", why.sentence(teller), disposed(disposition));
    let mut detail = why.detail(teller);
    detail["disposition"] = json!(disposition);
    status(teller, step, "failed", text, detail);
}

pub(super) fn refused(teller: &mut Teller<'_>, step: &str, why: &Denied, disposition: OnFailure) {
    let mut phase = String::new();
    let about = teller.about_step(step, &mut phase);
    let text = format!("step {step} refused: {why}; {}", disposed(disposition));
    teller.say(StoryKind::StepRefused, about, text, json!({"why": why, "disposition": disposition}));
}

pub(super) fn abandoned(teller: &mut Teller<'_>, step: &str) {
    let text = format!("step {step} given up: the run had ended, and no answer came");
    status(teller, step, "cancelled", text, json!({}));
}

impl Failure<'_> {
    fn sentence(&self, teller: &Teller<'_>) -> String {
        let told = teller.words(self.words);
        let may_have = if self.unknown { "; it may have taken effect all the same" } else { "" };
        format!("{}{may_have}", error(self.code, self.detail, self.words, told))
    }

    fn detail(&self, teller: &Teller<'_>) -> Value {
        let words = note(self.words, teller.words(self.words));
        json!({"code": self.code, "unknown": self.unknown, "sentence": self.detail, "words": words})
    }
}

fn status(teller: &mut Teller<'_>, step: &str, status: &str, text: String, mut detail: Value) {
    detail["status"] = json!(status);
    let mut phase = String::new();
    let about = teller.about_step(step, &mut phase);
    teller.say(StoryKind::StepStatus, about, text, detail);
}

pub(super) fn claimed(
    teller: &mut Teller<'_>,
    step: &str,
    attempt: u32,
    key: &str,
    draws: &BTreeMap<String, u64>,
    holds: Option<&Target>,
) {
    let planned = teller.run.planned(step);
    let (summary, action, version) =
        planned.map_or(("", "", 0), |planned| (planned.summary.as_str(), planned.action.as_str(), planned.action_version));
    let reserved = holds.filter(|target| !target.is_placeholder());
    let first = reserved.map(|reserved| format!("; {reserved} is reserved for it")).unwrap_or_default();
    let text = format!("attempt {attempt} at step {step}: {summary} ({action} version {version}){first}");
    let detail = json!({"attempt": attempt, "action": action, "actionVersion": version, "key": key, "target": holds,
        "params": planned.map(|planned| &planned.params)});
    status(teller, step, "running", text, detail);
    drawn(teller, step, draws);
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

fn recorded(teller: &mut Teller<'_>, step: &str, (resources, until): Made<'_>, borrowed: Option<&Borrowed>) {
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
        object(teller, about, resource, until);
    }
}

fn object(teller: &mut Teller<'_>, about: About<'_>, resource: &Target, until: Option<DateTime<Utc>>) {
    let at_the_latest = until.map(|until| format!(", until {} at the latest", instant(until))).unwrap_or_default();
    let text = format!("{resource} is there{at_the_latest}");
    let detail = json!({"target": resource, "baseline": null, "applied": null, "leaseUntil": until});
    teller.say(StoryKind::ResourceRecorded, about, text, detail);
}

fn disposed(disposition: OnFailure) -> &'static str {
    match disposition {
        OnFailure::Skip => "the run goes on without it",
        OnFailure::Pause => "the run waits for a person",
        OnFailure::Abort => "the run ends with it",
    }
}
