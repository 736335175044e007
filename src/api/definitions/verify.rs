//! `POST /admin/events/{id}/verify`: the dry run, of the published version or of a draft that was never published. 200
//! whatever it finds: findings are its answer; 404; 409 archived; 412 stale; 422; 428.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use leasehold_aggregates::body::Text;
use serde_json::json;

use crate::api::etag::{self, IfMatch};
use crate::api::posted::{Id, PostedOrNothing, read};
use crate::api::{Api, Caller, Problem};

pub async fn handle(
    State(api): State<Api>,
    caller: Caller,
    Id(id): Id,
    IfMatch(wanted): IfMatch,
    PostedOrNothing(body): PostedOrNothing,
) -> Result<Response, Problem> {
    let (scope, params) = read(&body, |object| (object.nullable_text("scope", Text::key()), object.map("params")))?;
    let act = api.act(&caller).await?;
    let verdict = api.engine.verify(&act, &id, &wanted, scope.as_deref(), &params).await?;
    let answer = json!({
        "id": id,
        "ok": verdict.dry_run.ok,
        "of": if verdict.version.is_some() { "version" } else { "draft" },
        "version": verdict.version,
        "verified": verdict.verified,
        "findings": verdict.dry_run.findings,
        "cost": verdict.dry_run.cost,
        "revision": verdict.saved.revision,
        "position": verdict.saved.position,
    });
    Ok((etag::header(verdict.saved.revision), Json(answer)).into_response())
}
