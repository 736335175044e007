use super::{Account, AccountCommand, AccountEvent, AccountRefusal, Role};
use crate::decide::Decide;

impl Decide for Account {
    const TYPE: &'static str = "account";
    type Command = AccountCommand;
    type Event = AccountEvent;
    type Refusal = AccountRefusal;

    fn decide(&self, command: AccountCommand) -> Result<Vec<AccountEvent>, AccountRefusal> {
        if let AccountCommand::Add { role } = command {
            return if self.exists() { Err(AccountRefusal::Exists) } else { Ok(vec![AccountEvent::AccountAdded { role }]) };
        }
        let current = self.role.ok_or(AccountRefusal::Missing)?;
        if self.erased && command.lets_in() {
            return Err(AccountRefusal::Erased);
        }
        let event = match command {
            AccountCommand::Add { .. } => None,
            AccountCommand::ChangeRole { role, other_admins } => {
                self.keep_an_admin(role != Role::Admin, other_admins)?;
                (role != current).then_some(AccountEvent::AccountRoleChanged { role })
            }
            AccountCommand::Disable { other_admins } => {
                self.keep_an_admin(true, other_admins)?;
                (!self.disabled).then_some(AccountEvent::AccountDisabled {})
            }
            AccountCommand::Enable => self.disabled.then_some(AccountEvent::AccountEnabled {}),
            AccountCommand::IssueToken { token } => self.issue(token)?,
            AccountCommand::RevokeToken { token } => self.revoke(token)?,
            AccountCommand::LinkMember { member } => {
                (!self.members.contains(&member)).then_some(AccountEvent::MemberLinked { member })
            }
            AccountCommand::UnlinkMember { member } => {
                self.members.contains(&member).then_some(AccountEvent::MemberUnlinked { member })
            }
            AccountCommand::Erase { notes, reason, other_admins } => {
                self.keep_an_admin(true, other_admins)?;
                (!self.erased || notes > 0).then_some(AccountEvent::AccountErased { notes, reason })
            }
        };
        Ok(event.into_iter().collect())
    }

    fn apply(&mut self, event: AccountEvent) {
        match event {
            AccountEvent::AccountAdded { role } | AccountEvent::AccountRoleChanged { role } => self.role = Some(role),
            AccountEvent::AccountDisabled {} => self.disabled = true,
            AccountEvent::AccountEnabled {} => self.disabled = false,
            AccountEvent::TokenIssued { token } => drop(self.tokens.insert(token)),
            AccountEvent::TokenRevoked { token } => {
                self.tokens.remove(&token);
                self.revoked.insert(token);
            }
            AccountEvent::MemberLinked { member } => drop(self.members.insert(member)),
            AccountEvent::MemberUnlinked { member } => drop(self.members.remove(&member)),
            AccountEvent::AccountErased { .. } => {
                self.erased = true;
                self.disabled = true;
                self.revoked.append(&mut self.tokens);
            }
        }
    }
}

impl AccountCommand {
    /// Whether it would give an account power, or leave it some.
    fn lets_in(&self) -> bool {
        matches!(self, Self::ChangeRole { .. } | Self::Enable | Self::IssueToken { .. } | Self::LinkMember { .. })
    }
}

impl Account {
    fn keep_an_admin(&self, leaves: bool, other_admins: bool) -> Result<(), AccountRefusal> {
        let last = self.acts_as() == Some(Role::Admin) && !other_admins;
        if leaves && last { Err(AccountRefusal::LastAdmin) } else { Ok(()) }
    }

    fn issue(&self, token: String) -> Result<Option<AccountEvent>, AccountRefusal> {
        if self.disabled {
            return Err(AccountRefusal::Disabled);
        }
        if self.revoked.contains(&token) {
            return Err(AccountRefusal::TokenRevoked);
        }
        Ok((!self.tokens.contains(&token)).then_some(AccountEvent::TokenIssued { token }))
    }

    fn revoke(&self, token: String) -> Result<Option<AccountEvent>, AccountRefusal> {
        if self.tokens.contains(&token) {
            return Ok(Some(AccountEvent::TokenRevoked { token }));
        }
        if self.revoked.contains(&token) { Ok(None) } else { Err(AccountRefusal::NoSuchToken) }
    }
}

crate::cqrs_aggregate!(Account);
