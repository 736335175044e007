//! Word to a dead man's switch outside, which tells somebody when it hears nothing any more. It is sent only while every loop of this engine
//! is at its work and no projection has stopped: what hangs is silent.

use std::time::Duration;

use reqwest::{Client, Url};

use super::Engine;
use super::projector::Projectors;

/// How long the other side may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Posts to `url` once in `every`, until the engine stops. A failure is logged and changes nothing else.
pub async fn heartbeat(engine: Engine, url: Url, every: Duration) {
    let http = Client::new();
    let mut silent = None;
    loop {
        let told = match engine.in_the_way() {
            Some(what) => Err(what),
            None => post(&http, &url).await,
        };
        match told {
            Ok(()) if silent.take().is_some() => tracing::info!("the heartbeat is heard again"),
            Ok(()) => {}
            Err(why) if silent.as_ref() == Some(&why) => {}
            Err(why) => {
                tracing::warn!(why, "the heartbeat is not heard outside");
                silent = Some(why);
            }
        }
        tokio::select! {
            () = engine.stop.cancelled() => return,
            () = tokio::time::sleep(every) => {}
        }
    }
}

impl Engine {
    /// Why this engine does not count as alive, if it does not.
    fn in_the_way(&self) -> Option<String> {
        if let Some(beat) = self.stalled().first() {
            return Some(format!("the loop {} stands still", beat.name));
        }
        let statuses = self.projectors().map(Projectors::statuses).unwrap_or_default();
        let stopped = statuses.into_iter().find(|projection| projection.stopped_at.is_some());
        stopped.map(|projection| format!("the projection {} has stopped", projection.name))
    }
}

/// The address may be a secret: it is in nothing that is told.
async fn post(http: &Client, url: &Url) -> Result<(), String> {
    let sent = http.post(url.clone()).timeout(PATIENCE).send().await;
    let answer = sent.and_then(reqwest::Response::error_for_status).map_err(reqwest::Error::without_url);
    answer.map(|_| ()).map_err(|error| super::fault::told(&error))
}
