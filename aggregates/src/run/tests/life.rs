//! From scheduled to completed.

use super::super::*;
use super::bench::*;
use crate::authorise::{Denied, Meter};
use leasehold_module::Then;
use std::collections::BTreeMap;

#[test]
fn one_append_starts_the_run_enters_the_phase_and_claims_the_first_step() {
    let bench = Bench::started(vec![phase("one", vec![step("a"), step("b")], None)]);
    assert_eq!(bench.types(), ["run_started", "phase_entered", "step_claimed"]);
    assert_eq!(
        (bench.run.status, bench.status("a"), bench.status("b")),
        (RunStatus::Running, StepStatus::Running, StepStatus::Pending)
    );
    assert_eq!(bench.slot, [SlotMove::Take]);
    assert!(bench.is_staged(DueKind::ClaimExpiry, 70), "budget and a minute");
    assert_eq!(bench.run.step("a").unwrap().claim.unwrap().sequence, bench.run.version, "the claim's sequence is its fence");
}

#[test]
fn settling_one_step_claims_the_next_and_the_last_one_ends_the_run() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a"), step("b")], None)]);
    bench.settle(1, "a", done());
    assert_eq!(bench.types(), ["step_done", "step_claimed"]);
    bench.settle(2, "b", done());
    assert_eq!(bench.types(), ["step_done", "run_completed"]);
    assert_eq!((bench.run.status, bench.run.cleanup), (RunStatus::Completed, CleanupStatus::NotRequired));
    assert_eq!(bench.slot, [SlotMove::Take, SlotMove::Release]);
}

#[test]
fn a_gate_counts_from_the_phases_entry_and_waits_for_its_steps_too() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a")], Some(600)), phase("two", vec![step("b")], None)]);
    assert!(bench.is_staged(DueKind::Advance, 600));
    assert_eq!(bench.advance(599), Err(RunRefusal::MovedOn), "a running step holds the phase");
    bench.settle(300, "a", done());
    assert_eq!(bench.types(), ["step_done"], "its gate holds the phase");
    bench.advance(600).unwrap();
    assert_eq!(bench.types(), ["gate_satisfied", "phase_entered", "step_claimed"]);
    assert_eq!(bench.run.current_phase().unwrap().key, "two");
}

#[test]
fn a_gate_that_came_due_while_a_step_ran_opens_with_the_steps_answer() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a")], Some(5)), phase("two", vec![step("b")], None)]);
    bench.settle(9, "a", done());
    assert_eq!(bench.types(), ["step_done", "gate_satisfied", "phase_entered", "step_claimed"]);
}

#[test]
fn a_gate_that_fell_due_during_a_step_is_staged_again_by_the_append_after_which_the_run_waits() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a")], Some(600)), phase("two", vec![step("b")], None)]);
    assert_eq!(bench.advance(600), Err(RunRefusal::MovedOn), "the step is under way");
    bench.drop_staged(DueKind::Advance);
    bench.settle(599, "a", done());
    assert_eq!(bench.types(), ["step_done"], "decided before the gate was due, recorded after its item was dropped");
    assert!(bench.is_staged(DueKind::Advance, 600));
}

#[test]
fn a_hold_that_outlasts_its_gate_is_waited_for_after_the_gate() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a")], Some(600))]);
    bench.drop_staged(DueKind::Advance);
    bench.settle(10, "a", hold(900));
    assert!(bench.is_staged(DueKind::Advance, 600) && !bench.is_staged(DueKind::Advance, 910));
    bench.advance(600).unwrap();
    assert_eq!(bench.types(), ["gate_satisfied"]);
    assert!(bench.is_staged(DueKind::Advance, 910));
    bench.advance(910).unwrap();
    assert_eq!(bench.types(), ["run_completed"]);
}

fn hold(seconds: u64) -> Answer {
    Answer::Done {
        resources: Vec::new(),
        lasts_ms: None,
        borrowed: None,
        then: Then::HoldFor(seconds),
        replayed: false,
        participants: Vec::new(),
    }
}

#[test]
fn a_hold_delays_what_follows_across_a_phase_boundary_and_before_the_end() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a")], None), phase("two", vec![step("b")], None)]);
    bench.settle(0, "a", hold(300));
    assert_eq!(bench.types(), ["step_done", "phase_entered"]);
    assert!(bench.is_staged(DueKind::Advance, 300));
    assert_eq!(bench.advance(299), Err(RunRefusal::MovedOn));
    bench.advance(300).unwrap();
    bench.settle(301, "b", hold(60));
    assert_eq!(bench.run.status, RunStatus::Running, "a wait at the end is a wait");
    bench.advance(361).unwrap();
    assert_eq!(bench.run.status, RunStatus::Completed);
}

#[test]
fn a_parked_step_waits_for_a_person_and_for_nothing_else() {
    let mut bench = Bench::started(vec![phase("one", vec![step("cue"), step("b")], None)]);
    bench.settle(0, "cue", parked());
    assert!(bench.run.step("cue").unwrap().parked);
    assert!(!bench.staged.iter().any(|due| due.kind == DueKind::ClaimExpiry), "nothing expires while a person is awaited");
    assert_eq!(bench.advance(1_000_000), Err(RunRefusal::MovedOn));
    let confirm = |step: &str| RunCommand::Confirm { at: at(7), step: step.into(), note: None, facts: facts() };
    assert_eq!(bench.may(confirm("b")).unwrap_err(), RunRefusal::NotParked { step: "b".into(), is: "pending".into() });
    assert_eq!(bench.may(confirm("nope")).unwrap_err(), RunRefusal::NoSuchStep("nope".into()));
    bench.must(confirm("cue"));
    assert_eq!(bench.types(), ["step_confirmed", "step_claimed"]);
    assert!(matches!(bench.may(confirm("cue")), Err(RunRefusal::NotParked { .. })), "once");
}

