use super::{Signal, SignalCommand, SignalEvent, SignalRefusal};
use crate::decide::Decide;

impl Decide for Signal {
    const TYPE: &'static str = "signal";
    type Command = SignalCommand;
    type Event = SignalEvent;
    type Refusal = SignalRefusal;

    fn decide(&self, command: SignalCommand) -> Result<Vec<SignalEvent>, SignalRefusal> {
        let SignalCommand::Record { signal } = command;
        if self.recorded.is_some() { Err(SignalRefusal::Recorded) } else { Ok(vec![SignalEvent::SignalRecorded { signal }]) }
    }

    fn apply(&mut self, event: SignalEvent) {
        let SignalEvent::SignalRecorded { signal } = event;
        self.recorded = Some(signal);
    }
}

crate::cqrs_aggregate!(Signal);
