//! A spawner without a name: its dials are lent by its serial, to one run at a time, and put back.

use serde_json::{Value, json};

use crate::world::plans::{event, phase};
use crate::world::{World, borrowed, step};

/// The number of creatures of that spawner, for an hour.
fn dial(named: &str) -> Value {
    let params = json!({"lease": format!("uo.spawner.max_count@{named}"), "value": "9", "minutes": 60});
    json!({"key": "dial", "action": "core.lease", "params": params})
}

fn plan(slug: &str, named: &str) -> Value {
    event(slug, &[phase("all", &[dial(named)], "30m")])
}

async fn max_count(world: &World, spawner: &str) -> u64 {
    let shown = world.shard.console(&format!("spawner show {spawner}")).await;
    shown["spawners"][0]["dials"]["maxCount"].as_u64().unwrap_or_else(|| panic!("{shown}"))
}

#[tokio::test]
async fn a_spawner_without_a_name_is_lent_by_its_serial_to_one_run_at_a_time() {
    let world = World::new().await;
    let dump = world.shard.console("dump").await;
    let mut spawners = dump["world"]["spawners"].as_array().unwrap().iter();
    let unnamed = spawners.find(|spawner| spawner["uniqueId"].is_null()).unwrap_or_else(|| panic!("every spawner has a name"));
    let (serial, before) = (unnamed["serial"].as_str().unwrap(), unnamed["dials"]["maxCount"].as_u64().unwrap());

    let holder = world.engine.api.start(&world.engine.api.publish(&plan("holder", serial)).await).await;
    let run = world.step_is(&holder, "dial", "done").await;
    let held = borrowed(&run);
    assert_eq!(held["ref"], format!("uo.spawner.max_count@{serial}"));
    assert_eq!((&held["baseline"], &held["applied"]), (&json!(before.to_string()), &json!("9")));
    assert_eq!(max_count(&world, serial).await, 9);

    let other = world.engine.api.start(&world.engine.api.publish(&plan("other", serial)).await).await;
    let run = world.step_is(&other, "dial", "refused").await;
    let error = &step(&run, "dial")["lastError"];
    assert!(error["code"] == "held" && error["sentence"].as_str().unwrap().contains(&holder), "the holder is named: {error}");
    assert_eq!(world.shard.outcomes("lease.apply"), ["applied"], "the game was asked once");
    world.engine.api.cancel(&other, &json!({})).await.yes();

    world.advance(30 * 60).await;
    world.ended(&holder, "completed", "complete").await;
    assert_eq!(max_count(&world, serial).await, before);
    world.finish().await;
}

/// Whoever holds it is found under the one name that it has.
#[tokio::test]
async fn one_dial_is_lent_under_one_name() {
    let world = World::new().await;
    let shown = world.shard.console("spawner show yew-orchard-1").await;
    let serial = shown["spawners"][0]["serial"].as_str().unwrap();
    for (slug, named, code) in [
        ("by-serial", serial, "unknown_lease"),
        ("by-name", "yew-orchard-1", "no_such_lease"),
        ("of-nothing", "0xDEADBEEF", "unknown_lease"),
    ] {
        let run_id = world.engine.api.start(&world.engine.api.publish(&plan(slug, named)).await).await;
        let run = world.step_is(&run_id, "dial", "failed").await;
        let error = &step(&run, "dial")["lastError"];
        assert_eq!((&error["code"], &error["unknown"]), (&json!(code), &json!(false)), "{named}: {error}");
        world.engine.api.cancel(&run_id, &json!({})).await.yes();
    }
    assert!(!world.shard.outcomes("lease.apply").contains(&"applied".to_owned()));
    assert_eq!(max_count(&world, "yew-orchard-1").await, 4);
    world.finish().await;
}
