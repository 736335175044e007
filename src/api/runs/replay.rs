//! `GET /admin/events/runs/{id}/replay`: one run as it stood at a place of the log, with its story up to there (`at`); or what
//! changed between two places (`from`, `to`). Appends nothing. 200; 404, also `run_not_yet`; 422, also `beyond_head` and
//! `wrong_order`; 503 where `minPosition` is not reached.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};

use crate::api::paging::MinPosition;
use crate::api::posted::Id;
use crate::api::query::Query;
use crate::api::{Api, Problem};
use crate::engine::Fault;
use crate::engine::stories::{Stories, Until};

/// What is asked for.
enum Asked {
    One(Until),
    Between(Until, Until),
}

pub async fn handle(State(api): State<Api>, Id(id): Id, query: Query) -> Result<Response, Problem> {
    let (asked, position) = read(query)?;
    position.reached(&api).await?;
    let stories = api.engine.stories().await?;
    Ok(match asked {
        Asked::One(at) => Json(stories.replay(&id, at).await.map_err(about("at"))?).into_response(),
        Asked::Between(from, to) => between(&stories, &id, from, to).await?,
    })
}

async fn between(stories: &Stories<'_>, id: &str, from: Until, to: Until) -> Result<Response, Problem> {
    let [earlier, later] = stories.replays(id, [from, to]).await?;
    let (earlier, later) = (earlier.map_err(about("from"))?, later.map_err(about("to"))?);
    Ok(Json(earlier.until(later).map_err(about("from"))?).into_response())
}

/// A place that is not there is told of the parameter that named it.
fn about(parameter: &'static str) -> impl Fn(Fault) -> Problem {
    move |fault| Problem::of_place(fault, parameter)
}

fn read(mut query: Query) -> Result<(Asked, MinPosition), Problem> {
    let (at, from, to) = (query.given("at"), query.given("from"), query.given("to"));
    if at && (from || to) {
        query.fault("at", "not_together", "is one place, and from and to are two: give it alone");
    } else if to && !from {
        query.fault("from", "required", "is required where to is given");
    }
    let asked = (query.place("at"), query.place("from"), query.place("to"));
    let position = query.min_position();
    query.finish()?;
    let asked = match asked {
        (_, Some(from), to) => Asked::Between(from, to.unwrap_or(Until::Now)),
        (at, None, _) => Asked::One(at.unwrap_or(Until::Now)),
    };
    Ok((asked, position))
}
