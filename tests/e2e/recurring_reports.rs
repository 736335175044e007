//! Public faults of systems like this one, about schedules, over the real processes; the game says what happened.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::recurring::{raids, run_at, scheduled, slots, until};
use crate::world::World;
use crate::world::plans::{event, orcs, phase};

const EVERY_DAY: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// How often the game was told to bring something.
fn commands(world: &World) -> usize {
    world.shard.outcomes("world.spawn").iter().filter(|outcome| *outcome == "applied").count()
}

#[tokio::test]
async fn an_hour_that_comes_twice_starts_a_daily_job_once() {
    let world = World::from("2027-10-29T12:00:00Z").await;
    let daily = json!({"kind": "weekly", "days": EVERY_DAY, "time": "02:00", "until": "2027-11-01"});
    let definition = scheduled(&world, &raids("daily", "Europe/Berlin", &daily)).await;
    let expected = [
        ("2027-10-30T02:00", "2027-10-30T00:00:00Z", Value::Null),
        ("2027-10-31T02:00", "2027-10-31T00:00:00Z", json!("fold")),
        ("2027-11-01T02:00", "2027-11-01T01:00:00Z", Value::Null),
    ];
    for (slot, instant, adjusted) in &expected {
        until(&world, instant).await;
        let run_id = run_at(&world, &definition, slot).await;
        let run = world.step_is(&run_id, "raid", "done").await;
        assert_eq!((&run["startedAt"], &run["dstAdjusted"]), (&json!(instant), adjusted), "{slot}");
        world.advance(300).await;
        world.ended(&run_id, "completed", "complete").await;
        // The same hour once more.
        until(&world, &instant.replace("00:00:00Z", "01:10:00Z").replace("01:00:00Z", "01:10:00Z")).await;
    }
    until(&world, "2027-11-02T00:00:00Z").await;
    assert_eq!(slots(&world, &definition).await.len(), 3);
    assert_eq!(commands(&world), 3, "the game was told three times");
    world.finish().await;
}

#[tokio::test]
async fn a_monthly_draw_in_the_hour_that_comes_twice_gives_one_prize() {
    let world = World::from("2027-11-01T00:00:00Z").await;
    let draw = json!({"kind": "monthly", "nth": 1, "weekday": "sunday", "time": "01:14"});
    let mut definition = event("draw", &[phase("all", &[orcs("prize", 1)], "5m")]);
    (definition["timezone"], definition["spec"]["schedule"]) = (json!("America/Chicago"), draw);
    let definition = scheduled(&world, &definition).await;
    until(&world, "2027-11-07T06:14:00Z").await;
    let run_id = run_at(&world, &definition, "2027-11-07T01:14").await;
    let run = world.step_is(&run_id, "prize", "done").await;
    assert_eq!((&run["startedAt"], &run["dstAdjusted"]), (&json!("2027-11-07T06:14:00Z"), &json!("fold")));
    world.advance(300).await;
    world.ended(&run_id, "completed", "complete").await;
    until(&world, "2027-11-07T07:14:00Z").await;
    until(&world, "2027-11-10T00:00:00Z").await;
    assert_eq!(world.runs_of(&definition).await, std::slice::from_ref(&run_id));
    assert_eq!(commands(&world), 1);
    let resources = world.engine.api.run(&run_id).await["resources"].as_array().unwrap().len();
    assert_eq!(resources, 1, "one thing in the ledger");
    world.finish().await;
}

