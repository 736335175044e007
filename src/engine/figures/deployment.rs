use crate::engine::{Engine, Fault};
use crate::telling::catalogue as c;

/// What the database knows.
pub(super) struct Deployment {
    head: Option<u64>,
}

impl Deployment {
    pub async fn read(engine: &Engine) -> Result<Self, Fault> {
        let head = engine.log.head().await?.map(|head| head.position);
        Ok(Self { head })
    }

    pub fn tell(&self) {
        if let Some(head) = self.head {
            c::HEAD.count(&[], head);
        }
    }
}
