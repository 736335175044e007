//! Gates that signals open.

use leasehold_module::ParamType;
use serde_json::{Map, Value, json};

use super::bench::*;
use crate::decide::Decide;
use crate::plan::OnFailure;
use crate::run::{
    Due, DueKind, Facts, Health, PlannedGate, PlannedPhase, PlannedTimeOut, Run, RunCommand, RunEvent, RunRefusal, RunStatus,
    SatisfiedBy, Signal, Signals, effects,
};

pub(super) fn gate(needed: u32, timeout: Option<PlannedTimeOut>) -> PlannedGate {
    PlannedGate {
        trigger: "demo.lamp.broken".into(),
        module: "demo".into(),
        awaiting: "a lamp to break".into(),
        condition: Some(json!({"var": "region", "cmp": "eq", "value": "North"})),
        types: [("region".to_owned(), ParamType::String)].into(),
        needed,
        stall_seconds: 3_600,
        timeout,
    }
}

/// A run of a phase that waits for signals and one behind it, started at 0.
fn waiting(gate: PlannedGate) -> Run {
    let waits = PlannedPhase { gate: Some(gate), ..phase("lights", Vec::new(), None) };
    let mut run = Run::fold([RunEvent::RunScheduled {
        at: at(-60),
        run: Box::new(scheduled(vec![waits, phase("end", Vec::new(), Some(60))])),
    }]);
    let start = RunCommand::Start {
        at: at(0),
        standing: crate::run::Standing::Current,
        slot_holder: None,
        budget: Vec::new(),
        facts: facts(),
    };
    apply(&mut run, start);
    run
}

fn apply(run: &mut Run, command: RunCommand) -> Vec<RunEvent> {
    let events = run.decide(command).unwrap();
    for event in &events {
        run.apply(event.clone());
    }
    events
}

fn signal(position: u64, region: &str) -> Signal {
    let vars: Map<String, Value> = json!({"region": region}).as_object().cloned().unwrap();
    Signal { position, at: at(10), trigger: "demo.lamp.broken".into(), rehearsal: false, vars }
}

fn count(run: &Run, signals: &[Signal]) -> Result<Vec<RunEvent>, RunRefusal> {
    let entered = run.phases.last().unwrap().entered;
    let signals = Signals { entered, entered_position: 100, signals: signals.to_vec() };
    run.decide(RunCommand::Count { at: at(10), signals, facts: facts() })
}

fn counted(run: &mut Run, signals: &[Signal]) -> Vec<RunEvent> {
    let events = count(run, signals).unwrap();
    for event in &events {
        run.apply(event.clone());
    }
    events
}

fn tally(run: &Run) -> (u64, u64) {
    (run.phases[0].tally, run.phases[0].through)
}

#[test]
fn exactly_the_number_needed_is_counted() {
    let mut run = waiting(gate(3, None));
    assert_eq!(count(&run, &[signal(99, "North"), signal(100, "North")]), Ok(vec![]), "before the phase, and at its entry");
    counted(&mut run, &[signal(99, "North"), signal(101, "North"), signal(102, "South")]);
    assert_eq!((tally(&run), run.phases.len()), ((1, 102), 1));
    let seen = run.phases[0].last_signal.clone().unwrap();
    assert_eq!((seen.counted, seen.why_not.as_deref()), (false, Some("region is “South”")));
    assert_eq!(count(&run, &[signal(101, "North"), signal(102, "South")]), Ok(vec![]), "the same again");
    let events = counted(&mut run, &[signal(102, "North"), signal(103, "North"), signal(104, "North"), signal(105, "North")]);
    assert_eq!(tally(&run), (3, 104), "and no further");
    assert_eq!(run.phases[0].satisfied_by, Some(SatisfiedBy::Condition));
    assert!(matches!(
        &events[..],
        [RunEvent::SignalsCounted { matched: 2, .. }, RunEvent::GateSatisfied { .. }, RunEvent::PhaseEntered { .. }]
    ));
    assert_eq!(count(&run, &[signal(106, "North")]), Err(RunRefusal::MovedOn), "the next phase waits for none");
}

#[test]
fn signals_for_another_phase_or_after_the_end_are_refused() {
    let mut run = waiting(gate(1, None));
    let of_another = Signals { entered: 1, entered_position: 0, signals: vec![signal(101, "North")] };
    let command = RunCommand::Count { at: at(10), signals: of_another, facts: facts() };
    assert_eq!(run.decide(command), Err(RunRefusal::MovedOn));
    let mut other = signal(101, "North");
    other.trigger = "demo.lamp.lit".into();
    assert_eq!(count(&run, &[other]), Ok(vec![]));
    apply(&mut run, RunCommand::Cancel { at: at(5), by: crate::authorise::Asker::Runner, cleanup: true, note: None, stop: None });
    assert_eq!(count(&run, &[signal(101, "North")]), Err(RunRefusal::MovedOn));
}

