//! Accounts: who may do what, and with which token. Roles are events; names and token digests are rows that commit in
//! the same append, so that a change works on the next request.

mod add;
mod bootstrap;
mod change;
mod erase;
mod link;
mod token;

pub use bootstrap::{Bootstrap, BootstrapRefusal};
pub use change::Change;
pub use erase::Erased;
pub use token::Issued;

use leasehold_aggregates::account::{Account, AccountRefusal};

use super::streams::{Loaded, load};
use super::{Engine, Fault};
use crate::log::{AccountRow, LogError, RowWrite};

/// An account as it stands: its stream, and the row beside it.
#[derive(Debug, Clone)]
struct Standing {
    account: Loaded<Account>,
    name: String,
}

impl Standing {
    /// The row that belongs to the account once `after` holds.
    fn row(&self, after: &Account) -> RowWrite {
        row_of(&self.account.id, &self.name, after)
    }
}

fn row_of(id: &str, name: &str, account: &Account) -> RowWrite {
    let role: &'static str = account.role().map(Into::into).unwrap_or_default();
    RowWrite::Account { account_id: id.to_owned(), name: name.to_owned(), role: role.to_owned(), disabled: account.disabled() }
}

impl Engine {
    /// Every account, by name.
    pub async fn accounts(&self) -> Result<Vec<AccountRow>, Fault> {
        let rows = sqlx::query_as(
            "select account_id, name, role, disabled, erased_at is not null as erased from public.accounts order by name, account_id",
        );
        Ok(rows.fetch_all(self.log.pool()).await.map_err(LogError::from)?)
    }

    async fn account_standing(&self, id: &str) -> Result<Standing, Fault> {
        let account: Loaded<Account> = load(&self.log, id).await?;
        match self.log.account(id).await? {
            Some(row) if account.state.exists() => Ok(Standing { account, name: row.name }),
            _ => Err(Fault::refused(AccountRefusal::Missing)),
        }
    }

    /// An enabled admin other than `id`. Rows choose the candidates; their streams decide.
    async fn another_admin(&self, id: &str) -> Result<Option<Loaded<Account>>, Fault> {
        use leasehold_aggregates::account::Role;
        let candidates =
            self.accounts().await?.into_iter().filter(|row| row.role == "admin" && !row.disabled && row.account_id != id);
        for row in candidates {
            let other: Loaded<Account> = load(&self.log, &row.account_id).await?;
            if other.state.acts_as() == Some(Role::Admin) {
                return Ok(Some(other));
            }
        }
        Ok(None)
    }
}
