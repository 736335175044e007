//! What a sidecar has seen of its engine's log, over every kind of end.

use crate::support::{Game, Sidecar, seen_file, seen_in, sidecar_in};
use serde_json::{Value, json};

const LOG: &str = "6b3f1e0c-52c5-4f4e-9d3b-2f4f0a6c8d11";

fn mark(position: u64, digit: char) -> Value {
    json!({"log": LOG, "position": position, "hash": digit.to_string().repeat(64)})
}

async fn post_from(sidecar: &Sidecar, mark: &Value) -> (u16, Value) {
    let position = mark["position"].to_string();
    let text = |field: &str| mark[field].as_str().unwrap();
    let headers = [("Leasehold-Log", text("log")), ("Leasehold-Position", position.as_str()), ("Leasehold-Hash", text("hash"))];
    sidecar.post_from("/run/close", &headers, &json!({})).await
}

async fn seen(sidecar: &Sidecar) -> Value {
    let (status, body) = sidecar.get("/engine").await;
    assert_eq!(status, 200, "{body}");
    body["seen"].clone()
}

#[tokio::test]
async fn a_mark_is_on_disk_before_its_command_is_with_the_game_and_outlives_a_kill() {
    let directory = tempfile::tempdir().unwrap();
    let mut sidecar = Sidecar::start_in(directory.path(), 10_000);
    assert_eq!(seen(&sidecar).await, json!([]));
    let mut game = Game::connect(&sidecar, "boot-1").await;
    let at_the_game = async {
        let command = game.next().await.unwrap();
        assert_eq!(seen_in(directory.path())["scopes"]["main"], json!([mark(41, 'a')]), "it was written down first");
        assert_eq!(
            command.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["kind", "reqId"],
            "the game is not bothered with it"
        );
        game.send(&json!({"kind": "run.ok", "reqId": command["reqId"]})).await;
    };
    let newest = mark(41, 'a');
    let ((), (status, _)) = tokio::join!(at_the_game, post_from(&sidecar, &newest));
    assert_eq!(status, 200);
    sidecar.child.kill().unwrap();
    sidecar.child.wait().unwrap();

    let sidecar = Sidecar::start_in(directory.path(), 10_000);
    assert_eq!(seen(&sidecar).await, json!([mark(41, 'a')]));
    assert_eq!(post_from(&sidecar, &mark(40, 'b')).await.0, 503, "no game is on the line, and the mark is taken all the same");
    assert_eq!(seen(&sidecar).await, json!([mark(41, 'a')]), "a lower place does not count");
    assert_eq!(sidecar.post("/run/close", json!({})).await.0, 503);
    assert_eq!(seen(&sidecar).await, json!([mark(41, 'a')]), "nor does a command that names none");
}

#[tokio::test]
async fn the_engine_says_where_history_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let mut sidecar = Sidecar::start_in(directory.path(), 10_000);
    post_from(&sidecar, &mark(41, 'a')).await;
    assert_eq!(sidecar.put("/engine", mark(12, 'b').to_string()).await, (200, json!({"seen": [mark(12, 'b')]})));
    for wrong in ["", "{}", "[]", r#"{"log":"x","position":-1,"hash":""}"#, r#"{"log":"","position":1,"hash":"aa"}"#] {
        let (status, body) = sidecar.put("/engine", wrong).await;
        assert_eq!((status, &body["kind"]), (400, &json!("link.error")), "{wrong}: {body}");
    }
    assert_eq!(sidecar.put("/engine", "x".repeat(3_000_000)).await.0, 400);
    sidecar.child.kill().unwrap();
    sidecar.child.wait().unwrap();
    assert_eq!(seen(&Sidecar::start_in(directory.path(), 10_000)).await, json!([mark(12, 'b')]));
}

/// A file as earlier versions wrote it, and one whose last line a crash tore.
#[tokio::test]
async fn what_an_earlier_version_or_a_crash_has_left_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let whole = json!({"seen": [], "scopes": {"main": [mark(41, 'a')]}}).to_string();
    for left in [whole.clone(), format!("{whole}\n{{\"seen\":[],\"sco"), format!("{{\"seen\":[]}}\n{whole}\n\0\0\0")] {
        std::fs::write(seen_file(directory.path()), &left).unwrap();
        let sidecar = Sidecar::start_in(directory.path(), 10_000);
        assert_eq!(seen(&sidecar).await, json!([mark(41, 'a')]), "{left:?}");
        post_from(&sidecar, &mark(42, 'b')).await;
        assert_eq!(seen_in(directory.path())["scopes"]["main"], json!([mark(42, 'b')]));
    }
}

#[tokio::test]
async fn many_commands_at_once_leave_the_highest_mark() {
    let sidecar = Sidecar::start(10_000);
    drop(Game::connect(&sidecar, "boot-1").await);
    sidecar.until_connected(false).await;
    let marks: Vec<Value> = (1..=40).map(|position| mark(position * 7 % 41, 'c')).collect();
    futures::future::join_all(marks.iter().map(|mark| post_from(&sidecar, mark))).await;
    assert_eq!(seen(&sidecar).await, json!([mark(40, 'c')]));
}

#[tokio::test]
async fn headers_that_name_no_place_cost_their_command() {
    let sidecar = Sidecar::start(10_000);
    let hash = "a".repeat(64);
    let wrong: [(&[(&str, &str)], &str); 5] = [
        (&[("Leasehold-Log", LOG)], "come together"),
        (&[("Leasehold-Log", LOG), ("Leasehold-Position", "1")], "come together"),
        (&[("Leasehold-Log", LOG), ("Leasehold-Position", "-1"), ("Leasehold-Hash", &hash)], "leasehold-position"),
        (&[("Leasehold-Log", LOG), ("Leasehold-Position", "1"), ("Leasehold-Hash", "abc")], "hash"),
        (&[("Leasehold-Log", ""), ("Leasehold-Position", "1"), ("Leasehold-Hash", &hash)], "log"),
    ];
    for (headers, named) in wrong {
        let (status, body) = sidecar.post_from("/run/close", headers, &json!({})).await;
        let reason = body["reason"].as_str().unwrap_or_default();
        assert_eq!((status, &body["error"]), (400, &json!("bad_field")), "{body}");
        assert!(reason.contains(named) && reason.ends_with("nothing was sent"), "{reason}");
    }
    assert_eq!(seen(&sidecar).await, json!([]));
}

#[tokio::test]
async fn a_file_that_cannot_be_kept_stops_the_command_or_the_start() {
    let directory = tempfile::tempdir().unwrap();
    let sidecar = Sidecar::start_in(directory.path(), 10_000);
    let second = sidecar_in(directory.path()).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another sidecar"), "{second:?}");

    // Nobody can put a file in the place of a folder that holds something.
    std::fs::create_dir_all(seen_file(directory.path()).join("in-the-way")).unwrap();
    let mut game = Game::connect(&sidecar, "boot-1").await;
    let (status, body) = post_from(&sidecar, &mark(1, 'a')).await;
    assert_eq!((status, &body["error"]), (503, &json!("not_sent")), "{body}");
    let (_, (status, _)) = tokio::join!(game.answer(json!({"kind": "run.ok"})), sidecar.post("/run/close", json!({})));
    assert_eq!(status, 200, "the first command that the game saw is the one that names no place");

    let broken = tempfile::tempdir().unwrap();
    std::fs::write(seen_file(broken.path()), "{\"seen\": [").unwrap();
    let refused = sidecar_in(broken.path()).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("does not read"), "{refused:?}");
}
