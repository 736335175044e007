//! `leasehold serve` without a database: it runs one of its own, and finds everything again whoever of the two was killed.

use reqwest::Method;
use serde_json::json;

use crate::program::{Program, children, data_dir, kill, until};

const EVENTS: &str = "/api/v1/admin/events";

fn postgres(program: &Program) -> u32 {
    let of = children(program.pid());
    of.iter().find(|(_, name)| name == "postgres").unwrap_or_else(|| panic!("no PostgreSQL in {of:?}")).0
}

async fn ready(program: &Program) {
    until("it is ready", async || program.status("/readyz").await == Some(200)).await;
}

/// Nothing while the rows that lists are told from are being built for the first time.
async fn titles(program: &Program, token: &str) -> Vec<String> {
    let answer = program.request(Method::GET, EVENTS).bearer_auth(token).send().await.unwrap();
    if answer.status() == 503 {
        return Vec::new();
    }
    let list: serde_json::Value = answer.json().await.unwrap();
    list["items"].as_array().unwrap_or_else(|| panic!("{list}")).iter().map(|item| item["title"].to_string()).collect()
}

async fn create(program: &Program, token: &str, slug: &str) {
    let body = json!({
        "title": "Lamps", "slug": slug, "timezone": "UTC",
        "spec": {"schedule": {"kind": "manual"}, "params": [], "phases": [{"key": "one", "label": "One", "steps": [
            {"key": "say", "action": "core.announce", "params": {"leg": "log", "text": "Lamps"}}]}]},
    });
    let answer = program.request(Method::POST, EVENTS).bearer_auth(token).json(&body).send().await.unwrap();
    assert_eq!(answer.status(), 201, "{}", answer.text().await.unwrap());
}

#[tokio::test]
async fn what_was_told_is_there_after_the_death_of_the_engine_of_postgresql_and_of_both() {
    let data = data_dir();
    let first = Program::start(data.path(), "serve").await;
    let token = first.printed.split_once("shown once: ").and_then(|(_, rest)| rest.split_whitespace().next()).unwrap().to_owned();
    ready(&first).await;
    create(&first, &token, "one").await;

    let before = postgres(&first);
    kill("KILL", before);
    until("another PostgreSQL runs", async || {
        children(first.pid()).iter().any(|(pid, name)| name == "postgres" && *pid != before)
    })
    .await;
    ready(&first).await;
    create(&first, &token, "two").await;
    assert!(!first.end("KILL").await.success());

    let second = Program::start(data.path(), "serve").await;
    assert!(!second.printed.contains("shown once"), "there is an admin already");
    ready(&second).await;
    create(&second, &token, "three").await;
    kill("KILL", postgres(&second));
    assert!(!second.end("KILL").await.success());

    let third = Program::start(data.path(), "serve").await;
    ready(&third).await;
    until("all three are listed", async || titles(&third, &token).await.len() == 3).await;
    let server = postgres(&third);
    assert!(third.end("TERM").await.success());
    assert!(!crate::program::is_there(server), "it was stopped with its engine");
}
