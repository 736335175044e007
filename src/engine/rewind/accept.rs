//! Going on from here: the decision on record first, then the way is told.

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::deployment::{DEPLOYMENT, Deployment, DeploymentCommand};
use leasehold_module::{Failure, Module};

use super::Engine;
use super::found::Rewound;
use crate::engine::again::again;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Act, Fault, crash};

/// Who accepts: whoever has the machine and starts the engine with the word for it.
const OPERATOR: &str = "operator";

impl Engine {
    /// Appends the acceptance, unless the log holds it already, and has the way remember where history goes on. Killed in
    /// between, the next start finds the acceptance in the log and tells the way.
    pub(super) async fn go_on_here(&self, module: &dyn Module, rewound: &Rewound) -> Result<Result<(), Failure>, Fault> {
        again(self, || self.accept_rewind(rewound)).await?;
        crash::point("rewind.accepted");
        let Some(head) = self.mark_of_head().await? else { return Ok(Ok(())) };
        let told = module.go_on_from(&rewound.scope, head).await;
        if told.is_ok() {
            tracing::warn!(
                scope = rewound.scope,
                "a rewind was accepted: {rewound}. What was done in its world since is not in this log"
            );
        }
        Ok(told)
    }

    async fn accept_rewind(&self, rewound: &Rewound) -> Result<(), Fault> {
        let Rewound { scope, seen, head, .. } = rewound.clone();
        let here = if seen.log == head.log { self.log.hash_at(seen.position).await?.map(hex::encode) } else { None };
        let deployment: Loaded<Deployment> = load(&self.log, DEPLOYMENT).await?;
        let accept = DeploymentCommand::AcceptRewind { scope, seen, head, here };
        let events = deployment.state.decide(accept).map_err(Fault::refused)?;
        if events.is_empty() {
            return Ok(());
        }
        let mut append = Act::by(OPERATOR, self.clock.now().await?).append(&self.recorded_by());
        append.writes = vec![deployment.write(&events)?];
        self.log.append(append).await?;
        Ok(())
    }
}
