//! The engine is killed inside a firing of a trigger file: after it was claimed, and after it was carried out. Whoever finds the
//! claim left behind carries it out under the same name: one run.

use serde_json::json;

use crate::world::World;
use crate::world::plans::{event, hail, phase};

#[tokio::test]
async fn a_firing_that_was_left_behind_starts_its_run_once() {
    let mut world = World::new().await;
    let definition = world.engine.api.publish(&event("quick", &[phase("all", &[hail()], "10m")])).await;
    world.engine.api.verify(&definition).await;
    world.trigger_file("bosses", &json!({"on": "uo.champ.boss_killed", "start": "quick"}));
    for (nth, (point, begun)) in [("firing.claimed", 0), ("firing.carried_out", 1)].into_iter().enumerate() {
        world.engine.kill9().await;
        world.engine.restart_to_die(point).await;
        world.shard.console("boss kill yew-orchard").await;
        world.engine.died_at(point).await;
        assert_eq!(world.runs_of(&definition).await.len(), nth + begun, "{point}");
        let list = |state: &str| -> serde_json::Value {
            let told = world.engine.cli(&["firings", "list", "--format", "json", "--state", state]);
            serde_json::from_str(&told).unwrap()
        };
        assert_eq!(list("running").as_array().unwrap().len(), 1, "{point}: its claim is there, and nothing is told of it");
        world.psql("update public.firings set claimed_at = claimed_at - interval '1 day' where state = 'running'");
        world.engine.restart().await;
        let settled =
            || async { world.engine.cli(&["firings", "list", "--format", "json", "--state", "running"]).trim() == "[]" };
        world.wait_until("it is taken over", settled).await;
        let fired = world.engine.cli(&["firings", "list", "--format", "json"]);
        let fired: serde_json::Value = serde_json::from_str(&fired).unwrap();
        let newest = &fired[0];
        assert_eq!((&newest["state"], &newest["attempts"]), (&json!("dispatched"), &json!(2)), "{point}: {fired}");
        let runs = world.runs_of(&definition).await;
        assert_eq!((runs.len(), &newest["runId"]), (nth + 1, &json!(runs[nth])), "{point}");
        // The engine that died may have claimed the step as well: whoever is next waits until that claim is over.
        world.advance(90).await;
        world.step_is(&runs[nth], "hail", "done").await;
    }
    world.advance(600).await;
    for run in world.runs_of(&definition).await {
        world.ended(&run, "completed", "not_required").await;
    }
    world.finish().await;
}
