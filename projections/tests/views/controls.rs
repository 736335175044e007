//! Controls: legal exactly when the command would be taken, and what would follow in words.

use std::collections::BTreeMap;

use leasehold_aggregates::run::{Run, Standing};
use leasehold_projections::run_view::{ControlView, RunView, Surroundings};

use leasehold_module::Then;

use crate::bench::{at, facts, making, phase, step};
use crate::script::{RUN, Script, done, notes};

fn control(run: &Run, seconds: i64, verb: &str) -> ControlView {
    controls(run, seconds).into_iter().find(|control| control.verb == verb).unwrap()
}

fn controls(run: &Run, seconds: i64) -> Vec<ControlView> {
    let (facts, notes, budgets) = (facts(), notes(), BTreeMap::new());
    let around = Surroundings {
        at: at(seconds),
        facts: &facts,
        standing: Standing::default(),
        budget_now: &[],
        budgets: &budgets,
        notes: &notes,
    };
    RunView::of(RUN, run, 1, around).unwrap().controls
}

#[test]
fn cancelling_says_what_is_taken_back() {
    let cancel = control(&Script::at_the_cue().run, 1_850, "cancel");
    assert_eq!((cancel.verb, cancel.legal, cancel.refusal), ("cancel", true, None));
    let expected = [
        "the run is cancelled",
        "1 step is not carried out or confirmed",
        "the value demo.rate.gather in main goes back from 1200 to 1000",
        "lamp a in main (demo) is taken back",
        "lamp b in main (demo) is taken back",
        "the teardown begins at once",
        "another run of the concurrency key lamps:Elmbrook may start",
    ];
    assert_eq!(cancel.consequence, expected);
}

#[test]
fn cancelling_says_what_is_under_way() {
    let mut script = Script::scheduled();
    script.start();
    let cancel = control(&script.run, 6, "cancel");
    let under_way = "step hail is being carried out at this moment: its answer is waited for, and what it brings is taken back";
    assert!(cancel.consequence.iter().any(|line| line == under_way), "{:?}", cancel.consequence);
    assert!(cancel.consequence.iter().any(|line| line == "3 steps are not carried out or confirmed"));
    assert!(!cancel.consequence.iter().any(|line| line.contains("teardown")), "nothing is held: nothing is taken down");
}

#[test]
fn a_run_that_never_started_frees_nothing() {
    let cancel = control(&Script::scheduled().run, -60, "cancel");
    assert_eq!(cancel.consequence, ["the run is cancelled", "4 steps are not carried out or confirmed"]);
}

#[test]
fn confirming_says_what_comes_next() {
    let confirm = control(&Script::at_the_cue().run, 1_850, "confirm");
    assert_eq!((confirm.verb, confirm.step.as_deref(), confirm.legal), ("confirm", Some("cue"), true));
    let expected = [
        "step cue is done",
        "the run completes",
        "the value demo.rate.gather in main goes back from 1200 to 1000",
        "lamp a in main (demo) is taken back",
        "lamp b in main (demo) is taken back",
        "the teardown begins at once",
        "another run of the concurrency key lamps:Elmbrook may start",
    ];
    assert_eq!(confirm.consequence, expected);
}

#[test]
fn confirming_in_a_phase_with_a_gate_says_what_follows_when_its_time_comes() {
    let phases = vec![phase("asking", vec![step("cue")], Some(600)), phase("lights", vec![making("lamps", 12)], None)];
    let mut script = Script::of(phases);
    script.start();
    script.settle(6, "cue", done(Then::AwaitHuman), None);
    let confirm = control(&script.run, 6, "confirm");
    let expected = [
        "step cue is done",
        "from 2027-01-15T08:10:05Z on: the gate of the phase “The asking” opens",
        "from 2027-01-15T08:10:05Z on: the phase “The lights” begins",
        "from 2027-01-15T08:10:05Z on: step lamps is dispatched: light 12 lamps; it draws 12 of demo.lamps",
    ];
    assert_eq!(confirm.consequence, expected);
    let late = control(&script.run, 700, "confirm").consequence;
    assert_eq!(late[1], "the gate of the phase “The asking” opens", "it is over already");
}

#[test]
fn what_is_not_legal_says_why_and_nothing_else() {
    let ended = controls(&Script::to_the_end().run, 2_000);
    let verbs: Vec<&str> = ended.iter().map(|control| control.verb).collect();
    assert_eq!(verbs, ["pause", "resume", "advance", "cancel", "cleanup", "skip", "retry", "confirm"]);
    assert_eq!(ended[3].refusal.as_deref(), Some("cannot cancel a run that is cancelled"));
    assert_eq!(ended[7].refusal.as_deref(), Some("no step of this run waits for a person"));
    assert!(ended.iter().all(|control| !control.legal && control.consequence.is_empty()));
}
