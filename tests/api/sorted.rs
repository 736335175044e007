//! Lists of runs in an order, while runs come and go between the pages.

use serde_json::{Value, json};
use std::collections::BTreeMap;

use crate::bench::{Bench, faults, quiet};

const LIST: u64 = 120;

fn id(nth: u64) -> String {
    format!("00000000-0000-4000-8000-{nth:012}")
}

/// Appends the beginning of a run as whoever has the database may, due at this second of one morning.
pub async fn scheduled(bench: &Bench, run: &str, definition: &str, second: u64, concurrency_key: Option<&str>) -> u64 {
    let at = format!("2031-01-15T{:02}:{:02}:{:02}Z", 8 + second / 3600, second / 60 % 60, second % 60);
    let payload = json!({"type": "run_scheduled", "at": "2031-01-01T00:00:00Z", "run": {
        "run_id": run, "definition_id": definition, "definition_version": 1, "title": "Quiet", "scope": "main", "slot": null,
        "generation": 0, "scheduled_for": at, "timezone": "UTC", "dst_adjusted": null, "grace_seconds": 900,
        "concurrency_key": concurrency_key, "rehearsal": false, "params": {}, "plan": {"phases": []}}});
    bench.raw_event("run", run, "run_scheduled", "1", &payload.to_string()).await
}

async fn ended(bench: &Bench, run: &str) -> u64 {
    let payload = json!({"type": "run_cancelled", "at": "2031-01-02T00:00:00Z", "cleanup": true, "note": null});
    bench.raw_event("run", run, "run_cancelled", "1", &payload.to_string()).await
}

async fn repinned(bench: &Bench, run: &str, definition: &str, second: u64) -> u64 {
    let mut payload: Value = sqlx::query_scalar("select payload from events where aggregate_id = $1 and sequence = 1")
        .bind(run)
        .fetch_one(bench.engine.log.pool())
        .await
        .unwrap();
    payload["type"] = json!("run_repinned");
    payload["run"]["scheduled_for"] = json!(format!("2031-01-15T00:00:{second:02}Z"));
    payload["run"]["definition_id"] = json!(definition);
    bench.raw_event("run", run, "run_repinned", "1", &payload.to_string()).await
}

/// 120 runs of one second, in pages of 25; between any two pages ten come, five end and five move to another second (field report A05).
#[tokio::test]
async fn the_pages_hold_every_run_of_the_first_pages_moment_once() {
    for sort in ["scheduledFor", "-scheduledFor", "status", "-status"] {
        let bench = Bench::new().await;
        let definition = bench.publish(&quiet("quiet")).await;
        let mut position = 0;
        for nth in 0..LIST {
            position = scheduled(&bench, &id(nth), &definition, 0, None).await;
            if nth % 3 == 0 {
                position = ended(&bench, &id(nth)).await;
            }
        }
        let (mut seen, mut token, mut page) = (BTreeMap::new(), String::new(), 0);
        loop {
            let path = format!("/runs?sort={sort}&limit=25&minPosition={position}{token}");
            let answer = bench.admin("GET", &path).send().await.is(200);
            let items = answer["items"].as_array().unwrap();
            assert!(items.len() == 25 || answer["nextPageToken"].is_null(), "{sort}: a page of {}", items.len());
            for item in items {
                *seen.entry(item["id"].as_str().unwrap().to_owned()).or_insert(0) += 1;
            }
            let Some(next) = answer["nextPageToken"].as_str() else { break };
            token = format!("&pageToken={next}");
            for nth in 0..10 {
                scheduled(&bench, &id(1_000 + page * 10 + nth), &definition, nth % 2, None).await;
            }
            for nth in 0..5 {
                ended(&bench, &id(page * 15 + nth * 3 + 1)).await;
                position = repinned(&bench, &id(page * 15 + nth * 3 + 2), &definition, nth).await;
            }
            page += 1;
        }
        let all: BTreeMap<String, i32> = (0..LIST).map(|nth| (id(nth), 1)).collect();
        assert_eq!(seen, all, "{sort}");
    }
}

#[tokio::test]
async fn a_list_is_in_the_order_asked_for_and_narrowed_by_every_word() {
    let bench = Bench::new().await;
    let (one, other) = (bench.publish(&quiet("one")).await, bench.publish(&quiet("other")).await);
    let mut position = 0;
    for nth in 0..6 {
        position = scheduled(&bench, &id(nth), if nth % 2 == 0 { &one } else { &other }, 10 - nth, None).await;
    }
    position = position.max(ended(&bench, &id(2)).await);
    let ids = async |query: &str| {
        let list = bench.admin("GET", &format!("/runs?minPosition={position}&{query}")).send().await.is(200);
        let of = |item: &Value| item["id"].as_str().unwrap()[24..].trim_start_matches('0').parse::<u64>().unwrap_or(0);
        list["items"].as_array().unwrap().iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(ids("").await, [0, 1, 2, 3, 4, 5], "the latest due first");
    assert_eq!(ids("sort=-scheduledFor").await, [0, 1, 2, 3, 4, 5]);
    assert_eq!(ids("sort=scheduledFor").await, [5, 4, 3, 2, 1, 0]);
    assert_eq!(ids("sort=status").await, [2, 5, 4, 3, 1, 0]);
    assert_eq!(ids("sort=-status").await, [0, 1, 3, 4, 5, 2]);
    assert_eq!(ids("status=cancelled").await, [2]);
    assert_eq!(ids(&format!("definitionId={one}")).await, [0, 2, 4]);
    assert_eq!(ids("health=ok&cleanupStatus=not_required&limit=2").await, [0, 1]);
    assert_eq!(ids("health=degraded,stalled").await, [0; 0]);
    assert_eq!(ids("cleanupStatus=incomplete").await, [0; 0]);
    assert_eq!(ids("from=2031-01-15T08:00:06Z&to=2031-01-15T08:00:09Z").await, [2, 3, 4]);
}

#[tokio::test]
async fn a_token_is_of_its_order_alone() {
    let bench = Bench::new().await;
    let definition = bench.publish(&quiet("quiet")).await;
    let mut position = 0;
    for nth in 0..2 {
        position = scheduled(&bench, &id(nth), &definition, nth, None).await;
    }
    let page = bench.admin("GET", &format!("/runs?limit=1&sort=status&minPosition={position}")).send().await.is(200);
    let token = page["nextPageToken"].as_str().unwrap();
    for (query, pointer, code) in [
        (format!("pageToken={token}"), "?pageToken", "bad_page_token"),
        ("sort=colour".into(), "?sort", "not_a_choice"),
        ("sort=".into(), "?sort", "not_a_choice"),
        ("health=ok,odd".into(), "?health", "not_a_choice"),
        ("cleanupStatus=gone".into(), "?cleanupStatus", "not_a_choice"),
    ] {
        let problem = bench.admin("GET", &format!("/runs?{query}")).send().await.problem(422, "invalid_body");
        assert_eq!(faults(&problem), [(pointer, code)], "{query}");
    }
}
