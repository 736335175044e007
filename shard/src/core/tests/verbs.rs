//! What the game keeps by itself: deadlines of objects, the time between saves, what a restart finds.

use super::bench::{Bench, close, error};
use serde_json::{Value, json};

fn verb(kind: &str, key: &str, fields: &Value) -> Value {
    let mut body = json!({"kind": kind, "runId": "77", "fence": 5, "ttlMs": 30_000, "idempotencyKey": key});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    body
}

fn gate(key: &str) -> Value {
    let fields = json!({"map": "Felucca", "x": 1434, "y": 1699, "toMap": "Felucca", "toX": 540, "toY": 992, "openMs": 600_000});
    verb("world.gate", key, &fields)
}

fn npc(key: &str) -> Value {
    verb("world.npc", key, &json!({"map": "Felucca", "x": 540, "y": 992, "name": "Marta", "greeting": "Hail"}))
}

fn objects(bench: &mut Bench) -> usize {
    let told = bench.console("objects --run 77");
    told["objects"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_gate_closes_by_itself_also_when_its_time_passed_while_the_game_was_away() {
    let mut bench = Bench::new();
    assert_eq!(bench.send(gate("a"))["kind"], "world.gate.ok");
    bench.console("clock +500");
    assert_eq!(objects(&mut bench), 2);
    bench.console("save");
    bench.console("clock +100");
    assert_eq!(objects(&mut bench), 0);
    let mut bench = bench.restart();
    assert_eq!(objects(&mut bench), 2, "the save still has it");
    bench.console("clock +0");
    assert_eq!(objects(&mut bench), 0);
    assert_eq!(bench.send(verb("world.despawn", "u", &json!({"forKey": "a"})))["kind"], "world.despawn.ok");
}

#[tokio::test]
async fn what_was_saved_is_owned_after_a_restart_and_what_was_cried_is_not() {
    let mut bench = Bench::new();
    let made = bench.send(npc("a"));
    bench.send(verb("towncrier.post", "b", &json!({"notice": "n", "lines": ["Hail"], "forMs": 600_000})));
    bench.send(verb("news.post", "c", &json!({"notice": "n", "title": "Hail", "text": "Hail"})));
    bench.console("save");
    bench.send(npc("d"));
    let mut bench = bench.restart();
    assert_eq!(objects(&mut bench), 2, "the person and the article; the second person was made after the save");
    let undo = bench.send(verb("world.despawn", "u", &json!({"forKey": "a"})));
    assert_eq!(undo["removed"], json!([made["serial"]]));
    let later = bench.send(npc("e"));
    assert_ne!(later["serial"], made["serial"]);
}

#[tokio::test]
async fn a_save_too_soon_is_refused_and_its_key_is_free_when_waiting_has_mended_it() {
    let mut bench = Bench::new();
    let save = |key: &str| verb("world.save", key, &json!({}));
    assert_eq!(bench.send(save("a"))["kind"], "world.save.ok");
    bench.console("clock +227");
    let refused = bench.send(save("b"));
    assert_eq!(error(&refused), ("world.save.error", "save_too_soon"));
    assert!((1..=73_000).contains(&refused["retryAfterMs"].as_u64().unwrap()), "{refused}");
    bench.console("clock +73");
    assert_eq!(bench.send(save("b"))["kind"], "world.save.ok");
    assert_eq!(bench.send(save("b"))["replayed"], true);
    assert_eq!(bench.outcomes("b"), ["refused", "applied", "replayed"]);
    let mut bench = bench.restart();
    assert_eq!(error(&bench.send(save("c"))).1, "save_too_soon", "the save itself says when it was written");
}

#[tokio::test]
async fn a_save_of_the_staff_counts_as_the_last_one() {
    let mut bench = Bench::new();
    bench.console("save");
    assert_eq!(error(&bench.send(verb("world.save", "a", &json!({})))).1, "save_too_soon");
}

#[tokio::test]
async fn a_closed_run_places_nothing_and_may_take_everything_back() {
    let mut bench = Bench::new();
    bench.send(npc("a"));
    bench.send(close(5));
    assert_eq!(error(&bench.send(npc("b"))), ("world.npc.error", "run_closed"));
    assert_eq!(error(&bench.send(gate("c"))), ("world.gate.error", "run_closed"));
    assert_eq!(bench.send(verb("world.despawn", "u", &json!({"forKey": "a"})))["removed"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn posts_need_the_admin_consent_and_places_the_events_consent() {
    let mut bench = Bench::with_consents(true, false);
    let cry = verb("towncrier.post", "a", &json!({"notice": "n", "lines": ["Hail"], "forMs": 1}));
    assert_eq!(error(&bench.send(cry)), ("towncrier.post.error", "admin_disabled"));
    let mut bench = Bench::with_consents(false, true);
    assert_eq!(error(&bench.send(npc("a"))), ("world.npc.error", "events_disabled"));
}

#[tokio::test]
async fn the_console_names_the_region_of_a_point() {
    let mut bench = Bench::new();
    assert_eq!(bench.console("region Felucca 540 992"), json!({"ok": true, "region": "Yew Orchard", "around": 3}));
    assert_eq!(bench.console("region Felucca 5150 620"), json!({"ok": true, "region": null, "around": 1}));
    assert_eq!(bench.console("region Felucca 9999 1")["ok"], false);
}

#[tokio::test]
async fn the_console_hears_persons_and_takes_objects_away() {
    let mut bench = Bench::new();
    let serial = bench.send(npc("a"))["serial"].as_str().unwrap().to_owned();
    assert_eq!(bench.console(&format!("hear {serial}"))["says"], "Hail");
    assert_eq!(bench.console(&format!("object delete {serial}"))["ok"], true);
    assert_eq!(bench.console(&format!("hear {serial}"))["ok"], false);
    let undo = bench.send(verb("world.despawn", "u", &json!({"serials": [serial]})));
    assert_eq!(undo["gone"], json!([serial]));
}
