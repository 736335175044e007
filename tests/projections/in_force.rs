//! What was in force at a place: every hold of the fold of every target's stream, and no other.

use std::collections::BTreeMap;

use leasehold::engine::in_force::{HeldThen, InForceFault, of_all, of_target};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::ledger::{Entry, LedgerEvent};
use leasehold_aggregates::target::Target;
use leasehold_projections::in_force::InForce;
use leasehold_projections::{PageRequest, ReadFault};

use crate::bench::{Fact, World, recorded};
use crate::history::History;

/// Position 0 is the log's opening; the facts of a history lie behind it, in the order of their command's streams.
async fn entries(history: &History, position: u64) -> BTreeMap<Target, Entry> {
    let mut entries: BTreeMap<Target, Entry> = BTreeMap::new();
    for event in history.log.read_after(None, u32::MAX).await.unwrap() {
        if event.stream.aggregate_type == "ledger" && event.position <= position {
            let target = Target::from_stream_id(&event.stream.aggregate_id).unwrap();
            let decoded: LedgerEvent = serde_json::from_value(event.payload).unwrap();
            entries.entry(target).or_default().apply(decoded);
        }
    }
    entries.retain(|_, entry| entry.holder().is_some());
    entries
}

async fn all(history: &History, position: u64, limit: u32) -> Vec<InForce> {
    let (mut request, mut items) = (PageRequest { token: None, limit: Some(limit) }, Vec::new());
    loop {
        let HeldThen { then, page } = of_all(&history.log, position, &request).await.unwrap();
        assert_eq!(then.position, position);
        items.extend(page.items);
        request.token = page.next_page_token;
        if request.token.is_none() {
            return items;
        }
    }
}

fn target(item: &InForce) -> Target {
    let (module, scope, kind) = (item.module.clone(), item.scope.clone(), item.kind.clone());
    Target { module, scope, kind, reference: item.reference.clone() }
}

#[tokio::test]
async fn it_is_every_hold_of_every_targets_fold_at_any_position() {
    let (mut world, mut history) = (World::new(81), History::new().await);
    history.append_all(&world.commands(500)).await;
    let mut most = 0;
    for position in (0..=history.head).step_by(41).chain([history.head]) {
        let (expected, items) = (entries(&history, position).await, all(&history, position, 3).await);
        assert_eq!(items.iter().map(target).collect::<Vec<_>>().len(), expected.len(), "at {position}");
        for item in &items {
            let hold = expected[&target(item)].holder().unwrap();
            assert_eq!((item.status, &item.run_id, &item.step), (hold.status, &hold.run_id, &hold.step), "at {position}");
            assert_eq!((&item.baseline, &item.applied, item.lease_until), (&hold.baseline, &hold.applied, hold.until));
            assert!(item.held_since.position <= position && item.scheduled.signature.position < item.held_since.position);
            assert!(item.started.as_ref().is_some_and(|started| started.signature.position <= position));
            let alone = of_target(&history.log, &target(item), position).await.unwrap();
            assert_eq!(alone.page.items, std::slice::from_ref(item));
        }
        most = most.max(items.len());
    }
    assert!(most > 3, "there were pages: {most}");
}

#[tokio::test]
async fn a_list_stands_where_it_began_however_far_the_log_goes_on() {
    let (mut world, mut history) = (World::new(82), History::new().await);
    history.append_all(&world.commands(400)).await;
    let (stood, expected) = (history.head, all(&history, history.head, 200).await);
    assert!(expected.len() > 2);
    let request = PageRequest { token: None, limit: Some(1) };
    let first = of_all(&history.log, stood, &request).await.unwrap().page;
    history.append_all(&world.commands(200)).await;
    let mut request = PageRequest { token: first.next_page_token, limit: Some(200) };
    let rest = of_all(&history.log, history.head, &request).await.unwrap();
    assert_eq!(rest.then.position, stood);
    assert_eq!([first.items, rest.page.items].concat(), expected);
    request.token = Some(hex_of(&format!("in_force\u{1f}{}\u{1f}x", history.head + 1)));
    let fault = of_all(&history.log, history.head, &request).await.unwrap_err();
    assert!(matches!(fault, InForceFault::Page(ReadFault::BadToken)), "{fault}");
}

fn hex_of(text: &str) -> String {
    hex::encode(text)
}

#[tokio::test]
async fn what_nobody_can_read_is_named_where_it_matters_and_nowhere_else() {
    let (mut world, mut history) = (World::new(83), History::new().await);
    history.append_all(&world.commands(300)).await;
    let before = history.head;
    let held = all(&history, before, 200).await;
    let stream = target(&held[0]).stream_id();
    let poison = history.raw(("ledger", &stream), "target_sung", "1", r#"{"type": "target_sung"}"#, "{}").await;
    history.raw(("lamp", "l1"), "lamp_lit", "1", "{}", "null").await;
    assert_eq!(all(&history, before, 200).await, held);
    let request = PageRequest { token: None, limit: None };
    let Err(InForceFault::Engine(fault)) = of_all(&history.log, history.head, &request).await else { panic!("it was read") };
    assert_eq!(fault.unreadable(), Some(poison));
    let other = of_target(&history.log, &target(&held[1]), history.head).await.unwrap();
    assert_eq!(other.page.items.len(), 1, "another target has nothing to do with it");
}

#[test]
fn facts_of_a_target_alone_tell_its_hold() {
    let target = Target::lease("demo", "main", "demo.rate.gather");
    let (run_id, step) = ("r1".to_owned(), "rate".to_owned());
    let events = [
        LedgerEvent::TargetReserved { run_id: run_id.clone(), step, wanted: Some("2".into()), until: None },
        LedgerEvent::UndoBegun { run_id: run_id.clone(), round: 0, attempt: 2 },
        LedgerEvent::TargetReverted { run_id, reason: leasehold_aggregates::ledger::Let::Restored },
    ];
    let facts: Vec<Fact> = events.iter().map(|event| Fact::of("ledger", &target.stream_id(), event)).collect();
    let seen = recorded(&facts);
    let held = leasehold_projections::in_force::held(&target, &seen[..2]).unwrap().unwrap();
    assert_eq!((held.since.position, held.hold.undo_attempts), (1, 2));
    assert_eq!(leasehold_projections::in_force::held(&target, &seen).unwrap(), None);
}
