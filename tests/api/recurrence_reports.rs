//! Public faults of systems like this one, about time, at this API: each schedule authored, read back from the calendar, and
//! lived through.

use leasehold::engine::settings::Settings;
use serde_json::{Value, json};

use crate::bench::{Bench, events, faults, quiet};
use crate::calendar::{recurring, verified};

fn weekly(day: &str, time: &str) -> Value {
    json!({"kind": "weekly", "days": [day], "time": time})
}

/// What the calendar says of a definition in a window: instant, wall clock, slot and flag.
async fn shown(bench: &Bench, definition: &str, from: &str, to: &str) -> Vec<[String; 4]> {
    let position = bench.head().await;
    let path = format!("/calendar?limit=200&minPosition={position}&definitionId={definition}&from={from}&to={to}");
    let page = bench.admin("GET", &path).send().await.is(200);
    let told =
        |entry: &Value| ["at", "local", "slot", "dstAdjusted"].map(|field| entry[field].as_str().unwrap_or("none").to_owned());
    page["items"].as_array().unwrap().iter().map(told).collect()
}

fn instants(shown: &[[String; 4]]) -> Vec<&str> {
    shown.iter().map(|entry| entry[0].as_str()).collect()
}

async fn advance_to(bench: &Bench, instant: &str) {
    let ahead = instant.parse::<chrono::DateTime<chrono::Utc>>().unwrap() - bench.engine.clock.now().await.unwrap();
    bench.advance(ahead).await;
}

#[tokio::test]
async fn a_start_within_the_hour_that_disappears_happens_at_its_end_and_says_so() {
    let bench = Bench::controlled_from("2027-03-06T12:00:00Z", Settings::default()).await;
    let id = verified(&bench, &recurring("nightly", weekly("sunday", "02:30"), "America/New_York")).await;
    let expected = [
        ["2027-03-07T07:30:00Z", "2027-03-07T02:30", "2027-03-07T02:30", "none"],
        ["2027-03-14T07:00:00Z", "2027-03-14T03:00", "2027-03-14T02:30", "gap"],
        ["2027-03-21T06:30:00Z", "2027-03-21T02:30", "2027-03-21T02:30", "none"],
    ];
    assert_eq!(
        shown(&bench, &id, "2027-03-07T00:00:00Z", "2027-03-22T00:00:00Z").await,
        expected.map(|entry| entry.map(str::to_owned))
    );
    for [instant, _, slot, flag] in expected {
        advance_to(&bench, instant).await;
        let started = |run: &Value| run["status"] == "running" && run["scheduledFor"] == instant;
        let path = events(&format!("/runs?definitionId={id}&status=running"));
        let runs = bench
            .until_by_admin(&path, |answer| answer.body["items"].as_array().is_some_and(|all| all.iter().any(started)))
            .await;
        let run = runs["items"].as_array().unwrap().iter().find(|run| started(run)).unwrap();
        let flag = if flag == "none" { Value::Null } else { json!(flag) };
        assert_eq!((&run["dstAdjusted"], &run["startedAt"]), (&flag, &json!(instant)), "{slot}");
    }
}

#[tokio::test]
async fn winter_time_that_is_called_daylight_saving_is_winter_time() {
    let bench = Bench::controlled(Settings::default()).await;
    for (zone, slug) in [("Europe/Dublin", "dublin"), ("Europe/London", "london")] {
        let id = verified(&bench, &recurring(slug, weekly("friday", "20:00"), zone)).await;
        let mut all = shown(&bench, &id, "2027-03-20T00:00:00Z", "2027-04-05T00:00:00Z").await;
        all.extend(shown(&bench, &id, "2027-10-20T00:00:00Z", "2027-11-10T00:00:00Z").await);
        let expected = [
            "2027-03-26T20:00:00Z",
            "2027-04-02T19:00:00Z",
            "2027-10-22T19:00:00Z",
            "2027-10-29T19:00:00Z",
            "2027-11-05T20:00:00Z",
        ];
        assert_eq!(instants(&all), expected, "{zone}");
        assert!(all.iter().all(|entry| entry[3] == "none" && entry[1].ends_with("T20:00")), "{all:?}");
    }
}

#[tokio::test]
async fn where_midnight_is_skipped_the_day_begins_at_one_and_stays_its_day() {
    let bench = Bench::controlled(Settings::default()).await;
    let id = verified(&bench, &recurring("midnight", weekly("sunday", "00:00"), "America/Santiago")).await;
    let all = shown(&bench, &id, "2027-08-28T00:00:00Z", "2027-09-14T00:00:00Z").await;
    assert_eq!(instants(&all), ["2027-08-29T04:00:00Z", "2027-09-05T04:00:00Z", "2027-09-12T03:00:00Z"]);
    assert_eq!((all[1][1].as_str(), all[1][3].as_str()), ("2027-09-05T01:00", "gap"));
    let path = format!("/calendar?definitionId={id}&from=2027-09-01&to=2027-09-08&tz=America/Santiago");
    let page = bench.admin("GET", &path).send().await.is(200);
    let dates: Vec<&Value> = page["items"].as_array().unwrap().iter().map(|entry| &entry["date"]).collect();
    assert_eq!(dates, ["2027-09-05"]);
}

