//! What has to be there before something starts: a dry run of that very start, a scope that exists, its day within the
//! horizon, a log that can be read. And who made it so, as the log and the replay tell it.

use serde_json::{Value, json};

use crate::world::plans::{alone, event, hail, once, orcs, phase, skill};
use crate::world::{Shard, World};

const DAY: u32 = 86_400;

/// Five orcs for five minutes, at that time on a clock in Berlin.
fn raid_at(slug: &str, at: &str) -> Value {
    once(event(slug, &[phase("all", &[orcs("raid", 5)], "5m")]), at)
}

/// The raid is there, at its instant and once, and ends as it should.
async fn raided(world: &World, definition: &str, run_id: &str, at: &str) {
    let run = world.step_is(run_id, "raid", "done").await;
    assert_eq!(run["startedAt"], at);
    assert_eq!(world.shard.creatures_of(run_id).await, 5);
    world.advance(300).await;
    world.ended(run_id, "completed", "complete").await;
    assert_eq!(world.runs_of(definition).await, [run_id]);
}

#[tokio::test]
async fn a_dry_run_of_something_else_than_the_scheduled_start_unlocks_nothing() {
    let mut world = World::new().await;
    let elsewhere = tempfile::tempdir().unwrap();
    let _west = Shard::start_as("west", elsewhere.path(), &world.link).await;
    let links = format!("{},{}", world.link.as_setting(), world.link.as_setting_of("west"));
    world.another_engine_with(vec![("LEASEHOLD_LINKS", links.leak())]).await;
    let api = &world.others[0].api;
    let definition = api.publish(&raid_at("elsewhere", "2027-03-01T13:10")).await;
    for other in [json!({"params": {"region": "Britain"}}), json!({"scope": "west"}), json!({"scope": "west", "params": {}})] {
        let verdict = api.dry_run(&definition, &other).await.yes();
        assert_eq!((&verdict["ok"], &verdict["verified"]), (&json!(true), &json!(false)), "{other}: {verdict}");
    }
    world.the_scheduler_has_read_everything().await;
    world.advance(600).await;
    world.nothing_is_due().await;
    assert_eq!(world.runs_of(&definition).await, Vec::<String>::new());
    assert_eq!(world.events(&definition, "definition_verified").await, Vec::<Value>::new());
    let withheld = world.events(&definition, "occurrence_withheld").await;
    assert_eq!((withheld.len(), &withheld[0]["cause"]), (1, &json!("never_verified")));

    let verdict = api.dry_run(&definition, &json!({"scope": "main", "params": {}})).await.yes();
    assert_eq!((&verdict["ok"], &verdict["verified"]), (&json!(true), &json!(true)), "{verdict}");
    let run_id = world.run_of(&definition).await;
    raided(&world, &definition, &run_id, "2027-03-01T12:10:00Z").await;
    world.finish().await;
}

#[tokio::test]
async fn a_start_by_hand_in_a_scope_that_nobody_knows_is_refused_and_leaves_no_trace() {
    let world = World::new().await;
    let definition = world.engine.api.publish(&event("nowhere", &[phase("all", &[skill()], "5m")])).await;
    world.the_scheduler_has_read_everything().await;
    let before = world.log().await.head().await.unwrap();
    let refused = world.engine.api.post(&format!("/{definition}/runs"), &json!({"scope": "atlantis"})).await;
    let refused = refused.no(422, "unknown_scope");
    assert_eq!(refused["errors"][0]["pointer"], "/scope", "{refused}");
    let told = refused.to_string();
    assert!(told.contains("atlantis") && told.contains("main"), "{refused}");
    assert_eq!(world.log().await.head().await.unwrap(), before, "nothing was written");
    assert_eq!(world.runs_of(&definition).await, Vec::<String>::new());
    world.finish().await;
}

/// A verified definition that is due in thirty days, at 11:00 in Greenwich: Berlin will have turned its clocks by then.
async fn in_thirty_days(world: &World) -> String {
    let definition = world.engine.api.publish(&raid_at("far", "2027-03-31T13:00")).await;
    world.engine.api.verify(&definition).await;
    world.the_scheduler_has_read_everything().await;
    definition
}

async fn no_run_yet(world: &World, definition: &str) {
    world.nothing_is_due().await;
    assert_eq!(world.runs_of(definition).await, Vec::<String>::new());
}

/// The run is made now, that many days ahead, and starts when they have passed.
async fn made_and_started(world: &World, definition: &str, days: u32) {
    let run_id = world.run_of(definition).await;
    world.advance(days * DAY - 1).await;
    world.nothing_is_due().await;
    let run = world.engine.api.run(&run_id).await;
    assert_eq!((&run["status"], &run["scheduledFor"]), (&json!("scheduled"), &json!("2027-03-31T11:00:00Z")));
    world.advance(1).await;
    raided(world, definition, &run_id, "2027-03-31T11:00:00Z").await;
}

#[tokio::test]
async fn a_far_start_is_made_on_the_day_on_which_it_comes_into_the_horizon() {
    let world = World::new().await;
    let definition = in_thirty_days(&world).await;
    world.advance(16 * DAY - 3_601).await;
    no_run_yet(&world, &definition).await;
    world.advance(1).await;
    made_and_started(&world, &definition, 14).await;
    world.finish().await;
}

