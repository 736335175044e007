//! From a published schedule to runs on the calendar: each slot of the horizon once, whoever works it out and however
//! often.
//!
//! A pass takes back what is not yielded any more ([`take_back`]), makes and re-pins what is ([`make`]), records what comes
//! to nothing ([`withhold`]), and stages the next look ([`look`]).

mod look;
mod make;
mod take_back;
mod withhold;

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::definition::{Content, Definition, DefinitionState, WithheldCause};
use leasehold_aggregates::run::{Run, WithdrawnCause};
use leasehold_aggregates::schedule::{LocalDateTime, occurrence_id};
use leasehold_aggregates::zones::Zone;

use super::fault::moved;
use super::runs::controls::MAIN;
use super::streams::{Loaded, load};
use super::{Engine, Fault};
use crate::log::Staged;

/// The kind of a staged look at a definition whose next occurrence is beyond the horizon.
pub const MATERIALISE: &str = "materialise";

/// How often a pass is begun anew when the definition moves under it.
const TRIES: u32 = 10;
/// The generation of a slot's first run.
pub(super) const FIRST: u32 = 0;
/// The smallest span between two instants.
const GRAIN: TimeDelta = TimeDelta::microseconds(1);

/// Why a pass is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Occasion<'a> {
    /// Names the commands, so that the same cause is the same command.
    pub cause: &'a str,
    /// From then on the schedule was to be looked after: what has come and gone since is put on record.
    pub since: Option<DateTime<Utc>>,
}

/// What one pass goes by.
struct Current<'a> {
    definition: &'a Loaded<Definition>,
    version: u64,
    content: &'a Content,
    now: DateTime<Utc>,
    cause: &'a str,
}

impl Engine {
    /// Makes, re-pins and withdraws the runs of one definition. No run is invented in the past: an occurrence that the
    /// grace no longer reaches comes to nothing.
    pub(crate) async fn materialise(&self, definition_id: &str, occasion: Occasion<'_>) -> Result<(), Fault> {
        let now = self.clock.now().await?;
        self.materialise_at(definition_id, occasion, now).await
    }

    /// Carries out a staged look.
    pub(crate) async fn look_at_definition(&self, item: &Staged) -> Result<(), Fault> {
        // It was due when it was looked up; a clock that has stepped back since does not undo that.
        let now = self.clock.now().await?.max(item.due_at);
        let (cause, since) = (item.id.to_string(), Some(self.horizon(item.due_at)));
        self.materialise_at(&item.stream.aggregate_id, Occasion { cause: &cause, since }, now).await?;
        self.log.drop_staged(item.id).await?;
        Ok(())
    }

    async fn materialise_at(&self, definition_id: &str, occasion: Occasion<'_>, now: DateTime<Utc>) -> Result<(), Fault> {
        for _ in 0..TRIES {
            match self.try_materialise(definition_id, occasion, now).await {
                Err(Fault::Append(error)) if moved(&error) => {}
                done => return done,
            }
        }
        Err(Fault::Busy)
    }

    async fn try_materialise(&self, definition_id: &str, occasion: Occasion<'_>, now: DateTime<Utc>) -> Result<(), Fault> {
        let Occasion { cause, since } = occasion;
        let definition: Loaded<Definition> = load(&self.log, definition_id).await?;
        let ready = definition.state.state() == DefinitionState::Ready;
        let Some((version, content)) = definition.state.current().filter(|_| ready) else {
            return self.take_back(&definition, WithdrawnCause::Archived, now, cause).await;
        };
        let current = Current { definition: &definition, version, content, now, cause };
        self.take_back(&definition, WithdrawnCause::Rescheduled, now, cause).await?;
        let Ok(zone) = self.zones().find(&content.timezone) else {
            tracing::error!(
                definition = definition_id,
                zone = content.timezone,
                "the zone is not known any more; nothing is made"
            );
            self.withhold(&current, self.slots_without_zone(&current)).await?;
            return self.look_soon(&current).await;
        };
        let reach = now - TimeDelta::seconds(i64::from(content.grace_seconds));
        let altered = definition.state.altered();
        if let Some(since) = since.filter(|since| *since < reach) {
            self.put_the_missed_on_record(&current, &zone, since..reach).await?;
        }
        // The window is half-open, and an occurrence on the horizon itself is inside.
        let occurrences = altered.expand(&content.plan.schedule, &zone, reach..self.horizon(now) + GRAIN);
        let (mut withheld, mut again) = (Vec::new(), false);
        for occurrence in &occurrences {
            if let Some(cause) = self.make(&current, occurrence).await? {
                withheld.push((occurrence.local, cause));
                again |= cause == WithheldCause::Dormant;
            }
            for slot in &occurrence.merged {
                self.withdraw_merged(&current, *slot).await?;
                withheld.push((*slot, WithheldCause::Merged));
            }
        }
        self.withhold(&current, withheld).await?;
        if again {
            self.look_soon(&current).await?;
        }
        self.look_again(&current, &zone).await
    }

    fn horizon(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + TimeDelta::days(i64::from(self.settings.horizon_days))
    }

    /// The slots of the horizon where no instant can be told: by their wall clocks alone.
    fn slots_without_zone(&self, current: &Current<'_>) -> Vec<(LocalDateTime, WithheldCause)> {
        let (first, last) = (current.now.naive_utc(), self.horizon(current.now).naive_utc());
        let slots = current.content.plan.schedule.slots(first.date());
        let ahead = slots.skip_while(|slot| slot.0 < first).take_while(|slot| slot.0 <= last);
        ahead.map(|slot| (slot, WithheldCause::UnknownZone)).collect()
    }
}

/// The name of a slot's run of one generation.
pub(super) fn run_of(definition_id: &str, slot: LocalDateTime, generation: u32) -> String {
    occurrence_id(definition_id, MAIN, slot, generation).to_string()
}

/// The run that a slot has or is to have, and those before it.
pub(super) struct OfSlot {
    pub generation: u32,
    pub run: Loaded<Run>,
    /// The one before, which began and was cancelled. None in the first generation.
    pub before: Option<Loaded<Run>>,
}

impl Engine {
    /// The newest run of a slot. Only a run that began and was cancelled has one after it, once somebody brings it back.
    pub(super) async fn newest_of(&self, definition_id: &str, slot: LocalDateTime) -> Result<OfSlot, Fault> {
        let mut newest =
            OfSlot { generation: FIRST, run: load(&self.log, &run_of(definition_id, slot, FIRST)).await?, before: None };
        while newest.run.state.was_cancelled_under_way() {
            let generation = newest.generation + 1;
            let next: Loaded<Run> = load(&self.log, &run_of(definition_id, slot, generation)).await?;
            if next.state.scheduled.is_none() {
                break;
            }
            newest = OfSlot { generation, run: next, before: Some(newest.run) };
        }
        Ok(newest)
    }
}

/// The rules by which a definition's wall clocks are read.
pub(super) fn zone_of<'a>(engine: &Engine, content: &'a Content) -> Result<Zone, &'a str> {
    engine.zones().find(&content.timezone).map_err(|_| content.timezone.as_str())
}
