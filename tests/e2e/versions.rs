//! What newer versions, archiving and dry runs do to the runs that a schedule promised: nothing starts but by the version
//! that stands, once, and every start that does not happen has its reason in the log.

use serde_json::{Value, json};

use crate::world::plans::{alone, event, once, orcs, phase, skill};
use crate::world::{World, step};

/// An event of so many orcs, for five minutes, at that time of the first day in Berlin, where it is 13:00.
fn raid_of(slug: &str, count: u32, at: &str) -> Value {
    once(event(slug, &[phase("all", &[orcs("raid", count)], "5m")]), at)
}

/// Publishes it and unlocks it; gives the definition's id and the run's.
async fn promised(world: &World, definition: &Value) -> (String, String) {
    let id = world.engine.api.publish(definition).await;
    world.engine.api.verify(&id).await;
    let run_id = world.run_of(&id).await;
    (id, run_id)
}

async fn happens(world: &World, id: &str, event_type: &str, times: usize) -> Vec<Value> {
    let what = format!("{event_type} happened {times} times to {id}");
    world.wait_until(&what, async || world.events(id, event_type).await.len() == times).await;
    world.events(id, event_type).await
}

/// Whatever was to happen by now has happened, and this run has not begun by it.
async fn never_begun(world: &World, run_id: &str) {
    world.the_scheduler_has_read_everything().await;
    world.nothing_is_due().await;
    assert_eq!(world.events(run_id, "run_started").await, Vec::<Value>::new(), "run {run_id} began");
}

/// It began once, by that version, with that many orcs, and ends as it should.
async fn begun_once(world: &World, run_id: &str, version: u64, count: u64, at: &str) {
    let run = world.step_is(run_id, "raid", "done").await;
    assert_eq!((&run["version"], &run["startedAt"]), (&json!(version), &json!(at)));
    assert_eq!(step(&run, "raid")["attempts"], 1);
    assert_eq!(world.shard.creatures_of(run_id).await, count);
    assert_eq!(world.events(run_id, "run_started").await.len(), 1);
    world.advance(300).await;
    world.ended(run_id, "completed", "complete").await;
    assert_eq!(world.shard.creatures_of(run_id).await, 0);
}

#[tokio::test]
async fn a_version_that_nobody_has_verified_keeps_the_slot_empty() {
    let world = World::new().await;
    let (definition, run_id) = promised(&world, &raid_of("unverified", 12, "2027-03-01T13:10")).await;
    world.engine.api.republish(&definition, &raid_of("unverified", 5, "2027-03-01T13:10")).await;
    assert_eq!(happens(&world, &run_id, "run_repinned", 1).await[0]["run"]["definition_version"], 2);
    let withheld = happens(&world, &definition, "occurrence_withheld", 1).await;
    assert_eq!(withheld[0]["cause"], "never_verified", "before the first version was verified, and not again");

    world.advance(600).await;
    assert_eq!(happens(&world, &run_id, "run_withdrawn", 1).await[0]["cause"], "never_verified");
    assert_eq!(world.actors(&run_id, "run_withdrawn").await, ["runner"], "the start itself looked");
    assert!(world.engine.cli(&["replay", &run_id]).contains("taken off the calendar: nobody has verified its version"));
    never_begun(&world, &run_id).await;
    world.advance(901).await;
    let verdict = world.engine.api.dry_run(&definition, &json!({})).await.yes();
    assert_eq!((&verdict["ok"], &verdict["findings"][0]["code"]), (&json!(false), &json!("nothing_ahead")), "{verdict}");
    never_begun(&world, &run_id).await;
    assert_eq!(world.runs_of(&definition).await, [run_id], "past its grace the slot is not made again");
    assert_eq!(world.shard.outcomes("world.spawn"), Vec::<String>::new());
    world.finish().await;
}

#[tokio::test]
async fn a_version_that_is_verified_in_time_starts_once_in_the_same_stream() {
    let world = World::new().await;
    let (definition, run_id) = promised(&world, &raid_of("in-time", 12, "2027-03-01T13:10")).await;
    world.engine.api.republish(&definition, &raid_of("in-time", 5, "2027-03-01T13:10")).await;
    happens(&world, &run_id, "run_repinned", 1).await;
    world.advance(300).await;
    world.engine.api.verify(&definition).await;
    world.the_scheduler_has_read_everything().await;
    assert_eq!(world.events(&run_id, "run_scheduled").await.len(), 1, "it never left the calendar");
    world.advance(299).await;
    never_begun(&world, &run_id).await;
    world.advance(1).await;
    begun_once(&world, &run_id, 2, 5, "2027-03-01T12:10:00Z").await;
    assert_eq!(world.streams("run").await, [run_id]);
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied"]);
    world.finish().await;
}

