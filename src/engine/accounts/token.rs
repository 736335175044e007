use leasehold_aggregates::account::AccountCommand;
use leasehold_aggregates::decide::Decide;

use super::Standing;
use crate::engine::again::again;
use crate::engine::{Act, Engine, Fault, mint};
use crate::log::{LogError, RowWrite};

/// A new token. Its text is known to nobody but the receiver of this.
#[derive(Clone, PartialEq, Eq)]
pub struct Issued {
    /// What the log calls it.
    pub id: String,
    pub token: String,
}

impl std::fmt::Debug for Issued {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Issued").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Engine {
    /// Gives the account a token of its own, called `label`; with `replace`, all that it had before end.
    pub async fn issue_token(&self, act: &Act, account_id: &str, label: &str, replace: bool) -> Result<Issued, Fault> {
        let token = mint::token();
        let id = self.install_token(act, account_id, label, &token, replace).await?;
        Ok(Issued { id, token })
    }

    /// Makes `token` one of the account's, and answers the id under which the log knows it.
    pub(super) async fn install_token(
        &self,
        act: &Act,
        account_id: &str,
        label: &str,
        token: &str,
        replace: bool,
    ) -> Result<String, Fault> {
        let id = mint::id().to_string();
        let digest = mint::token_digest(token);
        again(self, || self.try_install(act, account_id, label, &id, &digest, replace)).await?;
        Ok(id)
    }

    async fn try_install(
        &self,
        act: &Act,
        account_id: &str,
        label: &str,
        id: &str,
        digest: &[u8],
        replace: bool,
    ) -> Result<(), Fault> {
        let standing = self.account_standing(account_id).await?;
        let mut events = Vec::new();
        let mut rows = Vec::new();
        if replace {
            rows.extend(self.live_digests(account_id).await?.into_iter().map(|digest| RowWrite::RevokeToken { digest }));
            for token in standing.account.state.tokens().map(str::to_owned) {
                events.extend(decide(&standing, AccountCommand::RevokeToken { token })?);
            }
        }
        events.extend(decide(&standing, AccountCommand::IssueToken { token: id.to_owned() })?);
        rows.push(RowWrite::Token { digest: digest.to_vec(), account_id: account_id.to_owned(), label: label.to_owned() });
        let mut append = act.append(&self.recorded_by());
        append.writes = vec![standing.account.write(&events)?];
        append.rows = rows;
        self.log.append(append).await?;
        Ok(())
    }

    /// The digests of all tokens of the account that open something.
    pub(super) async fn live_digests(&self, account_id: &str) -> Result<Vec<Vec<u8>>, Fault> {
        let digests = sqlx::query_scalar("select digest from public.account_tokens where account_id = $1 and not revoked");
        Ok(digests.bind(account_id).fetch_all(self.log.pool()).await.map_err(LogError::from)?)
    }
}

fn decide(standing: &Standing, command: AccountCommand) -> Result<Vec<leasehold_aggregates::account::AccountEvent>, Fault> {
    standing.account.state.decide(command).map_err(Fault::refused)
}
