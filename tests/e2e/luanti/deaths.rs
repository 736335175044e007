//! Whatever dies, and whichever world comes back: the sidecar, the engine in the midst of an order, all of ours at once over a
//! deadline, and the server with an older map than its journal, or a newer one.

use leasehold_luanti_client::{Player, Point};
use serde_json::{Value, json};

use super::game::{CONSENT, Luanti, SCOPE, has_spawners};
use super::ground::{borrows, does, of_luanti, start, with_luanti};
use super::players::{plays, sees};
use crate::world::{World, step};

/// Minutes for which values are lent and gates are open.
const MINUTES: u32 = 5;

fn mobs(key: &str, mob: &str, count: u32) -> Value {
    does(key, "luanti.mob.spawn", &json!({"place": "yard", "mob": mob, "count": count, "radius": 3}))
}

fn gate() -> Value {
    let params = json!({"place": "square", "destination": "yard", "minutes": MINUTES, "dx": -3});
    does("gate", "luanti.gate.open", &params)
}

fn lent() -> Vec<Value> {
    let mut lent = vec![borrows("days", "luanti.time_speed", "3600", MINUTES)];
    if has_spawners() {
        lent.push(borrows("den", "luanti.spawner.den.amount", "4", MINUTES));
    }
    lent
}

/// Waits until the spawner has that amount, where there is one.
async fn spawner_has(world: &World, game: &Luanti, amount: u32) {
    let wanted = format!("leasehold_zoo:boar 0 15 {amount} 0 0");
    let has = async || !has_spawners() || game.seen()["spawner"] == wanted.as_str();
    world.wait_until(&format!("the spawner's command is {wanted}"), has).await;
}

#[tokio::test]
async fn whatever_dies_nothing_is_done_twice_and_everything_is_given_back() {
    let directory = tempfile::tempdir().unwrap();
    let Some((mut world, mut game)) = with_luanti(directory.path()).await else { return };
    world.engine.api.enable("luanti.gate.open", &json!({})).await;
    let ann = plays(&world, &game, "ann").await;

    the_engine_dies_with_an_order_under_way(&mut world, &game, &ann).await;
    deadlines_pass_with_all_of_ours_dead(&mut world, &game, &ann).await;
    ann.leave().await;
    an_older_map_brings_back_what_was_removed(&world, &mut game).await;
    an_older_map_lacks_what_was_made(&world, &mut game).await;
    world.finish().await;
}

/// The answer was given and never written down: the order is sent again under its key, and one pair of boars is there.
async fn the_engine_dies_with_an_order_under_way(world: &mut World, game: &Luanti, ann: &Player) {
    world.engine.stop().await;
    world.engine.restart_to_die("dispatch.answered").await;
    let id = world.engine.api.publish(&of_luanti("answered", &[mobs("herd", "leasehold_zoo:boar", 2)])).await;
    let started = world.engine.api.post(&format!("/{id}/runs"), &json!({"scope": SCOPE})).await.yes();
    let run_id = started["id"].as_str().unwrap();
    world.engine.died_at("dispatch.answered").await;
    world.link.kill9().await;
    world.link.restart().await;
    // Its line is back before time passes: an order that is not sent waits for a minute.
    world.wait_until("the game has its line again", async || world.link.health(SCOPE).await["connected"] == true).await;
    world.engine.restart().await;
    world.clock.advance(120).await;
    let run = world.step_is(run_id, "herd", "done").await;
    assert_eq!(step(&run, "herd")["attempts"], 2, "{run}");
    ann.go_to(Point::new(8.0, 8.5, 0.0));
    sees(world, ann, "one pair of boars", |seen| seen.with_nametag("boar").len() == 2).await;
    assert_eq!(game.audited(run_id).iter().filter(|(kind, _)| kind == "act.perform").count(), 1);
    world.engine.api.cancel(run_id, &json!({})).await.yes();
    world.ended(run_id, "cancelled", "complete").await;
    sees(world, ann, "no boar", |seen| seen.with_nametag("boar").is_empty()).await;
}

