//! What the game tells by itself: each report has an id of its own, so that whoever hears it twice knows it, and a number in
//! this life of the game. It waits, within bounds, until the link says that it is on its disk, and is sent again on every new
//! line until then.

use super::Core;
use serde_json::{Value, json};
use std::collections::VecDeque;

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
    /// A new line is there: what is not known to be kept is told on it.
    pub(super) fn tell_unkept(&mut self) {
        for (_, kind, report) in self.reports.unkept.clone() {
            self.send_frame(kind, report);
        }
    }

    /// The link has every report up to that number on its disk.
    pub(super) fn is_kept(&mut self, seq: u64) {
        while self.reports.unkept.front().is_some_and(|(number, ..)| *number <= seq) {
            self.reports.unkept.pop_front();
        }
    }

    /// Tells whoever listens.
    pub(super) fn report(&mut self, kind: &'static str, mut fields: Value) {
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
