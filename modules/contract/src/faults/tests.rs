use serde_json::{Value, json};

use super::*;

fn sound() -> Value {
    json!({
        "id": "demo", "label": "Demo", "version": 1,
        "budgets": [{"id": "demo.lamps", "label": "Lamps lit", "unit": "count"}],
        "actions": [{
            "id": "demo.lamp.light", "label": "Light lamps", "description": "Lights some lamps.",
            "summary": "light {count} lamps", "risk": "change", "reversible": "ledger", "promise": "effect_once",
            "version": 1, "budgetMs": 5000,
            "cost": [{"dimension": "demo.lamps", "factors": [{"param": "count"}]}],
            "params": [{"name": "count", "type": "int", "required": true, "example": 12, "min": "1", "source": null}]
        }],
        "triggers": [{
            "id": "demo.lamp.broken", "label": "A lamp broke", "awaiting": "a lamp to break",
            "fields": [{"name": "region", "type": "string", "example": "North"}]
        }],
        "leases": [{
            "id": "demo.rate.gather", "label": "Gathering", "type": "float", "min": "0.5", "max": "5",
            "maxDurationMs": 1000, "reaches": "everyone", "budgetMs": 5000, "object": null
        }]
    })
}

fn faults_with(pointer: &str, value: Value) -> Vec<ManifestFault> {
    let mut manifest = sound();
    *manifest.pointer_mut(pointer).unwrap() = value;
    serde_json::from_value::<Manifest>(manifest).unwrap().faults()
}

#[test]
fn a_sound_manifest_has_none() {
    assert_eq!(faults_with("/label", json!("Demo")), []);
}

#[test]
fn every_fault_names_its_entry() {
    let lease = "demo.rate.gather";
    let (action, trigger) = ("demo.lamp.light", "demo.lamp.broken");
    for (pointer, value, entry, words) in [
        ("/actions/0/id", json!("other.lamp"), "other.lamp", "must start with"),
        ("/actions/0/id", json!("demo."), "demo.", "must start with"),
        ("/actions/0/budgetMs", json!(0), action, "budgetMs"),
        ("/actions/0/budgetMs", json!(3_600_001), action, "budgetMs"),
        ("/actions/0/cost/0/dimension", json!("demo.bells"), action, "no budget declares"),
        ("/actions/0/cost/0/factors/0", json!({"param": "size"}), action, "no int parameter"),
        ("/actions/0/params/0/example", json!("twelve"), action, "example of count"),
        ("/leases/0/min", json!(null), lease, "min and max"),
        ("/leases/0/min", json!("6"), lease, "no range"),
        ("/leases/0/object", json!({"label": "the lamp", "example": "a b"}), lease, "example of its object"),
        ("/leases/0/object", json!({"label": " ", "example": "quay-7"}), lease, "object's label"),
        ("/leases/0/id", json!("demo.rate@quay"), "demo.rate@quay", "an @"),
        ("/leases/0/max", json!("much"), lease, "no range"),
        ("/leases/0/maxDurationMs", json!(0), lease, "maxDurationMs"),
        ("/leases/0/budgetMs", json!(0), lease, "budgetMs"),
        ("/triggers/0/awaiting", json!(" "), trigger, "awaiting"),
        ("/triggers/0/fields/0/example", json!(1), trigger, "example of region"),
        ("/triggers/0/fields/0/name", json!(""), trigger, "a name of its own"),
        ("/version", json!(0), "demo", "version"),
        ("/actions/0/version", json!(0), action, "version"),
        ("/actions/0/label", json!(" "), action, "label"),
        ("/actions/0/summary", json!("two\nlines"), action, "summary"),
        ("/actions/0/risk", json!("irreversible"), action, "reversible is none"),
        ("/actions/0/params/0/name", json!("how many"), action, "parameter's name"),
        ("/actions/0/params/0/min", json!("few"), action, "no bound"),
        ("/actions/0/params/0/source", json!("demo.options.lamps"), action, "no option source"),
        ("/budgets/0/unit", json!(""), "demo.lamps", "unit"),
        ("/leases/0/label", json!("x".repeat(401)), lease, "label"),
        ("/leases/0/maxDurationMs", json!(604_800_001), lease, "maxDurationMs"),
    ] {
        let faults = faults_with(pointer, value.clone());
        assert!(faults.iter().any(|f| f.entry == entry && f.reason.contains(words)), "{pointer} = {value}: {faults:?}");
    }
}

#[test]
fn an_id_may_occur_once_in_its_kind() {
    let mut twice = serde_json::from_value::<Manifest>(sound()).unwrap();
    twice.leases.push(twice.leases[0].clone());
    twice.budgets.push(twice.budgets[0].clone());
    let count = twice.actions[0].params[0].clone();
    twice.actions[0].params.push(count);
    let reasons: Vec<_> = twice.faults().iter().map(ToString::to_string).collect();
    assert_eq!(
        reasons,
        ["demo.lamps: declared twice", "demo.rate.gather: declared twice", "demo.lamp.light: declares the parameter count twice",]
    );
}

#[test]
fn a_module_id_is_short_and_plain() {
    for wrong in ["", "Demo", "de.mo", "de_mo", &"d".repeat(33)] {
        assert!(faults_with("/id", json!(wrong)).iter().any(|f| f.reason.contains("a module's id")), "{wrong:?}");
    }
}

#[test]
fn a_budget_outlasts_the_modules_own_patience() {
    let manifest = serde_json::from_value::<Manifest>(sound()).unwrap();
    assert_eq!(manifest.hasty(4_999), []);
    let entries: Vec<_> = manifest.hasty(5_000).into_iter().map(|fault| fault.entry).collect();
    assert_eq!(entries, ["demo.lamp.light", "demo.rate.gather"]);
}
