//! Telling the log how something ended in the world, through whatever trouble the log is having meanwhile.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::engine::fault::told;
use crate::engine::{Engine, Fault};
use crate::log::AppendError;

/// Pause between two tries at a log that is busy or away.
const PAUSE: Duration = Duration::from_millis(200);

impl Engine {
    /// Tries `settle` until it is committed or refused. Gives up when the claim has expired: its expiry is staged, and
    /// whoever takes it up asks the world again under the same key.
    pub(super) async fn until_told<F, Fut>(&self, expires_at: DateTime<Utc>, what: &str, settle: F)
    where
        F: Fn() -> Fut + Send,
        Fut: Future<Output = Result<(), Fault>> + Send,
    {
        loop {
            match settle().await {
                Ok(()) => return,
                Err(Fault::Refused(refusal)) => {
                    tracing::info!(what, %refusal, "an answer came too late to count");
                    return;
                }
                Err(Fault::Append(AppendError::HeldBack)) => {
                    tracing::error!(what, "the answer is not recorded: this process has become read-only");
                    return;
                }
                Err(fault) if !fault.passes() => {
                    tracing::error!(what, error = %told(&fault), "the answer cannot be recorded; the claim runs out");
                    return;
                }
                Err(fault) => {
                    tracing::warn!(what, error = %told(&fault), "the answer is not recorded yet");
                }
            }
            if self.stop.is_cancelled() || self.clock.now().await.is_ok_and(|now| now > expires_at) {
                tracing::warn!(what, "the answer was not recorded before the claim expired");
                return;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}
