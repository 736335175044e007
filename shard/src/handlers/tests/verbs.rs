//! The verbs beside creatures: each field judged, each ceiling refused by its own name.

use super::*;
use crate::world::NewPlayer;
use leasehold_link::wire::{Granted, Placed, limits};

fn npc() -> Value {
    json!({"map": "Felucca", "x": 540, "y": 992, "name": "Old Marta", "greeting": "The orchard needs hands.",
        "lines": [{"keyword": "Raiders", "text": "They come at dusk."}]})
}

fn gate() -> Value {
    json!({"map": "Felucca", "x": 1434, "y": 1699, "toMap": "Felucca", "toX": 540, "toY": 992, "openMs": 14_400_000})
}

fn banner() -> Value {
    json!({"map": "Felucca", "x": 540, "y": 992, "item": "banner"})
}

fn cry() -> Value {
    json!({"notice": "harvest", "lines": ["Hands are wanted in Yew"], "forMs": 60_000})
}

fn news() -> Value {
    json!({"notice": "harvest", "title": "A harvest", "text": "Yew asks\nfor hands."})
}

fn placed(done: &Done) -> Serial {
    serde_json::from_value::<Placed>(Value::Object(done.fields.clone())).unwrap().serial
}

fn character(game: &mut Game, name: &str) -> Serial {
    let new = NewPlayer { name: name.to_owned(), ..NewPlayer::default() };
    game.world.create_player(new, 5000, 1).unwrap().serial
}

#[test]
fn every_field_is_judged_before_anything_is_made() {
    let mut game = game();
    let lines = |count: usize| json!(vec![json!({"keyword": "a", "text": "b"}); count]);
    let table = [
        (Kind::WorldNpc, with(npc(), "map", json!("Malas")), ErrorName::UnknownMap),
        (Kind::WorldNpc, with(npc(), "y", json!(-1)), ErrorName::OutOfBounds),
        (Kind::WorldNpc, with(npc(), "name", json!("a\nb")), ErrorName::BadField),
        (Kind::WorldNpc, with(npc(), "greeting", json!("")), ErrorName::BadField),
        (Kind::WorldNpc, with(npc(), "lines", json!([{"keyword": "a"}])), ErrorName::BadField),
        (Kind::WorldNpc, with(npc(), "lines", json!([{"keyword": "a", "text": "b", "command": "[set"}])), ErrorName::BadField),
        (Kind::WorldNpc, with(npc(), "lines", lines(6)), ErrorName::LinesExceeded),
        (Kind::WorldGate, with(gate(), "toMap", json!("Trammel")), ErrorName::GateAcrossFacets),
        (Kind::WorldGate, with(gate(), "toX", json!(9_999)), ErrorName::OutOfBounds),
        (Kind::WorldGate, with(gate(), "openMs", json!(14_400_001)), ErrorName::GateTooLong),
        (Kind::WorldGate, with(gate(), "openMs", json!(u64::MAX)), ErrorName::GateTooLong),
        (Kind::WorldGate, with(gate(), "openMs", json!(0)), ErrorName::BadField),
        (Kind::WorldDecorate, with(banner(), "item", json!("chest")), ErrorName::ContainerRefused),
        (Kind::WorldDecorate, with(banner(), "item", json!("Static")), ErrorName::UnknownItem),
        (Kind::WorldDecorate, with(banner(), "graphic", json!(1)), ErrorName::BadField),
        (Kind::WorldGrant, json!({"item": "gold", "recipients": ["0x1"]}), ErrorName::UnknownItem),
        (Kind::WorldGrant, json!({"item": "event_token", "recipients": []}), ErrorName::BadField),
        (Kind::WorldGrant, json!({"item": "event_token", "recipients": ["0x1", "0x01"]}), ErrorName::BadField),
        (Kind::WorldGrant, json!({"item": "event_token", "recipients": ["0x1"], "amount": 101}), ErrorName::GrantExceeded),
        (Kind::TowncrierPost, with(cry(), "lines", json!(["a", "b", "c", "d", "e", "f"])), ErrorName::LinesExceeded),
        (Kind::TowncrierPost, with(cry(), "forMs", json!(limits::CRIER_MAX_MS + 1)), ErrorName::HoldTooLong),
        (Kind::TowncrierPost, with(cry(), "notice", json!("")), ErrorName::BadField),
        (Kind::NewsPost, with(news(), "text", json!("a\u{0}")), ErrorName::BadField),
        (Kind::NewsPost, with(news(), "title", json!("x".repeat(81))), ErrorName::BadField),
        (Kind::WorldSpawn, with(raid(1), "loot", json!("gold")), ErrorName::NoLoot),
        (Kind::WorldSpawn, with(raid(1), "boss", json!({"hits": 2001, "damage": 100})), ErrorName::BossTooStrong),
        (Kind::WorldSpawn, with(raid(1), "boss", json!({"hits": 100, "damage": 99})), ErrorName::BadField),
    ];
    for (kind, fields, error) in table {
        assert_eq!(refused(&mut game, kind, fields.clone()), error, "{kind} {fields}");
    }
    assert_eq!((game.world.things().count(), game.world.creatures().count()), (0, 0));
}

