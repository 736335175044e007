//! Every state by every control: what is allowed, and what is refused in which words.

use super::super::*;
use super::bench::*;
use crate::account::Role;
use crate::authorise::{Asker, Denied, Meter};
use crate::decide::{Refusal, RefusalKind};
use leasehold_module::Then;
use std::collections::BTreeMap;

/// The run in every state in which a person may find it.
fn states() -> Vec<(&'static str, Bench)> {
    let two = || vec![phase("one", vec![making("a", 1), step("b")], None)];
    let gated = || vec![phase("one", vec![step("a")], Some(600)), phase("two", vec![step("b")], None)];
    let after = |phases: fn() -> Vec<PlannedPhase>, then: fn(&mut Bench)| {
        let mut bench = Bench::started(phases());
        then(&mut bench);
        bench
    };
    vec![
        ("scheduled", Bench::new(two())),
        ("dispatching", after(two, |_| {})),
        ("parked", after(two, |bench| bench.settle(1, "a", parked()))),
        ("waiting to try again", after(two, |bench| bench.settle(1, "a", no_answer()))),
        ("at its gate", after(gated, |bench| bench.settle(1, "a", done()))),
        ("paused by a person, dispatching", after(two, Bench::pause)),
        (
            "paused by a person, parked",
            after(two, |bench| {
                bench.settle(1, "a", parked());
                bench.pause();
            }),
        ),
        (
            "paused by a person, at its gate",
            after(gated, |bench| {
                bench.settle(1, "a", done());
                bench.pause();
            }),
        ),
        ("paused at a failed step", after(two, |bench| bench.settle(1, "a", refused()))),
        ("paused at a refused step", paused_at_refused()),
        (
            "completed",
            after(two, |bench| {
                bench.settle(1, "a", made(&["l1"]));
                bench.settle(2, "b", done());
            }),
        ),
        ("cancelled", after(two, |bench| bench.cancel(1, true))),
        (
            "failed",
            after(
                || {
                    let abort = PlannedStep { on_failure: crate::plan::OnFailure::Abort, ..making("a", 1) };
                    vec![phase("one", vec![abort, step("b")], None)]
                },
                |bench| bench.settle(1, "a", refused()),
            ),
        ),
        ("holding what follows", after(two, |bench| bench.settle(1, "a", holding()))),
        ("at a gate of signals", {
            let gate = Some(super::gates::gate(2, None));
            let waits = PlannedPhase { gate, ..phase("lights", vec![step("a")], None) };
            let mut bench = Bench::started(vec![waits, phase("two", vec![step("b")], None)]);
            bench.settle(1, "a", done());
            bench
        }),
        ("a rehearsal, parked", {
            let mut bench = Bench::default();
            let run = Scheduled { rehearsal: true, ..scheduled(two()) };
            bench.must(RunCommand::Schedule { at: at(-60), run: Box::new(run) });
            bench.start(0, facts());
            bench.settle(1, "a", parked());
            bench
        }),
        ("withdrawn", {
            let mut bench = Bench::new(two());
            bench.must(RunCommand::Withdraw { at: at(-30), cause: WithdrawnCause::Rescheduled });
            bench
        }),
        ("missed", {
            let mut bench = Bench::new(two());
            bench.must(RunCommand::Miss { at: at(901), slot_holder: None, barred: None });
            bench
        }),
    ]
}

fn holding() -> Answer {
    Answer::Done {
        resources: Vec::new(),
        lasts_ms: None,
        borrowed: None,
        then: Then::HoldFor(300),
        replayed: false,
        participants: Vec::new(),
    }
}

fn switched_off() -> Facts {
    let mut facts = facts();
    facts.actions.get_mut("demo.light").unwrap().enabled = false;
    facts
}

fn paused_at_refused() -> Bench {
    let mut bench = Bench::new(vec![phase("one", vec![making("a", 1), step("b")], None)]);
    bench.start(0, switched_off());
    assert_eq!(bench.types(), ["run_started", "phase_entered", "step_refused", "run_degraded", "run_paused"]);
    bench
}

