//! The draft's revision as an entity tag: on every answer about a definition, and named by every edit.

use axum::extract::FromRequestParts;
use axum::http::header::{ETAG, IF_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};

use super::{Api, Problem};
use crate::engine::definitions::Wanted;

/// The tag of a revision: `"3"`.
pub(super) fn of(revision: u64) -> HeaderValue {
    HeaderValue::try_from(format!("\"{revision}\"")).expect("digits and quotes fit into a header")
}

/// As part of an answer.
pub(super) fn header(revision: u64) -> [(HeaderName, HeaderValue); 1] {
    [(ETAG, of(revision))]
}

/// The revisions that `If-Match` names; required.
pub struct IfMatch(pub Wanted);

impl FromRequestParts<Api> for IfMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _api: &Api) -> Result<Self, Problem> {
        let mut tags = Vec::new();
        for value in parts.headers.get_all(IF_MATCH) {
            tags.extend(value.to_str().map_err(|_| malformed())?.split(',').map(str::trim));
        }
        match tags.as_slice() {
            [] => Err(missing()),
            ["*"] => Ok(Self(Wanted::Any)),
            tags => tags
                .iter()
                .map(|tag| revision(tag))
                .collect::<Result<Vec<_>, _>>()
                .map(|revisions| Self(Wanted::OneOf(revisions.into_iter().flatten().collect()))),
        }
    }
}

/// The revision of one tag; none where it is a tag that is never ours.
fn revision(tag: &str) -> Result<Option<u64>, Problem> {
    let (weak, quoted) = tag.strip_prefix("W/").map_or((false, tag), |quoted| (true, quoted));
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or_else(malformed)?;
    if inner.contains('"') {
        return Err(malformed());
    }
    let revision = inner.parse::<u64>().ok().filter(|revision| revision.to_string() == inner);
    Ok(revision.filter(|_| !weak))
}

fn missing() -> Problem {
    let detail = "say which revision you have seen: send If-Match with the ETag of your last read";
    Problem::new(StatusCode::PRECONDITION_REQUIRED, "if_match_required", detail)
}

fn malformed() -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "bad_if_match", "If-Match must hold entity tags such as \"3\", or *")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_one_of_ours_another_or_none_at_all() {
        assert_eq!(revision("\"3\"").unwrap(), Some(3));
        for other in ["\"03\"", "\"x\"", "\"\"", "W/\"3\"", "\"-1\"", "\"99999999999999999999\""] {
            assert_eq!(revision(other).unwrap(), None, "{other}");
        }
        for none in ["3", "\"3", "3\"", "\"3\"4\"", "", "w/\"3\""] {
            assert_eq!(revision(none).unwrap_err().status(), StatusCode::BAD_REQUEST, "{none}");
        }
    }
}
