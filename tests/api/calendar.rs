//! The calendar of the staff: what is booked, what is forecast, on whose day, and what is in the way of what.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use leasehold::engine::settings::Settings;
use serde_json::{Value, json};

use crate::bench::{Bench, faults, quiet};
use crate::sorted::scheduled;

/// A definition with this schedule in this zone.
pub fn recurring(slug: &str, schedule: Value, timezone: &str) -> Value {
    let mut body = quiet(slug);
    body["spec"]["schedule"] = schedule;
    body["timezone"] = json!(timezone);
    body
}

/// Posts, publishes and verifies; gives the id.
pub async fn verified(bench: &Bench, body: &Value) -> String {
    let id = bench.publish(body).await;
    let verdict = bench.admin("POST", &format!("/{id}/verify")).tag("\"1\"").send().await.is(200);
    assert_eq!(verdict["verified"], true, "{verdict}");
    id
}

async fn read(bench: &Bench, query: &str) -> Vec<Value> {
    let position = bench.head().await;
    let path = format!("/calendar?limit=200&minPosition={position}&{query}");
    let page = bench.admin("GET", &path).send().await.is(200);
    assert_eq!(page["nextPageToken"], Value::Null, "{query}");
    page["items"].as_array().unwrap().clone()
}

/// Reads until so many of the entries are runs: the scheduler makes them when it gets there.
pub async fn until_runs(bench: &Bench, query: &str, runs: usize) -> Vec<Value> {
    for _ in 0..1_000 {
        let entries = read(bench, query).await;
        if entries.iter().filter(|entry| entry["kind"] == "run").count() == runs {
            return entries;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("never {runs} runs: {:?}", read(bench, query).await);
}

fn each<'a>(entries: &'a [Value], fields: &[&str]) -> Vec<Vec<&'a Value>> {
    entries.iter().map(|entry| fields.iter().map(|field| &entry[*field]).collect()).collect()
}

