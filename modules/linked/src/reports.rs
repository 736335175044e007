//! From a game's reports to firings of its manifest's triggers: the kind of such a report is the trigger's id.

use chrono::DateTime;
use leasehold_link::wire::feed::Report;
use leasehold_module::{Fired, Manifest, Trigger};
use leasehold_sidecar::fingerprint;
use serde_json::{Map, Value};

/// The firing that a report is; none where no trigger is declared under its kind.
pub fn fired(manifest: &Manifest, report: &Report) -> Option<Fired> {
    let frame = &report.frame;
    let kind = frame.get("kind")?.as_str()?;
    let trigger = manifest.triggers.iter().find(|trigger| trigger.id == kind)?;
    let happened = frame.get("happenedAt").or_else(|| frame.get("t")).and_then(Value::as_i64);
    Some(Fired {
        fingerprint: fingerprint(frame),
        trigger: trigger.id.clone(),
        happened_at: happened.and_then(DateTime::from_timestamp_millis),
        vars: vars(trigger, frame.get("vars")),
        run_id: frame.get("runId").and_then(Value::as_str).map(str::to_owned),
    })
}

/// The declared variables, where they are of their type. What is not declared is not kept.
fn vars(trigger: &Trigger, told: Option<&Value>) -> Map<String, Value> {
    let told = told.and_then(Value::as_object);
    let kept = trigger.fields.iter().filter_map(|field| {
        let value = told?.get(&field.name)?;
        field.check(value).ok().map(|()| (field.name.clone(), value.clone()))
    });
    kept.collect()
}
