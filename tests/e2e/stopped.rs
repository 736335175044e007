//! Everything is stopped, and engines die of it; runs that are only rehearsed.

use reqwest::Method;
use serde_json::json;

use crate::world::World;
use crate::world::plans::{event, phase, raid, shout, skill};

#[tokio::test]
async fn a_stop_that_tears_down_outlives_the_engine_that_was_asked_for_it() {
    let mut world = World::new().await;
    let plan = event("burning", &[phase("all", &[skill(), raid()], "1h")]);
    let definition = world.engine.api.publish(&plan).await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "raid", "done").await;
    world.engine.api.post("/stop", &json!({"runs": "tear_down", "reason": "the host is on fire"})).await.yes();
    world.engine.kill9().await;
    world.engine.restart().await;
    let run = world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!(run["unresolvedResources"], 0);
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.engine.api.post(&format!("/{definition}/runs"), &json!({})).await.no(409, "stopped");
    world.engine.api.ask(Method::DELETE, "/api/v1/admin/events/stop", None, None).await.unwrap().yes();
    let again = world.engine.api.start(&definition).await;
    world.step_is(&again, "raid", "done").await;
    world.engine.api.cancel(&again, &json!({})).await.yes();
    world.ended(&again, "cancelled", "complete").await;
    world.finish().await;
}

#[tokio::test]
async fn a_rehearsal_is_real_and_no_player_is_told() {
    let world = World::new().await;
    let plan = event("rehearsed", &[phase("all", &[shout(), raid()], "5m")]);
    let definition = world.engine.api.publish(&plan).await;
    let started = world.engine.api.post(&format!("/{definition}/runs"), &json!({"rehearsal": true})).await.yes();
    let run_id = started["id"].as_str().unwrap().to_owned();
    let run = world.step_is(&run_id, "raid", "done").await;
    assert_eq!((&run["rehearsal"], &run["health"]), (&json!(true), &json!("ok")));
    assert_eq!(world.shard.creatures_of(&run_id).await, 12, "the world is changed as ever");
    let told: Vec<_> = world.shard.audit().into_iter().filter(|row| row.kind.contains("broadcast")).collect();
    assert!(told.is_empty(), "{told:?}");
    let log = world.engine.api.get(&format!("/runs/{run_id}/log")).await.yes();
    let said = log["items"].as_array().unwrap().iter().any(|line| {
        let text = line["text"].as_str().unwrap();
        text.contains("told to nobody in the game") && text.contains("The harvest begins in Yew")
    });
    assert!(said, "staff read it in the log: {log}");
    let public = world.engine.api.ask(Method::GET, "/api/v1/public/events", None, None).await.unwrap().yes();
    assert!(!public.to_string().contains(&run_id) && !public.to_string().contains("\"live\""), "{public}");
    world.advance(300).await;
    world.ended(&run_id, "completed", "complete").await;
    world.finish().await;
}
