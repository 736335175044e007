//! A world whose engine reaches Luanti, and runs in it.

use serde_json::{Value, json};

use super::game::{CONSENT, Luanti, SCOPE};
use crate::world::World;
use crate::world::plans::{event, phase};

/// A step.
pub fn does(key: &str, action: &str, params: &Value) -> Value {
    json!({"key": key, "action": action, "params": params})
}

/// A step that borrows a value for so many minutes.
pub fn borrows(key: &str, lease: &str, value: &str, minutes: u32) -> Value {
    does(key, "core.lease", &json!({"lease": lease, "value": value, "minutes": minutes}))
}

/// A definition of one phase of half an hour.
pub fn of_luanti(slug: &str, steps: &[Value]) -> Value {
    let mut definition = event(slug, &[phase("all", steps, "30m")]);
    definition["ownerModule"] = json!("luanti");
    definition
}

/// A world whose engine reaches Luanti too, with all that it offers switched on.
pub async fn with_luanti(directory: &std::path::Path) -> Option<(World, Luanti)> {
    let Some(mut game) = Luanti::found(directory) else {
        super::skip(1, "there is no server of it");
        return None;
    };
    let mut world = World::patient().await;
    game.start(&world, CONSENT).await;
    world.engine.stop().await;
    let links: &'static str = world.link.as_settings(&["main", SCOPE]).leak();
    world.engine.restart_with(vec![("LEASEHOLD_LINKS", links)]).await;
    let offered = async || {
        let catalogue = world.engine.api.get("/catalog").await.yes();
        catalogue["leases"].as_array().unwrap().iter().any(|lease| lease["id"] == "luanti.time_speed")
    };
    world.wait_until("the engine has taken in what Luanti offers", offered).await;
    world.engine.api.enable("luanti.mob.spawn", &json!({"luanti.mobs": 30})).await;
    world.engine.api.enable("luanti.node.place", &json!({"luanti.nodes": 30})).await;
    Some((world, game))
}

/// Starts a run of that definition; gives its id.
pub async fn start(world: &World, definition: &Value) -> String {
    let id = world.engine.api.publish(definition).await;
    let started = world.engine.api.post(&format!("/{id}/runs"), &json!({"scope": SCOPE})).await.yes();
    started["id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned()
}
