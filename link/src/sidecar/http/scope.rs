//! `?scope=`: which game a request is about.

use super::{Parts, answer::own_with};
use crate::sidecar::scopes::{self, Ambiguous, Found};
use axum::{
    extract::{FromRequestParts, Query},
    http::request,
    response::Response,
};
use leasehold_link::wire::{Disposition, ErrorName, Refusal};
use serde::Deserialize;

#[derive(Deserialize)]
struct Named {
    scope: Option<String>,
}

impl FromRequestParts<Parts> for Found {
    type Rejection = Response;

    async fn from_request_parts(request: &mut request::Parts, parts: &Parts) -> Result<Self, Response> {
        let bad = |reason: String| own_with(Disposition::BadJson, Refusal::new(ErrorName::BadField, reason));
        let Query(Named { scope }) = Query::<Named>::try_from_uri(&request.uri).map_err(|fault| bad(fault.body_text()))?;
        if let Some(fault) = scope.as_deref().and_then(scopes::fault_of) {
            return Err(bad(fault));
        }
        parts.scopes.find(scope).map_err(|Ambiguous(all)| {
            let reason = format!("this sidecar has {} games; name one with ?scope=; nothing was sent", all.len());
            own_with(Disposition::Refused, Refusal::new(ErrorName::ScopeNeeded, reason).with("scopes", all))
        })
    }
}
