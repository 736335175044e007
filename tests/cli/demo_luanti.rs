//! `leasehold demo --game luanti`: a server that others have written, and what somebody who joins it sees of the samples.

use std::net::SocketAddr;
use std::path::Path;

use leasehold_luanti_client::{Player, Seen};
use serde_json::Value;

use crate::clock::{BEGINNING, Clock};
use crate::program::{Program, children, data_dir, is_there, leasehold, until};
use crate::support::fresh_database;

const RUNS: &str = "/api/v1/admin/events/runs";

/// What somebody who has joined the demonstration sees, sooner or later.
struct Watched<'a> {
    demo: &'a Program,
    clock: &'a Clock,
    player: &'a Player,
}

impl Watched<'_> {
    async fn sees(&self, what: &str, look: impl Fn(&Seen) -> bool) {
        let seen = async || {
            let seen = self.player.sees(&look);
            if !seen {
                self.what_is_put_off_gets_its_time().await;
            }
            seen
        };
        until(what, seen).await;
    }

    /// A busy server puts off what it is asked, or answers too late: the engine tries again when a minute has passed.
    async fn what_is_put_off_gets_its_time(&self) {
        let runs = self.demo.json(RUNS).await;
        for run in runs["items"].as_array().unwrap().iter().filter(|run| run["status"] == "running") {
            let told = self.demo.json(&format!("{RUNS}/{}", run["id"].as_str().unwrap())).await;
            if told["steps"].as_array().unwrap().iter().any(|step| step["nextTryAt"].is_string()) {
                self.clock.advance(61).await;
            }
        }
    }
}

/// The run of that title, as the list has it; null before there is one.
async fn run_of(demo: &Program, title: &str) -> Value {
    let runs = demo.json(RUNS).await;
    runs["items"].as_array().unwrap().iter().find(|run| run["title"] == title).cloned().unwrap_or_default()
}

#[tokio::test]
async fn whoever_joins_sees_the_day_speed_up_and_mobs_come_and_go() {
    let programs = ["/usr/lib/minetest/minetestserver", "/usr/lib/luanti/luantiserver", "/usr/bin/luantiserver"];
    if !programs.iter().any(|program| Path::new(program).is_file()) {
        return eprintln!("skipped: 1 of Luanti, for there is no server of it");
    }
    let (database, data) = (fresh_database().await, data_dir());
    let clock = Clock::start(database.owner().await, BEGINNING).await;
    let mut command = leasehold(data.path(), &["demo", "--game", "luanti", "--clock=controlled"]);
    command.env("DATABASE_URL", &database.app_url).env("LEASEHOLD_OWNER_URL", &database.owner_url);
    let demo = Program::of(command).await;
    let eve = Player::join(SocketAddr::from(([127, 0, 0, 1], 30_000)), "eve", "pass").await.unwrap();
    let eve_watches = Watched { demo: &demo, clock: &clock, player: &eve };
    eve_watches.sees("the day speeds up", |seen| (seen.time_speed - 2880.0).abs() < 0.5).await;
    eve_watches.sees("a lamp is lit", |seen| seen.node(4, 9, 0) == Some("default:meselamp")).await;

    clock.advance(25).await;
    eve_watches
        .sees("raiders come", |seen| seen.with_nametag("raider").len() == 6 && seen.heard("Raiders are on the square!"))
        .await;
    until("who is on guard is told", async || {
        eve.say("hello");
        eve.sees(|seen| seen.heard("<eve, on guard> hello"))
    })
    .await;
    clock.advance(60).await;
    eve_watches.sees("the raid is over", |seen| seen.heard("The square is yours again")).await;
    until("the gate to the meadow is open", async || {
        clock.advance(5).await;
        eve.sees(|seen| seen.node(-4, 9, 0) == Some("leasehold_bridge:gate"))
    })
    .await;
    clock.advance(60).await;
    for title in ["The Short Day", "A Way to the Meadow"] {
        let over = async || {
            let run = run_of(&demo, title).await;
            run["status"] == "completed" && run["cleanupStatus"] == "complete"
        };
        until(&format!("{title} is over"), over).await;
    }
    let as_before = |seen: &Seen| {
        let nodes = [seen.node(4, 9, 0), seen.node(-4, 9, 0)];
        (seen.time_speed - 72.0).abs() < 0.5 && seen.with_nametag("raider").is_empty() && nodes == [Some("air"); 2]
    };
    eve_watches.sees("everything is as it was", as_before).await;
    eve.leave().await;

    let children = children(demo.pid());
    assert!(children.iter().any(|(_, name)| name.contains("server")), "{children:?}");
    assert!(demo.end("INT").await.success());
    assert_eq!(children.iter().filter(|(pid, _)| is_there(*pid)).collect::<Vec<_>>(), Vec::<&(u32, String)>::new());
}
