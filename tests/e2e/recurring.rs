//! Schedules that recur, on a clock that runs for weeks: each slot once, through changes of the clocks, deaths of the
//! engine, long absences and new rules.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::world::World;
use crate::world::plans::{event, orcs, phase};

/// Five orcs for five minutes, by that schedule.
pub fn raids(slug: &str, timezone: &str, schedule: &Value) -> Value {
    let mut raids = event(slug, &[phase("all", &[orcs("raid", 5)], "5m")]);
    raids["timezone"] = json!(timezone);
    raids["spec"]["schedule"] = schedule.clone();
    raids
}

/// A verified definition of such raids, whose horizon has been filled.
pub async fn scheduled(world: &World, raids: &Value) -> String {
    let definition = world.engine.api.publish(raids).await;
    world.engine.api.verify(&definition).await;
    world.the_scheduler_has_read_everything().await;
    definition
}

/// Lets time pass until that instant.
pub async fn until(world: &World, instant: &str) {
    let ahead = instant.parse::<DateTime<Utc>>().unwrap() - world.clock.now().await;
    world.advance(u32::try_from(ahead.num_seconds()).unwrap()).await;
    world.nothing_is_due().await;
}

/// The slots of every run that was ever scheduled, and the instant it has now.
pub async fn slots(world: &World, definition: &str) -> Vec<(String, String)> {
    let mut slots = Vec::new();
    for run_id in world.runs_of(definition).await {
        let mut pinned = world.events(&run_id, "run_scheduled").await;
        assert_eq!(pinned.len(), 1, "{run_id} was made once");
        pinned.extend(world.events(&run_id, "run_repinned").await);
        let run = &pinned.last().unwrap()["run"];
        slots.push((run["slot"].as_str().unwrap().to_owned(), run["scheduled_for"].as_str().unwrap().to_owned()));
    }
    slots.sort();
    slots
}

/// The run of a slot.
pub async fn run_at(world: &World, definition: &str, slot: &str) -> String {
    for run_id in world.runs_of(definition).await {
        if world.events(&run_id, "run_scheduled").await[0]["run"]["slot"] == slot {
            return run_id;
        }
    }
    panic!("{slot} has no run\n{}", world.picture().await)
}

#[tokio::test]
async fn every_sunday_night_starts_once_whatever_the_clocks_do_and_whoever_dies() {
    let mut world = World::new().await;
    let sundays = json!({"kind": "weekly", "days": ["sunday"], "time": "02:30", "from": "2027-03-01", "count": 5, "except": ["2027-03-21"]});
    let definition = scheduled(&world, &raids("sundays", "Europe/Berlin", &sundays)).await;
    for (slot, instant, adjusted) in [
        ("2027-03-07T02:30", "2027-03-07T01:30:00Z", Value::Null),
        ("2027-03-14T02:30", "2027-03-14T01:30:00Z", Value::Null),
        ("2027-03-28T02:30", "2027-03-28T01:00:00Z", json!("gap")),
        ("2027-04-04T02:30", "2027-04-04T00:30:00Z", Value::Null),
    ] {
        world.engine.kill9().await;
        world.engine.restart().await;
        until(&world, instant).await;
        let run_id = run_at(&world, &definition, slot).await;
        let run = world.step_is(&run_id, "raid", "done").await;
        assert_eq!((&run["startedAt"], &run["scheduledFor"]), (&json!(instant), &json!(instant)), "{slot}");
        assert_eq!(run["dstAdjusted"], adjusted, "{slot}");
        assert_eq!(world.shard.creatures_of(&run_id).await, 5, "{slot}");
        world.advance(300).await;
        world.ended(&run_id, "completed", "complete").await;
    }
    until(&world, "2027-05-01T00:00:00Z").await;
    let made: Vec<String> = slots(&world, &definition).await.into_iter().map(|(slot, _)| slot).collect();
    assert_eq!(made, ["2027-03-07T02:30", "2027-03-14T02:30", "2027-03-28T02:30", "2027-04-04T02:30"]);
    let verdict = world.engine.api.dry_run(&definition, &json!({})).await.yes();
    assert_eq!(verdict["findings"][0]["code"], "nothing_ahead", "{verdict}");
    world.finish().await;
}

/// Field report S01.
#[tokio::test]
async fn after_a_month_away_what_was_made_is_missed_and_nothing_is_invented() {
    let mut world = World::new().await;
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let daily = json!({"kind": "weekly", "days": days, "time": "20:00"});
    let definition = scheduled(&world, &raids("daily", "Asia/Seoul", &daily)).await;
    let before = world.runs_of(&definition).await;
    assert_eq!(before.len(), 14);
    world.engine.stop().await;
    world.advance(30 * 86_400).await;
    world.engine.restart().await;
    for run_id in &before {
        world.ended(run_id, "missed", "not_required").await;
        assert_eq!(world.events(run_id, "run_missed").await.len(), 1);
    }
    world.nothing_is_due().await;
    let made: Vec<String> = slots(&world, &definition).await.into_iter().map(|(slot, _)| slot).collect();
    let date = |month: u32, day: u32| format!("2027-{month:02}-{day:02}T20:00");
    let expected: Vec<String> = (2..=15).map(|day| date(3, day)).chain((1..=14).map(|day| date(4, day))).collect();
    assert_eq!(made, expected, "none between the middle of March and April");
    assert_eq!(world.shard.outcomes("world.spawn"), Vec::<String>::new());

    until(&world, "2027-04-01T11:00:00Z").await;
    let next = run_at(&world, &definition, "2027-04-01T20:00").await;
    world.step_is(&next, "raid", "done").await;
    world.advance(300).await;
    world.ended(&next, "completed", "complete").await;
    world.finish().await;
}

