//! The game restarts, is wiped, or starts from an older save: what it has then is held against what the runs hold, and
//! nobody restarts an engine for that.

use serde_json::{Value, json};

use crate::world::plans::{event, harvest, orcs, phase, skill, wait};
use crate::world::{World, borrowed, step};

fn creatures(run: &Value) -> Vec<&str> {
    let resources = run["resources"].as_array().unwrap().iter().filter(|resource| resource["kind"] == "creature");
    resources.map(|resource| resource["status"].as_str().unwrap()).collect()
}

/// A run that has borrowed the value and made five creatures, and waits for half an hour.
async fn five(world: &World, slug: &str) -> String {
    let plan = event(slug, &[phase("all", &[skill(), orcs("raid", 5)], "30m")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;
    world.step_is(&run_id, "raid", "done").await;
    world.the_games_life_is_known().await;
    run_id
}

/// The runs for which the game counts who takes part.
async fn counted(world: &World) -> Value {
    world.shard.console("dump baseline").await["world"]["counting"].clone()
}

#[tokio::test]
async fn a_restart_marks_the_run_and_what_it_has_put_back_is_orphaned_and_not_applied_again() {
    let mut world = World::new().await;
    let run_id = five(&world, "restarted").await;
    world.advance(60).await;
    world.shard.console("save").await;
    assert!(!world.shard.saved().contains("1200"), "a borrowed value is in no save");
    world.advance(240).await;
    world.shard.kill9().await;
    world.shard.restart(&world.link).await;
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");

    let run = world.run_until(&run_id, "the lease is orphaned", |run| borrowed(run)["status"] == "orphaned").await;
    assert_eq!((&run["status"], &run["health"]), (&json!("running"), &json!("degraded")));
    assert_eq!(creatures(&run), ["confirmed"; 5], "they were in the save");
    let noted = world.events(&run_id, "game_restarted").await;
    assert_eq!((noted.len(), noted[0]["boot"].as_str()), (1, Some(world.shard.boot_id.as_str())));
    assert_eq!(step(&run, "skill")["status"], "done");

    world.advance(30 * 60).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!((&borrowed(&run)["status"], &run["unresolvedResources"]), (&json!("orphaned"), &json!(0)));
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    assert_eq!(world.shard.outcomes("lease.apply"), ["applied"]);
    assert!(world.shard.outcomes("lease.release").iter().all(|outcome| outcome == "applied"), "asked, and nothing written");
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);

    let next = world.engine.api.start(&world.engine.api.publish(&harvest("next")).await).await;
    let run = world.step_is(&next, "skill", "done").await;
    assert_eq!(borrowed(&run)["baseline"], "1000", "the target is free, and its baseline the true one");
    world.engine.api.cancel(&next, &json!({})).await.yes();
    world.ended(&next, "cancelled", "complete").await;
    world.finish().await;
}

#[tokio::test]
async fn a_wipe_ends_clean_and_a_second_cleanup_changes_nothing() {
    let mut world = World::new().await;
    world.shard.console("save").await;
    let run_id = five(&world, "wiped").await;
    world.shard.kill9().await;
    world.shard.restart(&world.link).await;
    let run = world
        .run_until(&run_id, "everything is orphaned", |run| {
            run["unresolvedResources"] == 6 && borrowed(run)["status"] == "orphaned"
        })
        .await;
    assert_eq!(creatures(&run), ["orphaned"; 5]);

    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    let run = world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!(run["unresolvedResources"], 0);
    let before = world.log().await.head().await.unwrap().unwrap().position;
    for _ in 0..2 {
        world.engine.api.post(&format!("/runs/{run_id}/cleanup"), &json!({})).await.yes();
    }
    assert!(world.events(&run_id, "cleanup_requested").await.is_empty(), "nothing is left to clean since {before}");
    assert!(!world.shard.audit().iter().any(|row| row.outcome == "restored" || row.outcome == "drifted"));
    world.finish().await;
}

#[tokio::test]
async fn what_an_older_save_brings_back_is_taken_away_again() {
    let mut world = World::new().await;
    let count = json!({"key": "count", "action": "uo.participation.open", "params": {"location": "yew-orchard", "minutes": 120}});
    world.engine.api.enable("uo.participation.open", &json!({})).await;
    let plan = event("back", &[phase("all", &[count, orcs("raid", 5), wait("1m")], "1m")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;
    world.step_is(&run_id, "raid", "done").await;
    assert_eq!(counted(&world).await, json!([run_id]));
    world.the_games_life_is_known().await;
    world.shard.console("save").await;
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!((world.shard.creatures_of(&run_id).await, counted(&world).await), (0, json!([])));

    world.shard.kill9().await;
    world.shard.restart(&world.link).await;
    let gone = async || world.shard.creatures_of(&run_id).await == 0 && counted(&world).await == json!([]);
    world.wait_until("they are taken away again, and who takes part is counted no more", gone).await;
    let run = world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!((creatures(&run), &run["unresolvedResources"]), (vec!["reverted"; 5], &json!(0)));
    let told = world.events(&run_id, "holdings_reconciled").await;
    assert_eq!((told.len(), told[0]["returned"].as_array().unwrap().len()), (1, 6));
    world.finish().await;
}

#[tokio::test]
async fn an_engine_that_starts_asks_what_is_there_and_a_game_that_is_away_loses_nothing() {
    let mut world = World::new().await;
    world.shard.console("save").await;
    let run_id = five(&world, "asked").await;
    world.engine.kill9().await;
    world.shard.kill9().await;
    world.engine.restart().await;
    let run = world.engine.api.run(&run_id).await;
    assert_eq!(creatures(&run), ["confirmed"; 5], "nobody can say");
    world.shard.restart(&world.link).await;
    world.run_until(&run_id, "it has told", |run| borrowed(run)["status"] == "orphaned").await;
    let noted = world.events(&run_id, "game_restarted").await;
    assert_eq!(noted.len(), 1, "the restart came while no engine looked");
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    world.ended(&run_id, "cancelled", "complete").await;
    world.finish().await;
}
