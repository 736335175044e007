//! `uo.npc.place`: a person at a landmark who greets and answers to words.

use leasehold_link::wire::limits::NPC_LINES_MAX;
use leasehold_link::wire::{Kind, NpcLine, PlaceNpc};
use leasehold_module::{Failure, Perform, Success};
use leasehold_sidecar::Sidecar;
use serde_json::{Map, Value};

use crate::atlas::Atlas;
use crate::{params, placing, removal};

pub const ID: &str = "uo.npc.place";

pub async fn perform(sidecar: &Sidecar, atlas: &Atlas, request: Perform) -> Result<Success, Failure> {
    let landmark = atlas.landmark(&params::text(&request.params, "location")?)?;
    let body = PlaceNpc {
        map: landmark.map.clone(),
        x: landmark.x,
        y: landmark.y,
        name: params::text(&request.params, "name")?,
        hue: params::number(&request.params, "hue")?,
        greeting: params::text(&request.params, "greeting")?,
        lines: lines(&request.params)?,
        stamp: params::stamp(&request),
    };
    if request.verify {
        return placing::rehearse(sidecar).await;
    }
    placing::make(sidecar, Kind::WorldNpc, &body, &request, removal::NPC).await
}

/// The pairs `keyword1`, `line1` to `keyword5`, `line5` that are there; half a pair is refused.
fn lines(params: &Map<String, Value>) -> Result<Vec<NpcLine>, Failure> {
    let mut lines = Vec::new();
    for number in 1..=NPC_LINES_MAX {
        let (keyword, line) = (format!("keyword{number}"), format!("line{number}"));
        match (params::optional_text(params, &keyword)?, params::optional_text(params, &line)?) {
            (Some(keyword), Some(text)) => lines.push(NpcLine { keyword, text }),
            (None, None) => (),
            (Some(_), None) => return Err(Failure::refused("wrong_params", format!("{keyword} needs a {line}"))),
            (None, Some(_)) => return Err(Failure::refused("wrong_params", format!("{line} needs a {keyword}"))),
        }
    }
    Ok(lines)
}
