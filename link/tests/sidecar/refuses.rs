use crate::support::{Game, Sidecar, TOKEN, hello, patiently};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

fn is_own_refusal(body: &Value, error: &str) {
    assert_eq!((body["kind"].as_str(), body["error"].as_str()), (Some("link.error"), Some(error)), "{body}");
    assert!(body["reason"].as_str().is_some_and(|reason| reason.len() > 10), "{body}");
}

#[tokio::test]
async fn without_a_game_nothing_is_sent() {
    let sidecar = Sidecar::start(10_000);
    let (status, body) = sidecar.post("/world/spawn", json!({})).await;
    assert_eq!(status, 503);
    is_own_refusal(&body, "not_sent");
}

#[tokio::test]
async fn a_game_of_another_protocol_shuts_the_gate_until_the_right_one_comes() {
    let sidecar = Sidecar::start(10_000);
    let mut wrong = Game::dial(&sidecar).await;
    wrong.send(&hello(6, "old")).await;
    let refused = wrong.next().await.unwrap();
    assert_eq!((&refused["kind"], &refused["protocol"]), (&json!("link.refused"), &json!(7)));
    assert_eq!(wrong.next().await, None, "and the sidecar hangs up");

    for path in ["/world/spawn", "/lease/release", "/run/close", "/admin/broadcast"] {
        let (status, body) = sidecar.post(path, json!({})).await;
        assert_eq!(status, 409);
        is_own_refusal(&body, "protocol_mismatch");
    }
    assert_eq!(sidecar.get("/health").await.1["refusedProtocol"], 6);

    let mut right = Game::connect(&sidecar, "new").await;
    let (_, (status, _)) = tokio::join!(right.answer(json!({"kind": "run.ok"})), sidecar.post("/run/close", json!({})));
    assert_eq!(status, 200);
}

#[tokio::test]
async fn a_connection_that_does_not_say_hello_is_refused_in_words() {
    let sidecar = Sidecar::start(10_000);
    let firsts = [json!({"kind": "server.hi"}), json!({"kind": "server.hello"}), json!({"kind": "server.hello", "protocol": 7})];
    for first in firsts {
        let mut game = Game::dial(&sidecar).await;
        game.send(&first).await;
        assert_eq!(game.next().await.unwrap()["kind"], "link.refused", "{first}");
        assert_eq!(game.next().await, None);
    }
    assert_eq!(sidecar.get("/health").await.1["connected"], false);
}

#[tokio::test]
async fn the_token_guards_every_route_also_those_that_do_not_exist() {
    let sidecar = Sidecar::start(10_000);
    for path in ["/health", "/lease", "/nowhere"] {
        let (status, body) = sidecar.without_token(path).await;
        assert_eq!(status, 401);
        is_own_refusal(&body, "unauthorized");
    }
}

#[tokio::test]
async fn a_body_that_is_no_object_goes_nowhere() {
    let sidecar = Sidecar::start(10_000);
    let _game = Game::connect(&sidecar, "boot-1").await;
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    for text in ["", "{", "[]", "7", "null", "{\"a\":1} x", "{\"a\":\"\\ud800\"}", deep.as_str()] {
        let (status, body) = sidecar.post_text("/world/spawn", text.to_owned()).await;
        assert_eq!(status, 400, "{text:.40}");
        is_own_refusal(&body, "bad_json");
    }
    let (status, _) = sidecar.post_text("/world/spawn", vec![b'{', b'"', 0xff, b'"', b':', b'1', b'}']).await;
    assert_eq!(status, 400);
}

#[tokio::test]
async fn a_body_that_does_not_end_and_a_path_that_is_no_text_are_refused_in_words() {
    let sidecar = Sidecar::start(200);
    let _game = Game::connect(&sidecar, "boot-1").await;
    let half =
        format!("POST /world/spawn HTTP/1.1\r\nHost: link\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 9\r\n\r\n{{\"a\"");
    let mut caller = TcpStream::connect(&sidecar.http).await.unwrap();
    caller.write_all(half.as_bytes()).await.unwrap();
    let mut told = vec![0; 1024];
    let length = patiently(caller.read(&mut told)).await.unwrap();
    let told = String::from_utf8_lossy(&told[..length]).into_owned();
    assert!(told.starts_with("HTTP/1.1 503 ") && told.contains(r#""error":"not_sent""#), "{told}");
    assert!(told.contains("did not come to its end within 200 ms; nothing was sent"), "{told}");
    let (status, body) = sidecar.post("/participation/%FF/snapshot", json!({})).await;
    assert_eq!(status, 400, "{body}");
    is_own_refusal(&body, "bad_field");
}

#[tokio::test]
async fn a_body_over_the_limit_goes_nowhere_and_one_below_it_passes() {
    let sidecar = Sidecar::start(10_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    for length in [256 * 1024, 256 * 1024 - 20] {
        let (status, body) = sidecar.post("/world/spawn", json!({"a": "x".repeat(length)})).await;
        assert_eq!(status, 413, "{length}");
        is_own_refusal(&body, "too_large");
    }
    let big = json!({"a": "x".repeat(250 * 1024)});
    let (command, (status, _)) =
        tokio::join!(game.answer(json!({"kind": "world.spawn.ok"})), sidecar.post("/world/spawn", big.clone()));
    assert_eq!((status, &command["a"]), (200, &big["a"]));
}

#[tokio::test]
async fn an_order_without_time_left_is_not_sent() {
    let sidecar = Sidecar::start(10_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    let (status, body) = sidecar.post("/world/spawn", json!({"ttlMs": 0, "n": 1})).await;
    assert_eq!(status, 408);
    is_own_refusal(&body, "ttl_expired");
    let (command, _) = tokio::join!(game.answer(json!({"kind": "run.ok"})), sidecar.post("/run/close", json!({"n": 2})));
    assert_eq!(command["n"], 2, "the first command never reached the game");
}

#[tokio::test]
async fn an_unknown_route_or_method_is_answered_as_json() {
    let sidecar = Sidecar::start(10_000);
    for (status, body) in [sidecar.get("/nowhere").await, sidecar.get("/world/spawn").await] {
        assert_eq!(status, 404);
        is_own_refusal(&body, "no_such_route");
    }
}
