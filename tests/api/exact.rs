//! What somebody wrote comes back as it was: long texts, large numbers, instants.

use std::collections::BTreeSet;

use leasehold::engine::stories::Until;
use leasehold::log::{Append, NewEvent, StreamId, StreamWrite};
use leasehold_aggregates::account::Role;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::bench::{Bench, quiet};
use crate::runs::until;

#[tokio::test]
async fn a_long_storyline_is_one_event_and_comes_back_byte_for_byte() {
    let bench = Bench::new().await;
    for bytes in [7_900, 8_000, 9_000, 200_000] {
        let storyline = "é".repeat(bytes / 2);
        let mut body = quiet(&format!("long-{bytes}"));
        body["storyline"] = json!(storyline);
        let before = bench.head().await;
        let id = bench.publish(&body).await;
        let read = bench.admin("GET", &format!("/{id}")).send().await.is(200);
        assert!(read["draft"]["storyline"] == storyline || read["storyline"] == storyline, "{bytes}");
        let written = bench.engine.log.read_after(Some(before), 100).await.unwrap();
        let published: Vec<_> = written.iter().filter(|event| event.event_type == "definition_published").collect();
        assert_eq!(published.len(), 1);
        assert_eq!(published[0].payload["content"]["storyline"], storyline);
    }
    let mut body = quiet("too-long");
    body["storyline"] = json!("é".repeat(200_001));
    let before = bench.head().await;
    let refused = bench.admin("POST", "").json(&body).send().await.problem(422, "invalid_body");
    assert_eq!(refused["errors"][0]["pointer"], "/storyline");
    assert!(refused["errors"][0]["detail"].as_str().unwrap().contains("200000"), "{refused}");
    assert_eq!(bench.head().await, before);
}

#[tokio::test]
async fn numbers_keep_every_digit_from_the_body_to_the_rows() {
    let bench = Bench::new().await;
    let mut body = quiet("exact");
    body["spec"]["params"] = json!([
        {"name": "large", "type": "int", "required": true, "default": 9_007_199_254_740_993_i64},
        {"name": "tenth", "type": "float", "required": true, "default": "0.1"},
        {"name": "long", "type": "float", "required": true, "default": "12345.6789"},
        {"name": "seven", "type": "float", "required": true, "default": 1.000_000_1},
        {"name": "id", "type": "string", "required": true, "default": "76561198000000003"},
    ]);
    let definition = bench.publish(&body).await;
    let answer = bench.admin("POST", &format!("/{definition}/runs")).send().await;
    let run = answer.body["id"].as_str().unwrap().to_owned();
    let head = bench.head().await;
    let digits = ["9007199254740993", "0.1", "12345.6789", "1.0000001", "76561198000000003"];
    let exact = |what: &str, text: &str| {
        for number in digits {
            assert!(text.contains(number), "{what} lacks {number}: {text}");
        }
        assert!(!text.contains("9007199254740992") && !text.contains("0.10000000000000000"), "{what}: {text}");
    };
    exact("the run", &bench.admin("GET", &format!("/runs/{run}")).send().await.text);
    exact("the list", &bench.admin("GET", &format!("/runs?minPosition={head}")).send().await.text);
    let events =
        "select string_agg(payload::text, ' ') from events where aggregate_type = 'run' and event_type = 'run_scheduled'";
    let rows = "select string_agg(params::text, ' ') from projections.runs_v2_g1";
    for (what, query) in [("the log", events), ("the row", rows)] {
        let text: String = sqlx::query_scalar(query).fetch_one(bench.engine.log.pool()).await.unwrap();
        exact(what, &text);
    }
    let told = bench.engine.stories().await.unwrap().story(&run, Until::Now).await.unwrap();
    exact("the story", &serde_json::to_string(&told).unwrap());
}

