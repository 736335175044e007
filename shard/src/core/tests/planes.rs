//! Leases of dials and seasons: over restarts, over crashes, and where a value does nothing.

use super::bench::{Bench, error};
use serde_json::{Value, json};

const DIAL: &str = "object:yew-orchard-1.MaxCount";

fn borrow(key: &str, of: &str, value: &str) -> Value {
    json!({"kind": "lease.apply", "key": of, "value": value, "holdMs": 600_000, "untilMs": 0, "runId": "77", "fence": 5, "ttlMs": 30_000,
        "idempotencyKey": key})
}

fn give_back(key: &str, of: &str, applied: &str) -> Value {
    json!({"kind": "lease.release", "key": of, "applied": applied, "runId": "77", "fence": 0, "ttlMs": 30_000, "idempotencyKey": key})
}

fn most(bench: &mut Bench) -> Value {
    bench.console("spawner show yew-orchard-1")["spawners"][0]["dials"]["maxCount"].clone()
}

fn row(bench: &mut Bench, of: &str) -> Value {
    bench.send(json!({"kind": "lease.list", "key": of}))["leases"][0].clone()
}

#[tokio::test]
async fn a_dial_and_its_hold_are_saved_and_its_deadline_goes_on() {
    let mut bench = Bench::new();
    assert_eq!(bench.send(borrow("a", DIAL, "12"))["baseline"], "4");
    bench.console("save");
    bench.console("clock +300");
    let mut bench = bench.restart();
    assert_eq!(most(&mut bench), 12, "a restart does not restore it");
    assert_eq!(
        (&row(&mut bench, DIAL)["held"]["runId"], &row(&mut bench, DIAL)["restartRestores"]),
        (&json!("77"), &json!(false))
    );
    bench.console("clock +299");
    assert_eq!(most(&mut bench), 12);
    bench.console("clock +2");
    assert_eq!(most(&mut bench), 4, "the deadline outlives the process");
    let late = bench.send(give_back("b", DIAL, "12"));
    assert_eq!((&late["alreadyRestored"], &late["reason"]), (&json!(true), &json!("deadline")));
}

#[tokio::test]
async fn a_hold_that_an_older_save_brings_back_is_ended_once_more() {
    for (of, value, at_first) in [
        (DIAL, "12", "4"),
        ("season:HarvestFair.Status", "Active", "Inactive"),
        ("object:yew-orchard-1.Running", "false", "true"),
    ] {
        let mut bench = Bench::new();
        bench.send(borrow("a", of, value));
        bench.console("save");
        assert_eq!(bench.send(give_back("b", of, value))["restored"], true);
        let mut bench = bench.restart();
        assert_eq!(
            (&row(&mut bench, of)["current"], &row(&mut bench, of)["held"]["restored"]),
            (&json!(at_first), &json!(true)),
            "{of}"
        );
        assert_eq!(bench.send(borrow("c", of, value))["baseline"], at_first, "and is free for the next");
        let mut bench = bench.restart();
        assert_eq!(row(&mut bench, of)["current"], at_first, "the next was not saved at all");
    }
}

#[tokio::test]
async fn a_hold_that_was_never_saved_is_gone_with_its_value() {
    let mut bench = Bench::new();
    bench.console("save");
    bench.send(borrow("a", DIAL, "12"));
    let mut bench = bench.restart();
    assert_eq!((most(&mut bench), &row(&mut bench, DIAL)["held"]), (json!(4), &Value::Null));
    assert_eq!(bench.send(give_back("b", DIAL, "12"))["held"], false);
}

#[tokio::test]
async fn what_staff_turned_meanwhile_is_left_over_a_restart_too() {
    let mut bench = Bench::new();
    bench.send(borrow("a", DIAL, "12"));
    bench.console("spawner set yew-orchard-1 MaxCount 20");
    bench.console("save");
    let mut bench = bench.restart();
    let drifted = bench.send(give_back("b", DIAL, "12"));
    assert_eq!((&drifted["kind"], &drifted["current"], most(&mut bench)), (&json!("lease.drifted"), &json!("20"), json!(20)));
    let mut bench = bench.restart();
    assert_eq!(most(&mut bench), 20, "also where the tombstone ends it once more");
}

#[tokio::test]
async fn a_value_that_does_nothing_any_more_is_out_of_the_catalogue_at_the_next_hello_and_is_told() {
    for key in ["PlayerCaps.SkillCap", "object:*.MaxDelay", "season:HarvestFair.Status"] {
        let mut bench = Bench::new();
        bench.hello();
        let listed = |bench: &mut Bench| {
            let rows = bench.console("leases")["leases"].as_array().unwrap().clone();
            let keys = rows.iter().map(|row| row["key"].as_str().unwrap());
            keys.filter(|listed| *listed == key || key.strip_prefix("object:*").is_some_and(|dial| listed.ends_with(dial)))
                .count()
        };
        assert!(listed(&mut bench) > 0, "{key}");
        assert_eq!(bench.console(&format!("fault inert {key}"))["ok"], true);
        bench.core.is_kept(u64::MAX);
        bench.hello();
        assert_eq!(listed(&mut bench), 0, "{key}");
        let told = bench.reports("lease.offer");
        assert_eq!((told.len(), &told[0]["key"], &told[0]["offered"]), (1, &json!(key), &json!(false)));
        let one = key.replace('*', "yew-orchard-1");
        bench.said();
        let refused = bench.send_all(borrow("a", &one, "1")).1.remove(0);
        assert_eq!(error(&refused), ("lease.apply.error", "unknown_lease"), "{key}");
        bench.console(&format!("fault live {key}"));
        bench.hello();
        assert!(listed(&mut bench) > 0, "{key}");
    }
}

#[tokio::test]
async fn a_hold_whose_value_was_withdrawn_still_ends() {
    let mut bench = Bench::new();
    bench.send(borrow("a", DIAL, "12"));
    bench.console("fault inert object:*.MaxCount");
    bench.core.check_what_works();
    assert_eq!(row(&mut bench, DIAL)["held"]["runId"], "77");
    assert_eq!(bench.send(give_back("b", DIAL, "12"))["restored"], true);
    assert_eq!(row(&mut bench, DIAL), Value::Null);
}
