//! What the author of a step has it hold and wait for, whatever its action does.

use super::bench::*;
use crate::ledger::EntryStatus;
use crate::run::*;

fn holding(key: &str, seconds: u64) -> PlannedStep {
    PlannedStep { hold_seconds: Some(seconds), ..step(key) }
}

fn confirm(seconds: i64, step: &str) -> RunCommand {
    RunCommand::Confirm { at: at(seconds), step: step.into(), note: None, facts: facts() }
}

#[test]
fn a_hold_begins_with_the_success_and_is_carried_into_the_next_phase() {
    let mut bench = Bench::started(vec![phase("one", vec![holding("a", 300)], None), phase("two", vec![step("b")], None)]);
    bench.settle(1, "a", no_answer());
    assert_eq!(bench.run.held_until, None, "a failure holds nothing");
    bench.advance(61).unwrap();
    bench.settle(62, "a", done());
    assert_eq!(
        (bench.types(), bench.run.held_until),
        (vec!["step_done".into(), "run_recovered".into(), "phase_entered".into()], Some(at(362)))
    );
    assert!(bench.is_staged(DueKind::Advance, 362));
    assert_eq!(bench.advance(361), Err(RunRefusal::MovedOn));
    bench.advance(362).unwrap();
    assert_eq!(bench.types(), ["step_claimed"]);
}

#[test]
fn of_what_the_author_and_the_action_ask_for_the_longer_holds() {
    for (asked, until) in [(10, 301), (900, 901)] {
        let mut bench = Bench::started(vec![phase("one", vec![holding("a", 300), step("b")], None)]);
        let then = leasehold_module::Then::HoldFor(asked);
        bench.settle(
            1,
            "a",
            Answer::Done {
                resources: Vec::new(),
                lasts_ms: None,
                borrowed: None,
                then,
                replayed: false,
                participants: Vec::new(),
            },
        );
        assert_eq!(bench.run.held_until, Some(at(until)));
    }
}

#[test]
fn any_step_may_wait_for_a_person_and_holds_from_their_word_on() {
    let awaiting = PlannedStep { awaits_person: true, ..holding("a", 300) };
    let mut bench = Bench::started(vec![phase("one", vec![awaiting, step("b")], None)]);
    bench.settle(1, "a", done());
    assert_eq!((bench.types(), bench.run.step("a").unwrap().parked_at), (vec!["step_parked".to_owned()], Some(at(1))));
    bench.must(confirm(1_000, "a"));
    assert_eq!((bench.types(), bench.run.held_until), (vec!["step_confirmed".to_owned()], Some(at(1_300))));
    assert!(bench.is_staged(DueKind::Advance, 1_300));
    bench.advance(1_300).unwrap();
    assert_eq!(bench.types(), ["step_claimed"]);
}

#[test]
fn a_value_is_borrowed_while_its_step_waits_for_a_person_and_ends_at_its_deadline_all_the_same() {
    let awaiting = PlannedStep { awaits_person: true, ..borrowing("rate") };
    let mut bench = Bench::started(vec![phase("one", vec![awaiting], None)]);
    bench.settle(1, "rate", borrowed());
    let held = &bench.run.holdings[0];
    assert_eq!((held.status, held.baseline.as_deref(), held.until), (EntryStatus::Confirmed, Some("1"), Some(at(3_601))));
    assert!(bench.is_staged(DueKind::Sweep, 3_601));
    bench.sweep(3_601);
    bench.undo(3_602, &Bench::restored());
    bench.must(confirm(4_000, "rate"));
    assert_eq!(bench.types(), ["step_confirmed", "run_completed"]);
    assert_eq!(bench.run.cleanup, CleanupStatus::Complete);
}

#[test]
fn a_step_of_a_run_that_has_ended_waits_for_nobody() {
    let awaiting = PlannedStep { awaits_person: true, ..making("a", 1) };
    let mut bench = Bench::started(vec![phase("one", vec![awaiting], None)]);
    bench.cancel(1, true);
    bench.settle(2, "a", made(&["l1"]));
    assert_eq!((bench.types(), bench.status("a")), (vec!["step_done".to_owned()], StepStatus::Done));
}
