//! What a game says is there, held against what the run holds: gone, there again, and "I cannot tell".

use super::super::*;
use super::bench::*;
use crate::decide::Decide;
use crate::keys::undo_key;
use crate::ledger::{EntryStatus, Let};
use crate::target::Target;

/// Two lamps and a borrowed value, and a gate an hour away.
fn running() -> Bench {
    let mut bench = Bench::started(vec![phase("one", vec![borrowing("rate"), making("a", 2)], Some(1_800))]);
    bench.settle(1, "rate", borrowed());
    bench.settle(2, "a", made(&["l1", "l2"]));
    assert_eq!(bench.run.status, RunStatus::Running);
    bench
}

fn look(target: Target, held: bool, present: Option<bool>) -> Look {
    Look { target, held, present }
}

fn of_all(bench: &Bench, present: Option<bool>) -> Vec<Look> {
    let told = bench.run.holdings.iter().filter(|held| !held.target.is_placeholder());
    told.map(|held| look(held.target.clone(), held.status.holds(), present)).collect()
}

fn told(bench: &mut Bench, seconds: i64, looks: Vec<Look>) {
    bench.must(RunCommand::Reconcile { at: at(seconds), module: "demo".into(), looks, facts: facts() });
}

fn restarted(bench: &mut Bench, seconds: i64, boot: &str) {
    bench.must(RunCommand::NoteRestart { at: at(seconds), module: "demo".into(), boot: boot.into() });
}

fn statuses(bench: &Bench) -> Vec<EntryStatus> {
    bench.run.holdings.iter().filter(|held| !held.target.is_placeholder()).map(|held| held.status).collect()
}

#[test]
fn what_a_restart_has_lost_is_orphaned_and_the_run_degraded_and_its_end_only_makes_sure() {
    let mut bench = running();
    restarted(&mut bench, 300, "b2");
    assert_eq!(bench.types(), ["game_restarted", "run_degraded"]);
    restarted(&mut bench, 301, "b2");
    assert_eq!(bench.last, [], "once for each life of the game");
    let looks = of_all(&bench, Some(false));
    told(&mut bench, 302, looks);
    assert_eq!(bench.types(), ["holdings_reconciled"], "the trouble is the same one");
    assert_eq!(statuses(&bench), [EntryStatus::Orphaned; 3]);
    assert_eq!((bench.run.health, bench.run.unresolved().count()), (Health::Degraded, 3));
    assert!(bench.ledger[&lease()].holder().is_none(), "free for the next hold");

    bench.advance(1_802).unwrap();
    bench.sweep(1_802);
    assert_eq!(bench.run.undo.claim.as_ref().unwrap().targets, [lamp("l1"), lamp("l2")]);
    bench.undo(1_803, &UndoOutcome::Reverted { reason: Let::Gone });
    bench.undo(1_804, &UndoOutcome::Reverted { reason: Let::LetGoByRestart });
    assert_eq!(bench.types(), ["undo_settled", "cleanup_completed"]);
    assert_eq!(statuses(&bench), [EntryStatus::Orphaned; 3], "vanished is what they did, and stays told");
    assert_eq!((bench.run.cleanup, bench.run.unresolved().count()), (CleanupStatus::Complete, 0));
    bench.must(RunCommand::Cleanup { at: at(2_000) });
    assert_eq!(bench.last, [], "a second cleanup changes nothing");
}

#[test]
fn a_game_that_cannot_tell_changes_nothing_until_it_can() {
    let mut bench = running();
    let looks = of_all(&bench, None);
    told(&mut bench, 10, looks.clone());
    assert_eq!(bench.last, []);
    restarted(&mut bench, 300, "b2");
    told(&mut bench, 301, looks);
    assert_eq!(bench.last, [], "not even that nothing was lost");
    assert!(bench.run.is_troubled());
    let looks = of_all(&bench, Some(true));
    told(&mut bench, 302, looks.clone());
    assert_eq!(bench.types(), ["holdings_reconciled", "run_recovered"]);
    assert_eq!(statuses(&bench), [EntryStatus::Confirmed; 3]);
    assert!(!bench.run.is_troubled());
    told(&mut bench, 303, looks);
    assert_eq!(bench.last, []);
}

