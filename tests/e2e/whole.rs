//! Everything that the module of the reference game can do, in one event, from its author to the game's audit: and then the world is
//! as it was before.

use serde_json::{Value, json};

use crate::world::plans::{event, phase, shout, skill};
use crate::world::{World, step};

fn does(key: &str, action: &str, params: &Value) -> Value {
    json!({"key": key, "action": action, "params": params})
}

fn borrows(key: &str, lease: &str, value: &str) -> Value {
    does(key, "core.lease", &json!({"lease": lease, "value": value, "minutes": 60}))
}

/// One step of every action, and a value of every plane.
fn festival(player: &str) -> Value {
    let place = "yew-orchard";
    let first = [
        shout(),
        does("count", "uo.participation.open", &json!({"location": place, "radius": 20, "minutes": 120})),
        skill(),
        borrows("more", "uo.spawner.yew-orchard-1.max_count", "12"),
        borrows("still", "uo.spawner.yew-orchard-2.running", "false"),
        borrows("fair", "uo.season.harvestfair", "Active"),
        does("raid", "uo.creature.spawn", &json!({"location": place, "creature": "orc", "count": 3})),
        does("chief", "uo.boss.spawn", &json!({"location": place, "creature": "ettin", "count": 1})),
        does(
            "marta",
            "uo.npc.place",
            &json!({"location": place, "name": "Marta", "greeting": "Hail", "keyword1": "raid", "line1": "At dusk"}),
        ),
        does("gate", "uo.gate.open", &json!({"location": place, "destination": "britain-bank", "minutes": 240})),
        does("banner", "uo.decoration.place", &json!({"location": place, "item": "banner"})),
        does("cry", "uo.towncrier.post", &json!({"text": "Hands are wanted", "minutes": 120})),
        does("news", "uo.news.post", &json!({"title": "The harvest", "text": "Yew asks for hands."})),
        does("save", "uo.world.save", &json!({})),
        does("gift", "uo.item.grant", &json!({"item": "event_token", "amount": 1, "recipient": player})),
    ];
    let second = [
        does("tally", "uo.participation.collect", &json!({})),
        does("thanks", "uo.item.grant_participants", &json!({"item": "harvest_basket", "amount": 1, "most": 5, "min_score": 20})),
    ];
    event("festival", &[phase("fair", &first, "30m"), phase("thanks", &second, "5m")])
}

async fn plays(world: &World, name: &str) -> String {
    let made = world.shard.console(&format!("player create {name}")).await;
    world.shard.console(&format!("player connect {name}")).await;
    world.shard.console(&format!("player walk {name} yew-orchard")).await;
    made["serial"].as_str().unwrap().to_owned()
}

async fn baseline(world: &World) -> Value {
    world.shard.console("dump baseline").await["world"].clone()
}

#[tokio::test]
async fn one_event_does_everything_and_leaves_the_world_as_it_was() {
    let world = World::new().await;
    let player = plays(&world, "Farmer").await;
    let before = baseline(&world).await;
    let plan = festival(&player);
    let steps: Vec<Value> =
        plan["spec"]["phases"].as_array().unwrap().iter().flat_map(|phase| phase["steps"].as_array().unwrap().clone()).collect();
    for step in &steps {
        world.engine.api.enable(step["action"].as_str().unwrap(), &json!({})).await;
    }
    let definition = world.engine.api.publish(&plan).await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "gift", "done").await;
    let during = baseline(&world).await;
    assert_eq!(during["holds"].as_array().unwrap().len(), 4);
    assert_eq!((&during["seasons"]["HarvestFair"], &during["counting"]), (&json!("Active"), &json!([run_id])));
    assert_eq!((during["owned"].as_array().unwrap().len(), during["objects"].as_array().unwrap().len()), (4, 6));

    world.advance(30 * 60).await;
    world.step_is(&run_id, "thanks", "done").await;
    let pack = world.shard.console("player list").await["players"][0]["pack"].clone();
    assert_eq!(pack, json!({"event_token": 1, "harvest_basket": 1}), "half an hour in the orchard is worth a basket");
    world.advance(5 * 60).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!(baseline(&world).await, before);
    for planned in &steps {
        let key = planned["key"].as_str().unwrap();
        assert_eq!((&step(&run, key)["status"], &step(&run, key)["attempts"]), (&json!("done"), &json!(1)), "{key}");
    }
    assert_eq!((&run["health"], &run["unresolvedResources"]), (&json!("ok"), &json!(0)));
    every_order_is_in_the_audit_once(&world, &run_id);
    what_does_nothing_any_more_is_refused_by_a_dry_run(&world, &definition).await;
    world.finish().await;
}

/// Each key took effect once, and of each kind there is what was ordered and what took it back.
fn every_order_is_in_the_audit_once(world: &World, run_id: &str) {
    let rows = world.shard.audit();
    let applied = rows.iter().filter(|row| row.run_id.as_deref() == Some(run_id) && row.outcome == "applied");
    let mut keys: Vec<&str> = applied.clone().filter_map(|row| row.key.as_deref()).collect();
    let orders = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), orders, "a key that took effect twice");
    let of = |kind: &str| applied.clone().filter(|row| row.kind == kind).count();
    for (kind, times) in [
        ("participation.open", 1),
        ("lease.apply", 4),
        ("world.spawn", 2),
        ("world.npc", 1),
        ("world.gate", 1),
        ("world.decorate", 1),
        ("towncrier.post", 1),
        ("news.post", 1),
        ("world.save", 1),
        ("world.grant", 2),
        ("participation.snapshot", 1),
        ("lease.release", 4),
        ("participation.close", 1),
    ] {
        assert_eq!(of(kind), times, "{kind}");
    }
    assert_eq!(of("run.close"), 1, "said once for the undos of a minute");
    assert_eq!(of("world.despawn"), 7, "two of creatures, and one of each object's step");
}

/// The next hello takes it out of the game's catalogue; whoever plans with it learns so before anything is done.
async fn what_does_nothing_any_more_is_refused_by_a_dry_run(world: &World, definition: &str) {
    world.shard.console("fault inert season:HarvestFair.Status").await;
    world.shard.console("disconnect").await;
    let refused = async || {
        let told = world.engine.api.dry_run(definition, &json!({})).await;
        told.body.to_string().contains("unknown_lease")
    };
    world.wait_until("the dry run tells that the season is lent no longer", refused).await;
    let listed = async || {
        let catalog = world.engine.api.get("/catalog").await.yes();
        catalog["leases"].as_array().unwrap().iter().filter(|lease| lease["id"] == "uo.season.harvestfair").count()
    };
    world.wait_until("the engine's catalogue has it no longer", async || listed().await == 0).await;
    world.shard.console("fault live season:HarvestFair.Status").await;
    world.shard.console("disconnect").await;
    world.wait_until("it is there again", async || listed().await == 1).await;
}
