//! `GET /admin/events/catalog`: every registered action, budget, lease, option source and trigger. 200.

use axum::Json;
use axum::extract::State;
use leasehold_aggregates::condition::Comparison;
use leasehold_module::{Manifest, ParamType};
use serde::Serialize;
use serde_json::{Value, json};
use strum::IntoEnumIterator;

use crate::api::query::Query;
use crate::api::{Api, Problem};

pub async fn handle(State(api): State<Api>, mut query: Query) -> Result<Json<Value>, Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let registry = &api.engine.registry();
    let manifests: Vec<&Manifest> = registry.modules().iter().map(|module| module.manifest()).collect();
    let modules: Vec<Value> = manifests
        .iter()
        .map(|manifest| {
            let linked = registry.linked().in_force.iter().find(|linked| linked.module.manifest().id == manifest.id);
            json!({
                "id": manifest.id, "label": manifest.label, "version": manifest.version,
                "digest": linked.map(|linked| &linked.digest), "scopes": linked.map(|linked| &linked.scopes),
            })
        })
        .collect();
    let refused: Vec<Value> = registry
        .refused()
        .map(|module| json!({"id": module.id, "scope": module.scope, "faults": module.faults.iter().map(ToString::to_string).collect::<Vec<_>>()}))
        .collect();
    let mut leases = of_all(&manifests, |manifest| &manifest.leases);
    leases.retain(|lease| lease["id"].as_str().is_none_or(|id| registry.is_lent(id)));
    Ok(Json(json!({
        "modules": modules,
        "refusedModules": refused,
        "actions": of_all(&manifests, |manifest| &manifest.actions),
        "budgets": of_all(&manifests, |manifest| &manifest.budgets),
        "leases": leases,
        "optionSources": of_all(&manifests, |manifest| &manifest.option_sources),
        "triggers": of_all(&manifests, |manifest| &manifest.triggers),
        "comparisons": Comparison::iter().map(Into::<&str>::into).collect::<Vec<_>>(),
        "operators": Comparison::iter().map(operator).collect::<Vec<_>>(),
    })))
}

/// A comparison as a form draws it: its word, what it wants, and which types of variables it takes.
fn operator(cmp: Comparison) -> Value {
    let types: Vec<ParamType> = ParamType::ALL.into_iter().filter(|value_type| cmp.takes(*value_type)).collect();
    json!({"cmp": cmp, "label": cmp.label(), "operand": cmp.operand(), "types": types})
}

/// The declarations of one kind, each with its module.
fn of_all<'a, T: Serialize + 'a>(manifests: &[&'a Manifest], kind: impl Fn(&'a Manifest) -> &'a Vec<T>) -> Vec<Value> {
    let declared = |manifest: &&'a Manifest| {
        let module = manifest.id.clone();
        kind(manifest).iter().map(move |entry| {
            let mut entry = json!(entry);
            entry["module"] = json!(module);
            entry
        })
    };
    manifests.iter().flat_map(declared).collect()
}
