//! `GET /admin/in-force`: what was in force at a place of the log, for one target or everywhere, in pages. 200; 422, also
//! `beyond_head`; 503 where `minPosition` is not reached.

use axum::Json;
use axum::extract::State;
use leasehold_aggregates::target::Target;

use super::paging::Paging;
use super::query::Query;
use super::{Api, Problem};
use crate::engine::Fault;
use crate::engine::in_force::{HeldThen, InForceFault, of_all, of_target};
use crate::engine::stories::Until;

pub async fn handle(State(api): State<Api>, mut query: Query) -> Result<Json<HeldThen>, Problem> {
    let at = query.place("at").unwrap_or(Until::Now);
    let target = target(&mut query);
    let paging = Paging::of(&mut query);
    query.finish()?;
    paging.reached_by_log(&api).await?;
    let (log, now) = (&api.engine.log, api.engine.clock.now().await.map_err(Fault::from)?);
    let head = log.head().await?.map_or(0, |head| head.position);
    let place = at.position(log, head, now).await.map_err(|fault| Problem::of_place(fault, "at"))?;
    // Before the first event nothing was in force: as little as at it.
    let position = place.unwrap_or(0);
    let told = match &target {
        Some(target) => of_target(log, target, position).await,
        None => of_all(log, position, &paging.page).await,
    };
    told.map(Json).map_err(|fault| match fault {
        InForceFault::Page(fault) => fault.into(),
        InForceFault::Engine(fault) => fault.into(),
    })
}

/// `MODULE/SCOPE/KIND/REF`, each part percent-encoded where it holds a slash.
fn target(query: &mut Query) -> Option<Target> {
    let given = query.text("target", 600)?;
    let target = Target::from_stream_id(&given).and_then(|target| target.check().map(|()| target));
    if target.is_err() {
        query.fault("target", "wrong_value", "must be MODULE/SCOPE/KIND/REF, a slash within a part written %2F");
    }
    target.ok()
}
