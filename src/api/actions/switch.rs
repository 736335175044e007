//! `PUT /admin/events/actions`: stores one row of the switchboard. 200; 422 for an unknown action, or a cap on what it
//! does not spend. Absent caps stay as they are.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use leasehold_aggregates::body::{Object, Text, pointer};
use serde_json::{Value, json};

use super::document;
use crate::api::posted::{Posted, read};
use crate::api::{Api, Caller, Problem};
use crate::engine::switches::SwitchRequest;

/// The largest cap: what a count in JSON holds everywhere.
const LARGEST: u64 = (1 << 53) - 1;

pub async fn handle(State(api): State<Api>, caller: Caller, Posted(body): Posted) -> Result<Json<Value>, Problem> {
    let request = read(&body, |object| SwitchRequest {
        action: object.text("action", Text::line(1, 128)),
        enabled: object.flag("enabled"),
        caps: object.optional("caps").is_some().then(|| caps(object)),
    })?;
    let act = api.act(&caller).await?;
    let (row, position) = api.engine.switch(&act, &request).await?;
    let mut document = document(&row);
    document["position"] = json!(position);
    Ok(Json(document))
}

fn caps(object: &Object<'_>) -> BTreeMap<String, Option<u64>> {
    let mut caps = BTreeMap::new();
    for (dimension, value) in object.map("caps") {
        let cap = value.as_u64().filter(|cap| *cap <= LARGEST);
        if cap.is_none() && !value.is_null() {
            let detail = format!("a cap is a whole number of 0 to {LARGEST}, or null for none");
            object.faults().add(pointer("/caps", &dimension), "wrong_value", detail);
        }
        caps.insert(dimension, cap);
    }
    caps
}
