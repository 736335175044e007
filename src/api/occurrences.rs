//! `GET /admin/events/occurrences`: the account of a window, what was executed and what was not, with its reason, in pages.
//! 200; 422; 503 where `minPosition` is not reached.
//!
//! `POST /admin/events/occurrences`: what a schedule says and where its wall clocks fall, before anything is saved. 200;
//! 422.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Datelike, TimeDelta, Utc};
use leasehold_aggregates::body::{Object, Text};
use leasehold_aggregates::schedule::{Occurrence, Schedule, occurrences};
use leasehold_aggregates::zones::{Zone, Zones};
use leasehold_projections::{Page, definitions, runs};
use serde_json::{Value, json};

use super::paging::Paging;
use super::posted::{Posted, read};
use super::query::Query;
use super::{Api, Problem};
use crate::engine::occurrences::{AccountFault, Accounted, Asked, LONGEST as WINDOW, account as tell_account};

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
    let zones = api.engine.zones();
    let preview = read(&body, |object| shape(object, zones))?;
    let occurrences: Vec<Value> = preview.found.iter().map(occurrence).collect();
    Ok(Json(json!({
        "occurrences": occurrences,
        "schedule": preview.schedule,
        "sentence": preview.schedule.sentence(),
        "zoneData": zones.release(),
    })))
}

pub async fn account(State(api): State<Api>, mut query: Query) -> Result<Json<Page<Accounted>>, Problem> {
    let paging = Paging::of(&mut query);
    let (from, to) = (query.instant("from"), query.instant("to"));
    let definition_id = query.text("definitionId", 64);
    let executed = query.text("executed", 64);
    for (name, given) in [("from", from), ("to", to)] {
        if given.is_none() && !query.has_fault(name) {
            query.fault(name, "required", "is required: the account is that of a window");
        }
    }
    if let (Some(from), Some(to)) = (from, to)
        && (to <= from || to - from > WINDOW)
    {
        query.fault("to", "out_of_range", &format!("must come after from, and by {} days at most", WINDOW.num_days()));
    }
    let executed = match executed.as_deref() {
        None => None,
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some(_) => {
            query.fault("executed", "not_a_choice", "is true or false");
            None
        }
    };
    query.finish()?;
    let (Some(from), Some(to)) = (from, to) else { return Err(Problem::not_found()) };
    paging.reached(&api, &[definitions::NAME, runs::NAME]).await?;
    let asked = Asked { from, to, definition_id, executed };
    let (log, zones, now) = (&api.engine.log, api.engine.zones(), api.now().await?);
    match tell_account(log, zones, now, &asked, &paging.page).await {
        Ok(page) => Ok(Json(page)),
        Err(AccountFault::Read(fault)) => Err(fault.into()),
        Err(AccountFault::Log(fault)) => Err(fault.into()),
    }
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
pub(super) fn instant(object: &Object<'_>, name: &'static str) -> Option<DateTime<Utc>> {
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
