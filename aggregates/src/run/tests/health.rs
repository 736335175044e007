//! Trouble is told when it begins and when it is over; health stays what it was at its worst.

use super::bench::*;
use crate::run::*;

fn recovered(bench: &Bench) -> Option<&RunEvent> {
    bench.last.iter().find(|event| matches!(event, RunEvent::RunRecovered { .. }))
}

#[test]
fn a_step_that_works_after_all_ends_the_trouble_and_health_keeps_its_worst() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1), step("b")], None)]);
    bench.settle(1, "a", no_answer());
    assert_eq!(bench.types(), ["attempt_failed", "run_degraded"]);
    bench.advance(61).unwrap();
    bench.settle(62, "a", no_answer());
    assert_eq!(bench.types(), ["attempt_failed"], "told once, while it lasts");
    bench.advance(122).unwrap();
    bench.settle(123, "a", made(&["l1"]));
    assert_eq!(bench.types(), ["step_done", "run_recovered", "step_claimed"]);
    assert_eq!(bench.claim("b"), bench.run.version, "the claim is named by its own place behind what was put in between");
    assert_eq!((bench.run.health, bench.run.recovered_at), (Health::Degraded, Some(at(123))));
    bench.settle(124, "b", no_answer());
    assert_eq!(bench.types(), ["attempt_failed", "run_degraded"], "another trouble is told anew");
    assert_eq!(bench.run.recovered_at, None);
}

#[test]
fn a_step_that_was_given_up_is_nothing_to_recover_from() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a"), step("b"), step("c")], None)]);
    bench.settle(1, "a", refused());
    bench.settle(2, "b", no_answer());
    assert_eq!(bench.types(), ["attempt_failed"]);
    bench.advance(62).unwrap();
    bench.settle(63, "b", done());
    assert_eq!(recovered(&bench), None, "step a never happened");
}

#[test]
fn an_end_by_a_person_is_no_recovery() {
    let mut bench = Bench::started(vec![phase("one", vec![step("a")], None)]);
    bench.settle(1, "a", no_answer());
    bench.cancel(2, true);
    assert_eq!(bench.types(), ["run_cancelled"]);
}

#[test]
fn a_teardown_that_a_person_brings_to_its_end_is_a_recovery() {
    let mut bench = Bench::started(vec![phase("one", vec![making("a", 1)], Some(60))]);
    bench.settle(1, "a", made(&["l1"]));
    bench.cancel(2, false);
    assert!(bench.run.was_incomplete);
    bench.must(RunCommand::Cleanup { at: at(3) });
    bench.sweep(3);
    bench.undo(4, &UndoOutcome::Reverted { reason: crate::ledger::Let::Removed });
    assert_eq!(bench.types(), ["undo_settled", "cleanup_completed", "run_recovered"]);
    assert_eq!(recovered(&bench), Some(&RunEvent::RunRecovered { at: at(4), step: None, phase: None }));
    assert_eq!((bench.run.cleanup, bench.run.was_incomplete), (CleanupStatus::Complete, true));
}
