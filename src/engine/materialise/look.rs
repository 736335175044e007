//! The next look at a definition, staged: definitions with nothing to make cost nothing.

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::zones::Zone;
use serde_json::json;

use super::{Current, GRAIN, MATERIALISE};
use crate::engine::{Act, Engine, Fault};
use crate::log::{AppendError, Staged, StreamId};

/// When a definition is looked at again of which something could not be made.
const RETRY: TimeDelta = TimeDelta::minutes(15);
/// Looks that are staged in one append.
const AT_ONCE: usize = 500;

impl Engine {
    /// Stages another look for the instant at which the next occurrence comes into the horizon.
    pub(super) async fn look_again(&self, current: &Current<'_>, zone: &Zone) -> Result<(), Fault> {
        let beyond = self.horizon(current.now) + GRAIN;
        match current.definition.state.altered().next(&current.content.plan.schedule, zone, beyond) {
            Some(next) => self.stage_look(current, next - TimeDelta::days(i64::from(self.settings.horizon_days))).await,
            None => Ok(()),
        }
    }

    pub(super) async fn look_soon(&self, current: &Current<'_>) -> Result<(), Fault> {
        self.stage_look(current, current.now + RETRY).await
    }

    /// Stages another look at the definition, once for each instant.
    async fn stage_look(&self, current: &Current<'_>, due_at: DateTime<Utc>) -> Result<(), Fault> {
        let once = format!("{MATERIALISE} {}", due_at.timestamp_micros());
        let act = Act::following("scheduler", current.now, &format!("{} {once}", current.cause));
        let item = look(current.definition.stream(), current.definition.sequence, &once, due_at);
        self.stage_looks(&act, vec![item]).await
    }

    /// Stages a look, now, at every definition that has anything ahead. `cause` names it: once for each cause.
    pub(crate) async fn look_at_all_that_are_ahead(&self, cause: &str) -> Result<(), Fault> {
        let now = self.clock.now().await?;
        for (chunk, ids) in self.log.definitions_ahead().await?.chunks(AT_ONCE).enumerate() {
            let act = Act::following("scheduler", now, &format!("{cause} looks {chunk}"));
            let looks = ids.iter().map(|id| look(StreamId::new("definition", id), 0, &format!("{MATERIALISE} {cause}"), now));
            self.stage_looks(&act, looks.collect()).await?;
        }
        Ok(())
    }

    async fn stage_looks(&self, act: &Act, looks: Vec<Staged>) -> Result<(), Fault> {
        let mut append = act.append(&self.recorded_by());
        append.stage = looks;
        match self.log.append(append).await {
            Ok(_) | Err(AppendError::AlreadyDone(_) | AppendError::RowConflict { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

fn look(stream: StreamId, sequence: u64, once: &str, due_at: DateTime<Utc>) -> Staged {
    Staged { id: Staged::id_for(&stream, sequence, once), stream, kind: MATERIALISE.into(), due_at, payload: json!({}) }
}
