//! A game that has nothing but an HTTP client: it says hello once and polls.

use crate::support::{Game, Sidecar, TOKEN, hello, sidecar_in};
use serde_json::{Value, json};

const GAME_TOKEN: &str = "a-token-of-games";

/// A sidecar with a door for games that poll, and where it lives.
fn start(silence_ms: &str) -> (Sidecar, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let token = directory.path().join("game-token");
    std::fs::write(&token, GAME_TOKEN).unwrap();
    let mut command = sidecar_in(directory.path());
    command.args(["--game-silence-ms", silence_ms, "--reply-timeout-ms", "20000", "--game-token-file"]).arg(token);
    (Sidecar::start_with(&mut command), directory)
}

async fn ask(sidecar: &Sidecar, path: &str, body: &Value) -> (u16, Value) {
    sidecar.post_as(GAME_TOKEN, path, body.to_string()).await
}

/// Says hello and gives the session.
async fn begin(sidecar: &Sidecar, boot_id: &str) -> String {
    let (status, welcome) = ask(sidecar, "/game/hello", &hello(7, boot_id)).await;
    assert_eq!((status, &welcome["kind"], &welcome["protocol"]), (200, &json!("link.welcome"), &json!(7)), "{welcome}");
    welcome["session"].as_str().unwrap().to_owned()
}

async fn poll(sidecar: &Sidecar, session: &str, after: u64, wait_ms: u64, frames: &[Value]) -> (u16, Value) {
    ask(sidecar, "/game/poll", &json!({"session": session, "after": after, "waitMs": wait_ms, "frames": frames})).await
}

fn done(command: &Value) -> Value {
    json!({"kind": "run.ok", "reqId": command["reqId"], "runId": "77", "fence": 1})
}

#[tokio::test]
async fn commands_come_down_answers_go_up_and_a_lost_poll_loses_nothing() {
    let (sidecar, _directory) = start("60000");
    let session = begin(&sidecar, "boot-1").await;
    assert_eq!(sidecar.get("/health").await.1["bootId"], "boot-1");
    let played = async {
        let (status, first) = poll(&sidecar, &session, 0, 20_000, &[]).await;
        let command = first["commands"][0].clone();
        assert_eq!((status, &command["n"], &command["frame"]["kind"]), (200, &json!(1), &json!("run.close")));
        // The answer to that poll was lost: the same again, with less time left for it.
        let (_, again) = poll(&sidecar, &session, 0, 20_000, &[]).await;
        let second = again["commands"][0].clone();
        assert_eq!((&second["n"], &second["frame"]["reqId"]), (&json!(1), &command["frame"]["reqId"]));
        assert!(second["frame"]["ttlMs"].as_u64() <= command["frame"]["ttlMs"].as_u64());
        let (_, none) = poll(&sidecar, &session, 1, 0, &[done(&command["frame"])]).await;
        assert_eq!(none, json!({"kept": null, "commands": []}));
    };
    let ((), (status, body)) = tokio::join!(played, sidecar.post("/run/close", json!({"ttlMs": 30_000})));
    assert_eq!((status, &body["kind"]), (200, &json!("run.ok")));
}

