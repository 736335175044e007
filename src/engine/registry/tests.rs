use leasehold_aggregates::account::Role;
use leasehold_aggregates::definition::{Draft, Facts};
use leasehold_module::demo::{Demo, Sample};
use leasehold_module::{
    Answering, Choice, CostTerm, Factor, Failure, Manifest, Options, OptionsAnswer, Perform, Performed, Revert, Reverted, When,
};
use serde_json::{Value, json};

use super::*;

/// A module that only declares.
struct Declared(Manifest);

impl Module for Declared {
    fn manifest(&self) -> &Manifest {
        &self.0
    }

    fn perform(&self, _request: Perform) -> Answering<'_, Performed> {
        Box::pin(async { Performed::Failed(Failure::refused("only_declared", "this one does nothing")) })
    }

    fn revert(&self, _request: Revert) -> Answering<'_, Reverted> {
        Box::pin(async { Reverted::Failed(Failure::refused("only_declared", "this one does nothing")) })
    }
}

fn manifest(id: &str) -> Value {
    json!({
        "id": id, "label": id, "version": 1,
        "budgets": [
            {"id": format!("{id}.lamps"), "label": "Lamps lit", "unit": "count"},
            {"id": format!("{id}.oil"), "label": "Oil burnt", "unit": "litres"}
        ],
        "actions": [{
            "id": format!("{id}.lamp.light"), "label": "Light lamps", "description": "Lights some lamps.",
            "summary": "light {count} lamps", "risk": "change", "reversible": "ledger", "promise": "effect_once",
            "version": 1, "budgetMs": 5000,
            "params": [{"name": "count", "type": "int", "required": true, "example": 12}]
        }],
        "leases": [{
            "id": format!("{id}.rate.gather"), "label": "Gathering rate", "type": "float", "min": "0.5", "max": "5",
            "maxDurationMs": 1000, "reaches": "everyone", "budgetMs": 5000
        }],
        "optionSources": [{"id": format!("{id}.options.places"), "label": "Places"}]
    })
}

fn module(manifest: Value) -> Arc<dyn Module> {
    Arc::new(Declared(serde_json::from_value(manifest).unwrap()))
}

fn registry(manifests: impl IntoIterator<Item = Value>) -> Registry {
    Registry::new(manifests.into_iter().map(module).collect()).unwrap()
}

#[test]
fn with_no_module_the_engines_own_actions_are_there() {
    let bare = registry([]);
    let ids: Vec<_> = bare.actions().iter().map(|action| action.id.as_str()).collect();
    assert_eq!(ids, ["core.announce", "core.cue", "core.lease", "core.results.publish", "core.wait"]);
    assert_eq!(bare.modules().len(), 2, "core, and the triggers of event");
    assert_eq!(bare.refused().count(), 0);
}

#[test]
fn everything_declared_is_found_with_its_module() {
    let both = registry([manifest("demo"), manifest("other")]);
    let ids: Vec<_> = both.modules().iter().map(|module| module.manifest().id.as_str()).collect();
    assert_eq!(ids, ["core", "event", "demo", "other"]);
    let (action, owner) = both.action("other.lamp.light").unwrap();
    assert_eq!((action.id.as_str(), owner.manifest().id.as_str()), ("other.lamp.light", "other"));
    assert_eq!(both.lease("demo.rate.gather").unwrap().1.manifest().id, "demo");
    assert_eq!(both.option_source("demo.options.places").unwrap().1.manifest().id, "demo");
    assert_eq!(both.option_source("core.options.legs").unwrap().1.manifest().id, "core");
    assert_eq!(both.budget("demo.oil").unwrap().unit, "litres");
    for unknown in ["", "demo", "demo.", "demo.lamp", "none.lamp.light", "demo.lamps.light"] {
        assert!(both.action(unknown).is_none(), "{unknown}");
    }
}

#[test]
fn a_faulty_module_is_left_out_with_its_reasons_and_the_rest_is_unharmed() {
    let mut faulty = manifest("faulty");
    faulty["actions"][0]["budgetMs"] = json!(0);
    faulty["leases"][0]["min"] = json!(null);
    let left = registry([faulty, manifest("demo")]);
    assert!(left.action("faulty.lamp.light").is_none());
    assert!(left.lease("faulty.rate.gather").is_none());
    assert!(left.action("demo.lamp.light").is_some());
    let told: Vec<_> = left.refused().collect();
    let [refused] = told[..] else { panic!("{told:?}") };
    let entries: Vec<_> = refused.faults.iter().map(|fault| fault.entry.as_str()).collect();
    assert_eq!((refused.id.as_str(), entries), ("faulty", vec!["faulty.lamp.light", "faulty.rate.gather"]));
}

#[test]
fn a_module_id_belongs_to_one_module() {
    for ids in [["demo", "demo"], ["demo", "core"]] {
        let fault = Registry::new(ids.iter().map(|id| module(manifest(id))).collect()).err().unwrap();
        assert_eq!(fault.id, ids[1]);
    }
}

#[test]
fn dimensions_come_from_the_cost_terms_paid_or_not() {
    let both = registry([manifest("demo")]);
    let mut action = both.action("demo.lamp.light").unwrap().0.clone();
    assert!(both.dimensions_of(&action).is_empty());
    let term = |dimension: &str, when| CostTerm { dimension: dimension.into(), factors: vec![Factor::Constant(1)], when };
    let at_night = When { param: "count".into(), equals: json!(1) };
    action.cost = vec![term("demo.oil", Some(at_night)), term("demo.lamps", None), term("demo.oil", None)];
    let labels: Vec<_> = both.dimensions_of(&action).iter().map(|budget| budget.label.as_str()).collect();
    assert_eq!(labels, ["Lamps lit", "Oil burnt"]);
}

#[tokio::test]
async fn the_engines_lease_action_lists_what_sound_modules_declare() {
    let mut faulty = manifest("faulty");
    faulty["label"] = json!("Faulty");
    faulty["leases"][0]["maxDurationMs"] = json!(0);
    let left = registry([faulty, manifest("demo")]);
    let (source, owner) = left.option_source("core.options.leases").unwrap();
    let answer = owner.options(Options { source: source.id.clone(), scope: None, q: None }).await;
    let expected = OptionsAnswer::Choices(vec![Choice::new("demo.rate.gather", "Gathering rate")]);
    assert_eq!(answer, expected);
}

/// The samples that modules bring along are posted like anybody's, so they must pass like anybody's.
#[test]
fn every_sample_of_an_installed_module_can_be_published() {
    let registry = Registry::new(leasehold_installed::installed(&[], None)).unwrap();
    let facts = Facts::of(registry.modules().iter().map(|module| module.manifest()));
    // Those of modules that a game declares are posted to the game's own engine, where the demonstration is tried.
    let ours = |id: &str| registry.modules().iter().any(|module| module.manifest().id == id);
    for demonstration in leasehold_installed::demos().into_iter().filter(|demo| ours(demo.id)) {
        let (id, demo): (_, Demo) = (demonstration.id, toml::from_str(demonstration.text).unwrap());
        for Sample { mut body, .. } in demo.definitions {
            if let Some(at) = body.pointer_mut("/spec/schedule/at") {
                *at = json!("2027-03-28T20:00:00");
            }
            let draft = Draft::read(&body, &facts, Role::Admin, None);
            let published = draft.and_then(|draft| draft.publishable(&facts, Role::Admin));
            assert!(published.is_ok(), "{id}: {} {:?}", body["slug"], published.err());
        }
        for enable in demo.enable {
            assert!(registry.action(&enable.action).is_some(), "{id}: {}", enable.action);
        }
    }
}
