//! Caps: what a run may spend is decided before the game is asked.

use serde_json::json;

use crate::world::plans::{event, orcs, phase, raid};
use crate::world::{World, step};

#[tokio::test]
async fn a_step_over_the_cap_of_its_run_is_refused_before_the_game_is_asked() {
    let world = World::new().await;
    world.engine.api.enable("uo.creature.spawn", &json!({"uo.creatures": 20})).await;
    let plan = event("greedy", &[phase("all", &[raid(), orcs("more", 9)], "30m")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;
    let run = world.step_is(&run_id, "more", "refused").await;
    let error = &step(&run, "more")["lastError"];
    assert_eq!(error["code"], "over_cap");
    assert!(error["sentence"].as_str().is_some_and(|told| told.contains('9') && told.contains("12 of 20")), "{error}");
    assert_eq!(run["status"], "paused");
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied"]);
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    world.finish().await;
}
