//! The life of a run on a real server, and the server's death in the midst of a command.

use serde_json::{Value, json};

use super::game::{CONSENT, Luanti, SCOPE};
use super::ground::{of_luanti, start, with_luanti};
use crate::world::{World, borrowed, step};

/// Seconds between two attempts.
const RETRY: u32 = 60;

fn faster_days() -> Value {
    json!({"key": "days", "action": "core.lease", "params": {"lease": "luanti.time_speed", "value": "3600", "minutes": 60}})
}

fn raiders(count: u32) -> Value {
    let params = json!({"place": "square", "mob": "leasehold_bridge:raider", "count": count});
    json!({"key": "raid", "action": "luanti.mob.spawn", "params": params})
}

fn torch() -> Value {
    json!({"key": "torch", "action": "luanti.node.place", "params": {"place": "square", "node": "default:torch", "dx": 3}})
}

fn hail() -> Value {
    json!({"key": "hail", "action": "luanti.announce", "params": {"text": "The harvest begins"}})
}

/// Waits until the witness sees so many raiders, that node, and days that are so many times as long as a day's.
async fn seen(world: &World, game: &Luanti, raiders: u32, node: &str, slope: std::ops::Range<f64>) {
    let as_wanted = async || {
        let seen = game.seen();
        seen["raiders"] == f64::from(raiders)
            && seen["node"] == node
            && seen["slope"].as_f64().is_some_and(|now| slope.contains(&now))
    };
    let what = format!("{raiders} raiders, {node} and days of {slope:?} are seen");
    world.wait_until(&what, as_wanted).await;
}

#[tokio::test]
async fn a_run_changes_a_real_server_and_gives_it_back_also_one_that_was_killed() {
    let directory = tempfile::tempdir().unwrap();
    let Some((world, mut game)) = with_luanti(directory.path()).await else { return };
    seen(&world, &game, 0, "air", 40.0..120.0).await;

    let run_id = start(&world, &of_luanti("real", &[hail(), faster_days(), raiders(3), torch()])).await;
    world.step_is(&run_id, "torch", "done").await;
    seen(&world, &game, 3, "default:torch", 2_000.0..6_000.0).await;
    world.advance(30 * 60).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!((&run["health"], &run["unresolvedResources"]), (&json!("ok"), &json!(0)));
    assert_eq!((&borrowed(&run)["baseline"], &borrowed(&run)["applied"]), (&json!("72"), &json!("3600")));
    seen(&world, &game, 0, "air", 40.0..120.0).await;
    everything_is_audited_once(&game, &run_id);

    killed_in_the_midst_of_a_command(&world, &mut game).await;
    world.finish().await;
}

fn everything_is_audited_once(game: &Luanti, run_id: &str) {
    let audited = game.audited(run_id);
    let told: Vec<(&str, &str)> = audited.iter().map(|(kind, answer)| (kind.as_str(), answer.as_str())).collect();
    let performed = ("act.perform", "act.ok");
    assert_eq!(told[..4], [performed, ("lease.apply", "lease.ok"), performed, performed]);
    assert_eq!(told.iter().filter(|(kind, _)| *kind == "lease.release").count(), 1);
    let (undone, closed) =
        (told.iter().position(|(kind, _)| *kind == "act.revert"), told.iter().position(|(kind, _)| *kind == "run.close"));
    assert!(closed < undone, "the run is closed before anything is undone: {told:?}");
}

/// The key was on disk and no mob was made yet: what became of it is shown to a person, and cancelling leaves nothing.
async fn killed_in_the_midst_of_a_command(world: &World, game: &mut Luanti) {
    game.hang_before_the_next_mob();
    let run_id = start(world, &of_luanti("killed", &[faster_days(), raiders(2)])).await;
    world.wait_until("the server is in the midst of a command", async || game.hangs()).await;
    game.kill9().await;
    game.mend();
    game.start(world, CONSENT).await;
    world.run_until(&run_id, "the answer is lost", |run| step(run, "raid")["nextTryAt"].is_string()).await;
    world.advance(RETRY).await;
    let run = world.step_is(&run_id, "raid", "failed").await;
    assert_eq!((&step(&run, "raid")["lastError"]["code"], &run["status"]), (&json!("interrupted"), &json!("paused")));
    seen(world, game, 0, "air", 40.0..120.0).await;
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    let run = world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!(run["unresolvedResources"], 0);
    seen(world, game, 0, "air", 40.0..120.0).await;
}

#[tokio::test]
async fn a_setting_that_does_nothing_any_more_is_not_offered_and_without_consent_nothing_is_done() {
    let directory = tempfile::tempdir().unwrap();
    let Some(mut game) = Luanti::found(directory.path()) else { return super::skip(1, "there is no server of it") };
    let world = World::untouched().await;
    game.start(&world, "").await;
    let (status, body) =
        world.link.post_as(SCOPE, "/act/verify", &json!({"action": "luanti.announce", "params": {"text": "x"}})).await;
    assert_eq!((status, &body["error"]), (403, &json!("events_disabled")), "{body}");
    let all = 5 + usize::from(super::game::has_spawners());
    assert_eq!(leases(&world).await.len(), all, "each was found to work");

    game.kill9().await;
    game.start(&world, "witness.inert_chat = true\n").await;
    let left = leases(&world).await;
    assert!(left.len() == all - 1 && !left.contains(&"luanti.chat_message_format".to_owned()), "{left:?}");
    world.finish().await;
}

/// Ids of the leases of the manifest of the game on the line.
async fn leases(world: &World) -> Vec<String> {
    let told = world.link.manifest(SCOPE).await;
    told["manifest"]["leases"].as_array().unwrap().iter().map(|lease| lease["id"].as_str().unwrap().to_owned()).collect()
}
