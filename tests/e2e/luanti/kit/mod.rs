//! The conformance kit over the real server: every obligation, over the manifest that it sends. Its rig kills the server, meddles with
//! the wire, asks a witness in the server what the world is like, and two players what a value does.

mod shown;
mod wire;

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::future::join_all;
use leasehold_linked::LinkedGames;
use leasehold_luanti_client::Player;
use leasehold_module::conformance::{Asked, Bench, Point, check};
use leasehold_module::{Action, Answering, Lease, Manifest, Module, Offers, Performed};
use leasehold_sidecar::Patience;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::sync::Mutex;

use super::game::{Luanti, SCOPE, until};
use crate::world::Link;
use shown::{Ground, sees};
use wire::Wire;

/// How many servers share the manifest between them: most of it is waiting for answers that never come, and for servers to start.
const SERVERS: usize = 4;
/// Milliseconds that the sidecar gives the server, and the module the sidecar.
const PATIENCE_MS: u64 = 1_500;
const REPLY_TIMEOUT_MS: u64 = 6_000;
/// Every step of the server is on disk when the next one begins: what a crash goes back to is what is there.
const SETTINGS: &str = "leasehold.events_enabled = true\nserver_map_save_interval = 0\n";
/// What stands for many where a test has no time for all: only these meet deaths of the server, or as leases any fault at all.
const OFTEN: [&str; 3] = ["luanti.mob.spawn", "luanti.privilege.lend", "luanti.time_speed"];

/// What can be killed and started again.
struct Hands {
    link: Link,
    game: Luanti,
    /// Ann and bob, of whom ann may do everything.
    players: Option<(Player, Player)>,
    met: Option<Point>,
    number: u32,
}

struct Rig {
    module: Arc<dyn Module>,
    hands: Mutex<Hands>,
    wire: Wire,
    /// Runs whose counting the rig has opened itself, for what needs one: they are no part of the trial.
    counted: Mutex<BTreeSet<String>>,
    /// Which part of what is declared it tries, of how many.
    share: (usize, usize),
    thorough: bool,
    _directory: TempDir,
}

impl Rig {
    /// None where the server is not installed.
    async fn start(share: (usize, usize)) -> Option<Self> {
        let directory = tempfile::tempdir().unwrap();
        let mut game = Luanti::found(directory.path())?;
        let link = Link::start(directory.path(), PATIENCE_MS).await;
        let wire = Wire::to(&link.http).await;
        game.start_at(&link, &wire.address, SETTINGS).await;
        let games = LinkedGames::new(&[link.of(SCOPE)], Patience { reply_timeout_ms: REPLY_TIMEOUT_MS });
        let told = link.manifest(SCOPE).await;
        let manifest = Manifest::read(told["manifest"].as_object().unwrap(), games.budget_ms()).unwrap();
        let module = games.module(manifest, &[SCOPE.to_owned()]);
        let hands = Hands { link, game, players: None, met: None, number: 0 };
        let thorough = std::env::var_os("LEASEHOLD_SOAK").is_some();
        let rig =
            Self { module, hands: Mutex::new(hands), wire, counted: Mutex::default(), share, thorough, _directory: directory };
        rig.hands.lock().await.come_in().await;
        Some(rig)
    }

    fn often(&self, id: &str) -> bool {
        self.thorough || OFTEN.contains(&id)
    }

    /// Whatever the module declares to do or to lend, in order.
    fn ids(&self) -> impl Iterator<Item = &str> {
        let manifest = self.module.manifest();
        manifest.actions.iter().map(|action| action.id.as_str()).chain(manifest.leases.iter().map(|lease| lease.id.as_str()))
    }
}

impl Hands {
    /// Ann and bob join, and stand together.
    async fn come_in(&mut self) {
        // Those of its last life find out that it is gone.
        self.players = None;
        let joined = async |name: &str| {
            let player = Player::join(self.game.address, name, "pass").await.unwrap();
            sees(&player, "what it carries", |seen| !seen.slots.is_empty()).await;
            player
        };
        self.players = Some((joined("ann").await, joined("bob").await));
        self.game.ask("gather").await;
    }

    async fn die(&mut self) {
        if !self.game.is_dead() {
            self.game.kill9().await;
        }
        self.game.mend();
    }

    async fn live(&mut self, wire: &Wire) {
        self.game.start_at(&self.link, &wire.address, SETTINGS).await;
        self.come_in().await;
    }

    /// Everything works again; what was held up is done.
    async fn mend(&mut self, wire: &Wire) {
        match self.met.take() {
            Some(Point::Away) => {
                self.link.restart().await;
            }
            Some(Point::DiesBefore) => {
                until!("the command has come to the wire", wire.holds());
                wire.clear();
                self.die().await;
                self.live(wire).await;
            }
            Some(Point::DiesAfter) => {
                until!("the server is in the midst of it", self.game.hangs());
                self.die().await;
                self.live(wire).await;
            }
            Some(Point::FailsHalfWay) => {
                until!("it has failed", !self.game.is_to_fail());
            }
            Some(Point::Late) => {
                for id in wire.give_on() {
                    until!("what was held up is done", wire.is_answered(&id));
                }
            }
            Some(Point::AnswerLost | Point::Nonsense) | None => {}
        }
        wire.clear();
        let link = &self.link;
        until!("the server is on the line", link.health(SCOPE).await["connected"] == true);
    }
}

