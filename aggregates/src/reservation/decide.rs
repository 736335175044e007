use ReservationCommand::{Release, Take};

use super::{ReservationCommand, ReservationRefusal, Slot, SlotEvent, Slug, SlugEvent};
use crate::decide::Decide;

impl Decide for Slug {
    const TYPE: &'static str = "slug";
    type Command = ReservationCommand;
    type Event = SlugEvent;
    type Refusal = ReservationRefusal;

    fn decide(&self, command: ReservationCommand) -> Result<Vec<SlugEvent>, ReservationRefusal> {
        match (command, self.holder()) {
            (Take { by }, None) => Ok(vec![SlugEvent::SlugTaken { by }]),
            (Take { by }, Some(holder)) if holder == by => Ok(Vec::new()),
            (Take { .. }, Some(holder)) => Err(ReservationRefusal::SlugTaken { holder: holder.to_owned() }),
            (Release { .. }, _) => Err(ReservationRefusal::Final),
        }
    }

    fn apply(&mut self, event: SlugEvent) {
        let SlugEvent::SlugTaken { by } = event;
        self.holder = Some(by);
    }
}

impl Decide for Slot {
    const TYPE: &'static str = "slot";
    type Command = ReservationCommand;
    type Event = SlotEvent;
    type Refusal = ReservationRefusal;

    fn decide(&self, command: ReservationCommand) -> Result<Vec<SlotEvent>, ReservationRefusal> {
        match (command, self.holder()) {
            (Take { by }, None) => Ok(vec![SlotEvent::SlotTaken { by }]),
            (Take { by }, Some(holder)) if holder == by => Ok(Vec::new()),
            (Take { by }, Some(holder)) => Err(ReservationRefusal::SlotHeld { holder: holder.to_owned(), by }),
            (Release { .. }, None) => Ok(Vec::new()),
            (Release { by }, Some(holder)) if holder == by => Ok(vec![SlotEvent::SlotReleased { by }]),
            (Release { by }, Some(holder)) => Err(ReservationRefusal::NotTheHolder { holder: holder.to_owned(), by }),
        }
    }

    fn apply(&mut self, event: SlotEvent) {
        match event {
            SlotEvent::SlotTaken { by } => self.holder = Some(by),
            SlotEvent::SlotReleased { by } => {
                self.holder = None;
                self.last = Some(by);
            }
        }
    }
}

crate::cqrs_aggregate!(Slug);
crate::cqrs_aggregate!(Slot);