#[tokio::test]
async fn both_spellings_of_a_city_are_kept_as_typed_and_a_wrong_one_is_refused() {
    let bench = Bench::controlled(Settings::default()).await;
    for (zone, slug) in [("Europe/Kyiv", "kyiv"), ("Europe/Kiev", "kiev")] {
        let id = verified(&bench, &recurring(slug, weekly("sunday", "03:30"), zone)).await;
        let all = shown(&bench, &id, "2027-03-20T00:00:00Z", "2027-04-06T00:00:00Z").await;
        assert_eq!(instants(&all), ["2027-03-21T01:30:00Z", "2027-03-28T01:00:00Z", "2027-04-04T00:30:00Z"], "{zone}");
        assert_eq!((all[1][1].as_str(), all[1][3].as_str()), ("2027-03-28T04:00", "gap"));
        let read = bench.admin("GET", &format!("/{id}")).send().await.is(200);
        assert!(read.to_string().contains(&format!("\"{zone}\"")), "{read}");
    }
    let wrong = bench.admin("POST", "").json(&recurring("kiyv", weekly("sunday", "03:30"), "Europe/Kiyv")).send().await;
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    assert_eq!(faults(&wrong.body), [("/timezone", "unknown_zone")]);
}

#[tokio::test]
async fn a_weekday_is_one_of_the_schedules_own_zone() {
    let bench = Bench::controlled_from("2026-12-31T12:00:00Z", Settings::default()).await;
    for (zone, day, time, expected) in [
        ("America/Los_Angeles", "saturday", "23:30", ["2027-01-03T07:30:00Z", "2027-01-10T07:30:00Z", "2027-01-17T07:30:00Z"]),
        ("Pacific/Auckland", "monday", "06:00", ["2027-01-03T17:00:00Z", "2027-01-10T17:00:00Z", "2027-01-17T17:00:00Z"]),
    ] {
        let id = verified(&bench, &recurring(day, weekly(day, time), zone)).await;
        let all = shown(&bench, &id, "2027-01-01T00:00:00Z", "2027-01-20T00:00:00Z").await;
        assert_eq!(instants(&all), expected, "{zone}");
        for entry in &all {
            let local: chrono::NaiveDateTime = format!("{}:00", entry[1]).parse().unwrap();
            assert_eq!(local.format("%A %H:%M").to_string().to_lowercase(), format!("{day} {time}"));
        }
    }
}

#[tokio::test]
async fn when_it_is_asked_and_in_which_zone_the_session_is_changes_no_occurrence() {
    let bench = Bench::controlled_from("2027-01-04T12:00:00Z", Settings::default()).await;
    let id = verified(&bench, &recurring("saturdays", weekly("saturday", "21:00"), "Europe/Amsterdam")).await;
    let winter = ["2027-01-09T20:00:00Z"];
    let summer = ["2027-07-10T19:00:00Z"];
    for now in ["2027-01-04T12:00:00Z", "2027-07-05T12:00:00Z"] {
        advance_to(&bench, now).await;
        for zone in ["UTC", "Europe/Amsterdam", "America/New_York"] {
            let database = sqlx::query_scalar::<_, String>("select quote_ident(current_database())");
            let database = database.fetch_one(bench.engine.log.pool()).await.unwrap();
            let set = format!("alter database {database} set timezone to '{zone}'");
            sqlx::query(&set).execute(&mut bench.database.owner().await).await.unwrap();
            assert_eq!(
                instants(&shown(&bench, &id, "2027-07-05T00:00:00Z", "2027-07-12T00:00:00Z").await),
                summer,
                "{now} {zone}"
            );
            let preview = json!({"schedule": weekly("saturday", "21:00"), "timezone": "Europe/Amsterdam",
                                 "from": "2027-01-04T00:00:00Z", "to": "2027-01-11T00:00:00Z"});
            let preview = bench.admin("POST", "/occurrences").json(&preview).send().await.is(200);
            assert_eq!(preview["occurrences"][0]["at"], winter[0], "{now} {zone}");
        }
    }
}

#[tokio::test]
async fn an_event_that_has_the_address_of_all_events_is_refused() {
    let bench = Bench::new().await;
    for slug in ["calendar", "series"] {
        let wrong = bench.admin("POST", "").json(&quiet(slug)).send().await.problem(422, "invalid_body");
        assert_eq!(faults(&wrong), [("/slug", "reserved")]);
    }
    let id = bench.create(&quiet("other")).await;
    let copied =
        bench.admin("POST", &format!("/{id}/copy")).json(&json!({"slug": "series"})).send().await.problem(422, "invalid_body");
    assert_eq!(faults(&copied), [("/slug", "reserved")]);
}
