//! The drill: a database that lives is dumped and put into another cluster, and the engine goes on there.

use std::os::unix::fs::PermissionsExt;

use leasehold::embedded::Embedded;
use leasehold::log::AppendOnly;
use serde_json::json;

use crate::support::{contents, pg_restore};
use crate::world::plans::{alone, cue, event, hail, once, phase, raid, skill_for};
use crate::world::{World, step};

/// The tables that hold something before the copy is made; an empty table would prove nothing.
const LIVED_IN: [&str; 13] = [
    "public.events",
    "public.commands",
    "public.staged",
    "public.listeners",
    "public.leadership",
    "public.cursors",
    "public.drafts",
    "public.notes",
    "public.accounts",
    "public.account_tokens",
    "public.controlled_clock",
    "projections.runs_v2_g1",
    "projections.ledger_v1_g1",
];

#[tokio::test]
async fn a_dump_goes_on_in_another_cluster_from_where_it_was() {
    let mut world = World::new().await;
    let api = world.engine.api.clone();
    // Due in an hour, on the clock on a wall in Berlin; and two that need the same key, of which one waits.
    let due = api.publish(&once(event("due", &[phase("all", &[hail(), raid()], "5m")]), "2027-03-01T14:00")).await;
    api.verify(&due).await;
    let due_run = world.run_of(&due).await;
    let square = api.publish(&alone(event("held", &[phase("all", &[skill_for(600), cue()], "3h")]), "the-square")).await;
    let holder = api.start(&square).await;
    let waits =
        api.publish(&alone(once(event("waits", &[phase("all", &[cue()], "1s")]), "2027-03-01T13:05"), "the-square")).await;
    api.verify(&waits).await;
    let waiting = world.run_of(&waits).await;
    world.run_until(&holder, "its cue is open", |run| step(run, "cue")["parked"] == true).await;
    api.confirm(&holder, "cue").await.yes();
    world.advance(300).await;
    world.run_until(&waiting, "it waits for the square", |run| run["blockedBy"] == holder.as_str()).await;
    world.the_scheduler_has_read_everything().await;
    world.engine.kill9().await;

    let copy = world.dump();
    let directory = tempfile::tempdir().unwrap();
    std::fs::set_permissions(directory.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let elsewhere = Embedded::start(directory.path()).await.unwrap();
    pg_restore(elsewhere.owner_url(), &["--no-owner", "--no-privileges"], &copy).unwrap();
    let (before, after) = (contents(world.owner_url()).await, contents(elsewhere.owner_url()).await);
    assert_eq!(after, before, "table by table, nothing is other than it was");
    for table in LIVED_IN {
        assert!(before.get(table).is_some_and(|(rows, _)| *rows > 0), "{table} was empty: {before:?}");
    }
    let head = world.log().await.head().await.unwrap();

    world.move_to(elsewhere.owner_url(), elsewhere.app_url()).await;
    world.engine.restart().await;
    let log = world.log().await;
    log.verify(head.as_ref(), |_| ()).await.expect("the log is whole, and leads through the head that was kept elsewhere");
    assert_eq!(log.append_only().await.unwrap(), AppendOnly::ByPermission, "roles, rights and guards are asserted anew");
    world.advance(55 * 60).await;
    let run = world.step_is(&due_run, "raid", "done").await;
    assert_eq!((&step(&run, "raid")["attempts"], &run["health"]), (&json!(1), &json!("ok")));
    world.engine.api.cancel(&holder, &json!({})).await.yes();
    world.ended(&holder, "cancelled", "complete").await;
    world.advance(300).await;
    world.ended(&due_run, "completed", "complete").await;
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied"], "it was staged before the copy, and done once after it");
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000", "borrowed before the copy, given back after it");
    assert_eq!(world.engine.api.run(&waiting).await["status"], "missed", "its grace was over while the square was held");
    world.finish().await;
    elsewhere.stop().await.unwrap();
}