/// Values go back and the gate closes by the server's own clock; whoever comes back finds that out.
async fn deadlines_pass_with_all_of_ours_dead(world: &mut World, game: &Luanti, ann: &Player) {
    let run_id = start(world, &of_luanti("alone", &[lent(), vec![gate()]].concat())).await;
    world.step_is(&run_id, "gate", "done").await;
    spawner_has(world, game, 4).await;
    sees(world, ann, "the gate", |seen| seen.node(-3, 9, 0) == Some("leasehold_bridge:gate")).await;
    ann.go_to(Point::new(-3.0, 8.5, 0.0));
    sees(world, ann, "the yard, where the gate leads", |seen| seen.position.distance(Point::new(14.0, 9.0, 0.0)) < 2.0).await;
    ann.go_to(Point::new(8.0, 8.5, 0.0));

    world.engine.kill9().await;
    world.link.kill9().await;
    game.put_ahead(MINUTES * 60 + 1);
    sees(world, ann, "days as they were", |seen| (seen.time_speed - 72.0).abs() < 0.5).await;
    sees(world, ann, "no gate", |seen| seen.node(-3, 9, 0) == Some("air")).await;
    spawner_has(world, game, 0).await;

    world.link.restart().await;
    // Its line is back before time passes: an order that is not sent waits for a minute.
    world.wait_until("the game has its line again", async || world.link.health(SCOPE).await["connected"] == true).await;
    world.engine.restart().await;
    world.clock.advance(30 * 60).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!((&run["unresolvedResources"], &run["health"]), (&json!(0), &json!("ok")), "{run}");
}

/// The journal says that it was taken back, and the world has it still.
async fn an_older_map_brings_back_what_was_removed(world: &World, game: &mut Luanti) {
    let torch = does("torch", "luanti.node.place", &json!({"place": "square", "node": "default:torch", "dx": 3}));
    let run_id =
        start(world, &of_luanti("removed", &[lent(), vec![torch, mobs("herd", "leasehold_zoo:boar", 2)]].concat())).await;
    world.step_is(&run_id, "herd", "done").await;
    game.stop().await;
    let map = game.copy_of_the_map();
    game.start(world, CONSENT).await;
    let ann = plays(world, game, "ann").await;
    ann.go_to(Point::new(8.0, 8.5, 0.0));
    sees(world, &ann, "the boars, after a stop", |seen| seen.with_nametag("boar").len() == 2).await;
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    let run = world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!(run["unresolvedResources"], 0, "{run}");
    sees(world, &ann, "no boar", |seen| seen.with_nametag("boar").is_empty()).await;
    ann.leave().await;
    game.kill9().await;
    game.put_back_the_map(&map);
    game.start(world, CONSENT).await;
    spawner_has(world, game, 0).await;
    let ann = plays(world, game, "ann").await;
    ann.go_to(Point::new(8.0, 8.5, 0.0));
    let nobody = async || game.seen()["boars"] == 0.0 && game.seen()["node"] == "air";
    world.wait_until("what came back is gone again", nobody).await;
    sees(world, &ann, "neither boar nor torch", |seen| {
        seen.node(3, 9, 0) == Some("air") && seen.node(14, 9, 0).is_some() && seen.with_nametag("boar").is_empty()
    })
    .await;
    ann.leave().await;
}

/// The journal says that it was made, and the world lacks it: told as gone, and nothing is left to do.
async fn an_older_map_lacks_what_was_made(world: &World, game: &mut Luanti) {
    game.stop().await;
    let map = game.copy_of_the_map();
    game.start(world, CONSENT).await;
    let run_id = start(world, &of_luanti("made", &[gate(), mobs("herd", "leasehold_zoo:boar", 2)])).await;
    world.step_is(&run_id, "herd", "done").await;
    game.kill9().await;
    game.put_back_the_map(&map);
    game.start(world, CONSENT).await;
    let all_gone = |run: &Value| {
        let of_it = run["resources"].as_array().unwrap();
        of_it.len() == 3 && of_it.iter().all(|one| one["status"] == "orphaned")
    };
    world.run_until(&run_id, "what the world lacks is told as gone", all_gone).await;
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    world.ended(&run_id, "cancelled", "complete").await;
}
