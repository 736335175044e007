//! Feeds, read by a library that had no part in writing them.

use std::collections::BTreeMap;

use calcard::icalendar::{ICalendar, ICalendarComponent, ICalendarComponentType, ICalendarProperty};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use leasehold::engine::settings::Settings;
use serde_json::{Value, json};

use crate::bench::{Bench, quiet};
use crate::calendar::{recurring, until_runs, verified};

const PUBLIC: &str = "/api/v1/public/events";

/// The text of a feed; every line is one that may be sent.
async fn feed(bench: &Bench, path: &str) -> String {
    let path = format!("{PUBLIC}{path}?minPosition={}", bench.head().await);
    let answer = bench.call("GET", &path).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.headers["content-type"], "text/calendar; charset=utf-8");
    assert!(answer.text.ends_with("END:VCALENDAR\r\n"));
    for line in answer.text.split_terminator("\r\n") {
        assert!(line.len() <= 75 && !line.chars().any(char::is_control), "{line:?}");
    }
    answer.text
}

fn parsed(text: &str) -> ICalendar {
    ICalendar::parse(text).unwrap()
}

fn text(component: &ICalendarComponent, property: &ICalendarProperty) -> String {
    let entry = component.property(property);
    entry.and_then(|entry| entry.values.first()).and_then(|value| value.as_text()).unwrap_or_default().to_owned()
}

/// Ids and instants, as that library works them out.
fn instants(calendar: &ICalendar) -> BTreeMap<String, DateTime<Utc>> {
    let expanded = calendar.expand_dates(chrono_tz::Tz::UTC, 10_000);
    assert_eq!(expanded.errors, []);
    let of = |id: u32| calendar.component_by_id(id).unwrap().uid().unwrap().to_owned();
    expanded.events.into_iter().map(|event| (of(event.comp_id), event.start.to_utc())).collect()
}

async fn calendar(bench: &Bench, window: &str) -> BTreeMap<String, DateTime<Utc>> {
    let mut found = BTreeMap::new();
    let mut token = String::new();
    loop {
        let path = format!("{PUBLIC}/calendar?{window}&limit=200&minPosition={}{token}", bench.head().await);
        let page = bench.call("GET", &path).send().await.is(200);
        for item in page["items"].as_array().unwrap() {
            found.insert(item["id"].as_str().unwrap().to_owned(), item["at"].as_str().unwrap().parse().unwrap());
        }
        let Some(next) = page["nextPageToken"].as_str() else { return found };
        token = format!("&pageToken={next}");
    }
}

/// A year of awkward zones, hours that are left out and hours that come twice.
#[tokio::test]
async fn a_feed_has_the_instants_of_the_calendar() {
    let bench = Bench::controlled(Settings::default()).await;
    let all = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    for (zone, time) in [
        ("Europe/Berlin", "02:30"),
        ("America/New_York", "02:30"),
        ("America/Chicago", "01:14"),
        ("Australia/Lord_Howe", "02:15"),
        ("America/Santiago", "00:00"),
        ("Asia/Kolkata", "20:00"),
        ("UTC", "12:00"),
    ] {
        let days: Vec<&str> = if zone == "UTC" { vec!["monday"] } else { vec!["sunday"] };
        let schedule = json!({"kind": "weekly", "days": days, "time": time});
        verified(&bench, &recurring(&zone.to_lowercase().replace(['/', '_'], "-"), schedule, zone)).await;
    }
    verified(&bench, &recurring("daily", json!({"kind": "weekly", "days": all, "time": "02:30"}), "Europe/Dublin")).await;
    until_runs(&bench, "from=2027-03-01T00:00:00Z&to=2027-04-01T00:00:00Z", 29).await;
    let text = feed(&bench, ".ics").await;
    let parsed = parsed(&text);
    let expected = calendar(&bench, "from=2027-01-29T12:00:00Z&to=2028-03-01T12:00:00Z").await;
    assert_eq!(expected.len(), 6 * 52 + 53 + 366, "a year");
    assert_eq!(instants(&parsed), expected);
    clocks_say_so_themselves(&text, &expected);
    let one = instants(&ICalendar::parse(feed(&bench, "/america-chicago.ics").await).unwrap());
    assert_eq!(one.len(), 52);
    assert!(one.iter().all(|(id, at)| expected[id] == *at));
}

/// From which wall clock on, and the offsets before and since, in seconds.
type Observance = (NaiveDateTime, i64, i64);

