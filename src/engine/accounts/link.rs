use leasehold_aggregates::account::{AccountCommand, AccountRefusal};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::deployment::DeploymentCommand;
use uuid::Uuid;

use crate::engine::again::again;
use crate::engine::{Act, Engine, Fault};
use crate::log::{Member, RowWrite};

impl Engine {
    /// Says whose account a member of events is: of this one's person, or with none of nobody's. False where it was so.
    /// Refused where it is another account's.
    pub async fn link_member(&self, act: &Act, member: Uuid, account: Option<&str>) -> Result<bool, Fault> {
        again(self, || self.try_link(act, member, account)).await
    }

    /// The member; refused where there is none.
    pub async fn member(&self, member: Uuid) -> Result<Member, Fault> {
        let missing = || Fault::refused(AccountRefusal::NoSuchMember);
        self.log.members(&[member]).await?.pop().ok_or_else(missing)
    }

    /// Erases what a game calls a member, for good; that it was done is on record, and whom it means is not. False where it was so.
    pub async fn erase_member(&self, act: &Act, member: Uuid) -> Result<bool, Fault> {
        let erase = async || {
            if self.member(member).await?.member_key.is_none() {
                return Ok(false);
            }
            self.deploy(act, DeploymentCommand::EraseMember { member }, Some(RowWrite::EraseMember { member })).await?;
            Ok(true)
        };
        again(self, erase).await
    }

    async fn try_link(&self, act: &Act, member: Uuid, account: Option<&str>) -> Result<bool, Fault> {
        let of = self.member(member).await?.account_id;
        let (id, command) = match (account, &of) {
            (Some(account), Some(of)) if account != of => return Err(Fault::refused(AccountRefusal::AnothersMember)),
            (Some(account), _) => (account, AccountCommand::LinkMember { member }),
            (None, Some(of)) => (of.as_str(), AccountCommand::UnlinkMember { member }),
            (None, None) => return Ok(false),
        };
        let standing = self.account_standing(id).await?;
        let events = standing.account.state.decide(command).map_err(Fault::refused)?;
        if events.is_empty() {
            return Ok(false);
        }
        let mut append = act.append(&self.recorded_by());
        append.writes = vec![standing.account.write(&events)?];
        append.rows = vec![RowWrite::LinkMember { member, of: of.clone(), to: account.map(str::to_owned) }];
        self.log.append(append).await?;
        Ok(true)
    }
}
