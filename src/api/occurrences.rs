//! `POST /admin/events/occurrences`: what a schedule says and where its wall clocks fall, before anything is saved. 200;
//! 422.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Datelike, TimeDelta, Utc};
use leasehold_aggregates::body::{Object, Text};
use leasehold_aggregates::schedule::{Occurrence, Schedule, occurrences};
use leasehold_aggregates::zones::{Zone, Zones};
use serde_json::{Value, json};

use super::posted::{Posted, read};
use super::{Api, Problem};

/// Days that one preview may span.
const LONGEST: TimeDelta = TimeDelta::days(3_660);
/// Occurrences that one preview may show.
const MOST: usize = 10_000;

/// What is shown: nothing where the schedule cannot be expanded, but then it is refused for that.
struct Preview {
    schedule: Schedule,
    found: Vec<Occurrence>,
}

pub async fn handle(State(api): State<Api>, Posted(body): Posted) -> Result<Json<Value>, Problem> {
    let zones = api.engine.registry.zones();
    let preview = read(&body, |object| shape(object, zones))?;
    let occurrences: Vec<Value> = preview.found.iter().map(occurrence).collect();
    Ok(Json(json!({
        "occurrences": occurrences,
        "schedule": preview.schedule,
        "sentence": preview.schedule.sentence(),
        "zoneData": zones.release(),
    })))
}

/// `merged` stands only where other wall clocks fall on the same instant.
fn occurrence(found: &Occurrence) -> Value {
    let mut told = json!({"at": found.at, "local": found.local, "dstAdjusted": found.dst_adjusted});
    if !found.merged.is_empty() {
        told["merged"] = json!(found.merged);
    }
    told
}

fn shape(object: &Object<'_>, zones: &Zones) -> Preview {
    let schedule = object.required("schedule").map(|value| Schedule::read(value, &object.at("schedule"), object.faults()));
    let schedule = schedule.unwrap_or(Schedule::Manual);
    let zone = zone(object, zones);
    let (from, to) = (instant(object, "from"), instant(object, "to"));
    let mut found = Vec::new();
    if let (Some(from), Some(to)) = (from, to) {
        if to <= from || to - from > LONGEST {
            let days = LONGEST.num_days();
            object.fault("to", "out_of_range", format!("to must come after from, and by {days} days at most"));
        } else if let Some(zone) = zone {
            found = occurrences(&schedule, &zone, from).take_while(|found| found.at < to).take(MOST + 1).collect();
        }
    }
    if found.len() > MOST {
        object.fault("to", "out_of_range", format!("there are more than {MOST} occurrences until then: choose an earlier to"));
    }
    Preview { schedule, found }
}

fn zone(object: &Object<'_>, zones: &Zones) -> Option<Zone> {
    let name = object.text("timezone", Text::line(0, 64));
    let zone = zones.find(&name);
    if let Err(fault) = &zone
        && object.optional("timezone").is_some_and(Value::is_string)
    {
        object.fault("timezone", "unknown_zone", fault.to_string());
    }
    zone.ok()
}

/// An instant of the years 1970 to 2100, with its offset.
fn instant(object: &Object<'_>, name: &'static str) -> Option<DateTime<Utc>> {
    let value = object.required(name)?;
    let text = value.as_str();
    let Some(at) = text.and_then(|text| DateTime::parse_from_rfc3339(text).ok()).map(|at| at.to_utc()) else {
        let code = if text.is_some() { "wrong_value" } else { "wrong_type" };
        object.fault(name, code, format!("{name} must be an instant such as 2027-03-28T18:00:00Z"));
        return None;
    };
    if !(1970..=2100).contains(&at.year()) {
        object.fault(name, "out_of_range", format!("{name} must lie in the years 1970 to 2100"));
        return None;
    }
    Some(at)
}
