//! `GET /admin/events/catalog`: every registered action, budget, lease, option source and trigger. 200.

use axum::Json;
use axum::extract::State;
use leasehold_module::Manifest;
use serde::Serialize;
use serde_json::{Value, json};

use crate::api::query::Query;
use crate::api::{Api, Problem};

/// The comparisons of a gate's condition.
const COMPARISONS: [&str; 12] =
    ["eq", "ne", "gt", "gte", "lt", "lte", "in", "not_in", "contains", "starts_with", "present", "absent"];

pub async fn handle(State(api): State<Api>, mut query: Query) -> Result<Json<Value>, Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let registry = &api.engine.registry;
    let manifests: Vec<&Manifest> = registry.modules().iter().map(|module| module.manifest()).collect();
    let modules: Vec<Value> = manifests
        .iter()
        .map(|manifest| json!({"id": manifest.id, "label": manifest.label, "version": manifest.version}))
        .collect();
    let refused: Vec<Value> = registry
        .refused()
        .iter()
        .map(|module| json!({"id": module.id, "faults": module.faults.iter().map(ToString::to_string).collect::<Vec<_>>()}))
        .collect();
    Ok(Json(json!({
        "modules": modules,
        "refusedModules": refused,
        "actions": of_all(&manifests, |manifest| &manifest.actions),
        "budgets": of_all(&manifests, |manifest| &manifest.budgets),
        "leases": of_all(&manifests, |manifest| &manifest.leases),
        "optionSources": of_all(&manifests, |manifest| &manifest.option_sources),
        "triggers": of_all(&manifests, |manifest| &manifest.triggers),
        "comparisons": COMPARISONS,
    })))
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
