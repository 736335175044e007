//! Windows in which nothing starts by its schedule.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Deployment, DeploymentEvent, DeploymentRefusal, FreezeScope};
use crate::note::NoteRef;

/// Most windows that may be ahead or in force at once.
pub const MOST_OPEN: usize = 100;

/// One window as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Freeze {
    pub from: DateTime<Utc>,
    /// The first instant that is outside again.
    pub to: DateTime<Utc>,
    pub lifted: bool,
}

/// The window that kept something from starting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Frozen {
    pub freeze: Uuid,
    pub from: DateTime<Utc>,
    pub to: DateTime<Utc>,
}

impl Freeze {
    fn covers(&self, at: DateTime<Utc>) -> bool {
        !self.lifted && (self.from..self.to).contains(&at)
    }
}

impl Deployment {
    /// The window that holds one of these instants; of several the one that ends last.
    pub fn frozen(&self, instants: &[DateTime<Utc>]) -> Option<Frozen> {
        let covering = self.freezes.iter().filter(|(_, freeze)| instants.iter().any(|at| freeze.covers(*at)));
        let longest = covering.max_by_key(|(_, freeze)| freeze.to);
        longest.map(|(id, Freeze { from, to, .. })| Frozen { freeze: *id, from: *from, to: *to })
    }

    pub(super) fn declare(
        &self,
        freeze: Uuid,
        [from, to]: [DateTime<Utc>; 2],
        now: DateTime<Utc>,
        note: Option<NoteRef>,
    ) -> Result<Vec<DeploymentEvent>, DeploymentRefusal> {
        if to <= from {
            return Err(DeploymentRefusal::NoWindow { from, to });
        }
        if to <= now {
            return Err(DeploymentRefusal::WindowOver { to, now });
        }
        if self.freezes.values().filter(|freeze| !freeze.lifted && freeze.to > now).count() >= MOST_OPEN {
            return Err(DeploymentRefusal::TooManyFreezes);
        }
        Ok(vec![DeploymentEvent::FreezeDeclared { freeze, from, to, scope: FreezeScope::All, note }])
    }

    pub(super) fn lift(&self, freeze: Uuid, now: DateTime<Utc>) -> Result<Vec<DeploymentEvent>, DeploymentRefusal> {
        match self.freezes.get(&freeze) {
            None => Err(DeploymentRefusal::NoFreeze),
            Some(known) if known.lifted => Ok(Vec::new()),
            Some(known) if known.to <= now => Err(DeploymentRefusal::FreezeOver { to: known.to }),
            Some(_) => Ok(vec![DeploymentEvent::FreezeLifted { freeze }]),
        }
    }
}
