use super::bench::{Bench, error, spawn};
use serde_json::json;

#[tokio::test]
async fn a_repeat_gets_the_original_answer_and_makes_nothing() {
    let mut bench = Bench::new();
    let first = bench.send(spawn("k", 3));
    bench.console("clock +100");
    let mut repeat = bench.send(spawn("k", 3));
    assert_eq!(repeat["replayed"], true);
    repeat.as_object_mut().unwrap().remove("replayed");
    repeat["reqId"] = first["reqId"].clone();
    assert_eq!(repeat, first, "its t too");
    assert_eq!(bench.owned("77"), 3);
    assert_eq!(bench.outcomes("k"), ["applied", "replayed"]);
    assert_eq!(bench.console("status")["idem"], "idem(keys=1 seen=2 replayed=1 busy=0 evicted=0 uncorrelated=0 refused=0)");
}

#[tokio::test]
async fn a_command_without_a_key_runs_each_time() {
    let mut bench = Bench::new();
    for _ in 0..2 {
        assert_eq!(bench.send(json!({"kind": "admin.broadcast", "text": "hail"}))["kind"], "admin.ok");
    }
    assert_eq!(bench.console("status")["broadcasts"], 2);
}

#[tokio::test]
async fn a_refusal_frees_its_key_for_when_waiting_has_mended_it() {
    let mut bench = Bench::new();
    bench.send(spawn("a", 30));
    assert_eq!(error(&bench.send(spawn("b", 1))), ("world.spawn.error", "ceiling_exceeded"));
    assert_eq!(error(&bench.send(spawn("b", 1))), ("world.spawn.error", "ceiling_exceeded"));
    let serial = bench.console("creatures --run 77")["creatures"][0]["serial"].as_str().unwrap().to_owned();
    bench.console(&format!("creature delete {serial}"));
    assert_eq!(bench.send(spawn("b", 1))["kind"], "world.spawn.ok");
    assert_eq!(bench.outcomes("b"), ["refused", "refused", "applied"]);
    let mut bench = bench.restart();
    assert_eq!(bench.send(spawn("b", 1))["replayed"], true, "and the journal knows which of them counted");
}

#[tokio::test]
async fn a_key_belongs_to_one_command() {
    let mut bench = Bench::new();
    bench.send(spawn("k", 3));
    assert_eq!(error(&bench.send(spawn("k", 4))), ("bridge.error", "key_reused"));
    let close = json!({"kind": "run.close", "runId": "77", "fence": 9, "idempotencyKey": "k"});
    assert_eq!(error(&bench.send(close)), ("bridge.error", "key_reused"));
    assert_eq!(bench.send(spawn("k", 3))["replayed"], true, "the key is kept");
    let mut other_claim = spawn("k", 3);
    (other_claim["fence"], other_claim["ttlMs"]) = (json!(9), json!(5));
    assert_eq!(bench.send(other_claim)["replayed"], true, "a new claim of the same order is a repeat");
}

#[tokio::test]
async fn a_repeat_on_another_correlation_field_is_refused() {
    let mut bench = Bench::new();
    bench.send(spawn("k", 3));
    let mut by_id = spawn("k", 3);
    by_id["id"] = "evt-1".into();
    let said = bench.line(by_id.to_string().as_bytes());
    assert_eq!((error(&said[0]), &said[0]["id"]), (("bridge.error", "correlation_changed"), &json!("evt-1")));
}

#[tokio::test]
async fn the_other_correlation_fields_work_alike() {
    let mut bench = Bench::new();
    for (field, key) in [("code", "k1"), ("id", "k2")] {
        let mut command = spawn(key, 1);
        command[field] = "one".into();
        assert_eq!(bench.line(command.to_string().as_bytes())[0][field], "one");
        command[field] = "two".into();
        let said = bench.line(command.to_string().as_bytes());
        assert_eq!((&said[0][field], &said[0]["replayed"]), (&json!("two"), &json!(true)));
    }
}

