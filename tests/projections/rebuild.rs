//! Rows built anew beside those that serve: by a command that dies at any moment, by several at once, and to repair what
//! no event gives.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use leasehold::engine::leaders::Term;
use leasehold::engine::projector::{Pace, Projectors, State, Verdict, standings, verify};
use leasehold_projections::Projection;
use leasehold_projections::runs::Runs;
use serde_json::Value;
use sqlx::Executor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::bench::{World, published};
use crate::history::History;

fn command(history: &History, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leasehold"));
    command.arg("projections").args(args).env("DATABASE_URL", &history.database.app_url);
    command.env("LEASEHOLD_OWNER_URL", &history.database.owner_url);
    command
}

async fn call(mut command: Command) -> (Option<i32>, String) {
    let output: Output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let words = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.signal().is_none_or(|signal| signal == 6), "{words}");
    (output.status.code(), words)
}

/// A log with rows that serve.
async fn served(seed: u64) -> History {
    let mut history = History::new().await;
    history.append_all(&World::new(seed).commands(300)).await;
    history.catch_up().await;
    history
}

async fn generations(history: &History) -> Vec<(u32, State)> {
    let all = standings(history.log.pool()).await.unwrap();
    all.into_iter().filter(|one| one.name == "runs").map(|one| (one.generation, one.state)).collect()
}

#[tokio::test]
async fn a_rebuild_that_dies_at_any_point_is_carried_on_by_the_next() {
    for (point, left) in [
        ("rebuild.batch", vec![(1, State::Serving), (2, State::Building)]),
        ("rebuild.swap", vec![(1, State::Serving), (2, State::Building)]),
        ("rebuild.drop", vec![(1, State::Retired), (2, State::Serving)]),
    ] {
        let history = served(81).await;
        let rows = history.rows().await;
        let mut doomed = command(&history, &["rebuild", "runs", "--window", "20"]);
        doomed.env("LEASEHOLD_CRASH_AT", point);
        let (code, words) = call(doomed).await;
        assert!(code.is_none() && words.contains(point), "{point}: {words}");
        assert_eq!(generations(&history).await, left, "{point}");
        assert_eq!(history.rows().await, rows, "{point}: what serves is whole");

        let over = "update public.leadership set expires_at = clock_timestamp()";
        history.database.owner().await.execute(over).await.unwrap();
        let (code, words) = call(command(&history, &["rebuild", "runs"])).await;
        assert_eq!(code, Some(0), "{point}: {words}");
        let serves = if point == "rebuild.drop" { 3 } else { 2 };
        assert_eq!(generations(&history).await, [(serves, State::Serving)], "{point}");
        assert_eq!(history.rows().await, rows, "{point}");
    }
}

#[tokio::test]
async fn an_engine_carries_on_what_a_command_left_and_follows_what_it_built() {
    let mut history = served(82).await;
    let mut doomed = command(&history, &["rebuild", "runs", "--window", "20"]);
    doomed.env("LEASEHOLD_CRASH_AT", "rebuild.batch");
    assert_eq!(call(doomed).await.0, None);
    let over = "update public.leadership set expires_at = clock_timestamp()";
    history.database.owner().await.execute(over).await.unwrap();
    let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
    let pace = Pace { term: Term::of(Duration::from_millis(600)), pause: Duration::from_millis(20), ..Pace::default() };
    let all = leasehold_projections::all();
    let projectors = Projectors::start(&history.log, all, Uuid::from_u128(1), &tasks, &stop, pace).await.unwrap();
    let begun = std::time::Instant::now();
    while generations(&history).await != [(2, State::Serving)] {
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", generations(&history).await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    history.append(&published("later", "Later")).await;
    projectors.wait_for("definitions", history.head, Duration::from_secs(60)).await.unwrap();
    stop.cancel();
    tasks.close();
    tasks.wait().await;
}

#[tokio::test]
async fn two_rebuilds_at_once_are_one() {
    let history = served(84).await;
    let rows = history.rows().await;
    let (one, other) = tokio::join!(
        call(command(&history, &["rebuild", "runs", "--window", "5"])),
        call(command(&history, &["rebuild", "runs", "--window", "5"]))
    );
    assert_eq!((one.0, other.0), (Some(0), Some(0)), "{}{}", one.1, other.1);
    let left = generations(&history).await;
    assert!(left.len() == 1 && left[0].1 == State::Serving, "{left:?}");
    assert_eq!(history.rows().await, rows);
}

#[tokio::test]
async fn rows_that_replay_cannot_produce_are_found_and_removed() {
    let planted = "insert into projections.runs_v2_g1 select (r).* from (
        select json_populate_record(t, '{\"id\": \"planted\"}') as r from projections.runs_v2_g1 t limit 1) one";
    let changed =
        "update projections.runs_v2_g1 set title = title || '!' where id = (select min(id) from projections.runs_v2_g1)";
    let deleted = "delete from projections.runs_v2_g1 where id = (select max(id) from projections.runs_v2_g1)";
    for (nth, (damage, told)) in [(planted, "planted"), (changed, "changed"), (deleted, "missing")].into_iter().enumerate() {
        let history = served(85 + nth as u64).await;
        let rows = history.rows().await;
        let (code, words) = call(command(&history, &["verify", "runs"])).await;
        assert!(code == Some(0) && words.contains("\"ok\":true"), "{words}");
        history.database.owner().await.execute(damage).await.unwrap();
        assert_ne!(history.rows().await, rows);
        let (code, words) = call(command(&history, &["verify", "runs"])).await;
        assert!(code == Some(1) && words.contains(told) && words.contains("\"ok\":false"), "{words}");
        assert_eq!(call(command(&history, &["rebuild", "runs"])).await.0, Some(0));
        assert_eq!(history.rows().await, rows, "{told}");
        let runs: Arc<dyn Projection> = Arc::new(Runs);
        assert_eq!(verify(&history.log, &runs, |_, _| {}).await.unwrap().verdict, Verdict::Equal);
    }
}

