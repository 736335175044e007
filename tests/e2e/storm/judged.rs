//! The verdict: the world's own dump beside what it was before, and beside what the ledger has not given back.

use std::collections::{BTreeMap, BTreeSet};

use leasehold::engine::streams::load;
use leasehold_aggregates::ledger::{Entry, EntryStatus};
use leasehold_aggregates::target::Target;
use serde_json::Value;

use super::Storm;
use super::plans::BORROWED;
use crate::world::World;

/// The kind and the reference of something in the game.
type Name = (String, String);

/// The world before the storm.
pub struct Before {
    objects: BTreeSet<String>,
    values: BTreeMap<String, String>,
}

/// Something of a run's in the world: its serial, and the key of the order that made it.
#[derive(Debug)]
struct Owned {
    serial: String,
    key: String,
}

impl Before {
    pub async fn of(world: &World) -> Self {
        let objects = owned(world).await.into_iter().map(|owned| owned.serial).collect();
        Self { objects, values: values(world).await }
    }
}

async fn baseline(world: &World) -> Value {
    world.shard.console("dump baseline").await["world"].clone()
}

/// Creatures and objects of runs.
async fn owned(world: &World) -> Vec<Owned> {
    let baseline = baseline(world).await;
    let all = ["owned", "objects"].into_iter().flat_map(|list| baseline[list].as_array().unwrap().clone());
    let text = |thing: &Value, place: &str| thing.pointer(place).and_then(Value::as_str).unwrap_or_default().to_owned();
    all.map(|thing| Owned { serial: text(&thing, "/serial"), key: text(&thing, "/owner/key") }).collect()
}

/// What can be borrowed and is, by the plans: the value as it is.
async fn values(world: &World) -> BTreeMap<String, String> {
    let leases = world.shard.console("leases").await["leases"].clone();
    let current = |key: &str| leases.as_array().unwrap().iter().find(|row| row["key"] == key).map(|row| row["current"].clone());
    let named = BORROWED.into_iter();
    named.map(|(lease, key)| (lease.to_owned(), current(key).unwrap().as_str().unwrap().to_owned())).collect()
}

impl Storm {
    /// The difference of the world from what it was is what the ledger still has to give back, and nothing else. Where a teardown has
    /// used up its attempts without an answer, it may hold what was never taken: then the person who sees to it asks once more.
    pub async fn judge(&mut self) {
        let (different, held) = self.compare().await;
        let picture = async || self.world.picture().await;
        assert!(
            different.is_subset(&held),
            "the world differs by {different:?}, and the ledger names {held:?}\n{}",
            picture().await
        );
        if different == held {
            return;
        }
        self.ask_for_cleanup_once_more().await;
        let (different, held) = self.compare().await;
        let picture = async || self.world.picture().await;
        assert_eq!(different, held, "the world differs by the left, and the ledger names the right\n{}", picture().await);
    }

    /// What the world differs by, and what the ledger holds.
    async fn compare(&self) -> (BTreeSet<Name>, BTreeSet<Name>) {
        let unresolved = self.unresolved().await;
        let picture = async || self.world.picture().await;
        let (mut different, mut unnamed) = (BTreeSet::new(), Vec::new());
        for thing in owned(&self.world).await {
            if self.before.objects.contains(&thing.serial) {
                continue;
            }
            let by_serial = unresolved.keys().find(|(_, reference)| *reference == thing.serial);
            let by_order = || unresolved.keys().find(|(kind, reference)| kind == "@step" && *reference == thing.key);
            match by_serial.or_else(by_order) {
                Some(name) => drop(different.insert(name.clone())),
                None => unnamed.push(thing),
            }
        }
        for run in baseline(&self.world).await["counting"].as_array().unwrap() {
            different.insert(("counting".to_owned(), run.as_str().unwrap().to_owned()));
        }
        for (lease, value) in values(&self.world).await {
            if self.before.values[&lease] != value && !self.is_of_staff(&lease, &value) {
                different.insert(("override".to_owned(), lease));
            }
        }
        assert!(unnamed.is_empty(), "the ledger does not name {unnamed:?}\n{}", picture().await);
        // An entry that is let go because the game has it no more, or because somebody else has moved it, is no difference of ours.
        let held: BTreeSet<Name> = unresolved.iter().filter(|(_, status)| status.holds()).map(|(name, _)| name.clone()).collect();
        (different, held)
    }

    /// What somebody has still to look at, by kind and reference.
    async fn unresolved(&self) -> BTreeMap<Name, EntryStatus> {
        let mut unresolved = BTreeMap::new();
        for stream in self.world.streams("ledger").await {
            let entry = load::<Entry>(self.world.log().await, &stream).await.unwrap().state;
            if let Some(hold) = entry.hold.filter(|hold| hold.status.unresolved()) {
                let target = Target::from_stream_id(&stream).unwrap();
                unresolved.insert((target.kind, target.reference), hold.status);
            }
        }
        unresolved
    }

    /// Whether staff have set that value at some time: what they set stays, or comes back with an older save.
    fn is_of_staff(&self, lease: &str, value: &str) -> bool {
        let (_, key) = BORROWED.into_iter().find(|(id, _)| *id == lease).unwrap();
        let set = self
            .world
            .shard
            .audit()
            .into_iter()
            .filter(|row| row.outcome == "staff" && row.detail.get("to") == Some(&value.into()));
        set.into_iter().any(|row| {
            let told = |field: &str| row.detail.get(field).and_then(Value::as_str).map(str::to_owned);
            told("config").or_else(|| told("season").map(|season| format!("season:{season}.Status"))).as_deref() == Some(key)
        })
    }
}
