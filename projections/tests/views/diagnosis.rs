//! Why a run stands where it stands.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use leasehold_aggregates::deployment::{Barred, Frozen};
use leasehold_aggregates::run::{Answer, Facts, Limits, RunCommand, Standing, WithdrawnCause};
use leasehold_module::Then;
use leasehold_projections::run_view::{Cause, CauseCode, Diagnosis, RunView, Surroundings};
use uuid::Uuid;

use crate::bench::{at, facts, making, phase, step};
use crate::script::{RUN, Script, WORDS, borrowed, done, made, note, notes};

fn told_with(script: &Script, seconds: i64, facts: &Facts, standing: Standing) -> Diagnosis {
    let (notes, budgets) = (notes(), BTreeMap::new());
    let around = Surroundings { at: at(seconds), facts, standing, budget_now: &[], budgets: &budgets, notes: &notes };
    RunView::of(RUN, &script.run, 17, around).unwrap().diagnosis
}

fn told(script: &Script, seconds: i64) -> Diagnosis {
    told_with(script, seconds, &facts(), Standing::Current)
}

fn codes(diagnosis: &Diagnosis) -> Vec<CauseCode> {
    diagnosis.causes.iter().map(|cause| cause.code).collect()
}

fn only(diagnosis: Diagnosis, code: CauseCode) -> Cause {
    assert_eq!(codes(&diagnosis), [code], "{diagnosis:#?}");
    diagnosis.causes.into_iter().next().unwrap()
}

#[test]
fn before_its_instant_it_waits_for_it_and_says_what_would_keep_it_from_starting() {
    let script = Script::scheduled();
    let waiting = told(&script, -60);
    assert_eq!((waiting.headline.as_str(), waiting.next_at), ("It has not begun.", Some(at(0))));
    only(waiting, CauseCode::NotDue);
    let frozen = Frozen { freeze: Uuid::nil(), from: at(-10), to: at(10) };
    for (standing, code) in [
        (Standing::Unverified, CauseCode::NeverVerified),
        (Standing::Superseded, CauseCode::Superseded),
        (Standing::Archived, CauseCode::Archived),
        (Standing::Barred(Barred::Frozen(frozen)), CauseCode::Frozen),
        (Standing::Barred(Barred::Stopped { stop: Uuid::nil() }), CauseCode::Stopped),
    ] {
        assert_eq!(codes(&told_with(&script, -60, &facts(), standing)), [CauseCode::NotDue, code]);
    }
    assert_eq!(codes(&told(&script, 5)), [CauseCode::Due], "its instant has passed, and nobody has taken it up");
}

#[test]
fn a_held_key_names_the_run_that_has_it_before_and_after_the_grace() {
    let mut script = Script::scheduled();
    let (standing, slot_holder) = (Standing::Current, Some("r9".to_owned()));
    script.take(RunCommand::Start { at: at(0), standing, slot_holder: slot_holder.clone(), budget: vec![], facts: facts() });
    let held = only(told(&script, 1), CauseCode::SlotHeld);
    assert_eq!((held.run.as_deref(), held.since), (Some("r9"), Some(at(0))));
    assert!(held.sentence.contains("lamps:Elmbrook"), "{}", held.sentence);
    script.take(RunCommand::Miss { at: at(1_000_000), slot_holder, barred: None });
    let missed = told(&script, 1_000_000);
    assert_eq!(missed.headline, "It did not happen.");
    assert_eq!(only(missed, CauseCode::SlotHeld).run.as_deref(), Some("r9"));
}

#[test]
fn what_never_began_says_why() {
    for (cause, code) in [
        (WithdrawnCause::Archived, CauseCode::Archived),
        (WithdrawnCause::Rescheduled, CauseCode::Rescheduled),
        (WithdrawnCause::NeverVerified, CauseCode::NeverVerified),
        (WithdrawnCause::Skipped, CauseCode::Skipped),
    ] {
        let mut script = Script::scheduled();
        script.take(RunCommand::Withdraw { at: at(-1), cause });
        assert_eq!(only(told(&script, 0), code).since, Some(at(-1)));
    }
    let mut script = Script::scheduled();
    script.cancel(-1);
    only(told(&script, 0), CauseCode::Cancelled);
}