impl Bench {
    fn pause(&mut self) {
        self.must(RunCommand::Pause { at: at(2), stop: None, note: None });
    }

    fn resume(&mut self, seconds: i64) -> Result<(), RunRefusal> {
        self.may(RunCommand::Resume { at: at(seconds), note: None, facts: facts() })
    }
}

const VERBS: [&str; 8] = ["pause", "resume", "advance", "cancel", "cleanup", "skip", "retry", "confirm"];

fn command(verb: &str, seconds: i64) -> RunCommand {
    let (at, step, facts) = (at(seconds), "a".to_owned(), facts());
    match verb {
        "pause" => RunCommand::Pause { at, stop: None, note: None },
        "resume" => RunCommand::Resume { at, note: None, facts },
        "advance" => RunCommand::OpenGate { at, note: None },
        "cancel" => RunCommand::Cancel { at, by: Asker::Person(Role::Moderator), cleanup: true, stop: None, note: None },
        "cleanup" => RunCommand::Cleanup { at },
        "skip" => RunCommand::Skip { at, step, note: None, facts },
        "retry" => RunCommand::Retry(Retry { at, step, note: None, facts, caps: None }),
        "confirm" => RunCommand::Confirm { at, step, note: None, facts },
        other => panic!("{other}"),
    }
}

/// What each control does in each state: the events that it makes, or the code of its refusal.
const TABLE: &str = "
scheduled                       | run_state | run_state | run_state | run_cancelled | run_state | run_state | run_state | step_not_parked
dispatching                     | run_paused | run_state | not_at_gate | run_cancelled | run_state | step_state | run_state | step_not_parked
parked                          | run_paused | run_state | not_at_gate | run_cancelled | run_state | step_skipped step_claimed | run_state | step_confirmed step_claimed
waiting to try again            | run_paused | run_state | not_at_gate | run_cancelled | run_state | step_skipped step_claimed | run_state | step_not_parked
at its gate                     | run_paused | run_state | gate_satisfied | run_cancelled | run_state | step_state | run_state | step_not_parked
paused by a person, dispatching | run_state | run_resumed | run_state | run_cancelled | run_state | step_state | step_state | step_not_parked
paused by a person, parked      | run_state | run_resumed | run_state | run_cancelled | run_state | step_skipped | step_state | step_confirmed
paused by a person, at its gate | run_state | run_resumed | run_state | run_cancelled | run_state | step_state | step_state | step_not_parked
paused at a failed step         | run_state | run_resumed step_claimed | run_state | run_cancelled | run_state | step_state | step_retried run_resumed step_claimed | step_not_parked
paused at a refused step        | run_state | run_resumed step_claimed | run_state | run_cancelled | run_state | step_state | step_retried run_resumed step_claimed | step_not_parked
completed                       | run_state | run_state | run_state | run_state | cleanup_requested | run_state | run_state | run_state
cancelled                       | run_state | run_state | run_state | run_state | nothing | run_state | run_state | run_state
failed                          | run_state | run_state | run_state | run_state | nothing | run_state | run_state | run_state
holding what follows            | run_paused | run_state | not_at_gate | run_cancelled | run_state | step_state | run_state | step_not_parked
at a gate of signals            | run_paused | run_state | gate_satisfied | run_cancelled | run_state | step_state | run_state | step_not_parked
a rehearsal, parked             | run_paused | run_state | not_at_gate | run_cancelled | run_state | step_skipped step_claimed | run_state | step_confirmed step_claimed
withdrawn                       | run_state | run_state | run_state | run_state | nothing | run_state | run_state | run_state
missed                          | run_state | run_state | run_state | run_state | nothing | run_state | run_state | run_state
";

