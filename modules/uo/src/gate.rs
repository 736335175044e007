//! `uo.gate.open`: a gate from one landmark to another. The game closes it at its deadline, whoever is heard from by then.

use leasehold_link::wire::{GateOpened, Kind, OpenGate, Serial};
use leasehold_module::{Failure, Perform, Success};
use leasehold_sidecar::{Sidecar, nonsense};

use crate::atlas::{Atlas, Landmark};
use crate::{params, placing, removal};

pub const ID: &str = "uo.gate.open";

pub async fn perform(sidecar: &Sidecar, atlas: &Atlas, request: Perform) -> Result<Success, Failure> {
    let landmark = |name: &str| atlas.landmark(&params::text(&request.params, name)?);
    let (here, there) = (landmark("location")?, landmark("destination")?);
    one_facet(here, there)?;
    let minutes: Option<u32> = params::number(&request.params, "minutes")?;
    let minutes = minutes.ok_or_else(|| Failure::refused("wrong_params", "minutes is required"))?;
    let body = OpenGate {
        map: here.map.clone(),
        x: here.x,
        y: here.y,
        to_map: there.map.clone(),
        to_x: there.x,
        to_y: there.y,
        open_ms: u64::from(minutes) * 60_000,
        hue: params::number(&request.params, "hue")?,
        stamp: params::stamp(&request),
    };
    if request.verify {
        return placing::rehearse(sidecar).await;
    }
    let reply = sidecar.command(Kind::WorldGate, &body, request.mark.as_ref()).await?;
    let told = |what: String| nonsense(Kind::WorldGate, &what);
    let opened: GateOpened = reply.fields().map_err(|error| told(format!("a yes without its ends: {error}")))?;
    match opened.serials[..] {
        [one, other] if one != other => {
            let made = placing::made(&reply, removal::GATE, [one, other].map(|serial: Serial| serial.to_string()));
            Ok(Success { lasts_ms: Some(body.open_ms), ..made })
        }
        _ => Err(told(format!("a gate with {} ends", opened.serials.len()))),
    }
}

/// Said before the game is asked, so that a dry run tells it, too.
fn one_facet(here: &Landmark, there: &Landmark) -> Result<(), Failure> {
    if here.map == there.map {
        return Ok(());
    }
    let reason = format!("{} lies on {} and {} on {}: no gate leads across facets", here.label, here.map, there.label, there.map);
    Err(Failure::refused("gate_across_facets", reason))
}
