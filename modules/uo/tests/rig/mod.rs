//! The module's game with a hand on it, for the conformance kit: a sidecar and a shard, each a process that can be killed.

#![allow(dead_code, reason = "each test binary uses a part of it")]

mod processes;
mod shown;
mod staff;

use std::collections::BTreeSet;
use std::sync::Arc;

use leasehold_module::conformance::{Asked, Bench, Point};
use leasehold_module::{Action, Answering, Lease, Link, Module, Performed};
use serde_json::{Map, Value, json};
use tokio::sync::Mutex;

use processes::Processes;

pub use processes::TOKEN;

/// The module over its game.
pub struct Rig {
    module: Arc<dyn Module>,
    processes: Mutex<Processes>,
    /// Somebody to give things to, who has taken part in nothing.
    recipient: String,
    /// The serial of a spawner that has no name.
    unnamed: String,
    /// Every lease meets every fault; otherwise one of each plane does, and the others only what needs no fault.
    thorough: bool,
    /// Runs whose counting the rig has opened itself, for what needs one: they are no part of the trial.
    counted: Mutex<BTreeSet<String>>,
    /// Which part of what is declared it tries, of how many.
    share: (usize, usize),
}

impl Rig {
    /// `module` makes the module for the link that it is given.
    pub async fn start(module: impl FnOnce(Link) -> Arc<dyn Module>, thorough: bool, share: (usize, usize)) -> Self {
        let processes = Processes::start().await;
        let link = Link { scope: "main".into(), url: format!("http://{}", processes.sides.http), token: TOKEN.into() };
        let module = module(link);
        let mut rig = Self {
            module,
            processes: Mutex::new(processes),
            recipient: String::new(),
            unnamed: String::new(),
            thorough,
            counted: Mutex::default(),
            share,
        };
        for id in OF_EACH_PLANE {
            assert!(rig.ids().any(|declared| declared == id), "{id} is not lent");
        }
        rig.processes.get_mut().on_the_line(&*rig.module).await;
        let created = rig.console("player create Aldric").await;
        rig.recipient = created["serial"].as_str().unwrap_or_else(|| panic!("{created}")).to_owned();
        rig.unnamed = shown::unnamed(&rig).await;
        shown::prepare(&rig).await;
        // What a crash goes back to is what is there now.
        let saved = rig.console("save").await;
        assert_eq!(saved["ok"], true, "{saved}");
        rig
    }

    async fn console(&self, command: &str) -> Value {
        self.processes.lock().await.console(command).await
    }

    /// A command that has to succeed.
    async fn obeyed(&self, command: &str) {
        let done = self.console(command).await;
        assert_eq!(done["ok"], true, "{command}: {done}");
    }

    /// Whatever the module declares to do or to lend, in order.
    fn ids(&self) -> impl Iterator<Item = &str> {
        let manifest = self.module.manifest();
        manifest.actions.iter().map(|action| action.id.as_str()).chain(manifest.leases.iter().map(|lease| lease.id.as_str()))
    }
}

/// The command of the wire that an action is.
fn kind_of(action: &str) -> &'static str {
    match action {
        "uo.broadcast" => "admin.broadcast",
        "uo.creature.spawn" | "uo.boss.spawn" => "world.spawn",
        "uo.npc.place" => "world.npc",
        "uo.gate.open" => "world.gate",
        "uo.decoration.place" => "world.decorate",
        "uo.item.grant" | "uo.item.grant_participants" => "world.grant",
        "uo.world.save" => "world.save",
        "uo.towncrier.post" => "towncrier.post",
        "uo.news.post" => "news.post",
        "uo.participation.open" => "participation.open",
        "uo.participation.collect" => "participation.snapshot",
        other => panic!("the rig has to learn what {other} is on the wire"),
    }
}

/// The leases that stand for their planes, beside two dials of one spawner.
const OF_EACH_PLANE: [&str; 2] = ["uo.config.skillcap", "uo.season.harvestfair"];

/// The world without what moves by itself.
fn standing(dump: &Value) -> Value {
    let mut world = dump["world"].clone();
    if let Some(owned) = world.get_mut("owned").and_then(Value::as_array_mut) {
        for creature in owned {
            *creature = json!({"serial": creature["serial"], "owner": creature["owner"]});
        }
    }
    assert!(world["owned"].is_array() && world["config"].is_object(), "{dump}");
    world
}

impl Bench for Rig {
    fn module(&self) -> &dyn Module {
        &*self.module
    }