#[tokio::test]
async fn a_version_that_the_scheduler_has_not_read_yet_is_heeded_all_the_same() {
    let world = World::new().await;
    let (late, late_run) = promised(&world, &raid_of("late", 12, "2027-03-01T13:10")).await;
    let (pinned, pinned_run) = promised(&world, &raid_of("pinned", 12, "2027-03-01T13:15")).await;
    world.put_the_scheduler_to_sleep().await;
    world.engine.api.republish(&late, &raid_of("late", 5, "2027-03-01T13:10")).await;
    world.engine.api.republish(&pinned, &raid_of("pinned", 4, "2027-03-01T13:15")).await;
    world.engine.api.verify(&pinned).await;
    world.advance(600).await;
    assert_eq!(happens(&world, &late_run, "run_withdrawn", 1).await[0]["cause"], "never_verified");
    assert_eq!(world.actors(&late_run, "run_withdrawn").await, ["runner"], "the start itself looked");
    world.wake_the_scheduler().await;
    happens(&world, &pinned_run, "run_repinned", 1).await;
    happens(&world, &late, "occurrence_withheld", 1).await;
    never_begun(&world, &late_run).await;

    world.engine.api.verify(&late).await;
    begun_once(&world, &late_run, 2, 5, "2027-03-01T12:10:00Z").await;
    begun_once(&world, &pinned_run, 2, 4, "2027-03-01T12:15:00Z").await;
    assert_eq!(world.events(&pinned_run, "run_scheduled").await.len(), 1, "it never left the calendar");
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied"; 2]);
    world.finish().await;
}

#[tokio::test]
async fn a_version_with_another_instant_moves_the_start_and_the_next_may_move_it_back() {
    let world = World::new().await;
    let (moved, first) = promised(&world, &raid_of("moved", 12, "2027-03-01T13:10")).await;
    let (back, home) = promised(&world, &raid_of("back", 12, "2027-03-01T13:30")).await;
    for (definition, slug, at) in [(&moved, "moved", "2027-03-01T13:20"), (&back, "back", "2027-03-01T13:40")] {
        world.engine.api.republish(definition, &raid_of(slug, 5, at)).await;
        world.engine.api.verify(definition).await;
        world.wait_until("there is another run", async || world.runs_of(definition).await.len() == 2).await;
    }
    let second = world.runs_of(&moved).await.pop().unwrap();
    let away = world.runs_of(&back).await.pop().unwrap();
    world.engine.api.republish(&back, &raid_of("back", 4, "2027-03-01T13:30")).await;
    world.engine.api.verify(&back).await;
    happens(&world, &home, "run_scheduled", 2).await;

    world.advance(600).await;
    never_begun(&world, &first).await;
    world.advance(600).await;
    begun_once(&world, &second, 2, 5, "2027-03-01T12:20:00Z").await;
    world.advance(300).await;
    begun_once(&world, &home, 3, 4, "2027-03-01T12:30:00Z").await;
    world.advance(600).await;
    for run_id in [&first, &away] {
        never_begun(&world, run_id).await;
        world.ended(run_id, "cancelled", "not_required").await;
    }
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied"; 2]);
    world.finish().await;
}

