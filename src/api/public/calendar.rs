//! `GET /public/events/calendar`: what is, was and will be in a window, the earliest first, in pages. 200; 304; 422.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use leasehold_projections::runs::RunFilter;
use leasehold_projections::{definitions, runs};

use super::asked::narrowed;
use super::list;
use crate::api::calendar::Window;
use crate::api::paging::Paging;
use crate::api::query::Query;
use crate::api::{Api, Problem, cached};
use crate::engine::calendar::Asked;

const LIST: &str = "public_calendar";

pub async fn handle(State(api): State<Api>, headers: HeaderMap, mut query: Query) -> Result<Response, Problem> {
    let paging = Paging::of(&mut query);
    let window = Window::of(&mut query, api.engine.zones());
    let asked = narrowed(&mut query);
    query.finish()?;
    paging.reached(&api, &[runs::NAME, definitions::NAME]).await?;
    let runs = RunFilter { from: Some(window.from), to: Some(window.to), ..asked.runs };
    let asked = Asked { runs, ..asked };
    cached::json(&headers, &list::page(&api, &asked, &paging, &window.reader, LIST).await?)
}