impl Bench for Rig {
    fn module(&self) -> &dyn Module {
        &*self.module
    }

    fn scope(&self) -> &'static str {
        SCOPE
    }

    fn world(&self) -> Answering<'_, Value> {
        Box::pin(async {
            let mut world = self.hands.lock().await.game.ask("all").await;
            let counted = self.counted.lock().await;
            if let Some(counting) = world["counted"].as_array_mut() {
                counting.retain(|run| run.as_str().is_none_or(|run| !counted.contains(run)));
            }
            world
        })
    }

    fn params(&self, action: &Action) -> Map<String, Value> {
        let mut params: Map<_, _> = action.params.iter().map(|param| (param.name.clone(), param.example.clone())).collect();
        for (name, value) in [("destination", "yard"), ("player", "bob"), ("to", "online")] {
            if let Some(param) = params.get_mut(name) {
                *param = json!(value);
            }
        }
        params
    }

    /// Who took part is told of a run that is counted.
    fn prepare<'a>(&'a self, action: &'a Action, run: &'a str) -> Answering<'a, ()> {
        Box::pin(async move {
            if action.id != "luanti.turnout.read" {
                return;
            }
            let order = self.order("luanti.turnout.count", run);
            let opened = self.module.perform(order).await;
            assert!(matches!(opened, Performed::Done(_)), "{opened:?}");
            self.counted.lock().await.insert(run.to_owned());
        })
    }

    fn tries(&self, id: &str) -> bool {
        self.ids().enumerate().any(|(place, tried)| tried == id && place % self.share.1 == self.share.0)
    }

    fn breaks(&self, lease: &str) -> bool {
        self.often(lease)
    }

    fn other_value(&self, lease: &Lease, current: &str) -> String {
        shown::other_value(&lease.id, current)
    }

    fn break_at(&self, point: Point, asked: Asked<'_>) -> Answering<'_, bool> {
        let (kind, id) = match asked {
            Asked::Perform(id) => ("act.perform", id),
            Asked::Revert(id) => ("act.revert", id),
            Asked::LeaseApply(id) => ("lease.apply", id),
            Asked::LeaseRestore(id) => ("lease.release", id),
        };
        let often = self.often(id);
        Box::pin(async move {
            let mut hands = self.hands.lock().await;
            match point {
                Point::DiesBefore | Point::DiesAfter if !often => return false,
                Point::Away => {
                    hands.link.kill9().await;
                }
                Point::AnswerLost | Point::DiesBefore | Point::Late | Point::Nonsense => self.wire.meets(point, kind),
                Point::DiesAfter => hands.game.fails_next("hang"),
                Point::FailsHalfWay => hands.game.fails_next("fail"),
            }
            hands.met = Some(point);
            true
        })
    }

    fn mend(&self) -> Answering<'_, ()> {
        Box::pin(async { self.hands.lock().await.mend(&self.wire).await })
    }

    fn restart(&self) -> Answering<'_, bool> {
        Box::pin(async {
            let mut hands = self.hands.lock().await;
            hands.die().await;
            hands.live(&self.wire).await;
            true
        })
    }

    /// By the staff's own command, or the form of the spawner.
    fn move_by_hand<'a>(&'a self, lease: &'a Lease, value: &'a str) -> Answering<'a, ()> {
        Box::pin(async move {
            let hands = self.hands.lock().await;
            let (ann, _) = hands.players.as_ref().unwrap();
            let name = lease.id.strip_prefix("luanti.").unwrap();
            if name.starts_with("spawner.") {
                let filled_in = format!("leasehold_zoo:boar 0 15 {value} 0 0");
                hands.game.ask(&format!("spawner {filled_in}")).await;
                return;
            }
            ann.say(&format!("/set {name} {value}"));
            let game = &hands.game;
            until!("staff have set it", game.ask("all").await["settings"][name] == value);
        })
    }

    fn effect<'a>(&'a self, lease: &'a Lease) -> Answering<'a, Value> {
        Box::pin(async move {
            let mut hands = self.hands.lock().await;
            hands.number += 1;
            let (ann, bob) = hands.players.as_ref().unwrap();
            Ground { game: &hands.game, ann, bob, number: hands.number }.effect(&lease.id).await
        })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_servers_own_manifest_meets_every_obligation() {
    let parts = (0..SERVERS).map(async |part| match Rig::start((part, SERVERS)).await {
        None => None,
        Some(rig) => Some(check(&rig).await),
    });
    let Some(findings) = join_all(parts).await.into_iter().collect::<Option<Vec<_>>>() else {
        return super::skip(1, "there is no server of it");
    };
    let findings: Vec<String> = findings.concat().iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
