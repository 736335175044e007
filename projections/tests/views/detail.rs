//! A run's detail, field by field.

use std::collections::BTreeMap;

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{Run, RunCommand, Standing};
use leasehold_projections::run_view::{DimensionWords, RunView, Surroundings, notes_of};
use serde_json::{Value, json};

use crate::bench::{at, borrowing, facts, making, phase, scheduled, step};
use crate::script::{RUN, Script, WORDS, made, notes};

fn view(run: &Run, seconds: i64) -> Value {
    let (facts, notes) = (facts(), notes());
    let words = DimensionWords { label: "Lamps lit".into(), unit: "lamps".into() };
    let budgets = BTreeMap::from([("demo.lamps".to_owned(), words)]);
    let around = Surroundings {
        at: at(seconds),
        facts: &facts,
        standing: Standing::default(),
        budget_now: &[],
        budgets: &budgets,
        notes: &notes,
    };
    serde_json::to_value(RunView::of(RUN, run, 17, around).unwrap()).unwrap()
}

#[test]
fn a_summary_has_every_field_of_the_list() {
    let mut view = view(&Script::at_the_cue().run, 1_850);
    let nested = ["at", "recoveredAt", "blockedBy", "steps", "gates", "budget", "controls"];
    for nested in nested.into_iter().chain(["resources", "unresolvedResources", "participants", "diagnosis"]) {
        view.as_object_mut().unwrap().remove(nested).unwrap();
    }
    let expected = json!({
        "id": "r1", "definitionId": "d1", "version": 3, "title": "Lamps and “rates” <b>", "scope": "main",
        "status": "running", "health": "degraded", "cleanupStatus": "pending", "currentPhase": "lights",
        "concurrencyKey": "lamps:Elmbrook", "slot": "2027-01-15T09:00:00", "scheduledFor": "2027-01-15T08:00:00Z", "movedFrom": null, "timezone": "Europe/Berlin",
        "dstAdjusted": null, "startedAt": "2027-01-15T08:00:05Z", "endedAt": null, "rehearsal": false,
        "params": {"region": "Elmbrook"}, "waitingSteps": 1, "participantsTotal": 0, "resultsPublishedAt": null, "position": 17,
    });
    assert_eq!(view, expected);
}

#[test]
fn a_step_tells_what_it_does_and_what_went_wrong_but_not_who_does_it() {
    let script = Script::at_the_cue();
    let view = view(&script.run, 1_850);
    let expected = json!({
        "key": "rate", "phase": "gathering", "seq": 2, "action": "core.lease", "summary": "set demo.rate.gather to 1200",
        "status": "done", "parked": false, "dueAt": null, "expectedBy": null, "nextTryAt": null, "attempts": 2,
        "promise": "effect_once",
        "lastError": {"code": "no_answer", "sentence": "nobody there\u{1b}[31m", "unknown": true},
    });
    assert_eq!(view["steps"][1], expected);
    assert_eq!(view["steps"][3]["parked"], true);
    assert_eq!(notes_of(&script.run), [WORDS]);
    let text = view.to_string();
    assert!(!text.contains("claim") && !text.contains("expires"), "{text}");
}

#[test]
fn a_step_under_way_is_expected_and_one_that_failed_says_when_it_is_tried_again() {
    let mut script = Script::scheduled();
    script.start();
    let steps = view(&script.run, 6)["steps"].clone();
    assert_eq!(steps[0]["expectedBy"], json!(at(15)), "its budget of ten seconds from its claim");
    let lost = leasehold_aggregates::run::Answer::Failed { code: "no_answer".into(), retry: true, unknown: false };
    script.settle(9, "hail", lost, None);
    let steps = view(&script.run, 10)["steps"].clone();
    assert_eq!((&steps[0]["nextTryAt"], &steps[0]["expectedBy"]), (&json!(at(69)), &Value::Null));
    assert_eq!(steps[0]["lastError"]["sentence"], "no answer", "without words the code is told");
}

#[test]
fn a_hold_is_the_next_steps_due_instant() {
    let mut script = Script::scheduled();
    script.start();
    script.settle(6, "hail", crate::script::done(leasehold_module::Then::HoldFor(300)), None);
    let steps = view(&script.run, 10)["steps"].clone();
    assert_eq!((&steps[1]["dueAt"], &steps[2]["dueAt"]), (&json!(at(306)), &Value::Null));
    assert_eq!(view(&script.run, 306)["steps"][1]["dueAt"], Value::Null, "it is over");
}

