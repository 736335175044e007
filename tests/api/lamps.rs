//! A module without a game: lamps that are lit and put out in memory.

use std::sync::{Arc, Mutex};

use leasehold_module::{
    Answering, Choice, Failure, FeedAnswer, FeedAsk, FeedRead, Fired, LastSeen, LeaseApplied, LeaseApply, LeaseRestore,
    LeaseRestored, Manifest, Module, Options, OptionsAnswer, Perform, Performed, Reach, Resource, Revert, Reverted, Success,
    Undone, UndoneOutcome,
};
use serde_json::json;

pub struct Lamps {
    manifest: Manifest,
    reach: Arc<Mutex<Option<Reach>>>,
    seen: Arc<Mutex<LastSeen>>,
    feed: Arc<Mutex<Vec<Fired>>>,
}

impl Lamps {
    /// `reach`: what looks at the game's link find, whatever the scope; `seen`: what that link has seen of the log.
    /// `feed`: what the game has reported so far.
    pub fn reached(reach: Arc<Mutex<Option<Reach>>>, seen: Arc<Mutex<LastSeen>>, feed: Arc<Mutex<Vec<Fired>>>) -> Self {
        let manifest = json!({
            "id": "demo", "label": "Demo lamps", "version": 3,
            "budgets": [{"id": "demo.lamps", "label": "Lamps lit", "unit": "count"}],
            "actions": [{
                "id": "demo.lamp.light", "label": "Light lamps", "description": "Lights some lamps.",
                "summary": "light {count} lamps", "risk": "change", "reversible": "ledger", "promise": "effect_once",
                "version": 1, "budgetMs": 5000,
                "cost": [{"dimension": "demo.lamps", "factors": [{"param": "count"}]}],
                "params": [
                    {"name": "count", "type": "int", "required": true, "example": 12, "min": "1", "max": "50"},
                    {"name": "place", "type": "string", "required": false, "example": "quay", "source": "demo.options.places"}
                ]
            }],
            "leases": [{
                "id": "demo.rate.gather", "label": "Gathering rate", "type": "float", "min": "0.5", "max": "5",
                "maxDurationMs": 7_200_000, "reaches": "everyone", "budgetMs": 5000
            }],
            "triggers": [{
                "id": "demo.lamp.broken", "label": "A lamp broke", "awaiting": "a lamp to break",
                "fields": [{"name": "region", "type": "string", "example": "North"}, {"name": "count", "type": "int", "example": 3}]
            }],
            "optionSources": [
                {"id": "demo.options.places", "label": "Places", "searchable": true},
                {"id": "demo.options.broken", "label": "Nothing"}
            ]
        });
        Self { manifest: serde_json::from_value(manifest).unwrap(), reach, seen, feed }
    }
}

impl Module for Lamps {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn reach(&self, _scope: &str) -> Answering<'_, Option<Reach>> {
        let reach = self.reach.lock().unwrap().clone();
        Box::pin(async { reach })
    }

    fn last_seen(&self, _scope: &str) -> Answering<'_, LastSeen> {
        let seen = self.seen.lock().unwrap().clone();
        Box::pin(async { seen })
    }

    fn feed(&self, ask: FeedAsk) -> Answering<'_, FeedAnswer> {
        let all = self.feed.lock().unwrap().clone();
        let after = ask.after.map_or(all.len(), |place| usize::try_from(place.number).unwrap());
        let fired: Vec<Fired> = all.into_iter().skip(after).take(ask.limit as usize).collect();
        let through = (after + fired.len()) as u64;
        Box::pin(async move { FeedAnswer::Read(FeedRead { feed: "lamps".into(), through, lost: 0, fired }) })
    }

    /// The place `void` cannot be lit.
    fn perform(&self, request: Perform) -> Answering<'_, Performed> {
        Box::pin(async move {
            if request.params.get("place").is_some_and(|place| place == "void") {
                return Performed::Failed(Failure::refused("no_such_place", "there is no place called void"));
            }
            let lamp = Resource { kind: "lamp".into(), reference: request.idempotency_key, member_key: None };
            let resources = if request.verify { Vec::new() } else { vec![lamp] };
            Performed::Done(Success { resources, ..Success::default() })
        })
    }

    fn revert(&self, request: Revert) -> Answering<'_, Reverted> {
        let undone = |target: leasehold_module::RevertTarget| Undone {
            kind: target.kind,
            reference: target.reference,
            outcome: UndoneOutcome::Removed,
        };
        Box::pin(async move { Reverted::Done(request.resources.into_iter().map(undone).collect()) })
    }

    fn options(&self, request: Options) -> Answering<'_, OptionsAnswer> {
        Box::pin(async move {
            if request.source == "demo.options.broken" {
                return OptionsAnswer::Failed(Failure::not_now("away", "nobody is there"));
            }
            let places = [("quay", "The quay"), ("mill", "The old mill")];
            let all = places.into_iter().map(|(value, label)| Choice::new(value, label));
            OptionsAnswer::Choices(all.filter(|choice| request.keeps(choice)).collect())
        })
    }

    fn lease_apply(&self, request: LeaseApply) -> Answering<'_, LeaseApplied> {
        Box::pin(async move {
            if request.verify {
                return LeaseApplied::Acceptable { current: "1".into() };
            }
            LeaseApplied::Applied { baseline: "1".into(), applied: request.value, replayed: false }
        })
    }

    fn lease_restore(&self, _request: LeaseRestore) -> Answering<'_, LeaseRestored> {
        Box::pin(async { LeaseRestored::Restored })
    }
}
