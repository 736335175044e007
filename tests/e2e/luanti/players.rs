//! A run as those see it who play: two clients over the real protocol, who were there, what they struck down, and what the
//! packets of the server told them of each change.

use std::time::Instant;

use leasehold_luanti_client::{Player, Point, Seen};
use serde_json::{Value, json};

use super::game::Luanti;
use super::ground::{borrows, does, start, with_luanti};
use crate::world::World;
use crate::world::plans::{event, phase};

/// Half an hour of fighting at the square, and five minutes in which it is told who was there.
fn tournament() -> Value {
    let first = [
        does("hail", "luanti.announce", &json!({"text": "The harvest begins"})),
        borrows("days", "luanti.time_speed", "3600", 60),
        borrows("words", "luanti.chat_message_format", "[fair] @name: @message", 60),
        does("torch", "luanti.node.place", &json!({"place": "square", "node": "default:torch", "dx": 3})),
        does("swords", "luanti.item.give", &json!({"item": "default:sword_steel", "amount": 1, "to": "online"})),
        does("count", "luanti.turnout.count", &json!({"place": "square", "radius": 30, "minutes": 120})),
        does("raid", "luanti.mob.spawn", &json!({"place": "square", "mob": "leasehold_bridge:raider", "count": 3})),
    ];
    let second = [
        does("who", "luanti.turnout.read", &json!({})),
        does("thanks", "luanti.item.give", &json!({"item": "default:apple", "amount": 3, "to": "participants"})),
        does("results", "core.results.publish", &json!({})),
    ];
    let mut definition = event("tournament", &[phase("fight", &first, "30m"), phase("thanks", &second, "5m")]);
    definition["ownerModule"] = json!("luanti");
    definition
}

/// One phase after the other, each until something has happened to players.
fn watch() -> Value {
    let until = |key: &str, advance: Value| {
        let words = does(&format!("say-{key}"), "luanti.announce", &json!({"text": format!("awaited: {key}")}));
        let mut phase = phase(key, &[words], "5m");
        phase["advance"] = advance;
        phase
    };
    let on = |trigger: &str, var: &str, value: Value| json!({"on": format!("luanti.{trigger}"), "where": {"var": var, "cmp": "eq", "value": value}, "count": 1});
    let phases = [
        until("pair", on("mob_killed", "damagers", json!(2))),
        until("leave", on("leave", "online", json!(2))),
        until("yard", on("area_enter", "place", json!("yard"))),
        until("death", json!({"on": "luanti.death", "count": 1})),
        until("join", on("join", "online", json!(3))),
        until("end", json!({"after": "1m"})),
    ];
    let mut definition = event("watch", &phases);
    definition["ownerModule"] = json!("luanti");
    definition
}

/// Waits until the watch is in that phase.
async fn watched(world: &World, run_id: &str, phase: &str) {
    world.run_until(run_id, &format!("the watch is in {phase}"), |run| run["currentPhase"] == phase).await;
}

/// What somebody scored in a run, by name.
pub fn of<'a>(run: &'a Value, name: &str) -> &'a Value {
    let all = run["participants"].as_array().unwrap();
    all.iter().find(|one| one["memberKey"] == name).unwrap_or_else(|| panic!("{name} is not in {all:?}"))
}

pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// What a full presence may be off by: the half seconds between two looks, and a server that is short of time.
pub const SLACK: f64 = 3.0;

#[tokio::test]
async fn players_see_a_run_come_fight_in_it_and_see_it_go() {
    let directory = tempfile::tempdir().unwrap();
    let Some((world, game)) = with_luanti(directory.path()).await else { return };
    for action in ["announce", "item.give", "turnout.count", "turnout.read"] {
        world.engine.api.enable(&format!("luanti.{action}"), &json!({})).await;
    }
    world.engine.api.enable("core.results.publish", &json!({})).await;
    let (ann, bob, cid) =
        (plays(&world, &game, "ann").await, plays(&world, &game, "bob").await, plays(&world, &game, "cid").await);
    let begun = Instant::now();
    let watch_id = start(&world, &watch()).await;
    let run_id = start(&world, &tournament()).await;
    world.step_is(&run_id, "raid", "done").await;
    watched(&world, &watch_id, "pair").await;
    let counted = Instant::now();
    everything_is_seen(&world, &ann, &bob).await;
    let silent = begun.elapsed().as_secs_f64();
    cid.vanish();
    two_raiders_die(&world, &ann, &bob).await;
    watched(&world, &watch_id, "leave").await;
    ann.say("/set time_speed 333");
    sees(&world, &bob, "the speed that ann has set", |seen| (seen.time_speed - 333.0).abs() < 0.5).await;
    sees(&world, &ann, "that cid is gone", |seen| seen.heard("cid left the game")).await;

    watched(&world, &watch_id, "yard").await;
    let there = counted.elapsed().as_secs_f64();
    world.advance(30 * 60).await;
    let run = world.step_is(&run_id, "results", "done").await;
    let whole = begun.elapsed().as_secs_f64();
    sees(&world, &bob, "what he gets for it", |seen| seen.items.get("default:apple") == Some(&3)).await;
    let kills = |name: &str| of(&run, name)["meta"]["kills"].clone();
    assert_eq!(
        (kills("ann"), kills("bob"), kills("cid")),
        (json!(2), json!(1), json!(0)),
        "everybody who struck it has the kill"
    );
    for name in ["ann", "bob"] {
        let seconds = number(&of(&run, name)["meta"]["seconds"]);
        assert!((there - SLACK..whole + SLACK).contains(&seconds), "{name} was there for {there} to {whole} s, not {seconds}");
    }
    let seconds = number(&of(&run, "cid")["meta"]["seconds"]);
    assert!(seconds < silent + SLACK && seconds < there - 20.0, "cid was there for {silent} s at most, not {seconds}");

    world.advance(5 * 60).await;
    // What somebody else has set is left to a person: that is all that is not clean.
    let run = world.ended(&run_id, "completed", "incomplete").await;
    let lent = |value: &str| run["resources"].as_array().unwrap().iter().find(|one| one["applied"] == value).unwrap().clone();
    let (days, words) = (lent("3600"), lent("[fair] @name: @message"));
    assert_eq!((&days["status"], &days["found"], &words["status"]), (&json!("drifted"), &json!("333"), &json!("reverted")));
    let ranks = ["ann", "bob", "cid"].map(|name| of(&run, name)["rank"].clone());
    assert_eq!((ranks, &run["unresolvedResources"]), ([json!(1), json!(2), json!(3)], &json!(1)));
    bob.say("good bye");
    sees(&world, &ann, "chat as it was", |seen| seen.heard("<bob> good bye")).await;
    sees(&world, &ann, "neither raider nor torch", |seen| {
        seen.with_nametag("raider").is_empty() && seen.node(3, 9, 0) == Some("air") && (seen.time_speed - 333.0).abs() < 0.5
    })
    .await;
    everything_that_players_do_is_told(&world, &game, &watch_id, bob).await;
    sees(&world, &ann, "the last word", |seen| seen.heard("awaited: end")).await;
    world.finish().await;
}

