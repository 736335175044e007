//! Lists: in pages, and never behind a write that the caller has seen.

use leasehold_aggregates::account::Role;
use serde_json::{Value, json};
use sqlx::Executor;

use crate::bench::{Bench, faults, quiet};

#[tokio::test]
async fn a_list_contains_what_the_caller_wrote_and_pages_repeat_nothing() {
    let bench = Bench::new().await;
    let mut position = Value::Null;
    for slug in ["c", "a", "b"] {
        position = bench.admin("POST", "").json(&quiet(slug)).send().await.is(201)["position"].clone();
    }
    let list = bench.admin("GET", &format!("?minPosition={position}")).send().await.is(200);
    let slugs = |list: &Value| list["items"].as_array().unwrap().iter().map(|row| row["slug"].clone()).collect::<Vec<_>>();
    assert_eq!(slugs(&list), ["a", "b", "c"]);
    assert_eq!((&list["items"][0]["state"], &list["items"][0]["title"]), (&json!("draft"), &json!("Quiet")));
    let page = bench.admin("GET", "?limit=2").send().await.is(200);
    assert_eq!(slugs(&page), ["a", "b"]);
    let token = page["nextPageToken"].as_str().unwrap();
    let rest = bench.admin("GET", &format!("?limit=2&pageToken={token}")).send().await.is(200);
    assert_eq!((slugs(&rest), &rest["nextPageToken"]), (vec![json!("c")], &Value::Null));
    assert_eq!(slugs(&bench.admin("GET", "?state=ready,archived").send().await.is(200)), Vec::<Value>::new());
}

#[tokio::test]
async fn runs_are_listed_by_what_is_asked() {
    let bench = Bench::new().await;
    let id = bench.publish(&quiet("quiet")).await;
    let run = bench.admin("POST", &format!("/{id}/runs")).send().await.is(201);
    let at = &run["position"];
    let list = bench.admin("GET", &format!("/runs?minPosition={at}&definitionId={id}")).send().await.is(200);
    assert_eq!((&list["items"][0]["id"], &list["items"][0]["slug"]), (&run["id"], &json!("quiet")));
    for none in ["status=missed", "scope=elsewhere", "to=2001-01-01T00:00:00Z", "definitionId=x"] {
        let list = bench.admin("GET", &format!("/runs?{none}")).send().await.is(200);
        assert_eq!(list, json!({"items": [], "nextPageToken": null}), "{none}");
    }
}

#[tokio::test]
async fn what_a_list_does_not_know_is_refused_by_name() {
    let bench = Bench::new().await;
    for (path, pointer, code) in [
        ("?colour=red", "?colour", "unknown_field"),
        ("?limit=0", "?limit", "out_of_range"),
        ("?limit=many", "?limit", "wrong_type"),
        ("?limit=1&limit=2", "?limit", "not_unique"),
        ("?pageToken=zzz", "?pageToken", "bad_page_token"),
        ("?state=asleep", "?state", "not_a_choice"),
        ("?category=%00", "?category", "wrong_characters"),
        ("/runs?status=", "?status", "not_a_choice"),
        ("/runs?from=yesterday", "?from", "wrong_value"),
        ("/runs?pageToken=00", "?pageToken", "bad_page_token"),
        ("/actions?q=x", "?q", "unknown_field"),
        ("/catalog?q=x", "?q", "unknown_field"),
    ] {
        let problem = bench.admin("GET", path).send().await.problem(422, "invalid_body");
        assert_eq!(faults(&problem), [(pointer, code)], "{path}");
    }
}