#[tokio::test]
async fn a_number_that_would_be_rounded_is_refused_where_it_stands() {
    let bench = Bench::new().await;
    for rounded in ["9007199254740993.0", "0.1000000000000000055", "123456789012345678901234567890"] {
        let mut body = quiet("rounded");
        body["spec"]["params"] = json!([{"name": "n", "type": "float", "required": true, "default": "PUT"}]);
        let text = body.to_string().replace("\"PUT\"", rounded);
        let refused = bench.admin("POST", "").raw(text).send().await.problem(400, "bad_json");
        assert_eq!(refused["pointer"], "/spec/params/0/default", "{rounded}");
    }
}

#[tokio::test]
async fn three_hundred_events_of_one_instant_are_read_by_pages_each_once() {
    let bench = Bench::new().await;
    let before = bench.head().await;
    let event = |number: u32| NewEvent {
        event_type: "lamp_lit".into(),
        event_version: "1".into(),
        payload: json!({"type": "lamp_lit", "number": number}),
    };
    let stream = StreamId::new("lamp", "crowded");
    let writes = vec![StreamWrite { stream, expected: 0, events: (0..300).map(event).collect() }];
    bench.engine.log.append(Append { writes, ..Append::of(Uuid::from_u128(0x300)) }).await.unwrap();
    let (mut seen, mut instants, mut after) = (Vec::new(), BTreeSet::new(), before);
    let admin = bench.person(Role::Admin);
    loop {
        let path = format!("/api/v1/admin/log?after={after}&limit=50");
        let page = bench.call("GET", &path).by(admin).send().await.is(200);
        let items = page["items"].as_array().unwrap();
        let Some(last) = items.last() else { break };
        after = last["position"].as_u64().unwrap();
        let crowd = items.iter().filter(|item| item["stream"] == "lamp/crowded");
        for item in crowd {
            seen.push(item["payload"]["number"].as_u64().unwrap());
            instants.insert(item["recordedAt"].as_str().unwrap().to_owned());
        }
    }
    assert_eq!(seen, (0..300).collect::<Vec<u64>>());
    assert_eq!(instants.len(), 1);
}

#[tokio::test]
async fn an_instant_that_was_read_and_is_sent_back_is_the_same() {
    let bench = Bench::new().await;
    let definition = bench.publish(&quiet("instants")).await;
    let run = bench.admin("POST", &format!("/{definition}/runs")).send().await.is(201)["id"].as_str().unwrap().to_owned();
    until(&bench, &run, |run| run["waitingSteps"] == 1).await;
    let log = bench.admin("GET", &format!("/runs/{run}/log")).send().await.is(200);
    let lines = log["items"].as_array().unwrap();
    let read: Vec<(u64, &str)> =
        lines.iter().map(|line| (line["position"].as_u64().unwrap(), line["at"].as_str().unwrap())).collect();
    for (_, at) in &read {
        let instant: chrono::DateTime<chrono::Utc> = at.parse().unwrap();
        let stories = bench.engine.stories().await.unwrap();
        let upto = |at| stories.story(&run, Until::Instant(at));
        let expected = read.iter().filter(|(_, other)| other.parse::<chrono::DateTime<chrono::Utc>>().unwrap() <= instant);
        let told = upto(instant).await.unwrap();
        assert_eq!(told.lines.len(), expected.count(), "{at} takes in what happened at that very microsecond");
        assert!(told.lines.iter().all(|line| line.at <= instant));
        let just_before = upto(instant - chrono::TimeDelta::microseconds(1)).await;
        assert!(just_before.is_err() || just_before.unwrap().lines.iter().all(|line| line.at < instant), "{at}");
    }
    let stored: Vec<Value> = sqlx::query_scalar("select to_json(metadata ->> 'at') from events where aggregate_id = $1")
        .bind(&run)
        .fetch_all(bench.engine.log.pool())
        .await
        .unwrap();
    assert!(stored.iter().all(|at| at.as_str().unwrap().len() == "2027-01-15T08:00:00.000001Z".len()), "{stored:?}");
}
