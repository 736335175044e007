//! The world is put back, and what cannot be put back is loud.

use super::super::*;
use super::bench::*;
use crate::keys::undo_key;
use crate::ledger::{EntryStatus, Let};

fn held() -> Bench {
    let mut bench = Bench::started(vec![phase("one", vec![borrowing("rate"), making("a", 2)], None)]);
    bench.settle(1, "rate", borrowed());
    bench.settle(2, "a", made(&["l1", "l2"]));
    assert_eq!((bench.run.status, bench.run.cleanup), (RunStatus::Completed, CleanupStatus::Pending));
    bench
}

fn failed() -> UndoOutcome {
    UndoOutcome::Failed { code: "no_answer".into() }
}

#[test]
fn the_last_thing_taken_goes_first_and_each_step_is_one_undo() {
    let mut bench = held();
    bench.sweep(3);
    let claim = bench.run.undo.claim.clone().unwrap();
    assert_eq!((claim.step.as_str(), claim.targets.len()), ("a", 2));
    bench.undo(4, &UndoOutcome::Reverted { reason: Let::Removed });
    assert_eq!(bench.types(), ["undo_settled", "undo_begun"], "settling one undo claims the next");
    assert_eq!(bench.run.undo.claim.as_ref().unwrap().step, "rate");
    bench.undo(5, &Bench::restored());
    assert_eq!(bench.types(), ["undo_settled", "cleanup_completed"]);
    assert_eq!(bench.run.unresolved().count(), 0);
}

#[test]
fn drift_is_left_alone_is_loud_and_frees_the_target() {
    let mut bench = held();
    bench.sweep(3);
    bench.undo(4, &UndoOutcome::Reverted { reason: Let::Gone });
    bench.undo(5, &UndoOutcome::Drifted { found: "2.5".into() });
    assert_eq!(bench.types(), ["undo_settled", "cleanup_stopped"]);
    assert_eq!(bench.run.cleanup, CleanupStatus::Incomplete);
    let drifted = bench.run.unresolved().next().unwrap();
    assert_eq!((drifted.status, drifted.found.as_deref()), (EntryStatus::Drifted, Some("2.5")));
    assert!(bench.ledger[&lease()].holder().is_none(), "free for the next hold");
}

#[test]
fn a_failed_undo_is_tried_three_times_a_minute_apart_and_then_left_for_a_person() {
    let mut bench = held();
    bench.sweep(3);
    bench.undo(4, &failed());
    assert_eq!(bench.types(), ["undo_settled", "undo_begun"], "the other step's undo does not wait");
    bench.undo(5, &Bench::restored());
    assert_eq!(bench.types(), ["undo_settled"]);
    assert!(bench.is_staged(DueKind::Sweep, 64));
    bench.sweep(64);
    bench.undo(65, &failed());
    bench.sweep(125);
    bench.undo(126, &failed());
    assert_eq!(bench.types(), ["undo_settled", "cleanup_stopped"]);
    assert_eq!((bench.run.cleanup, bench.run.unresolved().count()), (CleanupStatus::Incomplete, 2));
    assert_eq!(bench.run.holdings[2].undo_attempts, 3);
    assert_eq!(bench.run.holdings[2].last_error.as_deref(), Some("no_answer"));
}

#[test]
fn a_retry_that_fell_due_during_another_undo_is_staged_again_by_the_append_after_which_it_waits() {
    let mut bench = held();
    bench.sweep(3);
    bench.undo(4, &failed());
    let early = RunCommand::Sweep { at: at(64), limits: Limits::default() };
    assert_eq!(bench.may(early), Err(RunRefusal::MovedOn), "the other step's undo is under way");
    bench.drop_staged(DueKind::Sweep);
    bench.undo(63, &Bench::restored());
    assert!(bench.is_staged(DueKind::Sweep, 64), "decided before the retry was due, recorded after it was dropped");
}

#[test]
fn a_crash_inside_the_teardown_goes_on_with_the_same_key_and_the_next_attempt() {
    let mut bench = held();
    bench.sweep(3);
    let claim = bench.run.undo.claim.clone().unwrap();
    let early = RunCommand::ExpireUndo { at: at(82), claim: claim.sequence, limits: Limits::default() };
    assert_eq!(bench.may(early), Err(RunRefusal::MovedOn));
    bench.must(RunCommand::ExpireUndo { at: at(83), claim: claim.sequence, limits: Limits::default() });
    assert_eq!(bench.types(), ["undo_settled", "undo_begun"]);
    let RunEvent::UndoBegun { attempt, key, .. } = &bench.last[1] else { panic!() };
    assert_eq!((*attempt, key), (2, &undo_key(RUN, "a", 0)));
    let stale =
        RunCommand::SettleUndo { at: at(84), claim: claim.sequence, undone: vec![], words: None, limits: Limits::default() };
    assert_eq!(bench.may(stale), Err(RunRefusal::StaleUndo), "the old owner is refused when it wakes");
}

#[test]
fn a_half_refused_undo_tries_only_the_rest_again() {
    let mut bench = held();
    bench.sweep(3);
    let claim = bench.run.undo.claim.clone().unwrap();
    let undone = vec![
        Undone { target: lamp("l1"), result: UndoOutcome::Reverted { reason: Let::Removed } },
        Undone { target: lamp("l2"), result: failed() },
    ];
    bench.must(RunCommand::SettleUndo { at: at(4), claim: claim.sequence, undone, words: None, limits: Limits::default() });
    bench.undo(5, &Bench::restored());
    bench.sweep(64);
    assert_eq!(bench.run.undo.claim.as_ref().unwrap().targets, [lamp("l2")]);
}

