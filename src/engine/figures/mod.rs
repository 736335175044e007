//! The deployment's figures: what the database knows, read when somebody looks, so that any engine answers for all.
//!
//! A look costs a few statements by index, one look at a time, and whoever looks again within a second gets the same
//! figures: however many watch, the database feels one.

mod deployment;
mod process;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::Engine;
use super::fault::told;
use crate::telling::{catalogue as c, exposition};
use deployment::Deployment;
pub(super) use deployment::kind_of;

/// How long the figures of one look are good.
const FRESH: Duration = Duration::from_secs(1);
/// How long the database may take to tell them.
const PATIENCE: Duration = Duration::from_secs(4);

/// The last look.
#[derive(Default)]
pub struct Figures {
    last: Mutex<Option<(Instant, Arc<str>)>>,
}

impl Engine {
    /// What is known now of the deployment and of this engine's connections, in the text format of Prometheus. Where the
    /// database does not answer, that is what is told, and the rest is left out.
    pub async fn figures(&self) -> Arc<str> {
        let mut last = self.figures.last.lock().await;
        if let Some((_, text)) = last.as_ref().filter(|(at, _)| at.elapsed() < FRESH) {
            return Arc::clone(text);
        }
        let text: Arc<str> = self.look_at_figures().await.into();
        *last = Some((Instant::now(), Arc::clone(&text)));
        text
    }

    async fn look_at_figures(&self) -> String {
        let deployment = match timeout(PATIENCE, Deployment::read(self)).await {
            Ok(Ok(deployment)) => Some(deployment),
            Ok(Err(error)) => {
                tracing::warn!(error = %told(&error), "the deployment's figures could not be read");
                None
            }
            Err(_) => {
                tracing::warn!("the deployment's figures could not be read in time");
                None
            }
        };
        exposition(|| {
            c::DATABASE_UP.flag(&[], deployment.is_some());
            self.tell_connections();
            self.tell_loops();
            self.tell_projections();
            self.tell_links();
            self.tell_modules();
            if let Some(deployment) = deployment {
                deployment.tell(self.holder);
            }
        })
    }
}