#[test]
fn an_attempt_a_retry_a_hold_a_gate_and_a_cue_are_each_told_with_their_instants() {
    let mut script = Script::scheduled();
    script.start();
    let sent = only(told(&script, 5), CauseCode::StepUnderWay);
    assert_eq!((sent.step.as_deref(), sent.since), (Some("hail"), Some(at(5))));
    script.settle(6, "hail", done(Then::HoldFor(20)), None);
    let held = told(&script, 7);
    assert_eq!((held.headline.as_str(), held.next_at), ("Phase “The gathering” is at step rate.", Some(at(26))));
    assert_eq!(only(held, CauseCode::Hold).step.as_deref(), Some("hail"));
    script.advance(26);
    let lost = Answer::Failed { code: "no_answer".into(), retry: true, unknown: true };
    script.settle(36, "rate", lost, Some(note(WORDS)));
    let retry = told(&script, 37);
    assert_eq!(retry.next_at, Some(at(96)));
    let retry = only(retry, CauseCode::Retry);
    assert!(retry.sentence.contains("attempt 1 at step rate") && retry.sentence.contains("nobody there"), "{}", retry.sentence);
    script.advance(96);
    script.settle(97, "rate", borrowed(), None);
    let gate = told(&script, 98);
    assert_eq!((gate.headline.as_str(), gate.next_at), ("Phase “The lights” has not begun.", Some(at(1_805))));
    assert_eq!(gate.caps, ["demo.lamps 0/30"]);
    assert_eq!(only(gate, CauseCode::Gate).phase.as_deref(), Some("gathering"));
    script.advance(1_805);
    script.settle(1_807, "lamps", made(&["a"]), None);
    script.settle(1_808, "cue", done(Then::AwaitHuman), None);
    let cue = told(&script, 9_000);
    assert_eq!(cue.next_at, None, "nothing but a person moves it");
    let cue = only(cue, CauseCode::WaitsForPerson);
    assert_eq!((cue.since, cue.remedy.is_some()), (Some(at(1_808)), true));
}

#[test]
fn what_would_be_refused_at_the_next_instant_is_told_while_there_is_time() {
    let mut script = Script::scheduled();
    script.start();
    script.settle(6, "hail", done(Then::Continue), None);
    script.settle(7, "rate", borrowed(), None);
    let mut off = facts();
    off.actions.get_mut("demo.lamp.light").unwrap().enabled = false;
    let told = told_with(&script, 100, &off, Standing::Current);
    assert_eq!(codes(&told), [CauseCode::Gate, CauseCode::NextRefused]);
    assert!(told.causes[1].sentence.contains("switched off"), "{}", told.causes[1].sentence);
    off.actions.remove("demo.lamp.light");
    let told = told_with(&script, 100, &off, Standing::Current);
    assert!(told.causes[1].sentence.contains("module demo is missing"), "{}", told.causes[1].sentence);
}

#[test]
fn a_pause_says_whose_it_is() {
    let mut script = Script::of(vec![phase("lights", vec![making("lamps", 12), step("cue")], None)]);
    script.start();
    script.take(RunCommand::Pause { at: at(6), stop: None, note: None });
    assert_eq!(codes(&told(&script, 7)), [CauseCode::Paused, CauseCode::StepUnderWay]);
    let no = Answer::Failed { code: "ceiling".into(), retry: false, unknown: false };
    let mut script = Script::of(vec![phase("lights", vec![making("lamps", 12), step("cue")], None)]);
    script.start();
    script.settle(7, "lamps", no, None);
    let stopped = told(&script, 8);
    assert_eq!(stopped.headline, "The run is paused in phase “The lights”.");
    let stopped = only(stopped, CauseCode::StoppedAtStep);
    assert_eq!((stopped.step.as_deref(), stopped.since), (Some("lamps"), Some(at(7))));
    script.take(RunCommand::Resume { at: at(9), note: None, facts: facts() });
    assert_eq!(codes(&told(&script, 10)), [CauseCode::StepUnderWay, CauseCode::PassedOver]);
}

#[test]
fn after_the_end_it_is_the_teardown_that_is_told_and_what_was_left() {
    let mut script = Script::at_the_cue();
    script.cancel(1_900);
    script.take(RunCommand::Sweep { at: at(1_900), limits: Limits::default() });
    assert_eq!(codes(&told(&script, 1_900)), [CauseCode::Cancelled, CauseCode::CleanupUnderWay]);
    let end = told(&Script::to_the_end(), 2_000);
    assert_eq!(end.headline, "The run is over, and not everything is given back.");
    let left: Vec<&Cause> = end.causes.iter().filter(|cause| cause.code == CauseCode::CleanupIncomplete).collect();
    assert_eq!(left.len(), 1);
    assert!(left[0].sentence.contains("moved by somebody else, to 1300"), "{}", left[0].sentence);
}

#[test]
fn as_text_it_is_a_panel_without_anything_that_steers_a_terminal() {
    let mut script = Script::scheduled();
    script.start();
    script.settle(6, "hail", done(Then::Continue), None);
    let lost = Answer::Failed { code: "no_answer".into(), retry: true, unknown: true };
    script.settle(16, "rate", lost, Some(note(WORDS)));
    let text = told(&script, 17).to_string();
    let second = |at: DateTime<Utc>| at.format("%Y-%m-%dT%H:%M:%SZ").to_string();
    let expected = format!(
        "Phase “The gathering” is at step rate.\n  because:      attempt 1 at step rate brought no success: nobody \
         there\\u{{1b}}[31m; the next is due at {}\n  what now:     wait, or skip the step\n  caps:         demo.lamps 0/30\n",
        second(at(76))
    );
    assert_eq!(text, expected);
}
