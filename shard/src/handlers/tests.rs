use super::*;
use crate::{
    config::{Config, Rules},
    fences::Fences,
    lease::LeasePlane,
    outbox::Outbox,
    participation::Participation,
    world::World,
};
use leasehold_link::wire::{Correlation, Despawned, ErrorName, LookedAt, OptionalStamp, Serial};
use serde_json::json;

mod verbs;

fn game() -> Game {
    let config = Config::default();
    let rules = Rules::read(&config);
    let (world, leases) = (World::empty(7), LeasePlane::new(rules.lease_max_ms));
    Game {
        world,
        config,
        rules,
        leases,
        participation: Participation::default(),
        fences: Fences::default(),
        broadcasts: 0,
        save_asked: false,
        now_ms: 0,
    }
}

fn run(game: &mut Game, kind: Kind, fields: Value) -> Result<Done, Refusal> {
    let mut body = json!({"runId": "77", "fence": 1, "ttlMs": 1000, "idempotencyKey": "k"});
    body.as_object_mut().unwrap().extend(serde_json::from_value::<Map<String, Value>>(fields).unwrap());
    let body = serde_json::from_value(body).unwrap();
    let correlation = Correlation { field: "reqId", value: "1".into() };
    let call = Call { kind, body, correlation, stamp: OptionalStamp::default(), received_ms: 0, outbox: Outbox::new().0 };
    handler(kind)(&call, game)
}

fn refused(game: &mut Game, kind: Kind, fields: Value) -> ErrorName {
    run(game, kind, fields).unwrap_err().error
}

fn raid(count: i64) -> Value {
    json!({"map": "Felucca", "x": 540, "y": 992, "creature": "orc", "count": count})
}

fn with(mut base: Value, field: &str, value: Value) -> Value {
    base[field] = value;
    base
}

fn serials(done: &Done) -> Vec<Serial> {
    serde_json::from_value(done.fields["serials"].clone()).unwrap()
}

#[test]
fn a_look_tells_what_is_there_and_changes_nothing() {
    let mut game = game();
    let made = serials(&run(&mut game, Kind::WorldSpawn, raid(2)).unwrap());
    run(&mut game, Kind::WorldDespawn, json!({"serials": [made[1]]})).unwrap();
    let look = |run: &str| json!({"runId": run, "serials": [made[0], made[1], "0x1"]});
    let told = |done: Done| serde_json::from_value::<LookedAt>(Value::Object(done.fields)).unwrap();
    let own = told(run(&mut game, Kind::WorldLook, look("77")).unwrap());
    assert_eq!((own.present, own.gone.len(), own.unknown.len()), (vec![made[0]], 2, 0));
    let anothers = told(run(&mut game, Kind::WorldLook, look("78")).unwrap());
    assert_eq!((anothers.present.len(), anothers.gone.len()), (0, 3), "what is somebody else's, this run has no more");
    for wrong in [json!({"runId": "77", "serials": []}), json!({"runId": "77"}), json!({"runId": "77", "serials": ["orc"]})] {
        assert_eq!(refused(&mut game, Kind::WorldLook, wrong), ErrorName::BadField);
    }
}

#[test]
fn every_field_of_a_placement_is_judged_before_anything_is_made() {
    let mut game = game();
    let table = [
        (with(raid(1), "map", json!("Ilshenar")), ErrorName::UnknownMap),
        (with(raid(1), "x", json!(-1)), ErrorName::OutOfBounds),
        (with(raid(1), "y", json!(4096)), ErrorName::OutOfBounds),
        (with(raid(1), "x", json!(i64::MAX)), ErrorName::BadField),
        (with(raid(1), "x", json!(1.5)), ErrorName::BadField),
        (with(raid(1), "creature", json!("Orc")), ErrorName::UnknownCreature),
        (with(raid(1), "creature", json!(["orc"])), ErrorName::BadField),
        (with(raid(1), "radius", json!(21)), ErrorName::BadField),
        (with(raid(1), "radius", json!(-1)), ErrorName::BadField),
        (with(raid(1), "hue", json!(3001)), ErrorName::BadField),
        (with(raid(1), "name", json!("")), ErrorName::BadField),
        (with(raid(1), "name", json!("a\nb")), ErrorName::BadField),
        (with(raid(1), "name", json!("x".repeat(41))), ErrorName::BadField),
        (with(raid(1), "count", json!(null)), ErrorName::BadField),
        (raid(0), ErrorName::BadField),
        (raid(-1), ErrorName::BadField),
        (raid(31), ErrorName::CeilingExceeded),
        (raid(4_294_967_295), ErrorName::CeilingExceeded),
    ];
    for (fields, error) in table {
        assert_eq!(refused(&mut game, Kind::WorldSpawn, fields.clone()), error, "{fields}");
    }
    assert_eq!(game.world.creatures().count(), 0);
}

