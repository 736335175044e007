//! Creatures fall: who dealt what, who has a part in it, and what is told of it.

use super::{Core, console::refused};
use crate::{
    audit::{Outcome, Row},
    game::blow_of,
    world::{Altar, Category, Champion, Creature, Landmark, Player, Struck, named_region},
};
use leasehold_link::wire::{
    Serial,
    feed::{BOSS_KILLED, CHAMP_UPDATE, MOB_KILLED},
};
use serde_json::{Value, json};
use std::io;

/// How many of those who dealt to a champion are told.
const TABLE_MAX: usize = 20;

impl Core {
    /// Staff slay a creature: nobody dealt to it.
    pub(super) fn kill_creature(&mut self, serial: Serial) -> io::Result<Value> {
        let Some(creature) = self.game.world.remove(serial) else { return Ok(refused("there is no such creature")) };
        let run_id = creature.owner.as_ref().map(|owner| owner.run_id.clone());
        let row = Row { run_id, ..Row::new(Outcome::Staff, "creature.kill") };
        self.record(&row.with("serial", serial.to_string()))?;
        self.fallen(&creature, None);
        Ok(json!({"ok": true, "creature": creature}))
    }

    /// A champion that staff made falls at a landmark.
    pub(super) fn kill_boss(&mut self, landmark: &str, boss: &str) -> io::Result<Value> {
        let Some(place) = Landmark::named(landmark) else { return Ok(refused("there is no such landmark")) };
        self.ensure_serials(1)?;
        let region = named_region(place.at());
        self.record(&Row::new(Outcome::Staff, "boss.kill").with("boss", boss).with("region", region))?;
        let champion = Champion { category: Category::Champion, altar: None };
        let serial = self.game.world.make_champion(boss.to_owned(), place.at(), champion);
        if let Some(creature) = self.game.world.remove(serial) {
            self.fallen(&creature, None);
        }
        Ok(json!({"ok": true, "boss": boss, "region": region}))
    }

    /// A player strikes a creature.
    pub(super) fn fight(&mut self, name: &str, target: Serial, strength: u32) -> Value {
        self.count_time();
        let damage = blow_of(&self.game.config, strength);
        let Some(by) = self.game.world.player_named(name).map(|player| player.serial) else {
            return refused("there is no such character");
        };
        match self.game.world.strike(by, target, damage, self.game.now_ms) {
            Err(fault) => refused(&fault.to_string()),
            Ok(Struck::Stands(left)) => json!({"ok": true, "damage": damage, "hits": left}),
            Ok(Struck::Fell(creature)) => {
                self.fallen(&creature, Some(by));
                json!({"ok": true, "damage": damage, "hits": 0, "fell": creature.serial})
            }
        }
    }

    /// Counts who has a part in a fall, and tells of it.
    fn fallen(&mut self, creature: &Creature, last_blow: Option<Serial>) {
        let table = creature.damage_table();
        let (now_ms, rules) = (self.game.now_ms, self.game.rules.participation);
        self.game.participation.count_kill(now_ms, &table, &self.game.world, rules);
        let region = named_region(creature.at());
        let killer = last_blow.and_then(|by| self.game.world.player(by)).map(actor);
        if let Some(champion) = creature.champion {
            self.tell_of_champion(creature, champion, region, killer.as_ref(), &table);
        }
        let run_id = creature.owner.as_ref().map(|owner| owner.run_id.clone());
        let mut report = json!({"serial": creature.serial, "creature": creature.breed, "name": creature.name, "map": creature.map,
            "x": creature.x, "y": creature.y});
        add(&mut report, [("region", json!(region)), ("killer", json!(killer)), ("runId", json!(run_id))]);
        self.report(MOB_KILLED, report);
    }

    /// The damage of every hand is summed, however often it was entered; the table is told from the top, within bounds.
    fn tell_of_champion(
        &mut self,
        creature: &Creature,
        champion: Champion,
        region: Option<&str>,
        killer: Option<&Value>,
        table: &[(Serial, u64)],
    ) {
        let shown = table.iter().take(TABLE_MAX).map(|(by, damage)| {
            let mut row = self.game.world.player(*by).map_or_else(|| json!({"serial": by}), actor);
            row["damage"] = json!(damage);
            row
        });
        let damagers: Vec<Value> = shown.collect();
        let altar = champion.altar.and_then(|altar| self.game.world.altar(altar)).cloned();
        let mut report = json!({"category": champion.category, "bossSerial": creature.serial, "boss": creature.breed,
            "bossType": creature.breed.replace(' ', ""), "map": creature.map, "x": creature.x, "y": creature.y,
            "damagers": damagers, "damagerCount": table.len()});
        add(&mut report, [("region", json!(region)), ("killer", json!(killer))]);
        if let Some(Altar { serial, sort, level, .. }) = &altar {
            add(&mut report, [("serial", json!(serial)), ("type", json!(sort)), ("level", json!(level))]);
        }
        self.report(BOSS_KILLED, report);
        if let Some(altar) = altar {
            self.tell_of_altar(&altar);
        }
    }

    /// Has a champion rise, or takes it away without a fall.
    pub(super) fn turn_altar(&mut self, serial: Serial, up: bool) -> io::Result<Value> {
        self.ensure_serials(1)?;
        let risen = self.game.world.altar(serial).and_then(|altar| altar.risen);
        let boss =
            if up { self.game.world.raise(serial) } else { risen.filter(|risen| self.game.world.remove(*risen).is_some()) };
        let Some(boss) = boss else { return Ok(refused("there is no such altar, or its champion is as wished already")) };
        let row = Row::new(Outcome::Staff, if up { "altar.raise" } else { "altar.reset" });
        self.record(&row.with("altar", serial.to_string()).with("boss", boss.to_string()))?;
        if let Some(altar) = self.game.world.altar(serial).cloned() {
            self.tell_of_altar(&altar);
        }
        Ok(json!({"ok": true, "altar": serial, "boss": boss, "up": up}))
    }

    fn tell_of_altar(&mut self, altar: &Altar) {
        let mut report = json!({"serial": altar.serial, "type": altar.sort, "category": altar.category, "level": altar.level,
            "map": altar.at.map, "x": altar.at.x, "y": altar.at.y, "boss": altar.boss, "bossUp": altar.risen.is_some()});
        add(&mut report, [("region", json!(named_region(altar.at)))]);
        self.report(CHAMP_UPDATE, report);
    }
}

/// Who it was, in full: what of it is shown to whom is not the game's business.
pub(super) fn actor(player: &Player) -> Value {
    json!({"serial": player.serial, "name": player.name, "acct": player.acct, "player": true})
}

/// Adds what there is; what there is not is left out, so that nobody has to tell "nowhere" from "not said".
pub(super) fn add<const N: usize>(report: &mut Value, fields: [(&str, Value); N]) {
    for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_null()) {
        report[name] = value;
    }
}
