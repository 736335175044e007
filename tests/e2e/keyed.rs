//! Requests under a key, sent again to an engine that died between the act and its answer, or slept through it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::World;
use crate::world::api::{Answer, Api};
use crate::world::plans::{event, phase, shout};

async fn start(api: &Api, definition: &str) -> reqwest::Result<Answer> {
    api.keyed(Method::POST, &format!("/{definition}/runs"), "a-double-click", &json!({})).await
}

/// Sends it until somebody has an answer: while a dead engine's claim runs, it is in flight.
async fn answered(world: &World, definition: &str) -> Value {
    loop {
        let answer = start(&world.engine.api, definition).await.unwrap();
        if answer.status != 409 {
            return answer.yes();
        }
        answer.no(409, "in_flight");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn a_start_whose_engine_died_before_it_answered_is_one_run() {
    let mut world = World::doomed("keyed.answered").await;
    let definition = world.engine.api.publish(&event("doomed", &[phase("all", &[shout()], "5m")])).await;
    assert!(start(&world.engine.api, &definition).await.is_err());
    world.engine.died_at("keyed.answered").await;
    world.engine.restart().await;
    let told = answered(&world, &definition).await;
    assert_eq!(answered(&world, &definition).await, told);
    assert_eq!(world.runs_of(&definition).await, [told["id"].as_str().unwrap()]);
    // The claim of the step that the dead engine was at runs out, and the run goes its way.
    world.advance(100).await;
    world.step_is(told["id"].as_str().unwrap(), "shout", "done").await;
    world.advance(300).await;
    world.ended(told["id"].as_str().unwrap(), "completed", "not_required").await;
    world.finish().await;
}
