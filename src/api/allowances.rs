//! `/admin/events/allowances`: what all runs together may draw in a day. `GET` tells each dimension, `PUT` bounds a day of one
//! or takes the bound away. 200; 422.

use axum::Json;
use axum::extract::State;
use leasehold_aggregates::body::Text;
use serde_json::{Value, json};

use super::posted::{Posted, read};
use super::query::Query;
use super::{Api, Caller, Problem};

/// The largest cap: what a count in JSON holds everywhere.
const LARGEST: i64 = (1 << 53) - 1;

pub async fn list(State(api): State<Api>, mut query: Query) -> Result<Json<Value>, Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached(&api).await?;
    Ok(Json(json!({"items": api.engine.allowances().await?, "nextPageToken": null})))
}

pub async fn cap(State(api): State<Api>, caller: Caller, Posted(body): Posted) -> Result<Json<Value>, Problem> {
    let (dimension, per_day) = read(&body, |object| {
        // What is left out is a mistake; what is null takes the bound away.
        let _ = object.required("perDay");
        (object.text("dimension", Text::line(1, 128)), object.nullable_int("perDay", 0..=LARGEST))
    })?;
    let act = api.act(&caller).await?;
    let position = api.engine.cap_day(&act, &dimension, per_day.map(i64::cast_unsigned)).await?;
    Ok(Json(json!({"dimension": dimension, "perDay": per_day, "position": position})))
}
