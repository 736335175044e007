//! `POST /admin/events/{id}/publish`: the draft becomes the next version. 200, `new` false where nothing had changed;
//! 404; 409 archived; 412 stale; 422 with everything that the registry does not take by now; 428.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
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
    read(&body, |_| ())?;
    let act = api.act(&caller).await?;
    let published = api.engine.publish(&act, caller.role, &id, &wanted).await?;
    let saved = published.saved;
    let answer = json!({
        "id": saved.id,
        "state": "ready",
        "version": published.version,
        "new": published.new,
        "repinned": published.repinned,
        "withdrawn": published.withdrawn,
        "revision": saved.revision,
        "position": saved.position,
    });
    Ok((etag::header(saved.revision), Json(answer)).into_response())
}
