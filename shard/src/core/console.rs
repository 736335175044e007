//! What the console's commands do. Staff act behind the engine's back; the audit names them all the same.

use super::Core;
use crate::{
    audit::{Outcome, Row},
    console::{Command, FaultCommand},
    faults::Faults,
    game::new_character,
    world::{LANDMARKS, Map},
};
use leasehold_link::wire::Serial;
use serde_json::{Value, json};
use std::io;

pub(super) fn refused(reason: &str) -> Value {
    json!({"ok": false, "reason": reason})
}

impl Core {
    /// Does one command; gives the line to answer.
    pub(super) fn obey(&mut self, command: Command) -> io::Result<Value> {
        match command {
            Command::Status => Ok(self.status()),
            Command::Audit { from } => {
                let (rows, next) = self.audit.read(from)?;
                Ok(json!({"ok": true, "rows": rows, "next": next}))
            }
            Command::ConfigGet { key } => Ok(self.config_get(&key)),
            Command::ConfigSet { key, value } => self.config_set(&key, &value),
            Command::PlayerCreate { name, address } => self.create_player(name, address),
            Command::PlayerList => Ok(json!({"ok": true, "players": self.game.world.players().collect::<Vec<_>>()})),
            Command::Creatures { owned, run } => Ok(self.creatures(owned, run.as_deref())),
            Command::Objects { run } => Ok(self.objects(run.as_deref())),
            Command::ObjectDelete { serial } => self.delete_object(serial),
            Command::Region { map, x, y } => Ok(Self::region(&map, x, y)),
            Command::Hear { serial, words } => Ok(self.hear(serial, &words)),
            Command::PlayerStaff { name, staff } => self.set_staff(&name, staff),
            Command::CreatureDelete { serial } => self.delete_creature(serial),
            Command::CreatureKill { serial } => self.kill_creature(serial),
            Command::BossKill { landmark, boss } => self.kill_boss(&landmark, &boss),
            Command::RegionEnter { landmark } => self.enter_region(&landmark),
            Command::PlayerOnline { name, online } => self.connect(&name, online),
            Command::PlayerWalk { name, to } => Ok(self.walk(&name, &to)),
            Command::PlayerFight { name, target, strength } => Ok(self.fight(&name, target, strength)),
            Command::PlayerLife { name, alive } => self.life(&name, alive),
            Command::Altars => Ok(json!({"ok": true, "altars": self.game.world.altars().collect::<Vec<_>>()})),
            Command::AltarTurn { serial, up } => self.turn_altar(serial, up),
            Command::Spawners { id } => Ok(self.spawners(id.as_deref())),
            Command::SpawnerSet { id, dial, value } => self.turn_spawner(&id, dial, &value),
            Command::SpawnerDelete { id } => self.delete_spawner(&id),
            Command::Seasons => Ok(self.seasons()),
            Command::SeasonSet { season, status } => self.set_season(season, status),
            Command::Participation { run } => Ok(self.tally(&run)),
            Command::Facet { map, loaded } => Ok(self.facet(&map, loaded)),
            Command::Dump { baseline } => Ok(self.dump(baseline)),
            Command::Wipe => self.wipe(),
            Command::Clock { advance_ms } => self.move_clock(advance_ms),
            Command::Save => self.save(),
            Command::Leases => {
                let (plane, ground) = self.game.leases();
                Ok(json!({"ok": true, "leases": plane.rows(&ground, None)}))
            }
            Command::Landmarks => Ok(json!({"ok": true, "landmarks": LANDMARKS})),
            Command::Shutdown => {
                self.stopping = true;
                Ok(json!({"ok": true}))
            }
            Command::Disconnect => {
                let link = self.link.take();
                if let Some((_, outbox)) = &link {
                    outbox.hang_up();
                }
                Ok(json!({"ok": true, "wasConnected": link.is_some()}))
            }
            Command::Fault(fault) => self.misbehave(&fault),
        }
    }

    fn status(&mut self) -> Value {
        let world = &self.game.world;
        let owned = world.creatures().filter(|creature| creature.owner.is_some()).count();
        json!({
            "ok": true,
            "bootId": self.boot_id,
            "t": self.game.now_ms,
            "offsetMs": self.clock.offset_ms(),
            "connected": self.link.is_some(),
            "eventsEnabled": self.game.rules.events_enabled,
            "adminWriteEnabled": self.game.rules.admin_write_enabled,
            "creatures": world.creatures().count(),
            "owned": owned,
            "players": world.players().count(),
            "objects": world.things().count(),
            "ticks": world.ticks(),
            "longestAskUs": std::mem::take(&mut self.longest_ask_us),
            "walks": self.walks.len(),
            "mostMembersATick": std::mem::take(&mut self.walked.most),
            "broadcasts": self.game.broadcasts,
            "deferred": self.deferred.len(),
            "idem": self.keys.counters.line(self.keys.len()),
            "idempotency": self.keys.counters,
            "keys": self.keys.len(),
            "journalLines": self.journal.lines(),
        })
    }

    fn config_get(&self, key: &str) -> Value {
        let (config, rules) = (&self.game.config, &self.game.rules);
        let Some(value) = config.get(key) else { return refused("there is no such configuration key") };
        json!({"ok": true, "key": key, "value": value, "default": config.loaded(key), "inUse": rules.in_use(config, key)})
    }

