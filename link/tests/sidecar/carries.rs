use crate::support::{Game, Sidecar};
use leasehold_link::wire::{Kind, Method};
use serde_json::json;

#[tokio::test]
async fn the_route_chooses_the_kind_and_the_body_passes_verbatim() {
    let sidecar = Sidecar::start(10_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    for kind in Kind::ALL {
        let (method, path) = kind.route();
        let body =
            json!({"kind": "evil.kind", "reqId": "mine", "fence": u64::MAX, "idempotencyKey": "k", "extra": [1.5, null, "ü"]});
        let ok = json!({"kind": kind.ok_kind(), "t": 42});
        let (command, (status, answer)) = match method {
            Method::Get => tokio::join!(game.answer(ok.clone()), sidecar.get(path)),
            Method::Post => tokio::join!(game.answer(ok.clone()), sidecar.post(path, body.clone())),
        };
        assert_eq!(command["kind"], kind.as_str());
        assert_ne!(command["reqId"], "mine");
        if method == Method::Post {
            for field in ["fence", "idempotencyKey", "extra"] {
                assert_eq!(command[field], body[field]);
            }
        }
        assert_eq!((status, &answer["kind"], &answer["t"]), (200, &json!(kind.ok_kind()), &json!(42)));
    }
}

#[tokio::test]
async fn each_answer_of_the_game_has_its_status() {
    let sidecar = Sidecar::start(10_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    let table = [
        (json!({"kind": "world.spawn.ok", "serials": []}), 200),
        (json!({"kind": "world.spawn.ok", "serials": [], "replayed": true}), 200),
        (json!({"kind": "lease.drifted", "current": "1350"}), 200),
        (json!({"kind": "bridge.busy", "busyKind": "world.spawn"}), 425),
        (json!({"kind": "bridge.interrupted", "error": "interrupted"}), 424),
        (json!({"kind": "bridge.error", "error": "key_reused"}), 400),
        (json!({"kind": "world.spawn.error", "error": "ceiling_exceeded"}), 400),
        (json!({"kind": "world.spawn.error", "error": "events_disabled"}), 403),
        (json!({"kind": "world.spawn.error", "error": "run_closed"}), 410),
        (json!({"kind": "world.spawn.error", "error": "stale_fence"}), 410),
        (json!({"kind": "world.spawn.error", "error": "ttl_expired"}), 408),
        (json!({"kind": "admin.broadcast.error", "error": "admin_disabled"}), 403),
        (json!({"kind": "world.save.error", "error": "save_too_soon"}), 429),
        (json!({"kind": "bridge.error", "error": "handler_failed"}), 400),
        (json!({"kind": "a.kind.of.tomorrow.ok", "odd": 1}), 200),
        (json!({"kind": "a.kind.of.tomorrow.error", "error": "an_error_of_tomorrow"}), 400),
    ];
    for (answer, status) in table {
        let (_, (got, body)) = tokio::join!(game.answer(answer.clone()), sidecar.post("/world/spawn", json!({})));
        assert_eq!(got, status, "{answer}");
        assert_eq!(body["kind"], answer["kind"]);
        assert_eq!(body["error"], answer["error"]);
    }
}

#[tokio::test]
async fn answers_find_their_commands_in_any_order() {
    let sidecar = Sidecar::start(10_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    let asked = async {
        let ask = |n: u32| sidecar.post("/world/spawn", json!({"n": n}));
        tokio::join!(ask(1), ask(2), ask(3))
    };
    let played = async {
        let mut commands = Vec::new();
        for _ in 0..3 {
            commands.push(game.next().await.unwrap());
        }
        commands.reverse();
        for command in commands {
            game.send(&json!({"kind": "world.spawn.ok", "reqId": command["reqId"], "n": command["n"]})).await;
        }
    };
    let ((one, two, three), ()) = tokio::join!(asked, played);
    assert_eq!([one.1["n"].clone(), two.1["n"].clone(), three.1["n"].clone()], [json!(1), json!(2), json!(3)]);
}

#[tokio::test]
async fn health_names_the_game_and_its_absence() {
    let sidecar = Sidecar::start(10_000);
    let (status, before) = sidecar.get("/health").await;
    assert_eq!((status, &before["connected"], &before["protocol"]), (200, &json!(false), &json!(7)));
    let game = Game::connect(&sidecar, "boot-9").await;
    let (_, during) = sidecar.get("/health").await;
    assert_eq!((&during["bootId"], &during["keyMemorySec"], &during["keyCap"]), (&json!("boot-9"), &json!(3600), &json!(4096)));
    assert!(during["since"].is_i64());
    drop(game);
    sidecar.until_connected(false).await;
    assert_eq!(sidecar.get("/health").await.1["bootId"], json!(null));
}
