//! Where borrowed values lie: read and written as text.

use super::Target;
use crate::{
    config::Config,
    world::{Status, World},
};

/// Both places at once.
#[derive(Debug)]
pub struct Ground<'a> {
    pub config: &'a mut Config,
    pub world: &'a mut World,
}

impl Ground<'_> {
    /// What the value is now; `None` where what it belongs to is gone.
    pub fn read(&self, target: &Target) -> Option<String> {
        match target {
            Target::Config(key) => self.config.get(key).map(str::to_owned),
            Target::Dial(serial, dial) => self.world.spawners.find(&serial.to_string()).map(|spawner| spawner.dials.read(*dial)),
            Target::Season(season) => Some(self.world.seasons.status(*season).name().to_owned()),
        }
    }

    /// Writes a value; false where it cannot be written.
    pub fn write(&mut self, target: &Target, text: &str) -> bool {
        match target {
            Target::Config(key) => self.config.set(key, text).is_ok(),
            Target::Dial(serial, dial) => self.world.turn(*serial, *dial, text),
            Target::Season(season) => Status::parse(text).map(|status| self.world.set_season(*season, status)).is_some(),
        }
    }
}
