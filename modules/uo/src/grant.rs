//! `uo.item.grant`: an item into a character's pack, for good.

use leasehold_link::wire::{Grant, Granted, Kind, Serial, ToParticipants};
use leasehold_module::{Failure, Perform, Success};
use leasehold_sidecar::{Sidecar, nonsense};

use crate::atlas::Atlas;
use crate::{params, placing};

pub const ID: &str = "uo.item.grant";
pub const ALL_ID: &str = "uo.item.grant_participants";

pub async fn perform(sidecar: &Sidecar, atlas: &Atlas, request: Perform) -> Result<Success, Failure> {
    let recipient = params::text(&request.params, "recipient")?;
    let recipient: Serial = recipient.parse().map_err(|error| Failure::refused("wrong_params", format!("recipient: {error}")))?;
    let body = Grant {
        item: atlas.gift(&params::text(&request.params, "item")?)?.value.clone(),
        amount: params::number(&request.params, "amount")?,
        recipients: vec![recipient],
        participants: None,
        stamp: params::stamp(&request),
    };
    if request.verify {
        return placing::rehearse(sidecar).await;
    }
    let reply = sidecar.command(Kind::WorldGrant, &body, request.mark.as_ref()).await?;
    let told = |what: String| nonsense(Kind::WorldGrant, &what);
    let granted: Granted = reply.fields().map_err(|error| told(format!("a yes without its lists: {error}")))?;
    let words = match (&granted.granted[..], &granted.missed[..]) {
        ([one], []) if *one == recipient => None,
        ([], [one]) if *one == recipient => Some(format!("{recipient} is no character any more; nothing was given")),
        _ => return Err(told(format!("a yes that does not say once what became of {recipient}"))),
    };
    Ok(Success { words, replayed: reply.replayed, ..Success::default() })
}

/// The same to everybody whom the game has counted: who that is, the game knows.
pub async fn perform_for_all(sidecar: &Sidecar, atlas: &Atlas, request: Perform) -> Result<Success, Failure> {
    let most: usize = params::number(&request.params, "most")?.unwrap_or(0);
    let min_score: Option<i64> = params::number(&request.params, "min_score")?;
    let body = Grant {
        item: atlas.gift(&params::text(&request.params, "item")?)?.value.clone(),
        amount: params::number(&request.params, "amount")?,
        recipients: Vec::new(),
        participants: Some(ToParticipants { min_score: min_score.map(|score| score.to_string()), most }),
        stamp: params::stamp(&request),
    };
    if request.verify {
        return placing::rehearse(sidecar).await;
    }
    let reply = sidecar.command(Kind::WorldGrant, &body, request.mark.as_ref()).await?;
    let told = |what: String| nonsense(Kind::WorldGrant, &what);
    let granted: Granted = reply.fields().map_err(|error| told(format!("a yes without its lists: {error}")))?;
    if granted.granted.len() + granted.missed.len() > most {
        return Err(told(format!("a yes to more than the {most} that were allowed")));
    }
    let (given, missed) = (granted.granted.len(), granted.missed.len());
    let words = Some(format!("given to {given} who took part; {missed} are no characters any more"));
    Ok(Success { words, replayed: reply.replayed, ..Success::default() })
}