    fn scope(&self) -> &'static str {
        "main"
    }

    fn world(&self) -> Answering<'_, Value> {
        Box::pin(async {
            let mut world = standing(&self.console("dump baseline").await);
            let counted = self.counted.lock().await;
            if let Some(counting) = world["counting"].as_array_mut() {
                counting.retain(|run| run.as_str().is_none_or(|run| !counted.contains(run)));
            }
            world
        })
    }

    fn params(&self, action: &Action) -> Map<String, Value> {
        let mut params: Map<_, _> = action.params.iter().map(|param| (param.name.clone(), param.example.clone())).collect();
        if let Some(recipient) = params.get_mut("recipient") {
            *recipient = json!(self.recipient);
        }
        params
    }

    /// Saves have a pause between them, and gifts to participants need a counting of the run.
    fn prepare<'a>(&'a self, action: &'a Action, run: &'a str) -> Answering<'a, ()> {
        Box::pin(async move {
            match action.id.as_str() {
                "uo.world.save" => drop(self.console("clock +301").await),
                "uo.item.grant_participants" | "uo.participation.collect" => {
                    let order = self.order("uo.participation.open", run);
                    // On a busy machine an answer may be late: the same order again is the same opening.
                    let mut opened = self.module.perform(order.clone()).await;
                    while matches!(&opened, Performed::Failed(failure) if failure.retry) {
                        opened = self.module.perform(order.clone()).await;
                    }
                    assert!(matches!(opened, Performed::Done(_)), "{opened:?}");
                    self.counted.lock().await.insert(run.to_owned());
                }
                _ => {}
            }
        })
    }

    fn other_value(&self, lease: &Lease, current: &str) -> String {
        staff::other_value(lease, current)
    }

    fn object(&self, _lease: &Lease) -> String {
        self.unnamed.clone()
    }

    fn tries(&self, id: &str) -> bool {
        self.ids().enumerate().any(|(place, tried)| tried == id && place % self.share.1 == self.share.0)
    }

    fn breaks(&self, lease: &str) -> bool {
        self.thorough || self.stands_for_many(lease)
    }

    fn break_at(&self, point: Point, asked: Asked<'_>) -> Answering<'_, bool> {
        let kind = match asked {
            Asked::Perform(action) => kind_of(action),
            Asked::Revert("uo.participation.open") => "participation.close",
            Asked::Revert(_) => "world.despawn",
            Asked::LeaseApply(_) => "lease.apply",
            Asked::LeaseRestore(_) => "lease.release",
        };
        Box::pin(async move {
            let fault = match point {
                Point::Away => {
                    self.processes.lock().await.kill_link().await;
                    return true;
                }
                // This game knows no nonsense; the module's other tests do.
                Point::Nonsense => return false,
                Point::AnswerLost => "drop-ack",
                Point::DiesBefore => "crash-before",
                Point::DiesAfter => "crash-after",
                Point::FailsHalfWay => "throw",
                Point::Late => "hold",
            };
            let set = self.console(&format!("fault {fault} {kind}")).await;
            assert_eq!(set["ok"], true, "{set}");
            self.processes.lock().await.met = Some(point);
            true
        })
    }

    fn mend(&self) -> Answering<'_, ()> {
        Box::pin(async { self.processes.lock().await.mend(&*self.module).await })
    }

    fn restart(&self) -> Answering<'_, bool> {
        Box::pin(async {
            self.processes.lock().await.restart(&*self.module).await;
            true
        })
    }

    fn move_by_hand<'a>(&'a self, lease: &'a Lease, value: &'a str) -> Answering<'a, ()> {
        Box::pin(async move { self.obeyed(&staff::setting(&lease.id, value)).await })
    }

    fn effect<'a>(&'a self, lease: &'a Lease) -> Answering<'a, Value> {
        Box::pin(shown::effect(self, &lease.id))
    }
}

impl Rig {
    /// Whether it is the one of its plane that is tried.
    fn stands_for_many(&self, lease: &str) -> bool {
        let one_dial = lease.ends_with(".max_count") || lease.ends_with(".running");
        OF_EACH_PLANE.contains(&lease)
            || lease.starts_with("uo.spawner.max_count@")
            || (one_dial && self.first_spawner() == staff::spawner_of(lease))
    }

    fn first_spawner(&self) -> Option<String> {
        let all: BTreeSet<String> =
            self.module.manifest().leases.iter().filter_map(|lease| staff::spawner_of(&lease.id)).collect();
        all.into_iter().next()
    }
}