#[test]
fn a_gate_says_what_it_waits_for_and_what_holds_its_phase() {
    let mut script = Script::scheduled();
    assert_eq!(view(&script.run, 0)["gates"], json!([]), "no phase was entered");
    script.start();
    let expected = json!([{
        "phase": "gathering", "sentence": "30m after “The gathering” began, which is 2027-01-15T08:30:05Z",
        "tally": null, "needed": null, "since": at(5), "stallsAt": null,
        "heldUp": ["step hail is being carried out", "step rate is still to come"],
        "lastSignal": null, "satisfiedBy": null,
    }]);
    assert_eq!(view(&script.run, 6)["gates"], expected);
    let gates = view(&Script::at_the_cue().run, 1_850)["gates"].clone();
    assert_eq!(gates.as_array().unwrap().len(), 1, "the second phase has none");
    assert_eq!((&gates[0]["satisfiedBy"], &gates[0]["heldUp"]), (&json!("elapsed"), &json!([])));
}

#[test]
fn the_budget_is_told_in_the_modules_words() {
    let view = view(&Script::at_the_cue().run, 1_850);
    let expected = json!([{
        "dimension": "demo.lamps", "label": "Lamps lit", "unit": "lamps", "consumed": 12, "cap": 30,
        "capFrom": "demo.lamp.light",
    }]);
    assert_eq!(view["budget"], expected);
}

#[test]
fn a_dimension_that_nobody_declares_any_more_keeps_its_id() {
    let (facts, notes, budgets) = (facts(), notes(), BTreeMap::new());
    let around = Surroundings {
        at: at(1_850),
        facts: &facts,
        standing: Standing::default(),
        budget_now: &[],
        budgets: &budgets,
        notes: &notes,
    };
    let view = RunView::of(RUN, &Script::at_the_cue().run, 17, around).unwrap();
    assert_eq!((view.budget[0].label.as_str(), view.budget[0].unit.as_deref()), ("demo.lamps", None));
}

#[test]
fn resources_are_shown_by_name_and_placeholders_only_counted() {
    let mut script = Script::scheduled();
    let run = Box::new(scheduled("r2", "d1", at(0), vec![phase("one", vec![making("lamps", 2)], Some(60))]));
    script.run = Run::default();
    script.take(RunCommand::Schedule { at: at(-1), run });
    script.start();
    let before = view(&script.run, 6);
    assert_eq!((&before["resources"], &before["unresolvedResources"]), (&json!([]), &json!(1)));
    script.settle(7, "lamps", made(&["a"]), None);
    let after = view(&script.run, 8);
    assert_eq!(after["unresolvedResources"], 1);
    let expected = json!([{
        "module": "demo", "scope": "main", "kind": "lamp", "ref": "a", "step": "lamps", "status": "confirmed",
        "baseline": null, "applied": null, "found": null, "leaseUntil": null, "revertAttempts": 0, "lastError": null,
        "reason": null,
    }]);
    assert_eq!(after["resources"], expected);
}

#[test]
fn a_drifted_value_shows_all_three() {
    let view = view(&Script::to_the_end().run, 2_000);
    let value = view["resources"].as_array().unwrap().iter().find(|held| held["kind"] == "override").unwrap();
    assert_eq!((&value["baseline"], &value["applied"], &value["found"]), (&json!("1000"), &json!("1200"), &json!("1300")));
    assert_eq!((&view["cleanupStatus"], &view["unresolvedResources"]), (&json!("incomplete"), &json!(1)));
}

#[test]
fn a_refusal_is_told_like_an_error() {
    let mut run = Run::default();
    let plan = vec![phase("one", vec![borrowing("rate", "demo.rate.gather"), step("after")], None)];
    let mut facts = facts();
    facts.actions.get_mut("core.lease").unwrap().enabled = false;
    let schedule = RunCommand::Schedule { at: at(0), run: Box::new(scheduled(RUN, "d1", at(0), plan)) };
    let start = RunCommand::Start { at: at(0), standing: Standing::default(), slot_holder: None, budget: Vec::new(), facts };
    for command in [schedule, start] {
        run.decide(command).unwrap().into_iter().for_each(|event| run.apply(event));
    }
    let error = view(&run, 1)["steps"][0]["lastError"].clone();
    assert_eq!(error["code"], "action_disabled");
    assert!(error["sentence"].as_str().unwrap().starts_with("Borrow a value is switched off"), "{error}");
}

#[test]
fn there_is_no_view_of_nothing() {
    let (facts, notes, budgets) = (facts(), notes(), BTreeMap::new());
    let around = Surroundings {
        at: at(0),
        facts: &facts,
        standing: Standing::default(),
        budget_now: &[],
        budgets: &budgets,
        notes: &notes,
    };
    assert!(RunView::of(RUN, &Run::default(), 0, around).is_none());
}