#[test]
fn every_ceiling_has_a_name_of_its_own_and_is_one_for_each_run() {
    let boss = || with(raid(1), "boss", json!({"hits": 500, "damage": 200}));
    let table = [
        (Kind::WorldNpc, npc(), 5, ErrorName::NpcsExceeded),
        (Kind::WorldGate, gate(), 4, ErrorName::GatesExceeded),
        (Kind::WorldDecorate, banner(), 100, ErrorName::DecorationsExceeded),
        (Kind::WorldSpawn, boss(), 4, ErrorName::BossesExceeded),
    ];
    let mut game = game();
    for (kind, fields, ceiling, error) in table {
        for _ in 0..ceiling {
            run(&mut game, kind, fields.clone()).unwrap();
        }
        assert_eq!(refused(&mut game, kind, fields.clone()), error);
        run(&mut game, kind, with(fields, "runId", json!("78"))).unwrap();
    }
    run(&mut game, Kind::WorldSpawn, raid(26)).unwrap();
    assert_eq!(refused(&mut game, Kind::WorldSpawn, raid(1)), ErrorName::CeilingExceeded, "bosses count as creatures");
}

#[test]
fn a_person_greets_and_answers_to_its_words_in_any_case() {
    let mut game = game();
    let serial = placed(&run(&mut game, Kind::WorldNpc, npc()).unwrap());
    let what = &game.world.thing(serial).unwrap().what;
    assert_eq!(what.says(""), Some("The orchard needs hands."));
    assert_eq!(what.says("tell me of the RAIDERS"), Some("They come at dusk."));
    assert_eq!(what.says("gold"), None);
}

#[test]
fn a_gate_has_two_ends_that_lead_to_each_other_until_its_time_is_over() {
    let mut game = game();
    let done = run(&mut game, Kind::WorldGate, gate()).unwrap();
    assert_eq!((serials(&done).len(), &done.fields["untilMs"]), (2, &json!(14_400_000)));
    assert_eq!(game.world.expire_things(14_399_999), []);
    assert_eq!(game.world.expire_things(14_400_000).len(), 2);
    assert_eq!(game.world.things().count(), 0);
}

#[test]
fn objects_are_removed_by_serial_and_by_key_and_by_their_run_alone() {
    let mut game = game();
    let mine = placed(&run(&mut game, Kind::WorldNpc, with(npc(), "idempotencyKey", json!("one"))).unwrap());
    let pair = serials(&run(&mut game, Kind::WorldGate, with(gate(), "idempotencyKey", json!("two"))).unwrap());
    run(&mut game, Kind::WorldSpawn, with(raid(2), "idempotencyKey", json!("three"))).unwrap();
    let told = |done: Done| serde_json::from_value::<Despawned>(Value::Object(done.fields)).unwrap();
    let by_key = json!({"forKey": "two"});
    assert_eq!(told(run(&mut game, Kind::WorldDespawn, with(by_key.clone(), "runId", json!("78"))).unwrap()).refused, pair);
    assert_eq!(told(run(&mut game, Kind::WorldDespawn, by_key.clone()).unwrap()).removed, pair);
    assert_eq!(told(run(&mut game, Kind::WorldDespawn, by_key).unwrap()), Despawned::default());
    let by_serial = json!({"serials": [mine, pair[0]], "forKey": "three"});
    let told = told(run(&mut game, Kind::WorldDespawn, by_serial).unwrap());
    assert_eq!((told.removed.len(), told.gone), (3, vec![pair[0]]));
}

#[test]
fn a_grant_tells_who_was_missed_and_refuses_the_whole_for_one_of_the_staff() {
    let mut game = game();
    let (player, staff) = (character(&mut game, "Darrow"), character(&mut game, "Lorne"));
    game.world.set_staff("lorne", true).unwrap();
    let give = |to: Value| json!({"item": "event_token", "amount": 3, "recipients": to});
    assert_eq!(refused(&mut game, Kind::WorldGrant, give(json!([player, staff]))), ErrorName::AccessFloor);
    assert!(game.world.player(player).unwrap().pack.is_empty());
    let done = run(&mut game, Kind::WorldGrant, give(json!([player, "0x1"]))).unwrap();
    let told: Granted = serde_json::from_value(Value::Object(done.fields)).unwrap();
    assert_eq!(told, Granted { granted: vec![player], missed: vec![Serial(1)] });
    assert_eq!(game.world.player(player).unwrap().pack["event_token"], 3);
}

#[test]
fn a_notice_posted_again_takes_the_place_of_the_first_and_of_no_other_runs() {
    let mut game = game();
    let first = placed(&run(&mut game, Kind::NewsPost, news()).unwrap());
    run(&mut game, Kind::TowncrierPost, cry()).unwrap();
    run(&mut game, Kind::NewsPost, with(news(), "runId", json!("78"))).unwrap();
    let second = placed(&run(&mut game, Kind::NewsPost, with(news(), "title", json!("Another"))).unwrap());
    assert_eq!((game.world.things().count(), game.world.thing(first)), (3, None));
    assert!(second > first);
    for number in 0..48 {
        run(&mut game, Kind::NewsPost, with(news(), "notice", json!(format!("n{number}")))).unwrap();
    }
    assert_eq!(refused(&mut game, Kind::NewsPost, with(news(), "notice", json!("one more"))), ErrorName::NoticesExceeded);
    run(&mut game, Kind::NewsPost, news()).unwrap();
}
