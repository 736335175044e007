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

/// So many natives with that leash, and the spawners with a name.
fn few(natives: usize, leash: u16) -> Population {
    Population { natives, leash, spawners: 5 }
}

fn places(world: &World) -> Vec<(Serial, i32, i32)> {
    world.creatures().map(|creature| (creature.serial, creature.x, creature.y)).collect()
}

#[test]
fn one_seed_and_the_same_commands_are_one_world_for_as_long_as_it_ticks() {
    let life = |seed: u64| {
        let mut world = World::populated(seed, few(300, 24));
        let altar = world.altars().next().unwrap().serial;
        for second in 0..400 {
            world.tick(1_790_000_000_000 + second * 1_000);
            match second {
                50 => drop(world.spawn(&order("77", "k", 5), "orc", Map::Felucca)),
                100 => assert!(world.turn(world.spawners.find("yew-orchard-1").unwrap().serial, Dial::MaxCount, "20")),
                150 => drop(world.raise(altar)),
                200 => world.set_season(Season::HarvestFair, Status::Active),
                _ => (),
            }
        }
        world.dump().to_string()
    };
    let (one, same, other) = (life(7), life(7), life(8));
    assert_eq!(one, same);
    assert_ne!(one, other);
}

#[test]
fn creatures_wander_within_their_leash_and_the_map() {
    let mut world = World::populated(7, few(100, 3));
    let made = world.spawn(&order("77", "k", 20), "orc", Map::Felucca);
    let before = places(&world);
    for tick in 0..500 {
        world.tick(tick);
        for creature in world.creatures() {
            let (dx, dy) = (creature.x - creature.home.0, creature.y - creature.home.1);
            assert!(dx.abs().max(dy.abs()) <= i32::from(creature.leash) && Map::contains(creature.x, creature.y), "{creature:?}");
        }
    }
    let after = places(&world);
    assert!(before.iter().filter(|place| !after.contains(place)).count() > before.len() / 2, "all of them have their turn");
    assert_eq!(world.owned_by("77").map(|creature| creature.serial).collect::<Vec<_>>(), made);
}

#[test]
fn a_spawner_keeps_its_number_and_makes_good_what_falls() {
    let mut world = World::populated(7, few(0, 0));
    let alive = |world: &World| world.spawners.find("yew-orchard-3").unwrap().alive;
    assert_eq!(alive(&world), 6);
    let serial = world.spawners.find("yew-orchard-3").unwrap().serial;
    let own: Vec<Serial> = world.creatures().filter(|own| own.spawner == Some(serial)).map(|own| own.serial).collect();
    for fallen in &own[..4] {
        world.remove(*fallen);
    }
    assert_eq!(alive(&world), 2);
    for second in 1..=299 * 6 {
        world.tick(second * 1_000);
    }
    assert_eq!(alive(&world), 6, "one in five minutes at the latest");
    world.turn(serial, Dial::Running, "false");
    world.remove(own[5]);
    for second in 2_000..3_000 {
        world.tick(second * 1_000);
    }
    assert_eq!(alive(&world), 5, "it is not running");
}

#[test]
fn blows_are_summed_however_often_they_were_entered_and_the_last_one_fells() {
    let mut world = World::populated(7, few(0, 0));
    let altar = world.altars().next().unwrap().clone();
    let boss = world.raise(altar.serial).unwrap();
    assert_eq!((world.raise(altar.serial), world.altar(altar.serial).unwrap().risen), (None, Some(boss)));
    let mut hands = Vec::new();
    for name in ["Darrow", "Tester"] {
        hands.push(world.create_player(NewPlayer { name: name.into(), ..NewPlayer::default() }, 9, 9).unwrap().serial);
        assert!(world.strike(hands[hands.len() - 1], boss, 1, 0).is_err(), "nobody plays it");
        let player = world.player_named(name).unwrap();
        (player.online, player.stands) = (true, altar.at);
    }
    world.strike(hands[0], boss, 120, 0).unwrap();
    world.strike(hands[1], boss, 200, 0).unwrap();
    world.strike(hands[1], boss, 40, 1_000_000).unwrap();
    assert_eq!(world.creature(boss).unwrap().blows.len(), 3, "a later fight is entered anew");
    world.player_named("Darrow").unwrap().stands.x += 19;
    assert!(world.strike(hands[0], boss, 1, 0).is_err(), "too far");
    let Struck::Fell(fallen) = world.strike(hands[1], boss, 100_000, 1_000_000).unwrap() else { panic!("it falls") };
    assert_eq!(fallen.damage_table(), [(hands[1], 100_240), (hands[0], 120)]);
    assert_eq!(world.altar(altar.serial).unwrap().risen, None);
    assert!(named_region(altar.at).is_some(), "its own region has no name and lies in one that has");
}

#[test]
fn what_is_not_loaded_is_not_said_to_be_gone() {
    let mut world = World::empty(7);
    let made = world.spawn(&order("77", "k", 1), "orc", Map::Felucca)[0];
    assert_eq!((world.look_at(made), world.look_at(Serial(1))), (Seen::Present, Seen::Gone));
    world.load_facet(Map::Trammel, false);
    assert_eq!((world.look_at(made), world.look_at(Serial(1))), (Seen::Present, Seen::NotLoaded));
    world.load_facet(Map::Felucca, false);
    assert_eq!(world.look_at(made), Seen::NotLoaded);
    world.load_facet(Map::Felucca, true);
    world.load_facet(Map::Trammel, true);
    assert_eq!((world.look_at(made), world.look_at(Serial(1))), (Seen::Present, Seen::Gone));
}

#[test]
fn a_season_of_the_year_comes_and_goes_with_its_months() {
    let mut world = World::empty(7);
    let day = |date: &str| chrono::DateTime::parse_from_rfc3339(&format!("{date}T12:00:00Z")).unwrap().timestamp_millis();
    world.tick(day("2026-08-31"));
    world.set_season(Season::HarvestFair, Status::Seasonal);
    let mut pieces = Vec::new();
    for date in ["2026-08-31", "2026-09-01", "2026-10-31", "2026-11-01"] {
        world.tick(day(date));
        pieces.push(world.seasons.pieces(Season::HarvestFair) > 0);
    }
    assert_eq!(pieces, [false, true, true, false]);
}

#[test]
fn a_save_brings_everything_back_and_a_serial_is_never_given_out_twice() {
    let directory = tempfile::tempdir().unwrap();
    let mut world = World::populated(7, few(50, 3));
    let wild = world.creatures().count();
    world.spawn(&order("77", "k", 3), "orc", Map::Felucca);
    world.set_season(Season::LanternNights, Status::Active);
    let altar = world.altars().next().unwrap().serial;
    world.raise(altar).unwrap();
    world.save(directory.path(), 5, SavedBeside::default()).unwrap();
    let saved = world.baseline();
    let lost = world.spawn(&order("77", "late", 3), "orc", Map::Felucca);

    let (mut loaded, _) = World::load(directory.path(), 7).unwrap().unwrap();
    assert_eq!(loaded.baseline(), saved);
    assert_eq!(loaded.creatures().count(), wild + 4);
    assert_eq!(loaded.owned_by("77").count(), 3);
    assert!(loaded.altar(altar).unwrap().risen.is_some());
    assert_eq!(loaded.spawners.find("yew-orchard-1").unwrap().alive, 4);
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
    let player = |name: &str, address: Option<&str>| NewPlayer {
        name: name.into(),
        address: address.map(str::to_owned),
        ..NewPlayer::default()
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
