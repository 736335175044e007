use super::bench::{Bench, apply, close, error, release, spawn};
use leasehold_link::wire::Line;
use serde_json::{Value, json};

#[tokio::test]
async fn both_consents_are_off_until_given() {
    let mut bench = Bench::with_consents(false, false);
    let commands = [spawn("k", 1), apply("l", "77", 1), release("m", "77"), close(1), json!({"kind": "lease.list"})];
    for command in commands {
        let answer = bench.send(command.clone());
        assert_eq!(error(&answer).1, "events_disabled", "{command}");
        assert_eq!(answer["kind"], format!("{}.error", command["kind"].as_str().unwrap()));
    }
    let said = json!({"kind": "admin.broadcast", "text": "hail"});
    assert_eq!(error(&bench.send(said.clone())), ("admin.broadcast.error", "admin_disabled"));
    let mut bench = Bench::with_consents(false, true);
    assert_eq!(bench.send(said)["kind"], "admin.ok", "one consent is not the other");
    assert_eq!(error(&bench.send(spawn("k", 1))).1, "events_disabled");
}

#[tokio::test]
async fn an_answer_that_was_given_is_given_again_also_without_consent() {
    let mut bench = Bench::new();
    bench.send(spawn("k", 1));
    bench.core.game.rules.events_enabled = false;
    assert_eq!(bench.send(spawn("k", 1))["replayed"], true, "a refusal would say that nothing had happened");
    assert_eq!(error(&bench.send(spawn("l", 1))).1, "events_disabled");
}

#[tokio::test]
async fn an_older_claim_is_stale_also_after_a_restart() {
    let mut bench = Bench::new();
    bench.send(spawn("k", 1));
    let older = |key: &str| {
        let mut command = spawn(key, 1);
        command["fence"] = 4.into();
        command
    };
    assert_eq!(error(&bench.send(older("l"))).1, "stale_fence");
    let mut bench = bench.restart();
    assert_eq!(error(&bench.send(older("l"))).1, "stale_fence");
}

#[tokio::test]
async fn a_closed_run_refuses_what_is_late_but_for_undos_also_after_a_crash() {
    let mut bench = Bench::new();
    bench.send(spawn("k", 2));
    bench.send(apply("a", "77", 600_000));
    let closed = bench.send(close(5));
    assert_eq!((&closed["kind"], &closed["fence"]), (&json!("run.ok"), &json!(5)));
    assert_eq!(error(&bench.send(spawn("late", 1))), ("world.spawn.error", "run_closed"));
    assert_eq!(error(&bench.send(apply("late2", "77", 1))), ("lease.apply.error", "run_closed"));
    assert_eq!(bench.send(spawn("k", 2))["replayed"], true, "what was done is still told");
    assert_eq!(bench.send(release("b", "77"))["restored"], true);
    let mut bench = bench.restart();
    assert_eq!(error(&bench.send(spawn("late", 1))), ("world.spawn.error", "run_closed"), "there was no save in between");
    let undo = json!({"kind": "world.despawn", "serials": [], "forKey": "k", "runId": "77", "fence": 0, "ttlMs": 1000,
        "idempotencyKey": "undo"});
    assert_eq!(bench.send(undo)["kind"], "world.despawn.ok");
    let mut newer = spawn("newer", 1);
    newer["fence"] = 6.into();
    assert_eq!(bench.send(newer)["kind"], "world.spawn.ok", "a newer claim is another matter");
    assert_eq!(error(&bench.send(close(5))), ("run.close.error", "stale_fence"));
}

#[tokio::test]
async fn a_command_deferred_before_the_close_is_refused_when_its_turn_comes() {
    let mut bench = Bench::new();
    bench.console("fault hold world.spawn");
    bench.send_all(spawn("k", 3));
    bench.send(close(5));
    bench.console("fault release");
    assert_eq!(error(&bench.said()[0]), ("world.spawn.error", "run_closed"));
    assert_eq!((bench.owned("77"), bench.outcomes("k")), (0, vec!["refused".to_owned()]));
}

#[tokio::test]
async fn an_order_whose_time_ran_out_is_refused() {
    let mut bench = Bench::new();
    let mut command = spawn("k", 1);
    command["reqId"] = "r".into();
    let line = Line::Whole(command.to_string().into_bytes());
    let long_ago = bench.clock.now_ms() - 30_000;
    assert_eq!(error(&bench.received(&line, long_ago)[0]), ("world.spawn.error", "ttl_expired"));
    let just_now = bench.clock.now_ms();
    assert_eq!(bench.received(&line, just_now)[0]["kind"], "world.spawn.ok", "its key was free");

    bench.console("fault hold world.spawn");
    bench.send_all(spawn("held", 1));
    bench.console("clock +30");
    bench.console("fault release");
    assert_eq!(error(&bench.said()[0]).1, "ttl_expired");
    assert_eq!(bench.owned("77"), 1);
}

#[tokio::test]
async fn a_stamp_that_is_missing_or_wrong_is_refused_by_name() {
    let mut bench = Bench::new();
    let wrong: [(&str, Value); 14] = [
        ("runId", json!(null)),
        ("runId", json!(77)),
        ("runId", json!("")),
        ("runId", json!("x".repeat(129))),
        ("runId", json!("a\u{0}")),
        ("fence", json!(null)),
        ("fence", json!(-1)),
        ("fence", json!("5")),
        ("fence", json!(1.5)),
        ("ttlMs", json!(null)),
        ("idempotencyKey", json!(null)),
        ("idempotencyKey", json!("")),
        ("idempotencyKey", json!("a b")),
        ("idempotencyKey", json!("x".repeat(65))),
    ];
    for (field, value) in wrong {
        let mut command = spawn("k", 1);
        command[field] = value.clone();
        assert_eq!(error(&bench.send(command)), ("world.spawn.error", "bad_field"), "{field} {value}");
    }
    assert_eq!(bench.owned("77"), 0);
    let mut exact = spawn("k", 1);
    exact["fence"] = u64::MAX.into();
    assert_eq!(bench.send(exact)["kind"], "world.spawn.ok");
    let mut below = spawn("l", 1);
    below["fence"] = (u64::MAX - 1).into();
    assert_eq!(error(&bench.send(below)).1, "stale_fence", "the last digit counts");
}
