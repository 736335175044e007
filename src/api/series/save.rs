//! `PUT /admin/events/series/{seriesId}`: what the arc is called, what it is about, where it stands. 200 with the next
//! revision; 404; 412 stale; 422, also for another slug; 428.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};

use super::{arc, left, slug};
use crate::api::etag::{self, IfMatch};
use crate::api::posted::{Id, Posted, read};
use crate::api::{Api, Caller, Problem};

pub async fn handle(
    State(api): State<Api>,
    caller: Caller,
    Id(id): Id,
    IfMatch(wanted): IfMatch,
    Posted(body): Posted,
) -> Result<Response, Problem> {
    let standing = api.engine.series(&id).await?;
    let (_, arc) = read(&body, |object| (slug(object, standing.series.slug()), arc(object)))?;
    let act = api.act(&caller).await?;
    let saved = api.engine.revise_series(&act, &id, &wanted, &arc).await?;
    Ok((etag::header(saved.revision), Json(left(&saved))).into_response())
}
