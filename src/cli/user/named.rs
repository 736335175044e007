//! Which account is meant.

use clap::Args;
use leasehold_aggregates::decide::{Refusal, RefusalKind};

use crate::engine::{Engine, Fault};

#[derive(Debug, Clone, Args)]
pub(super) struct Named {
    /// The account's id, as `leasehold user list` prints it, or its name where no other account has that.
    #[arg(value_name = "ACCOUNT")]
    account: String,
}

/// A name that does not say which account is meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum NamedRefusal {
    #[error("there is no such account: {0:?} is neither an id nor a name that `leasehold user list` shows")]
    Missing(String),
    #[error("several accounts are called {name:?}; say which by its id: {}", .ids.join(", "))]
    Several { name: String, ids: Vec<String> },
}

impl Refusal for NamedRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Missing(_) => "account_missing",
            Self::Several { .. } => "account_not_unique",
        }
    }

    fn kind(&self) -> RefusalKind {
        match self {
            Self::Missing(_) => RefusalKind::Missing,
            Self::Several { .. } => RefusalKind::Conflict,
        }
    }
}

impl Named {
    /// The id of the one account that is meant. An id comes before a name; an erased
    /// account has none.
    pub(super) async fn find(&self, engine: &Engine) -> Result<String, Fault> {
        let accounts = engine.accounts().await?;
        if accounts.iter().any(|row| row.account_id == self.account) {
            return Ok(self.account.clone());
        }
        let called = accounts.into_iter().filter(|row| !row.erased && row.name == self.account);
        let mut ids: Vec<String> = called.map(|row| row.account_id).collect();
        match (ids.pop(), ids.is_empty()) {
            (Some(id), true) => Ok(id),
            (None, _) => Err(Fault::refused(NamedRefusal::Missing(self.account.clone()))),
            (Some(last), false) => {
                ids.push(last);
                Err(Fault::refused(NamedRefusal::Several { name: self.account.clone(), ids }))
            }
        }
    }
}
