use super::bench::{Bench, apply, error, release};
use serde_json::{Value, json};

fn rows(bench: &mut Bench, outcome: &str) -> Vec<Value> {
    let rows = bench.console("audit")["rows"].as_array().unwrap().clone();
    rows.into_iter().filter(|row| row["outcome"] == outcome).collect()
}

#[tokio::test]
async fn the_value_is_there_for_an_independent_reader_and_gone_after() {
    let mut bench = Bench::new();
    let applied = bench.send(apply("a", "77", 600_000));
    assert_eq!(
        (&applied["kind"], &applied["baseline"], &applied["applied"]),
        (&json!("lease.ok"), &json!("1000"), &json!("1200"))
    );
    assert_eq!(bench.console("player create During")["skillCap"], 1200);
    let released = bench.send(release("b", "77"));
    assert_eq!((&released["restored"], &released["current"]), (&json!(true), &json!("1000")));
    assert_eq!(bench.console("player create After")["skillCap"], 1000);
    let restored = rows(&mut bench, "restored");
    assert_eq!((restored.len(), &restored[0]["to"], &restored[0]["key"]), (1, &json!("1000"), &json!("b")));
    assert_eq!(bench.outcomes("b"), ["applied", "restored"]);
}

#[tokio::test]
async fn a_lost_answer_does_not_make_the_applied_value_the_baseline() {
    let mut bench = Bench::new();
    bench.console("fault drop-ack lease.apply");
    assert!(bench.send_all(apply("a", "77", 600_000)).1.is_empty());
    assert_eq!(bench.send(apply("a", "77", 600_000))["baseline"], "1000");
    let another_key = bench.send(apply("b", "77", 600_000));
    assert_eq!((error(&another_key).1, &another_key["holder"]), ("held", &json!("77")));
    assert_eq!(bench.outcomes("a"), ["applied", "replayed"]);
}

#[tokio::test]
async fn the_deadline_needs_nobody_and_the_late_release_writes_nothing() {
    let mut bench = Bench::new();
    bench.send(apply("a", "77", 600_000));
    bench.console("clock +590");
    assert_eq!(bench.console("config get PlayerCaps.SkillCap")["value"], "1200");
    bench.console("clock +15");
    assert_eq!(bench.console("config get PlayerCaps.SkillCap")["value"], "1000");
    let leases = bench.send(json!({"kind": "lease.list", "key": "PlayerCaps.SkillCap"}))["leases"].clone();
    assert_eq!((&leases[0]["held"]["expired"], &leases[0]["held"]["restored"]), (&json!(true), &json!(true)));
    let late = bench.send(release("b", "77"));
    assert_eq!((&late["alreadyRestored"], &late["reason"], &late["current"]), (&json!(true), &json!("deadline"), &json!("1000")));
    assert_eq!((rows(&mut bench, "expired").len(), rows(&mut bench, "restored").len()), (1, 1));
}

#[tokio::test]
async fn what_staff_moved_is_left_by_release_and_by_deadline() {
    let mut bench = Bench::new();
    bench.send(apply("a", "77", 600_000));
    bench.console("config set PlayerCaps.SkillCap 1350");
    let drifted = bench.send(release("b", "77"));
    assert_eq!(
        (&drifted["kind"], &drifted["current"], &drifted["baseline"]),
        (&json!("lease.drifted"), &json!("1350"), &json!("1000"))
    );
    assert_eq!(bench.send(apply("c", "78", 1_000))["baseline"], "1350");
    bench.console("config set PlayerCaps.SkillCap 1300");
    bench.console("clock +2");
    assert_eq!(bench.console("config get PlayerCaps.SkillCap")["value"], "1300");
    assert_eq!((rows(&mut bench, "restored").len(), rows(&mut bench, "drifted").len()), (0, 2));
    assert_eq!(rows(&mut bench, "staff").len(), 3, "two settings and one move of the clock");
}

#[tokio::test]
async fn a_restart_restores_and_forgets_the_hold() {
    let mut bench = Bench::new();
    bench.send(apply("a", "77", 600_000));
    bench.console("save");
    let mut bench = bench.restart();
    assert_eq!(bench.console("config get PlayerCaps.SkillCap")["value"], "1000");
    let row = bench.send(json!({"kind": "lease.list", "key": "PlayerCaps.SkillCap"}))["leases"][0].clone();
    let wanted = json!({"key": "PlayerCaps.SkillCap", "plane": "config", "restartRestores": true, "type": "int", "current": "1000", "default": "1000", "min": "100", "max": "1200",
        "maxHoldMs": 86_400_000, "reaches": "new_joins"});
    assert_eq!(row, wanted, "without a hold");
    let late = bench.send(release("b", "77"));
    assert_eq!((&late["held"], &late["current"]), (&json!(false), &json!("1000")));
    assert_eq!(bench.send(apply("a", "77", 600_000))["replayed"], true, "the old order is not carried out again");
    assert_eq!(bench.console("config get PlayerCaps.SkillCap")["value"], "1000");
}
