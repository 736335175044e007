//! Several games on one sidecar, each with its own line, log, feed and boot.

use crate::support::{Game, Sidecar, hello};
use serde_json::{Value, json};

async fn close(sidecar: &Sidecar, query: &str) -> (u16, Value) {
    sidecar.post(&format!("/run/close{query}"), json!({})).await
}

#[tokio::test]
async fn each_game_has_its_line_and_who_names_none_of_several_is_asked_which() {
    let sidecar = Sidecar::start(10_000);
    let mut main = Game::connect_as(&sidecar, "main", "boot-m").await;
    let (_, (status, _)) = tokio::join!(main.answer(json!({"kind": "run.ok"})), close(&sidecar, ""));
    assert_eq!(status, 200, "the only game need not be named");
    let mut west = Game::connect_as(&sidecar, "west side", "boot-w").await;
    for (game, query) in [(&mut main, "?scope=main"), (&mut west, "?scope=west%20side")] {
        let (_, (status, _)) = tokio::join!(game.answer(json!({"kind": "run.ok"})), close(&sidecar, query));
        assert_eq!(status, 200, "{query}");
    }
    for path in ["/run/close", "/health", "/engine", "/feed", "/manifest", "/lease"] {
        let asked = if path == "/run/close" { close(&sidecar, "").await } else { sidecar.get(path).await };
        let (status, body) = asked;
        assert_eq!((status, &body["error"]), (400, &json!("scope_needed")), "{path}");
        assert_eq!(body["scopes"], json!(["main", "west side"]), "{path}");
    }
    let (status, body) = close(&sidecar, "?scope=nowhere").await;
    assert_eq!((status, &body["error"]), (503, &json!("not_sent")));
    assert!(body["reason"].as_str().unwrap().contains("nowhere"), "{body}");
    for wrong in ["?scope=", "?scope=%00", &format!("?scope={}", "x".repeat(65)), "?scope=a&scope=b"] {
        assert_eq!(close(&sidecar, wrong).await.0, 400, "{wrong}");
    }
    drop(main);
    let told = async || sidecar.get("/scopes").await.1["scopes"].clone();
    crate::support::patiently(async {
        while told().await[0]["connected"] == true {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    })
    .await;
    let all = told().await;
    assert_eq!((&all[0]["scope"], &all[1]["scope"], &all[1]["bootId"]), (&json!("main"), &json!("west side"), &json!("boot-w")));
    let (_, (status, _)) = tokio::join!(west.answer(json!({"kind": "run.ok"})), close(&sidecar, ""));
    assert_eq!(status, 200, "the only one on the line need not be named");
}

#[tokio::test]
async fn each_game_has_its_own_place_in_the_log_and_its_own_reports_also_after_a_kill() {
    let directory = tempfile::tempdir().unwrap();
    let sidecar = Sidecar::start_in(directory.path(), 10_000);
    let mut games = [("main", "m"), ("west", "w")].map(|(scope, boot)| (scope, boot, None::<Game>));
    for (scope, boot, game) in &mut games {
        let mut dialled = Game::connect_as(&sidecar, scope, boot).await;
        let (position, hash) = (if *scope == "main" { "41" } else { "7" }, "a".repeat(64));
        let headers = [("Leasehold-Log", *scope), ("Leasehold-Position", position), ("Leasehold-Hash", &hash)];
        let path = format!("/run/close?scope={scope}");
        let body = json!({});
        let posted = sidecar.post_from(&path, &headers, &body);
        assert_eq!(tokio::join!(dialled.answer(json!({"kind": "run.ok"})), posted).1.0, 200);
        dialled.send(&json!({"kind": "mob.killed", "of": scope, "seq": 1})).await;
        assert_eq!(dialled.next().await.unwrap(), json!({"kind": "link.kept", "seq": 1}));
        *game = Some(dialled);
    }
    sidecar.kill9();
    let sidecar = Sidecar::start_in(directory.path(), 10_000);
    for (scope, position) in [("main", 41), ("west", 7)] {
        let (_, seen) = sidecar.get(&format!("/engine?scope={scope}")).await;
        assert_eq!((&seen["seen"][0]["log"], &seen["seen"][0]["position"]), (&json!(scope), &json!(position)));
        let (_, feed) = sidecar.get(&format!("/feed?scope={scope}")).await;
        let reports = feed["reports"].as_array().unwrap();
        assert_eq!((reports.len(), &reports[1]["frame"]["of"]), (2, &json!(scope)), "its hello and its report: {feed}");
    }
    assert_eq!(sidecar.get("/engine").await.0, 400, "both are known, though neither is on the line");
}

#[tokio::test]
async fn a_name_that_is_none_and_one_too_many_are_refused_in_words() {
    let sidecar = Sidecar::start(10_000);
    let mut games = Vec::new();
    for n in 0..64 {
        games.push(Game::connect_as(&sidecar, &format!("s{n}"), "boot").await);
    }
    for (scope, word) in [("s64", "64 scopes"), ("", "1 to 64 bytes"), ("a\nb", "control"), (&"x".repeat(65), "1 to 64 bytes")] {
        let mut game = Game::dial(&sidecar).await;
        let mut hello = hello(7, "boot");
        hello["scope"] = scope.into();
        game.send(&hello).await;
        let refused = game.next().await.unwrap();
        assert_eq!(refused["kind"], "link.refused", "{scope:?}");
        assert!(refused["reason"].as_str().unwrap().contains(word), "{refused}");
    }
    let (_, (status, _)) = tokio::join!(games[9].answer(json!({"kind": "run.ok"})), close(&sidecar, "?scope=s9"));
    assert_eq!(status, 200);
}
