//! `uo.broadcast`: one line to everybody online.

use leasehold_link::wire::{Broadcast, Kind};
use leasehold_module::{Failure, Perform, Success};
use leasehold_sidecar::Sidecar;

use crate::params;

pub const ID: &str = "uo.broadcast";

pub async fn perform(sidecar: &Sidecar, request: Perform) -> Result<Success, Failure> {
    let text = params::text(&request.params, "text")?;
    if text.contains(char::is_control) {
        return Err(Failure::refused("wrong_params", "text must be one line, without control characters"));
    }
    let body = Broadcast { text, hue: params::number(&request.params, "hue")?, stamp: params::stamp(&request).into() };
    if request.verify {
        sidecar.connected().await?;
        return Ok(Success::default());
    }
    let reply = sidecar.command(Kind::AdminBroadcast, &body, request.mark.as_ref()).await?;
    Ok(Success { replayed: reply.replayed, ..Success::default() })
}
