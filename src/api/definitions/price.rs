//! `POST /admin/events/price`: what the plan in the body would spend, against the caps. It is asked with every key that an
//! author presses: it dispatches nothing, records nothing, and takes a plan that is not finished. 200 over a cap, too; 422 for
//! what is no plan at all.

use axum::Json;
use axum::extract::State;
use leasehold_aggregates::body::{Faults, Object};
use leasehold_aggregates::plan::{MAX_PARAMS, MAX_PHASES, MAX_STEPS};
use serde_json::{Map, Value, json};

use crate::api::posted::PostedDefinition;
use crate::api::{Api, Problem};
use crate::engine::pricing::Typed;

pub async fn handle(State(api): State<Api>, PostedDefinition(body): PostedDefinition) -> Result<Json<Value>, Problem> {
    let (steps, values) = read(&body)?;
    Ok(Json(json!(api.engine.price(&steps, &values).await?)))
}

fn read(body: &Value) -> Result<(Vec<Typed>, Map<String, Value>), Problem> {
    let faults = Faults::default();
    let object = Object::of(body, "", &faults);
    let (spec, given) = (object.required("spec"), object.map("params"));
    object.finish();
    let (steps, mut values) = spec.map(|spec| plan(spec, &faults)).unwrap_or_default();
    Problem::of_faults(faults.into_inner())?;
    values.extend(given);
    Ok((steps, values))
}

/// The steps as far as they are typed, and the defaults of the plan's parameters.
fn plan(spec: &Value, faults: &Faults) -> (Vec<Typed>, Map<String, Value>) {
    let object = Object::of(spec, "/spec", faults);
    let mut steps = Vec::new();
    for (at, phase) in object.list("phases", 0..=MAX_PHASES) {
        let phase = Object::of(phase, at, faults);
        steps.extend(phase.list("steps", 0..=MAX_STEPS).into_iter().map(|(at, step)| typed(step, at, faults)));
    }
    let params = object.list("params", 0..=MAX_PARAMS);
    let default =
        |value: &Value| Some((value["name"].as_str()?.to_owned(), value.get("default").filter(|v| !v.is_null())?.clone()));
    (steps, params.into_iter().filter_map(|(_, value)| default(value)).collect())
}

fn typed(step: &Value, pointer: String, faults: &Faults) -> Typed {
    let object = Object::of(step, pointer.clone(), faults);
    let text = |name: &str| step[name].as_str().unwrap_or_default().to_owned();
    Typed { key: text("key"), action: text("action"), params: object.map("params"), pointer }
}