/// Bob goes to the yard, dies there and comes back to life, and somebody joins.
async fn everything_that_players_do_is_told(world: &World, game: &Luanti, watch_id: &str, bob: Player) {
    bob.go_to(Point::new(14.0, 8.5, 0.0));
    watched(world, watch_id, "death").await;
    bob.say("/killme");
    sees(world, &bob, "his death", |seen| seen.deaths == 1).await;
    watched(world, watch_id, "join").await;
    bob.respawn();
    sees(world, &bob, "his life", |seen| seen.hp > 0).await;
    let dan = plays(world, game, "dan").await;
    watched(world, watch_id, "end").await;
    dan.leave().await;
    bob.leave().await;
    world.advance(60).await;
    world.ended(watch_id, "completed", "not_required").await;
}

/// Each change, in the packets of somebody who is there.
async fn everything_is_seen(world: &World, ann: &Player, bob: &Player) {
    sees(world, ann, "the day speed up", |seen| (seen.time_speed - 3600.0).abs() < 0.5).await;
    sees(world, ann, "the announcement", |seen| seen.heard("The harvest begins")).await;
    sees(world, ann, "the torch", |seen| seen.node(3, 9, 0).is_some_and(|node| node.starts_with("default:torch"))).await;
    sees(world, ann, "three raiders", |seen| seen.with_nametag("raider").len() == 3).await;
    bob.say("hello");
    sees(world, ann, "chat in its other form", |seen| seen.heard("[fair] bob: hello")).await;
}

/// Takes the sword in the hand that everybody was given.
pub async fn arms(world: &World, player: &Player) {
    sees(world, player, "a sword", |seen| seen.items.contains_key("default:sword_steel")).await;
    let slot = player.sees(|seen| seen.slots.iter().position(|item| item == "default:sword_steel")).unwrap();
    player.wield(u16::try_from(slot).unwrap());
}

/// One by both players, one by ann alone, each with the sword that everybody was given.
pub async fn two_raiders_die(world: &World, ann: &Player, bob: &Player) {
    arms(world, ann).await;
    arms(world, bob).await;
    let raiders = ann.sees(|seen| seen.with_nametag("raider"));
    ann.hit(raiders[0], 1);
    let hurt = |seen: &Seen| seen.objects.get(&raiders[0]).is_some_and(|raider| raider.hp < 10);
    sees(world, ann, "the raider hurt", hurt).await;
    bob.hit(raiders[0], 10);
    sees(world, ann, "the raider gone", |seen| !seen.objects.contains_key(&raiders[0])).await;
    ann.hit(raiders[1], 10);
    sees(world, bob, "the second raider gone", |seen| seen.with_nametag("raider").len() == 1).await;
}

/// Joins, and waits until the server has told what is around.
pub async fn plays(world: &World, game: &Luanti, name: &str) -> Player {
    let player = Player::join(game.address, name, "pass").await.unwrap();
    sees(world, &player, "what it carries", |seen| !seen.slots.is_empty()).await;
    player
}

/// Waits until a player's packets have told that.
pub async fn sees(world: &World, player: &Player, what: &str, look: impl Fn(&Seen) -> bool) {
    let saw = async || {
        assert_eq!(player.sees(|seen| seen.over.clone()), None, "{} is in the world", player.name);
        player.sees(&look)
    };
    world.wait_until(&format!("{} sees {what}", player.name), saw).await;
}