#[test]
fn a_look_that_is_older_than_what_has_happened_since_moves_nothing() {
    let mut bench = running();
    let before = of_all(&bench, Some(true));
    let gone_before: Vec<_> = before.iter().map(|seen| look(seen.target.clone(), false, Some(false))).collect();
    told(&mut bench, 3, gone_before);
    assert_eq!(bench.last, [], "not held when the game was asked");
    bench.cancel(4, true);
    bench.sweep(4);
    bench.undo(5, &UndoOutcome::Reverted { reason: Let::Removed });
    bench.undo(6, &Bench::restored());
    told(&mut bench, 7, before);
    assert_eq!(bench.last, [], "they were there, and have been given back meanwhile");
    assert_eq!(bench.run.cleanup, CleanupStatus::Complete);
}

#[test]
fn what_is_being_undone_and_what_is_not_answered_yet_is_nobodys_to_lose() {
    let mut bench = running();
    bench.cancel(4, true);
    bench.sweep(4);
    let looks = of_all(&bench, Some(false));
    told(&mut bench, 5, looks);
    assert_eq!(statuses(&bench), [EntryStatus::Orphaned, EntryStatus::Reverting, EntryStatus::Reverting]);
    bench.undo(6, &UndoOutcome::Reverted { reason: Let::Gone });
    assert_eq!(bench.run.cleanup, CleanupStatus::Complete, "its teardown was under way: nobody looks again");

    let mut bench = Bench::started(vec![phase("one", vec![borrowing("rate")], Some(1_800))]);
    told(&mut bench, 1, vec![look(lease(), true, Some(false))]);
    assert_eq!(bench.run.holdings[0].status, EntryStatus::Pending, "its answer is on the way");
}

#[test]
fn a_lease_past_its_deadline_has_not_vanished() {
    let mut bench = Bench::started(vec![phase("one", vec![borrowing("rate")], Some(7_200))]);
    bench.settle(0, "rate", borrowed());
    told(&mut bench, 3_600, vec![look(lease(), true, Some(false))]);
    assert_eq!(bench.last, []);
    bench.sweep(3_600);
    bench.undo(3_601, &UndoOutcome::Reverted { reason: Let::ExpiredAtGame });
    assert_eq!(bench.run.holdings[0].status, EntryStatus::Reverted);
}

#[test]
fn what_the_game_takes_away_by_itself_has_not_vanished_and_is_looked_at_when_its_time_has_come() {
    let mut bench = Bench::started(vec![phase("one", vec![making("gate", 1)], Some(7_200))]);
    let mut answer = made(&["l1"]);
    if let Answer::Done { lasts_ms, .. } = &mut answer {
        *lasts_ms = Some(600_000);
    }
    bench.settle(10, "gate", answer);
    assert!(bench.is_staged(DueKind::Sweep, 610));
    told(&mut bench, 609, vec![look(lamp("l1"), true, Some(true))]);
    told(&mut bench, 610, vec![look(lamp("l1"), true, Some(false))]);
    assert_eq!(bench.last, [], "its time was over");
    bench.sweep(610);
    bench.undo(611, &UndoOutcome::Reverted { reason: Let::Gone });
    assert_eq!((statuses(&bench), bench.run.health), (vec![EntryStatus::Reverted], Health::Ok));
    bench.advance(7_200).unwrap();
    assert_eq!(bench.run.status, RunStatus::Completed);
}