#[test]
fn a_gate_opens_while_steps_are_under_way_and_the_phase_waits_for_them() {
    let waits = PlannedPhase { gate: Some(gate(1, None)), ..phase("lights", vec![step("light")], None) };
    let mut run = Run::fold([RunEvent::RunScheduled { at: at(-60), run: Box::new(scheduled(vec![waits])) }]);
    let start = RunCommand::Start {
        at: at(0),
        standing: crate::run::Standing::Current,
        slot_holder: None,
        budget: Vec::new(),
        facts: facts(),
    };
    apply(&mut run, start);
    counted(&mut run, &[signal(101, "North")]);
    assert!(run.phases[0].satisfied_at.is_some());
    assert_eq!(run.status, RunStatus::Running);
    let claim = run.steps[0].claim.unwrap().sequence;
    let settle = RunCommand::Settle { at: at(20), step: "light".into(), claim, answer: done(), words: None, facts: facts() };
    apply(&mut run, settle);
    assert_eq!(run.status, RunStatus::Completed);
}

#[test]
fn a_gate_stalls_once_and_loudly_and_goes_on_waiting() {
    let mut run = waiting(gate(1, None));
    let entered = run.phases[0].entered;
    let started = Run::fold([RunEvent::RunScheduled {
        at: at(-60),
        run: Box::new(crate::run::Scheduled::clone(run.scheduled.as_ref().unwrap())),
    }]);
    let start = RunCommand::Start {
        at: at(0),
        standing: crate::run::Standing::Current,
        slot_holder: None,
        budget: Vec::new(),
        facts: facts(),
    };
    let staged = effects(&started, &started.decide(start).unwrap()).stage;
    assert!(staged.contains(&Due { sequence: entered, kind: DueKind::Stall, due_at: at(3_600), step: None }), "{staged:?}");
    assert!(staged.iter().all(|due| due.kind != DueKind::Advance), "for ever: {staged:?}");
    apply(&mut run, RunCommand::Stall { at: at(3_600), entered });
    assert_eq!((run.health, run.status), (Health::Stalled, RunStatus::Running));
    assert_eq!(run.decide(RunCommand::Stall { at: at(3_601), entered }), Err(RunRefusal::MovedOn));
    counted(&mut run, &[signal(101, "North")]);
    assert_eq!((run.health, run.phases.len()), (Health::Stalled, 2), "a high-water mark");
    assert_eq!(run.decide(RunCommand::Stall { at: at(3_700), entered: run.phases[1].entered }), Err(RunRefusal::MovedOn));
}

#[test]
fn a_time_out_does_what_its_author_said_and_only_once() {
    for (then, status, opened) in [
        (OnFailure::Skip, RunStatus::Running, Some(SatisfiedBy::TimedOut)),
        (OnFailure::Pause, RunStatus::Paused, None),
        (OnFailure::Abort, RunStatus::Failed, None),
    ] {
        let mut run = waiting(gate(1, Some(PlannedTimeOut { seconds: 7_200, then })));
        assert_eq!(run.waits_until(), Some(at(7_200)));
        assert_eq!(advance(&run, 7_199), Err(RunRefusal::MovedOn));
        let events = advance(&run, 7_200).unwrap();
        let released = effects(&run, &events).slot;
        for event in events {
            run.apply(event);
        }
        assert_eq!((run.status, run.phases[0].satisfied_by), (status, opened), "{then:?}");
        assert_eq!(released.is_some(), then == OnFailure::Abort, "{then:?}");
        if then == OnFailure::Pause {
            assert_eq!(run.waits_until(), None);
            assert_eq!(advance(&run, 9_000), Err(RunRefusal::MovedOn), "once");
            counted(&mut run, &[signal(101, "North")]);
            assert_eq!((run.status, run.phases[0].satisfied_by), (RunStatus::Paused, Some(SatisfiedBy::Condition)));
        }
    }
}

fn advance(run: &Run, second: i64) -> Result<Vec<RunEvent>, RunRefusal> {
    run.decide(RunCommand::Advance { at: at(second), facts: facts() })
}

#[test]
fn a_gate_waits_in_words() {
    assert_eq!(gate(3, None).words(), "a lamp to break where region is “North”, 3 times");
    let any = PlannedGate { condition: None, ..gate(1, None) };
    assert_eq!(any.words(), "a lamp to break");
    assert_eq!(Facts::default().triggers.len(), 0);
}
