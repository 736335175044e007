//! Commands as nobody should send them, in great number; disks that fail; handlers that fail; games that die half-way.

use super::bench::{Bench, error};
use leasehold_link::wire::Kind;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use std::fs;

/// One good command of each kind that makes something.
fn good() -> Vec<(Kind, Value)> {
    let at = json!({"map": "Felucca", "x": 540, "y": 992});
    let with = |fields: Value| {
        let mut body = at.clone();
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        body
    };
    let line = json!([{"keyword": "raid", "text": "At dusk"}]);
    vec![
        (Kind::WorldSpawn, with(json!({"creature": "orc", "count": 1, "boss": {"hits": 200, "damage": 100}}))),
        (Kind::WorldNpc, with(json!({"name": "Marta", "greeting": "Hail", "lines": line}))),
        (Kind::WorldGate, with(json!({"toMap": "Felucca", "toX": 1, "toY": 2, "openMs": 60_000}))),
        (Kind::WorldDecorate, with(json!({"item": "banner", "graphic": 0x042A, "hue": 5}))),
        (Kind::TowncrierPost, json!({"notice": "n", "lines": ["Hail"], "forMs": 60_000})),
        (Kind::NewsPost, json!({"notice": "n", "title": "Hail", "text": "Hail"})),
    ]
}

fn command(kind: Kind, key: &str, fields: &Value) -> Value {
    let mut body = json!({"kind": kind.as_str(), "runId": "77", "fence": 5, "ttlMs": 3_000_000, "idempotencyKey": key});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    body
}

fn standing(bench: &mut Bench) -> u64 {
    bench.owned("77") + bench.console("objects --run 77")["count"].as_u64().unwrap()
}

/// Values that no field expects, or just about does.
fn odd(chance: &mut StdRng) -> Value {
    let all = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1.5),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(""),
        json!("x".repeat(5_000)),
        json!("\u{202e}\u{0}"),
        json!("Felucca"),
        json!([]),
        json!(["0x1", "0x1"]),
        json!([[[{}]]]),
        json!({}),
        json!({"hits": u32::MAX, "damage": 100}),
        json!([{"keyword": "", "text": null}]),
    ];
    all[chance.random_range(0..all.len())].clone()
}

#[tokio::test]
async fn fields_of_any_shape_are_refused_by_name_or_done_and_break_no_handler() {
    let (mut bench, mut chance) = (Bench::new(), StdRng::seed_from_u64(41));
    let mut commands = good();
    commands.push((Kind::WorldGrant, json!({"item": "event_token", "amount": 1, "recipients": ["0x1"]})));
    commands.push((Kind::WorldSave, json!({})));
    for round in 0..1_500 {
        let (kind, mut fields) = commands[chance.random_range(0..commands.len())].clone();
        let names: Vec<String> = fields.as_object().unwrap().keys().cloned().collect();
        for name in &names {
            if chance.random_bool(0.3) {
                fields[name.as_str()] = odd(&mut chance);
            }
        }
        let answer = bench.send(command(kind, &format!("k-{round}"), &fields));
        let word = answer["kind"].as_str().unwrap();
        assert!(word == kind.ok_kind() || word == kind.error_kind(), "{kind} was answered by {word}");
        assert!(
            word == kind.ok_kind() || answer["reason"].as_str().is_some_and(|reason| reason.chars().count() <= 401),
            "{kind} {word}"
        );
        if round % 100 == 99 {
            let objects = bench.console("objects")["objects"].clone();
            let serials: Vec<&Value> = objects.as_array().unwrap().iter().map(|object| &object["serial"]).collect();
            assert!(serials.len() <= 5 + 8 + 100 + 100, "no ceiling was passed");
            let undo = json!({"serials": serials, "forKey": "none"});
            bench.send(command(Kind::WorldDespawn, &format!("u-{round}"), &undo));
        }
    }
}

#[tokio::test]
async fn a_refusal_of_a_field_as_long_as_a_line_still_fits_a_line() {
    let mut bench = Bench::new();
    for field in ["count", "x", "fence", "boss"] {
        let mut body = command(Kind::WorldSpawn, "k", &good()[0].1);
        body[field] = "ü".repeat(120_000).into();
        let answer = bench.send(body);
        assert_eq!(error(&answer), ("world.spawn.error", "bad_field"), "{field}");
        assert!(answer.to_string().len() < 4_096, "{field}");
    }
}

#[tokio::test]
async fn a_key_of_any_verb_that_had_begun_never_runs_again_and_is_undone_by_key() {
    let mut bench = Bench::new();
    for (nth, (kind, fields)) in good().into_iter().enumerate() {
        let (key, undo) = (format!("k-{nth}"), format!("u-{nth}"));
        bench.console(&format!("fault hold {kind}"));
        let (_, said) = bench.send_all(command(kind, &key, &fields));
        assert!(said.is_empty(), "{said:?}");
        bench = bench.restart();
        assert_eq!(bench.send(command(kind, &key, &fields))["kind"], "bridge.interrupted", "{kind}");
        let undone = bench.send(command(Kind::WorldDespawn, &undo, &json!({"forKey": key})));
        assert_eq!((undone["kind"].as_str(), standing(&mut bench)), (Some("world.despawn.ok"), 0), "{kind}");
    }
}

#[tokio::test]
async fn a_verb_that_fails_half_way_keeps_its_key_and_leaves_what_its_key_can_undo() {
    let mut bench = Bench::new();
    for (nth, (kind, fields)) in good().into_iter().enumerate() {
        let key = format!("k-{nth}");
        bench.console(&format!("fault throw {kind}"));
        assert_eq!(error(&bench.send(command(kind, &key, &fields))), ("bridge.error", "handler_failed"), "{kind}");
        bench.console("fault clear");
        assert_eq!(bench.send(command(kind, &key, &fields))["replayed"], true, "{kind}: it does not run again");
        assert!(standing(&mut bench) > 0, "{kind}");
        bench.send(command(Kind::WorldDespawn, &format!("u-{nth}"), &json!({"forKey": key})));
        assert_eq!(standing(&mut bench), 0, "{kind}");
    }
}

#[tokio::test]
async fn a_key_belongs_to_what_was_asked_with_it() {
    let mut bench = Bench::new();
    let gate = &good()[2].1;
    bench.send(command(Kind::WorldGate, "k", gate));
    let mut longer = gate.clone();
    longer["openMs"] = 120_000.into();
    assert_eq!(error(&bench.send(command(Kind::WorldGate, "k", &longer))), ("bridge.error", "key_reused"));
    assert_eq!(error(&bench.send(command(Kind::WorldNpc, "k", &good()[1].1))), ("bridge.error", "key_reused"));
    assert_eq!(standing(&mut bench), 2);
}

#[tokio::test]
async fn a_save_that_cannot_be_written_is_a_refusal_and_may_be_asked_for_again_at_once() {
    let mut bench = Bench::new();
    let in_the_way = bench.directory().join("world.json.new");
    fs::create_dir(&in_the_way).unwrap();
    assert_eq!(error(&bench.send(command(Kind::WorldSave, "k", &json!({})))), ("world.save.error", "save_failed"));
    assert_eq!(bench.console("save")["ok"], false);
    fs::remove_dir(&in_the_way).unwrap();
    assert_eq!(bench.send(command(Kind::WorldSave, "k", &json!({})))["kind"], "world.save.ok");
}
