//! A privilege for a time, as the player has it who is lent it: not before, meanwhile, and not after, be it the run's end or the
//! server's own clock that takes it back. And what staff do to what is lent, and what an update of some other mod does to it.

use leasehold_luanti_client::{Player, Point};
use serde_json::{Value, json};

use super::game::{CONSENT, Luanti, has_spawners};
use super::ground::{borrows, does, of_luanti, start, with_luanti};
use super::players::{plays, sees};
use crate::world::World;

const REFUSED: &str = "missing privilege";
/// Minutes of the server's own clock.
const MINUTES: u32 = 5;

fn lends(minutes: u32) -> Value {
    does("sun", "luanti.privilege.lend", &json!({"player": "bob", "privilege": "settime", "minutes": minutes}))
}

/// Bob asks for that hour, which only the privilege allows, and is told that he may not: so many times by now.
async fn may_not(world: &World, bob: &Player, hour: u32, times: usize) {
    sees(world, bob, "that he has it not", |seen| !seen.privileges.contains(&"settime".to_owned())).await;
    bob.say(&format!("/time {hour}:00"));
    sees(world, bob, "that he may not", |seen| seen.chat.iter().filter(|line| line.contains(REFUSED)).count() == times).await;
}

/// Bob asks for that hour, and ann sees it come.
async fn may(world: &World, ann: &Player, bob: &Player, hour: u16) {
    sees(world, bob, "that he has it", |seen| seen.privileges.contains(&"settime".to_owned())).await;
    bob.say(&format!("/time {hour}:00"));
    let hours = hour * 1_000..hour * 1_000 + 1_000;
    sees(world, ann, "the hour that bob wants", |seen| hours.contains(&seen.time_of_day)).await;
}

#[tokio::test]
async fn a_privilege_is_there_for_a_time_and_what_staff_set_meanwhile_stays() {
    let directory = tempfile::tempdir().unwrap();
    let Some((mut world, mut game)) = with_luanti(directory.path()).await else { return };
    world.engine.api.enable("luanti.privilege.lend", &json!({})).await;
    let (ann, bob) = (plays(&world, &game, "ann").await, plays(&world, &game, "bob").await);
    may_not(&world, &bob, 20, 1).await;

    let run_id = start(&world, &of_luanti("sun", &[lends(60)])).await;
    may(&world, &ann, &bob, 1).await;
    world.advance(30 * 60).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!((&run["health"], &run["unresolvedResources"]), (&json!("ok"), &json!(0)), "{run}");
    may_not(&world, &bob, 20, 2).await;
    the_server_takes_it_back_by_itself(&mut world, &game, &ann, &bob).await;
    a_spawner_that_staff_have_filled_in_is_left_alone(&world, &game, &ann).await;
    ann.leave().await;
    bob.leave().await;
    what_does_nothing_any_more_leaves_the_catalogue(&world, &mut game).await;
    world.finish().await;
}

/// With all of ours dead.
async fn the_server_takes_it_back_by_itself(world: &mut World, game: &Luanti, ann: &Player, bob: &Player) {
    let run_id = start(world, &of_luanti("alone", &[lends(MINUTES)])).await;
    may(world, ann, bob, 3).await;
    world.step_is(&run_id, "sun", "done").await;
    world.engine.kill9().await;
    world.link.kill9().await;
    game.put_ahead(MINUTES * 60 + 1);
    may_not(world, bob, 20, 3).await;
    world.link.restart().await;
    // Its line is back before time passes: an order that is not sent waits for a minute.
    world
        .wait_until("the game has its line again", async || world.link.health(super::game::SCOPE).await["connected"] == true)
        .await;
    world.engine.restart().await;
    world.clock.advance(30 * 60).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!(run["unresolvedResources"], 0, "{run}");
}

/// By its form, in the game, while its amount is lent.
async fn a_spawner_that_staff_have_filled_in_is_left_alone(world: &World, game: &Luanti, ann: &Player) {
    if !has_spawners() {
        return;
    }
    let run_id = start(world, &of_luanti("den", &[borrows("den", "luanti.spawner.den.amount", "4", 60)])).await;
    let amount = async |wanted: &str| {
        let wanted = format!("leasehold_zoo:boar 0 15 {wanted} 0 0");
        world.wait_until(&format!("the spawner's command is {wanted}"), async || game.seen()["spawner"] == wanted.as_str()).await;
    };
    amount("4").await;
    ann.go_to(Point::new(4.0, 8.5, 6.0));
    ann.fill_in((6, 9, 6), &[("text", "leasehold_zoo:boar 0 15 1 0 0")]);
    amount("1").await;
    world.advance(30 * 60).await;
    let run = world.ended(&run_id, "completed", "incomplete").await;
    let den = &run["resources"][0];
    assert_eq!(
        (&den["status"], &den["found"], &run["unresolvedResources"]),
        (&json!("drifted"), &json!("1"), &json!(1)),
        "{run}"
    );
    amount("1").await;
}

/// A setting that reads back and does nothing since some other mod's update: the engine learns it with the server's next start.
async fn what_does_nothing_any_more_leaves_the_catalogue(world: &World, game: &mut Luanti) {
    let offers = async |lease: &str| {
        let catalogue = world.engine.api.get("/catalog").await.yes();
        catalogue["leases"].as_array().unwrap().iter().any(|one| one["id"] == lease)
    };
    assert!(offers("luanti.chat_message_format").await);
    game.kill9().await;
    game.start(world, &format!("{CONSENT}witness.inert_chat = true\n")).await;
    world.wait_until("it is in the catalogue no more", async || !offers("luanti.chat_message_format").await).await;
    assert!(offers("luanti.bones_mode").await, "what works is there still");
}
