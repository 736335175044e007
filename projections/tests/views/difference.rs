//! What changed in a run between two places, field by field.

use std::collections::BTreeMap;

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{Run, RunEvent, Standing};
use leasehold_projections::SeenEvent;
use leasehold_projections::difference::{ChangeKind, RunDifference};
use leasehold_projections::run_view::{RunView, Surroundings};
use leasehold_projections::story;
use serde_json::{Value, json};

use crate::bench::facts;
use crate::script::{RUN, Script, notes, recorded};

fn view(events: &[SeenEvent]) -> RunView {
    let run = Run::fold(events.iter().map(|event| event.decode::<RunEvent>().unwrap()));
    let (facts, notes, budgets, last) = (facts(), notes(), BTreeMap::new(), events.last().unwrap());
    let around = Surroundings {
        at: last.at(),
        facts: &facts,
        standing: Standing::default(),
        budget_now: &[],
        budgets: &budgets,
        notes: &notes,
    };
    RunView::of(RUN, &run, last.position, around).unwrap()
}

fn between(events: &[SeenEvent], from: usize, to: usize) -> RunDifference {
    let lines = story::tell(RUN, &events[..to], &notes()).unwrap().lines;
    RunDifference::between(&view(&events[..from]), &view(&events[..to]), lines).unwrap()
}

#[test]
fn each_change_is_told_with_its_place_and_both_values() {
    let events = recorded(&Script::to_the_end());
    // The lease is granted, and the run goes on with its lamps.
    let difference = between(&events, 9, 15);
    let change = |pointer: &str| difference.changes.iter().find(|change| change.pointer == pointer).unwrap();
    let rate = change("/steps/1/status");
    assert_eq!((rate.kind, &rate.from, &rate.to), (ChangeKind::Changed, &json!("running"), &json!("done")));
    assert_eq!(rate.text, "step rate, status: was “running”, is “done”");
    assert_eq!(
        change("/resources/0/baseline").text,
        "resource demo main override demo.rate.gather rate, baseline: was nothing, is “1000”"
    );
    assert_eq!(change("/resources/1").kind, ChangeKind::Added);
    assert_eq!(change("/budget/0/consumed").text, "budget demo.lamps, consumed: was 0, is 12");
    assert_eq!(difference.lines.first().unwrap().position, 10);
    assert_eq!(difference.lines.last().unwrap().position, 15);
    let text = difference.to_string();
    assert!(text.contains("from position 9 (2027-01-15T08:01:16Z) to position 15") && text.contains("in between"), "{text}");
}

#[test]
fn a_place_differs_from_itself_in_nothing() {
    let events = recorded(&Script::to_the_end());
    for end in 1..=events.len() {
        let difference = between(&events, end, end);
        assert_eq!((difference.changes.len(), difference.lines.len()), (0, 0));
        assert!(difference.to_string().contains("nothing changed"));
    }
}

/// The earlier document with the changes made to it.
fn patched(mut earlier: Value, difference: &RunDifference) -> Value {
    for change in difference.changes.iter().filter(|change| change.kind == ChangeKind::Removed).rev() {
        let (above, last) = change.pointer.rsplit_once('/').unwrap();
        match earlier.pointer_mut(above).unwrap() {
            Value::Array(items) => drop(items.remove(last.parse().unwrap())),
            fields => drop(fields.as_object_mut().unwrap().remove(last)),
        }
    }
    for change in difference.changes.iter().filter(|change| change.kind == ChangeKind::Added) {
        let (above, last) = change.pointer.rsplit_once('/').unwrap();
        match earlier.pointer_mut(above).unwrap() {
            Value::Array(items) => items.insert(last.parse().unwrap(), change.to.clone()),
            fields => fields[last] = change.to.clone(),
        }
    }
    for change in difference.changes.iter().filter(|change| change.kind == ChangeKind::Changed) {
        let place = earlier.pointer_mut(&change.pointer).unwrap();
        assert_eq!(*place, change.from, "{}", change.pointer);
        *place = change.to.clone();
    }
    earlier
}

#[test]
fn the_changes_make_the_later_view_of_the_earlier_one_between_any_two_places() {
    let events = recorded(&Script::to_the_end());
    for from in 1..=events.len() {
        for to in from..=events.len() {
            let difference = between(&events, from, to);
            let (earlier, mut later) = (json!(view(&events[..from])), json!(view(&events[..to])));
            let mut made = patched(earlier, &difference);
            for view in [&mut made, &mut later] {
                view["position"] = json!(0);
                view["at"] = json!(0);
            }
            assert_eq!(made, later, "from {from} to {to}");
        }
    }
}
