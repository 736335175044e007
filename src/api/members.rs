//! `/admin/members/{id}`: whoever took part in events. `PUT` says whose account a member is (`accountId`, or null for nobody's; 200, also
//! where it is so already; 404; 409 `member_of_another`, `account_erased`), `DELETE` erases what the game calls the member (200).

use axum::Json;
use axum::extract::State;
use leasehold_aggregates::body::Text;
use serde_json::{Value, json};
use uuid::Uuid;

use super::posted::{Id, Posted, read};
use super::{Api, Caller, Problem};

/// An account's id.
const ACCOUNT: Text = Text::line(1, 64);

pub async fn link(State(api): State<Api>, caller: Caller, Id(id): Id, Posted(body): Posted) -> Result<Json<Value>, Problem> {
    let member = member(&id)?;
    let account = read(&body, |object| object.nullable_text("accountId", ACCOUNT))?;
    let act = api.act(&caller).await?;
    api.engine.link_member(&act, member, account.as_deref()).await?;
    told(&api, member).await
}

pub async fn erase(State(api): State<Api>, caller: Caller, Id(id): Id) -> Result<Json<Value>, Problem> {
    let member = member(&id)?;
    let act = api.act(&caller).await?;
    api.engine.erase_member(&act, member).await?;
    told(&api, member).await
}

async fn told(api: &Api, member: Uuid) -> Result<Json<Value>, Problem> {
    let member = api.engine.member(member).await?;
    let erased = member.member_key.is_none();
    let (id, module, key, account) = (member.member_id, member.module, member.member_key, member.account_id);
    Ok(Json(json!({"member": id, "module": module, "memberKey": key, "accountId": account, "erased": erased})))
}

fn member(id: &str) -> Result<Uuid, Problem> {
    id.parse().map_err(|_| Problem::not_found())
}
