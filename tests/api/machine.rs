//! What is done from the machine, beside an engine that runs: one occurrence changed, a freeze, firings and cursors.

use chrono::TimeDelta;
use leasehold::log::{Claimed, Firing, FiringState};
use leasehold_aggregates::schedule::occurrence_id;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::altered::{run_is, verified};
use crate::bench::{Bench, events, quiet};
use crate::user::leasehold;

/// Exit status, what was printed as JSON, and what was told beside it.
async fn ask(bench: &Bench, args: &[&str]) -> (i32, Value, String) {
    let output = leasehold(bench, args).await;
    let printed = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code().unwrap(), printed, String::from_utf8(output.stderr).unwrap())
}

/// The same of a command that does what it is asked.
async fn done(bench: &Bench, args: &[&str]) -> Value {
    let (status, printed, told) = ask(bench, args).await;
    assert_eq!(status, 0, "{args:?}: {told}");
    printed
}

#[tokio::test]
async fn an_occurrence_is_skipped_moved_and_brought_back_and_the_engine_follows() {
    let bench = Bench::new().await;
    let mut body = quiet("daily");
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    body["spec"]["schedule"] = json!({"kind": "weekly", "days": days, "time": "20:00"});
    let id = verified(&bench, &body).await;
    let date = (bench.engine.clock.now().await.unwrap() + TimeDelta::days(2)).date_naive();
    let (slot, to) = (format!("{date}T20:00"), format!("{date}T21:30"));
    let run = occurrence_id(&id, "main", slot.parse().unwrap(), 0).to_string();
    run_is(&bench, &run, |run| run["status"] == "scheduled").await;

    let moved = done(&bench, &["occurrence", "move", "daily", &slot, "--to", &to, "--reason", "the hall is taken"]).await;
    assert_eq!((&moved["definitionId"], &moved["runId"]), (&json!(id), &json!(run)), "by its slug");
    assert_eq!(moved["at"], format!("{to}:00Z"));
    run_is(&bench, &run, |run| run["scheduledFor"] == moved["at"]).await;
    let skipped = done(&bench, &["occurrence", "skip", &id, &slot, "--reason", "it rains"]).await;
    assert_eq!(skipped["at"], Value::Null);
    run_is(&bench, &run, |run| run["status"] == "cancelled").await;
    let (status, _, told) = ask(&bench, &["occurrence", "move", &id, &slot, "--to", &to, "--reason", "after all"]).await;
    assert_eq!(status, 1, "{told}");
    let back = done(&bench, &["occurrence", "restore", &id, &slot, "--reason", "the sun shines"]).await;
    assert_eq!(back["at"], format!("{slot}:00Z"));
    run_is(&bench, &run, |run| run["status"] == "scheduled" && run["scheduledFor"] == back["at"]).await;

    bench.admin("POST", &format!("/runs/{run}/cancel")).json(&json!({})).send().await.is(200);
    let (status, _, told) = ask(&bench, &["occurrence", "restore", &id, &slot, "--reason", "x"]).await;
    assert_eq!((status, told.contains("through the API")), (1, true), "{told}");
    for (wrong, code) in [
        (&["occurrence", "skip", "nobody", &slot, "--reason", "x"][..], 1),
        (&["occurrence", "skip", &id, &format!("{date}T20:01"), "--reason", "x"], 1),
        (&["occurrence", "skip", &id, "friday", "--reason", "x"], 2),
        (&["occurrence", "skip", &id, &slot], 2),
        (&["occurrence", "skip", &id, &slot, "--reason", " "], 2),
    ] {
        let (status, printed, told) = ask(&bench, wrong).await;
        assert_eq!((status, printed), (code, Value::Null), "{wrong:?}: {told}");
    }
}

#[tokio::test]
async fn nothing_starts_while_the_machine_has_frozen_it() {
    let bench = Bench::new().await;
    let id = bench.publish(&quiet("quiet")).await;
    let now = bench.engine.clock.now().await.unwrap();
    let at = |hours: i64| (now + TimeDelta::hours(hours)).to_rfc3339();
    let frozen = done(&bench, &["freeze", "on", "--from", &at(-1), "--to", &at(1), "--reason", "the game is being moved"]).await;
    bench.admin("POST", &format!("/{id}/runs")).send().await.problem(409, "frozen");
    let shown = bench.admin("GET", "/freezes").send().await.is(200);
    let shown = &shown["items"][0];
    assert_eq!((&shown["id"], &shown["state"], &shown["declaredBy"]), (&frozen["id"], &json!("in_force"), &json!("operator")));
    assert_eq!(shown["reason"], "the game is being moved");
    let freeze = frozen["id"].as_str().unwrap();
    assert_eq!(done(&bench, &["freeze", "off", freeze]).await["state"], "lifted");
    done(&bench, &["freeze", "off", freeze]).await;
    bench.start(&id).await;
    let list = done(&bench, &["freeze", "list"]).await;
    assert_eq!((&list["id"], &list["liftedBy"]), (&frozen["id"], &json!("operator")), "one, in one line");
    for (wrong, code) in [
        (&["freeze", "off", &Uuid::nil().to_string()][..], 1),
        (&["freeze", "on", "--from", &at(1), "--to", &at(0), "--reason", "x"], 1),
        (&["freeze", "on", "--from", "soon", "--to", &at(1), "--reason", "x"], 2),
        (&["freeze", "on", "--from", &at(0), "--to", &at(1), "--reason", ""], 2),
    ] {
        let (status, _, told) = ask(&bench, wrong).await;
        assert_eq!(status, code, "{wrong:?}: {told}");
    }
}

