//! `POST /admin/events/{id}/copy`: a new definition whose draft is this one's, or one of its versions. 201 with its address;
//! 403 where it holds what takes an admin; 404; 409 `slug_taken`; 422.

use axum::extract::State;
use axum::response::Response;
use leasehold_aggregates::body::{Object, Text};
use leasehold_aggregates::definition::reserved_slug;

use super::create::made;
use crate::api::posted::{Id, Posted, read};
use crate::api::{Api, Caller, Problem};
use crate::engine::definitions::CopyRequest;

pub async fn handle(State(api): State<Api>, caller: Caller, Id(id): Id, Posted(body): Posted) -> Result<Response, Problem> {
    let request = read(&body, |object| CopyRequest {
        slug: new_slug(object),
        title: object.nullable_text("title", Text::line(1, 120)),
        version: object.nullable_int("version", 1..=i64::MAX).map(i64::unsigned_abs),
    })?;
    let act = api.act(&caller).await?;
    let saved = api.engine.copy_definition(&act, caller.role, &id, &request).await?;
    made(&api, &saved).await
}

fn new_slug(object: &Object<'_>) -> String {
    let slug = object.text("slug", Text::slug());
    if let Some(fault) = reserved_slug(&slug) {
        object.fault("slug", fault.code, fault.detail);
    }
    slug
}
