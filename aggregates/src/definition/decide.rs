use super::{Definition, DefinitionCommand, DefinitionEvent, DefinitionRefusal};
use crate::decide::Decide;
use crate::schedule::Alteration;

impl Decide for Definition {
    const TYPE: &'static str = "definition";
    type Command = DefinitionCommand;
    type Event = DefinitionEvent;
    type Refusal = DefinitionRefusal;

    fn decide(&self, command: DefinitionCommand) -> Result<Vec<DefinitionEvent>, DefinitionRefusal> {
        if let DefinitionCommand::Create { slug } = command {
            let created = vec![DefinitionEvent::DefinitionCreated { slug }];
            return if self.exists() { Err(DefinitionRefusal::Exists) } else { Ok(created) };
        }
        if !self.exists() {
            return Err(DefinitionRefusal::Missing);
        }
        let event = match command {
            DefinitionCommand::Create { .. } => None,
            DefinitionCommand::Publish { content } => {
                self.refuse_archived()?;
                let content = Box::new(content.into_content());
                let version = self.version + 1;
                (self.current.as_ref() != Some(&content)).then_some(DefinitionEvent::DefinitionPublished { version, content })
            }
            DefinitionCommand::Verify { version } => {
                self.refuse_archived()?;
                self.refuse_other_than_current(version)?;
                (!self.is_verified(version)).then_some(DefinitionEvent::DefinitionVerified { version })
            }
            DefinitionCommand::Archive => (!self.archived).then_some(DefinitionEvent::DefinitionArchived {}),
            DefinitionCommand::Withhold { scope, slot, cause } => {
                let (version, _) = self.current().ok_or(DefinitionRefusal::NeverPublished)?;
                let known = self.withheld.contains(&(slot, scope.clone(), cause));
                (!known).then_some(DefinitionEvent::OccurrenceWithheld { scope, slot, version, cause })
            }
            DefinitionCommand::Alter { scope, slot, alter, whereabouts, note } => {
                self.alter(scope, slot, alter, &whereabouts, note)?
            }
        };
        Ok(event.into_iter().collect())
    }

    fn apply(&mut self, event: DefinitionEvent) {
        match event {
            DefinitionEvent::DefinitionCreated { slug } => self.slug = Some(slug),
            DefinitionEvent::DefinitionPublished { version, content } => {
                self.version = version;
                self.current = Some(content);
            }
            DefinitionEvent::DefinitionVerified { version } => drop(self.verified.insert(version)),
            DefinitionEvent::DefinitionArchived {} => self.archived = true,
            DefinitionEvent::OccurrenceWithheld { scope, slot, cause, .. } => {
                self.withheld.insert((slot, scope, cause));
            }
            DefinitionEvent::OccurrenceSkipped { slot, .. } => self.altered.set(slot, Alteration::Skipped),
            DefinitionEvent::OccurrenceMoved { slot, to, .. } => self.altered.set(slot, Alteration::Moved(to)),
            DefinitionEvent::OccurrenceRestored { slot, .. } => self.altered.unset(slot),
        }
    }
}

impl Definition {
    fn refuse_archived(&self) -> Result<(), DefinitionRefusal> {
        if self.archived { Err(DefinitionRefusal::Archived) } else { Ok(()) }
    }

    fn refuse_other_than_current(&self, version: u64) -> Result<(), DefinitionRefusal> {
        let current = self.version;
        if current == 0 {
            Err(DefinitionRefusal::NeverPublished)
        } else if version == 0 || version > current {
            Err(DefinitionRefusal::NoSuchVersion { version, newest: current })
        } else if version < current {
            Err(DefinitionRefusal::NotCurrent { version, current })
        } else {
            Ok(())
        }
    }
}

crate::cqrs_aggregate!(Definition);
