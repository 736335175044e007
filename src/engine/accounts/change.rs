use leasehold_aggregates::account::{AccountCommand, Role};
use leasehold_aggregates::decide::Decide;

use crate::engine::again::again;
use crate::engine::{Act, Engine, Fault};

/// A change of what an account may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Role(Role),
    Disable,
    Enable,
}

impl Engine {
    /// Changes an account; it holds from the next request on. False where nothing was to be changed.
    pub async fn change_account(&self, act: &Act, id: &str, change: Change) -> Result<bool, Fault> {
        again(self, || self.try_change(act, id, change)).await
    }

    /// Two admins who demote each other at one moment must not both succeed, so the admin who remains is read for the
    /// decision and named in the append.
    async fn try_change(&self, act: &Act, id: &str, change: Change) -> Result<bool, Fault> {
        let standing = self.account_standing(id).await?;
        let other = self.another_admin(id).await?;
        let other_admins = other.is_some();
        let command = match change {
            Change::Role(role) => AccountCommand::ChangeRole { role, other_admins },
            Change::Disable => AccountCommand::Disable { other_admins },
            Change::Enable => AccountCommand::Enable,
        };
        let events = standing.account.state.decide(command).map_err(Fault::refused)?;
        if events.is_empty() {
            return Ok(false);
        }
        let mut append = act.append(&self.recorded_by());
        append.writes = vec![standing.account.write(&events)?];
        append.requires = other.iter().map(crate::engine::streams::Loaded::required).collect();
        let mut after = standing.account.state.clone();
        for event in events {
            after.apply(event);
        }
        append.rows = vec![standing.row(&after)];
        self.log.append(append).await?;
        Ok(true)
    }
}
