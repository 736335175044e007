//! `uo.decoration.place`: one decorative object at a landmark, or some tiles beside it.

use leasehold_link::wire::{Decorate, Kind};
use leasehold_module::{Failure, Perform, Success};
use leasehold_sidecar::Sidecar;

use crate::atlas::Atlas;
use crate::{params, placing, removal};

pub const ID: &str = "uo.decoration.place";

pub async fn perform(sidecar: &Sidecar, atlas: &Atlas, request: Perform) -> Result<Success, Failure> {
    let landmark = atlas.landmark(&params::text(&request.params, "location")?)?;
    let beside = |name: &str| Ok(params::number::<i32>(&request.params, name)?.unwrap_or_default());
    let body = Decorate {
        map: landmark.map.clone(),
        x: landmark.x.saturating_add(beside("east")?),
        y: landmark.y.saturating_add(beside("south")?),
        item: atlas.decoration(&params::text(&request.params, "item")?)?.value.clone(),
        graphic: None,
        hue: params::number(&request.params, "hue")?,
        stamp: params::stamp(&request),
    };
    if request.verify {
        return placing::rehearse(sidecar).await;
    }
    placing::make(sidecar, Kind::WorldDecorate, &body, &request, removal::DECORATION).await
}
