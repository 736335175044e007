//! Starting late, being blocked, never starting at all; attempts, expiry and stale owners.

use super::super::*;
use super::bench::*;
use crate::authorise::Denied;
use crate::plan::OnFailure;
use leasehold_module::Promise;

fn one_step() -> Vec<PlannedPhase> {
    vec![phase("one", vec![step("a")], None)]
}

#[test]
fn the_last_second_of_the_grace_starts_late_and_says_so_and_the_next_is_missed() {
    let mut bench = Bench::new(one_step());
    bench.start(900, facts());
    assert_eq!((bench.run.status, bench.run.late_seconds), (RunStatus::Running, 900));
    let mut bench = Bench::new(one_step());
    bench.start(901, facts());
    assert_eq!((bench.run.status, &bench.run.missed), (RunStatus::Missed, &Some(MissedCause::GracePassed {})));
    assert!(bench.slot.is_empty(), "what never started holds no slot");
}

#[test]
fn nothing_starts_early_and_nothing_is_missed_early() {
    let mut bench = Bench::new(one_step());
    let start =
        |s| RunCommand::Start { at: at(s), standing: Standing::Current, slot_holder: None, budget: vec![], facts: facts() };
    assert_eq!(bench.may(start(-1)), Err(RunRefusal::MovedOn));
    assert_eq!(bench.may(RunCommand::Miss { at: at(900), slot_holder: None, barred: None }), Err(RunRefusal::MovedOn));
    bench.must(start(0));
    assert_eq!(bench.may(RunCommand::Miss { at: at(9_999), slot_holder: None, barred: None }), Err(RunRefusal::MovedOn));
    assert_eq!(bench.may(start(1)), Err(RunRefusal::MovedOn), "twice is once");
}

#[test]
fn a_held_slot_is_told_once_and_named_when_the_grace_ends() {
    let mut bench = Bench::new(one_step());
    let start = |s, by: &str| RunCommand::Start {
        at: at(s),
        standing: Standing::Current,
        slot_holder: Some(by.into()),
        budget: vec![],
        facts: facts(),
    };
    bench.must(start(0, "r9"));
    assert_eq!(bench.types(), ["run_blocked"]);
    bench.must(start(15, "r9"));
    assert!(bench.last.is_empty(), "said once");
    bench.must(start(30, "r8"));
    assert_eq!(bench.types(), ["run_blocked"], "another holder is news");
    bench.must(RunCommand::Miss { at: at(901), slot_holder: Some("r8".into()), barred: None });
    assert_eq!(bench.run.missed, Some(MissedCause::SlotHeld { by: "r8".into() }));
}

#[test]
fn three_attempts_a_minute_apart_and_degraded_from_the_first_retry() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], None)]);
    bench.settle(10, "a", no_answer());
    assert_eq!((bench.run.health, bench.status("a")), (Health::Degraded, StepStatus::Pending));
    assert!(bench.is_staged(DueKind::Advance, 70));
    assert_eq!(bench.advance(69), Err(RunRefusal::MovedOn));
    bench.advance(70).unwrap();
    bench.settle(80, "a", no_answer());
    bench.advance(140).unwrap();
    assert_eq!(bench.run.step("a").unwrap().attempts, 3);
    bench.settle(150, "a", no_answer());
    assert_eq!(bench.types(), ["step_failed", "run_paused"]);
    assert_eq!(bench.run.unresolved().count(), 1, "the placeholder stands: it may have happened");
}

#[test]
fn a_refusal_by_the_game_is_final_and_leaves_nothing_behind() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], None)]);
    bench.settle(1, "a", refused());
    assert_eq!(bench.types(), ["step_failed", "run_degraded", "run_paused"]);
    assert_eq!(bench.run.unresolved().count(), 0);
}

#[test]
fn a_refusal_after_a_lost_answer_does_not_prove_that_nothing_happened() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], None)]);
    bench.settle(1, "a", no_answer());
    bench.advance(61).unwrap();
    bench.settle(62, "a", refused());
    assert_eq!(bench.run.unresolved().count(), 1);
}

#[test]
fn an_expired_claim_is_taken_over_at_once_and_counts_as_an_attempt() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], None)]);
    let stale = bench.claim("a");
    bench.expire(70, "a");
    assert_eq!(bench.types(), ["attempt_failed", "run_degraded", "step_claimed"]);
    assert_eq!(bench.run.step("a").unwrap().attempts, 2);
    let late =
        RunCommand::Settle { at: at(71), step: "a".into(), claim: stale, answer: made(&["x"]), words: None, facts: facts() };
    assert_eq!(bench.may(late), Err(RunRefusal::StaleClaim { step: "a".into() }));
    bench.expire(140, "a");
    bench.expire(210, "a");
    assert_eq!(bench.types(), ["step_failed", "run_paused"], "exactly three dispatches, never a fourth");
}

#[test]
fn a_claim_that_has_not_expired_is_nobody_elses() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a")], None)]);
    let claim = bench.claim("a");
    let early = RunCommand::ExpireClaim { at: at(69), step: "a".into(), claim, facts: facts() };
    assert_eq!(bench.may(early), Err(RunRefusal::MovedOn));
}