#[tokio::test]
async fn the_log_is_read_from_a_position_on() {
    let bench = Bench::new().await;
    let admin = bench.person(leasehold_aggregates::account::Role::Admin);
    let read = |query: &str| bench.call("GET", &format!("/api/v1/admin/log{query}")).by(admin).send();
    let all = read("").await.is(200);
    assert_eq!((&all["items"][0]["stream"], &all["items"][0]["type"]), (&json!("log/genesis"), &json!("log_opened")));
    assert_eq!(all["head"], bench.head().await);
    let some = read("?after=0&limit=2").await.is(200);
    let positions: Vec<_> = some["items"].as_array().unwrap().iter().map(|event| &event["position"]).collect();
    assert_eq!(positions, [&json!(1), &json!(2)]);
    assert_eq!(read("?after=9223372036854775807").await.is(200)["items"], json!([]));
    read("?after=9223372036854775808").await.problem(422, "invalid_body");
    assert!(!all.to_string().contains("Somebody, admin"), "names are no part of the log");
}

/// 300 events within one millisecond: a reader that goes on from the last position it got sees each of them once, and an
/// instant that is read compares equal when it comes back.
#[tokio::test]
async fn the_log_is_paged_by_position_and_tells_every_microsecond() {
    let bench = Bench::new().await;
    let start = bench.head().await;
    let mut owner = bench.database.owner().await;
    let burst = "insert into events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
                 select 'lamp', 'burst', n, 'lamp_lit', '1', '{\"type\": \"lamp_lit\"}', '{}' from generate_series(1, 300) n";
    owner.execute(burst).await.unwrap();
    let (mut after, mut seen) = (start, Vec::new());
    loop {
        let page = bench
            .call("GET", &format!("/api/v1/admin/log?after={after}&limit=50"))
            .by(bench.person(Role::Admin))
            .send()
            .await
            .is(200);
        let items = page["items"].as_array().unwrap().clone();
        let Some(last) = items.last() else { break };
        after = last["position"].as_u64().unwrap();
        seen.extend(items);
    }
    let positions: Vec<u64> = seen.iter().map(|item| item["position"].as_u64().unwrap()).collect();
    assert_eq!(positions, (start + 1..=start + 300).collect::<Vec<_>>());
    for item in seen {
        let told: chrono::DateTime<chrono::Utc> = item["recordedAt"].as_str().unwrap().parse().unwrap();
        let same: bool = sqlx::query_scalar("select recorded_at = $2 from events where position = $1")
            .bind(item["position"].as_i64().unwrap())
            .bind(told)
            .fetch_one(&mut owner)
            .await
            .unwrap();
        assert!(same, "{item}");
    }
}

/// Whatever a read is told from, it waits for the position that is asked for, and says so where that does not come.
#[tokio::test]
async fn every_read_takes_a_position_and_none_hangs_on_one_that_is_far_ahead() {
    let bench = Bench::new().await;
    let id = bench.publish(&quiet("waits")).await;
    let head = bench.engine.log.head().await.unwrap().unwrap().position;
    let run =
        bench.admin("POST", &format!("/{id}/runs")).json(&json!({})).send().await.is(201)["id"].as_str().unwrap().to_owned();
    let own = [String::new(), format!("/{id}"), format!("/{id}/versions"), "/runs".into(), format!("/runs/{run}")];
    let catalog = ["/actions".to_owned(), "/catalog".into(), "/catalog/options/demo.places".into(), format!("/runs/{run}/log")];
    let events = own.into_iter().chain(catalog).map(|path| format!("/api/v1/admin/events{path}"));
    let others = ["/api/v1/me", "/api/v1/admin/settings", "/api/v1/admin/log"].map(str::to_owned);
    let paths: Vec<String> = events.chain(others).collect();
    let asked = paths.iter().map(async |path| {
        let by = bench.person(Role::Admin);
        bench.call("GET", &format!("{path}?minPosition={head}")).by(by).send().await.is(200);
        let odd = bench.call("GET", &format!("{path}?minPosition=-1")).by(by).send().await.is(422);
        assert_eq!(odd["errors"][0]["pointer"], "?minPosition", "{path}");
        let far = bench.call("GET", &format!("{path}?minPosition={}", head + 1_000_000)).by(by).send().await.is(503);
        assert_eq!(far["code"], "not_yet", "{path}");
        assert!(far["stands"].as_u64().unwrap() >= head, "{path}: {far}");
    });
    futures::future::join_all(asked).await;
}
