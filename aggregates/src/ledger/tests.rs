//! Given, when, then.

use super::*;
use crate::decide::{Decide, Refusal};

fn reserve(run: &str) -> LedgerCommand {
    LedgerCommand::Reserve { run_id: run.into(), step: "rate".into(), wanted: Some("2".into()), until: None }
}

fn confirm(run: &str, step: &str) -> LedgerCommand {
    LedgerCommand::Confirm {
        run_id: run.into(),
        step: step.into(),
        baseline: Some("1".into()),
        applied: Some("2".into()),
        until: None,
    }
}

fn after(commands: Vec<LedgerCommand>) -> Entry {
    let mut entry = Entry::default();
    for command in commands {
        for event in entry.decide(command).unwrap() {
            entry.apply(event);
        }
    }
    entry
}

fn status(entry: &Entry) -> EntryStatus {
    entry.hold.as_ref().unwrap().status
}

#[test]
fn a_target_is_held_by_one_run_only_and_the_refusal_names_it() {
    let entry = after(vec![reserve("a")]);
    let refusal = entry.decide(reserve("b")).unwrap_err();
    assert_eq!(refusal.code(), "held");
    assert!(refusal.to_string().contains("run a"), "{refusal}");
    assert_eq!(entry.decide(confirm("b", "rate")).unwrap_err().code(), "held");
}

#[test]
fn the_same_run_and_step_may_ask_again_and_nothing_changes() {
    let entry = after(vec![reserve("a")]);
    assert_eq!(entry.decide(reserve("a")), Ok(vec![]));
    let entry = after(vec![reserve("a"), confirm("a", "rate")]);
    assert_eq!(entry.decide(confirm("a", "rate")), Ok(vec![]), "a re-report is no second hold and no new baseline");
    assert!(entry.decide(confirm("a", "other")).is_err(), "another step of the same run is another owner");
}

#[test]
fn an_object_that_an_answer_reports_needs_no_reservation() {
    let entry = after(vec![confirm("a", "light")]);
    assert_eq!((status(&entry), entry.holds), (EntryStatus::Confirmed, 1));
}

#[test]
fn three_statuses_hold_and_three_release() {
    let begin = LedgerCommand::BeginUndo { run_id: "a".into(), round: 0, attempt: 1 };
    for holding in [vec![reserve("a")], vec![confirm("a", "rate")], vec![confirm("a", "rate"), begin.clone()]] {
        assert!(after(holding).decide(reserve("b")).is_err());
    }
    let releases = [
        LedgerCommand::Revert { run_id: "a".into(), reason: Let::Restored },
        LedgerCommand::Drift { run_id: "a".into(), found: "2.5".into() },
        LedgerCommand::Orphan { run_id: "a".into(), reason: "gone".into() },
    ];
    for release in releases {
        let entry = after(vec![confirm("a", "rate"), begin.clone(), release.clone()]);
        assert!(entry.decide(reserve("b")).is_ok(), "{release:?}");
        assert_eq!(entry.decide(release), Ok(vec![]), "twice is once");
    }
}

#[test]
fn a_failed_undo_keeps_the_hold_and_counts_its_attempts() {
    let entry = after(vec![
        confirm("a", "rate"),
        LedgerCommand::BeginUndo { run_id: "a".into(), round: 0, attempt: 1 },
        LedgerCommand::FailUndo { run_id: "a".into(), code: "no_answer".into() },
        LedgerCommand::BeginUndo { run_id: "a".into(), round: 0, attempt: 2 },
    ]);
    assert_eq!(status(&entry), EntryStatus::Reverting);
    assert_eq!(entry.hold.as_ref().unwrap().undo_attempts, 2);
    assert!(entry.decide(reserve("b")).is_err());
}

#[test]
fn drift_keeps_all_three_values() {
    let entry = after(vec![confirm("a", "rate"), LedgerCommand::Drift { run_id: "a".into(), found: "2.5".into() }]);
    let hold = entry.hold.unwrap();
    assert_eq!((hold.baseline.as_deref(), hold.applied.as_deref(), hold.found.as_deref()), (Some("1"), Some("2"), Some("2.5")));
}

#[test]
fn nobody_undoes_what_is_not_theirs() {
    let entry = after(vec![confirm("a", "rate")]);
    for command in [
        LedgerCommand::BeginUndo { run_id: "b".into(), round: 0, attempt: 1 },
        LedgerCommand::Revert { run_id: "b".into(), reason: Let::Gone },
        LedgerCommand::Drift { run_id: "b".into(), found: "3".into() },
        LedgerCommand::FailUndo { run_id: "b".into(), code: "x".into() },
        LedgerCommand::Orphan { run_id: "b".into(), reason: "x".into() },
    ] {
        assert_eq!(entry.decide(command).unwrap_err().code(), "not_held");
    }
}

#[test]
fn what_releases_is_known_by_its_type_alone() {
    let run_id = || "a".to_owned();
    let begun = LedgerEvent::UndoBegun { run_id: run_id(), round: 0, attempt: 1 };
    let held = || after(vec![confirm("a", "rate")]);
    for event in [
        LedgerEvent::TargetReserved { run_id: run_id(), step: "rate".into(), wanted: None, until: None },
        LedgerEvent::TargetConfirmed { run_id: run_id(), step: "rate".into(), baseline: None, applied: None, until: None },
        begun,
        LedgerEvent::UndoFailed { run_id: run_id(), code: "no_answer".into() },
        LedgerEvent::TargetReverted { run_id: run_id(), reason: Let::Restored },
        LedgerEvent::TargetDrifted { run_id: run_id(), found: "3".into() },
        LedgerEvent::TargetOrphaned { run_id: run_id(), reason: "gone".into() },
    ] {
        let releases = LedgerEvent::RELEASES.contains(&cqrs_es::DomainEvent::event_type(&event).as_str());
        let mut entry = held();
        entry.apply(event);
        assert_eq!(entry.holder().is_none(), releases, "{entry:?}");
    }
}
