//! What people change of single occurrences. A slot keeps its identity: it is named by the wall clock that the schedule
//! gives it, wherever it was moved to.

use chrono::{DateTime, TimeDelta, Utc};

use super::{Content, Definition, DefinitionEvent, DefinitionRefusal, DefinitionState};
use crate::note::NoteRef;
use crate::schedule::{Alteration, LocalDateTime, place};
use crate::zones::Zone;

/// What is to become of one occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alter {
    Skip,
    Move { to: LocalDateTime },
    Restore,
}

/// What is known of the occurrence from outside.
#[derive(Debug, Clone, PartialEq)]
pub struct Whereabouts {
    pub now: DateTime<Utc>,
    /// Of the current version's timezone.
    pub zone: Zone,
    /// Whether it has a run that somebody has cancelled before it began.
    pub cancelled: bool,
}

impl Definition {
    pub(super) fn alter(
        &self,
        scope: String,
        slot: LocalDateTime,
        alter: Alter,
        known: &Whereabouts,
        note: Option<NoteRef>,
    ) -> Result<Option<DefinitionEvent>, DefinitionRefusal> {
        let content = self.ready()?;
        if !content.plan.schedule.yields(slot) {
            return Err(DefinitionRefusal::NoOccurrence { slot });
        }
        let stands = self.altered.of(slot);
        let event = match alter {
            Alter::Skip if stands == Some(Alteration::Skipped) => return Ok(None),
            Alter::Move { to } if stands == Some(Alteration::Moved(to)) => return Ok(None),
            Alter::Restore if stands.is_none() && !known.cancelled => return Ok(None),
            Alter::Skip => {
                refuse_past(content, slot, stands, known)?;
                DefinitionEvent::OccurrenceSkipped { scope, slot, note }
            }
            Alter::Move { to } => {
                if stands == Some(Alteration::Skipped) {
                    return Err(DefinitionRefusal::OccurrenceSkipped { slot });
                }
                refuse_past(content, slot, stands, known)?;
                self.refuse_target(content, slot, to, known)?;
                DefinitionEvent::OccurrenceMoved { scope, slot, to, note }
            }
            Alter::Restore => {
                refuse_past(content, slot, None, known)?;
                DefinitionEvent::OccurrenceRestored { scope, slot, note }
            }
        };
        Ok(Some(event))
    }

    fn ready(&self) -> Result<&Content, DefinitionRefusal> {
        match (self.state(), self.current()) {
            (DefinitionState::Ready, Some((_, content))) => Ok(content),
            (DefinitionState::Archived, _) => Err(DefinitionRefusal::Archived),
            _ => Err(DefinitionRefusal::NeverPublished),
        }
    }

    /// It goes to an instant that is ahead, and to none that another slot of the definition has.
    fn refuse_target(
        &self,
        content: &Content,
        slot: LocalDateTime,
        to: LocalDateTime,
        known: &Whereabouts,
    ) -> Result<(), DefinitionRefusal> {
        if to == slot {
            return Err(DefinitionRefusal::MoveToItself { slot });
        }
        let at = place(to, &known.zone).at;
        if at <= known.now {
            return Err(DefinitionRefusal::MoveIntoThePast { at, now: known.now });
        }
        let there = at..at + TimeDelta::microseconds(1);
        let others = self.altered.expand(&content.plan.schedule, &known.zone, there);
        let other = others.iter().flat_map(|one| one.merged.iter().chain([&one.local])).find(|other| **other != slot);
        match other {
            Some(other) => Err(DefinitionRefusal::MoveOntoAnother { other: *other, at }),
            None => Ok(()),
        }
    }
}

/// What is over cannot be changed any more: its grace has passed.
fn refuse_past(
    content: &Content,
    slot: LocalDateTime,
    stands: Option<Alteration>,
    known: &Whereabouts,
) -> Result<(), DefinitionRefusal> {
    let local = if let Some(Alteration::Moved(to)) = stands { to } else { slot };
    let at = place(local, &known.zone).at;
    let over = at + TimeDelta::seconds(i64::from(content.grace_seconds)) < known.now;
    if over { Err(DefinitionRefusal::OccurrenceOver { slot, at }) } else { Ok(()) }
}
