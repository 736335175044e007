//! A game that sends what nobody should send: nothing of it costs more than itself.

use crate::{
    fuzz::{corpus, mutations},
    support::{Game, Sidecar},
};
use serde_json::{Value, json};

/// The next command is answered on the same connection: the game is given it, whatever it said before.
async fn still_carries(sidecar: &Sidecar, game: &mut Game, said: &[u8]) {
    let played = async {
        loop {
            let frame = game.next().await.unwrap_or_else(|| panic!("the line ended after {}", said.escape_ascii()));
            if frame["kind"] == "link.kept" {
                continue;
            }
            game.send(&json!({"kind": "run.ok", "reqId": frame["reqId"]})).await;
            return;
        }
    };
    let ((), (status, body)) = tokio::join!(played, sidecar.post("/run/close", json!({})));
    assert_eq!((status, &body["kind"]), (200, &json!("run.ok")), "after {}", said.escape_ascii());
}

#[tokio::test]
async fn after_any_line_the_next_command_is_answered_on_the_same_connection() {
    let sidecar = Sidecar::start(20_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    let corpus = corpus();
    let soak = std::env::var("LEASEHOLD_SOAK").is_ok();
    let lines = corpus.iter().cloned().chain(mutations(&corpus, 20_260_904, if soak { 20_000 } else { 300 }));
    for line in lines {
        game.send_bytes(&line).await;
        game.send_bytes(b"\n").await;
        still_carries(&sidecar, &mut game, &line).await;
    }
    assert_eq!(sidecar.get("/health").await.1["feed"]["fault"], Value::Null);
}

#[tokio::test]
async fn whatever_is_said_first_a_game_that_says_hello_is_welcomed() {
    let sidecar = Sidecar::start(20_000);
    let corpus = corpus();
    for line in corpus.iter().cloned().chain(mutations(&corpus, 7, 100)) {
        let mut game = Game::dial(&sidecar).await;
        game.send_bytes(&line).await;
        game.send_bytes(b"\n").await;
        game.leave().await;
    }
    let mut game = Game::connect_as(&sidecar, "main", "the-last").await;
    let played = game.answer(json!({"kind": "run.ok"}));
    assert_eq!(tokio::join!(played, sidecar.post("/run/close?scope=main", json!({}))).1.0, 200);
}

#[tokio::test]
async fn bodies_of_commands_cost_themselves_only() {
    let sidecar = Sidecar::start(200);
    let corpus = corpus();
    for body in corpus.iter().cloned().chain(mutations(&corpus, 11, 300)) {
        let (status, told) = sidecar.post_text("/world/spawn", body.clone()).await;
        assert!([400, 503].contains(&status), "{status} {told} after {}", body.escape_ascii());
    }
    let mut game = Game::connect(&sidecar, "boot-1").await;
    still_carries(&sidecar, &mut game, b"").await;
}
