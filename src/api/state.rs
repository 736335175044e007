use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::{Caller, Problem};
use crate::engine::{Act, Engine};

/// Who may read without a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Open {
    /// Nobody.
    #[default]
    Closed,
    /// Whoever sits at this machine, as in the demonstration: every request must name a loopback host, what staff may
    /// read is read without a token, and every write needs one.
    ReadAtLoopback,
}

/// What every handler is given.
#[derive(Clone)]
pub struct Api(Arc<Parts>);

pub struct Parts {
    pub engine: Engine,
    pub open: Open,
}

impl Api {
    pub fn new(engine: Engine, open: Open) -> Self {
        Self(Arc::new(Parts { engine, open }))
    }

    pub(super) async fn now(&self) -> Result<DateTime<Utc>, Problem> {
        Ok(self.engine.clock.now().await.map_err(crate::engine::Fault::from)?)
    }

    /// The caller's command: a new one, or that of the key under which the request came.
    pub(super) async fn act(&self, caller: &Caller) -> Result<Act, Problem> {
        let (actor, at) = (&caller.account_id, self.now().await?);
        Ok(match caller.command {
            None => Act::by(actor, at),
            Some(command) => Act::keyed(actor, at, command.id, command.sent),
        })
    }
}

impl std::ops::Deref for Api {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
