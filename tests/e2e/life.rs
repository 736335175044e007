//! The whole life of a run: a value is borrowed, creatures come and go, and the world is as it was before.

use serde_json::{Value, json};

use crate::world::plans::{event, harvest, once, phase, raid, shout, skill};
use crate::world::{World, borrowed, step};

#[tokio::test]
async fn a_run_by_hand_changes_the_world_and_gives_it_back() {
    let world = World::new().await;
    let definition = world.engine.api.publish(&harvest("harvest-party")).await;
    assert_eq!(world.shard.skill_cap_of_new("before").await, 1000);

    let run_id = world.engine.api.start(&definition).await;
    let run = world.step_is(&run_id, "skill", "done").await;
    assert_eq!(
        (&run["status"], &run["currentPhase"], &run["cleanupStatus"]),
        (&json!("running"), &json!("gather"), &json!("pending"))
    );
    assert_eq!(world.shard.skill_cap_of_new("during").await, 1200);
    assert_eq!(world.shard.creatures_of(&run_id).await, 0, "the raid has to wait for its gate");
    let (begun, begun_at) = (run.clone(), run["position"].to_string());

    world.advance(30 * 60).await;
    let run = world.step_is(&run_id, "raid", "done").await;
    assert_eq!(run["currentPhase"], "boss");
    assert_eq!(world.shard.creatures_of(&run_id).await, 12);
    let raided = run.clone();

    world.advance(20 * 60).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    the_world_is_as_before(&world, &run_id).await;
    everything_was_given_back(&run);
    the_trail_tells_it_once(&world, &run_id);
    the_replay_tells_every_step(&world, &run_id);
    every_read_is_told_again(&world, &run_id, &[begun, raided, run]).await;
    the_past_says_what_was_in_force(&world, &run_id, &begun_at);
    world.finish().await;
}

async fn the_world_is_as_before(world: &World, run_id: &str) {
    assert_eq!(world.shard.skill_cap_of_new("after").await, 1000);
    assert_eq!(world.shard.creatures_of(run_id).await, 0);
}

