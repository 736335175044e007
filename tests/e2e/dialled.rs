//! A link on a host that opens no port: it dials the engine, and everything travels over that.

use reqwest::Method;
use serde_json::json;

use crate::world::plans::{event, phase, raid, skill};
use crate::world::{World, step};

/// Waits until the engine has the game on its line.
async fn reached(world: &World) {
    let connected = async || {
        let ready = world.engine.api.ask(Method::GET, "/readyz", None, None).await.unwrap();
        ready.body["links"][0]["connected"] == true
    };
    world.wait_until("the game is reached", connected).await;
}

#[tokio::test]
async fn a_link_that_dials_the_engine_carries_a_whole_run_whoever_dies_meanwhile() {
    let mut world = World::new().await;
    let address = world.engine.api.address().to_owned();
    world.engine.stop().await;
    world.link.kill9().await;
    world.link.dials(&address);
    world.link.restart().await;
    world.shard.on_the_line(&world.link).await;
    let links = world.link.as_setting_of_one_that_dials();
    world.engine.restart_with(vec![("LEASEHOLD_LINKS", links.leak()), ("LEASEHOLD_BIND", address.leak())]).await;
    reached(&world).await;

    // An answer is lost between the game and the link.
    let definition = world.engine.api.publish(&event("outbound", &[phase("all", &[skill(), raid()], "30m")])).await;
    world.shard.console("fault drop-ack world.spawn").await;
    let run_id = world.engine.api.start(&definition).await;
    let lost = world.run_until(&run_id, "the answer is lost", |run| step(run, "raid")["nextTryAt"].is_string()).await;
    assert_eq!(
        (&step(&lost, "raid")["lastError"]["code"], &step(&lost, "raid")["lastError"]["unknown"]),
        (&json!("no_answer"), &json!(true))
    );
    world.advance(60).await;
    world.step_is(&run_id, "raid", "done").await;
    assert_eq!(world.shard.creatures_of(&run_id).await, 12);

    // The engine dies and comes back; then the link.
    world.engine.kill9().await;
    world.engine.restart().await;
    reached(&world).await;
    world.link.kill9().await;
    world.link.restart().await;
    world.shard.on_the_line(&world.link).await;
    reached(&world).await;
    world.advance(30 * 60).await;
    world.ended(&run_id, "completed", "complete").await;
    assert_eq!(world.shard.outcomes("lease.apply"), ["applied"]);
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied", "replayed"]);
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.finish().await;
}