#[tokio::test]
async fn a_government_that_changes_its_clocks_moves_what_has_not_begun_and_the_log_names_both_rules() {
    let mut world = World::from("2026-10-28T00:00:00Z").await;
    let fridays = json!({"kind": "weekly", "days": ["friday"], "time": "20:00"});
    let definition = scheduled(&world, &raids("fridays", "America/Edmonton", &fridays)).await;
    let of = |slots: Vec<(String, String)>| slots.into_iter().map(|(_, instant)| instant).collect::<Vec<_>>();
    assert_eq!(of(slots(&world, &definition).await), ["2026-10-31T02:00:00Z", "2026-11-07T03:00:00Z"]);
    let preview = json!({"schedule": fridays, "timezone": "America/Edmonton", "from": "2026-11-01T00:00:00Z", "to": "2026-11-08T00:00:00Z"});
    let before = world.engine.api.post("/occurrences", &preview).await.yes()["zoneData"].clone();

    world.engine.stop().await;
    let newer = concat!(env!("CARGO_MANIFEST_DIR"), "/aggregates/tests/zones/2026f");
    world.engine.restart_with(vec![("LEASEHOLD_ZONEINFO", newer)]).await;
    world
        .wait_until("the second run has moved", async || of(slots(&world, &definition).await)[1] == "2026-11-07T02:00:00Z")
        .await;
    let changed = world.events("one", "zone_data_changed").await;
    let releases: Vec<&Value> = changed.iter().map(|event| &event["to"]).collect();
    assert_eq!(releases, [&before, &json!("2026f")], "{changed:?}");
    assert_eq!(changed.last().unwrap()["from"], before);

    let expected = ["2026-10-31T02:00:00Z", "2026-11-07T02:00:00Z", "2026-11-14T02:00:00Z", "2026-11-21T02:00:00Z"];
    world
        .wait_until("one row for each authored Friday", async || {
            let calendar = world.engine.api.get("/calendar?from=2026-10-28T00:00:00Z&to=2026-11-25T00:00:00Z").await.yes();
            calendar["items"].as_array().unwrap().iter().map(|entry| entry["at"].as_str().unwrap()).eq(expected)
        })
        .await;
    for (slot, instant) in [("2026-10-30T20:00", expected[0]), ("2026-11-06T20:00", expected[1])] {
        until(&world, instant).await;
        let run_id = run_at(&world, &definition, slot).await;
        assert_eq!(world.step_is(&run_id, "raid", "done").await["startedAt"], instant);
        world.advance(300).await;
        world.ended(&run_id, "completed", "complete").await;
    }
    until(&world, "2026-11-07T03:00:00Z").await;
    assert_eq!(commands(&world), 2, "no second run that evening");
    world.finish().await;
}

/// Four engines, many definitions due at one instant, engines dying meanwhile: everything once.
#[tokio::test]
async fn several_schedulers_queue_nothing_twice() {
    const DEFINITIONS: usize = 25;
    let mut world = World::new().await;
    for _ in 0..3 {
        world.another_engine().await;
    }
    let mut definitions = Vec::new();
    for nth in 0..DEFINITIONS {
        let once = json!({"kind": "weekly", "days": EVERY_DAY, "time": "20:00", "until": "2027-03-03"});
        let mut raid = event(&format!("raid-{nth}"), &[phase("all", &[orcs("raid", 1)], "5m")]);
        (raid["timezone"], raid["spec"]["schedule"]) = (json!("UTC"), once);
        let definition = world.engine.api.publish(&raid).await;
        world.engine.api.verify(&definition).await;
        definitions.push(definition);
    }
    world.the_scheduler_has_read_everything().await;
    for (day, instant) in ["2027-03-01T20:00:00Z", "2027-03-02T20:00:00Z", "2027-03-03T20:00:00Z"].iter().enumerate() {
        let ahead = instant.parse::<chrono::DateTime<chrono::Utc>>().unwrap() - world.clock.now().await;
        world.advance(u32::try_from(ahead.num_seconds()).unwrap()).await;
        // In the middle of it one of them dies, another each day, and comes back.
        let doomed = &mut world.others[day];
        doomed.kill9().await;
        doomed.restart().await;
        world.wait_until("every raid has come", async || commands(&world) >= DEFINITIONS * (day + 1)).await;
        // What was on its way with the dead engine is tried again after its claim; then all go home.
        world.advance(300).await;
        for definition in &definitions {
            let run_id = world.runs_of(definition).await[day].clone();
            world.ended(&run_id, "completed", "complete").await;
        }
        world.nothing_is_due().await;
    }
    let audit = world.shard.audit();
    let spawned: Vec<_> = audit.iter().filter(|row| row.kind == "world.spawn" && row.outcome == "applied").collect();
    let keys: BTreeSet<&str> = spawned.iter().filter_map(|row| row.key.as_deref()).collect();
    assert_eq!((spawned.len(), keys.len()), (3 * DEFINITIONS, 3 * DEFINITIONS));
    for definition in &definitions {
        let runs = world.runs_of(definition).await;
        assert_eq!(runs.len(), 3);
        for run_id in runs {
            assert_eq!(world.ended(&run_id, "completed", "complete").await["steps"][0]["status"], "done");
        }
    }
    world.finish().await;
}
