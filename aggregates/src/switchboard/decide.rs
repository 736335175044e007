use super::{Switch, SwitchCommand, SwitchEvent, SwitchRefusal, Switchboard};
use crate::decide::Decide;

impl Decide for Switchboard {
    const TYPE: &'static str = "action";
    type Command = SwitchCommand;
    type Event = SwitchEvent;
    type Refusal = SwitchRefusal;

    fn decide(&self, command: SwitchCommand) -> Result<Vec<SwitchEvent>, SwitchRefusal> {
        let SwitchCommand::Set { enabled, caps, spends } = command;
        if let Some(dimension) = caps.keys().find(|dimension| !spends.contains(*dimension)) {
            let spends = spends.iter().cloned().collect();
            return Err(SwitchRefusal::NotSpent { dimension: dimension.clone(), spends });
        }
        let caps = caps.into_iter().filter_map(|(dimension, cap)| Some((dimension, cap?))).collect();
        let switch = Switch { enabled, caps };
        if self.stored.as_ref() == Some(&switch) {
            return Ok(Vec::new());
        }
        Ok(vec![SwitchEvent::ActionSwitched { enabled, caps: switch.caps }])
    }

    fn apply(&mut self, event: SwitchEvent) {
        let SwitchEvent::ActionSwitched { enabled, caps } = event;
        self.stored = Some(Switch { enabled, caps });
    }
}

crate::cqrs_aggregate!(Switchboard);
