//! Players: connected, walking, dying, gone again. The console drives them.

use super::{
    Core,
    console::refused,
    falls::{actor, add},
};
use crate::{
    audit::{Outcome, Row},
    console::Going,
    world::{Landmark, Map, Place, Player, named_region},
};
use leasehold_link::wire::feed::{PLAYER_DEATH, PRESENCE, REGION_ENTER};
use serde_json::{Map as Fields, Value, json};
use std::{collections::BTreeMap, io};

/// What was last told of how many are connected.
#[derive(Debug, Default)]
pub(super) struct Presence {
    told: Option<Value>,
    looked_ms: i64,
}

impl Core {
    /// Counts everybody's time up to now: before anybody moves, comes or goes.
    pub(super) fn count_time(&mut self) {
        let game = &mut self.game;
        game.participation.count_time(game.now_ms, &game.world, game.rules.participation);
    }

    /// What happens with every tick beside the world's own: time is counted, a walk goes on, presence is told.
    pub(super) fn look_around(&mut self) -> io::Result<()> {
        let now_ms = self.game.now_ms;
        let every = |key: &str| self.game.config.integer(key).saturating_mul(1000);
        let (sweep_ms, presence_ms) = (every("Bridge.ParticipationSweepSec"), every("Bridge.PresenceSweepSec"));
        if now_ms - self.game.participation.counted_to_ms() >= sweep_ms {
            self.count_time();
        }
        if now_ms - self.presence.looked_ms >= presence_ms {
            self.presence.looked_ms = now_ms;
            self.tell_presence();
        }
        self.walk_on()
    }

    /// A player comes into a region of whom nobody knows. Who it is, is nobody's business here.
    pub(super) fn enter_region(&mut self, landmark: &str) -> io::Result<Value> {
        let Some(place) = Landmark::named(landmark) else { return Ok(refused("there is no such landmark")) };
        let region = named_region(place.at());
        self.record(&Row::new(Outcome::Staff, "region.enter").with("region", region))?;
        self.report(REGION_ENTER, json!({"to": region, "map": place.map}));
        Ok(json!({"ok": true, "region": region}))
    }

    /// Somebody plays a character from now on, or no longer.
    pub(super) fn connect(&mut self, name: &str, online: bool) -> io::Result<Value> {
        self.count_time();
        let Some(player) = self.game.world.player_named(name) else { return Ok(refused("there is no such character")) };
        player.online = online;
        let shown = player.clone();
        let word = if online { "player.connect" } else { "player.logout" };
        self.record(&Row::new(Outcome::Staff, word).with("name", shown.name.as_str()))?;
        Ok(shown_as(&shown))
    }

    /// A character walks; if that brings it into another region with a name, this is told.
    pub(super) fn walk(&mut self, name: &str, going: &Going) -> Value {
        self.count_time();
        let to = match going {
            Going::To(landmark) => Landmark::named(landmark).map(Landmark::at),
            Going::Point(map, x, y) => Map::parse(map).filter(|_| Map::contains(*x, *y)).map(|map| Place { map, x: *x, y: *y }),
        };
        let Some(to) = to else { return refused("there is no such place") };
        let Some(player) = self.game.world.player_named(name).filter(|player| player.online) else {
            return refused("there is no such character online");
        };
        let from = std::mem::replace(&mut player.stands, to);
        let shown = player.clone();
        let (left, entered) = (named_region(from), named_region(to));
        if entered.is_some() && (left != entered || from.map != to.map) {
            let mut report = json!({"to": entered, "map": to.map, "x": to.x, "y": to.y, "actor": actor(&shown)});
            add(&mut report, [("from", json!(left))]);
            self.report(REGION_ENTER, report);
        }
        shown_as(&shown)
    }

    /// A character dies where it stands, or comes to life again.
    pub(super) fn life(&mut self, name: &str, alive: bool) -> io::Result<Value> {
        self.count_time();
        let Some(player) = self.game.world.player_named(name).filter(|player| (player.hits > 0) != alive) else {
            return Ok(refused("there is no such character, or it is so already"));
        };
        player.hits = 0;
        let (serial, shown) = (player.serial, player.clone());
        if alive {
            self.game.world.revive(serial);
        } else {
            let at = shown.at();
            let mut report = json!({"actor": actor(&shown), "map": at.map, "x": at.x, "y": at.y});
            add(&mut report, [("region", json!(named_region(at)))]);
            self.report(PLAYER_DEATH, report);
        }
        let shown = self.game.world.player(serial).cloned().unwrap_or(shown);
        self.record(
            &Row::new(Outcome::Staff, if alive { "player.revive" } else { "player.die" }).with("name", shown.name.as_str()),
        )?;
        Ok(shown_as(&shown))
    }

    /// Tells how many are connected, by facet and by region, where that has changed. It tells of nobody.
    fn tell_presence(&mut self) {
        let (mut count, mut by_facet, mut by_region) = (0_u64, BTreeMap::new(), BTreeMap::new());
        for player in self.game.world.players().filter(|player| player.online) {
            count += 1;
            *by_facet.entry(player.at().map.name()).or_insert(0_u64) += 1;
            if let Some(region) = named_region(player.at()) {
                *by_region.entry(region).or_insert(0_u64) += 1;
            }
        }
        let counts = |of: BTreeMap<&str, u64>| -> Fields<String, Value> {
            of.into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect()
        };
        let now = json!({"count": count, "byFacet": counts(by_facet), "byRegion": counts(by_region)});
        let first = self.presence.told.is_none() && count == 0;
        if self.presence.told.as_ref() == Some(&now) || first {
            return;
        }
        self.presence.told = Some(now.clone());
        self.report(PRESENCE, now);
    }
}

fn shown_as(player: &Player) -> Value {
    json!({"ok": true, "player": player, "online": player.online, "region": named_region(player.at())})
}