/// With nothing but the text: each local start, by the zone that the feed itself describes, is the calendar's instant.
fn clocks_say_so_themselves(text: &str, expected: &BTreeMap<String, DateTime<Utc>>) {
    let unfolded = text.replace("\r\n ", "");
    let (mut zones, mut zone) = (BTreeMap::<String, Vec<Observance>>::new(), String::new());
    let (mut starts, mut from, mut uid, mut seen) = (NaiveDateTime::MIN, 0, String::new(), 0);
    let wall = |text: &str| NaiveDateTime::parse_from_str(text, "%Y%m%dT%H%M%S").unwrap();
    let offset = |text: &str| {
        let of = text[1..3].parse::<i64>().unwrap() * 3_600 + text[3..5].parse::<i64>().unwrap() * 60;
        if text.starts_with('-') { -of } else { of }
    };
    let mut local: Option<(String, NaiveDateTime)> = None;
    for line in unfolded.split("\r\n") {
        match line.split_once(':').unwrap_or((line, "")) {
            ("TZID", name) => name.clone_into(&mut zone),
            ("DTSTART", at) if !at.ends_with('Z') => starts = wall(at),
            ("TZOFFSETFROM", of) => from = offset(of),
            ("TZOFFSETTO", of) => zones.entry(zone.clone()).or_default().push((starts, from, offset(of))),
            ("UID", id) => id.clone_into(&mut uid),
            ("BEGIN", "VEVENT") => local = None,
            (name, at) if name.starts_with("DTSTART;TZID=") => local = Some((name[13..].to_owned(), wall(at))),
            ("END", "VEVENT") => {
                let Some((zone, at)) = local.take() else { continue };
                let known = &zones[&zone];
                let offset = known.iter().rev().find(|(starts, _, _)| *starts <= at).unwrap().2;
                assert_eq!((at - TimeDelta::seconds(offset)).and_utc(), expected[&uid], "{zone} {at}");
                seen += 1;
            }
            _ => {}
        }
    }
    assert!(seen > 600, "{seen}");
}

