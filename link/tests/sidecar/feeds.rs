//! What games report: kept before it is acknowledged, once, over every kind of end.

use crate::support::{Game, Sidecar, sidecar_in};
use serde_json::{Value, json};

fn report(seq: u64) -> Value {
    json!({"kind": "a.kind.of.tomorrow", "seq": seq, "odd": [null, 1.5, {"ü": u64::MAX}]})
}

/// The numbers that the game gave its reports, as the feed has them.
async fn kept(sidecar: &Sidecar) -> Vec<u64> {
    let (status, feed) = sidecar.get("/feed?scope=main").await;
    assert_eq!(status, 200, "{feed}");
    feed["reports"].as_array().unwrap().iter().filter_map(|report| report["frame"]["seq"].as_u64()).collect()
}

/// Reads acknowledgements until that number.
async fn told_up_to(game: &mut Game, seq: u64) {
    loop {
        let frame = game.next().await.unwrap();
        assert_eq!(frame["kind"], "link.kept");
        if frame["seq"] == seq {
            return;
        }
    }
}

#[tokio::test]
async fn what_was_acknowledged_outlives_a_kill_and_what_is_sent_again_is_kept_once() {
    let directory = tempfile::tempdir().unwrap();
    let sidecar = Sidecar::start_in(directory.path(), 10_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    for seq in 1..=300 {
        game.send(&report(seq)).await;
    }
    told_up_to(&mut game, 300).await;
    sidecar.kill9();

    // The game has not heard of the last hundred, and sends them again, and more.
    let sidecar = Sidecar::start_in(directory.path(), 10_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    for seq in 201..=310 {
        game.send(&report(seq)).await;
    }
    told_up_to(&mut game, 310).await;
    assert_eq!(kept(&sidecar).await, (1..=310).collect::<Vec<u64>>());
    let (_, feed) = sidecar.get("/feed?after=1&limit=1").await;
    assert_eq!(feed["reports"], json!([{"n": 2, "frame": report(1)}]), "and as it came");
}

#[tokio::test]
async fn a_game_that_does_not_number_its_reports_is_told_nothing_and_each_of_them_counts() {
    let sidecar = Sidecar::start(10_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    for _ in 0..3 {
        game.send(&json!({"kind": "mob.killed", "t": 1})).await;
    }
    game.send(&report(1)).await;
    assert_eq!(game.next().await.unwrap(), json!({"kind": "link.kept", "seq": 1}));
    assert_eq!(sidecar.get("/health").await.1["feed"]["newest"], 5, "with its hello");
}

#[tokio::test]
async fn an_answer_is_no_longer_than_an_engine_reads_and_the_rest_comes_behind_it() {
    let sidecar = Sidecar::start(10_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    for seq in 1..=9 {
        game.send(&json!({"kind": "k", "seq": seq, "text": "x".repeat(200_000)})).await;
    }
    told_up_to(&mut game, 9).await;
    let (mut after, mut answers) = (0, 0);
    while after < 10 {
        let (_, feed) = sidecar.get(&format!("/feed?after={after}")).await;
        let reports = feed["reports"].as_array().unwrap();
        assert!(feed.to_string().len() < 1024 * 1024 && !reports.is_empty());
        assert_eq!(reports[0]["n"], after + 1);
        (after, answers) = (after + reports.len() as u64, answers + 1);
    }
    assert!(answers >= 4, "{answers}");
}

#[tokio::test]
async fn old_reports_are_dropped_and_that_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let sidecar = Sidecar::start_with(sidecar_in(directory.path()).args(["--feed-keep", "10"]));
    let mut game = Game::connect(&sidecar, "boot-1").await;
    for seq in 1..=30 {
        game.send(&report(seq)).await;
    }
    told_up_to(&mut game, 30).await;
    let (_, feed) = sidecar.get("/feed?after=3").await;
    assert_eq!((&feed["oldest"], &feed["newest"]), (&json!(22), &json!(31)));
    assert_eq!(kept(&sidecar).await, (21..=30).collect::<Vec<u64>>());
    let second = sidecar_in(directory.path()).arg("--seen-file").arg(directory.path().join("other")).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&second.stderr).contains("--feed-file"), "{second:?}");
}
