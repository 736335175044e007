//! `POST /admin/events/occurrences`: where a schedule's wall clocks fall, before anything is saved. 200; 422.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use leasehold_aggregates::body::{Object, Text};
use leasehold_aggregates::schedule::{Schedule, expand};
use leasehold_aggregates::zones::{Zone, Zones};
use serde_json::{Value, json};

use super::posted::{Posted, read};
use super::{Api, Problem};

/// Days that one preview may span.
const LONGEST: i64 = 3_660;

struct Preview {
    schedule: Schedule,
    zone: Option<Zone>,
    from: Option<DateTime<Utc>>,
    to: Option<DateTime<Utc>>,
}

pub async fn handle(State(_api): State<Api>, Posted(body): Posted) -> Result<Json<Value>, Problem> {
    let preview = read(&body, shape)?;
    let (Some(zone), Some(from), Some(to)) = (preview.zone, preview.from, preview.to) else {
        return Ok(Json(json!({"occurrences": [], "zoneData": Zones.release()})));
    };
    let occurrences: Vec<Value> = expand(&preview.schedule, zone, from..to)
        .into_iter()
        .map(|found| json!({"at": found.at, "local": found.local, "dstAdjusted": found.dst_adjusted}))
        .collect();
    Ok(Json(json!({"occurrences": occurrences, "zoneData": Zones.release()})))
}

fn shape(object: &Object<'_>) -> Preview {
    let schedule = object.required("schedule").map(|value| Schedule::read(value, &object.at("schedule"), object.faults()));
    let name = object.text("timezone", Text::line(0, 64));
    let zone = Zones.find(&name);
    if let Err(fault) = &zone
        && object.optional("timezone").is_some_and(Value::is_string)
    {
        object.fault("timezone", "unknown_zone", fault.to_string());
    }
    let (from, to) = (instant(object, "from"), instant(object, "to"));
    if let (Some(from), Some(to)) = (from, to) {
        let days = (to - from).num_days();
        if to <= from || days > LONGEST {
            object.fault("to", "out_of_range", format!("to must come after from, and by {LONGEST} days at most"));
        }
    }
    Preview { schedule: schedule.unwrap_or(Schedule::Manual {}), zone: zone.ok(), from, to }
}

/// An instant of the years 1970 to 2099, with its offset.
fn instant(object: &Object<'_>, name: &'static str) -> Option<DateTime<Utc>> {
    use chrono::Datelike;
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
