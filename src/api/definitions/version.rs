//! `GET /admin/events/{id}/versions/{version}`: one version, as it was published. 200; 404.

use axum::Json;
use axum::extract::State;
use serde_json::Value;

use super::versions::item;
use crate::api::posted::{Id, Numbers};
use crate::api::query::Query;
use crate::api::{Api, Problem};

pub async fn handle(
    State(api): State<Api>,
    Id(id): Id,
    Numbers(numbers): Numbers,
    mut query: Query,
) -> Result<Json<Value>, Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    let wanted = numbers.first().copied().unwrap_or_default();
    // Named, so that one that is missing is refused in its own words.
    let version = api.engine.version(&id, wanted).await?;
    let versions = api.engine.versions(&id).await?;
    let before = versions.iter().find(|before| before.version + 1 == version.version);
    let current = versions.first().is_some_and(|newest| newest.version == version.version);
    Ok(Json(item(&version, before, current)))
}
