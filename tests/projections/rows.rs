//! Reading a whole run through the engine: its story up to a place or an instant.

use leasehold::engine::stories::{NotThere, Until};
use leasehold_aggregates::decide::RefusalKind;
use leasehold_projections::run_view::RunSummary;

use crate::bench::World;
use crate::history::History;
use crate::stories::Library;

#[tokio::test]
async fn a_story_ends_at_a_position_or_an_instant() {
    let (mut world, mut history) = (World::new(61), History::new().await);
    history.append_all(&world.commands(300)).await;
    let (library, (id, run)) = (Library::new(), world.runs.iter().max_by_key(|(_, run)| run.version).unwrap());
    let stories = library.stories(&history);
    let whole = stories.story(id, Until::Now).await.unwrap();
    assert_eq!(whole.run, RunSummary::of(id, run, whole.run.position).unwrap());
    assert_eq!(stories.story(id, Until::Position(history.head)).await.unwrap(), whole);
    for line in &whole.lines {
        let to_position = stories.story(id, Until::Position(line.position)).await.unwrap();
        assert_eq!(to_position.run.position, line.position);
        let to_instant = stories.story(id, Until::Instant(line.at)).await.unwrap();
        let by_then: Vec<_> = whole.lines.iter().filter(|other| other.at <= line.at).collect();
        assert_eq!(to_instant.lines.iter().collect::<Vec<_>>(), by_then);
        let before = line.at - chrono::TimeDelta::microseconds(1);
        let earlier = whole.lines.iter().filter(|other| other.at <= before).count();
        let told = stories.story(id, Until::Instant(before)).await.map_or(0, |story| story.lines.len());
        assert_eq!(told, earlier, "to the microsecond");
    }
}

#[tokio::test]
async fn a_run_that_was_not_there_is_missing() {
    let (mut world, mut history) = (World::new(62), History::new().await);
    history.append_all(&world.commands(60)).await;
    let (library, first) = (Library::new(), world.runs.keys().next().unwrap());
    let stories = library.stories(&history);
    for (id, until) in [("nobody", Until::Now), (first.as_str(), Until::Position(0)), ("", Until::Now), ("a\u{1}b", Until::Now)] {
        let fault = stories.story(id, until).await.unwrap_err();
        assert_eq!(fault.refusal_kind(), Some(RefusalKind::Missing), "{id:?}: {fault}");
    }
    let before = stories.story(first, Until::Position(0)).await.unwrap_err().to_string();
    assert!(before.contains("was not there by then: it came into being at position"), "{before}");
    let beyond = stories.replay(first, Until::Position(history.head + 1)).await.unwrap_err().to_string();
    let refusal = NotThere::BeyondHead { asked: history.head + 1, head: history.head };
    assert_eq!(beyond, refusal.to_string());
    let tomorrow = stories.now + chrono::TimeDelta::days(1);
    let ahead = stories.replay(first, Until::Instant(tomorrow)).await.unwrap_err().to_string();
    assert!(ahead.contains("has not come yet") && ahead.contains(&history.head.to_string()), "{ahead}");
}
