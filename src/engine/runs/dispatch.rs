//! One attempt at one step: ask the module, tell the log.

use std::time::Duration;

use chrono::{DateTime, Utc};
use leasehold_aggregates::authorise::REHEARSAL;
use leasehold_aggregates::keys::perform_key;
use leasehold_aggregates::run::{
    Answer, KEY_MEMORY_PASSED, LONGEST_HOLD_SECONDS, LONGEST_LIFE_MS, PlannedLease, PlannedStep, Run, RunCommand, Scheduled,
    StepState,
};
use leasehold_aggregates::target::{PLACEHOLDER, Target};
use leasehold_module::{
    Failure, LeaseApplied, LeaseApply, Mark, Participant, Perform, Performed, Promise, Success, Then, Traced,
};

use tokio::time::Instant;
use tracing::Span;

use super::words::{is_value, legible};
use super::{Committed, Extras, participants};
use crate::engine::core::CORE;
use crate::engine::streams::stream;
use crate::engine::{Act, Engine, Fault, crash};
use crate::telling::catalogue::{DISPATCH_SECONDS, DISPATCH_WAIT};
use crate::telling::traces::traceparent;

/// What came back: the answer as the run takes it, what the game said, and what it reported.
struct Told {
    answer: Answer,
    words: Option<String>,
    reported: Vec<Target>,
    took_part: Vec<Participant>,
}

impl Told {
    /// As the metrics spell it.
    fn outcome(&self) -> &'static str {
        match self.answer {
            Answer::Done { .. } => "done",
            Answer::Failed { unknown: true, .. } => "unknown",
            Answer::Failed { retry: true, .. } => "not_now",
            Answer::Failed { .. } => "refused",
        }
    }
}

/// Sends the step that was just claimed, unless the claim is over before it could be sent.
pub(super) async fn dispatch(engine: Engine, committed: Committed, step: String, claim: u64) {
    let Committed { run, position, since, .. } = &committed;
    let (Some(scheduled), Some(planned), Some(state)) = (&run.scheduled, run.planned(&step), run.step(&step)) else { return };
    let Some(held) = state.claim.filter(|held| held.sequence == claim) else { return };
    crash::point("dispatch.before");
    let run_stream = stream::<Run>(&scheduled.run_id);
    let Some(mark) = engine.mark_of_claim(&run_stream, claim, *position, held.expires_at).await else { return };
    let Ok(away) = engine.may_send(&planned.module, &scheduled.scope).await else {
        return tracing::error!(run = %scheduled.run_id, step, "this process is read-only; nothing was sent");
    };
    let Some(now) = engine.clock.now_at_last(&engine.stop).await else { return };
    let Some(ttl_ms) = remaining_ms(held.expires_at, now) else {
        tracing::warn!(run = %scheduled.run_id, step, "the claim was over before its command was sent; nothing was sent");
        return;
    };
    let attempt = Attempt { scheduled, planned, claim, ttl_ms, mark };
    let told = if let Some(failure) = away {
        failed(failure)
    } else if let Some(failure) = attempt.forgotten(&engine, state, now).await {
        failed(failure)
    } else {
        DISPATCH_WAIT.lapse(&[engine.registry().label(&planned.module)], *since, now);
        attempt.ask(&engine, now).await
    };
    crash::point("dispatch.answered");
    engine
        .until_told(held.expires_at, &step, || record(&engine, &scheduled.run_id, (&planned.module, &step), claim, &told))
        .await;
}

/// The answer with whoever took part, by the ids that the log knows them by.
async fn told_of(engine: &Engine, module: &str, told: &Told, at: DateTime<Utc>) -> Result<Answer, Fault> {
    let mut answer = told.answer.clone();
    if let Answer::Done { participants, .. } = &mut answer
        && !told.took_part.is_empty()
    {
        *participants = engine.told_of(module, &told.took_part, at).await?;
    }
    Ok(answer)
}

