//! The first admin: the account that the operator of the machine speaks for.

use leasehold_aggregates::account::{Account, Role};
use leasehold_aggregates::decide::{Refusal, RefusalKind};

use crate::engine::streams::{Loaded, load};
use crate::engine::{Act, Engine, Fault, mint};
use crate::log::AppendError;

/// The account's id: always the same, so that it is found at each start.
const ID: &str = "bootstrap";
const NAME: &str = "Bootstrap admin";
const LABEL: &str = "bootstrap";
/// Characters of a bootstrap token.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=256;

/// What a start did about the first admin.
#[derive(Clone, PartialEq, Eq)]
pub enum Bootstrap {
    /// The token works as it did before, or there is an admin already and nobody asked for another.
    Unchanged,
    /// The given token is the bootstrap account's from now on; an earlier one ended.
    Installed,
    /// Nobody gave a token and nobody could have logged in: this one was made. Show it once.
    Minted(String),
}

/// Why a bootstrap token is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BootstrapRefusal {
    #[error("the bootstrap token must have 8 to 256 characters, each a visible one of ASCII")]
    Unusable,
    #[error("the bootstrap account was erased, and no token brings it back: start without a bootstrap token")]
    Erased,
    #[error("the bootstrap token was in use before: a token that was revoked or is somebody else's never works as another")]
    Used,
}

impl Refusal for BootstrapRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Unusable => "token_unusable",
            Self::Erased => "account_erased",
            Self::Used => "token_used",
        }
    }

    fn kind(&self) -> RefusalKind {
        match self {
            Self::Unusable => RefusalKind::Invalid,
            Self::Erased | Self::Used => RefusalKind::Conflict,
        }
    }
}

impl Engine {
    /// Sees to it that somebody can log in. A given token that differs from the one before replaces it; without one, a
    /// token is made where there is no admin at all.
    pub async fn bootstrap_admin(&self, token: Option<&str>) -> Result<Bootstrap, Fault> {
        match token {
            Some(token) => self.install_bootstrap(token).await,
            None if self.another_admin("").await?.is_some() => Ok(Bootstrap::Unchanged),
            None => {
                let token = mint::token();
                self.install_bootstrap(&token).await?;
                Ok(Bootstrap::Minted(token))
            }
        }
    }

    async fn install_bootstrap(&self, token: &str) -> Result<Bootstrap, Fault> {
        if !LENGTHS.contains(&token.len()) || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Fault::refused(BootstrapRefusal::Unusable));
        }
        let account: Loaded<Account> = load(&self.log, ID).await?;
        if account.state.erased() {
            return Err(Fault::refused(BootstrapRefusal::Erased));
        }
        if !account.state.exists() {
            self.add_account_as(&self.bootstrap_act().await?, ID, NAME, Role::Admin).await?;
        }
        if self.live_digests(ID).await?.contains(&mint::token_digest(token)) {
            return Ok(Bootstrap::Unchanged);
        }
        match self.install_token(&self.bootstrap_act().await?, ID, LABEL, token, true).await {
            Ok(_) => Ok(Bootstrap::Installed),
            Err(Fault::Append(AppendError::RowConflict { row: "token", .. })) => Err(Fault::refused(BootstrapRefusal::Used)),
            Err(fault) => Err(fault),
        }
    }

    async fn bootstrap_act(&self) -> Result<Act, Fault> {
        Ok(Act::by("operator", self.clock.now().await?))
    }
}
