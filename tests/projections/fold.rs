//! A row says what folding its stream says, whatever has happened.

use leasehold_projections::ledger::{self, LedgerFilter};
use leasehold_projections::run_view::RunSummary;
use leasehold_projections::{PageRequest, runs};

use crate::bench::World;
use crate::history::History;

#[tokio::test]
async fn a_run_is_the_fold_of_its_stream_after_every_few_commands() {
    for seed in 0..6 {
        let (mut world, mut history) = (World::new(seed), History::new().await);
        for _ in 0..8 {
            for facts in world.commands(30) {
                history.append(&facts).await;
            }
            history.catch_up().await;
            for (id, run) in &world.runs {
                let row = runs::find(history.log.pool(), id).await.unwrap().unwrap();
                let expected = RunSummary::of(id, run, row.summary.position).unwrap();
                assert_eq!(row.summary, expected, "seed {seed}");
            }
        }
    }
}

#[tokio::test]
async fn a_target_is_the_fold_of_its_stream() {
    for seed in 10..14 {
        let (mut world, mut history) = (World::new(seed), History::new().await);
        history.append_all(&world.commands(400)).await;
        history.catch_up().await;
        let request = PageRequest { token: None, limit: Some(200) };
        let page = ledger::list(history.log.pool(), &LedgerFilter::default(), &request).await.unwrap();
        assert_eq!((page.items.len(), page.next_page_token), (world.ledger.len(), None), "seed {seed}");
        for row in page.items {
            let hold = world.ledger[&row.target].hold.clone().unwrap();
            assert_eq!((row.status, row.run_id, row.step), (hold.status, hold.run_id, hold.step), "seed {seed}");
            assert_eq!((row.baseline, row.applied, row.found), (hold.baseline, hold.applied, hold.found));
            assert_eq!((row.lease_until, row.revert_attempts), (hold.until, u64::from(hold.undo_attempts)));
            assert!(row.first_position <= row.held_from && row.held_from <= row.position);
        }
    }
}

#[tokio::test]
async fn following_along_and_filling_from_the_beginning_come_to_the_same_rows() {
    let commands = World::new(21).commands(900);
    let (mut along, mut later) = (History::new().await, History::new().await);
    for some in commands.chunks(17) {
        along.append_all(some).await;
        along.catch_up().await;
    }
    later.append_all(&commands).await;
    later.catch_up().await;
    let rows = along.rows().await;
    assert!(rows.len() > 50);
    assert_eq!(rows, later.rows().await);
}