#[tokio::test]
async fn what_is_archived_never_begins_and_what_has_begun_goes_on_to_its_end() {
    let world = World::new().await;
    let (quiet, quiet_run) = promised(&world, &raid_of("quiet", 4, "2027-03-01T13:10")).await;
    let (unread, unread_run) = promised(&world, &raid_of("unread", 4, "2027-03-01T13:10")).await;
    let live = world.engine.api.publish(&raid_of("live", 12, "2027-03-01T20:00")).await;
    let live_run = world.engine.api.start(&live).await;
    world.step_is(&live_run, "raid", "done").await;
    world.advance(240).await;
    world.engine.api.archive(&live).await;
    world.engine.api.post(&format!("/{live}/runs"), &json!({})).await.no(409, "archived");
    world.engine.api.archive(&quiet).await;
    assert_eq!(happens(&world, &quiet_run, "run_withdrawn", 1).await[0]["cause"], "archived");
    world.advance(60).await;
    world.ended(&live_run, "completed", "complete").await;

    world.advance(299).await;
    world.put_the_scheduler_to_sleep().await;
    world.engine.api.archive(&unread).await;
    world.advance(1).await;
    assert_eq!(happens(&world, &unread_run, "run_withdrawn", 1).await[0]["cause"], "archived");
    assert_eq!(world.actors(&unread_run, "run_withdrawn").await, ["runner"], "the start itself looked");
    world.wake_the_scheduler().await;
    world.advance(901).await;
    for run_id in [&quiet_run, &unread_run] {
        never_begun(&world, run_id).await;
        assert_eq!(world.events(run_id, "run_withdrawn").await.len(), 1);
    }
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied"], "the live one's");
    world.finish().await;
}

#[tokio::test]
async fn what_is_archived_at_the_very_instant_of_its_start_begins_or_not_but_never_half() {
    let world = World::new().await;
    let (definition, run_id) = promised(&world, &raid_of("instant", 4, "2027-03-01T13:10")).await;
    world.advance(599).await;
    tokio::join!(world.engine.api.archive(&definition), world.advance(1));
    let over = async || world.engine.api.glance(&run_id).await["status"] != "scheduled";
    world.wait_until("it was decided", over).await;
    let withdrawn = world.events(&run_id, "run_withdrawn").await.len();
    assert_eq!(withdrawn + world.events(&run_id, "run_started").await.len(), 1);
    world.advance(300).await;
    let status = if withdrawn == 1 { ("cancelled", "not_required") } else { ("completed", "complete") };
    world.ended(&run_id, status.0, status.1).await;
    world.finish().await;
}

/// A run of two definitions that exclude each other: one holds the slot for twenty minutes, the other is due and blocked.
async fn blocked(world: &World) -> (String, String, String) {
    let holder = alone(event("holder", &[phase("all", &[skill()], "20m")]), "orchard");
    let holder = world.engine.api.start(&world.engine.api.publish(&holder).await).await;
    let (definition, waiting) = promised(world, &alone(raid_of("waiting", 12, "2027-03-01T13:10"), "orchard")).await;
    world.advance(600).await;
    happens(world, &waiting, "run_blocked", 1).await;
    (holder, definition, waiting)
}

#[tokio::test]
async fn what_waits_for_its_slot_may_be_published_anew_and_starts_by_the_new_version() {
    let world = World::new().await;
    let (holder, definition, waiting) = blocked(&world).await;
    world.advance(60).await;
    world.engine.api.republish(&definition, &alone(raid_of("waiting", 5, "2027-03-01T13:10"), "orchard")).await;
    happens(&world, &waiting, "run_withdrawn", 1).await;
    world.engine.api.verify(&definition).await;
    happens(&world, &waiting, "run_blocked", 2).await;
    world.advance(540).await;
    world.ended(&holder, "completed", "complete").await;
    begun_once(&world, &waiting, 2, 5, "2027-03-01T12:20:00Z").await;
    world.finish().await;
}

#[tokio::test]
async fn what_waits_for_its_slot_and_is_pinned_anew_goes_on_waiting() {
    let world = World::new().await;
    let (holder, definition, waiting) = blocked(&world).await;
    world.put_the_scheduler_to_sleep().await;
    world.engine.api.republish(&definition, &alone(raid_of("waiting", 5, "2027-03-01T13:10"), "orchard")).await;
    world.engine.api.verify(&definition).await;
    world.wake_the_scheduler().await;
    happens(&world, &waiting, "run_repinned", 1).await;
    happens(&world, &waiting, "run_blocked", 2).await;
    world.advance(600).await;
    world.ended(&holder, "completed", "complete").await;
    begun_once(&world, &waiting, 2, 5, "2027-03-01T12:20:00Z").await;
    let withdrawn = world.events(&waiting, "run_withdrawn").await;
    assert!(withdrawn.iter().all(|one| one["cause"] == "never_verified"), "while nobody had verified it: {withdrawn:?}");
    world.finish().await;
}
