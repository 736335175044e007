//! The world as a whole: a tick of it, a save, a dump, a wipe.

use super::{Core, console::refused, start};
use crate::{
    audit::{Outcome, Row},
    lease::{LeasePlane, Target},
    participation::Participation,
    world::{Dial, SaveFault, Season, Status},
};
use leasehold_link::wire::{
    WorldSaved,
    feed::{SAVE_FINISHED, SAVE_STARTED},
};
use serde_json::{Map, Value, json};
use std::{io, time::Instant};

impl Core {
    /// Lets one tick pass. Serials for what spawners make are reserved before.
    pub(super) fn tick(&mut self) -> io::Result<()> {
        self.walked.this_tick = 0;
        self.ensure_serials(TICK_SERIALS)?;
        if let Some(slow) = self.faults.slow_tick {
            std::thread::sleep(slow);
        }
        self.game.world.tick(self.game.now_ms);
        self.look_around()
    }

    /// Writes the save, and tells when it began and ended. What the saved world has from others is on the disk and told before.
    pub(super) fn save_world(&mut self) -> io::Result<Result<(), SaveFault>> {
        self.count_time();
        self.report(SAVE_STARTED, json!({}));
        self.commit()?;
        let (begun, beside) = (Instant::now(), self.game.beside());
        let saved = self.game.world.save(&self.directory, self.game.now_ms, beside);
        let took_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let WorldSaved { creatures, objects, players } = self.game.world.counts();
        let report =
            json!({"ok": saved.is_ok(), "tookMs": took_ms, "creatures": creatures, "objects": objects, "players": players});
        self.report(SAVE_FINISHED, report);
        Ok(saved)
    }

    /// A save that staff ask for, as often as they like.
    pub(super) fn save(&mut self) -> io::Result<Value> {
        if let Err(fault) = self.save_world()? {
            return Ok(refused(&fault.to_string()));
        }
        let WorldSaved { creatures, objects, players } = self.game.world.counts();
        let row = Row::new(Outcome::Staff, "world.save").with("creatures", creatures).with("players", players);
        self.record(&row.with("objects", objects))?;
        Ok(json!({"ok": true, "creatures": creatures, "objects": objects, "players": players}))
    }

    /// The world as one value; of the baseline only what an event has to give back.
    pub(super) fn dump(&mut self, baseline: bool) -> Value {
        let mut world = if baseline { self.game.world.baseline() } else { self.game.world.dump() };
        let config: Map<String, Value> = self.game.config.values().map(|(key, value)| (key.to_owned(), value.into())).collect();
        world["config"] = config.into();
        let now_ms = self.game.now_ms;
        let counting: Vec<String> =
            self.game.participation.kept().into_iter().filter(|tally| tally.is_open(now_ms)).map(|tally| tally.run_id).collect();
        world["counting"] = json!(counting);
        let (plane, ground) = self.game.leases();
        let held: Vec<_> =
            plane.rows(&ground, None).into_iter().filter(|row| row.held.as_ref().is_some_and(|held| !held.expired)).collect();
        world["holds"] = json!(held);
        json!({"ok": true, "world": world})
    }

    /// A new world of the same seed: nothing that was is left but the characters' accounts of the outside. The save is written at once.
    pub(super) fn wipe(&mut self) -> io::Result<Value> {
        self.game.world.wipe(start::population(&self.game.rules));
        self.game.config.reset();
        self.game.leases = LeasePlane::new(self.game.rules.lease_max_ms);
        self.game.participation = Participation::default();
        self.record(&Row::new(Outcome::Staff, "world.wipe"))?;
        self.check_what_works();
        self.save()
    }

    /// Staff turn a dial of a spawner.
    pub(super) fn turn_spawner(&mut self, id: &str, dial: Dial, value: &str) -> io::Result<Value> {
        let Some(serial) = self.game.world.spawners.find(id).map(|spawner| spawner.serial) else {
            return Ok(refused("there is no such spawner"));
        };
        let (_, ground) = self.game.leases();
        let before = ground.read(&Target::Dial(serial, dial));
        if !self.game.world.turn(serial, dial, value) {
            return Ok(refused("that is no value of this dial"));
        }
        let row = Row::new(Outcome::Staff, "spawner.set").with("spawner", id).with("dial", dial.name());
        self.record(&row.with("from", before.as_deref()).with("to", value))?;
        Ok(json!({"ok": true, "spawner": self.game.world.spawners.find(id), "before": before}))
    }

    /// Staff take a spawner away.
    pub(super) fn delete_spawner(&mut self, id: &str) -> io::Result<Value> {
        let serial = self.game.world.spawners.find(id).map(|spawner| spawner.serial);
        let Some(spawner) = serial.and_then(|serial| self.game.world.remove_spawner(serial)) else {
            return Ok(refused("there is no such spawner"));
        };
        self.record(&Row::new(Outcome::Staff, "spawner.delete").with("spawner", id))?;
        Ok(json!({"ok": true, "spawner": spawner}))
    }

    /// Staff set an occasion of the year.
    pub(super) fn set_season(&mut self, season: Season, status: Status) -> io::Result<Value> {
        let before = self.game.world.seasons.status(season);
        self.game.world.set_season(season, status);
        let row = Row::new(Outcome::Staff, "season.set").with("season", season.to_string());
        self.record(&row.with("from", before.name()).with("to", status.name()))?;
        Ok(json!({"ok": true, "season": season, "status": status, "pieces": self.game.world.seasons.pieces(season)}))
    }

    /// What every occasion is set to, and what is in the world because of it.
    pub(super) fn seasons(&self) -> Value {
        let seasons = &self.game.world.seasons;
        let row = |season: Season| json!({"season": season, "status": seasons.status(season), "pieces": seasons.pieces(season)});
        json!({"ok": true, "seasons": Season::ALL.map(row)})
    }
}

/// Enough for every spawner to make one in one tick.
const TICK_SERIALS: u32 = 1024;
