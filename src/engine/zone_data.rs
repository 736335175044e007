//! By which zone data instants are worked out, on record: what was worked out by another release is worked out again.

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::deployment::{DEPLOYMENT, Deployment, DeploymentCommand};

use super::again::again;
use super::streams::{Loaded, load};
use super::{Act, Engine, Fault};

impl Engine {
    /// Records the release in use, where it is another than the one last recorded. The scheduler does what follows.
    pub async fn record_zone_data(&self) -> Result<(), Fault> {
        if self.is_read_only() {
            return Ok(());
        }
        again(self, || self.try_record_zone_data()).await
    }

    async fn try_record_zone_data(&self) -> Result<(), Fault> {
        let deployment: Loaded<Deployment> = load(&self.log, DEPLOYMENT).await?;
        let release = self.zones().release().to_owned();
        let before = deployment.state.zone_data().unwrap_or("none").to_owned();
        let events =
            deployment.state.decide(DeploymentCommand::UseZoneData { release: release.clone() }).map_err(Fault::refused)?;
        if events.is_empty() {
            return Ok(());
        }
        let mut append = Act::by("engine", self.clock.now().await?).append(&self.recorded_by());
        append.writes = vec![deployment.write(&events)?];
        self.log.append(append).await?;
        tracing::info!(before, release, "other zone data: what has not begun is worked out again");
        Ok(())
    }
}