fn everything_was_given_back(run: &Value) {
    assert_eq!((&run["health"], &run["unresolvedResources"]), (&json!("ok"), &json!(0)));
    let resources = run["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 13, "twelve creatures and one value: {resources:?}");
    assert!(resources.iter().all(|resource| resource["status"] == "reverted"), "{resources:?}");
    let value = borrowed(run);
    assert_eq!((&value["baseline"], &value["applied"]), (&json!("1000"), &json!("1200")));
    for key in ["hail", "skill", "raid"] {
        assert_eq!((&step(run, key)["status"], &step(run, key)["attempts"]), (&json!("done"), &json!(1)), "{key}");
    }
    let budget = run["budget"].as_array().unwrap();
    let creatures = budget.iter().find(|meter| meter["dimension"] == "uo.creatures").unwrap();
    assert_eq!((&creatures["consumed"], &creatures["cap"]), (&json!(12), &json!(60)));
}

fn the_trail_tells_it_once(world: &World, run_id: &str) {
    let of_run =
        |row: &&crate::world::Row| row.run_id.as_deref() == Some(run_id) && row.outcome == "applied" && row.key.is_some();
    let rows = world.shard.audit();
    let kinds: Vec<&str> = rows.iter().filter(of_run).map(|row| row.kind.as_str()).collect();
    assert_eq!(kinds, ["lease.apply", "world.spawn", "world.despawn", "lease.release"], "the last thing taken goes first");
    let closed = rows.iter().find(|row| row.kind == "run.close").unwrap();
    let first_undo = rows.iter().find(|row| row.kind == "world.despawn").unwrap();
    assert!(closed.seq < first_undo.seq, "the run is closed before anything is undone");
}

fn the_replay_tells_every_step(world: &World, run_id: &str) {
    let text = world.engine.cli(&["replay", run_id]);
    for key in ["hail", "skill", "raid", "1200", "1000", "Harvest Party"] {
        assert!(text.contains(key), "{key} is missing in\n{text}");
    }
    let story: Value = serde_json::from_str(&world.engine.cli(&["replay", run_id, "--format", "json"])).unwrap();
    let steps: Vec<&str> = story["steps"].as_array().unwrap().iter().map(|step| step["key"].as_str().unwrap()).collect();
    assert_eq!(steps, ["hail", "skill", "raid"]);
}

/// By the engine that was asked, and by a program of its own, at the reads' positions.
async fn every_read_is_told_again(world: &World, run_id: &str, reads: &[Value]) {
    let log = world.log().await;
    let head = log.head().await.unwrap();
    for read in reads {
        let at = read["position"].to_string();
        let told = world.engine.api.get(&format!("/runs/{run_id}/replay?at={at}")).await.yes();
        assert_eq!(told["run"], *read);
        let printed = world.engine.cli(&["replay", run_id, "--at", &at, "--format", "json"]);
        assert_eq!(serde_json::from_str::<Value>(&printed).unwrap()["run"], *read);
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    let bundle = file.path().to_str().unwrap();
    world.engine.cli(&["log", "export", "--run", run_id, "--notes", "--out", bundle]);
    assert_eq!(world.engine.cli(&["replay", "--bundle", bundle]), world.engine.cli(&["replay", run_id]), "without a database");
    let (first, last) = (reads[0]["position"].to_string(), reads[reads.len() - 1]["position"].to_string());
    let changed = world.engine.cli(&["replay", run_id, "--diff", &first, &last]);
    assert!(changed.contains("step raid, status: was “pending”, is “done”"), "{changed}");
    assert_eq!(log.head().await.unwrap(), head, "a replay appends nothing");
}

fn the_past_says_what_was_in_force(world: &World, run_id: &str, at: &str) {
    let text = world.engine.cli(&["in-force", "--at", at]);
    for told in ["1 hold was in force", "the value uo.config.skillcap in main: confirmed, 1000 before, 1200 applied", run_id] {
        assert!(text.contains(told), "{told} is missing in\n{text}");
    }
    assert!(world.engine.cli(&["in-force"]).contains("nothing was in force"));
}

#[tokio::test]
async fn a_scheduled_run_begins_by_itself_at_its_instant_once_the_version_is_verified() {
    let world = World::new().await;
    let plan = |slug| once(event(slug, &[phase("gather", &[shout(), skill(), raid()], "5m")]), "2027-03-01T13:10");
    let verified = world.engine.api.publish(&plan("verified")).await;
    let unverified = world.engine.api.publish(&plan("unverified")).await;
    for definition in [&verified, &unverified] {
        world
            .wait_until("the occurrence is withheld", async || !world.events(definition, "occurrence_withheld").await.is_empty())
            .await;
    }
    assert_eq!(world.runs_of(&verified).await, Vec::<String>::new());

    world.engine.api.verify(&verified).await;
    let run_id = world.run_of(&verified).await;
    world.advance(599).await;
    let run = world.run_until(&run_id, "the run is on the calendar", |run| run["status"] == "scheduled").await;
    assert_eq!(run["scheduledFor"], "2027-03-01T12:10:00Z");
    assert_eq!(world.shard.outcomes("lease.apply"), Vec::<String>::new(), "a second too early");

    world.advance(1).await;
    world.step_is(&run_id, "raid", "done").await;
    assert_eq!(world.shard.console("status").await["broadcasts"], 1);
    assert_eq!(world.shard.creatures_of(&run_id).await, 12);
    world.advance(300).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!(run["startedAt"], "2027-03-01T12:10:00Z");
    the_world_is_as_before(&world, &run_id).await;
    assert_eq!(world.runs_of(&unverified).await, Vec::<String>::new(), "nobody verified it, so it never ran");
    assert_eq!(world.events(&unverified, "occurrence_withheld").await.len(), 1, "withheld once per slot and cause");
    world.finish().await;
}

#[tokio::test]
async fn what_was_refused_while_it_was_switched_off_works_once_it_is_switched_on() {
    let world = World::untouched().await;
    let definition = world.engine.api.publish(&harvest("harvest-party")).await;
    let refused = world.engine.api.start(&definition).await;
    let run = world.step_is(&refused, "skill", "refused").await;
    assert_eq!(step(&run, "skill")["lastError"]["code"], "action_disabled");
    assert_eq!((&run["status"], &run["health"]), (&json!("paused"), &json!("degraded")));
    world.engine.api.cancel(&refused, &json!({"reason": "switched off"})).await.yes();
    world.ended(&refused, "cancelled", "not_required").await;
    assert_eq!(world.shard.audit().len(), 0, "the game was never asked");

    world.engine.enable_all().await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "skill", "done").await;
    world.advance(30 * 60).await;
    world.step_is(&run_id, "raid", "done").await;
    world.advance(20 * 60).await;
    world.ended(&run_id, "completed", "complete").await;
    world.finish().await;
}
