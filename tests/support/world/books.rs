//! The check after every test: the log is whole, and log and world agree.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use leasehold::engine::projector::{CatchUpFault, Verdict, Verified, VerifyFault, catch_up, verify};
use leasehold::engine::streams::load;
use leasehold::log::Log;
use leasehold_aggregates::keys::perform_key;
use leasehold_aggregates::ledger::Entry;
use leasehold_aggregates::run::{CleanupStatus, Run, RunStatus};
use leasehold_aggregates::target::Target;
use leasehold_projections::Projection;
use sqlx::Row as _;

use super::{Row, World};

impl World {
    /// The ids of all streams of one kind, the oldest first.
    pub async fn streams(&self, aggregate_type: &str) -> Vec<String> {
        let ids =
            sqlx::query("select aggregate_id from public.events where aggregate_type = $1 and sequence = 1 order by position");
        let rows = ids.bind(aggregate_type).fetch_all(self.log().await.pool()).await.unwrap();
        rows.iter().map(|row| row.get("aggregate_id")).collect()
    }

    /// The log is whole, no key was applied twice, whatever is in the world is named by the ledger, and no run is
    /// forgotten.
    pub async fn assert_clean_books(&self) {
        self.assert_clean_books_but_for_lost_dispatches().await;
        self.no_dispatch_is_unrecorded(self.log().await).await;
    }

    pub async fn assert_clean_books_but_for_lost_dispatches(&self) {
        let log = self.log().await;
        log.verify(None, |_| ()).await.expect("the log is whole");
        self.each_key_was_applied_once();
        if self.shard.is_running() {
            self.the_ledger_names_the_world(log).await;
        }
        self.no_run_is_forgotten(log).await;
        rows_are_those_of_the_log(log).await;
    }

    fn each_key_was_applied_once(&self) {
        let mut applied: BTreeMap<String, Row> = BTreeMap::new();
        let mut twice = Vec::new();
        for row in self.shard.audit().into_iter().filter(|row| row.outcome == "applied") {
            let Some(key) = row.key.clone() else { continue };
            match applied.get(&key) {
                Some(before) if !row.repeats_in_vain(before) => twice.push(row),
                Some(_) => {}
                None => drop(applied.insert(key, row)),
            }
        }
        assert!(twice.is_empty(), "applied more than once: {twice:?}");
    }

    async fn the_ledger_names_the_world(&self, log: &Log) {
        let mut named = BTreeSet::new();
        for stream in self.streams("ledger").await {
            let entry = load::<Entry>(log, &stream).await.unwrap().state;
            if let Some(hold) = entry.hold.filter(|hold| hold.status.unresolved()) {
                named.insert((hold.run_id, Target::from_stream_id(&stream).unwrap().reference));
            }
        }
        let returned = self.brought_back_by_an_older_save();
        let owned = self.shard.console("creatures --owned").await;
        for creature in owned["creatures"].as_array().unwrap() {
            let text = |place: &str| creature.pointer(place).and_then(|text| text.as_str()).unwrap_or_default().to_owned();
            if returned.contains(&text("/serial")) {
                continue;
            }
            let (run, key, serial) = (text("/owner/runId"), text("/owner/key"), text("/serial"));
            let known = named.contains(&(run.clone(), serial)) || named.contains(&(run, key));
            assert!(known, "the ledger does not name {creature}; it names {named:?}");
        }
        for lease in self.shard.console("leases").await["leases"].as_array().unwrap() {
            let held = &lease["held"];
            if held.is_object() && held["expired"] == false {
                let run = held["runId"].as_str().unwrap();
                assert!(named.iter().any(|(named, _)| named == run), "the ledger does not name {lease}; it names {named:?}");
            }
        }
    }

    /// Creatures that were taken away in an earlier life of the game, after its last save: it has forgotten that, and only
    /// the game can know.
    fn brought_back_by_an_older_save(&self) -> BTreeSet<String> {
        let before = |row: &Row| row.kind == "world.despawn" && row.outcome == "applied" && row.boot_id != self.shard.boot_id;
        let rows = self.shard.audit().into_iter().filter(before);
        let serials = rows.flat_map(|row| row.detail["removed"].as_array().cloned().unwrap_or_default());
        serials.filter_map(|serial| serial.as_str().map(str::to_owned)).collect()
    }

    async fn no_run_is_forgotten(&self, log: &Log) {
        for id in self.streams("run").await {
            let run = load::<Run>(log, &id).await.unwrap();
            let waits_for_a_person = run.state.status == RunStatus::Paused || run.state.steps.iter().any(|step| step.parked);
            let staged = log.staged_for(&run.stream()).await.unwrap();
            let moves_on =
                if run.state.status.terminal() { run.state.cleanup == CleanupStatus::Pending } else { !waits_for_a_person };
            assert!(!moves_on || !staged.is_empty(), "nothing will ever move run {id} on: {:#?}", run.state);
        }
    }

    /// The world has seen no step more often than the log has claimed it.
    async fn no_dispatch_is_unrecorded(&self, log: &Log) {
        let mut seen: BTreeMap<String, Vec<Row>> = BTreeMap::new();
        let of_a_command =
            |row: &Row| matches!(row.outcome.as_str(), "applied" | "replayed" | "busy" | "interrupted" | "refused");
        for row in self.shard.audit().into_iter().filter(of_a_command) {
            seen.entry(row.key.clone().unwrap_or_default()).or_default().push(row);
        }
        for id in self.streams("run").await {
            for step in load::<Run>(log, &id).await.unwrap().state.steps {
                let rows = seen.remove(&perform_key(&id, &step.key)).unwrap_or_default();
                let attempts = step.attempts as usize;
                assert!(rows.len() <= attempts, "{rows:#?}: more dispatches than attempts of {step:#?}");
            }
        }
    }
}

/// Whoever kept the rows, and whoever died or slept over it: no event was applied twice, and none left out.
async fn rows_are_those_of_the_log(log: &Log) {
    for projection in leasehold_projections::all() {
        let verified = verified(log, &projection).await;
        assert_eq!(verified.verdict, Verdict::Equal, "{} at {}", verified.name, verified.position);
    }
}

/// Waits until the projection serves: where the engine that built it was killed, whoever comes next waits for the end of its term,
/// and a short test may be over by then. Where no engine is left, it is built here.
async fn verified(log: &Log, projection: &Arc<dyn Projection>) -> Verified {
    loop {
        match verify(log, projection, |_, _| {}).await {
            Err(VerifyFault::NotBuilt(_)) => match catch_up(log, projection).await {
                Ok(_) => {}
                Err(CatchUpFault::Led { .. }) => tokio::time::sleep(Duration::from_millis(50)).await,
                Err(fault) => panic!("{fault:?}"),
            },
            verified => return verified.unwrap(),
        }
    }
}