#[test]
fn a_cap_is_drawn_by_the_claim_once_for_life() {
    let mut bench = Bench::new(vec![phase("one", vec![making("a", 20), making("b", 20)], None)]);
    let caps = BTreeMap::from([("demo.light".to_owned(), BTreeMap::from([("demo.lamps".to_owned(), 30)]))]);
    let budget = pin_budget(bench.run.plan().unwrap(), &caps);
    bench.must(RunCommand::Start { at: at(0), standing: Standing::Current, slot_holder: None, budget, facts: facts() });
    assert_eq!(bench.run.budget[0].consumed, 20);
    bench.settle(1, "a", no_answer());
    bench.advance(61).unwrap();
    assert_eq!(bench.run.budget[0].consumed, 20, "a retry pays nothing again");
    bench.settle(62, "a", made(&["l1"]));
    assert_eq!(bench.types(), ["step_done", "run_recovered", "step_refused", "run_degraded", "run_paused"]);
    let why = bench.run.step("b").unwrap().refused.clone().unwrap();
    assert!(matches!(why, Denied::OverCap { asked: 20, consumed: 20, cap: 30, .. }), "{why:?}");
    assert_eq!(bench.run.budget[0].consumed, 20, "what was refused spent nothing");
}

#[test]
fn the_tightest_cap_wins_and_says_whose_it_is() {
    let mut other = making("b", 1);
    other.action = "demo.other".into();
    let plan = RunPlan { phases: vec![phase("one", vec![making("a", 1), other], None)] };
    let cap = |n: u64| BTreeMap::from([("demo.lamps".to_owned(), n)]);
    let caps = BTreeMap::from([("demo.light".to_owned(), cap(30)), ("demo.other".to_owned(), cap(4))]);
    let meter =
        |cap, from: Option<&str>| Meter { dimension: "demo.lamps".into(), consumed: 0, cap, cap_from: from.map(Into::into) };
    assert_eq!(pin_budget(&plan, &caps), [meter(Some(4), Some("demo.other"))]);
    let one = BTreeMap::from([("demo.light".to_owned(), cap(30))]);
    assert_eq!(pin_budget(&plan, &one), [meter(Some(30), Some("demo.light"))], "an uncapped action loosens nothing");
    assert_eq!(pin_budget(&plan, &BTreeMap::new()), [meter(None, None)], "uncapped is still counted");
}

#[test]
fn a_step_leaves_its_placeholder_behind_only_until_it_answers() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 2)], Some(60))]);
    assert!(bench.run.holdings[0].target.is_placeholder());
    assert_eq!(bench.run.unresolved().count(), 1, "recorded before it is dispatched");
    assert_eq!(bench.run.cleanup, CleanupStatus::Pending, "there is something to put back");
    bench.settle(1, "a", made(&["l1", "l2"]));
    let held: Vec<_> = bench.run.unresolved().map(|held| held.target.reference.as_str()).collect();
    assert_eq!(held, ["l1", "l2"]);
}

#[test]
fn a_borrowed_value_is_reserved_by_its_real_name_and_keeps_the_answers_baseline() {
    let mut bench = Bench::started(vec![phase("one", vec![borrowing("rate")], Some(60))]);
    assert_eq!(bench.run.holdings[0].target, lease());
    bench.settle(1, "rate", borrowed());
    let held = &bench.run.holdings[0];
    assert_eq!((held.baseline.as_deref(), held.applied.as_deref(), held.until), (Some("1"), Some("2"), Some(at(3_601))));
}

#[test]
fn a_target_of_another_run_is_refused_by_name_before_anything_is_sent() {
    let mut bench = Bench::new(vec![phase("one", vec![borrowing("rate")], None)]);
    bench.start(0, Bench::taken_by_another(lease()));
    assert_eq!(bench.types(), ["run_started", "phase_entered", "step_refused", "run_degraded", "run_paused"]);
    let why = bench.run.step("rate").unwrap().refused.clone().unwrap();
    assert!(matches!(&why, Denied::Held { holder, .. } if holder == "r2"), "{why:?}");
    assert!(bench.run.holdings.is_empty());
}

#[test]
fn two_steps_of_one_run_do_not_borrow_one_value_twice() {
    let mut bench = Bench::started(vec![phase("one", vec![borrowing("rate"), borrowing("again")], Some(60))]);
    bench.settle(1, "rate", borrowed());
    assert_eq!(bench.types(), ["step_done", "step_refused", "run_degraded", "run_paused"]);
    let why = bench.run.step("again").unwrap().refused.clone().unwrap();
    assert!(matches!(&why, Denied::Held { holder, .. } if holder == RUN), "{why:?}");
}

#[test]
fn a_step_that_reports_what_another_holds_fails_and_keeps_its_placeholder() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], None)]);
    let command = RunCommand::Settle {
        at: at(1),
        step: "a".into(),
        claim: bench.claim("a"),
        answer: made(&["l1"]),
        words: None,
        facts: Bench::taken_by_another(lamp("l1")),
    };
    bench.must(command);
    assert_eq!(bench.types(), ["step_failed", "run_degraded", "run_paused"]);
    assert!(bench.run.step("a").unwrap().last_error.as_ref().unwrap().detail.as_ref().unwrap().contains("run r2"));
    assert!(bench.run.unresolved().next().unwrap().target.is_placeholder());
}
