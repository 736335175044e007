//! The whole world as one value, always in the same order: what two worlds are compared by.

use super::World;
use serde_json::{Map as Fields, Value, json};

impl World {
    /// What an event may change and has to give back: what runs own, what spawners and seasons are set to. Nothing that walks.
    pub fn baseline(&self) -> Value {
        let owned: Vec<_> = self.creatures().filter(|creature| creature.owner.is_some()).collect();
        let spawners: Vec<_> =
            self.spawners.all().map(|spawner| json!({"serial": spawner.serial, "dials": spawner.dials})).collect();
        let pieces: Fields<String, Value> =
            super::Season::ALL.into_iter().map(|season| (season.to_string(), self.seasons.pieces(season).into())).collect();
        json!({
            "owned": owned,
            "objects": self.things().collect::<Vec<_>>(),
            "spawners": spawners,
            "seasons": self.seasons.statuses(),
            "seasonalPieces": pieces,
        })
    }

    /// Everything.
    pub fn dump(&self) -> Value {
        let mut whole = self.baseline();
        whole["creatures"] = json!(self.creatures().collect::<Vec<_>>());
        whole["players"] = json!(self.players().collect::<Vec<_>>());
        whole["spawners"] = json!(self.spawners.all().collect::<Vec<_>>());
        whole["altars"] = json!(self.altars().collect::<Vec<_>>());
        whole["ticks"] = json!(self.ticks());
        whole["nextSerial"] = json!(self.next_serial);
        whole
    }
}
