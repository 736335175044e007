//! What of an action a plan rests on: everything but the words in which it is told.

use leasehold_module::{Action, Manifest};
use serde_json::{Value, json};

use super::event::ActionSignature;

/// The signature of each action of a manifest.
pub fn signatures(manifest: &Manifest) -> Vec<ActionSignature> {
    let of = |action: &Action| ActionSignature { action: action.id.clone(), version: action.version, signature: text(action) };
    manifest.actions.iter().map(of).collect()
}

fn text(action: &Action) -> String {
    let params: Vec<Value> = action
        .params
        .iter()
        .map(|param| json!([param.name, param.value_type, param.required, param.source, param.min, param.max, param.max_length]))
        .collect();
    json!([action.risk, action.reversible, action.promise, action.cost, action.tells, params]).to_string()
}
