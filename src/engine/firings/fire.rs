//! One firing: claimed, carried out, and its outcome told.

use leasehold_aggregates::decide::{Refusal, RefusalKind};
use leasehold_aggregates::definition::Definition;
use leasehold_aggregates::reservation::{Slug, slug_id};

use super::{STALE_AFTER, TriggerFile};
use crate::engine::act::Sent;
use crate::engine::fault::told;
use crate::engine::runs::StartRequest;
use crate::engine::signals::Heard;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Act, Engine, Fault, crash, mint};
use crate::log::{Claim, Claimed, Firing, FiringState};

/// Why a firing starts nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum NotFired {
    #[error("{hops} firings led to this event, one from another, and {budget} may; raise LEASEHOLD_HOP_BUDGET if that is meant")]
    TooManyHops { hops: u32, budget: u32 },
    #[error("there is no definition {0:?}")]
    NoDefinition(String),
    #[error("no dry run of version {0} has passed, and nothing starts unattended without one")]
    NeverVerified(u64),
}

impl Refusal for NotFired {
    fn code(&self) -> &'static str {
        match self {
            Self::TooManyHops { .. } => "hop_budget",
            Self::NoDefinition(_) => "not_found",
            Self::NeverVerified(_) => "never_verified",
        }
    }

    fn kind(&self) -> RefusalKind {
        RefusalKind::Conflict
    }
}

impl Engine {
    /// Fires this file on this signal, unless somebody has done so or is at it.
    ///
    /// Trouble that may pass leaves the claim standing, as it may have been done: whoever finds it left behind takes it over, as
    /// the same command. What a rehearsal leads to is a rehearsal.
    pub(in crate::engine) async fn fire(&self, file: &TriggerFile, heard: &Heard) -> Result<(), Fault> {
        let consumer = file.consumer();
        let firing = Firing {
            consumer: &consumer,
            position: heard.position,
            trigger: &heard.trigger,
            scope: &heard.scope,
            hops: heard.hops,
        };
        let claim = match self.log.claim_firing(&firing, self.holder, STALE_AFTER).await? {
            Claimed::Ours(claim) => claim,
            Claimed::Taken => return Ok(()),
        };
        crash::point("firing.claimed");
        let (state, run_id, outcome) = match self.start_by_file(file, heard, claim).await {
            Ok(run_id) => (FiringState::Dispatched, Some(run_id), "a run started".to_owned()),
            Err(Fault::Refused(refusal)) => (FiringState::Refused, None, refusal.to_string()),
            Err(fault @ (Fault::Invalid(_) | Fault::Forbidden(_))) => (FiringState::Refused, None, told(&fault)),
            Err(fault) if fault.passes() => return Err(fault),
            Err(fault) => (FiringState::Failed, None, told(&fault)),
        };
        crash::point("firing.carried_out");
        let at = (consumer.as_str(), heard.position);
        let settled = self.log.settle_firing(at, (self.holder, claim), (state, run_id.as_deref(), &outcome)).await?;
        tracing::info!(consumer, position = heard.position, %state, outcome, settled, "a trigger file fired");
        Ok(())
    }

    /// The run that the file starts. The same claim round is the same command: whoever takes it over starts no second one.
    async fn start_by_file(&self, file: &TriggerFile, heard: &Heard, claim: Claim) -> Result<String, Fault> {
        let (hops, budget) = (heard.hops, self.settings.hop_budget);
        if hops >= budget {
            return Err(Fault::refused(NotFired::TooManyHops { hops, budget }));
        }
        let definition = self.definition_called(&file.start).await?;
        let version = definition.state.current().map(|(version, _)| version);
        if let Some(version) = version.filter(|version| !definition.state.is_verified(*version)) {
            return Err(Fault::refused(NotFired::NeverVerified(version)));
        }
        let consumer = file.consumer();
        let act = Act {
            actor: consumer.clone(),
            at: self.clock.now().await?,
            command_id: mint::command_of(&format!("{consumer} {} {}", heard.position, claim.round)),
            causation: Some(heard.position),
            sent: Sent::Again,
        };
        let request = StartRequest {
            scope: Some(file.scope.clone()),
            params: file.params.clone(),
            rehearsal: heard.rehearsal,
            hops: hops + 1,
        };
        Ok(self.start_by_hand(&act, &definition.id, &request).await?.run_id)
    }

    /// The definition of this slug, or of this id.
    pub(in crate::engine) async fn definition_called(&self, name: &str) -> Result<Loaded<Definition>, Fault> {
        let slug: Loaded<Slug> = load(&self.log, &slug_id("definition", name)).await?;
        let definition: Loaded<Definition> = load(&self.log, slug.state.holder().unwrap_or(name)).await?;
        if definition.state.exists() { Ok(definition) } else { Err(Fault::refused(NotFired::NoDefinition(name.to_owned()))) }
    }
}
