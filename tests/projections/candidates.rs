//! Two parts of one process that run for the same consumer: one builds a generation, the other follows it.

use std::time::Duration;

use leasehold::engine::leaders::{Leaders, Term};
use leasehold::telling::Pulse;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::history::History;

const CONSUMER: &str = "projection/counted/1/1";
const TERM: Duration = Duration::from_secs(60);

#[tokio::test]
async fn what_one_part_resigns_the_other_goes_on_leading() {
    let history = History::new().await;
    let (tasks, stop, heart) = (TaskTracker::new(), CancellationToken::new(), Pulse::default().heart("leadership"));
    let leaders = Leaders::start(&history.log, Uuid::from_u128(1), Term::of(TERM), heart, &tasks, &stop);
    let mut epochs = leaders.epochs();
    leaders.run_for(CONSUMER);
    let builds = epochs.wait_for(|epochs| epochs.contains_key(CONSUMER)).await.unwrap()[CONSUMER];
    leaders.run_for(CONSUMER);
    leaders.resign(CONSUMER).await;
    assert_eq!(leaders.epochs().borrow().get(CONSUMER), Some(&builds), "who follows leads on in the epoch of who built");
    let other = Uuid::from_u128(2);
    assert_eq!(history.log.acquire(CONSUMER, other, TERM).await.unwrap(), None);

    leaders.resign(CONSUMER).await;
    assert_eq!(leaders.epochs().borrow().get(CONSUMER), None);
    assert_eq!(history.log.acquire(CONSUMER, other, TERM).await.unwrap(), Some(builds + 1), "nobody has to wait for the expiry");
    stop.cancel();
    tasks.close();
    tasks.wait().await;
}
