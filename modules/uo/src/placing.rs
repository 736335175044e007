//! What the verbs that make something have in common.

use leasehold_link::wire::{Kind, ListLeases, Placed, Reply};
use leasehold_module::{Failure, Perform, Resource, Success};
use leasehold_sidecar::{Sidecar, nonsense};
use serde::Serialize;

/// A dry run: asks only what changes nothing. Is a game there, and does it let schedules change the world?
pub async fn rehearse(sidecar: &Sidecar) -> Result<Success, Failure> {
    sidecar.connected().await?;
    sidecar.command(Kind::LeaseList, &ListLeases { key: Some(String::new()) }, None).await?;
    Ok(Success::default())
}

/// Sends a command that makes one object, and records it.
pub async fn make<B: Serialize>(
    sidecar: &Sidecar,
    kind: Kind,
    body: &B,
    request: &Perform,
    resource: &str,
) -> Result<Success, Failure> {
    let reply = sidecar.command(kind, body, request.mark.as_ref()).await?;
    let placed: Placed = reply.fields().map_err(|error| nonsense(kind, &format!("a yes without its serial: {error}")))?;
    Ok(made(&reply, resource, [placed.serial.to_string()]))
}

/// A success that owns these objects.
pub fn made(reply: &Reply, resource: &str, references: impl IntoIterator<Item = String>) -> Success {
    let resource = |reference| Resource { kind: resource.to_owned(), reference, member_key: None };
    Success { resources: references.into_iter().map(resource).collect(), replayed: reply.replayed, ..Success::default() }
}
