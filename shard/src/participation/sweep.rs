//! Counting: everybody's time since the last look, and the kills of whoever stands in an area.

use super::Participation;
use crate::{config::ParticipationRules, world::World};
use leasehold_link::wire::Serial;

impl Participation {
    /// Counts the time since the last call for everybody who is connected. Called before anybody moves, comes or goes, and at every look.
    pub fn count_time(&mut self, now_ms: i64, world: &World, rules: ParticipationRules) {
        let from_ms = std::mem::replace(&mut self.counted_to_ms, now_ms);
        if from_ms == 0 || from_ms >= now_ms {
            return;
        }
        for tally in self.tallies.values_mut() {
            let end_ms = tally.ended_ms(now_ms).unwrap_or(now_ms);
            let span_ms = end_ms - from_ms.max(tally.opened_ms);
            let Ok(span_ms) = u64::try_from(span_ms) else { continue };
            if span_ms == 0 {
                continue;
            }
            for player in world.players().filter(|player| player.online && !player.staff) {
                if tally.area.holds(player.at())
                    && let Some(member) = tally.member(player.serial, rules.members, end_ms)
                {
                    member.present_ms = member.present_ms.saturating_add(span_ms);
                }
            }
        }
    }

    /// Something fell. Whoever dealt to it and stands in an area, dead or alive, has a part in it.
    pub fn count_kill(&mut self, now_ms: i64, damagers: &[(Serial, u64)], world: &World, rules: ParticipationRules) {
        for tally in self.tallies.values_mut().filter(|tally| tally.is_open(now_ms)) {
            for (by, _) in damagers {
                let there = world.player(*by).filter(|player| player.online && !player.staff);
                if there.is_some_and(|player| tally.area.holds(player.at()))
                    && let Some(member) = tally.member(*by, rules.members, now_ms)
                {
                    member.kills = member.kills.saturating_add(1);
                }
            }
        }
    }

    /// Since when nobody's time has been counted.
    pub const fn counted_to_ms(&self) -> i64 {
        self.counted_to_ms
    }
}
