//! `leasehold demo`: a real run on a real game within moments, shown to anybody on this machine, and no trace afterwards.

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Method;
use serde_json::Value;

use crate::program::{Program, children, data_dir, is_there, leasehold, until};
use crate::programs;

const RUNS: &str = "/api/v1/admin/events/runs";

/// The newest run of that title, with its detail.
async fn run_of(program: &Program, title: &str) -> Option<Value> {
    let runs = program.json(RUNS).await;
    let run = runs["items"].as_array().unwrap().iter().find(|run| run["title"] == title)?;
    Some(program.json(&format!("{RUNS}/{}", run["id"].as_str().unwrap())).await)
}

async fn run_where(program: &Program, title: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let mut found = Value::Null;
    until(&format!("{title} is as it should be"), async || {
        found = run_of(program, title).await.unwrap_or_default();
        holds(&found)
    })
    .await;
    found
}

fn instant(run: &Value, field: &str) -> DateTime<Utc> {
    run[field].as_str().unwrap_or_else(|| panic!("{run}")).parse().unwrap()
}

#[tokio::test]
async fn it_runs_at_once_shows_itself_and_leaves_no_process_behind() {
    // The sidecar and the game lie beside the engine.
    assert!(programs::link().exists() && programs::shard().exists());
    let data = data_dir();
    let demo = Program::start(data.path(), "demo").await;

    let borrowed = |run: &Value| {
        run["steps"].as_array().is_some_and(|steps| steps.iter().any(|step| step["key"] == "skill" && step["status"] == "done"))
    };
    let harvest = run_where(&demo, "Harvest Party", borrowed).await;
    assert_eq!((&harvest["status"], &harvest["health"]), (&"running".into(), &"ok".into()), "{harvest}");
    let value = &harvest["resources"][0];
    assert_eq!((&value["status"], &value["baseline"], &value["applied"]), (&"confirmed".into(), &"1000".into(), &"1200".into()));

    let graves = run_where(&demo, "Restless Graves", |run| !run.is_null()).await;
    let ahead = instant(&graves, "scheduledFor") - instant(&harvest, "startedAt");
    assert!(ahead <= TimeDelta::seconds(90), "{graves}");

    the_page_shows_it(&demo).await;
    only_reading_is_free(&demo).await;
    nobody_else_opens_the_directory(data.path(), demo.pid()).await;

    let children = children(demo.pid());
    let mut names: Vec<&str> = children.iter().map(|(_, name)| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["leasehold-link", "leasehold-shard", "postgres"].map(|name| &name[..name.len().min(15)]));
    assert!(demo.end("INT").await.success(), "Ctrl-C is no failure");
    assert_eq!(children.iter().filter(|(pid, _)| is_there(*pid)).collect::<Vec<_>>(), Vec::<&(u32, String)>::new());

    let again = Program::start(data.path(), "demo").await;
    assert!(run_of(&again, "Harvest Party").await.is_some(), "what was recorded is still there");
    assert!(again.end("TERM").await.success());
}

async fn the_page_shows_it(demo: &Program) {
    let page = demo.read("/").await;
    for shown in ["Harvest Party", "Restless Graves", "skill", "1200", "run started"] {
        assert!(page.contains(shown), "{shown} is not on the page:\n{page}");
    }
}

async fn only_reading_is_free(demo: &Program) {
    let token = demo.printed.split_once("Bearer ").and_then(|(_, rest)| rest.split_whitespace().next()).unwrap();
    let cancel = |token: Option<&str>| {
        let request = demo
            .request(Method::POST, &format!("{RUNS}/00000000-0000-0000-0000-000000000000/cancel"))
            .json(&serde_json::json!({}));
        token.map_or_else(|| request.try_clone().unwrap(), |token| request.try_clone().unwrap().bearer_auth(token)).send()
    };
    assert_eq!(cancel(None).await.unwrap().status(), 401);
    assert_eq!(cancel(Some(token)).await.unwrap().status(), 404, "the printed token opens the door");
    let foreign = demo.request(Method::GET, RUNS).header("host", "demo.example").send().await.unwrap();
    assert_eq!(foreign.status(), 421);
}

async fn nobody_else_opens_the_directory(data: &std::path::Path, holder: u32) {
    let second = leasehold(data, &["serve"]).output().await.unwrap();
    let words = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(1), "{words}");
    assert!(words.contains(&format!("process {holder}")), "the holder is named: {words}");
}