#[test]
fn every_state_by_every_control() {
    let rows: BTreeMap<&str, Vec<&str>> = TABLE
        .trim()
        .lines()
        .map(|line| {
            let mut cells = line.split('|').map(str::trim);
            (cells.next().unwrap(), cells.collect())
        })
        .collect();
    assert_eq!(rows.len(), states().len());
    for (state, bench) in states() {
        for (verb, expected) in VERBS.into_iter().zip(&rows[state]) {
            let told = match bench.run.decide(command(verb, 5)) {
                Ok(events) if events.is_empty() => "nothing".to_owned(),
                Ok(events) => events.iter().map(cqrs_es::DomainEvent::event_type).collect::<Vec<_>>().join(" "),
                Err(refusal) => {
                    assert_eq!(refusal.kind(), RefusalKind::Conflict, "{verb} of a run {state}");
                    if refusal.code() == "run_state" {
                        assert!(refusal.to_string().contains(&bench.run.status.to_string()), "names the state: {refusal}");
                    }
                    refusal.code().to_owned()
                }
            };
            assert_eq!(&told, expected, "{verb} of a run {state}");
        }
    }
}

#[test]
fn a_pause_holds_between_steps_and_an_answer_is_still_taken() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a"), step("b")], None)]);
    bench.pause();
    bench.settle(3, "a", done());
    assert_eq!((bench.types(), bench.status("b")), (vec!["step_done".to_owned()], StepStatus::Pending));
    assert_eq!(bench.advance(400), Err(RunRefusal::MovedOn), "what falls due meanwhile finds nothing to do");
    bench.resume(500).unwrap();
    assert_eq!(bench.types(), ["run_resumed", "step_claimed"]);
    assert_eq!(bench.run.health, Health::Ok);
}

#[test]
fn a_step_that_fails_under_a_pause_pauses_nothing_twice_and_one_that_aborts_ends_the_run() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], None)]);
    bench.pause();
    bench.settle(3, "a", refused());
    assert_eq!((bench.types(), bench.run.status), (vec!["step_failed".to_owned(), "run_degraded".into()], RunStatus::Paused));

    let abort = PlannedStep { on_failure: crate::plan::OnFailure::Abort, ..making("a", 1) };
    let mut bench = Bench::started(vec![phase("one", vec![abort], None)]);
    bench.pause();
    bench.settle(3, "a", refused());
    assert_eq!((bench.types().len(), bench.run.status), (3, RunStatus::Failed));
}

#[test]
fn what_fell_due_under_a_pause_happens_on_resuming_and_what_has_not_is_staged_anew() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a")], Some(600)), phase("two", vec![step("b")], None)]);
    bench.settle(1, "a", done());
    bench.pause();
    bench.drop_staged(DueKind::Advance);
    bench.resume(300).unwrap();
    assert!(bench.is_staged(DueKind::Advance, 600), "{:?}", bench.staged);
    bench.pause();
    bench.drop_staged(DueKind::Advance);
    bench.resume(900).unwrap();
    assert_eq!(bench.types(), ["run_resumed", "gate_satisfied", "phase_entered", "step_claimed"]);
}

#[test]
fn advancing_opens_the_gate_and_stops_and_the_runner_does_the_rest() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a")], Some(600)), phase("two", vec![step("b")], None)]);
    bench.settle(1, "a", done());
    bench.must(command("advance", 5));
    assert_eq!(bench.types(), ["gate_satisfied"]);
    assert_eq!((bench.run.phases[0].satisfied_by, bench.run.phases.len()), (Some(SatisfiedBy::Human), 1));
    assert!(bench.is_staged(DueKind::Advance, 5));
    assert_eq!(bench.may(command("advance", 6)).unwrap_err().code(), "not_at_gate", "it is open already");
    bench.advance(5).unwrap();
    assert_eq!(bench.types(), ["phase_entered", "step_claimed"]);
    let none = bench.may(command("advance", 7)).unwrap_err();
    assert_eq!(none.to_string(), "cannot advance the phase two: it has no gate, and goes on when its steps are done");
}