#[tokio::test]
async fn a_newer_poll_ends_the_wait_of_the_older_and_many_commands_come_in_order() {
    let (sidecar, _directory) = start("60000");
    let session = begin(&sidecar, "boot-1").await;
    // Of two that wait the newer has the turn: the older one ends with nothing, long before its half minute is over.
    let older = poll(&sidecar, &session, 0, 30_000, &[]);
    let newer = async { while poll(&sidecar, &session, 0, 0, &[]).await.0 == 200 {} };
    let ended = async {
        tokio::select! { told = older => told, () = newer => panic!("the session is over") }
    };
    let told = tokio::time::timeout(std::time::Duration::from_secs(25), ended).await;
    assert_eq!(told.expect("the newer poll waits for the older"), (200, json!({"kept": null, "commands": []})));

    let asked = futures::future::join_all((0..20).map(|n| sidecar.post("/world/spawn", json!({"n": n}))));
    let played = async {
        let (mut after, mut taken) = (0, Vec::new());
        while taken.len() < 20 {
            let (_, told) = poll(&sidecar, &session, after, 20_000, &[]).await;
            for command in told["commands"].as_array().unwrap() {
                after += 1;
                assert_eq!(command["n"], after, "dense from 1");
                taken.push(command["frame"].clone());
            }
        }
        let answer = |command: &Value| json!({"kind": "world.spawn.ok", "reqId": command["reqId"], "n": command["n"]});
        poll(&sidecar, &session, after, 0, &taken.iter().map(answer).collect::<Vec<_>>()).await;
    };
    let (answers, ()) = tokio::join!(asked, played);
    for (n, (status, body)) in answers.iter().enumerate() {
        assert_eq!((*status, &body["n"]), (200, &json!(n)));
    }
}

#[tokio::test]
async fn a_silent_game_is_gone_and_what_it_had_in_hand_is_unknown() {
    let (sidecar, _directory) = start("300");
    // On a machine that is busy a session may be over before its first poll: the game says hello again, the engine asks again.
    let took = async {
        loop {
            let session = begin(&sidecar, "boot-1").await;
            let (_, told) = poll(&sidecar, &session, 0, 20_000, &[]).await;
            if told["commands"][0]["n"] == 1 {
                return session;
            }
        }
    };
    let asked = async {
        loop {
            let (status, body) = sidecar.post("/run/close", json!({})).await;
            if status != 503 {
                return (status, body);
            }
        }
    };
    let (session, (status, body)) = tokio::join!(took, asked);
    assert_eq!((status, &body["error"]), (504, &json!("no_answer")), "long before the reply time-out");
    sidecar.until_connected(false).await;
    assert_eq!(sidecar.post("/run/close", json!({})).await.0, 503);
    let (status, over) = poll(&sidecar, &session, 1, 0, &[]).await;
    assert_eq!((status, &over["error"]), (410, &json!("session_over")));
    begin(&sidecar, "boot-1").await;
    sidecar.until_connected(true).await;
    assert_eq!(sidecar.get("/health").await.1["feed"]["newest"], 1, "the same boot is no news");
}

#[tokio::test]
async fn the_newest_has_the_line_by_whichever_door_it_came() {
    let (sidecar, _directory) = start("60000");
    let session = begin(&sidecar, "boot-1").await;
    let waiting = poll(&sidecar, &session, 0, 30_000, &[]);
    let (told, mut dialled) = tokio::join!(waiting, Game::connect(&sidecar, "boot-2"));
    assert_eq!((told.0, &told.1["error"]), (410, &json!("session_over")));
    let (_, (status, _)) = tokio::join!(dialled.answer(json!({"kind": "run.ok"})), sidecar.post("/run/close", json!({})));
    assert_eq!(status, 200);
    begin(&sidecar, "boot-3").await;
    assert_eq!(dialled.next().await, None);
}

#[tokio::test]
async fn reports_are_kept_before_they_are_acknowledged_also_by_a_writer_of_floats_and_nulls() {
    let (sidecar, _directory) = start("60000");
    let mut hello = hello(7, "boot-1");
    (hello["protocol"], hello["keyCap"], hello["t"]) = (json!(7.0), json!(4096.0), json!(1.0));
    let (status, welcome) = ask(&sidecar, "/game/hello", &hello).await;
    assert_eq!((status, &welcome["silenceMs"]), (200, &json!(60_000)), "{welcome}");
    let session = welcome["session"].as_str().unwrap();
    let frames: Vec<Value> = [1.0, 2.0, 2.0].iter().map(|seq| json!({"kind": "mob.killed", "seq": seq})).collect();
    let (_, told) = poll(&sidecar, session, 0, 30_000, &frames).await;
    assert_eq!(told, json!({"kept": 2, "commands": []}), "at once, however long it would wait");
    let body = json!({"session": session, "after": 0.0, "waitMs": null, "frames": null});
    assert_eq!(ask(&sidecar, "/game/poll", &body).await, (200, json!({"kept": null, "commands": []})));
    let (_, feed) = sidecar.get("/feed?after=1").await;
    assert_eq!(
        feed["reports"],
        json!([{"n": 2, "frame": {"kind": "mob.killed", "seq": 1}}, {"n": 3, "frame": {"kind": "mob.killed", "seq": 2}}])
    );
}

