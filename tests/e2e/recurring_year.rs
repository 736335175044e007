//! Schedules in a dozen awkward zones, lived through on a clock that goes by days, with an engine that is killed again and
//! again; counted against a walk over the dates, which knows nothing of zones. Six weeks around the changes of spring and
//! autumn by default, a year where `LEASEHOLD_SOAK` is set.

use std::collections::BTreeSet;

use chrono::{Datelike, NaiveDate, Weekday};
use serde_json::{Value, json};

use crate::recurring::scheduled;
use crate::world::World;
use crate::world::plans::{event, hail, phase};

const FIRST: &str = "2027-03-10";
/// Long enough for a start within what the clock goes by at once.
const GRACE: u32 = 86_400;
const STRIDE: u32 = 80_000;

/// The last day of the schedules.
fn last() -> &'static str {
    if std::env::var_os("LEASEHOLD_SOAK").is_some() { "2028-03-09" } else { "2027-04-20" }
}

enum Kind {
    Daily,
    Weekly(Weekday),
    /// The first or, at -1, the last of its kind in each month.
    Monthly(i8, Weekday),
}

/// Zones whose clocks change at odd times, by odd amounts, or not at all.
const ZONES: [(&str, &str, Kind); 12] = [
    ("Europe/Berlin", "02:30", Kind::Daily),
    ("America/Santiago", "00:00", Kind::Weekly(Weekday::Sun)),
    ("Australia/Lord_Howe", "02:15", Kind::Weekly(Weekday::Sun)),
    ("America/New_York", "01:30", Kind::Weekly(Weekday::Sun)),
    ("Asia/Kathmandu", "23:59", Kind::Weekly(Weekday::Fri)),
    ("Pacific/Chatham", "02:45", Kind::Weekly(Weekday::Sun)),
    ("Africa/Casablanca", "02:30", Kind::Weekly(Weekday::Sun)),
    ("Europe/Dublin", "01:00", Kind::Weekly(Weekday::Sun)),
    ("Asia/Gaza", "01:30", Kind::Monthly(-1, Weekday::Sat)),
    ("America/St_Johns", "00:01", Kind::Monthly(1, Weekday::Sun)),
    ("Pacific/Kiritimati", "12:00", Kind::Monthly(-1, Weekday::Mon)),
    ("Antarctica/Troll", "02:00", Kind::Monthly(-1, Weekday::Sun)),
];

const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

fn day(weekday: Weekday) -> &'static str {
    DAYS[weekday.num_days_from_monday() as usize]
}

impl Kind {
    fn schedule(&self, time: &str) -> Value {
        match self {
            Self::Daily => json!({"kind": "weekly", "days": DAYS, "time": time, "from": FIRST, "until": last()}),
            Self::Weekly(weekday) => {
                json!({"kind": "weekly", "days": [day(*weekday)], "time": time, "from": FIRST, "until": last()})
            }
            Self::Monthly(nth, weekday) => {
                json!({"kind": "monthly", "nth": nth, "weekday": day(*weekday), "time": time, "from": FIRST, "until": last()})
            }
        }
    }

    fn has(&self, date: NaiveDate) -> bool {
        match self {
            Self::Daily => true,
            Self::Weekly(weekday) => date.weekday() == *weekday,
            Self::Monthly(1, weekday) => date.weekday() == *weekday && date.day() <= 7,
            Self::Monthly(_, weekday) => date.weekday() == *weekday && (date + chrono::Days::new(7)).month() != date.month(),
        }
    }
}

/// The wall clocks that the dates give.
fn walked(kind: &Kind, time: &str) -> BTreeSet<String> {
    let last: NaiveDate = last().parse().unwrap();
    let dates = FIRST.parse::<NaiveDate>().unwrap().iter_days().take_while(|date| *date <= last);
    dates.filter(|date| kind.has(*date)).map(|date| format!("{date}T{time}")).collect()
}

/// Everything in the account of a window of a year, page by page.
async fn account(world: &World, definition: &str, which: &str) -> Vec<Value> {
    let window = "from=2027-03-08T00:00:00Z&to=2028-03-08T00:00:00Z";
    let (mut items, mut token) = (Vec::new(), String::new());
    loop {
        let path = format!("/occurrences?{window}&limit=200&definitionId={definition}{which}{token}");
        let page = world.engine.api.get(&path).await.yes();
        items.extend(page["items"].as_array().unwrap().iter().cloned());
        match page["nextPageToken"].as_str() {
            Some(next) => token = format!("&pageToken={next}"),
            None => return items,
        }
    }
}

#[tokio::test]
async fn what_is_scheduled_in_a_dozen_zones_happens_once_each() {
    let mut world = World::new().await;
    let mut definitions = Vec::new();
    for (nth, (zone, time, kind)) in ZONES.iter().enumerate() {
        let mut year = event(&format!("year-{nth}"), &[phase("all", &[hail()], "5m")]);
        year["timezone"] = json!(zone);
        year["graceSeconds"] = json!(GRACE);
        year["spec"]["schedule"] = kind.schedule(time);
        definitions.push(scheduled(&world, &year).await);
    }
    let days = (last().parse::<NaiveDate>().unwrap() - FIRST.parse::<NaiveDate>().unwrap()).num_days();
    for nth in 0..(days + 12) * 86_400 / i64::from(STRIDE) {
        if nth % 15 == 14 {
            world.engine.kill9().await;
            world.engine.restart().await;
        }
        world.advance(STRIDE).await;
        world.nothing_is_due().await;
        world.the_scheduler_has_read_everything().await;
    }
    let mut all = 0;
    for (definition, (zone, time, kind)) in definitions.iter().zip(&ZONES) {
        let expected = walked(kind, time);
        let (mut slots, mut instants) = (BTreeSet::new(), BTreeSet::new());
        for run_id in world.runs_of(definition).await {
            let completed = world.events(&run_id, "run_completed").await.len();
            assert_eq!(completed, 1, "{zone}: {}", world.engine.api.run(&run_id).await);
            let run = &world.events(&run_id, "run_scheduled").await[0]["run"];
            assert!(slots.insert(run["slot"].as_str().unwrap().to_owned()), "{zone}: twice {run}");
            instants.insert(run["scheduled_for"].as_str().unwrap().to_owned());
        }
        assert_eq!(slots, expected, "{zone}");
        assert_eq!(instants.len(), expected.len(), "{zone}");
        let of_a_year = account(&world, definition, "").await.len();
        let executed = account(&world, definition, "&executed=true").await.len();
        let not_executed = account(&world, definition, "&executed=false").await.len();
        assert_eq!((executed + not_executed, not_executed), (of_a_year, 0), "{zone}");
        all += slots.len();
    }
    assert!(all > 80, "{all}");
    // The command line tells the same.
    let told = world.engine.cli(&[
        "occurrences",
        "--from",
        "2027-03-08T00:00:00Z",
        "--to",
        "2028-03-08T00:00:00Z",
        "--definition",
        &definitions[1],
        "--format",
        "json",
    ]);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["items"].as_array().unwrap().len(), account(&world, &definitions[1], "").await.len());
    world.finish().await;
}
