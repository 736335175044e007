use super::{Arc, Series, SeriesCommand, SeriesEvent, SeriesRefusal};
use crate::decide::Decide;

impl Decide for Series {
    const TYPE: &'static str = "series";
    type Command = SeriesCommand;
    type Event = SeriesEvent;
    type Refusal = SeriesRefusal;

    fn decide(&self, command: SeriesCommand) -> Result<Vec<SeriesEvent>, SeriesRefusal> {
        match command {
            SeriesCommand::Create { .. } if self.slug.is_some() => Err(SeriesRefusal::Exists),
            SeriesCommand::Create { slug, arc: Arc { name, description, order } } => {
                Ok(vec![SeriesEvent::SeriesCreated { slug, name, description, order }])
            }
            _ if !self.exists() => Err(SeriesRefusal::Missing),
            SeriesCommand::Revise { arc } => Ok(self.revise(arc)),
            SeriesCommand::Delete { detached } => Ok(vec![SeriesEvent::SeriesDeleted { detached }]),
        }
    }

    fn apply(&mut self, event: SeriesEvent) {
        match event {
            SeriesEvent::SeriesCreated { slug, name, description, order } => {
                self.slug = Some(slug);
                self.arc = Arc { name, description, order };
            }
            SeriesEvent::SeriesRenamed { name } => self.arc.name = name,
            SeriesEvent::SeriesDescribed { description } => self.arc.description = description,
            SeriesEvent::SeriesReordered { order } => self.arc.order = order,
            SeriesEvent::SeriesDeleted { .. } => self.deleted = true,
        }
    }
}

impl Series {
    fn revise(&self, Arc { name, description, order }: Arc) -> Vec<SeriesEvent> {
        let mut events = Vec::new();
        if name != self.arc.name {
            events.push(SeriesEvent::SeriesRenamed { name });
        }
        if description != self.arc.description {
            events.push(SeriesEvent::SeriesDescribed { description });
        }
        if order != self.arc.order {
            events.push(SeriesEvent::SeriesReordered { order });
        }
        events
    }
}

crate::cqrs_aggregate!(Series);
