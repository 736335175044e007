use crate::decide::{Refusal, RefusalKind};

/// Why an account stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccountRefusal {
    #[error("there is no such account")]
    Missing,
    #[error("an account with this id exists already")]
    Exists,
    #[error("this is the last enabled admin: make another account admin first")]
    LastAdmin,
    #[error("the account is disabled: enable it before giving it a token")]
    Disabled,
    #[error("the account was erased, and nobody can act with it again: add a new one")]
    Erased,
    #[error("the account has no such token")]
    NoSuchToken,
    #[error("this token was revoked, and a revoked token never works again: issue a new one")]
    TokenRevoked,
    #[error("there is no such member: nobody of that id has taken part in an event")]
    NoSuchMember,
    #[error("this member is another account's person: unlink it there first")]
    AnothersMember,
}

impl Refusal for AccountRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Missing => "account_missing",
            Self::Exists => "account_exists",
            Self::LastAdmin => "last_admin",
            Self::Disabled => "account_disabled",
            Self::Erased => "account_erased",
            Self::NoSuchToken => "token_missing",
            Self::TokenRevoked => "token_revoked",
            Self::NoSuchMember => "member_missing",
            Self::AnothersMember => "member_of_another",
        }
    }

    fn kind(&self) -> RefusalKind {
        match self {
            Self::Missing | Self::NoSuchToken | Self::NoSuchMember => RefusalKind::Missing,
            Self::Exists | Self::LastAdmin | Self::Disabled | Self::Erased | Self::TokenRevoked | Self::AnothersMember => {
                RefusalKind::Conflict
            }
        }
    }
}
