//! What the game tells by itself: each report has an id of its own, so that whoever hears it twice knows it, and a number in
//! this life of the game. It waits, within bounds, until the link says that it is on its disk, and is sent again on every new
//! line until then.

use super::Core;
use crate::{
    audit::{Outcome, Row},
    world::{LANDMARKS, Landmark},
};
use leasehold_link::wire::{
    Serial,
    feed::{BOSS_KILLED, MOB_KILLED, REGION_ENTER},
};
use serde_json::{Value, json};
use std::{collections::VecDeque, io};

/// Reports that wait to be kept at most; beyond them the oldest is given up.
const WAITING: usize = 1_000;

/// Reports of this life of the game.
#[derive(Debug, Default)]
pub struct Reports {
    made: u64,
    /// Not yet on the link's disk, in the order of their numbers.
    unkept: VecDeque<(u64, &'static str, Value)>,
}

impl Core {
    /// A creature falls.
    pub(super) fn kill_creature(&mut self, serial: Serial) -> io::Result<Value> {
        let Some(creature) = self.game.world.remove(serial) else {
            return Ok(json!({"ok": false, "reason": "there is no such creature"}));
        };
        let run_id = creature.owner.as_ref().map(|owner| owner.run_id.clone());
        let row = Row { run_id: run_id.clone(), ..Row::new(Outcome::Staff, "creature.kill") };
        self.record(&row.with("serial", serial.to_string()))?;
        let region = nearest(creature.x, creature.y).map(region_of);
        self.report(
            MOB_KILLED,
            json!({"serial": serial, "creature": creature.breed, "name": creature.name, "map": creature.map, "x": creature.x,
                   "y": creature.y, "region": region, "runId": run_id}),
        );
        Ok(json!({"ok": true, "creature": creature}))
    }

    /// A champion's boss falls.
    pub(super) fn kill_boss(&mut self, landmark: &str, boss: &str) -> io::Result<Value> {
        let Some(place) = named(landmark) else { return Ok(json!({"ok": false, "reason": "there is no such landmark"})) };
        let region = region_of(place);
        self.record(&Row::new(Outcome::Staff, "boss.kill").with("boss", boss).with("region", region.as_str()))?;
        self.report(
            BOSS_KILLED,
            json!({"category": "champion", "boss": boss, "region": region, "map": place.map, "x": place.x, "y": place.y}),
        );
        Ok(json!({"ok": true, "boss": boss, "region": region}))
    }

    /// A player comes into a region. Who it is, is nobody's business here.
    pub(super) fn enter_region(&mut self, landmark: &str) -> io::Result<Value> {
        let Some(place) = named(landmark) else { return Ok(json!({"ok": false, "reason": "there is no such landmark"})) };
        let region = region_of(place);
        self.record(&Row::new(Outcome::Staff, "region.enter").with("region", region.as_str()))?;
        self.report(REGION_ENTER, json!({"to": region, "map": place.map}));
        Ok(json!({"ok": true, "region": region}))
    }

    /// A new line is there: what is not known to be kept is told on it.
    pub(super) fn tell_unkept(&self) {
        for (_, kind, report) in &self.reports.unkept {
            self.send_frame(kind, report.clone());
        }
    }

    /// The link has every report up to that number on its disk.
    pub(super) fn is_kept(&mut self, seq: u64) {
        while self.reports.unkept.front().is_some_and(|(number, ..)| *number <= seq) {
            self.reports.unkept.pop_front();
        }
    }

    fn report(&mut self, kind: &'static str, mut fields: Value) {
        self.reports.made += 1;
        fields["eventId"] = json!(format!("{}-{}", self.boot_id, self.reports.made));
        fields["happenedAt"] = json!(self.game.now_ms);
        fields["seq"] = json!(self.reports.made);
        self.send_frame(kind, fields.clone());
        if self.reports.unkept.len() == WAITING {
            self.reports.unkept.pop_front();
            tracing::error!("a report is given up: {WAITING} wait to be kept by a link already");
        }
        self.reports.unkept.push_back((self.reports.made, kind, fields));
    }
}

fn named(landmark: &str) -> Option<&'static Landmark> {
    LANDMARKS.iter().find(|known| known.id == landmark)
}

fn nearest(x: i32, y: i32) -> Option<&'static Landmark> {
    LANDMARKS.iter().min_by_key(|known| (known.x - x).abs().max((known.y - y).abs()))
}

/// The region of a landmark: `yew-orchard` lies in `Yew`.
fn region_of(place: &Landmark) -> String {
    let name = place.id.split('-').next().unwrap_or(place.id);
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