#[tokio::test]
async fn a_deferred_command_is_busy_until_it_is_done() {
    let mut bench = Bench::new();
    bench.console("fault hold world.spawn");
    let (first, said) = bench.send_all(spawn("k", 3));
    assert!(said.is_empty());
    let busy = bench.send(spawn("k", 3));
    assert_eq!(
        (&busy["kind"], &busy["busyKind"], &busy["error"]),
        (&json!("bridge.busy"), &json!("world.spawn"), &json!("busy"))
    );
    assert_eq!(bench.owned("77"), 0);
    bench.console("fault release");
    let said = bench.said();
    assert_eq!((said.len(), &said[0]["reqId"], &said[0]["kind"]), (1, &json!(first), &json!("world.spawn.ok")));
    assert_eq!(bench.send(spawn("k", 3))["replayed"], true, "a deferred key replays like any other");
    assert_eq!(bench.outcomes("k"), ["busy", "applied", "replayed"]);
}

#[tokio::test]
async fn a_handler_that_fails_keeps_its_key() {
    let mut bench = Bench::new();
    bench.console("fault throw world.spawn");
    assert_eq!(error(&bench.send(spawn("k", 3))), ("bridge.error", "handler_failed"));
    bench.console("fault clear");
    let repeat = bench.send(spawn("k", 3));
    assert_eq!((error(&repeat), &repeat["replayed"]), (("bridge.error", "handler_failed"), &json!(true)));
    assert_eq!(bench.owned("77"), 3, "it failed after its effect, which is why it must not run again");
}

#[tokio::test]
async fn a_handler_that_answers_nothing_gets_a_definite_answer() {
    let mut bench = Bench::new();
    bench.console("fault mute world.spawn");
    assert_eq!(error(&bench.send(spawn("k", 3))), ("bridge.error", "no_reply"));
    assert_eq!(error(&bench.send(spawn("k", 3))), ("bridge.error", "no_reply"));
    assert_eq!(bench.outcomes("k"), ["applied", "replayed"]);
    assert_eq!(bench.console("status")["idempotency"]["uncorrelated"], 1);
}

#[tokio::test]
async fn dropped_answers_are_counted_down_and_the_effect_is_one() {
    let mut bench = Bench::new();
    bench.console("fault drop-ack world.spawn 2");
    assert!(bench.send_all(spawn("k", 3)).1.is_empty());
    assert!(bench.send_all(spawn("k", 3)).1.is_empty());
    assert_eq!(bench.send(spawn("k", 3))["replayed"], true);
    assert_eq!(bench.outcomes("k"), ["applied", "replayed", "replayed"]);
    assert_eq!(bench.owned("77"), 3);
}

#[tokio::test]
async fn a_key_is_forgotten_after_its_hour_and_not_before() {
    let mut bench = Bench::new();
    bench.send(spawn("k", 1));
    bench.console("clock +3590");
    assert_eq!(bench.send(spawn("k", 1))["replayed"], true);
    bench.console("clock +20");
    assert_eq!(bench.send(spawn("k", 1))["replayed"], json!(null));
    assert_eq!(bench.owned("77"), 2);
}

#[tokio::test]
async fn an_answer_outlives_the_world_that_gave_it() {
    let mut bench = Bench::new();
    let first = bench.send(spawn("k", 3));
    let mut bench = bench.restart();
    let repeat = bench.send(spawn("k", 3));
    assert_eq!((&repeat["serials"], &repeat["t"], &repeat["replayed"]), (&first["serials"], &first["t"], &json!(true)));
    assert_eq!(bench.owned("77"), 0, "there was no save");
    let new = bench.send(spawn("l", 3));
    let serials = |answer: &serde_json::Value| answer["serials"].as_array().unwrap().clone();
    assert!(serials(&new).iter().all(|serial| !serials(&first).contains(serial)), "no serial is given out twice");
}

#[tokio::test]
async fn a_command_deferred_over_a_restart_is_interrupted_and_never_runs() {
    let mut bench = Bench::new();
    bench.console("fault hold world.spawn");
    bench.send_all(spawn("k", 3));
    let mut bench = bench.restart();
    for _ in 0..2 {
        assert_eq!(error(&bench.send(spawn("k", 3))), ("bridge.interrupted", "interrupted"));
    }
    assert_eq!((bench.owned("77"), bench.outcomes("k")), (0, vec!["interrupted".to_owned(); 2]));
}
