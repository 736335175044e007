//! `LEASEHOLD_LINKS`: how each scope's game is reached.

use leasehold_module::Link;

use crate::api::dialled::DIALS_IN;

/// Why the links cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LinksFault {
    #[error("a link is written scope=url#tokenfile (or scope=dials-in#tokenfile), and this one is not: {0:?}")]
    Malformed(String),
    #[error("the scope {0:?} has two links")]
    Twice(String),
    #[error("the token of scope {scope:?} cannot be read from {file}")]
    NoToken { scope: String, file: String, source: std::io::Error },
}

/// Reads `scope=url#tokenfile`, several separated by commas; an empty text has none.
pub fn parse(text: &str) -> Result<Vec<Link>, LinksFault> {
    let mut links: Vec<Link> = Vec::new();
    for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let malformed = || LinksFault::Malformed(entry.to_owned());
        let (scope, rest) = entry.split_once('=').ok_or_else(malformed)?;
        let (url, file) = rest.rsplit_once('#').ok_or_else(malformed)?;
        let is_address = url.starts_with("http://") || url.starts_with("https://") || url == DIALS_IN;
        if scope.is_empty() || file.is_empty() || !is_address {
            return Err(malformed());
        }
        if links.iter().any(|link| link.scope == scope) {
            return Err(LinksFault::Twice(scope.to_owned()));
        }
        let token = std::fs::read_to_string(file).map_err(|source| LinksFault::NoToken {
            scope: scope.to_owned(),
            file: file.to_owned(),
            source,
        })?;
        links.push(Link { scope: scope.to_owned(), url: url.trim_end_matches('/').to_owned(), token: token.trim().to_owned() });
    }
    Ok(links)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_scopes_and_their_tokens() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "secret\n").unwrap();
        let path = file.path().display();
        let links = parse(&format!("main=http://127.0.0.1:1/#{path}, west=http://127.0.0.1:2#{path}")).unwrap();
        assert_eq!(
            (links[0].url.as_str(), links[1].scope.as_str(), links[1].token.as_str()),
            ("http://127.0.0.1:1", "west", "secret")
        );
        assert!(parse("").unwrap().is_empty());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for wrong in ["main", "main=http://x", "main=ftp://x#f", "=http://x#f", "main=http://x#"] {
            assert!(matches!(parse(wrong), Err(LinksFault::Malformed(_))), "{wrong}");
        }
        assert!(matches!(parse("main=http://x#/no/such/file"), Err(LinksFault::NoToken { .. })));
    }
}
