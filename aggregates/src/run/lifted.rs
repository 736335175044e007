//! What older versions of events did not say, put in as it was then.

use serde_json::Value;

/// `run_scheduled` and `run_repinned` 2 tell where a moved occurrence was moved from; before, none was. `gate_satisfied` 2 tells
/// what opened the gate; before, only time did. `run_scheduled` and `run_repinned` 3 tell what the author of a step has it hold and
/// wait for; before, nothing. Their version 4 has gates that signals open, and the hops of what caused the run; before, there were
/// none, and what it says is left out. `step_parked` 2 may be about a borrowed value; before, it never was. `run_paused` 2 may be a person's; before, it was always a step's.
/// `run_cancelled` 2 names the stop of everything that ended the run, if one did. `run_degraded` 2 may be about no step; before, it
/// always was, and reads the same. `step_done` 2 and `step_parked` 3 tell when the game takes away by itself what was made; before, it
/// was not known to.
pub(super) fn lifted(event_type: &str, version: u32, mut payload: Value) -> Value {
    if let ("run_scheduled" | "run_repinned", 1, Some(run)) =
        (event_type, version, payload.get_mut("run").and_then(Value::as_object_mut))
    {
        run.entry("moved_from").or_insert(Value::Null);
    }
    if let ("run_scheduled" | "run_repinned", 2) = (event_type, version) {
        let phases = payload.pointer_mut("/run/plan/phases").and_then(Value::as_array_mut);
        let steps = phases.into_iter().flatten().filter_map(|phase| phase.get_mut("steps")?.as_array_mut()).flatten();
        for step in steps.filter_map(Value::as_object_mut) {
            step.entry("hold_seconds").or_insert(Value::Null);
            step.entry("awaits_person").or_insert(Value::Bool(false));
        }
    }
    if let ("step_done", 1, Some(fields)) | ("step_parked", 2, Some(fields)) = (event_type, version, payload.as_object_mut()) {
        fields.entry("until").or_insert(Value::Null);
    }
    if let (1, Some(fields)) = (version, payload.as_object_mut()) {
        match event_type {
            "gate_satisfied" => {
                fields.entry("by").or_insert_with(|| "elapsed".into());
                fields.entry("note").or_insert(Value::Null);
            }
            "step_parked" => {
                fields.entry("borrowed").or_insert(Value::Null);
                fields.entry("replayed").or_insert(Value::Bool(false));
                fields.entry("words").or_insert(Value::Null);
            }
            "run_paused" => {
                fields.entry("note").or_insert(Value::Null);
                fields.entry("stop").or_insert(Value::Null);
            }
            "run_cancelled" => drop(fields.entry("stop").or_insert(Value::Null)),
            _ => {}
        }
    }
    payload
}
