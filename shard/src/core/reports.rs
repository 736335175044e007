//! What the game tells by itself: each report has an id of its own, so that whoever hears it twice knows it. What happens while
//! no link is there waits for one, within bounds.

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

/// Reports that wait for a link at most; beyond them the oldest is given up.
const WAITING: usize = 1_000;

/// Reports of this life of the game.
#[derive(Debug, Default)]
pub struct Reports {
    made: u64,
    unsent: VecDeque<(&'static str, Value)>,
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

    /// The link is there: what waited for it is told.
    pub(super) fn tell_unsent(&mut self) {
        for (kind, report) in std::mem::take(&mut self.reports.unsent) {
            self.send_frame(kind, report);
        }
    }

    fn report(&mut self, kind: &'static str, mut fields: Value) {
        self.reports.made += 1;
        fields["eventId"] = json!(format!("{}-{}", self.boot_id, self.reports.made));
        fields["happenedAt"] = json!(self.game.now_ms);
        if self.link.is_some() {
            self.send_frame(kind, fields);
            return;
        }
        if self.reports.unsent.len() == WAITING {
            self.reports.unsent.pop_front();
            tracing::error!("a report is given up: {WAITING} wait for a link already");
        }
        self.reports.unsent.push_back((kind, fields));
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