#[test]
fn what_an_older_save_brings_back_is_held_again_and_undone_under_a_new_key() {
    let mut bench = running();
    bench.cancel(4, true);
    bench.sweep(4);
    bench.undo(5, &UndoOutcome::Reverted { reason: Let::Removed });
    bench.undo(6, &Bench::restored());
    assert_eq!(bench.run.cleanup, CleanupStatus::Complete);
    told(&mut bench, 60, vec![look(lamp("l1"), false, Some(true)), look(lamp("l2"), false, Some(false))]);
    assert_eq!(bench.types(), ["holdings_reconciled", "undo_begun"]);
    let RunEvent::UndoBegun { key, targets, .. } = &bench.last[1] else { panic!() };
    assert_eq!((key, targets.as_slice()), (&undo_key(RUN, "a", 1), [lamp("l1")].as_slice()));
    bench.undo(61, &UndoOutcome::Reverted { reason: Let::Removed });
    assert_eq!(bench.types(), ["undo_settled", "cleanup_completed"]);
    assert_eq!(bench.run.unresolved().count(), 0);
}

#[test]
fn what_was_left_as_asked_and_comes_back_is_loud_and_stays() {
    let mut bench = running();
    let looks = of_all(&bench, Some(false));
    told(&mut bench, 3, looks);
    bench.cancel(4, false);
    assert_eq!((bench.run.cleanup, bench.run.unresolved().count()), (CleanupStatus::Incomplete, 3));
    told(&mut bench, 60, vec![look(lamp("l1"), false, Some(true))]);
    assert_eq!(bench.types(), ["holdings_reconciled"]);
    assert_eq!((bench.run.cleanup, bench.run.holdings[2].status), (CleanupStatus::Incomplete, EntryStatus::Confirmed));
}

#[test]
fn a_wipe_ends_a_teardown_that_had_stopped() {
    let mut bench = running();
    bench.cancel(4, true);
    bench.sweep(4);
    for seconds in (100..).step_by(100).take_while(|seconds| *seconds < 1_400) {
        if bench.run.undo.claim.is_none() && bench.run.cleanup == CleanupStatus::Pending {
            bench.sweep(seconds);
        }
        if bench.run.undo.claim.is_some() {
            bench.undo(seconds, &UndoOutcome::Failed { code: "no_answer".into() });
        }
    }
    assert_eq!(bench.run.cleanup, CleanupStatus::Incomplete);
    let looks = of_all(&bench, Some(false));
    told(&mut bench, 1_500, looks);
    assert_eq!(bench.types(), ["holdings_reconciled", "cleanup_completed", "run_recovered"]);
    assert_eq!((statuses(&bench), bench.run.unresolved().count()), (vec![EntryStatus::Orphaned; 3], 0));
}

#[test]
fn a_lease_that_vanished_may_be_taken_by_another_run_and_the_teardown_leaves_it_alone() {
    let mut bench = running();
    told(&mut bench, 3, vec![look(lease(), true, Some(false))]);
    assert_eq!(bench.types(), ["holdings_reconciled", "run_degraded"]);
    let RunEvent::RunDegraded { step, code, .. } = &bench.last[1] else { panic!() };
    assert_eq!((step.as_deref(), code.as_str()), (Some("rate"), "orphaned"));
    let theirs = Bench::taken_by_another(lease());
    let back = vec![look(lease(), false, Some(true))];
    bench.must(RunCommand::Reconcile { at: at(4), module: "demo".into(), looks: back, facts: theirs });
    assert_eq!(bench.last, [], "what is there is somebody else's");
    bench.cancel(5, true);
    bench.sweep(5);
    bench.undo(6, &UndoOutcome::Reverted { reason: Let::Removed });
    let events = bench.run.decide(RunCommand::SettleUndo {
        at: at(7),
        claim: bench.run.undo.claim.as_ref().unwrap().sequence,
        undone: vec![Undone { target: lease(), result: UndoOutcome::Drifted { found: "3".into() } }],
        words: None,
        limits: Limits::default(),
    });
    let events = events.unwrap();
    assert_eq!(effects(&bench.run, &events).ledger, [], "its entry is somebody else's");
}
