use super::{file::open, store::Entry, *};
use serde_json::json;
use std::{fs, time::Duration};

const PLENTY: Retention = Retention { reports: 1_000, age: Duration::from_secs(3600), bytes: 1 << 30 };

fn frame(nth: u64) -> Map<String, Value> {
    json!({"kind": "mob.killed", "t": nth}).as_object().cloned().unwrap()
}

fn numbered(seq: u64) -> Map<String, Value> {
    json!({"kind": "a.kind.of.tomorrow", "seq": seq}).as_object().cloned().unwrap()
}

async fn numbers(feed: &FeedStore, scope: &str, after: u64) -> Vec<u64> {
    feed.after(scope, after, 10_000).await.unwrap().reports.iter().map(|report| report.n).collect()
}

/// The file is given back by the writing thread some time after the last hand is off it.
async fn reopen(path: &Path, fresh: &str) -> FeedStore {
    let mut tries = 0;
    loop {
        match FeedStore::open(path, fresh, PLENTY) {
            Err(FeedFailure::InUse(_)) if tries < 4_000 => tokio::time::sleep(Duration::from_millis(5)).await,
            opened => return opened.unwrap(),
        }
        tries += 1;
    }
}

#[tokio::test]
async fn what_was_reported_is_there_again_and_each_scope_counts_for_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("token.feed");
    let feed = FeedStore::open(&path, "one", PLENTY).unwrap();
    for nth in 1..=3 {
        feed.keep("main", "b", frame(nth)).await.unwrap();
    }
    feed.keep("west", "b", frame(9)).await.unwrap();
    assert!(matches!(FeedStore::open(&path, "two", PLENTY), Err(FeedFailure::InUse(_))));
    drop(feed);
    let again = reopen(&path, "two").await;
    let read = again.after("main", 1, 10).await.unwrap();
    assert_eq!((read.feed.as_str(), read.oldest, read.newest), ("one", 1, 3));
    assert_eq!(read.reports.iter().map(|report| report.n).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(again.after("west", 0, 10).await.unwrap().reports[0].frame, frame(9));
    assert_eq!(again.scopes(), ["main", "west"]);
    let (waited, kept) = tokio::join!(again.grown_past("main", 3), again.keep("main", "b", frame(4)));
    assert_eq!((waited, kept.is_ok(), again.extent("main")), ((), true, Extent { oldest: 1, newest: 4 }));
    let nowhere = again.after("nowhere", 0, 10).await.unwrap();
    assert_eq!((nowhere.oldest, nowhere.newest, nowhere.reports), (1, 0, Vec::new()));
}

#[tokio::test]
async fn what_is_kept_under_its_number_is_kept_once_whatever_comes_between() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("token.feed");
    let feed = FeedStore::open(&path, "one", PLENTY).unwrap();
    for seq in [1, 2, 2, 1, 5, 3, 6] {
        feed.keep("main", "boot-1", numbered(seq)).await.unwrap();
    }
    assert_eq!(feed.extent("main").newest, 4, "1, 2, 5 and 6; a game may give numbers up");
    feed.keep("main", "boot-2", numbered(1)).await.unwrap();
    drop(feed);
    let feed = reopen(&path, "two").await;
    feed.keep("main", "boot-1", numbered(6)).await.unwrap();
    feed.keep("west", "boot-1", numbered(6)).await.unwrap();
    assert_eq!((feed.extent("main").newest, feed.extent("west").newest), (5, 1));
    for odd in [json!(0), json!(-1), json!("7"), json!(u64::MAX), json!(1.5)] {
        let mut frame = frame(1);
        frame.insert("seq".into(), odd);
        feed.keep("main", "boot-1", frame).await.unwrap();
    }
    assert_eq!(feed.extent("main").newest, 10, "what is no number tells no report from another");
}

#[tokio::test]
async fn what_is_told_as_kept_is_told_in_order_and_once_for_each() {
    let folder = tempfile::tempdir().unwrap();
    let feed = FeedStore::open(&folder.path().join("token.feed"), "one", PLENTY).unwrap();
    let (done, mut told) = mpsc::unbounded_channel();
    for seq in 1..=2_000 {
        let frame = if seq % 3 == 0 { frame(seq) } else { numbered(seq) };
        feed.accept(Incoming { scope: "main".into(), boot_id: "b".into(), frame, done: done.clone() }).await.unwrap();
    }
    for seq in 1..=2_000 {
        assert_eq!(told.recv().await.unwrap().unwrap(), Some(seq).filter(|seq| seq % 3 != 0));
    }
    assert_eq!(numbers(&feed, "main", 0).await, (1..=1_000).map(|n| n + 1_000).collect::<Vec<u64>>(), "and the newest are kept");
}

