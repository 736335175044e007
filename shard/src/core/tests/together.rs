//! Commands that wait together share their flushes; what comes of each is what would have come of it alone.

use super::bench::{Bench, close, error, spawn};
use serde_json::{Value, json};

fn with(mut command: Value, field: &str, value: Value) -> Value {
    command[field] = value;
    command
}

/// Everything that may hang on what came just before: repeats, closes, other claims, undos, looks, ceilings, refusals.
fn orders() -> Vec<Value> {
    let other_run = with(spawn("f", 1), "runId", json!("78"));
    vec![
        spawn("a", 2),
        spawn("b", 29),
        spawn("a", 2),
        spawn("a", 3),
        with(spawn("c", 28), "fence", json!(6)),
        spawn("d", 1),
        json!({"kind": "world.despawn", "forKey": "a", "runId": "77", "fence": 0, "ttlMs": 30_000, "idempotencyKey": "u"}),
        with(spawn("e", 2), "fence", json!(6)),
        json!({"kind": "lease.list", "key": "PlayerCaps.SkillCap"}),
        with(close(6), "idempotencyKey", json!("z")),
        with(spawn("g", 1), "fence", json!(6)),
        other_run.clone(),
        close(6),
        with(close(6), "idempotencyKey", json!("z")),
        other_run,
        json!({"kind": "world.save", "runId": "78", "fence": 5, "ttlMs": 30_000, "idempotencyKey": "s"}),
        json!({"kind": "no.such.kind"}),
    ]
}

#[tokio::test]
async fn what_comes_of_commands_does_not_hang_on_which_come_together() {
    let (mut alone, mut together) = (Bench::new(), Bench::new());
    let orders = orders();
    let said_alone: Vec<Value> = orders.iter().flat_map(|order| alone.send_all(order.clone()).1).collect();
    let mut said_together = together.send_together(&orders);
    let number = |answer: &Value| answer["reqId"].as_str().unwrap()[2..].parse::<u32>().unwrap();
    said_together.sort_by_key(number);
    assert_eq!(said_alone.len(), orders.len());
    let without_time = |said: &[Value]| said.iter().map(|answer| with(answer.clone(), "t", json!(0))).collect::<Vec<_>>();
    assert_eq!(without_time(&said_together), without_time(&said_alone));
    assert_eq!((alone.owned("77"), alone.owned("78")), (together.owned("77"), together.owned("78")));
    for key in ["a", "b", "c", "d", "e", "f", "g", "s", "u", "z"] {
        assert_eq!(together.outcomes(key), alone.outcomes(key), "{key}");
    }
    let mut again = together.restart();
    assert_eq!(again.send(spawn("a", 2))["replayed"], true);
    assert_eq!(error(&again.send(with(spawn("h", 1), "fence", json!(6)))), ("world.spawn.error", "run_closed"));
}

/// The process ends at every point between the receipt of three commands and their answers.
#[tokio::test]
async fn a_crash_on_the_way_leaves_each_key_fresh_with_nothing_done_or_begun_and_never_run_again() {
    let three = [spawn("a", 1), spawn("b", 1), spawn("c", 1)];
    let mut bench = Bench::new();
    bench.receive_together(&three);
    let mut bench = bench.restart();
    assert_eq!(bench.outcomes("a"), [""; 0], "no key of them was on the disk, and none had run");
    assert_eq!(bench.send_together(&three).iter().filter(|answer| answer["kind"] == "world.spawn.ok").count(), 3);

    let mut bench = Bench::new();
    bench.receive_together(&three);
    bench.core.run_begun().unwrap();
    assert!(bench.said().is_empty(), "nobody is answered before the answer is on the disk");
    let mut bench = bench.restart();
    for order in &three {
        assert_eq!(error(&bench.send(order.clone())), ("bridge.interrupted", "interrupted"));
    }
    assert_eq!(bench.outcomes("a"), ["interrupted"], "what ran and was not saved nor put down is lost with its world");

    let mut bench = Bench::new();
    bench.send_together(&three);
    let trail = bench.directory().join("audit.jsonl");
    let whole = std::fs::read_to_string(&trail).unwrap();
    let last = whole.trim_end().rfind('\n').unwrap();
    std::fs::write(&trail, &whole[..last / 2]).unwrap();
    let mut bench = bench.restart();
    assert!(three.iter().all(|order| bench.send(order.clone())["replayed"] == true));
    assert_eq!(bench.outcomes("c"), ["applied", "replayed"], "rows that the trail lost are taken in from the journal");
}

/// Two hundred spawns of thirty each need more serials than are reserved at a time.
#[tokio::test]
async fn there_is_a_serial_for_everything_that_commands_together_make() {
    let mut bench = Bench::new();
    let order = |run: usize| with(spawn(&format!("k-{run}"), 30), "runId", json!(format!("r-{run}")));
    let said = bench.send_together(&(0..200).map(order).collect::<Vec<_>>());
    let serials = said.iter().flat_map(|answer| answer["serials"].as_array().unwrap().clone());
    let each: std::collections::BTreeSet<String> = serials.map(|serial| serial.as_str().unwrap().to_owned()).collect();
    assert_eq!(each.len(), 6_000);
    assert_eq!(each.iter().filter(|serial| *serial == "0x0").count(), 0);
}
