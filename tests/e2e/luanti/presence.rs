//! Who took part is counted on whatever dies: somebody's client, the sidecar, the server itself, and the engine as it is told.

use std::time::Instant;

use leasehold_luanti_client::Player;
use reqwest::Method;
use serde_json::{Value, json};

use super::game::{CONSENT, Luanti};
use super::ground::{does, start, with_luanti};
use super::players::{SLACK, arms, number, of, plays, sees, two_raiders_die};
use crate::world::plans::{event, phase};
use crate::world::{World, step};

/// Seconds of presence that a server may forget when it is killed: it writes them down as often as that.
const FORGOTTEN: f64 = 5.0;

/// Half an hour of fighting at the square, and five minutes in which it is told who was there.
fn siege() -> Value {
    let first = [
        does("swords", "luanti.item.give", &json!({"item": "default:sword_steel", "amount": 1, "to": "online"})),
        does("count", "luanti.turnout.count", &json!({"place": "square", "radius": 30, "minutes": 120})),
        does("raid", "luanti.mob.spawn", &json!({"place": "square", "mob": "leasehold_bridge:raider", "count": 3})),
    ];
    let second = [does("who", "luanti.turnout.read", &json!({})), does("results", "core.results.publish", &json!({}))];
    let mut definition = event("siege", &[phase("fight", &first, "30m"), phase("reckoning", &second, "5m")]);
    definition["ownerModule"] = json!("luanti");
    definition
}

#[tokio::test]
async fn who_took_part_is_counted_on_whatever_dies() {
    let directory = tempfile::tempdir().unwrap();
    let Some((mut world, mut game)) = with_luanti(directory.path()).await else { return };
    for action in ["luanti.item.give", "luanti.turnout.count", "luanti.turnout.read", "core.results.publish"] {
        world.engine.api.enable(action, &json!({})).await;
    }
    let (ann, bob, cid) =
        (plays(&world, &game, "ann").await, plays(&world, &game, "bob").await, plays(&world, &game, "cid").await);
    let begun = Instant::now();
    let run_id = start(&world, &siege()).await;
    world.step_is(&run_id, "raid", "done").await;
    let counted = Instant::now();
    let silent = begun.elapsed().as_secs_f64();
    cid.vanish();
    world.link.kill9().await;
    two_raiders_die(&world, &ann, &bob).await;
    world.wait_until("the mod has seen that cid is gone", async || game.has_reported("luanti.leave")).await;

    // What was subtracted a moment ago is subtracted for good.
    let (least, most) = (counted.elapsed().as_secs_f64() - FORGOTTEN, begun.elapsed().as_secs_f64());
    game.kill9().await;
    drop((ann, bob));
    world.link.restart().await;
    game.start(&world, CONSENT).await;
    let again = Instant::now();
    let (ann, bob) = (plays(&world, &game, "ann").await, plays(&world, &game, "bob").await);
    let back = Instant::now();
    the_last_raider_dies(&world, &ann).await;
    let (least, since) = (least + back.elapsed().as_secs_f64(), again);

    let run = told_twice(&mut world, &run_id).await;
    let most = most + since.elapsed().as_secs_f64();
    let kills = |name: &str| of(&run, name)["meta"]["kills"].clone();
    assert_eq!((kills("ann"), kills("bob"), kills("cid")), (json!(3), json!(1), json!(0)));
    for name in ["ann", "bob"] {
        let seconds = number(&of(&run, name)["meta"]["seconds"]);
        assert!((least - SLACK..most + SLACK).contains(&seconds), "{name} was there for {least} to {most} s, not {seconds}");
    }
    let seconds = number(&of(&run, "cid")["meta"]["seconds"]);
    assert!(seconds < silent + SLACK, "cid was there for {silent} s at most, not {seconds}");
    what_was_told_is_published(&world, &game, &run).await;
    assert_eq!(game.audited(&run_id).iter().filter(|(kind, _)| kind == "act.perform").count(), 4, "each once");

    world.advance(5 * 60).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!(run["unresolvedResources"], 0, "{run}");
    bob.leave().await;
    ann.leave().await;
    world.finish().await;
}

/// The one that nobody has struck down before the server died; the dead have not come back with it.
async fn the_last_raider_dies(world: &World, ann: &Player) {
    arms(world, ann).await;
    sees(world, ann, "one raider", |seen| seen.with_nametag("raider").len() == 1).await;
    let raider = ann.sees(|seen| seen.with_nametag("raider")[0]);
    ann.hit(raider, 10);
    sees(world, ann, "no raider", |seen| seen.with_nametag("raider").is_empty()).await;
}

/// The engine dies with the answer in its hand, and is told the same numbers under the same key.
async fn told_twice(world: &mut World, run_id: &str) -> Value {
    world.engine.stop().await;
    world.engine.restart_to_die("dispatch.answered").await;
    world.clock.advance(30 * 60).await;
    world.engine.died_at("dispatch.answered").await;
    world.engine.restart().await;
    world.clock.advance(120).await;
    let run = world.step_is(run_id, "results", "done").await;
    assert_eq!(step(&run, "who")["attempts"], 2, "{run}");
    run
}

/// To the last digit what the server has counted, in the run and on the page.
async fn what_was_told_is_published(world: &World, game: &Luanti, run: &Value) {
    let told = game.told_who_took_part();
    let scores = |list: &Value| -> Vec<f64> {
        let of_each =
            |place: &Value| place["score"].as_str().map_or_else(|| number(&place["score"]), |told| told.parse().unwrap());
        list.as_array().unwrap().iter().map(of_each).collect()
    };
    let who = |list: &Value| -> Vec<(Value, Value)> {
        list.as_array().unwrap().iter().map(|place| (place["memberKey"].clone(), place["meta"].clone())).collect()
    };
    assert_eq!((who(&run["participants"]), scores(&run["participants"])), (who(&told), scores(&told)));
    let page = async || world.engine.api.ask(Method::GET, "/api/v1/public/events/siege", None, None).await.unwrap().yes();
    world.wait_until("the result is on the page", async || !page().await["results"].is_null()).await;
    let page = page().await;
    assert_eq!((&page["results"]["runId"], &page["results"]["places"]), (&run["id"], &json!(3)), "{page}");
    assert_eq!(scores(&page["results"]["standings"]), scores(&told));
}
