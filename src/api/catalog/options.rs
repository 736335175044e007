//! `GET /admin/events/catalog/options/{sourceId}`: the choices of a parameter, asked of the module that offers them. 200
//! always: a refusal says `ok: false`, and the form falls back to free text.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use leasehold_module::{Failure, Options, OptionsAnswer};
use serde_json::{Value, json};

use crate::api::posted::Name;
use crate::api::query::Query;
use crate::api::{Api, Problem};

/// How long a form waits for its choices.
const PATIENCE: Duration = Duration::from_secs(5);

pub async fn handle(State(api): State<Api>, Name(source): Name, mut query: Query) -> Result<Json<Value>, Problem> {
    let (q, scope) = (query.text("q", 200), query.text("scope", 64));
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let answer = match api.engine.registry().option_source(&source) {
        Some((declared, module)) => {
            let request = Options { source: declared.id.clone(), scope, q };
            let late = || Failure::not_now("timed_out", format!("{} did not answer within {PATIENCE:?}", declared.label));
            let asked = tokio::time::timeout(PATIENCE, module.options(request)).await;
            asked.unwrap_or_else(|_| OptionsAnswer::Failed(late()))
        }
        None => OptionsAnswer::Failed(Failure::refused("no_such_source", "no installed module offers this list")),
    };
    Ok(Json(match answer {
        OptionsAnswer::Choices(choices) => {
            json!({"ok": true, "options": choices})
        }
        OptionsAnswer::Failed(failure) => {
            json!({"ok": false, "code": failure.code, "reason": failure.reason, "retry": failure.retry, "options": []})
        }
    }))
}