#[tokio::test]
async fn runs_and_projections_are_told_apart_and_no_occurrence_comes_twice() {
    let bench = Bench::controlled(Settings::default()).await;
    let schedule = json!({"kind": "weekly", "days": ["sunday"], "time": "02:30"});
    let id = verified(&bench, &recurring("late", schedule, "America/New_York")).await;
    let window = "from=2027-03-07T00:00:00Z&to=2027-03-22T00:00:00Z";
    let entries = until_runs(&bench, window, 2).await;
    assert_eq!(
        each(&entries, &["kind", "at", "local", "slot", "dstAdjusted", "status", "definitionId"]),
        [
            [
                json!("run"),
                json!("2027-03-07T07:30:00Z"),
                json!("2027-03-07T02:30"),
                json!("2027-03-07T02:30"),
                json!(null),
                json!("scheduled"),
                json!(id)
            ]
            .each_ref()
            .to_vec(),
            [
                json!("run"),
                json!("2027-03-14T07:00:00Z"),
                json!("2027-03-14T03:00"),
                json!("2027-03-14T02:30"),
                json!("gap"),
                json!("scheduled"),
                json!(id)
            ]
            .each_ref()
            .to_vec(),
            [
                json!("projection"),
                json!("2027-03-21T06:30:00Z"),
                json!("2027-03-21T02:30"),
                json!("2027-03-21T02:30"),
                json!(null),
                json!(null),
                json!(id)
            ]
            .each_ref()
            .to_vec(),
        ]
    );
    // What somebody took off is not forecast again.
    let run = entries[1]["id"].as_str().unwrap();
    bench.admin("POST", &format!("/runs/{run}/cancel")).json(&json!({"reason": "no"})).send().await.is(200);
    let after = read(&bench, window).await;
    assert_eq!(each(&after, &["kind", "status"])[1], [&json!("run"), &json!("cancelled")]);
    assert_eq!(after.len(), 3);
    // A forecast has no status and is of no scope that could be named.
    let kinds = async |query: &str| {
        let entries = read(&bench, &format!("{window}&{query}")).await;
        entries.iter().map(|entry| entry["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(kinds("status=scheduled").await, ["run"]);
    assert_eq!(kinds("scope=main").await, ["run", "run"]);
    assert_eq!(kinds("scope=west").await, [""; 0]);
    assert_eq!(kinds("state=ready").await, ["run", "run", "projection"]);
    assert_eq!(kinds("state=archived").await, [""; 0]);
    assert_eq!(kinds("category=gathering").await, [""; 0]);
    assert_eq!(kinds("category=").await, ["run", "run", "projection"]);
    assert_eq!(kinds(&format!("definitionId={id}")).await, ["run", "run", "projection"]);
    assert_eq!(kinds("definitionId=x").await, [""; 0]);
    assert_eq!(kinds("seriesId=x").await, [""; 0]);
    // The forecast becomes the run under the same name.
    bench.advance(TimeDelta::days(7)).await;
    let later = until_runs(&bench, window, 3).await;
    assert_eq!(later[2]["id"], entries[2]["id"]);
    // Archived, its forecasts are gone and its runs are off.
    bench.admin("DELETE", &format!("/{id}")).tag("\"1\"").send().await.is(200);
    let archived = read(&bench, "from=2027-03-07T00:00:00Z&to=2027-06-01T00:00:00Z").await;
    assert!(archived.iter().all(|entry| entry["kind"] == "run"), "{archived:?}");
}

/// A Friday evening in Los Angeles is a Saturday in Tokyo and London, and in one of the reader's months.
#[tokio::test]
async fn an_entry_is_on_the_readers_day_with_the_events_own_time_beside_it() {
    let bench = Bench::controlled(Settings::default()).await;
    let once = json!({"kind": "once", "at": "2027-04-30T20:00"});
    bench.publish(&recurring("evening", once, "America/Los_Angeles")).await;
    for (reader, day) in [("Asia/Tokyo", "2027-05-01"), ("America/Los_Angeles", "2027-04-30"), ("Europe/London", "2027-05-01")] {
        let mut drawn = Vec::new();
        for (from, to) in [("2027-04-01", "2027-05-01"), ("2027-05-01", "2027-06-01")] {
            let entries = read(&bench, &format!("from={from}&to={to}&tz={reader}")).await;
            drawn.extend(entries.into_iter().map(|entry| (from, entry)));
        }
        assert_eq!(drawn.len(), 1, "{reader}");
        let (month, entry) = &drawn[0];
        assert_eq!((&entry["date"], &month[..7]), (&json!(day), &day[..7]), "{reader}");
        assert_eq!((&entry["local"], &entry["timezone"]), (&json!("2027-04-30T20:00"), &json!("America/Los_Angeles")));
        assert_eq!((&entry["at"], &entry["kind"]), (&json!("2027-05-01T03:00:00Z"), &json!("projection")));
    }
}

#[tokio::test]
async fn a_day_whose_first_hour_is_left_out_is_still_that_day() {
    let bench = Bench::controlled(Settings::default()).await;
    bench.advance(TimeDelta::days(178)).await;
    let schedule = json!({"kind": "weekly", "days": ["sunday"], "time": "00:00"});
    bench.publish(&recurring("midnight", schedule, "America/Santiago")).await;
    let entries = read(&bench, "from=2027-08-28&to=2027-09-14&tz=America/Santiago").await;
    assert_eq!(
        each(&entries, &["at", "local", "date", "dstAdjusted"]),
        [
            [json!("2027-08-29T04:00:00Z"), json!("2027-08-29T00:00"), json!("2027-08-29"), json!(null)].each_ref(),
            [json!("2027-09-05T04:00:00Z"), json!("2027-09-05T01:00"), json!("2027-09-05"), json!("gap")].each_ref(),
            [json!("2027-09-12T03:00:00Z"), json!("2027-09-12T00:00"), json!("2027-09-12"), json!(null)].each_ref(),
        ]
    );
}

/// Runs of one second, projections of many definitions; while pages are turned runs come, others end, and forecasts become
/// runs.
#[tokio::test]
async fn the_pages_hold_every_entry_of_the_first_pages_moment_once() {
    let bench = Bench::controlled(Settings::default()).await;
    let mut verify = Vec::new();
    for nth in 0..5 {
        let schedule = json!({"kind": "weekly", "days": ["monday", "thursday"], "time": format!("1{nth}:00")});
        let id = bench.publish(&recurring(&format!("often-{nth}"), schedule, "Europe/Berlin")).await;
        verify.push(id);
    }
    let definition = bench.publish(&quiet("quiet")).await;
    let mut position = 0;
    for nth in 0..30 {
        position = scheduled(&bench, &format!("00000000-0000-4000-8000-{nth:012}"), &definition, 0, None).await;
    }
    // The runs lie in 2031: the window of forecasts is made to end there.
    let window = "from=2030-12-01T00:00:00Z&to=2031-02-01T00:00:00Z";
    let path = |token: &str, position: u64| format!("/calendar?{window}&limit=20&minPosition={position}{token}");
    let whole: BTreeSet<String> =
        read(&bench, window).await.iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(whole.len(), 30 + 18 * 5);
    let (mut seen, mut token, mut page, mut last) = (BTreeMap::new(), String::new(), 0, String::new());
    loop {
        let answer = bench.admin("GET", &path(&token, position)).send().await.is(200);
        for entry in answer["items"].as_array().unwrap() {
            let key = format!("{} {}", entry["at"].as_str().unwrap(), entry["id"].as_str().unwrap());
            assert!(key > last, "{key} after {last}");
            last = key;
            *seen.entry(entry["id"].as_str().unwrap().to_owned()).or_insert(0) += 1;
        }
        let Some(next) = answer["nextPageToken"].as_str() else { break };
        token = format!("&pageToken={next}");
        for nth in 0..5 {
            position =
                scheduled(&bench, &format!("00000000-0000-4000-8000-{:012}", 100 + page * 5 + nth), &definition, nth, None).await;
        }
        if page == 2 {
            // Every forecast ahead becomes a run: an occurrence is a run's by its id.
            for entry in read(&bench, window).await.iter().filter(|entry| entry["kind"] == "projection") {
                let id = entry["id"].as_str().unwrap();
                position = scheduled(&bench, id, entry["definitionId"].as_str().unwrap(), 0, None).await;
            }
        }
        page += 1;
    }
    assert_eq!(seen, whole.into_iter().map(|id| (id, 1)).collect::<BTreeMap<_, _>>());
}

#[tokio::test]
async fn what_is_in_the_way_is_named_on_both_sides() {
    let bench = Bench::controlled(Settings::default()).await;
    let with_key = |slug: &str, time: &str, key: &str| {
        let mut body = recurring(slug, json!({"kind": "weekly", "days": ["friday"], "time": time}), "UTC");
        body["concurrencyKey"] = json!(key);
        body["spec"]["phases"][0]["advance"] = json!({"after": "30m"});
        body
    };
    let borrowing = |slug: &str, time: &str| {
        let mut body = recurring(slug, json!({"kind": "weekly", "days": ["friday"], "time": time}), "UTC");
        body["spec"]["phases"][0] = json!({"key": "p", "label": "P", "advance": {"after": "2h"}, "steps": [
            {"key": "rate", "action": "core.lease", "params": {"lease": "demo.rate.gather", "value": "2", "minutes": 60}}]});
        body
    };
    bench.enable("core.lease", json!({})).await;
    for body in [
        with_key("first", "20:00", "square"),
        with_key("second", "20:20", "square"),
        with_key("third", "20:50", "square"),
        with_key("elsewhere", "20:00", "pier"),
    ] {
        verified(&bench, &body).await;
    }
    for body in [borrowing("rate-one", "09:00"), borrowing("rate-two", "09:59"), borrowing("rate-three", "11:00")] {
        verified(&bench, &body).await;
    }
    // The next Friday is booked, the fourth is a forecast; both are in their own way alone.
    for (window, kind, runs) in [("from=2027-03-05&to=2027-03-06", "run", 7), ("from=2027-03-26&to=2027-03-27", "projection", 0)]
    {
        let entries = until_runs(&bench, window, runs).await;
        assert_eq!(entries.len(), 7, "{entries:?}");
        let told: BTreeMap<&str, Vec<_>> = entries
            .iter()
            .map(|entry| {
                let conflicts = entry["conflicts"].as_array().unwrap().iter().map(|conflict| {
                    let with = conflict["with"].as_array().unwrap();
                    assert!(with.iter().all(|other| other["kind"] == kind
                        && other["at"].as_str().unwrap()[..10] == entry["at"].as_str().unwrap()[..10]));
                    let slugs = with
                        .iter()
                        .map(|other| entries.iter().find(|entry| entry["id"] == other["id"]).unwrap()["slug"].as_str().unwrap());
                    (conflict["kind"].as_str().unwrap(), conflict["name"].as_str().unwrap(), slugs.collect::<Vec<_>>())
                });
                (entry["slug"].as_str().unwrap(), conflicts.collect())
            })
            .collect();
        let key = |with: &'static str| vec![("concurrency_key", "square", vec![with])];
        let rate = |with: &'static str| vec![("value", "demo/main/override/demo.rate.gather", vec![with])];
        let expected = BTreeMap::from([
            ("first", key("second")),
            ("second", key("first")),
            ("third", vec![]),
            ("elsewhere", vec![]),
            ("rate-one", rate("rate-two")),
            ("rate-two", rate("rate-one")),
            ("rate-three", vec![]),
        ]);
        assert_eq!(told, expected, "{kind}");
    }
    // A run that is taken off is in nobody's way.
    let entries = read(&bench, "from=2027-03-05&to=2027-03-06").await;
    let second = entries.iter().find(|entry| entry["slug"] == "second").unwrap()["id"].as_str().unwrap();
    bench.admin("POST", &format!("/runs/{second}/cancel")).json(&json!({})).send().await.is(200);
    let entries = read(&bench, "from=2027-03-05&to=2027-03-06").await;
    assert!(
        entries.iter().all(|entry| entry["conflicts"].as_array().unwrap().iter().all(|conflict| conflict["kind"] == "value"))
    );
}

#[tokio::test]
async fn a_window_that_is_none_is_refused_by_name() {
    let bench = Bench::new().await;
    let both = [("?from", "required"), ("?to", "required")];
    for (query, told) in [
        ("", &both[..]),
        ("from=2027-01-01", &both[1..]),
        ("from=2027-01-02&to=2027-01-02", &[("?to", "out_of_range")]),
        ("from=2027-01-02&to=2027-01-01", &[("?to", "out_of_range")]),
        ("from=2027-01-01&to=2029-01-01", &[("?to", "out_of_range")]),
        ("from=2027-02-29&to=soon", &[("?from", "wrong_value"), ("?to", "wrong_value")]),
        ("from=2027-01-01&to=2027-01-02&tz=CET", &[("?tz", "unknown_zone")]),
        ("from=2027-01-01&to=2027-01-02&tz=%2B02:00", &[("?tz", "unknown_zone")]),
        ("from=2027-01-01&to=2027-01-02&status=asleep&colour=red", &[("?status", "not_a_choice"), ("?colour", "unknown_field")]),
        ("from=2027-01-01&to=2027-01-02&pageToken=00", &[("?pageToken", "bad_page_token")]),
        ("from=9999-12-31&to=2027-01-02", &[("?from", "wrong_value")]),
    ] {
        let problem = bench.admin("GET", &format!("/calendar?{query}")).send().await.problem(422, "invalid_body");
        assert_eq!(faults(&problem), told, "{query}");
    }
}