#[test]
fn only_an_admin_cancels_without_a_teardown() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a")], None)]);
    let cancel = |role| RunCommand::Cancel { at: at(1), by: Asker::Person(role), cleanup: false, stop: None, note: None };
    let refusal = bench.may(cancel(Role::Moderator)).unwrap_err();
    assert_eq!((refusal.kind(), refusal.code()), (RefusalKind::Forbidden, "role_required"));
    bench.must(cancel(Role::Admin));
}

#[test]
fn a_retry_pays_nothing_again_and_counts_its_attempts_anew() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 3)], None)]);
    for seconds in [1, 100, 200] {
        bench.settle(seconds, "a", no_answer());
        let _ = bench.advance(seconds + 60);
    }
    assert_eq!((bench.status("a"), bench.run.step("a").unwrap().attempts), (StepStatus::Failed, 3));
    bench.must(command("retry", 300));
    assert_eq!((bench.run.step("a").unwrap().attempts, bench.run.budget[0].consumed), (1, 3));
    let RunEvent::StepClaimed { draws, .. } = &bench.last[2] else { panic!("{:?}", bench.last) };
    assert!(draws.is_empty());
    bench.settle(310, "a", made(&["l1"]));
    assert_eq!(bench.run.status, RunStatus::Completed);
}

#[test]
fn a_retry_of_what_was_never_taken_takes_it_again_in_its_place() {
    let mut bench = Bench::started(vec![phase("one", vec![borrowing("a")], None)]);
    bench.settle(1, "a", refused());
    assert_eq!(bench.run.unresolved().count(), 0);
    bench.must(command("retry", 5));
    assert_eq!((bench.run.holdings.len(), bench.run.unresolved().count()), (1, 1));
    bench.settle(6, "a", borrowed());
    assert_eq!(bench.run.status, RunStatus::Completed);
}

#[test]
fn a_retry_that_would_be_refused_again_is_refused_and_changes_nothing() {
    let mut bench = paused_at_refused();
    let retry = |facts| RunCommand::Retry(Retry { at: at(5), step: "a".into(), note: None, facts, caps: None });
    let refusal = bench.may(retry(switched_off())).unwrap_err();
    assert_eq!(refusal.code(), "still_refused");
    assert!(refusal.to_string().contains("switched off"), "{refusal}");
    let mut gone = facts();
    gone.actions.remove("demo.light");
    assert!(bench.may(retry(gone)).unwrap_err().to_string().contains("module demo is missing"));
    bench.must(retry(facts()));
    assert_eq!(bench.run.budget[0].consumed, 1, "it pays now: it never had");
}

#[test]
fn only_an_admins_retry_reads_the_cap_again() {
    let meter = |cap| Meter { dimension: "demo.lamps".into(), consumed: 0, cap: Some(cap), cap_from: Some("demo.light".into()) };
    let mut bench = Bench::new(vec![phase("one", vec![making("a", 5)], None)]);
    let (standing, slot_holder) = (Standing::Current, None);
    bench.must(RunCommand::Start { at: at(0), standing, slot_holder, budget: vec![meter(4)], facts: facts() });
    assert!(matches!(bench.run.step("a").unwrap().refused, Some(Denied::OverCap { cap: 4, .. })));
    let retry = |caps| RunCommand::Retry(Retry { at: at(5), step: "a".into(), note: None, facts: facts(), caps });
    assert_eq!(bench.may(retry(None)).unwrap_err().code(), "still_refused");
    assert_eq!(bench.may(retry(Some(vec![meter(4)]))).unwrap_err().code(), "still_refused");
    bench.must(retry(Some(vec![meter(9)])));
    assert_eq!(bench.types(), ["cap_reread", "step_retried", "run_resumed", "step_claimed"]);
    assert_eq!((bench.run.budget[0].cap, bench.run.budget[0].consumed), (Some(9), 5));
}

