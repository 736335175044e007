//! A signal of a game that the engine in charge of trigger files has not heard yet: what the game declared is on record, and the
//! file goes by that.

use serde_json::{Value, json};

use crate::lanterns::{Lanterns, manifest};
use crate::world::plans::{event, hail, phase};
use crate::world::{Link, World};

const ISLE: &str = "isle";

#[tokio::test]
async fn a_signal_that_comes_before_the_games_own_word_is_not_passed_over() {
    let mut world = World::new().await;
    let quick = world.engine.api.publish(&event("quick", &[phase("all", &[hail()], "10m")])).await;
    world.engine.api.verify(&quick).await;
    // The first engine leads and has the file; its way to the isle is a sidecar on whose line no game is.
    let elsewhere = tempfile::tempdir().unwrap();
    let nobody = Link::start(elsewhere.path(), 1_000).await;
    world.engine.stop().await;
    world.trigger_file("broken", &json!({"on": "lanterns.broken", "scope": ISLE, "start": "quick"}));
    world.engine.restart_reaching(format!("{},{}", world.link.as_setting(), nobody.as_setting_of(ISLE))).await;
    world.wait_until("the engine is ready", async || world.engine.api.is_ready().await).await;
    world.wait_until("it leads", async || leads_the_files(&world).await).await;
    // The second has a way to the game, and no file: as on another machine.
    world.no_trigger_file("broken");
    let lanterns = Lanterns::dial(&world.link.game, ISLE, Some(manifest()));
    let links = world.link.as_settings(&["main", ISLE]);
    world.another_engine_with(vec![("LEASEHOLD_LINKS", links.leak())]).await;
    let api = world.others[0].api.clone();
    let declared = async || {
        let catalog = api.get("/catalog").await.yes();
        catalog["modules"].as_array().unwrap().iter().any(|module| module["id"] == "lanterns")
    };
    world.wait_until("the second engine has heard the game", declared).await;
    // A gate listens, so that the second records what the game reports.
    let mut waits = phase("waits", &[hail()], "5m");
    waits["advance"] = json!({"on": "lanterns.broken", "count": 1});
    let gated = api.publish(&event("gated", &[waits])).await;
    let started = api.post(&format!("/{gated}/runs"), &json!({"scope": ISLE})).await.yes();
    let listener = started["id"].as_str().unwrap().to_owned();
    world.step_is(&listener, "hail", "done").await;
    lanterns.report("lanterns.broken", &json!({"place": "bridge"}));
    world.wait_until("the report is on record", async || !world.streams("signal").await.is_empty()).await;

    let run = world.run_of(&quick).await;
    world.step_is(&run, "hail", "done").await;
    let firings: Value = serde_json::from_str(&world.engine.cli(&["firings", "list", "--format", "json"])).unwrap();
    assert_eq!((firings.as_array().unwrap().len(), &firings[0]["state"]), (1, &json!("dispatched")), "{firings}");
    world.advance(600).await;
    world.ended(&run, "completed", "not_required").await;
    world.ended(&listener, "completed", "not_required").await;
    assert_eq!(world.runs_of(&quick).await, [run]);
    world.finish().await;
}

/// Whether some engine reads the log for the trigger files; there is but one.
async fn leads_the_files(world: &World) -> bool {
    let led = "select exists (select from public.leadership where consumer = 'triggers' and expires_at > clock_timestamp())";
    sqlx::query_scalar(led).fetch_one(world.log().await.pool()).await.unwrap()
}