#[test]
fn every_ending_is_followed_by_the_same_teardown() {
    for ending in ["complete", "cancel", "abort"] {
        let mut fatal = step("end");
        fatal.on_failure = crate::plan::OnFailure::Abort;
        let mut bench = Bench::started(vec![phase("one", vec![making("a", 1), fatal], None)]);
        bench.settle(1, "a", made(&["l1"]));
        match ending {
            "complete" => bench.settle(2, "end", done()),
            "abort" => bench.settle(2, "end", refused()),
            _ => {
                bench.settle(2, "end", no_answer());
                bench.cancel(2, true);
            }
        }
        assert!(bench.is_staged(DueKind::Sweep, 2), "{ending}");
        bench.sweep(3);
        bench.undo(4, &Bench::restored());
        assert_eq!(bench.run.cleanup, CleanupStatus::Complete, "{ending}");
        assert_eq!(bench.slot, [SlotMove::Take, SlotMove::Release], "{ending}");
    }
}

#[test]
fn a_person_may_ask_for_another_round_under_new_keys() {
    let mut bench = held();
    let cleanup = |s| RunCommand::Cleanup { at: at(s) };
    bench.sweep(3);
    bench.undo(4, &Bench::restored());
    bench.undo(5, &failed());
    for s in [65, 125] {
        bench.sweep(s);
        bench.undo(s, &failed());
    }
    assert_eq!(bench.run.cleanup, CleanupStatus::Incomplete);
    bench.must(cleanup(200));
    assert!(bench.is_staged(DueKind::Sweep, 200));
    bench.sweep(200);
    let RunEvent::UndoBegun { attempt, key, .. } = &bench.last[0] else { panic!() };
    assert_eq!((*attempt, key), (1, &undo_key(RUN, "rate", 1)));
    bench.undo(201, &UndoOutcome::Drifted { found: "3".into() });
    assert_eq!(bench.types(), ["undo_settled", "cleanup_stopped"]);
    bench.must(cleanup(300));
    assert!(bench.last.is_empty(), "what has drifted is not touched again");
    let mut bench = Bench::started(vec![phase("one", vec![step("a")], None)]);
    assert_eq!(bench.may(cleanup(1)).unwrap_err().to_string(), "cannot clean up after a run that is running");
}

#[test]
fn what_was_left_as_asked_can_be_cleaned_later_and_its_leases_end_by_themselves() {
    let mut bench = Bench::started(vec![phase("one", vec![borrowing("rate"), making("a", 1), step("b")], None)]);
    bench.settle(0, "rate", borrowed());
    bench.settle(1, "a", made(&["l1"]));
    bench.settle(2, "b", no_answer());
    bench.cancel(3, false);
    bench.sweep(3_600);
    bench.undo(3_601, &UndoOutcome::Reverted { reason: Let::ExpiredAtGame });
    assert!(bench.ledger[&lease()].holder().is_none());
    assert_eq!(bench.run.cleanup, CleanupStatus::Incomplete, "the lamp is still there");
    bench.must(RunCommand::Cleanup { at: at(4_000) });
    bench.sweep(4_000);
    bench.undo(4_001, &Bench::restored());
    assert_eq!(bench.run.cleanup, CleanupStatus::Complete);
}

fn lease_that_ends_before_its_run() -> Bench {
    let mut bench = Bench::started(vec![phase("one", vec![borrowing("rate")], Some(7_200))]);
    bench.settle(0, "rate", borrowed());
    assert!(bench.is_staged(DueKind::Sweep, 3_600));
    bench
}

#[test]
fn a_lease_that_is_over_frees_its_target_while_the_run_goes_on() {
    let mut bench = lease_that_ends_before_its_run();
    let early = RunCommand::Sweep { at: at(3_599), limits: Limits::default() };
    assert_eq!(bench.may(early), Err(RunRefusal::MovedOn));
    bench.sweep(3_600);
    assert_eq!(bench.types(), ["undo_begun"]);
    bench.undo(3_601, &UndoOutcome::Reverted { reason: Let::ExpiredAtGame });
    assert_eq!((bench.types(), bench.run.status), (vec!["undo_settled".to_owned()], RunStatus::Running));
    assert!(bench.ledger[&lease()].holder().is_none(), "free for the next hold");
    bench.advance(7_200).unwrap();
    assert_eq!((bench.run.status, bench.run.cleanup), (RunStatus::Completed, CleanupStatus::Complete));
}

#[test]
fn a_look_at_a_lease_that_is_over_spends_one_attempt_and_leaves_the_rest_to_the_teardown() {
    let mut bench = lease_that_ends_before_its_run();
    bench.sweep(3_600);
    bench.undo(3_601, &failed());
    assert_eq!(bench.types(), ["undo_settled"]);
    let again = RunCommand::Sweep { at: at(3_700), limits: Limits::default() };
    assert_eq!(bench.may(again), Err(RunRefusal::MovedOn));
    bench.advance(7_200).unwrap();
    assert_eq!(bench.run.cleanup, CleanupStatus::Pending);
    bench.sweep(7_200);
    bench.undo(7_201, &UndoOutcome::Reverted { reason: Let::ExpiredAtGame });
    assert_eq!(bench.run.cleanup, CleanupStatus::Complete);
}

#[test]
fn a_run_that_ends_while_its_lease_is_looked_at_is_torn_down_by_the_answer() {
    let mut bench = lease_that_ends_before_its_run();
    bench.sweep(3_600);
    bench.cancel(3_601, true);
    let sweep = RunCommand::Sweep { at: at(3_601), limits: Limits::default() };
    assert_eq!(bench.may(sweep), Err(RunRefusal::MovedOn), "one undo at a time");
    bench.undo(3_602, &UndoOutcome::Reverted { reason: Let::ExpiredAtGame });
    assert_eq!(bench.types(), ["undo_settled", "cleanup_completed"]);
}
