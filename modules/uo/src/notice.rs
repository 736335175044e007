//! `uo.towncrier.post` and `uo.news.post`: what criers cry and what the news board says.

use leasehold_link::wire::{Kind, PostCrier, PostNews};
use leasehold_module::{Failure, Perform, Success};
use leasehold_sidecar::Sidecar;

use crate::{params, placing, removal};

pub const CRIER_ID: &str = "uo.towncrier.post";
pub const NEWS_ID: &str = "uo.news.post";

pub async fn cry(sidecar: &Sidecar, request: Perform) -> Result<Success, Failure> {
    let minutes: Option<u32> = params::number(&request.params, "minutes")?;
    let minutes = minutes.ok_or_else(|| Failure::refused("wrong_params", "minutes is required"))?;
    let body = PostCrier {
        notice: name(&request)?,
        lines: vec![params::text(&request.params, "text")?],
        for_ms: u64::from(minutes) * 60_000,
        stamp: params::stamp(&request),
    };
    if request.verify {
        return reachable(sidecar).await;
    }
    let made = placing::make(sidecar, Kind::TowncrierPost, &body, &request, removal::NOTICE).await?;
    Ok(Success { lasts_ms: Some(body.for_ms), ..made })
}

pub async fn publish(sidecar: &Sidecar, request: Perform) -> Result<Success, Failure> {
    let body = PostNews {
        notice: name(&request)?,
        title: params::text(&request.params, "title")?,
        text: params::text(&request.params, "text")?,
        stamp: params::stamp(&request),
    };
    if request.verify {
        return reachable(sidecar).await;
    }
    placing::make(sidecar, Kind::NewsPost, &body, &request, removal::NOTICE).await
}

/// Which notice it is within the run: the step's own unless a name is given, by which a later step takes its place.
fn name(request: &Perform) -> Result<String, Failure> {
    Ok(params::optional_text(&request.params, "notice")?.unwrap_or_else(|| request.step.clone()))
}

/// Posts need the other consent, which nothing that changes nothing asks for.
async fn reachable(sidecar: &Sidecar) -> Result<Success, Failure> {
    sidecar.connected().await?;
    Ok(Success::default())
}
