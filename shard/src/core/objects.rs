//! What the console sees of the objects that runs own, and what staff do with them.

use super::{Core, console::refused};
use crate::{
    audit::{Outcome, Row},
    world::{Map, Place, named_region, regions_around},
};
use leasehold_link::wire::Serial;
use serde_json::{Value, json};
use std::io;

impl Core {
    pub(super) fn objects(&self, run: Option<&str>) -> Value {
        let of_run = |run_id: &str| run.is_none_or(|run| run == run_id);
        let objects: Vec<_> = self.game.world.things().filter(|thing| of_run(&thing.owner.run_id)).collect();
        json!({"ok": true, "count": objects.len(), "objects": objects})
    }

    pub(super) fn delete_object(&mut self, serial: Serial) -> io::Result<Value> {
        let Some(thing) = self.game.world.remove_thing(serial) else { return Ok(refused("there is no such object")) };
        let row = Row::new(Outcome::Staff, "object.delete").with("serial", serial.to_string());
        let row = Row { run_id: Some(thing.owner.run_id.clone()), ..row }.with("madeBy", thing.owner.key.as_str());
        self.record(&row)?;
        Ok(json!({"ok": true, "object": thing}))
    }

    /// In which region with a name a point lies, and in how many regions with and without names.
    pub(super) fn region(map: &str, x: i32, y: i32) -> Value {
        let Some(map) = Map::parse(map).filter(|_| Map::contains(x, y)) else { return refused("there is no such point") };
        let at = Place { map, x, y };
        json!({"ok": true, "region": named_region(at), "around": regions_around(at)})
    }

    /// What a person says to whoever comes near, or to those words.
    pub(super) fn hear(&self, serial: Serial, words: &str) -> Value {
        let Some(thing) = self.game.world.thing(serial) else { return refused("there is no such object") };
        json!({"ok": true, "says": thing.what.says(words)})
    }

    pub(super) fn set_staff(&mut self, name: &str, staff: bool) -> io::Result<Value> {
        let Some(player) = self.game.world.set_staff(name, staff) else { return Ok(refused("there is no such character")) };
        let row = Row::new(Outcome::Staff, "player.staff").with("name", player.name.as_str()).with("staff", staff);
        let told = json!({"ok": true, "player": player});
        self.record(&row)?;
        Ok(told)
    }
}
