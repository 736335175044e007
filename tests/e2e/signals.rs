//! Gates that open on what happens in the game: from the game's own report, over the sidecar, to the phase behind; through
//! deaths of the engine and of the sidecar, each report once.

use serde_json::{Value, json};

use crate::world::World;
use crate::world::plans::{event, hail, orcs, phase};

/// Three orcs until so many bosses have fallen in Yew; then a word.
fn hunt(slug: &str, count: u32) -> Value {
    let mut boss = phase("boss", &[orcs("raid", 3)], "5m");
    boss["advance"] = json!({
        "on": "uo.champ.boss_killed", "where": {"var": "region", "cmp": "eq", "value": "Yew Orchard"}, "count": count
    });
    event(slug, &[boss, phase("after", &[hail()], "5m")])
}

async fn begun(world: &World, hunt: &Value) -> String {
    let definition = world.engine.api.publish(hunt).await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "raid", "done").await;
    run_id
}

async fn tally_is(world: &World, run_id: &str, tally: u64) -> Value {
    world.run_until(run_id, &format!("{tally} counted"), |run| run["gates"][0]["tally"] == tally).await
}

async fn falls(world: &World, landmark: &str) {
    assert_eq!(world.shard.console(&format!("boss kill {landmark}")).await["ok"], true);
}

async fn goes_on(world: &World, run_id: &str) {
    world.step_is(run_id, "hail", "done").await;
    world.advance(300).await;
    world.ended(run_id, "completed", "complete").await;
    assert_eq!(world.shard.creatures_of(run_id).await, 0);
}

#[tokio::test]
async fn a_boss_that_falls_in_the_game_opens_the_gate_and_one_elsewhere_does_not() {
    let world = World::new().await;
    let run_id = begun(&world, &hunt("hunt", 2)).await;
    falls(&world, "britain-bank").await;
    let elsewhere = world.run_until(&run_id, "a signal seen", |run| run["gates"][0]["lastSignal"] != Value::Null).await;
    let gate = &elsewhere["gates"][0];
    assert_eq!((&gate["tally"], &gate["lastSignal"]["counted"]), (&json!(0), &json!(false)), "{gate}");
    assert!(gate["lastSignal"]["whyNot"].as_str().unwrap().contains("Britain"), "{gate}");
    falls(&world, "yew-orchard").await;
    assert_eq!(tally_is(&world, &run_id, 1).await["currentPhase"], "boss");
    for _ in 0..5 {
        falls(&world, "yew-orchard").await;
    }
    let open = world.run_until(&run_id, "the phase behind", |run| run["currentPhase"] == "after").await;
    assert_eq!((&open["gates"][0]["tally"], &open["gates"][0]["satisfiedBy"]), (&json!(2), &json!("condition")));
    goes_on(&world, &run_id).await;
    world.finish().await;
}

#[tokio::test]
async fn whoever_dies_meanwhile_each_report_counts_once() {
    let mut world = World::new().await;
    world.another_engine().await;
    let run_id = begun(&world, &hunt("hunt", 4)).await;
    falls(&world, "yew-orchard").await;
    tally_is(&world, &run_id, 1).await;
    // Both engines die; what falls meanwhile waits in the sidecar.
    world.engine.kill9().await;
    world.others[0].kill9().await;
    let before = world.link.reports().await;
    falls(&world, "yew-orchard").await;
    // A boss that falls is told as a boss and as a creature.
    world.wait_until("the sidecar has both reports", async || world.link.reports().await == before + 2).await;
    world.engine.restart().await;
    tally_is(&world, &run_id, 2).await;
    world.others[0].restart().await;
    // The sidecar dies and forgets nothing that it had heard; the game waits for its return with what it has to say.
    world.link.kill9().await;
    world.link.restart().await;
    world.shard.on_the_line(&world.link).await;
    tally_is(&world, &run_id, 2).await;
    falls(&world, "yew-orchard").await;
    tally_is(&world, &run_id, 3).await;
    falls(&world, "yew-orchard").await;
    world.run_until(&run_id, "the phase behind", |run| run["currentPhase"] == "after").await;
    let signals = world.streams("signal").await;
    assert_eq!(signals.len(), 4, "each report is one signal: {signals:?}");
    goes_on(&world, &run_id).await;
    world.finish().await;
}
