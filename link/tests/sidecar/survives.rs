use crate::support::{Game, Sidecar, hello, patiently};
use serde_json::json;

#[tokio::test]
async fn an_answer_that_does_not_come_is_unknown_and_a_late_one_harms_nobody() {
    let sidecar = Sidecar::start(100);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    let (first, (status, body)) = tokio::join!(game.next(), sidecar.post("/world/spawn", json!({"n": 1})));
    assert_eq!((status, &body["error"]), (504, &json!("no_answer")));
    game.send(&json!({"kind": "world.spawn.ok", "reqId": first.unwrap()["reqId"], "late": true})).await;
    let (_, (status, body)) = tokio::join!(game.answer(json!({"kind": "run.ok"})), sidecar.post("/run/close", json!({})));
    assert_eq!((status, &body["kind"]), (200, &json!("run.ok")));
}

#[tokio::test]
async fn a_connection_lost_after_sending_is_unknown_at_once() {
    let sidecar = Sidecar::start(600_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    let lost = async move {
        game.next().await.unwrap();
        drop(game);
    };
    let ((), (status, body)) = tokio::join!(lost, sidecar.post("/world/spawn", json!({})));
    assert_eq!((status, &body["error"]), (504, &json!("no_answer")));
}

#[tokio::test]
async fn the_newest_connection_has_the_line() {
    let sidecar = Sidecar::start(10_000);
    let mut old = Game::connect(&sidecar, "boot-1").await;
    let mut new = Game::connect(&sidecar, "boot-2").await;
    assert_eq!(old.next().await, None, "the older connection is closed");
    assert_eq!(sidecar.get("/health").await.1["bootId"], "boot-2");
    let (_, (status, _)) = tokio::join!(new.answer(json!({"kind": "run.ok"})), sidecar.post("/run/close", json!({})));
    assert_eq!(status, 200);
}

#[tokio::test]
async fn broken_lines_and_unknown_frames_cost_themselves_only() {
    let sidecar = Sidecar::start(10_000);
    let mut game = Game::dial(&sidecar).await;
    game.send_bytes(b"no json\n\x00\xff\xfe\n[]\n\n").await;
    game.send(&hello(7, "boot-1")).await;
    assert_eq!(game.next().await.unwrap()["kind"], "link.welcome");
    sidecar.until_connected(true).await;

    let deep = "[".repeat(100_000);
    let long = "x".repeat(300 * 1024);
    let broken: [&[u8]; 8] = [
        b"{\"kind\":\"run.ok\",\"reqId\":",
        b"null",
        b"\xff\xff",
        deep.as_bytes(),
        long.as_bytes(),
        b"{\"reqId\":\"r-0\"}",
        b"{\"kind\":\"lease.expired\",\"key\":\"k\"}",
        b"{\"kind\":\"a.kind.of.tomorrow\",\"reqId\":{\"no\":\"text\"}}",
    ];
    for bytes in broken {
        game.send_bytes(bytes).await;
        game.send_bytes(b"\n").await;
        let (_, (status, body)) = tokio::join!(game.answer(json!({"kind": "run.ok"})), sidecar.post("/run/close", json!({})));
        assert_eq!((status, &body["kind"]), (200, &json!("run.ok")));
    }
}

#[tokio::test]
async fn a_correlated_answer_without_a_kind_never_reads_as_success() {
    let sidecar = Sidecar::start(200);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    let (_, (status, body)) = tokio::join!(game.answer(json!({"serials": []})), sidecar.post("/world/spawn", json!({})));
    assert_eq!((status, &body["error"]), (504, &json!("no_answer")));
}

#[tokio::test]
async fn sigterm_stops_it_and_leaves_nobody_waiting() {
    let mut sidecar = Sidecar::start(600_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    let pid = i32::try_from(sidecar.child.id()).unwrap();
    let stop = async {
        game.next().await.unwrap();
        tokio::process::Command::new("kill").arg("-TERM").arg(pid.to_string()).status().await.unwrap();
    };
    let ((), (status, _)) = tokio::join!(stop, sidecar.post("/world/spawn", json!({})));
    assert_eq!(status, 504);
    drop(game);
    let code = patiently(tokio::task::spawn_blocking(move || sidecar.child.wait().unwrap().code())).await.unwrap();
    assert_eq!(code, Some(0));
}
