use crate::support::{Bench, CONSENTS, apply, release, spawn};
use serde_json::json;

#[tokio::test]
async fn it_speaks_first_and_says_who_it_is() {
    let bench = Bench::new(CONSENTS).await;
    let (_shard, line) = bench.game().await;
    let mut hello = line.hello.clone();
    let (t, boot_id) = (hello["t"].take(), hello["bootId"].take());
    assert!(t.as_i64().is_some_and(|t| t > 1_600_000_000_000) && boot_id.as_str().is_some_and(|id| id.len() == 16));
    let rest = json!({"kind": "server.hello", "t": null, "protocol": 7, "bootId": null, "keyMemorySec": 3600, "keyCap": 4096,
        "game": "reference shard", "scope": "main"});
    assert_eq!(hello, rest);
}

#[tokio::test]
async fn it_redials_for_ever_under_one_boot_id_and_keeps_its_keys() {
    let bench = Bench::new(CONSENTS).await;
    let (shard, mut line) = bench.game().await;
    let first = line.ask(spawn("k", 2)).await.unwrap();
    for disconnect in [true, false] {
        if disconnect {
            shard.does("disconnect").await;
            line.end().await;
        } else {
            drop(line);
        }
        line = bench.welcome().await;
        assert_eq!(line.hello["bootId"], shard.boot_id.as_str());
        let repeat = line.ask(spawn("k", 2)).await.unwrap();
        assert_eq!((&repeat["serials"], &repeat["replayed"]), (&first["serials"], &json!(true)));
    }
    shard.until("/connected", json!(true)).await;
}

#[tokio::test]
async fn refused_it_dials_again_and_obeys_nobody_before_the_welcome() {
    let bench = Bench::new(CONSENTS).await;
    let shard = bench.shard();
    let mut refused = bench.accept().await;
    refused.send(&spawn("early", 1)).await;
    refused.send(&json!({"kind": "link.refused", "reason": "no", "protocol": 8})).await;
    refused.end().await;
    let mut line = bench.welcome().await;
    assert_eq!(line.ask(spawn("k", 1)).await.unwrap()["kind"], "world.spawn.ok");
    assert_eq!(shard.outcomes("early").await, [""; 0]);
}

#[tokio::test]
async fn an_answer_that_could_not_be_delivered_is_there_for_the_repeat() {
    let bench = Bench::new(CONSENTS).await;
    let (shard, mut line) = bench.game().await;
    shard.does("fault hold world.spawn").await;
    line.send(&{
        let mut command = spawn("k", 2);
        command["reqId"] = "lost".into();
        command
    })
    .await;
    shard.until("/deferred", json!(1)).await;
    drop(line);
    let mut line = bench.welcome().await;
    assert_eq!(line.ask(spawn("k", 2)).await.unwrap()["busyKind"], "world.spawn");
    shard.does("fault release").await;
    let answer = line.ask(spawn("k", 2)).await.unwrap();
    assert_eq!((&answer["kind"], &answer["replayed"]), (&json!("world.spawn.ok"), &json!(true)));
    assert_eq!(shard.owned("77").await, 2);
}

#[tokio::test]
async fn the_deadline_comes_with_nobody_on_the_line() {
    let bench = Bench::new(CONSENTS).await;
    let (shard, mut line) = bench.game().await;
    line.ask(apply("a", 600_000)).await.unwrap();
    drop(line);
    shard.until("/connected", json!(false)).await;
    shard.does("clock +590").await;
    assert_eq!(shard.does("player create Before").await["skillCap"], 1200);
    shard.does("clock +15").await;
    assert_eq!(shard.does("player create Later").await["skillCap"], 1000);
    let mut line = bench.welcome().await;
    assert_eq!(line.ask(release("r")).await.unwrap()["alreadyRestored"], true);
    assert_eq!(shard.outcomes("r").await, ["applied"]);
}

#[tokio::test]
async fn a_short_deadline_needs_no_console_either() {
    let bench = Bench::new(CONSENTS).await;
    let (_shard, mut line) = bench.game().await;
    line.ask(apply("a", 20)).await.unwrap();
    let frame = line.report("lease.expired").await.unwrap();
    assert_eq!((&frame["kind"], &frame["restored"], &frame["current"]), (&json!("lease.expired"), &json!(true), &json!("1000")));
}

#[tokio::test]
async fn broken_lines_are_answered_and_the_next_command_is_done() {
    let bench = Bench::new(CONSENTS).await;
    let (shard, mut line) = bench.game().await;
    let long = vec![b'x'; 300 * 1024];
    let deep = "[".repeat(100_000);
    let table: [(&[u8], &str); 5] = [
        (b"no json", "bad_json"),
        (b"\xff\xfe\x00", "bad_json"),
        (deep.as_bytes(), "bad_json"),
        (&long, "too_large"),
        (b"{}", "no_correlation"),
    ];
    for (n, (bytes, name)) in table.into_iter().enumerate() {
        line.send_bytes(bytes).await;
        line.send_bytes(b"\n").await;
        let answer = line.next().await.unwrap();
        assert_eq!((&answer["kind"], &answer["error"]), (&json!("bridge.error"), &json!(name)));
        assert_eq!(line.ask(spawn(&format!("k{n}"), 1)).await.unwrap()["kind"], "world.spawn.ok");
    }
    assert_eq!(shard.owned("77").await, 5);
}

#[tokio::test]
async fn delayed_and_dropped_answers_are_one_effect() {
    let bench = Bench::new(CONSENTS).await;
    let (shard, mut line) = bench.game().await;
    shard.does("fault drop-ack world.spawn 1").await;
    shard.does("fault delay-ack world.spawn 30").await;
    line.send(&{
        let mut dropped = spawn("k", 2);
        dropped["reqId"] = "dropped".into();
        dropped
    })
    .await;
    let answer = line.ask(spawn("k", 2)).await.unwrap();
    assert_eq!((&answer["reqId"], &answer["replayed"]), (&json!("t-1"), &json!(true)));
    assert_eq!(shard.outcomes("k").await, ["applied", "replayed"]);
}