#[tokio::test]
async fn each_token_opens_its_own_door() {
    let (sidecar, directory) = start("60000");
    for (token, path) in [(TOKEN, "/game/hello"), (TOKEN, "/game/poll"), (GAME_TOKEN, "/run/close"), (GAME_TOKEN, "/nowhere")] {
        assert_eq!(sidecar.post_as(token, path, "{}").await.0, 401, "{path}");
    }
    assert_eq!(ask(&sidecar, "/game/nowhere", &json!({})).await.0, 404);
    drop(sidecar);
    let closed = Sidecar::start_in(directory.path(), 1_000);
    assert_eq!(closed.post_as(TOKEN, "/game/hello", hello(7, "b").to_string()).await.0, 404, "no token, no door");
}

#[tokio::test]
async fn what_is_no_hello_and_no_poll_is_refused_and_costs_itself_only() {
    let (sidecar, _directory) = start("60000");
    for (wrong, status) in [(json!({}), 400), (hello(6, "old"), 409), (json!({"kind": "server.hello", "protocol": 7}), 400)] {
        let (got, body) = ask(&sidecar, "/game/hello", &wrong).await;
        assert_eq!((got, &body["kind"]), (status, &json!("link.refused")), "{wrong}");
    }
    assert_eq!(sidecar.post("/run/close", json!({})).await.0, 409, "the old one shut the gate");
    let session = begin(&sidecar, "boot-1").await;
    for wrong in ["", "[]", "{", "null", r#"{"session":7}"#, "{}"] {
        let (status, body) = sidecar.post_as(GAME_TOKEN, "/game/poll", wrong).await;
        assert_eq!((status, &body["kind"]), (400, &json!("link.error")), "{wrong}");
    }
    assert_eq!(sidecar.post_as(GAME_TOKEN, "/game/poll", "x".repeat(1_100_000)).await.0, 413);
    assert_eq!(poll(&sidecar, "no-such", 0, 0, &[]).await.0, 410);
    assert_eq!(poll(&sidecar, &session, 0, 30_001, &[]).await.0, 400);
    assert_eq!(poll(&sidecar, &session, 0, 0, &vec![json!({}); 1001]).await.0, 400);
    let odd = [
        json!(null),
        json!([]),
        json!({"reqId": "r-0"}),
        json!({"kind": "k", "text": "x".repeat(300_000)}),
        json!({"kind": "kept", "seq": 1}),
    ];
    assert_eq!(poll(&sidecar, &session, u64::MAX, 0, &odd).await, (200, json!({"kept": 1, "commands": []})));
}

#[tokio::test]
async fn a_command_that_nobody_waits_for_any_more_is_never_given() {
    let directory = tempfile::tempdir().unwrap();
    let token = directory.path().join("game-token");
    std::fs::write(&token, GAME_TOKEN).unwrap();
    let mut command = sidecar_in(directory.path());
    command.args(["--reply-timeout-ms", "50", "--game-token-file"]).arg(token);
    let sidecar = Sidecar::start_with(&mut command);
    let session = begin(&sidecar, "boot-1").await;
    assert_eq!(sidecar.post("/run/close", json!({})).await.0, 503, "no poll came for it: nothing was sent");
    assert_eq!(poll(&sidecar, &session, 0, 0, &[]).await, (200, json!({"kept": null, "commands": []})));
}
