//! Reading a whole run through the engine: its story up to a place or an instant.

use leasehold::engine::stories::{Until, story};
use leasehold_aggregates::decide::RefusalKind;
use leasehold_projections::run_view::RunSummary;

use crate::bench::World;
use crate::history::History;

#[tokio::test]
async fn a_story_ends_at_a_position_or_an_instant() {
    let (mut world, mut history) = (World::new(61), History::new().await);
    history.append_all(&world.commands(300)).await;
    let (id, run) = world.runs.iter().max_by_key(|(_, run)| run.version).unwrap();
    let whole = story(&history.log, id, Until::Now).await.unwrap();
    assert_eq!(whole.run, RunSummary::of(id, run, whole.run.position).unwrap());
    let middle = &whole.lines[whole.lines.len() / 2];
    let to_position = story(&history.log, id, Until::Position(middle.position)).await.unwrap();
    assert_eq!(to_position.run.position, middle.position);
    let to_instant = story(&history.log, id, Until::Instant(middle.at)).await.unwrap();
    assert!(to_instant.lines.iter().all(|line| line.at <= middle.at));
    assert!(to_instant.lines.len() >= to_position.lines.len());
    assert_eq!(story(&history.log, id, Until::Position(u64::MAX)).await.unwrap(), whole);
}

#[tokio::test]
async fn a_run_that_was_not_there_is_missing() {
    let (mut world, mut history) = (World::new(62), History::new().await);
    history.append_all(&world.commands(60)).await;
    let first = world.runs.keys().next().unwrap();
    for (id, until) in [("nobody", Until::Now), (first.as_str(), Until::Position(0)), ("", Until::Now), ("a\u{1}b", Until::Now)] {
        let fault = story(&history.log, id, until).await.unwrap_err();
        assert_eq!(fault.refusal_kind(), Some(RefusalKind::Missing), "{id:?}: {fault}");
    }
}