/// Field report S04.
#[tokio::test]
async fn another_day_of_the_week_takes_back_what_the_new_version_does_not_yield() {
    let world = World::new().await;
    let weekly = |day: &str, time: &str| raids("moved", "Asia/Seoul", &json!({"kind": "weekly", "days": [day], "time": time}));
    let definition = scheduled(&world, &weekly("friday", "20:00")).await;
    let fridays = world.runs_of(&definition).await;
    assert_eq!(fridays.len(), 2);
    world.engine.api.republish(&definition, &weekly("saturday", "21:00")).await;
    world.engine.api.verify(&definition).await;
    world.the_scheduler_has_read_everything().await;
    for run_id in &fridays {
        assert_eq!(world.events(run_id, "run_withdrawn").await[0]["cause"], "rescheduled");
    }
    let made: Vec<String> = slots(&world, &definition).await.into_iter().map(|(slot, _)| slot).collect();
    assert_eq!(made, ["2027-03-05T20:00", "2027-03-06T21:00", "2027-03-12T20:00", "2027-03-13T21:00"]);
    until(&world, "2027-03-05T11:00:00Z").await;
    assert_eq!(world.shard.outcomes("world.spawn"), Vec::<String>::new());
    until(&world, "2027-03-06T12:00:00Z").await;
    let saturday = run_at(&world, &definition, "2027-03-06T21:00").await;
    world.step_is(&saturday, "raid", "done").await;
    world.advance(300).await;
    world.ended(&saturday, "completed", "complete").await;
    world.finish().await;
}

#[tokio::test]
async fn times_that_fall_together_are_one_run_and_the_other_is_told_merged() {
    let world = World::new().await;
    let night = json!({
        "kind": "weekly", "days": ["sunday"], "times": ["02:10", "02:50"], "from": "2027-03-28", "until": "2027-03-28",
    });
    let definition = scheduled(&world, &raids("night", "Europe/Berlin", &night)).await;
    assert_eq!(world.runs_of(&definition).await, Vec::<String>::new(), "beyond the horizon");
    until(&world, "2027-03-14T01:00:00Z").await;
    let made = slots(&world, &definition).await;
    assert_eq!(made, [("2027-03-28T02:10".to_owned(), "2027-03-28T01:00:00Z".to_owned())]);
    let withheld = world.events(&definition, "occurrence_withheld").await;
    assert_eq!(withheld.len(), 1);
    assert_eq!((&withheld[0]["slot"], &withheld[0]["cause"]), (&json!("2027-03-28T02:50"), &json!("merged")));
    until(&world, "2027-03-28T01:00:00Z").await;
    let run_id = run_at(&world, &definition, "2027-03-28T02:10").await;
    world.step_is(&run_id, "raid", "done").await;
    world.advance(300).await;
    world.ended(&run_id, "completed", "complete").await;
    assert_eq!(world.runs_of(&definition).await, [run_id]);
    world.finish().await;
}

#[tokio::test]
async fn new_rules_for_a_zone_move_a_run_and_double_none() {
    let mut world = World::new().await;
    let fridays = json!({"kind": "weekly", "days": ["friday"], "time": "20:00"});
    let definition = scheduled(&world, &raids("fridays", "America/Edmonton", &fridays)).await;
    let at = |slots: &[(String, String)]| slots.iter().map(|(_, instant)| instant.clone()).collect::<Vec<_>>();
    assert_eq!(at(&slots(&world, &definition).await), ["2027-03-06T03:00:00Z", "2027-03-13T03:00:00Z"]);
    world.engine.stop().await;
    let newer = concat!(env!("CARGO_MANIFEST_DIR"), "/aggregates/tests/zones/2026f");
    world.engine.restart_with(vec![("LEASEHOLD_ZONEINFO", newer)]).await;
    let preview = json!({"schedule": fridays, "timezone": "America/Edmonton", "from": "2027-03-01T00:00:00Z", "to": "2027-03-08T00:00:00Z"});
    let preview = world.engine.api.post("/occurrences", &preview).await.yes();
    assert_eq!((&preview["zoneData"], &preview["occurrences"][0]["at"]), (&json!("2026f"), &json!("2027-03-06T02:00:00Z")));

    until(&world, "2027-03-06T02:00:00Z").await;
    let first = run_at(&world, &definition, "2027-03-05T20:00").await;
    world.step_is(&first, "raid", "done").await;
    let instants = ["2027-03-06T02:00:00Z", "2027-03-13T02:00:00Z", "2027-03-20T02:00:00Z"];
    assert_eq!(at(&slots(&world, &definition).await), instants);
    world.advance(300).await;
    world.ended(&first, "completed", "complete").await;
    until(&world, "2027-03-06T03:00:00Z").await;
    assert_eq!(world.shard.outcomes("world.spawn").len(), 1, "nothing at the old instant");
    world.finish().await;
}
