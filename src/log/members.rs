//! Members: the ids by which the log knows whoever takes part, beside it what games call them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sqlx::FromRow;
use uuid::Uuid;

use super::Log;
use super::error::LogError;

/// One member.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct Member {
    pub member_id: Uuid,
    pub module: String,
    /// None once erased.
    pub member_key: Option<String>,
    pub account_id: Option<String>,
    /// Of the account; none where there is no account, and where its person was erased.
    pub name: Option<String>,
}

const SELECT: &str = "
select m.member_id, m.module, m.member_key, m.account_id, nullif(a.name, '') as name
from public.members m left join public.accounts a on a.account_id = m.account_id";

impl Log {
    /// The ids of the members that a module calls so; those it tells of for the first time are given one of `ids`, which are as
    /// many as the keys. An id that is given and then not used means nobody.
    pub async fn members_of(
        &self,
        module: &str,
        keys: &[String],
        ids: &[Uuid],
        at: DateTime<Utc>,
    ) -> Result<BTreeMap<String, Uuid>, LogError> {
        let insert = sqlx::query(
            "insert into public.members (member_id, module, member_key, first_seen)
             select new.id, $1, new.key, $4 from unnest($2::text[], $3::uuid[]) as new (key, id)
             order by new.key on conflict (module, member_key) do nothing",
        );
        insert.bind(module).bind(keys).bind(ids).bind(at).execute(self.pool()).await?;
        let select = "select member_key, member_id from public.members where module = $1 and member_key = any($2)";
        let known: Vec<(String, Uuid)> = sqlx::query_as(select).bind(module).bind(keys).fetch_all(self.pool()).await?;
        Ok(known.into_iter().collect())
    }

    /// What is known of these members, in no order. A role that may not read who people are is given none.
    pub async fn members(&self, ids: &[Uuid]) -> Result<Vec<Member>, LogError> {
        let rows = sqlx::query_as(&format!("{SELECT} where m.member_id = any($1)")).bind(ids).fetch_all(self.pool()).await;
        match rows.map_err(LogError::from) {
            Err(error) if error.is_denied() => Ok(Vec::new()),
            other => other,
        }
    }
}