#[tokio::test]
async fn a_poisoned_rebuild_does_not_serve_and_the_old_rows_do() {
    let mut history = served(88).await;
    let rows = history.rows().await;
    let poison = history.raw(("run", "r0"), "run_sung", "1", r#"{"type": "run_sung"}"#, "{}").await;
    let (code, words) = call(command(&history, &["rebuild", "runs"])).await;
    assert!(code == Some(1) && words.contains(&format!("position {poison}")), "{words}");
    assert_eq!(generations(&history).await, [(1, State::Serving), (2, State::Building)]);
    assert_eq!(history.rows().await, rows);
    let mut list = command(&history, &["list", "--format", "json"]);
    let listed = tokio::task::spawn_blocking(move || list.output().unwrap()).await.unwrap();
    assert!(listed.status.success());
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let built = listed.as_array().unwrap().iter().find(|one| one["name"] == "runs" && one["generation"] == 2).unwrap();
    assert_eq!((&built["stoppedAt"], &built["state"]), (&poison.into(), &"building".into()), "{listed}");
    assert!(built["why"].as_str().unwrap().contains("run_sung"), "{listed}");
}

#[tokio::test]
async fn what_is_built_together_dies_together_and_is_carried_on() {
    let history = served(89).await;
    let rows = history.rows().await;
    let mut doomed = command(&history, &["rebuild", "--all", "--window", "20"]);
    doomed.env("LEASEHOLD_CRASH_AT", "rebuild.batch");
    let (code, words) = call(doomed).await;
    assert!(code.is_none() && words.contains("rebuild.batch"), "{words}");
    assert_eq!(history.rows().await, rows, "what serves is whole");
    let over = "update public.leadership set expires_at = clock_timestamp()";
    history.database.owner().await.execute(over).await.unwrap();
    let (code, words) = call(command(&history, &["rebuild", "--all", "--window", "20"])).await;
    assert_eq!(code, Some(0), "{words}");
    assert_eq!(history.rows().await, rows);
    for projection in leasehold_projections::all() {
        assert_eq!(verify(&history.log, &projection, |_, _| {}).await.unwrap().verdict, Verdict::Equal, "{}", projection.name());
        assert!(words.contains(&format!("{} generation", projection.name())), "{words}");
    }
}

#[tokio::test]
async fn of_what_is_built_together_poison_stops_those_that_are_made_from_it() {
    let mut history = served(90).await;
    let poison = history.raw(("run", "r0"), "run_sung", "1", r#"{"type": "run_sung"}"#, "{}").await;
    history.append(&published("later", "Later")).await;
    let (code, words) = call(command(&history, &["rebuild", "--all", "--window", "20"])).await;
    assert!(code == Some(1) && words.contains(&format!("position {poison}")), "{words}");
    for one in standings(history.log.pool()).await.unwrap() {
        let stops = ["runs", "results"].contains(&one.name.as_str());
        let wanted = if stops { [(1, State::Serving), (2, State::Building)].as_slice() } else { &[(2, State::Serving)] };
        assert!(wanted.contains(&(one.generation, one.state)), "{one:?}");
        match one.state {
            State::Building => assert_eq!((one.position, one.stopped_at), (poison - 1, Some(poison)), "{one:?}"),
            _ if stops => {}
            _ => assert_eq!((one.position, one.stopped_at), (history.head, None), "{one:?}"),
        }
    }
}

#[tokio::test]
async fn wrong_use_is_told() {
    let history = History::new().await;
    for (args, why) in [(vec!["rebuild"], "required"), (vec!["verify", "nope"], "definitions, runs, ledger")] {
        let (code, words) = call(command(&history, &args)).await;
        assert!(code == Some(2) && words.contains(why), "{args:?}: {words}");
    }
}
