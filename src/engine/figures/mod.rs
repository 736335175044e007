//! The deployment's figures: what the database knows, read when somebody looks, so that any engine answers for all.
//!
//! A look costs a few statements by index, one look at a time, and whoever looks again within a second gets the same
//! figures: however many watch, the database feels one.

mod deployment;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::Engine;
use super::fault::told;
use crate::telling::{catalogue as c, exposition};
use deployment::Deployment;

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
            if let Some(deployment) = deployment {
                deployment.tell();
            }
        })
    }

    fn tell_connections(&self) {
        let pool = self.log.pool();
        let (all, idle) = (u64::from(pool.size()), pool.num_idle() as u64);
        c::CONNECTIONS.count(&["idle"], idle);
        c::CONNECTIONS.count(&["used"], all.saturating_sub(idle));
        c::CONNECTIONS_MOST.count(&[], u64::from(pool.options().get_max_connections()));
    }
}
