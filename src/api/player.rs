//! `GET /player/events/history`: in what the caller's own person took part, the latest first. 200; 401; 422.

use axum::Json;
use axum::extract::State;
use leasehold_projections::Page;
use leasehold_projections::results::{self, History};

use super::paging::Paging;
use super::query::Query;
use super::{Api, Caller, Problem};

pub async fn history(State(api): State<Api>, caller: Caller, mut query: Query) -> Result<Json<Page<History>>, Problem> {
    let paging = Paging::of(&mut query);
    query.finish()?;
    paging.reached(&api, &[results::NAME]).await?;
    Ok(Json(results::history(api.engine.log.pool(), &caller.account_id, &paging.page).await?))
}