#[tokio::test]
async fn an_occurrence_keeps_its_id_and_says_what_became_of_it() {
    let settings = Settings { public_url: Some("https://events.example.org".into()), ..Settings::default() };
    let bench = Bench::controlled(settings).await;
    let mut body = recurring("fridays", json!({"kind": "weekly", "days": ["friday"], "time": "20:00"}), "Asia/Seoul");
    body["title"] = json!("Lamps; \"all\", of\\them\u{202e} Ĝis! ".repeat(4).trim());
    body["summary"] = json!("First, last; \\n \\ BEGIN:VEVENT");
    body["venue"] = json!({"label": "The quay, left; side", "value": "quay"});
    let id = verified(&bench, &body).await;
    until_runs(&bench, "from=2027-03-01&to=2027-04-01", 2).await;
    let before = parsed(&feed(&bench, "/fridays.ics").await);
    let events = |calendar: &ICalendar| -> Vec<ICalendarComponent> {
        let events = calendar.components.iter().filter(|one| one.component_type == ICalendarComponentType::VEvent);
        events.cloned().collect()
    };
    let first = &events(&before)[0];
    assert_eq!(text(first, &ICalendarProperty::Summary), body["title"].as_str().unwrap());
    assert_eq!(text(first, &ICalendarProperty::Description), body["summary"].as_str().unwrap());
    assert_eq!(text(first, &ICalendarProperty::Location), "The quay, left; side");
    assert_eq!(events(&before).len(), 52, "nothing that somebody wrote begins an event");
    let told = |calendar: &ICalendar, uid: &str| {
        let event = events(calendar).into_iter().find(|event| event.uid() == Some(uid)).unwrap();
        let value = |property| event.property(property).unwrap().values[0].clone();
        let revision = value(&ICalendarProperty::Sequence).as_integer().unwrap();
        (revision, format!("{:?}", event.status().unwrap()), instants(calendar)[uid].to_rfc3339())
    };
    let (uid, later) = (first.uid().unwrap().to_owned(), events(&before)[10].uid().unwrap().to_owned());
    assert_eq!(told(&before, &uid), (0, "Confirmed".into(), "2027-03-05T11:00:00+00:00".into()));
    assert_eq!(told(&before, &later).1, "Tentative");
    // Published again with other words: the same occurrence, revised.
    body["summary"] = json!("Other words");
    bench.admin("PUT", &format!("/{id}")).tag("\"1\"").json(&body).send().await.is(200);
    bench.admin("POST", &format!("/{id}/publish")).tag("\"2\"").send().await.is(200);
    bench.admin("POST", &format!("/{id}/verify")).tag("\"2\"").send().await.is(200);
    let window = "from=2027-03-01&to=2027-04-01&status=scheduled";
    for _ in 0..1_000 {
        let runs = until_runs(&bench, window, 2).await;
        if runs.iter().all(|run| run["version"] == 2) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let repinned = parsed(&feed(&bench, ".ics").await);
    let (revision, status, at) = told(&repinned, &uid);
    assert!(revision > 0 && status == "Confirmed" && at == "2027-03-05T11:00:00+00:00", "{revision} {status} {at}");
    // Taken off: told so, under the same id.
    bench.admin("POST", &format!("/runs/{uid}/cancel")).json(&json!({})).send().await.is(200);
    let text = feed(&bench, "/fridays.ics").await;
    let cancelled = told(&parsed(&text), &uid);
    assert_eq!((cancelled.0, cancelled.1.as_str(), cancelled.2), (revision + 1, "Cancelled", at));
    for line in [
        "X-WR-CALNAME:",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "METHOD:PUBLISH",
        "VERSION:2.0",
        "LAST-MODIFIED:20270301T120000Z",
        "DTSTAMP:20270301T120000Z",
        "URL:https://events.example.org/api/v1/public/events/fridays",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert_eq!(text, feed(&bench, "/fridays.ics").await, "the same, whenever it is asked for");
}

#[tokio::test]
async fn what_is_changed_before_there_is_a_run_is_revised_and_what_is_skipped_is_cancelled() {
    let bench = Bench::controlled(Settings::default()).await;
    let schedule = json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "until": "2027-05-28"});
    let id = verified(&bench, &recurring("fridays", schedule, "Asia/Seoul")).await;
    until_runs(&bench, "from=2027-03-01&to=2027-04-01", 2).await;
    let slot = "2027-05-07T20:00";
    let told = async || {
        let calendar = parsed(&feed(&bench, "/fridays.ics").await);
        let uid = leasehold_aggregates::schedule::occurrence_id(&id, "main", slot.parse().unwrap(), 0).to_string();
        let all = calendar.components.iter().filter(|one| one.uid() == Some(uid.as_str())).collect::<Vec<_>>();
        assert_eq!(all.len(), 1, "once, whatever became of it");
        let revision = all[0].property(&ICalendarProperty::Sequence).unwrap().values[0].as_integer().unwrap();
        (revision, format!("{:?}", all[0].status().unwrap()), instants(&calendar)[&uid].to_rfc3339())
    };
    let alter = async |verb: &str, body: Value| {
        let path = format!("/{id}/occurrences/{slot}/{verb}");
        bench.admin("POST", &path).json(&body).send().await.is(200);
    };
    let original = "2027-05-07T11:00:00+00:00".to_owned();
    assert_eq!(told().await, (0, "Tentative".into(), original.clone()));
    alter("move", json!({"reason": "later", "to": "2027-05-08T20:00"})).await;
    assert_eq!(told().await, (1, "Tentative".into(), "2027-05-08T11:00:00+00:00".into()));
    alter("skip", json!({"reason": "rain"})).await;
    assert_eq!(told().await, (2, "Cancelled".into(), original.clone()));
    alter("restore", json!({"reason": "sun"})).await;
    assert_eq!(told().await, (3, "Tentative".into(), original.clone()));
    // When it has a run, the count goes on from there.
    bench.advance(chrono::TimeDelta::days(60)).await;
    until_runs(&bench, "from=2027-05-01&to=2027-05-08", 1).await;
    let (revision, status, at) = told().await;
    assert!(revision >= 3 && status == "Confirmed" && at == original, "{revision} {status} {at}");
    alter("skip", json!({"reason": "rain again"})).await;
    let (skipped, status, _) = told().await;
    assert!(skipped > revision && status == "Cancelled", "{skipped} {status}");
}

#[tokio::test]
async fn without_events_a_feed_is_empty_and_rehearsals_are_in_none() {
    let bench = Bench::new().await;
    let id = bench.publish(&quiet("quiet")).await;
    bench.admin("POST", &format!("/{id}/runs")).json(&json!({"rehearsal": true})).send().await.is(201);
    for path in [".ics", "/quiet.ics"] {
        assert!(!feed(&bench, path).await.contains("VEVENT"), "{path}");
    }
    let run: Value = bench.admin("POST", &format!("/{id}/runs")).send().await.is(201);
    let started = feed(&bench, "/quiet.ics").await;
    assert_eq!(started.matches("BEGIN:VEVENT").count(), 1);
    assert!(started.contains(&format!("UID:{}\r\n", run["id"].as_str().unwrap())), "{started}");
}
