//! The engine's database is put back to an older copy, and the server has moved on: what it has done is not done again, and what
//! it has given back already is found so.

use leasehold_luanti_client::{Player, Point};
use reqwest::Method;
use serde_json::{Value, json};

use super::game::{Luanti, SCOPE};
use super::ground::{borrows, does, start, with_luanti};
use super::players::{plays, sees};
use crate::world::plans::{event, phase};
use crate::world::{World, step};

/// Seconds of each phase: together short of the hour for which the mod remembers a key.
const SPAN: u32 = 600;

/// Faster days and a torch, and boars ten minutes later.
fn in_two_parts(slug: &str) -> Value {
    let first = [
        borrows("days", "luanti.time_speed", "3600", 60),
        does("torch", "luanti.node.place", &json!({"place": "square", "node": "default:torch", "dx": 3})),
    ];
    let herd = json!({"place": "yard", "mob": "leasehold_zoo:boar", "count": 2, "radius": 3});
    let second = [does("herd", "luanti.mob.spawn", &herd)];
    let mut definition = event(slug, &[phase("before", &first, "10m"), phase("after", &second, "10m")]);
    definition["ownerModule"] = json!("luanti");
    definition
}

#[tokio::test]
async fn an_older_log_does_nothing_twice_and_gives_back_nothing_that_was_given_back() {
    let directory = tempfile::tempdir().unwrap();
    let Some((mut world, game)) = with_luanti(directory.path()).await else { return };
    let ann = plays(&world, &game, "ann").await;
    ann.go_to(Point::new(8.0, 8.5, 0.0));
    what_was_done_since_is_not_done_again(&mut world, &game, &ann).await;
    what_has_ended_since_is_found_ended(&mut world, &game, &ann).await;
    ann.leave().await;
    world.finish_rewound().await;
}

/// The engine starts on the copy, finds out, and goes on because a person says so.
async fn goes_back_to(world: &mut World, copy: &std::path::Path) {
    world.engine.kill9().await;
    world.put_back(copy).await;
    let links: &'static str = world.link.as_settings(&["main", SCOPE]).leak();
    world.engine.restart_with(vec![("LEASEHOLD_LINKS", links)]).await;
    let ready = world.engine.api.ask(Method::GET, "/readyz", None, None).await.unwrap();
    assert_eq!((ready.status.as_u16(), &ready.body["status"]), (503, &json!("read_only")), "{}", ready.body);
    world.engine.stop().await;
    world.engine.restart_with(vec![("LEASEHOLD_LINKS", links), ("LEASEHOLD_ACCEPT_REWIND", "true")]).await;
}

async fn all_is_as_before(world: &World, ann: &Player) {
    sees(world, ann, "everything as it was", |seen| {
        let nothing_is_left = seen.with_nametag("boar").is_empty() && seen.node(3, 9, 0) == Some("air");
        nothing_is_left && (seen.time_speed - 72.0).abs() < 0.5
    })
    .await;
}

/// How many commands of a run have been carried out, of that kind and so answered.
fn done(game: &Luanti, run_id: &str, kind: &str, answer: &str) -> usize {
    game.audited(run_id).iter().filter(|(told, answered)| told == kind && answered == answer).count()
}

async fn what_was_done_since_is_not_done_again(world: &mut World, game: &Luanti, ann: &Player) {
    let run_id = start(world, &in_two_parts("done-since")).await;
    world.step_is(&run_id, "torch", "done").await;
    let copy = world.dump();
    world.advance(SPAN).await;
    world.step_is(&run_id, "herd", "done").await;
    sees(world, ann, "a pair of boars", |seen| seen.with_nametag("boar").len() == 2).await;
    goes_back_to(world, &copy).await;
    world.advance(SPAN).await;
    let run = world.step_is(&run_id, "herd", "done").await;
    assert_eq!(step(&run, "herd")["attempts"], 1, "{run}");
    sees(world, ann, "the same pair", |seen| seen.with_nametag("boar").len() == 2).await;
    assert_eq!(done(game, &run_id, "act.perform", "act.ok"), 2, "the torch and the boars, once each");
    world.advance(SPAN).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!((&run["health"], &run["unresolvedResources"]), (&json!("ok"), &json!(0)), "{run}");
    all_is_as_before(world, ann).await;
}

async fn what_has_ended_since_is_found_ended(world: &mut World, game: &Luanti, ann: &Player) {
    let run_id = start(world, &in_two_parts("ended-since")).await;
    world.step_is(&run_id, "torch", "done").await;
    let copy = world.dump();
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    world.ended(&run_id, "cancelled", "complete").await;
    all_is_as_before(world, ann).await;
    goes_back_to(world, &copy).await;
    assert_eq!(world.engine.api.run(&run_id).await["status"], "running", "the log has forgotten that it was cancelled");
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    let run = world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!(run["unresolvedResources"], 0, "{run}");
    all_is_as_before(world, ann).await;
    assert_eq!(
        (done(game, &run_id, "act.perform", "act.ok"), done(game, &run_id, "lease.apply", "lease.ok")),
        (1, 1),
        "nothing was done anew"
    );
}