#[tokio::test]
async fn firings_are_listed_and_one_that_is_settled_is_fired_once_more() {
    let bench = Bench::new().await;
    let log = &bench.engine.log;
    let engine = Uuid::from_u128(7);
    for (position, state) in [(3, Some(FiringState::Refused)), (5, Some(FiringState::Dispatched)), (6, None)] {
        let firing = Firing { consumer: "trigger/x", position, trigger: "demo.lamp.broken", scope: "main", hops: 0 };
        let Claimed::Ours(claim) = log.claim_firing(&firing, engine, leasehold::engine::firings::STALE_AFTER).await.unwrap()
        else {
            panic!("nobody has claimed it");
        };
        if let Some(state) = state {
            assert!(log.settle_firing(("trigger/x", position), (engine, claim), (state, None, "as told")).await.unwrap());
        }
    }
    let head = bench.head().await;
    let all = done(&bench, &["firings", "list", "--format", "json"]).await;
    let told: Vec<_> = all.as_array().unwrap().iter().map(|row| (row["position"].clone(), row["state"].clone())).collect();
    let expected = [(6, "running"), (5, "dispatched"), (3, "refused")].map(|(position, state)| (json!(position), json!(state)));
    assert_eq!(told, expected, "the newest first");
    let refused = done(&bench, &["firings", "list", "--state", "refused", "--consumer", "trigger/x", "--format", "json"]).await;
    assert_eq!((refused.as_array().unwrap().len(), &refused[0]["outcome"]), (1, &json!("as told")));
    let text = leasehold(&bench, &["firings", "list", "--limit", "2"]).await;
    let lines = String::from_utf8(text.stdout).unwrap();
    assert_eq!((lines.lines().count(), lines.contains("claimed; nothing is told of it")), (3, true), "{lines}");
    assert_eq!(bench.head().await, head, "looking appends nothing");

    assert_eq!(done(&bench, &["firings", "retry", "trigger/x", "3"]).await["claimable"], true);
    for (args, why) in
        [(["trigger/x", "6"], "being worked on"), (["trigger/x", "4"], "no firing"), (["trigger/y", "3"], "no firing")]
    {
        let (status, printed, told) = ask(&bench, &[&["firings", "retry"], &args[..]].concat()).await;
        assert_eq!((status, printed, told.contains(why)), (1, Value::Null, true), "{args:?}: {told}");
    }
    for wrong in
        [&["firings", "list", "--state", "lost"][..], &["firings", "list", "--limit", "0"], &["firings", "retry", "trigger/x"]]
    {
        assert_eq!(ask(&bench, wrong).await.0, 2, "{wrong:?}");
    }
}

#[tokio::test]
async fn cursors_are_listed_and_one_that_is_rewound_is_read_again() {
    let bench = Bench::new().await;
    let id = bench.publish(&quiet("quiet")).await;
    let run = bench.start(&id).await;
    let path = events(&format!("/runs/{run}"));
    bench.until_by_admin(&path, |answer| answer.body["waitingSteps"] == 1).await;
    let cursors = done(&bench, &["cursors", "list", "--format", "json"]).await;
    let consumers: Vec<_> = cursors.as_array().unwrap().iter().filter_map(|row| row["consumer"].as_str()).collect();
    for consumer in ["scheduler", "runner", "gatekeeper", "triggers"] {
        assert!(consumers.contains(&consumer), "{consumer} in {consumers:?}");
    }
    let text = leasehold(&bench, &["cursors", "list"]).await;
    assert_eq!(String::from_utf8(text.stdout).unwrap().lines().count(), consumers.len() + 1);

    let head = bench.head().await;
    for consumer in ["scheduler", "runner", "gatekeeper", "triggers"] {
        assert_eq!(done(&bench, &["cursors", "rewind", consumer, "0"]).await["rewound"], true);
        let caught_up = "select position >= $2 from cursors where consumer = $1";
        while !sqlx::query_scalar::<_, bool>(caught_up)
            .bind(consumer)
            .bind(head.cast_signed())
            .fetch_one(bench.engine.log.pool())
            .await
            .unwrap()
        {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
    assert_eq!(bench.head().await, head, "what was done is found done");
    let (status, _, told) = ask(&bench, &["cursors", "rewind", "nobody", "0"]).await;
    assert_eq!((status, told.contains("cursors list")), (1, true), "{told}");
    for wrong in
        [&["cursors", "rewind", "projection/runs/1", "0"][..], &["cursors", "rewind", "runner", "-1"], &["cursors", "rewind"]]
    {
        assert_eq!(ask(&bench, wrong).await.0, 2, "{wrong:?}");
    }
    let ahead = (head + 1_000).to_string();
    let (status, printed, told) = ask(&bench, &["cursors", "rewind", "runner", &ahead]).await;
    assert_eq!((status, &printed["rewound"]), (0, &json!(false)), "{told}");
}
