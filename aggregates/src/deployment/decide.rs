use super::{Deployment, DeploymentCommand, DeploymentEvent, DeploymentRefusal, Freeze, Stop, rewind_cause};
use crate::decide::Decide;

impl Decide for Deployment {
    const TYPE: &'static str = "deployment";
    type Command = DeploymentCommand;
    type Event = DeploymentEvent;
    type Refusal = DeploymentRefusal;

    fn decide(&self, command: DeploymentCommand) -> Result<Vec<DeploymentEvent>, DeploymentRefusal> {
        match command {
            DeploymentCommand::AcceptRewind { scope, seen, head, here } => {
                let Some(cause) = rewind_cause(&seen, &head, here.as_deref()) else {
                    return Err(DeploymentRefusal::NotRewound { scope, seen, head: head.position });
                };
                if self.has_accepted(&scope, &seen) {
                    return Ok(Vec::new());
                }
                Ok(vec![DeploymentEvent::RewindAccepted { scope, cause, seen, head }])
            }
            DeploymentCommand::DeclareFreeze { freeze, window, now, note } => self.declare(freeze, window, now, note),
            DeploymentCommand::LiftFreeze { freeze, now } => self.lift(freeze, now),
            DeploymentCommand::DeclareStop { stop, runs, note } => self.declare_stop(stop, runs, note),
            DeploymentCommand::LiftStop => self.lift_stop(),
            DeploymentCommand::CapDay { dimension, cap } if self.day_caps.get(&dimension).copied() == cap => Ok(Vec::new()),
            DeploymentCommand::CapDay { dimension, cap } => Ok(vec![DeploymentEvent::DayCapped { dimension, cap }]),
            DeploymentCommand::UseZoneData { release } if self.zone_data() == Some(&release) => Ok(Vec::new()),
            DeploymentCommand::UseZoneData { release } => {
                Ok(vec![DeploymentEvent::ZoneDataChanged { from: self.zone_data.clone(), to: release }])
            }
            DeploymentCommand::EraseMember { member } => Ok(vec![DeploymentEvent::MemberErased { member }]),
        }
    }

    fn apply(&mut self, event: DeploymentEvent) {
        self.version += 1;
        match event {
            DeploymentEvent::RewindAccepted { scope, seen, .. } => drop(self.accepted.insert(scope, seen)),
            DeploymentEvent::FreezeDeclared { freeze, from, to, .. } => {
                self.freezes.insert(freeze, Freeze { from, to, lifted: false });
            }
            DeploymentEvent::FreezeLifted { freeze } => {
                if let Some(known) = self.freezes.get_mut(&freeze) {
                    known.lifted = true;
                }
            }
            DeploymentEvent::StopDeclared { stop, runs, .. } => self.stop = Some(Stop { id: stop, runs }),
            DeploymentEvent::StopLifted { .. } => self.stop = None,
            DeploymentEvent::DayCapped { dimension, cap } => self.cap_day(dimension, cap),
            DeploymentEvent::ZoneDataChanged { to, .. } => self.zone_data = Some(to),
            // Whom it means lies beside the log.
            DeploymentEvent::MemberErased { .. } => {}
        }
    }
}

crate::cqrs_aggregate!(Deployment);
