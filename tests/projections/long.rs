//! A run of ten thousand events, told at a hundred places: each as a fold from scratch has it, and each event read once.

use leasehold::engine::stories::Until;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{Run, RunEvent};
use leasehold_projections::run_view::RunSummary;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::bench::{Fact, at, making, phase, scheduled};
use crate::history::History;
use crate::stories::Library;

const RUN: &str = "long";
const STEPS: usize = 200;
/// Of each step; every attempt but the last brings no success.
const ATTEMPTS: u32 = 25;

fn claimed(step: &str, seconds: i64, attempt: u32) -> RunEvent {
    let (at, expires_at) = (at(seconds), at(seconds + 70));
    let draws = std::iter::once(("demo.lamps".to_owned(), 1)).filter(|_| attempt == 1).collect();
    RunEvent::StepClaimed { at, step: step.into(), attempt, expires_at, key: format!("key of {step}"), draws, target: None }
}

fn failed(step: &str, seconds: i64, claim: u64) -> RunEvent {
    let (step, code, next_try_at) = (step.to_owned(), "no_answer".to_owned(), at(seconds + 1));
    RunEvent::AttemptFailed { at: at(seconds), step, claim, code, unknown: true, next_try_at, detail: None, words: None }
}

fn done(step: &str, seconds: i64, claim: u64) -> RunEvent {
    let (at, step, resources) = (at(seconds), step.to_owned(), Vec::new());
    RunEvent::StepDone { at, step, claim, resources, until: None, borrowed: None, replayed: true, held_until: None, words: None }
}

/// A run whose game hardly ever answers.
fn life() -> Vec<RunEvent> {
    let keys: Vec<String> = (0..STEPS).map(|nth| format!("s{nth}")).collect();
    let steps = keys.iter().map(|key| making(key, 1)).collect();
    let run = Box::new(scheduled(RUN, "d1", at(0), vec![phase("all", steps, None)]));
    let mut events = vec![
        RunEvent::RunScheduled { at: at(-60), run },
        RunEvent::RunStarted { at: at(0), late_seconds: 0, budget: Vec::new() },
        RunEvent::PhaseEntered { at: at(0), phase: "all".into(), gate_due: None },
    ];
    let mut seconds = 0;
    for key in &keys {
        for attempt in 1..=ATTEMPTS {
            seconds += 1;
            events.push(claimed(key, seconds, attempt));
            let claim = events.len() as u64;
            events.push(if attempt == ATTEMPTS { done(key, seconds, claim) } else { failed(key, seconds, claim) });
        }
    }
    events.push(RunEvent::RunCompleted { at: at(seconds) });
    events
}

#[tokio::test]
async fn it_is_the_fold_from_scratch_at_any_place() {
    let (events, mut history, library) = (life(), History::new().await, Library::new());
    assert!(events.len() > 10_000, "{}", events.len());
    for some in events.chunks(500) {
        history.append(&some.iter().map(|event| Fact::of("run", RUN, event)).collect::<Vec<_>>()).await;
    }
    let first = history.head + 1 - events.len() as u64;
    let mut chance = StdRng::seed_from_u64(10_000);
    let places: [u64; 100] = std::array::from_fn(|_| chance.random_range(first..=history.head));
    let mut told = Vec::new();
    // Several at once are told in one pass; ten are as many as a thread's stack likes.
    for places in places.as_chunks::<10>().0 {
        told.extend(Box::pin(library.stories(&history).replays(RUN, places.map(Until::Position))).await.unwrap());
    }
    for (position, retelling) in places.into_iter().zip(told) {
        let retelling = retelling.unwrap();
        let count = usize::try_from(position - first).unwrap() + 1;
        let run = Run::fold(events[..count].iter().cloned());
        let summary = RunSummary::of(RUN, &run, position).unwrap();
        assert_eq!((&retelling.run.summary, &retelling.story.run), (&summary, &summary));
        let (steps, states) = (&retelling.run.steps, &run.steps);
        assert!(steps.iter().zip(states).all(|(step, state)| (step.status, step.attempts) == (state.status, state.attempts)));
        let mut at_each: Vec<u64> = retelling.story.lines.iter().map(|line| line.position).collect();
        at_each.dedup();
        assert_eq!(at_each, (first..=position).collect::<Vec<_>>(), "every event has its line, in order");
    }
    // A place on its own is the same as among others.
    let alone = library.stories(&history).replay(RUN, Until::Position(places[7])).await.unwrap();
    assert_eq!(alone.story.run.position, places[7]);
}