#[test]
fn a_retry_is_for_the_step_at_which_the_run_has_stopped() {
    let skips = PlannedStep { on_failure: crate::plan::OnFailure::Skip, ..making("a", 1) };
    let mut bench = Bench::started(vec![phase("one", vec![skips, making("b", 1), step("c")], None)]);
    bench.settle(1, "a", refused());
    bench.settle(2, "b", refused());
    let refusal = bench.may(command("retry", 5)).unwrap_err();
    assert_eq!(refusal.to_string(), "cannot retry step a: its phase has come as far as step b already");
    let unknown = RunCommand::Retry(Retry { at: at(5), step: "z".into(), note: None, facts: facts(), caps: None });
    assert_eq!(bench.may(unknown).unwrap_err().kind(), RefusalKind::Missing);
    bench.resume(6).unwrap();
    assert_eq!((bench.status("b"), bench.types()), (StepStatus::Failed, vec!["run_resumed".to_owned(), "step_claimed".into()]));
}

#[test]
fn what_the_game_may_have_forgotten_is_not_sent_again_by_a_retry_either() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], None)]);
    bench.settle(1, "a", Answer::Failed { code: "lost".into(), retry: false, unknown: true });
    let refusal = bench.may(command("retry", 7_200)).unwrap_err();
    assert_eq!(refusal.code(), "still_refused");
    assert!(refusal.to_string().contains("could do it twice"), "{refusal}");
    bench.must(command("retry", 60));
}

#[test]
fn a_skipped_step_keeps_what_it_may_have_taken_and_lets_go_of_the_rest() {
    for (answer, left) in [(no_answer(), 1), (Answer::Failed { code: "away".into(), retry: true, unknown: false }, 0)] {
        let mut bench = Bench::started(vec![phase("one", vec![making("a", 1), step("b")], None)]);
        bench.settle(1, "a", answer);
        bench.must(command("skip", 5));
        assert_eq!((bench.status("a"), bench.run.unresolved().count()), (StepStatus::Skipped, left));
    }
}

#[test]
fn nothing_goes_on_while_everything_is_stopped_and_what_waits_is_not_refused() {
    let stopped = || Facts { stopped: Some(uuid::Uuid::nil()), ..facts() };
    let mut bench = Bench::started(vec![phase("one", vec![step("a"), making("b", 1)], None)]);
    let claim = bench.claim("a");
    let settle = RunCommand::Settle { at: at(1), step: "a".into(), claim, answer: done(), words: None, facts: stopped() };
    bench.must(settle);
    assert_eq!((bench.types(), bench.status("b")), (vec!["step_done".to_owned()], StepStatus::Pending));
    let stop = Some(uuid::Uuid::nil());
    bench.must(RunCommand::Pause { at: at(2), stop, note: None });
    let resume = RunCommand::Resume { at: at(3), note: None, facts: stopped() };
    assert_eq!(bench.may(resume).unwrap_err().code(), "stopped");
    bench.resume(4).unwrap();
    assert_eq!(bench.status("b"), StepStatus::Running);
}

#[test]
fn what_falls_due_while_everything_is_stopped_is_missed_and_says_so() {
    let stop = uuid::Uuid::nil();
    let mut bench = Bench::new(vec![phase("one", vec![step("a")], None)]);
    let standing = Standing::Barred(crate::deployment::Barred::Stopped { stop });
    bench.must(RunCommand::Start { at: at(0), standing, slot_holder: None, budget: Vec::new(), facts: facts() });
    assert_eq!((bench.run.status, &bench.run.missed), (RunStatus::Missed, &Some(MissedCause::Stopped { stop })));
}

#[test]
fn a_day_that_is_spent_refuses_and_tomorrow_the_same_step_is_taken() {
    let meter = crate::allowance::DayMeter { day: at(0).date_naive(), cap: 5, drawn: 3 };
    let spent = Facts { day: BTreeMap::from([("demo.lamps".to_owned(), meter)]), ..facts() };
    let mut bench = Bench::new(vec![phase("one", vec![making("a", 3)], None)]);
    bench.start(0, spent);
    assert!(matches!(bench.run.step("a").unwrap().refused, Some(Denied::OverDayCap { drawn: 3, cap: 5, asked: 3, .. })));
    bench.must(command("retry", 90_000));
    assert_eq!(bench.run.budget[0].consumed, 3);
}