    fn config_set(&mut self, key: &str, value: &str) -> io::Result<Value> {
        let before = self.game.config.get(key).map(str::to_owned);
        if let Err(fault) = self.game.config.set(key, value) {
            return Ok(refused(&fault.to_string()));
        }
        let row = Row::new(Outcome::Staff, "config.set").with("config", key).with("from", before.as_deref()).with("to", value);
        self.record(&row)?;
        Ok(json!({"ok": true, "key": key, "value": value, "before": before}))
    }

    fn create_player(&mut self, name: String, address: Option<String>) -> io::Result<Value> {
        self.ensure_serials(1)?;
        let (new, rules) = (new_character(&self.game.config, name, address), &self.game.rules);
        match self.game.world.create_player(new, rules.max_characters, rules.accounts_per_ip) {
            Err(fault) => Ok(refused(&fault.to_string())),
            Ok(player) => {
                let skill_cap = player.skill_cap;
                let row =
                    Row::new(Outcome::Staff, "player.create").with("name", player.name.as_str()).with("skillCap", skill_cap);
                self.record(&row)?;
                Ok(json!({"ok": true, "player": player, "name": player.name, "serial": player.serial, "skillCap": skill_cap}))
            }
        }
    }

    fn creatures(&self, owned_only: bool, run: Option<&str>) -> Value {
        let world = &self.game.world;
        let of_run = |run_id: &str| run.is_none_or(|run| run == run_id);
        let wanted = world.creatures().filter(|creature| match &creature.owner {
            Some(owner) => of_run(&owner.run_id),
            None => !owned_only && run.is_none(),
        });
        let creatures: Vec<_> = wanted.collect();
        json!({"ok": true, "count": creatures.len(), "creatures": creatures})
    }

    fn delete_creature(&mut self, serial: Serial) -> io::Result<Value> {
        let Some(creature) = self.game.world.remove(serial) else { return Ok(refused("there is no such creature")) };
        let owner = creature.owner.clone();
        let mut row = Row::new(Outcome::Staff, "creature.delete").with("serial", serial.to_string());
        if let Some(owner) = owner {
            row = Row { run_id: Some(owner.run_id), ..row }.with("madeBy", owner.key);
        }
        self.record(&row)?;
        Ok(json!({"ok": true, "creature": creature}))
    }

    fn move_clock(&mut self, advance_ms: Option<u32>) -> io::Result<Value> {
        if let Some(advance_ms) = advance_ms {
            self.count_time();
            self.clock.advance(advance_ms);
            self.game.now_ms = self.clock.now_ms();
            self.record(&Row::new(Outcome::Staff, "clock.advance").with("byMs", advance_ms))?;
            self.expire()?;
        }
        Ok(json!({"ok": true, "t": self.game.now_ms, "offsetMs": self.clock.offset_ms()}))
    }

    fn spawners(&self, id: Option<&str>) -> Value {
        let spawners = &self.game.world.spawners;
        let shown: Vec<_> = match id {
            Some(id) => spawners.find(id).into_iter().collect(),
            None => spawners.all().filter(|spawner| spawner.unique_id.is_some()).collect(),
        };
        let alive: Vec<u32> = shown.iter().map(|spawner| spawner.alive).collect();
        json!({"ok": id.is_none() || !shown.is_empty(), "count": spawners.all().count(), "spawners": shown, "alive": alive})
    }

    fn tally(&self, run: &str) -> Value {
        let tally = self.game.participation.of(run);
        json!({"ok": tally.is_some(), "tally": tally})
    }

    fn facet(&mut self, map: &str, loaded: bool) -> Value {
        let Some(map) = Map::parse(map) else { return refused("there is no such facet") };
        self.game.world.load_facet(map, loaded);
        json!({"ok": true, "map": map, "loaded": loaded})
    }

    fn misbehave(&mut self, fault: &FaultCommand) -> io::Result<Value> {
        if let FaultCommand::Inert { key, inert } = fault {
            let told = json!({"ok": true, "key": key, "inert": inert});
            let none = || refused("there is no such value; try object:*.MaxCount");
            return Ok(if self.make_inert(key, *inert) { told } else { none() });
        }
        let faults = &mut self.faults;
        match *fault {
            FaultCommand::DropAck { kind, times: 0 } => _ = faults.drop_ack.remove(&kind),
            FaultCommand::DropAck { kind, times } => _ = faults.drop_ack.insert(kind, times),
            FaultCommand::DelayAck { kind, by } => _ = faults.delay_ack.insert(kind, by),
            FaultCommand::Crash { kind, moment } => _ = faults.crash.insert((kind, moment)),
            FaultCommand::Hold { kind } => _ = faults.hold.insert(kind),
            FaultCommand::Throw { kind } => _ = faults.throw.insert(kind),
            FaultCommand::Mute { kind } => _ = faults.mute.insert(kind),
            FaultCommand::SlowTick { by } => faults.slow_tick = Some(by).filter(|by| !by.is_zero()),
            FaultCommand::Clear => *faults = Faults::default(),
            FaultCommand::List | FaultCommand::Inert { .. } => (),
            FaultCommand::Release => {
                faults.hold.clear();
                self.run_deferred()?;
            }
        }
        Ok(json!({"ok": true, "faults": self.faults.shown(), "deferred": self.deferred.len()}))
    }
}
