//! Freezes: windows in which nothing starts. What falls due inside comes to nothing; what is under way goes on.

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::deployment::{DEPLOYMENT, Deployment, DeploymentCommand, DeploymentEvent, Frozen};
use leasehold_aggregates::note::NoteRef;
use uuid::Uuid;

use super::again::again;
use super::definitions::Deed;
use super::streams::{Loaded, event, load, stream};
use super::{Act, Engine, Fault, mint};

/// One freeze with all that was ever done about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    pub id: Uuid,
    pub from: DateTime<Utc>,
    /// The first instant that is outside again.
    pub to: DateTime<Utc>,
    pub declared: Deed,
    pub lifted: Option<Deed>,
    pub note: Option<NoteRef>,
}

impl Engine {
    /// Declares that nothing starts from `from` on and until `to`; gives the freeze's id and the log's position.
    pub async fn declare_freeze(&self, act: &Act, window: [DateTime<Utc>; 2], reason: &str) -> Result<(Uuid, u64), Fault> {
        let (freeze, (note, row)) = (mint::command_of(&format!("freeze {}", act.command_id)), act.note(reason));
        let try_once = async || {
            let declare = DeploymentCommand::DeclareFreeze { freeze, window, now: act.at, note: Some(note.clone()) };
            self.deploy(act, declare, Some(row.clone())).await
        };
        let position = self.once(act, || again(self, try_once), async |done| Ok(done.last)).await?;
        Ok((freeze, position))
    }

    /// Lifts a freeze; gives the log's position. Twice is once.
    pub async fn lift_freeze(&self, act: &Act, freeze: Uuid) -> Result<u64, Fault> {
        again(self, || self.deploy(act, DeploymentCommand::LiftFreeze { freeze, now: act.at }, None)).await
    }

    pub(in crate::engine) async fn deploy(
        &self,
        act: &Act,
        command: DeploymentCommand,
        row: Option<crate::log::RowWrite>,
    ) -> Result<u64, Fault> {
        let deployment: Loaded<Deployment> = load(&self.log, DEPLOYMENT).await?;
        let events = deployment.state.decide(command).map_err(Fault::refused)?;
        if events.is_empty() {
            return Ok(self.log.head().await?.map_or(0, |head| head.position));
        }
        let mut append = act.append(&self.recorded_by());
        append.writes = vec![deployment.write(&events)?];
        append.rows.extend(row);
        Ok(self.log.append(append).await?.last)
    }

    /// Of each instant the window that keeps a start from happening then; of several the one that ends last.
    pub async fn frozen(&self, instants: &[DateTime<Utc>]) -> Result<Vec<Option<Frozen>>, Fault> {
        let deployment: Loaded<Deployment> = load(&self.log, DEPLOYMENT).await?;
        Ok(instants.iter().map(|at| deployment.state.frozen(&[*at])).collect())
    }

    /// Every freeze ever declared, the one that begins last first.
    pub async fn freezes(&self) -> Result<Vec<Declared>, Fault> {
        let mut freezes: Vec<Declared> = Vec::new();
        for recorded in self.log.load(&stream::<Deployment>(DEPLOYMENT)).await? {
            let deed = Deed::of(&recorded);
            match event::<Deployment>(recorded)? {
                DeploymentEvent::FreezeDeclared { freeze: id, from, to, note, .. } => {
                    freezes.push(Declared { id, from, to, declared: deed, lifted: None, note });
                }
                DeploymentEvent::FreezeLifted { freeze } => {
                    if let Some(known) = freezes.iter_mut().find(|known| known.id == freeze) {
                        known.lifted = Some(deed);
                    }
                }
                _ => {}
            }
        }
        freezes.sort_by_key(|freeze| std::cmp::Reverse((freeze.from, freeze.id)));
        Ok(freezes)
    }
}
