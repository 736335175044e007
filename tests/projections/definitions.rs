//! Definitions in lists: the log's part, the draft's part, and what their runs say.

use leasehold::log::{Append, RowWrite};
use leasehold_aggregates::definition::{Content, DefinitionEvent, DefinitionState, Draft};
use leasehold_aggregates::run::RunEvent;
use leasehold_projections::definitions::{self, DefinitionFilter, DefinitionRow};
use leasehold_projections::{PageRequest, ReadFault};
use serde_json::json;
use uuid::Uuid;

use crate::bench::{Fact, at, content, phase, published, scheduled, step};
use crate::history::History;

async fn find(history: &History, id: &str) -> DefinitionRow {
    history.catch_up().await;
    definitions::find(history.log.pool(), id).await.unwrap().unwrap()
}

async fn save(history: &History, revision: u64, content: Content) {
    let draft = Draft { slug: "slug-d1".into(), series_id: Some("s1".into()), series_order: Some(4), content };
    let mut append = Append::of(Uuid::from_u128(900 + u128::from(revision)));
    let (by, at) = ("tester".to_owned(), at(0));
    let body = draft.to_body();
    append.rows = vec![RowWrite::Draft { definition_id: "d1".into(), expected_revision: revision, body, by, at }];
    history.log.append(append).await.unwrap();
}

#[tokio::test]
async fn a_draft_is_listed_by_what_its_author_wrote() {
    let mut history = History::new().await;
    let created = DefinitionEvent::DefinitionCreated { slug: "slug-d1".into() };
    history.append(&[Fact::of("definition", "d1", &created)]).await;
    save(&history, 0, content("In the making")).await;
    let row = find(&history, "d1").await;
    assert_eq!((row.state, row.version, row.title.as_deref()), (DefinitionState::Draft, None, Some("In the making")));
    assert_eq!((row.series_id.as_deref(), row.series_order), (Some("s1"), Some(4)));
    assert_eq!((row.schedule.as_deref(), row.unpublished_edits, row.verified), (Some("once"), true, false));
}

#[tokio::test]
async fn edits_count_from_the_version_that_is_published() {
    let mut history = History::new().await;
    history.append(&published("d1", "First")).await;
    save(&history, 0, content("First")).await;
    assert!(!find(&history, "d1").await.unpublished_edits, "the series and the slug are of no version");
    save(&history, 1, content("Second")).await;
    let row = find(&history, "d1").await;
    assert_eq!((row.unpublished_edits, row.title.as_deref()), (true, Some("First")));
    let second = DefinitionEvent::DefinitionPublished { version: 2, content: Box::new(content("Second")) };
    history.append(&[Fact::of("definition", "d1", &second)]).await;
    let row = find(&history, "d1").await;
    assert_eq!((row.unpublished_edits, row.title.as_deref(), row.version), (false, Some("Second"), Some(2)));
}

#[tokio::test]
async fn a_version_is_verified_by_itself_and_every_version_is_kept() {
    let mut history = History::new().await;
    history.append(&published("d1", "First")).await;
    history.append(&[Fact::of("definition", "d1", &DefinitionEvent::DefinitionVerified { version: 1 })]).await;
    assert!(find(&history, "d1").await.verified);
    let second = DefinitionEvent::DefinitionPublished { version: 2, content: Box::new(content("Second")) };
    history.append(&[Fact::of("definition", "d1", &second)]).await;
    assert!(!find(&history, "d1").await.verified, "a pass of one version says nothing of the next");
    let pool = history.log.pool();
    let first_page = PageRequest { token: None, limit: Some(1) };
    let newest = definitions::list_versions(pool, "d1", &first_page).await.unwrap();
    assert_eq!((newest.items[0].version, newest.items[0].verified_at), (2, None));
    let rest = PageRequest { token: newest.next_page_token, limit: None };
    let oldest = definitions::list_versions(pool, "d1", &rest).await.unwrap();
    assert_eq!((oldest.items.len(), oldest.items[0].verified_by.as_deref()), (1, Some("tester")));
    assert_eq!((oldest.items[0].published_at, oldest.items[0].verified_at), (at(1), Some(at(2))));
    assert_eq!(definitions::content(pool, "d1", 1).await.unwrap().unwrap(), json!(content("First")));
    assert_eq!(definitions::content(pool, "d1", 3).await.unwrap(), None);
    let foreign = definitions::list_versions(pool, "d1", &PageRequest { token: Some("00".into()), limit: None }).await;
    assert!(matches!(foreign, Err(ReadFault::BadToken)));
}

#[tokio::test]
async fn the_next_occurrence_and_the_health_are_the_runs() {
    let mut history = History::new().await;
    history.append(&published("d1", "First")).await;
    let due = |id: &str, seconds| {
        let run = Box::new(scheduled(id, "d1", at(seconds), vec![phase("one", vec![step("a")], None)]));
        Fact::of("run", id, &RunEvent::RunScheduled { at: at(0), run })
    };
    history.append(&[due("late", 7_200), due("soon", 3_600)]).await;
    let row = find(&history, "d1").await;
    assert_eq!((row.next_occurrence, row.health), (Some(at(3_600)), None));
    let started = RunEvent::RunStarted { at: at(3_600), late_seconds: 0, budget: Vec::new() };
    history.append(&[Fact::of("run", "soon", &started)]).await;
    let row = find(&history, "d1").await;
    assert_eq!((row.next_occurrence, row.health.map(|health| health.to_string())), (Some(at(7_200)), Some("ok".into())));
    let runs = leasehold_projections::runs::find(history.log.pool(), "soon").await.unwrap().unwrap();
    assert_eq!(runs.slug.as_deref(), Some("slug-d1"));
}

#[tokio::test]
async fn definitions_are_paged_by_slug_and_found_by_state() {
    let mut history = History::new().await;
    for id in ["c", "a", "b"] {
        history.append(&published(id, id)).await;
    }
    history.append(&[Fact::of("definition", "b", &DefinitionEvent::DefinitionArchived {})]).await;
    history.catch_up().await;
    let (pool, all) = (history.log.pool(), DefinitionFilter::default());
    let first = definitions::list(pool, &all, &PageRequest { token: None, limit: Some(2) }).await.unwrap();
    let rest = PageRequest { token: first.next_page_token, limit: Some(2) };
    let second = definitions::list(pool, &all, &rest).await.unwrap();
    let ids: Vec<String> = first.items.into_iter().chain(second.items).map(|row| row.id).collect();
    assert_eq!(ids, ["a", "b", "c"]);
    let archived = DefinitionFilter { states: vec![DefinitionState::Archived], ..all };
    let page = definitions::list(pool, &archived, &PageRequest::default()).await.unwrap();
    assert_eq!(page.items.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), ["b"]);
    assert!(page.items[0].archived_at.is_some());
}
