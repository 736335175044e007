//! One look a second at all generations: what each projector is to follow and build, and how those of other processes
//! stand. While all is calm, seldom: word that the log has grown, or that something has ended, asks for a look.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use leasehold_projections::generations::prepare;
use leasehold_projections::{Generation, Projection};
use tokio::sync::watch;

use super::standing::{Standing, State, find, standings};
use super::{BuildStatus, Pace, Post, ProjectorStatus, Rate};
use crate::engine::fault::told;
use crate::log::Log;

/// What was seen last.
pub(super) type Looked = Arc<Vec<Standing>>;

/// The look with which everything begins, so that nothing is told that nobody has looked at.
pub(super) async fn first(log: &Log, posts: &[Post]) -> Result<Looked, sqlx::Error> {
    let standings = look(log, posts).await?;
    for post in posts {
        post.told.send_if_modified(|status| update(status, post, &standings, &mut BTreeMap::new()));
    }
    Ok(Arc::new(standings))
}

/// While all is calm, one look in so many pauses.
const CALM: u32 = 30;

/// Looks until the process stops, or nobody listens any more.
pub(super) async fn look_out(log: Log, posts: Vec<Post>, pace: Pace, seen: watch::Sender<Looked>) {
    let mut rates = BTreeMap::new();
    let Some(first) = posts.first() else { return };
    let mut nudge = log.subscribe();
    while !first.stop.is_cancelled() {
        nudge.borrow_and_update();
        let mut calm = false;
        match look(&log, &posts).await {
            Ok(standings) => {
                calm = is_calm(&standings, &posts);
                for post in &posts {
                    post.told.send_if_modified(|status| update(status, post, &standings, &mut rates));
                }
                if seen.is_closed() {
                    return;
                }
                seen.send_if_modified(|last| {
                    let other = **last != standings;
                    *last = Arc::new(standings);
                    other
                });
            }
            Err(error) => tracing::warn!(error = %told(&error), "how projections stand could not be seen"),
        }
        tokio::select! {
            () = first.stop.cancelled() => {}
            () = first.look.notified() => {}
            () = tokio::time::sleep(pace.pause) => if calm {
                tokio::select! {
                    () = first.stop.cancelled() => {}
                    () = first.look.notified() => {}
                    _ = nudge.changed() => {}
                    () = tokio::time::sleep(pace.pause * CALM) => {}
                }
            }
        }
    }
}

/// Whether nothing is to be expected: every projection of ours serves, with all that the log holds, and no other tables are there.
fn is_calm(seen: &[Standing], posts: &[Post]) -> bool {
    let at_rest =
        |standing: &Standing| standing.state == State::Serving && standing.led_by.is_some() && standing.position == standing.head;
    seen.len() == posts.len() && seen.iter().all(at_rest)
}

/// How all stand. Where a version of ours has no generation, as somebody dropped its tables, a new one is begun.
async fn look(log: &Log, posts: &[Post]) -> Result<Vec<Standing>, sqlx::Error> {
    let found = standings(log.pool()).await;
    let whole = |found: &[Standing]| {
        let kept = |post: &Post, state| find(found, post.projection.as_ref(), state).is_some();
        posts.iter().all(|post| kept(post, State::Serving) || kept(post, State::Building))
    };
    let dropped = |error: &sqlx::Error| error.as_database_error().is_some_and(|error| error.code().as_deref() == Some("42P01"));
    match found {
        Ok(found) if whole(&found) => return Ok(found),
        Err(error) if !dropped(&error) => return Err(error),
        _ => {}
    }
    let projections: Vec<&dyn Projection> = posts.iter().map(|post| post.projection.as_ref()).collect();
    prepare(&mut *log.pool().acquire().await?, &projections).await?;
    standings(log.pool()).await
}

fn update(status: &mut ProjectorStatus, post: &Post, seen: &[Standing], rates: &mut BTreeMap<Generation, Rate>) -> bool {
    let before = status.clone();
    let ours = |state| seen.iter().find(|standing| standing.is_of(post.projection.as_ref()) && standing.state == state);
    let serving = ours(State::Serving);
    status.serves(serving.map(|standing| standing.generation));
    if let Some(standing) = serving.filter(|_| !status.leads) {
        status.position = status.position.max(standing.position);
        (status.stopped_at, status.why) = (standing.stopped_at, standing.why.clone());
    }
    status.building = ours(State::Building).map(|standing| {
        let generation = Generation::of(post.projection.as_ref(), standing.generation);
        let now = Instant::now();
        let rate = rates.entry(generation).or_insert_with(|| Rate::starting(standing.position, now));
        rate.look(standing.position, now);
        BuildStatus {
            generation: standing.generation,
            position: standing.position,
            rate: rate.per_second(),
            seconds_left: rate.seconds_left(standing.head),
            stopped_at: standing.stopped_at,
            why: standing.why.clone(),
        }
    });
    *status != before
}
