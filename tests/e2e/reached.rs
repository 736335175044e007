//! A game or a link that is gone, as an engine tells of it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::World;

async fn links(world: &World) -> Value {
    let ready = world.engine.api.ask(Method::GET, "/readyz", None, None).await.unwrap();
    assert_eq!(ready.status, 200, "a game that is gone makes no engine unready: {}", ready.body);
    ready.body["links"].clone()
}

#[tokio::test]
async fn a_link_that_dies_and_a_game_that_dies_are_told_apart_and_told_to_be_back() {
    let mut world = World::new().await;
    told_as(&world, true, true).await;
    world.shard.kill9().await;
    told_as(&world, true, false).await;
    world.link.kill9().await;
    told_as(&world, false, false).await;
    world.link.restart().await;
    world.shard.restart(&world.link).await;
    told_as(&world, true, true).await;
    world.finish().await;
}

async fn told_as(world: &World, reachable: bool, connected: bool) {
    let what = format!("the link is told as {reachable}, the game as {connected}");
    let wanted = (json!(reachable), json!(connected));
    let told = async || {
        let links = links(world).await;
        (links[0]["reachable"].clone(), links[0]["connected"].clone()) == wanted
    };
    world.wait_until(&what, told).await;
}
