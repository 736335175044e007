use super::{Deployment, DeploymentCommand, DeploymentEvent, DeploymentRefusal, rewind_cause};
use crate::decide::Decide;

impl Decide for Deployment {
    const TYPE: &'static str = "deployment";
    type Command = DeploymentCommand;
    type Event = DeploymentEvent;
    type Refusal = DeploymentRefusal;

    fn decide(&self, command: DeploymentCommand) -> Result<Vec<DeploymentEvent>, DeploymentRefusal> {
        let DeploymentCommand::AcceptRewind { scope, seen, head, here } = command;
        let Some(cause) = rewind_cause(&seen, &head, here.as_deref()) else {
            return Err(DeploymentRefusal::NotRewound { scope, seen, head: head.position });
        };
        if self.has_accepted(&scope, &seen) {
            return Ok(Vec::new());
        }
        Ok(vec![DeploymentEvent::RewindAccepted { scope, cause, seen, head }])
    }

    fn apply(&mut self, event: DeploymentEvent) {
        let DeploymentEvent::RewindAccepted { scope, seen, .. } = event;
        self.accepted.insert(scope, seen);
    }
}

crate::cqrs_aggregate!(Deployment);
