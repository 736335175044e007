//! What a run was scheduled with, shared by every copy of its state: a decision copies the state several times, and the plan is
//! the most of it.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::event::Scheduled;

/// A [`Scheduled`] that costs nothing to copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Pinned(Arc<Scheduled>);

impl Deref for Pinned {
    type Target = Scheduled;

    fn deref(&self) -> &Scheduled {
        &self.0
    }
}

impl From<Scheduled> for Pinned {
    fn from(scheduled: Scheduled) -> Self {
        Self(Arc::new(scheduled))
    }
}

impl Serialize for Pinned {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Pinned {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Scheduled::deserialize(deserializer).map(Self::from)
    }
}
