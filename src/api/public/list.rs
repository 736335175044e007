//! `GET /public/events`: what is under way and what is to come, the earliest first, in pages. 200; 304; 422.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use leasehold_projections::{Page, definitions, runs};

use super::asked::{ahead, narrowed};
use super::entry::PublicEntry;
use crate::api::calendar::Reader;
use crate::api::paging::Paging;
use crate::api::query::Query;
use crate::api::{Api, Problem, cached};
use crate::engine::calendar::{Asked, CalendarPage};

const LIST: &str = "public_events";

pub async fn handle(State(api): State<Api>, headers: HeaderMap, mut query: Query) -> Result<Response, Problem> {
    let paging = Paging::of(&mut query);
    let reader = Reader::of(&mut query, api.engine.zones());
    let asked = ahead(narrowed(&mut query));
    query.finish()?;
    paging.reached(&api, &[runs::NAME, definitions::NAME]).await?;
    cached::json(&headers, &page(&api, &asked, &paging, &reader, LIST).await?)
}

/// One page of what everybody may know.
pub(super) async fn page(
    api: &Api,
    asked: &Asked,
    paging: &Paging,
    reader: &Reader,
    list: &str,
) -> Result<Page<PublicEntry>, Problem> {
    let CalendarPage { page, listings } = api.engine.calendar(asked, &paging.page, list, api.now().await?).await?;
    let zones = api.engine.zones();
    let items = page.items.iter().filter_map(|entry| PublicEntry::of(entry, &listings, zones, reader)).collect();
    Ok(Page { items, next_page_token: page.next_page_token })
}
