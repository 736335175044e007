//! Cancelling, withdrawing, and answers that come after the end.

use super::super::*;
use super::bench::*;
use crate::authorise::Asker;

#[test]
fn a_cancel_before_the_start_leaves_nothing_to_clean() {
    let mut bench = Bench::new(vec![phase("one", vec![making("a", 1)], None)]);
    bench.cancel(-10, true);
    assert_eq!((bench.run.status, bench.run.cleanup), (RunStatus::Cancelled, CleanupStatus::NotRequired));
    assert!(bench.slot.is_empty());
    let again = RunCommand::Cancel { at: at(0), by: Asker::Runner, cleanup: true, stop: None, note: None };
    assert_eq!(bench.may(again).unwrap_err().to_string(), "cannot cancel a run that is cancelled");
}

#[test]
fn a_cancel_lets_a_running_step_finish_and_waits_for_it() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1), step("b")], None)]);
    bench.cancel(5, true);
    assert_eq!((bench.status("a"), bench.status("b")), (StepStatus::Running, StepStatus::Cancelled));
    assert_eq!(bench.run.cleanup, CleanupStatus::Pending);
    assert!(bench.is_staged(DueKind::Sweep, 5));
    let sweep = RunCommand::Sweep { at: at(6), limits: Limits::default() };
    assert_eq!(bench.may(sweep), Err(RunRefusal::MovedOn), "nothing is complete while a claim is live");
    bench.settle(8, "a", made(&["l1"]));
    assert_eq!(bench.types(), ["step_done"], "accepted and recorded, and nothing follows");
    assert!(bench.is_staged(DueKind::Sweep, 8));
    bench.sweep(8);
    bench.undo(9, &Bench::restored());
    assert_eq!(bench.types(), ["undo_settled", "cleanup_completed"]);
}

#[test]
fn an_owner_that_never_answers_a_cancelled_run_is_given_up_and_its_step_undone_by_key() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], None)]);
    bench.cancel(5, true);
    bench.expire(70, "a");
    assert_eq!(bench.types(), ["step_abandoned"]);
    bench.sweep(70);
    assert!(bench.run.undo.claim.as_ref().unwrap().targets[0].is_placeholder());
    bench.undo(71, &Bench::restored());
    assert_eq!(bench.run.cleanup, CleanupStatus::Complete);
}

#[test]
fn a_late_answer_after_a_finished_teardown_opens_it_again() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1), making("b", 1)], None)]);
    bench.settle(1, "a", made(&["l1"]));
    bench.cancel(2, true);
    bench.sweep(2);
    bench.undo(3, &Bench::restored());
    assert_eq!(bench.run.cleanup, CleanupStatus::Pending, "b is still out");
    bench.settle(4, "b", made(&["l2"]));
    bench.sweep(4);
    bench.undo(5, &Bench::restored());
    assert_eq!(bench.run.cleanup, CleanupStatus::Complete);
}

#[test]
fn without_cleanup_it_says_so_and_sweeps_nothing() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1), step("b")], Some(60))]);
    bench.settle(1, "a", made(&["l1"]));
    bench.cancel(2, false);
    assert_eq!(bench.run.cleanup, CleanupStatus::Incomplete);
    assert!(!bench.staged.iter().any(|due| due.kind == DueKind::Sweep));
    assert_eq!(bench.run.unresolved().count(), 1);
}

#[test]
fn a_new_version_moves_what_has_not_begun_and_nothing_else() {
    let mut bench = Bench::new(vec![phase("one", vec![step("a")], None)]);
    let mut new = scheduled(vec![phase("one", vec![step("z")], None)]);
    new.definition_version = 2;
    let repin = |run: Scheduled| RunCommand::Repin { at: at(-5), run: Box::new(run) };
    bench.must(repin(new.clone()));
    assert!(bench.run.step("z").is_some() && bench.run.step("a").is_none());
    bench.must(repin(new.clone()));
    assert!(bench.last.is_empty(), "the same again is no news");
    bench.start(0, facts());
    new.definition_version = 3;
    assert_eq!(bench.may(repin(new)).unwrap_err().to_string(), "cannot re-pin a run that is running");
    let withdraw = RunCommand::Withdraw { at: at(1), cause: WithdrawnCause::Archived };
    assert!(bench.may(withdraw).is_err(), "a live run finishes");
}

#[test]
fn a_slot_that_was_withdrawn_before_it_began_opens_again_and_one_that_a_person_cancelled_does_not() {
    let mut bench = Bench::new(vec![phase("one", vec![step("a")], None)]);
    bench.must(RunCommand::Withdraw { at: at(-30), cause: WithdrawnCause::Rescheduled });
    let again = || RunCommand::Schedule { at: at(-20), run: Box::new(scheduled(vec![phase("one", vec![step("b")], None)])) };
    bench.must(again());
    assert_eq!((bench.run.status, bench.run.withdrawn, bench.run.ended_at), (RunStatus::Scheduled, None, None));
    assert_eq!(bench.run.version, 3, "one stream");
    bench.start(0, facts());
    assert_eq!(bench.status("b"), StepStatus::Running);
    let mut bench = Bench::new(vec![phase("one", vec![step("a")], None)]);
    bench.cancel(-30, true);
    assert_eq!(bench.may(again()), Err(RunRefusal::Exists));
}

#[test]
fn a_new_version_of_a_run_that_waits_for_its_slot_asks_for_the_slot_anew() {
    let mut bench = Bench::new(vec![phase("one", vec![step("a")], None)]);
    let slot_holder = || Some("r9".to_owned());
    let blocked = || RunCommand::Start {
        at: at(1),
        standing: Standing::Current,
        slot_holder: slot_holder(),
        budget: vec![],
        facts: facts(),
    };
    bench.must(blocked());
    let mut new = scheduled(vec![phase("one", vec![step("z")], None)]);
    new.definition_version = 2;
    bench.must(RunCommand::Repin { at: at(2), run: Box::new(new) });
    bench.must(blocked());
    assert_eq!(bench.types(), ["run_blocked"], "so that it listens again");
}

#[test]
fn a_cue_that_is_answered_after_the_end_waits_for_nobody() {
    let mut bench = Bench::started(vec![phase("one", vec![making("cue", 1)], None)]);
    bench.cancel(1, true);
    let resources = vec![lamp("l1")];
    let answer = Answer::Done {
        resources,
        lasts_ms: None,
        borrowed: None,
        then: leasehold_module::Then::AwaitHuman,
        replayed: false,
        participants: Vec::new(),
    };
    bench.settle(2, "cue", answer);
    assert_eq!(bench.types(), ["step_done"]);
    assert!(bench.is_staged(DueKind::Sweep, 2));
}
