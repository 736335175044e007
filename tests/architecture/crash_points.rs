//! Wherever the program can be told to die, some test has it die there.

use crate::tree::{Text, none, planted, texts};

/// Events of a run that tell of the clock, of the game or of the calendar; a death around their appends is that of any append.
const NOT_OF_A_STEP: [&str; 13] = [
    "run_scheduled",
    "run_repinned",
    "run_withdrawn",
    "run_blocked",
    "run_missed",
    "run_stalled",
    "signals_counted",
    "participants_reported",
    "results_published",
    "game_restarted",
    "holdings_reconciled",
    "cleanup_requested",
    "cleanup_stopped",
];
/// Events that are never appended alone: the point is reached with the one that they come with.
const WITH_ANOTHER: [&str; 5] = ["phase_entered", "step_claimed", "run_degraded", "cap_reread", "gate_timed_out"];

/// The points that a source names.
fn points(file: &Text) -> Vec<String> {
    let named = file.text.split("crash::point(\"").skip(1).filter_map(|rest| rest.split_once('"'));
    named.map(|(point, _)| point.to_owned()).collect()
}

/// Those around each append of a run's life, by the names of its events.
fn around(events: &Text) -> Vec<String> {
    let listed = events.text.split_once("stored_events!(RunEvent").map_or("", |(_, rest)| rest);
    let names = listed.lines().filter_map(|line| line.split_once("=> \"")?.1.split_once('"').map(|(name, _)| name));
    let of_a_step = names.filter(|name| !NOT_OF_A_STEP.contains(name) && !WITH_ANOTHER.contains(name));
    of_a_step.flat_map(|name| ["before", "after"].map(|moment| format!("append.{moment}.{name}"))).collect()
}

fn unreached(points: &[String], tests: &[Text]) -> Vec<String> {
    let reached = |point: &str| tests.iter().any(|test| test.text.contains(&format!("\"{point}\"")));
    points.iter().filter(|point| !reached(point)).cloned().collect()
}

#[test]
fn a_point_that_no_test_reaches_is_found() {
    let source = planted("src/a.rs", "crash::point(\"lamp.before\");\n        crash::point(\"lamp.after\");");
    let events = planted(
        "event.rs",
        "stored_events!(RunEvent {\n    StepDone => \"step_done\": 1,\n    RunMissed => \"run_missed\": 1,\n",
    );
    let tests = [planted("tests/a.rs", "restart_to_die(\"lamp.before\"); \"append.after.step_done\"")];
    assert_eq!(unreached(&points(&source), &tests), ["lamp.after"]);
    assert_eq!(unreached(&around(&events), &tests), ["append.before.step_done"]);
}

#[test]
fn every_point_at_which_the_program_can_die_is_reached_by_a_test() {
    let (sources, tests) = (texts("src"), texts("tests"));
    let tests: Vec<Text> = tests.into_iter().filter(|test| !test.path.ends_with("crash_points.rs")).collect();
    let events = texts("aggregates/src/run").into_iter().find(|file| file.path.ends_with("run/event.rs")).unwrap();
    let mut all: Vec<String> = sources.iter().flat_map(points).collect();
    all.extend(around(&events));
    assert!(all.len() > 40, "the points are found: {all:?}");
    none("Have a test die at each of:", &unreached(&all, &tests));
}