#[test]
fn the_ceiling_counts_who_is_alive_and_is_one_for_each_run() {
    let mut game = game();
    let made = serials(&run(&mut game, Kind::WorldSpawn, raid(20)).unwrap());
    let refusal = run(&mut game, Kind::WorldSpawn, raid(11)).unwrap_err();
    assert_eq!((&refusal.extra["alive"], &refusal.extra["ceiling"]), (&json!(20), &json!(30)));
    run(&mut game, Kind::WorldSpawn, with(raid(30), "runId", json!("78"))).unwrap();
    game.world.remove(made[0]);
    run(&mut game, Kind::WorldSpawn, raid(11)).unwrap();
    assert_eq!(game.world.owned_by("77").count(), 30);
}

#[test]
fn a_removal_tells_removed_gone_and_refused_apart() {
    let mut game = game();
    let mine = serials(&run(&mut game, Kind::WorldSpawn, raid(2)).unwrap());
    let theirs = serials(&run(&mut game, Kind::WorldSpawn, with(raid(1), "runId", json!("78"))).unwrap());
    game.world.remove(mine[1]);
    let order = json!({"serials": [mine[0], mine[0], mine[1], theirs[0], "0x1"]});
    let done = run(&mut game, Kind::WorldDespawn, order).unwrap();
    let told: Despawned = serde_json::from_value(Value::Object(done.fields)).unwrap();
    assert_eq!(told, Despawned { removed: vec![mine[0]], gone: vec![Serial(1), mine[1]], refused: theirs.clone() });
    assert!(game.world.creature(theirs[0]).is_some());
}

#[test]
fn a_key_names_what_it_made_and_nothing_there_is_a_success() {
    let mut game = game();
    let made = serials(&run(&mut game, Kind::WorldSpawn, with(raid(3), "idempotencyKey", json!("one"))).unwrap());
    run(&mut game, Kind::WorldSpawn, with(raid(2), "idempotencyKey", json!("two"))).unwrap();
    let by_key = json!({"serials": [], "forKey": "one"});
    let told = |done: Done| serde_json::from_value::<Despawned>(Value::Object(done.fields)).unwrap();
    assert_eq!(told(run(&mut game, Kind::WorldDespawn, with(by_key.clone(), "runId", json!("78"))).unwrap()).refused, made);
    assert_eq!(told(run(&mut game, Kind::WorldDespawn, by_key.clone()).unwrap()).removed, made);
    assert_eq!(told(run(&mut game, Kind::WorldDespawn, by_key).unwrap()), Despawned::default());
    assert_eq!(game.world.owned_by("77").count(), 2);
}

#[test]
fn a_removal_that_names_nothing_or_too_much_is_refused() {
    let mut game = game();
    for fields in [json!({}), json!({"serials": []}), json!({"serials": ["no"]}), json!({"serials": vec!["0x1"; 1001]})] {
        assert_eq!(refused(&mut game, Kind::WorldDespawn, fields), ErrorName::BadField);
    }
}

#[test]
fn a_broadcast_has_one_line_of_at_most_200_characters() {
    let mut game = game();
    for text in [json!(""), json!("ü".repeat(201)), json!("a\nb"), json!("a\u{0}"), json!(5), json!(null)] {
        assert_eq!(refused(&mut game, Kind::AdminBroadcast, json!({"text": text})), ErrorName::BadField);
    }
    assert_eq!(refused(&mut game, Kind::AdminBroadcast, json!({"text": "a", "hue": 3001})), ErrorName::BadField);
    assert_eq!(game.broadcasts, 0);
    let done = run(&mut game, Kind::AdminBroadcast, json!({"text": "ü".repeat(200), "hue": 3000})).unwrap();
    assert_eq!((done.kind, game.broadcasts), ("admin.ok", 1));
}
