//! The bearer token of the engine.

use sha2::{Digest, Sha256};
use std::{
    io,
    path::{Path, PathBuf},
};

/// The digest of the token; the token itself is not kept.
#[derive(Clone)]
pub struct Token([u8; 32]);

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenFailure {
    #[error("cannot read the token file {path}: {source}")]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("the token file {0} is empty: write a token of at least one character into it")]
    Empty(PathBuf),
}

impl Token {
    /// Reads the token from a file; white space around it does not count.
    pub fn read(path: &Path) -> Result<Self, TokenFailure> {
        let text = std::fs::read_to_string(path).map_err(|source| TokenFailure::Unreadable { path: path.to_owned(), source })?;
        match text.trim() {
            "" => Err(TokenFailure::Empty(path.to_owned())),
            token => Ok(Self::of(token)),
        }
    }

    /// The token itself, for whoever has to present it.
    pub fn text(path: &Path) -> Result<String, TokenFailure> {
        let text = std::fs::read_to_string(path).map_err(|source| TokenFailure::Unreadable { path: path.to_owned(), source })?;
        Ok(text.trim().to_owned())
    }

    /// The token of that text.
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token).into())
    }

    /// Whether the value of an `Authorization` header presents this token. Digests are compared, so that the time taken tells
    /// nothing of the token.
    pub fn admits(&self, authorization: Option<&str>) -> bool {
        let presented = authorization.and_then(|value| value.split_once(' '));
        presented.is_some_and(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && Self::of(token.trim()).0 == self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_itself_is_admitted() {
        let token = Token::of("s3cret");
        assert!(token.admits(Some("Bearer s3cret")) && token.admits(Some("bearer s3cret")));
        for wrong in [None, Some(""), Some("Bearer"), Some("Bearer "), Some("Bearer s3cre"), Some("Basic s3cret"), Some("s3cret")]
        {
            assert!(!token.admits(wrong), "{wrong:?}");
        }
    }
}
