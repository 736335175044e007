//! Lists by pages: to the microsecond, and while the list grows.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use leasehold_aggregates::run::{RunEvent, RunStatus};
use leasehold_projections::ledger::{self, LedgerFilter};
use leasehold_projections::runs::{self, RunFilter, RunRow, RunSort};
use leasehold_projections::{PageRequest, ReadFault};

use crate::bench::{Fact, World, at, phase, scheduled, step};
use crate::history::History;

fn due(id: &str, microseconds: i64) -> Fact {
    let instant = at(0) + TimeDelta::microseconds(microseconds);
    let run = Box::new(scheduled(id, "d1", instant, vec![phase("one", vec![step("a")], None)]));
    Fact::of("run", id, &RunEvent::RunScheduled { at: at(-60), run })
}

async fn page(history: &History, filter: &RunFilter, token: Option<String>, limit: u32) -> (Vec<RunRow>, Option<String>) {
    let page =
        runs::list(history.log.pool(), filter, RunSort::default(), &PageRequest { token, limit: Some(limit) }).await.unwrap();
    (page.items, page.next_page_token)
}

#[tokio::test]
async fn three_hundred_runs_within_one_millisecond_come_once_each() {
    let mut history = History::new().await;
    let facts: Vec<Fact> = (0..300).map(|nth| due(&format!("r{nth}"), nth % 250)).collect();
    history.append(&facts).await;
    history.catch_up().await;
    let mut seen: Vec<RunRow> = Vec::new();
    let mut token = None;
    loop {
        let (rows, next) = page(&history, &RunFilter::default(), token, 50).await;
        seen.extend(rows);
        token = next;
        if token.is_none() {
            break;
        }
    }
    let ids: BTreeSet<&str> = seen.iter().map(|row| row.summary.id.as_str()).collect();
    assert_eq!((seen.len(), ids.len()), (300, 300));
    assert!(seen.is_sorted_by(|a, b| (a.summary.scheduled_for, &a.summary.id) > (b.summary.scheduled_for, &b.summary.id)));
    let instant = seen[7].summary.scheduled_for;
    let since = RunFilter { from: Some(instant), ..RunFilter::default() };
    let (rows, _) = page(&history, &since, None, 200).await;
    assert_eq!(rows.last().unwrap().summary.scheduled_for, instant, "an instant that was read compares equal when sent back");
}

#[tokio::test]
async fn a_list_that_grows_repeats_nothing_and_leaves_nothing_out() {
    let mut history = History::new().await;
    history.append(&(0..20).map(|nth| due(&format!("r{nth:02}"), nth)).collect::<Vec<_>>()).await;
    history.catch_up().await;
    let (first, token) = page(&history, &RunFilter::default(), None, 10).await;
    history.append(&[due("newer", 500)]).await;
    history.catch_up().await;
    let (second, end) = page(&history, &RunFilter::default(), token, 10).await;
    let ids: BTreeSet<String> = first.into_iter().chain(second).map(|row| row.summary.id).collect();
    assert_eq!(ids, (0..20).map(|nth| format!("r{nth:02}")).collect());
    assert_eq!(end, None);
}

#[tokio::test]
async fn runs_are_found_by_what_they_are() {
    let (mut world, mut history) = (World::new(51), History::new().await);
    history.append_all(&world.commands(500)).await;
    history.catch_up().await;
    let wanted = [RunStatus::Completed, RunStatus::Cancelled];
    let filter = RunFilter { statuses: wanted.to_vec(), definitions: Some(vec!["d1".into()]), ..RunFilter::default() };
    let (rows, _) = page(&history, &filter, None, 200).await;
    let fits = |run: &&leasehold_aggregates::run::Run| {
        wanted.contains(&run.status) && run.scheduled.as_ref().unwrap().definition_id == "d1"
    };
    assert_eq!(rows.len(), world.runs.values().filter(fits).count());
    assert!(!rows.is_empty());
    let nowhere = RunFilter { scope: Some("elsewhere".into()), ..RunFilter::default() };
    assert!(page(&history, &nowhere, None, 200).await.0.is_empty());
    let range = RunFilter { from: Some(at(100)), to: Some(at(400)), ..RunFilter::default() };
    let (rows, _) = page(&history, &range, None, 200).await;
    assert!(rows.iter().all(|row| row.summary.scheduled_for >= at(100) && row.summary.scheduled_for < at(400)));
}

#[tokio::test]
async fn the_ledger_is_found_by_what_is_still_to_be_looked_at() {
    let (mut world, mut history) = (World::new(52), History::new().await);
    history.append_all(&world.commands(600)).await;
    history.catch_up().await;
    let unresolved = LedgerFilter { unresolved: true, ..LedgerFilter::default() };
    let mut found = 0;
    let mut request = PageRequest { token: None, limit: Some(5) };
    loop {
        let page = ledger::list(history.log.pool(), &unresolved, &request).await.unwrap();
        assert!(page.items.iter().all(|row| row.status.unresolved()));
        found += page.items.len();
        request.token = page.next_page_token;
        if request.token.is_none() {
            break;
        }
    }
    let expected = world.ledger.values().filter(|entry| entry.hold.as_ref().unwrap().status.unresolved()).count();
    assert_eq!(found, expected);
    let named = LedgerFilter { named_only: true, ..LedgerFilter::default() };
    let page = ledger::list(history.log.pool(), &named, &PageRequest { token: None, limit: Some(200) }).await.unwrap();
    assert!(page.items.iter().all(|row| !row.target.is_placeholder()));
    assert_eq!(page.items.len(), world.ledger.keys().filter(|target| !target.is_placeholder()).count());
}

#[tokio::test]
async fn a_token_of_another_list_is_refused_in_words() {
    let mut history = History::new().await;
    history.append(&[due("a", 0), due("b", 1)]).await;
    history.catch_up().await;
    let (_, token) = page(&history, &RunFilter::default(), None, 1).await;
    let request = PageRequest { token, limit: None };
    let refused = ledger::list(history.log.pool(), &LedgerFilter::default(), &request).await.unwrap_err();
    assert!(matches!(refused, ReadFault::BadToken), "{refused}");
}
