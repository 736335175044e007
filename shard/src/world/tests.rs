use super::*;
use leasehold_link::wire::{Spawn, Stamp};

fn order(run: &str, key: &str, count: u32) -> Spawn {
    let stamp = Stamp { run_id: run.into(), fence: 1, ttl_ms: 1000, idempotency_key: key.into() };
    Spawn {
        map: "Felucca".into(),
        x: 3,
        y: 4,
        radius: Some(5),
        creature: "orc".into(),
        count,
        name: None,
        hue: None,
        boss: None,
        stamp,
    }
}

fn places(world: &World) -> Vec<(Serial, i32, i32)> {
    world.creatures().map(|creature| (creature.serial, creature.x, creature.y)).collect()
}

#[test]
fn one_seed_is_one_world_for_as_long_as_it_ticks() {
    let (mut one, mut same, mut other) =
        (World::populated(7, 300, 24), World::populated(7, 300, 24), World::populated(8, 300, 24));
    for _ in 0..200 {
        one.tick();
        same.tick();
        other.tick();
    }
    assert_eq!(places(&one), places(&same));
    assert_ne!(places(&one), places(&other));
    assert_eq!((one.creatures().count(), one.ticks()), (300, 200));
}

#[test]
fn creatures_wander_within_their_leash_and_the_map() {
    let mut world = World::populated(7, 100, 3);
    let made = world.spawn(&order("77", "k", 20), "orc", Map::Felucca);
    let before = places(&world);
    for _ in 0..500 {
        world.tick();
        for creature in world.creatures() {
            let (dx, dy) = (creature.x - creature.home.0, creature.y - creature.home.1);
            assert!(dx.abs().max(dy.abs()) <= i32::from(creature.leash) && Map::contains(creature.x, creature.y), "{creature:?}");
        }
    }
    assert_ne!(places(&world), before);
    assert_eq!(world.owned_by("77").map(|creature| creature.serial).collect::<Vec<_>>(), made);
}

#[test]
fn a_save_brings_everything_back_and_a_serial_is_never_given_out_twice() {
    let directory = tempfile::tempdir().unwrap();
    let mut world = World::populated(7, 50, 3);
    world.spawn(&order("77", "k", 3), "orc", Map::Felucca);
    world.save(directory.path(), 5).unwrap();
    let lost = world.spawn(&order("77", "late", 3), "orc", Map::Felucca);

    let mut loaded = World::load(directory.path(), 7).unwrap().unwrap();
    assert_eq!(loaded.creatures().count(), 53);
    assert_eq!(loaded.owned_by("77").count(), 3);
    assert!(lost.iter().all(|serial| loaded.creature(*serial).is_none()), "what was made since the save is gone");
    loaded.reserve_serials(world.reserved_to(), world.reserved_to() + 100);
    let new = loaded.spawn(&order("77", "new", 3), "orc", Map::Felucca);
    assert!(new.iter().all(|serial| !lost.contains(serial)));
}

#[test]
fn a_broken_save_is_refused_and_no_save_is_none() {
    let directory = tempfile::tempdir().unwrap();
    assert!(World::load(directory.path(), 7).unwrap().is_none());
    let path = directory.path().join("world.json");
    for text in ["", "{}", "{\"version\":1"] {
        std::fs::write(&path, text).unwrap();
        assert!(matches!(World::load(directory.path(), 7), Err(SaveFault::Broken { .. })), "{text}");
    }
    std::fs::write(&path, r#"{"version":2,"writtenMs":0,"nextSerial":1,"creatures":[],"players":[]}"#).unwrap();
    assert!(matches!(World::load(directory.path(), 7), Err(SaveFault::OtherVersion { found: 2, .. })));
}

#[test]
fn a_character_has_a_name_of_its_own_and_too_many_are_refused() {
    let mut world = World::empty(7);
    let player = |name: &str, address: Option<&str>| Player {
        serial: Serial(0),
        name: name.into(),
        skill_cap: 1000,
        stat_cap: 225,
        address: address.map(str::to_owned),
        staff: false,
        pack: BTreeMap::new(),
    };
    world.create_player(player("Darrow", Some("10.0.0.1")), 3, 1).unwrap();
    for name in ["", "D", "darrow", "Dar row", "D4rrow", "Abcdefghijklmnopq"] {
        assert!(world.create_player(player(name, None), 3, 1).is_err(), "{name}");
    }
    assert!(world.create_player(player("Semidar", Some("10.0.0.1")), 3, 1).is_err(), "one account from there");
    world.create_player(player("Semidar", None), 3, 1).unwrap();
    world.create_player(player("Tester", None), 3, 1).unwrap();
    assert!(world.create_player(player("Fourth", None), 3, 1).is_err());
}