#[tokio::test]
async fn a_far_start_is_made_all_the_same_by_an_engine_that_looks_less_far_ahead() {
    let mut world = World::new().await;
    let definition = in_thirty_days(&world).await;
    world.engine.stop().await;
    world.engine.restart_with(vec![("LEASEHOLD_HORIZON_DAYS", "7")]).await;
    world.advance(16 * DAY - 3_600).await;
    no_run_yet(&world, &definition).await;
    world.advance(7 * DAY - 1).await;
    no_run_yet(&world, &definition).await;
    world.advance(1).await;
    made_and_started(&world, &definition, 7).await;
    world.finish().await;
}

#[tokio::test]
async fn a_far_start_is_made_late_if_no_engine_was_there_on_its_day() {
    let mut world = World::new().await;
    let definition = in_thirty_days(&world).await;
    world.engine.kill9().await;
    world.advance(29 * DAY - 3_600).await;
    world.engine.restart_with(vec![("LEASEHOLD_HORIZON_DAYS", "7")]).await;
    made_and_started(&world, &definition, 1).await;
    world.finish().await;
}

/// One row whose metadata is not the flat map of words that everybody else writes.
fn odd_row(stream: (&str, &str, u32), event_type: &str, metadata: &str) -> String {
    let (aggregate_type, aggregate_id, sequence) = stream;
    format!(
        "insert into public.events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
         values ('{aggregate_type}', '{aggregate_id}', {sequence}, '{event_type}', '1', '{{}}', '{metadata}')"
    )
}

#[tokio::test]
async fn rows_that_nobody_can_read_stop_neither_the_scheduler_nor_the_runner() {
    let world = World::new().await;
    world.psql(&odd_row(("demo", "lamp", 1), "lamp_lit", r#"{"at": {"hour": 1}}"#));
    let holder = alone(event("holder", &[phase("all", &[hail()], "20m")]), "orchard");
    let holder = world.engine.api.start(&world.engine.api.publish(&holder).await).await;
    world.psql(&odd_row(("slot", "elsewhere", 1), "slot_released", "[]"));
    world.psql(&odd_row(("definition", "odd", 1), "definition_published", r#"{"actor": ["a", "b"]}"#));
    let definition = world.engine.api.publish(&alone(raid_at("waiting", "2027-03-01T13:10"), "orchard")).await;
    world.psql(&odd_row(("definition", "odd", 2), "definition_verified", r#""words""#));
    world.engine.api.verify(&definition).await;
    world.psql(&odd_row(("demo", "lamp", 2), "lamp_lit", "7"));

    let run_id = world.run_of(&definition).await;
    world.advance(600).await;
    world.wait_until("it is blocked", async || !world.events(&run_id, "run_blocked").await.is_empty()).await;
    world.psql(&odd_row(("slot", "elsewhere", 2), "slot_released", r#"{"at": null}"#));
    world.advance(600).await;
    world.ended(&holder, "completed", "not_required").await;
    raided(&world, &definition, &run_id, "2027-03-01T12:20:00Z").await;
    world.finish().await;
}

#[tokio::test]
async fn the_log_and_the_replay_name_who_published_verified_and_started() {
    let world = World::new().await;
    let admin = world.streams("account").await.pop().unwrap();
    let definition = world.engine.api.publish(&raid_at("signed", "2027-03-01T13:10")).await;
    world.advance(60).await;
    world.engine.api.verify(&definition).await;
    let run_id = world.run_of(&definition).await;
    for act in ["definition_created", "definition_published", "definition_verified"] {
        assert_eq!(world.actors(&definition, act).await, [admin.as_str()], "{act}");
    }
    world.advance(540).await;
    raided(&world, &definition, &run_id, "2027-03-01T12:10:00Z").await;
    assert_eq!(world.actors(&run_id, "run_started").await, ["runner"]);

    let story: Value = serde_json::from_str(&world.engine.cli(&["replay", &run_id, "--format", "json"])).unwrap();
    for (act, at) in [("published", "2027-03-01T12:00:00Z"), ("verified", "2027-03-01T12:01:00Z")] {
        assert_eq!((&story[act]["by"], &story[act]["at"]), (&json!(admin), &json!(at)), "{act}");
    }
    let started = story["lines"].as_array().unwrap().iter().find(|line| line["text"] == "started").unwrap();
    assert_eq!((&started["actor"], &started["at"]), (&json!("runner"), &json!("2027-03-01T12:10:00Z")));

    let by_hand = world.engine.api.start(&definition).await;
    let text = world.engine.cli(&["replay", &by_hand]);
    let told = format!("published 2027-03-01T12:00:00Z by {admin}, verified 2027-03-01T12:01:00Z by {admin}");
    assert!(text.contains(&told), "{text}");
    assert_eq!(world.actors(&by_hand, "run_started").await, [admin.as_str()]);
    assert!(text.lines().any(|line| line.contains(&admin) && line.ends_with("  started")), "{text}");
    world.engine.api.cancel(&by_hand, &json!({})).await.yes();
    world.ended(&by_hand, "cancelled", "complete").await;
    world.finish().await;
}
