//! Lists by keyset: a page token holds the sort key of the last row that was given, so that a list which grows while it
//! is read repeats nothing and leaves nothing out. Instants go into it as whole microseconds, the database's own grain.

use chrono::{DateTime, Utc};
use serde::Serialize;

/// Rows of a page where nobody asks for a number.
pub const DEFAULT_LIMIT: u32 = 50;
/// Most rows of a page.
pub const MOST: u32 = 200;

/// Which page is wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageRequest {
    /// From the page before; absent: the first page.
    pub token: Option<String>,
    /// 1 to [`MOST`]; absent: [`DEFAULT_LIMIT`].
    pub limit: Option<u32>,
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Absent on the last page.
    pub next_page_token: Option<String>,
}

/// Why a page cannot be given.
#[derive(Debug, thiserror::Error)]
pub enum ReadFault {
    #[error("this is no page token of this list: take nextPageToken from an answer of the same list, unchanged")]
    BadToken,
    #[error("a page has 1 to {MOST} rows, not {0}")]
    BadLimit(u32),
    /// No generation of this program's version serves yet.
    #[error("the rows that this is told from are being built")]
    NotBuilt,
    #[error("the database did not answer as it should")]
    Database(#[source] sqlx::Error),
}

/// What a read says whose view is not there.
const NO_SUCH_TABLE: &str = "42P01";

impl From<sqlx::Error> for ReadFault {
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
        if code.as_deref() == Some(NO_SUCH_TABLE) { Self::NotBuilt } else { Self::Database(error) }
    }
}

impl ReadFault {
    /// Stable, `snake_case`: the `code` of the problem document.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadToken => "bad_page_token",
            Self::BadLimit(_) => "out_of_range",
            Self::NotBuilt => "projection_building",
            Self::Database(_) => "database",
        }
    }
}

impl PageRequest {
    /// How many rows.
    pub fn rows(&self) -> Result<u32, ReadFault> {
        match self.limit {
            None => Ok(DEFAULT_LIMIT),
            Some(limit) if (1..=MOST).contains(&limit) => Ok(limit),
            Some(limit) => Err(ReadFault::BadLimit(limit)),
        }
    }

    /// The sort key, of `N` parts, after which the page begins. `list` names the list and the shape of its key.
    pub fn after<const N: usize>(&self, list: &str) -> Result<Option<[String; N]>, ReadFault> {
        self.token.as_ref().map(|token| open(list, token).ok_or(ReadFault::BadToken)).transpose()
    }
}

/// Cuts the row too many, which only says that there is more, and makes the token from the last that stays.
pub fn page<T, const N: usize>(list: &str, mut rows: Vec<T>, limit: u32, key: impl Fn(&T) -> [String; N]) -> Page<T> {
    let limit = limit as usize;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next_page_token = rows.last().filter(|_| more).map(|last| seal(list, &key(last)));
    Page { items: rows, next_page_token }
}

/// The token of the page that begins behind a row with this sort key.
pub fn token(list: &str, parts: &[String]) -> String {
    seal(list, parts)
}

fn seal(list: &str, parts: &[String]) -> String {
    let mut all = vec![list];
    all.extend(parts.iter().map(String::as_str));
    hex::encode(all.join("\u{1f}"))
}

fn open<const N: usize>(list: &str, token: &str) -> Option<[String; N]> {
    let text = String::from_utf8(hex::decode(token).ok()?).ok()?;
    let (named, parts) = text.split_once('\u{1f}')?;
    let parts: Vec<String> = parts.split('\u{1f}').map(str::to_owned).collect();
    if named != list || parts.iter().any(|part| part.contains('\0')) {
        return None;
    }
    parts.try_into().ok()
}

pub(crate) fn micros(at: DateTime<Utc>) -> String {
    at.timestamp_micros().to_string()
}

pub(crate) fn instant(micros: &str) -> Result<DateTime<Utc>, ReadFault> {
    let at = micros.parse().ok().and_then(DateTime::from_timestamp_micros);
    at.filter(|at| (1_000..=9_999).contains(&chrono::Datelike::year(at))).ok_or(ReadFault::BadToken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(token: &str) -> PageRequest {
        PageRequest { token: Some(token.into()), limit: None }
    }

    #[test]
    fn a_token_gives_its_parts_back_to_its_own_list_alone() {
        let at = DateTime::from_timestamp_micros(1_800_000_000_123_457).unwrap();
        let token = seal("runs", &[micros(at), "r/1 ü".into()]);
        let [key, id]: [String; 2] = request(&token).after("runs").unwrap().unwrap();
        assert_eq!((instant(&key).unwrap(), id.as_str()), (at, "r/1 ü"), "to the microsecond");
        assert!(request(&token).after::<2>("definitions").is_err());
        assert!(request(&token).after::<1>("runs").is_err());
    }

    #[test]
    fn whatever_else_is_sent_as_a_token_is_refused_in_words() {
        for wrong in ["", "x", "zz", "00", "ff", "72756e73", &hex::encode("runs\u{1f}1"), &"ab".repeat(9_000)] {
            assert_eq!(request(wrong).after::<2>("runs").unwrap_err().code(), "bad_page_token", "{wrong:.20}");
        }
        for wrong in ["", "1.5", "99999999999999999999", "x", "253402300800000000", "-62135596800000001"] {
            assert!(instant(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_page_says_that_there_is_more_only_when_there_is() {
        let key = |n: &u32| [n.to_string()];
        assert_eq!(page("n", vec![1, 2], 2, key).next_page_token, None);
        let more = page("n", vec![1, 2, 3], 2, key);
        assert_eq!((more.items.len(), request(&more.next_page_token.unwrap()).after("n").unwrap()), (2, Some(["2".to_owned()])));
    }

    #[test]
    fn the_number_of_rows_has_bounds() {
        let rows = |limit| PageRequest { token: None, limit }.rows();
        assert_eq!(rows(None).unwrap(), DEFAULT_LIMIT);
        assert_eq!(rows(Some(MOST)).unwrap(), MOST);
        assert!(rows(Some(0)).is_err() && rows(Some(MOST + 1)).is_err());
    }
}