async fn record(engine: &Engine, run_id: &str, step: (&str, &str), claim: u64, told: &Told) -> Result<(), Fault> {
    let (module, step) = step;
    let at = engine.clock.now().await?;
    let act = Act::following("runner", at, &format!("{run_id} {step} {claim} settle"));
    let note = told.words.as_ref().filter(|words| !words.is_empty()).map(|words| act.note(&legible(words)));
    let (words, row) = note.unzip();
    let extras = Extras { rows: row.into_iter().collect(), reported: told.reported.clone(), ..Extras::default() };
    let answer = told_of(engine, module, told, at).await?;
    let command = |reading: &super::Reading| RunCommand::Settle {
        at,
        step: step.to_owned(),
        claim,
        answer: answer.clone(),
        words: words.clone(),
        facts: reading.facts.clone(),
    };
    engine.commit_run(&act, run_id, &extras, command).await?;
    Ok(())
}

struct Attempt<'a> {
    scheduled: &'a Scheduled,
    planned: &'a PlannedStep,
    claim: u64,
    ttl_ms: u64,
    mark: Mark,
}

impl Attempt<'_> {
    /// Why this attempt must not be sent: an earlier one may have taken effect, and the game says that it remembers keys
    /// for a shorter time than has passed by the end of this claim.
    async fn forgotten(&self, engine: &Engine, state: &StepState, now: DateTime<Utc>) -> Option<Failure> {
        let first = state.first_claimed_at.filter(|_| state.maybe_applied && self.planned.promise == Promise::EffectOnce)?;
        let registry = engine.registry();
        let module = registry.module(&self.planned.module)?;
        let memory = module.key_memory_seconds(&self.scheduled.scope).await?;
        let until_sent = u64::try_from((now - first).num_seconds()).unwrap_or(u64::MAX).saturating_add(self.ttl_ms / 1_000);
        (until_sent >= memory).then(|| Failure {
            retry: false,
            unknown: true,
            code: KEY_MEMORY_PASSED.into(),
            reason: format!("the game remembers keys for {memory} seconds, and the first attempt is older; it is not sent again"),
        })
    }

    async fn ask(&self, engine: &Engine, now: DateTime<Utc>) -> Told {
        let budget = Duration::from_millis(self.planned.budget_ms);
        let asked = tokio::time::timeout(budget, async {
            match &self.planned.lease {
                Some(lease) => self.borrow(engine, lease, now).await,
                None => self.perform(engine).await,
            }
        });
        let sent = Instant::now();
        let told = asked
            .await
            .unwrap_or_else(|_| failed(Failure::unknown("no_answer", format!("no answer within {} ms", self.planned.budget_ms))));
        let registry = engine.registry();
        let module = registry.label(&self.planned.module);
        DISPATCH_SECONDS.record(&[module, told.outcome()], sent.elapsed().as_secs_f64());
        Span::current().record("outcome", told.outcome());
        self.tell_link(engine, &told, now);
        told
    }

    /// What the attempt has shown of the way to the game.
    fn tell_link(&self, engine: &Engine, told: &Told, now: DateTime<Utc>) {
        match told.answer {
            _ if self.planned.module == CORE => {}
            Answer::Done { .. } => engine.links.heard(&self.scheduled.scope, now),
            Answer::Failed { retry: false, unknown: false, .. } => {}
            Answer::Failed { .. } => engine.links.doubt(),
        }
    }

    async fn perform(&self, engine: &Engine) -> Told {
        let registry = engine.registry();
        let Some((action, module)) = registry.action(&self.planned.action) else {
            return failed(missing(&self.planned.module));
        };
        let request = Perform {
            action: self.planned.action.clone(),
            run_id: self.scheduled.run_id.clone(),
            step: self.planned.key.clone(),
            idempotency_key: self.key(),
            scope: self.scheduled.scope.clone(),
            params: self.planned.params.clone(),
            fence: self.claim,
            ttl_ms: self.ttl_ms,
            actor: "runner".into(),
            verify: false,
            mark: Some(self.mark.clone()),
            ceiling: action.tells.filter(|_| self.scheduled.rehearsal).and_then(|audience| audience.meet(REHEARSAL)),
        };
        match Traced::new(traceparent(), module.perform(request)).await {
            Performed::Done(success) => self.done(success),
            Performed::Failed(failure) => failed(failure),
        }
    }

    async fn borrow(&self, engine: &Engine, lease: &PlannedLease, now: DateTime<Utc>) -> Told {
        let registry = engine.registry();
        let Some((_, module)) = registry.lease(&lease.id) else { return failed(missing(&self.planned.module)) };
        let hold_ms = lease.hold_seconds.saturating_mul(1_000);
        let request = LeaseApply {
            lease: lease.id.clone(),
            scope: self.scheduled.scope.clone(),
            run_id: self.scheduled.run_id.clone(),
            value: lease.value.clone(),
            hold_ms,
            until_ms: now.timestamp_millis().saturating_add(i64::try_from(hold_ms).unwrap_or(i64::MAX)),
            idempotency_key: self.key(),
            fence: self.claim,
            ttl_ms: self.ttl_ms,
            verify: false,
            mark: Some(self.mark.clone()),
        };
        match Traced::new(traceparent(), module.lease_apply(request)).await {
            LeaseApplied::Applied { baseline, applied, .. } if !is_value(&baseline) || !is_value(&applied) => failed(Failure {
                retry: false,
                unknown: true,
                code: "odd_answer".into(),
                reason: "the module told a baseline or a value that is no text of at most 4,000 characters".into(),
            }),
            LeaseApplied::Applied { baseline, applied, replayed } => Told {
                answer: Answer::Done {
                    resources: Vec::new(),
                    lasts_ms: None,
                    borrowed: Some((baseline, applied)),
                    then: Then::Continue,
                    replayed,
                    participants: Vec::new(),
                },
                words: None,
                reported: Vec::new(),
                took_part: Vec::new(),
            },
            LeaseApplied::Acceptable { .. } => {
                failed(Failure::unknown("odd_answer", "the module answered an application as if it had been asked to verify one"))
            }
            LeaseApplied::Failed(failure) => failed(failure),
        }
    }

    fn done(&self, success: Success) -> Told {
        let target = |resource: leasehold_module::Resource| Target {
            module: self.planned.module.clone(),
            scope: self.scheduled.scope.clone(),
            kind: resource.kind,
            reference: resource.reference,
        };
        let resources: Vec<Target> = success.resources.into_iter().map(target).collect();
        if let Some(wrong) = resources.iter().find(|target| target.kind == PLACEHOLDER || target.check().is_err()) {
            return failed(Failure {
                retry: false,
                unknown: true,
                code: "odd_answer".into(),
                reason: format!("the module reported {wrong}, which cannot be the name of a resource"),
            });
        }
        if let Then::HoldFor(seconds) = success.then
            && seconds > LONGEST_HOLD_SECONDS
        {
            return failed(Failure {
                retry: false,
                unknown: true,
                code: "odd_answer".into(),
                reason: format!(
                    "the module asked to hold what follows for {seconds} seconds; at most {LONGEST_HOLD_SECONDS} are held"
                ),
            });
        }
        if let Some(lasts_ms) = success.lasts_ms.filter(|lasts_ms| !(1..=LONGEST_LIFE_MS).contains(lasts_ms)) {
            return failed(Failure {
                retry: false,
                unknown: true,
                code: "odd_answer".into(),
                reason: format!("the module told that what it made lasts {lasts_ms} ms; it lasts 1 to {LONGEST_LIFE_MS}"),
            });
        }
        if let Err(reason) = participants::check(&success.participants) {
            return failed(Failure { retry: false, unknown: true, code: "odd_answer".into(), reason });
        }
        Told {
            reported: resources.clone(),
            words: success.words,
            took_part: success.participants,
            answer: Answer::Done {
                resources,
                lasts_ms: success.lasts_ms,
                borrowed: None,
                then: success.then,
                replayed: success.replayed,
                participants: Vec::new(),
            },
        }
    }

    fn key(&self) -> String {
        perform_key(&self.scheduled.run_id, &self.planned.key)
    }
}

fn failed(failure: Failure) -> Told {
    let Failure { retry, unknown, code, reason } = failure;
    Told { answer: Answer::Failed { code, retry, unknown }, words: Some(reason), reported: Vec::new(), took_part: Vec::new() }
}

fn missing(module: &str) -> Failure {
    Failure::refused("module_missing", format!("module {module} is not installed"))
}

/// Milliseconds until then; `None` when it is over.
pub(super) fn remaining_ms(until: DateTime<Utc>, now: DateTime<Utc>) -> Option<u64> {
    u64::try_from((until - now).num_milliseconds()).ok().filter(|left| *left > 0)
}
