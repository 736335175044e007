//! `POST /admin/events/runs/{id}/results`: publishes the result of a run as it was told so far; the same again changes nothing. 200; 404;
//! 409 before its start. `GET …/participants`: who took part, those with a place first. 200; 422.

use axum::Json;
use axum::extract::State;
use leasehold_projections::Page;
use leasehold_projections::results::{self, ParticipantRow};
use serde_json::{Value, json};

use crate::api::paging::Paging;
use crate::api::posted::{Id, PostedOrNothing, read};
use crate::api::query::Query;
use crate::api::{Api, Caller, Problem};

pub async fn publish(
    State(api): State<Api>,
    caller: Caller,
    Id(id): Id,
    PostedOrNothing(body): PostedOrNothing,
) -> Result<Json<Value>, Problem> {
    read(&body, |_| ())?;
    let act = api.act(&caller).await?;
    let committed = api.engine.publish_results(&act, &id).await?;
    let (at, places) = (committed.run.results_published_at, committed.run.places.len());
    Ok(Json(json!({"id": committed.run_id, "resultsPublishedAt": at, "places": places, "position": committed.position})))
}

pub async fn participants(State(api): State<Api>, Id(id): Id, mut query: Query) -> Result<Json<Page<ParticipantRow>>, Problem> {
    let paging = Paging::of(&mut query);
    query.finish()?;
    paging.reached(&api, &[results::NAME]).await?;
    Ok(Json(results::participants(api.engine.log.pool(), &id, &paging.page).await?))
}
