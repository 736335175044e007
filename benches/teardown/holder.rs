//! A module that lends a thousand values, tells of as many participants as it is asked for, and counts what it is asked.

use std::sync::atomic::{AtomicU64, Ordering};

use leasehold_module::{
    Answering, CloseRun, Closed, Failure, LeaseApplied, LeaseApply, LeaseRestore, LeaseRestored, Manifest, Module, Options,
    OptionsAnswer, Participant, Perform, Performed, Revert, Reverted, Success,
};
use serde_json::{Map, Value, json};

/// Values that are lent.
pub const VALUES: usize = 1_000;

pub struct Holder {
    manifest: Manifest,
    /// What a wire would have carried since somebody looked last.
    asked: AtomicU64,
}

impl Holder {
    pub fn new() -> Self {
        let lease = |nth| {
            json!({"id": format!("demo.rate.{nth}"), "label": format!("Rate {nth}"), "type": "int", "min": "1", "max": "5",
                "maxDurationMs": 7_200_000, "reaches": "everyone", "budgetMs": 5000})
        };
        let count = json!({"name": "count", "type": "int", "required": true, "example": 12, "min": "1", "max": "100000"});
        let action = json!({"id": "demo.tell", "label": "Tell", "description": "Tells who took part.", "summary": "tell {count}",
            "risk": "inspect", "reversible": "none", "promise": "effect_once", "version": 1, "budgetMs": 50000, "params": [count]});
        let leases: Vec<Value> = (0..VALUES).map(lease).collect();
        let manifest = json!({"id": "demo", "label": "Demo", "version": 1, "actions": [action], "leases": leases});
        Self { manifest: serde_json::from_value(manifest).unwrap(), asked: AtomicU64::new(0) }
    }

    /// Round trips since the last look.
    pub fn trips(&self) -> u64 {
        self.asked.swap(0, Ordering::SeqCst)
    }

    fn counted<'a, T: Send + 'a>(&self, answer: T) -> Answering<'a, T> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move { answer })
    }
}

fn participant(nth: u64) -> Participant {
    let meta = Map::from_iter([("seconds".to_owned(), json!(nth % 600)), ("kills".to_owned(), json!(nth % 7))]);
    Participant { member_key: format!("player-{nth}"), score: format!("{}.25", nth % 5_000), joined_at: None, meta }
}

impl Module for Holder {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn perform(&self, request: Perform) -> Answering<'_, Performed> {
        let count = request.params["count"].as_u64().unwrap();
        let participants = (0..count).map(participant).collect();
        self.counted(Performed::Done(Success { participants, ..Success::default() }))
    }

    fn revert(&self, _request: Revert) -> Answering<'_, Reverted> {
        self.counted(Reverted::Failed(Failure::refused("nothing", "nothing was made")))
    }

    fn options(&self, _request: Options) -> Answering<'_, OptionsAnswer> {
        self.counted(OptionsAnswer::Choices(Vec::new()))
    }

    fn close_run(&self, _request: CloseRun) -> Answering<'_, Closed> {
        self.counted(Closed::Closed)
    }

    fn lease_apply(&self, request: LeaseApply) -> Answering<'_, LeaseApplied> {
        self.counted(LeaseApplied::Applied { baseline: "1".into(), applied: request.value, replayed: false })
    }

    fn lease_restore(&self, _request: LeaseRestore) -> Answering<'_, LeaseRestored> {
        self.counted(LeaseRestored::Restored)
    }
}
