//! How an attempt ends: an answer, or the expiry of its claim.

use chrono::{DateTime, Utc};
use leasehold_module::{Promise, Then};

use super::command::{Answer, Facts};
use super::event::{Borrowed, RunEvent};
use super::plan::PlannedStep;
use super::proceed::{dispose, followed, held_by_another_step};
use super::refusal::Decided;
use super::span::{milliseconds, seconds};
use super::{Run, RunRefusal, StepState, results};
use crate::note::NoteRef;
use crate::plan::OnFailure;
use crate::target::Target;

/// The code of an attempt that was not sent again because the game may have forgotten its key.
pub const KEY_MEMORY_PASSED: &str = "key_memory_passed";

/// The longest that a step may hold what follows, in seconds: seven days.
pub const LONGEST_HOLD_SECONDS: u64 = 604_800;

/// The longest that a game may keep what it takes away by itself, in milliseconds: seven days.
pub const LONGEST_LIFE_MS: u64 = 604_800_000;

pub(super) fn settle(
    run: &Run,
    at: DateTime<Utc>,
    step: &str,
    claim: u64,
    answer: Answer,
    words: Option<NoteRef>,
    facts: &Facts,
) -> Decided {
    let (state, planned) = claimed(run, step, claim)?;
    let events = match answer {
        Answer::Done { resources, .. } if !taken(run, &resources, step, facts).is_empty() => {
            let detail = format!("it reports what is held already: {}", taken(run, &resources, step, facts).join(", "));
            let failed = Failed { code: "held".into(), retry: false, unknown: true, detail: Some(detail) };
            fail(run, state, planned, at, failed, words, facts)
        }
        Answer::Done { participants, .. } if results::too_many(run, &participants) => {
            let detail = format!("with what it tells more than {} would have taken part", results::MOST_PARTICIPANTS);
            let failed = Failed { code: "odd_answer".into(), retry: false, unknown: true, detail: Some(detail) };
            fail(run, state, planned, at, failed, words, facts)
        }
        Answer::Done { resources, lasts_ms, borrowed, then, replayed, participants } => {
            let made_at = if replayed { state.first_claimed_at.unwrap_or(at) } else { at };
            let until = lasts_ms.filter(|_| !resources.is_empty()).map(|lasts_ms| made_at + milliseconds(lasts_ms));
            let borrowed = borrowed.zip(planned.lease.as_ref()).map(|((baseline, applied), lease)| Borrowed {
                baseline,
                applied,
                until: made_at + seconds(lease.hold_seconds),
            });
            let (told, step) = (results::reported(run, at, step, participants), step.to_owned());
            // After the end nobody is asked any more.
            let settled = if (then == Then::AwaitHuman || planned.awaits_person) && !run.status.terminal() {
                RunEvent::StepParked { at, step: step.clone(), claim, resources, until, borrowed, replayed, words }
            } else {
                let asked = if let Then::HoldFor(span) = then { Some(span.min(LONGEST_HOLD_SECONDS)) } else { None };
                let held_until = asked.max(planned.hold_seconds).map(|span| at + seconds(span));
                RunEvent::StepDone { at, step: step.clone(), claim, resources, until, borrowed, replayed, held_until, words }
            };
            let ranked = if planned.action == results::PUBLISH_ACTION { results::published(run, at, Some(&step)) } else { None };
            std::iter::once(settled).chain(told).chain(ranked).collect()
        }
        Answer::Failed { code, retry, unknown } => {
            fail(run, state, planned, at, Failed { code, retry, unknown, detail: None }, words, facts)
        }
    };
    Ok(followed(run, events, at, facts))
}

/// The claim has expired without an answer: its owner is dead, or asleep and will be refused when it wakes.
pub(super) fn expire(run: &Run, at: DateTime<Utc>, step: &str, claim: u64, facts: &Facts) -> Decided {
    let (state, planned) = claimed(run, step, claim).map_err(|_| RunRefusal::MovedOn)?;
    if state.claim.is_some_and(|claim| claim.expires_at > at) {
        return Err(RunRefusal::MovedOn);
    }
    if run.status.terminal() {
        return Ok(vec![RunEvent::StepAbandoned { at, step: step.to_owned(), claim }]);
    }
    let detail = Some("its claim expired without an answer".to_owned());
    let failed = Failed { code: "claim_expired".into(), retry: true, unknown: true, detail };
    let mut events = fail(run, state, planned, at, failed, None, facts);
    if let Some(RunEvent::AttemptFailed { next_try_at, .. }) = events.first_mut() {
        *next_try_at = at;
    }
    Ok(followed(run, events, at, facts))
}

/// Which of the reported targets have another holder, and who that is.
fn taken(run: &Run, resources: &[Target], step: &str, facts: &Facts) -> Vec<String> {
    let holder = |target: &Target| {
        let own = || held_by_another_step(run, target, step).then(|| "another step of this run".to_owned());
        facts.held.get(target).map(|run| format!("run {run}")).or_else(own)
    };
    resources.iter().filter_map(|target| Some(format!("{target} by {}", holder(target)?))).collect()
}

struct Failed {
    code: String,
    retry: bool,
    unknown: bool,
    detail: Option<String>,
}

fn fail(
    run: &Run,
    state: &StepState,
    planned: &PlannedStep,
    at: DateTime<Utc>,
    failed: Failed,
    words: Option<NoteRef>,
    facts: &Facts,
) -> Vec<RunEvent> {
    let Failed { code, retry, unknown, detail } = failed;
    let step = state.key.clone();
    let claim = state.claim.map_or(0, |claim| claim.sequence);
    let lost_for_good = unknown && planned.promise == Promise::AtMostOnce;
    if retry && !lost_for_good && !run.status.terminal() && state.attempts < facts.limits.attempts {
        let next_try_at = at + seconds(facts.limits.retry_seconds);
        return vec![RunEvent::AttemptFailed { at, step, claim, code, unknown, next_try_at, detail, words }];
    }
    let for_a_person = lost_for_good || code == KEY_MEMORY_PASSED;
    let disposition = if for_a_person { OnFailure::Pause } else { planned.on_failure };
    let unknown = unknown || state.maybe_applied;
    let event = RunEvent::StepFailed { at, step, claim: Some(claim), code, unknown, disposition, detail, words };
    if run.status.terminal() { vec![event] } else { dispose(run, event, &state.key, disposition, at) }
}

fn claimed<'a>(run: &'a Run, step: &str, claim: u64) -> Result<(&'a StepState, &'a PlannedStep), RunRefusal> {
    let state = run.step(step).ok_or_else(|| RunRefusal::NoSuchStep(step.to_owned()))?;
    let planned = run.planned(step).ok_or_else(|| RunRefusal::NoSuchStep(step.to_owned()))?;
    if state.claim.is_some_and(|current| current.sequence == claim) {
        Ok((state, planned))
    } else {
        Err(RunRefusal::StaleClaim { step: step.to_owned() })
    }
}
