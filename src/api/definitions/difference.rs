//! `GET /admin/events/{id}/versions/{version}/diff/{other}`: what changed from the one version to the other; without
//! `{other}`, to the draft as it stands. 200; 404.

use axum::Json;
use axum::extract::State;
use leasehold_projections::difference::content_changes;
use serde_json::{Value, json};

use crate::api::posted::{Id, Numbers};
use crate::api::query::Query;
use crate::api::{Api, Problem};
use crate::engine::definitions::Version;

pub async fn of_versions(
    State(api): State<Api>,
    Id(id): Id,
    Numbers(numbers): Numbers,
    mut query: Query,
) -> Result<Json<Value>, Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let [from, to] = numbers[..] else { return Err(Problem::not_found()) };
    let (from, to) = (api.engine.version(&id, from).await?, api.engine.version(&id, to).await?);
    let changes = content_changes(&from.content, &to.content);
    Ok(Json(json!({"id": id, "from": told(&from), "to": told(&to), "changes": changes})))
}

pub async fn of_draft(
    State(api): State<Api>,
    Id(id): Id,
    Numbers(numbers): Numbers,
    mut query: Query,
) -> Result<Json<Value>, Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let [from] = numbers[..] else { return Err(Problem::not_found()) };
    let (from, standing) = (api.engine.version(&id, from).await?, api.engine.definition(&id).await?);
    let changes = content_changes(&from.content, &standing.content()?.content);
    let draft = standing.draft;
    let to = json!({"revision": draft.revision, "changedAt": draft.changed_at, "changedBy": draft.changed_by});
    Ok(Json(json!({"id": id, "from": told(&from), "to": to, "changes": changes})))
}

fn told(version: &Version) -> Value {
    let published = &version.published;
    json!({"version": version.version, "publishedAt": published.at, "publishedBy": published.by, "position": published.position})
}
