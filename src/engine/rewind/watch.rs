//! Ways that did not answer at the start are asked until they do, so that a rewind is found as early as it can be.

use std::time::Duration;

use super::Engine;
use crate::engine::fault::told;

/// Pause between two rounds of questions.
const PAUSE: Duration = Duration::from_secs(5);

impl Engine {
    pub(in crate::engine) async fn ask_until_all_have_answered(self) {
        while !self.is_read_only() && !self.all_have_answered() {
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = tokio::time::sleep(PAUSE) => {}
            }
            if let Err(fault) = self.look_for_rewinds().await {
                tracing::warn!(error = %told(&fault), "what the links have seen of the log is asked again");
            }
        }
    }
}