#[test]
fn what_is_too_many_too_old_or_too_long_is_dropped_oldest_first_and_numbers_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("token.feed");
    let length = serde_json::to_string(&frame(1)).unwrap().len() as u64;
    let retention = Retention { reports: 5, age: Duration::from_secs(10), bytes: 4 * length };
    let file::Opened { mut store, mut reader, .. } = open(&path, "one", retention).unwrap();
    let mut write = |count: u64, now_ms: i64| {
        let frames: Vec<_> = (0..count).map(|_| frame(1)).collect();
        let entries: Vec<_> = frames.iter().map(|frame| Entry { scope: "main", boot_id: "b", seq: None, frame }).collect();
        store.write(&entries, now_ms).unwrap();
        store.extents()["main"]
    };
    assert_eq!(write(3, 1_000), Extent { oldest: 1, newest: 3 });
    assert_eq!(write(4, 2_000), Extent { oldest: 4, newest: 7 }, "four of that length are kept");
    // A clock that was set back makes nothing younger; one that runs on ends what is old.
    assert_eq!(write(1, 500), Extent { oldest: 5, newest: 8 });
    assert_eq!(write(1, 12_001), Extent { oldest: 9, newest: 9 });
    assert_eq!(write(0, 30_000), Extent { oldest: 10, newest: 9 });
    assert_eq!(reader.after("main", 0, 10).unwrap(), (Extent { oldest: 10, newest: 9 }, Vec::new()));
    assert_eq!(write(1, 30_000), Extent { oldest: 10, newest: 10 });
    drop((store, reader));
    let file::Opened { store, .. } = open(&path, "two", retention).unwrap();
    assert_eq!(store.extents()["main"], Extent { oldest: 10, newest: 10 });
}

#[test]
fn a_full_disk_keeps_nothing_by_half_and_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let file::Opened { mut store, mut reader, .. } = open(&folder.path().join("token.feed"), "one", PLENTY).unwrap();
    let long = json!({"kind": "k", "text": "x".repeat(200_000)}).as_object().cloned().unwrap();
    let entries: Vec<_> = (1..=9).map(|seq| Entry { scope: "main", boot_id: "b", seq: Some(seq), frame: &long }).collect();
    store.limit_pages(100);
    let fault = store.write(&entries, 1).unwrap_err().to_string();
    assert!(fault.contains("full"), "{fault}");
    assert_eq!(reader.after("main", 0, 10).unwrap(), (Extent::EMPTY, Vec::new()));
    store.limit_pages(1_000_000);
    store.write(&entries, 1).unwrap();
    assert_eq!(store.extents()["main"], Extent { oldest: 1, newest: 9 });
    let (_, first) = reader.after("main", 0, 10).unwrap();
    assert_eq!(first.len(), 2, "an answer is no longer than an engine reads");
}

#[tokio::test]
async fn what_is_no_feed_is_put_aside() {
    for other in ["{\"feed\":\"one\"}\n", "SQLite format 3\0and then nothing of the kind"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token.feed");
        fs::write(&path, other).unwrap();
        let feed = FeedStore::open(&path, "two", PLENTY).unwrap();
        let empty = Feed { feed: "two".into(), oldest: 1, newest: 0, reports: Vec::new() };
        assert_eq!(feed.after("main", 0, 10).await.unwrap(), empty);
        assert_eq!(fs::read_to_string(folder.path().join("token.feed.broken")).unwrap(), other);
    }
}

#[tokio::test]
async fn behind_a_report_that_is_not_kept_no_higher_number_is_until_all_are_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let file::Opened { mut store, mut reader, .. } = open(&folder.path().join("token.feed"), "one", PLENTY).unwrap();
    let (extents, mut broken) = (extent::Extents::new(store.extents()), writer::Broken::default());
    let long = "x".repeat(200_000);
    let way = |done: &mpsc::UnboundedSender<Outcome>, seqs: std::ops::RangeInclusive<u64>, text: &str| {
        let frame = |seq| json!({"kind": "k", "seq": seq, "text": text}).as_object().cloned().unwrap();
        let incoming = |seq| Incoming { scope: "main".into(), boot_id: "b".into(), frame: frame(seq), done: done.clone() };
        seqs.map(incoming).collect::<Vec<_>>()
    };
    let mut hand_in = |store: &mut store::Store, batch| {
        let passed = broken.pass(batch);
        writer::flush(store, &extents, &passed, &mut broken);
    };
    let (done, mut told) = mpsc::unbounded_channel();
    store.limit_pages(100);
    hand_in(&mut store, way(&done, 1..=9, &long));
    assert!((1..=9).all(|_| told.try_recv().unwrap().is_err()));
    hand_in(&mut store, way(&done, 10..=11, "short"));
    assert!((10..=11).all(|_| told.try_recv().unwrap().is_err()), "there is room for these, but not for those before them");
    assert_eq!(reader.after("main", 0, 10).unwrap().0, Extent::EMPTY);

    store.limit_pages(1_000_000);
    let (again, mut told) = mpsc::unbounded_channel();
    hand_in(&mut store, way(&again, 1..=11, "short"));
    assert_eq!((1..=11).map(|_| told.try_recv().unwrap().unwrap()).collect::<Vec<_>>(), (1..=11).map(Some).collect::<Vec<_>>());
    assert_eq!(reader.after("main", 0, 20).unwrap().1.len(), 11);
}

#[tokio::test]
async fn a_feed_that_cannot_be_looked_at_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("token.feed");
    fs::create_dir(&path).unwrap();
    assert!(matches!(FeedStore::open(&path, "two", PLENTY), Err(FeedFailure::Unwritable { .. })));
    assert!(path.is_dir() && !folder.path().join("token.feed.broken").exists());
}
