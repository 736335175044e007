//! Histories made by chance: whatever happened can be told.

use std::collections::BTreeMap;

use leasehold_aggregates::run::Standing;
use leasehold_projections::run_view::{Notes, RunSummary, RunView, Surroundings};
use leasehold_projections::{SeenEvent, story};

use crate::bench::{World, at, facts, recorded};

fn of_run(events: &[SeenEvent], run: &str) -> Vec<SeenEvent> {
    events.iter().filter(|event| event.aggregate_type == "run" && event.aggregate_id == run).cloned().collect()
}

#[test]
fn every_event_makes_a_line_in_its_place_and_the_story_ends_where_the_run_stands() {
    for seed in 0..40 {
        let mut world = World::new(seed);
        let events = recorded(&world.commands(400).concat());
        for (id, run) in &world.runs {
            let of_run = of_run(&events, id);
            let story = story::tell(id, &of_run, &Notes::new()).unwrap();
            let mut told = story.lines.iter().map(|line| line.position).collect::<Vec<_>>();
            assert!(told.is_sorted(), "seed {seed}, run {id}");
            told.dedup();
            let positions: Vec<u64> = of_run.iter().map(|event| event.position).collect();
            assert_eq!(told, positions, "seed {seed}, run {id}: no event is passed over");
            assert!(story.lines.iter().all(|line| line.detail.is_object() && !line.text.is_empty()));
            let last = of_run.last().unwrap().position;
            assert_eq!(story.run, RunSummary::of(id, run, last).unwrap(), "seed {seed}");
            assert!(!story.to_string().is_empty());
        }
    }
}

#[test]
fn every_run_has_a_view_that_keeps_the_runners_business_to_itself() {
    let (facts, notes, budgets) = (facts(), Notes::new(), BTreeMap::new());
    for seed in 0..40 {
        let mut world = World::new(seed);
        world.commands(300);
        for (id, run) in &world.runs {
            let around = Surroundings {
                at: at(90_000),
                facts: &facts,
                standing: Standing::default(),
                budget_now: &[],
                budgets: &budgets,
                notes: &notes,
            };
            let view = RunView::of(id, run, 1, around).unwrap();
            assert_eq!(view.steps.len(), run.steps.len());
            let shown = view.resources.iter().filter(|held| held.status.unresolved()).count() as u64;
            assert!(view.unresolved_resources >= shown);
            for control in &view.controls {
                assert_eq!(control.legal, control.refusal.is_none(), "seed {seed}");
                assert_eq!(control.legal, !control.consequence.is_empty(), "seed {seed}: {control:?}");
            }
            let diagnosis = &view.diagnosis;
            assert!(run.status.terminal() || !diagnosis.causes.is_empty(), "seed {seed}, run {id}: {diagnosis:#?}");
            let text = serde_json::to_string(&view).unwrap();
            assert!(!text.contains("@step") && !text.contains("expiresAt") && !text.contains("claimedBy"), "{text}");
        }
    }
}
