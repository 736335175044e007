use crate::support::{Bench, CONSENTS, apply, despawn, release, spawn};
use serde_json::{Value, json};
use std::os::unix::process::ExitStatusExt;

/// A game that dies of a command at that point; then the next boot and its connection.
async fn die_at(bench: &Bench, point: &str, command: &Value) -> (crate::support::Shard, crate::support::Line) {
    let (mut shard, mut line) = bench.game().await;
    shard.does(&format!("fault {point} {}", command["kind"].as_str().unwrap())).await;
    assert_eq!(line.ask(command.clone()).await, None, "no answer: it died");
    assert_eq!(shard.ended().await.signal(), Some(6), "it aborted, at the point that was asked for");
    bench.game().await
}

#[tokio::test]
async fn dead_before_the_effect_it_is_interrupted_and_nothing_is_there() {
    let bench = Bench::new(CONSENTS).await;
    let (shard, mut line) = die_at(&bench, "crash-before", &spawn("k", 3)).await;
    for _ in 0..2 {
        assert_eq!(line.ask(spawn("k", 3)).await.unwrap()["kind"], "bridge.interrupted");
    }
    assert_eq!((shard.owned("77").await, shard.outcomes("k").await), (0, vec!["interrupted".to_owned(); 2]));
    let undone = line.ask(despawn("u", "k")).await.unwrap();
    assert_eq!((&undone["kind"], &undone["removed"]), (&json!("world.despawn.ok"), &json!([])));
}

#[tokio::test]
async fn dead_after_the_effect_it_is_interrupted_and_applied_once() {
    let bench = Bench::new(CONSENTS).await;
    let (shard, mut line) = die_at(&bench, "crash-after", &spawn("k", 3)).await;
    assert_eq!(line.ask(spawn("k", 3)).await.unwrap()["error"], "interrupted");
    assert_eq!(shard.outcomes("k").await, ["applied", "interrupted"]);
    assert_eq!(shard.owned("77").await, 0, "what was not saved is lost with the world that had it");
}

#[tokio::test]
async fn dead_before_sending_the_answer_is_given_by_the_next_boot() {
    let bench = Bench::new(CONSENTS).await;
    let (shard, mut line) = die_at(&bench, "crash-unsent", &spawn("k", 3)).await;
    let replay = line.ask(spawn("k", 3)).await.unwrap();
    assert_eq!((&replay["kind"], &replay["replayed"]), (&json!("world.spawn.ok"), &json!(true)));
    assert_eq!(shard.outcomes("k").await, ["applied", "replayed"]);
}

#[tokio::test]
async fn every_kind_that_changes_the_world_has_its_three_deaths() {
    let close = json!({"kind": "run.close", "runId": "77", "fence": 9, "idempotencyKey": "k"});
    let hail = json!({"kind": "admin.broadcast", "text": "hail", "idempotencyKey": "k"});
    for command in [apply("k", 600_000), release("k"), despawn("k", "other"), close, hail] {
        for (point, kind) in [("crash-before", "bridge.interrupted"), ("crash-after", "bridge.interrupted"), ("crash-unsent", "")]
        {
            let bench = Bench::new(CONSENTS).await;
            let (shard, mut line) = die_at(&bench, point, &command).await;
            let answer = line.ask(command.clone()).await.unwrap();
            let applied = shard.outcomes("k").await.iter().filter(|outcome| *outcome == "applied").count();
            assert_eq!(applied, usize::from(point != "crash-before"), "{command} {point}");
            if kind.is_empty() {
                assert_eq!(answer["replayed"], true, "{command} {point}: {answer}");
            } else {
                assert_eq!(answer["kind"], kind, "{command} {point}");
            }
            assert_eq!(shard.does("config get PlayerCaps.SkillCap").await["value"], "1000", "a restart restores");
        }
    }
}

#[tokio::test]
async fn a_close_whose_answer_was_journaled_holds_after_the_crash() {
    let bench = Bench::new(CONSENTS).await;
    let close = json!({"kind": "run.close", "runId": "77", "fence": 9});
    let (_shard, mut line) = die_at(&bench, "crash-unsent", &close).await;
    assert_eq!(line.ask(spawn("late", 1)).await.unwrap()["error"], "run_closed");
}

#[tokio::test]
async fn a_save_keeps_what_was_made_and_a_crash_loses_what_came_after() {
    let bench = Bench::new(CONSENTS).await;
    let (mut shard, mut line) = bench.game().await;
    let saved = line.ask(spawn("saved", 3)).await.unwrap()["serials"].clone();
    shard.does("player create Darrow").await;
    shard.does("save").await;
    let lost = line.ask(spawn("lost", 2)).await.unwrap()["serials"].clone();
    shard.kill().await;

    let (shard, mut line) = bench.game().await;
    assert_eq!(shard.owned("77").await, 3);
    assert_eq!(shard.does("player list").await["players"][0]["name"], "Darrow");
    let undo = |key: &str, serials: &Value| json!({"kind": "world.despawn", "serials": serials, "runId": "77", "fence": 0, "ttlMs": 60_000, "idempotencyKey": key});
    assert_eq!(line.ask(undo("u1", &lost)).await.unwrap()["gone"], lost);
    assert_eq!(line.ask(undo("u2", &saved)).await.unwrap()["removed"], saved);
    assert_eq!(shard.owned("77").await, 0);
}
