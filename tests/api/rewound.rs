//! An engine whose link has seen more than its log holds: it answers, and does nothing.

use leasehold::api::{Open, role_table};
use leasehold::engine::Fault;
use leasehold::engine::settings::Settings;
use leasehold::log::AppendError;
use leasehold_aggregates::account::Role;
use leasehold_module::{Failure, LastSeen, Mark};
use serde_json::json;
use uuid::Uuid;

use crate::bench::{Bench, events, quiet};

/// The log of the bench, opened with this id, has been longer.
fn longer(position: u64) -> LastSeen {
    LastSeen::Mark(Mark { log: Uuid::from_u128(1).to_string(), position, hash: "5e".repeat(32) })
}

/// A bench with somebody to ask and something to read, and then the way is found to have seen more.
async fn rewound() -> (Bench, String) {
    let away = LastSeen::Unreached(Failure::not_now("not_sent", "it is away"));
    let bench = Bench::behind(away, Open::Closed, Settings::default()).await;
    let id = bench.create(&quiet("quiet")).await;
    bench.engine.look_for_rewinds().await.unwrap();
    assert!(!bench.engine.is_read_only(), "a way that is away says nothing");
    *bench.seen.lock().unwrap() = longer(4_711);
    bench.engine.look_for_rewinds().await.unwrap();
    (bench, id)
}

#[tokio::test]
async fn every_route_that_writes_says_what_was_found_and_what_now() {
    let (bench, id) = rewound().await;
    let head = bench.head().await;
    let mut refused = 0;
    for line in role_table().lines().skip(1) {
        let (method, path) = line.split_once(char::is_whitespace).unwrap();
        let path = path.split_whitespace().next().unwrap().replace("{id}", &id).replace("{stepId}", "cue");
        // Links carry what was on its way, and write nothing down here.
        let of_links = path.starts_with("/api/v1/link/");
        if method == "GET" || of_links || [events("/occurrences"), events("/price")].contains(&path) {
            continue;
        }
        let answer = bench.call(method, &path).by(bench.person(Role::Admin)).json(&json!({})).send().await;
        let problem = answer.problem(503, "read_only_rewound");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("position 4711") && detail.contains("--accept-rewind"), "{method} {path}: {detail}");
        assert_eq!(
            (&problem["rewound"][0]["cause"], &problem["rewound"][0]["head"]["position"]),
            (&json!("behind"), &json!(head))
        );
        refused += 1;
    }
    assert!(refused >= 8, "{refused} routes write");
    assert_eq!(bench.head().await, head);
    bench.call("POST", &events("/runs/x/cancel")).send().await.problem(401, "unauthorized");
}

#[tokio::test]
async fn what_only_reads_or_calculates_goes_on() {
    let (bench, id) = rewound().await;
    bench.admin("GET", &format!("/{id}")).send().await.is(200);
    let body = json!({"schedule": {"kind": "once", "at": "2027-03-28T20:00"}, "timezone": "UTC", "from": "2027-03-01T00:00:00Z", "to": "2027-04-01T00:00:00Z"});
    bench.admin("POST", "/occurrences").json(&body).send().await.is(200);
    let ready = bench.call("GET", "/readyz").send().await.is(503);
    assert_eq!((&ready["status"], &ready["rewound"][0]["scope"]), (&json!("read_only"), &json!("main")));
    bench.call("GET", "/healthz").send().await.is(200);
}

#[tokio::test]
async fn nothing_is_appended_past_the_interface_either() {
    let (bench, _) = rewound().await;
    let act = bench.act().await;
    let refused = bench.engine.add_account(&act, "Somebody late", Role::Editor).await.unwrap_err();
    assert!(matches!(refused, Fault::Append(AppendError::HeldBack)), "{refused:?}");
}
