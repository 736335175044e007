//! Keys of requests: how long they are remembered, and forgetting them.

use std::time::Duration;

use chrono::TimeDelta;

use super::fault::told;
use super::{Engine, Fault};

/// How long a key leads to its answer.
pub const REMEMBERED: TimeDelta = TimeDelta::hours(24);
/// Between two sweeps. Nothing rests on it: a key whose time is over is as good as gone.
const SWEEP: Duration = Duration::from_secs(3_600);
/// Pause after trouble that may pass.
const PAUSE: Duration = Duration::from_secs(60);

/// Forgets keys whose time is over, now and then, until the engine stops. Any engine may; twice is once.
pub async fn forget(engine: Engine) {
    while !engine.stop.is_cancelled() {
        let pause = match sweep(&engine).await {
            Ok(_) => SWEEP,
            Err(fault) => {
                tracing::warn!(error = %told(&fault), "keys of requests are swept later");
                PAUSE
            }
        };
        tokio::select! {
            () = engine.stop.cancelled() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Forgets keys whose time is over; how many there were.
pub async fn sweep(engine: &Engine) -> Result<u64, Fault> {
    let now = engine.clock.now().await?;
    Ok(engine.log.forget_keys(now - REMEMBERED).await?)
}