#[test]
fn at_most_once_is_never_sent_again_and_is_shown_to_a_person() {
    let mut once = making("a", 1);
    once.promise = Promise::AtMostOnce;
    once.on_failure = OnFailure::Skip;
    let mut bench = Bench::started(vec![phase("one", vec![once.clone()], None)]);
    bench.expire(70, "a");
    assert_eq!(bench.types(), ["step_failed", "run_degraded", "run_paused"]);
    let mut bench = Bench::started(vec![phase("one", vec![once], None)]);
    bench.settle(1, "a", no_answer());
    assert_eq!(bench.types(), ["step_failed", "run_degraded", "run_paused"]);
}

#[test]
fn what_the_engine_does_itself_is_done_again_however_late() {
    let mut own = making("a", 1);
    own.module = OWN_MODULE.into();
    let mut bench = Bench::started(vec![phase("one", vec![own], None)]);
    bench.expire(7_200, "a");
    assert_eq!(bench.types(), ["attempt_failed", "run_degraded", "step_claimed"]);
}

#[test]
fn past_the_games_memory_nothing_that_may_have_happened_is_sent_again() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], None)]);
    bench.expire(3_600, "a");
    assert_eq!(bench.types(), ["attempt_failed", "run_degraded", "step_failed", "run_paused"]);
    assert_eq!(bench.run.step("a").unwrap().last_error.as_ref().unwrap().code, "key_memory_passed");
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], None)]);
    bench.settle(1, "a", Answer::Failed { code: "not_sent".into(), retry: true, unknown: false });
    bench.advance(7_200).unwrap();
    assert_eq!(bench.types(), ["step_claimed"], "what certainly did not happen may be sent however late");
}

#[test]
fn a_switch_turned_off_and_a_module_taken_away_are_told_apart() {
    let mut off = facts();
    off.actions.get_mut("demo.light").unwrap().enabled = false;
    let mut bench = Bench::new(vec![phase("one", vec![making("a", 1)], None)]);
    bench.start(0, off);
    assert!(matches!(bench.run.step("a").unwrap().refused, Some(Denied::Disabled { .. })));
    let mut gone = facts();
    gone.actions.remove("demo.light");
    let mut bench = Bench::new(vec![phase("one", vec![making("a", 1)], None)]);
    bench.start(0, gone);
    assert_eq!(bench.run.step("a").unwrap().last_error.as_ref().unwrap().code, "module_missing");
    let mut newer = facts();
    newer.actions.get_mut("demo.light").unwrap().version = 2;
    let mut bench = Bench::new(vec![phase("one", vec![making("a", 1)], None)]);
    bench.start(0, newer);
    let error = bench.run.step("a").unwrap().last_error.clone().unwrap();
    assert!(error.detail.unwrap().contains("version 1 of demo.light, and version 2"), "both are named");
    assert!(bench.run.holdings.is_empty());
}

#[test]
fn skip_goes_on_and_abort_ends() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a"), step("b")], None)]);
    bench.settle(1, "a", refused());
    assert_eq!(bench.types(), ["step_failed", "run_degraded", "step_claimed"]);
    let mut fatal = step("a");
    fatal.on_failure = OnFailure::Abort;
    let mut bench = Bench::started(vec![phase("one", vec![fatal, step("b")], None)]);
    bench.settle(1, "a", refused());
    assert_eq!(bench.types(), ["step_failed", "run_degraded", "run_failed"]);
    assert_eq!((bench.run.status, bench.status("b")), (RunStatus::Failed, StepStatus::Cancelled));
}

#[test]
fn the_games_memory_must_last_until_the_command_can_be_sent_no_more() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], None)]);
    bench.settle(1, "a", no_answer());
    bench.advance(3_530).unwrap();
    assert_eq!(bench.types(), ["step_failed", "run_paused"], "budget and margin reach past the hour");
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], None)]);
    bench.settle(1, "a", no_answer());
    bench.advance(3_529).unwrap();
    assert_eq!(bench.types(), ["step_claimed"]);
}

#[test]
fn a_clock_that_has_gone_back_proves_nothing_about_the_games_memory() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], None)]);
    bench.settle(-100, "a", no_answer());
    bench.advance(-10).unwrap();
    assert_eq!(bench.types(), ["step_failed", "run_paused"]);
}

#[test]
fn what_is_archived_or_superseded_when_its_instant_comes_does_not_start() {
    for (standing, cause) in [(Standing::Archived, WithdrawnCause::Archived), (Standing::Superseded, WithdrawnCause::Rescheduled)]
    {
        let mut bench = Bench::new(one_step());
        bench.must(RunCommand::Start { at: at(0), standing, slot_holder: None, budget: vec![], facts: facts() });
        assert_eq!((bench.types(), bench.run.withdrawn), (vec!["run_withdrawn".to_owned()], Some(cause)));
    }
}

#[test]
fn a_run_that_waits_for_its_slot_starts_even_when_the_clock_has_stepped_back() {
    let mut bench = Bench::new(one_step());
    let start = |s, slot_holder| RunCommand::Start {
        at: at(s),
        standing: Standing::Current,
        slot_holder,
        budget: vec![],
        facts: facts(),
    };
    bench.must(start(0, Some("r9".into())));
    bench.must(start(-3_000, None));
    assert_eq!(bench.run.status, RunStatus::Running);
}
