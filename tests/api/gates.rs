//! Who is let through: every role at every route, the table that says so, and what stays outside.

use leasehold::api::{Open, role_table};
use leasehold::engine::accounts::Change;
use leasehold_aggregates::account::Role;
use strum::IntoEnumIterator;

use crate::bench::{Bench, events, quiet};

/// The table as it is checked in: `docs/roles.txt`.
const TABLE: &str = include_str!("../../docs/roles.txt");

#[test]
fn the_table_that_people_read_is_the_table_that_holds() {
    let held = role_table();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/roles.txt"), &held).unwrap();
        return;
    }
    assert_eq!(held, TABLE, "docs/roles.txt is not what the router holds: look at the difference, then run with BLESS=1");
}

#[test]
fn the_reference_has_every_route() {
    let reference = include_str!("../../docs/api.md");
    let missing: Vec<String> = TABLE
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
        .filter(|route| !reference.contains(&format!("`{route}`")))
        .collect();
    assert_eq!(missing, [""; 0], "docs/api.md says nothing of these");
}

/// Method, path with its names filled in, and by role whether it is let through; the last two cells are for a link and for nobody.
fn rows() -> Vec<(String, String, Vec<bool>)> {
    let id = "00000000-0000-4000-8000-000000000000";
    let rows = TABLE.lines().skip(1).map(|line| {
        let mut words = line.split_whitespace().map(str::to_owned);
        let (method, path) = (words.next().unwrap(), words.next().unwrap());
        let path = path.replace("{id}", id).replace("{seriesId}", id).replace("{version}", "1").replace("{other}", "2");
        let path = path.replace("{stepId}", "hail").replace("{sourceId}", "core.options.legs").replace("{slug}", "none");
        (method, path, words.map(|word| word == "yes").collect())
    });
    rows.collect()
}

#[tokio::test]
async fn every_route_lets_through_whom_the_table_names_and_nobody_else() {
    let bench = Bench::new().await;
    for (method, path, admitted) in rows() {
        for (role, admitted) in Role::iter().zip(&admitted) {
            let answer = bench.call(&method, &path).by(bench.person(role)).send().await;
            let refused = answer.status == 403 || answer.status == 401;
            assert_eq!(!refused, *admitted, "{method} {path} as {role}: {} {}", answer.status, answer.text);
            assert!(answer.status != 500, "{method} {path}: {}", answer.text);
            if refused && path.starts_with("/api/v1/link/") {
                answer.problem(401, "unauthorized");
            } else if refused {
                let problem = answer.problem(403, "role_required");
                let detail = problem["detail"].as_str().unwrap();
                assert!(detail.contains(&role.to_string()) && detail.contains("admin"), "{detail}");
            }
        }
        let link = bench.call(&method, &path).by_link().send().await;
        assert_eq!(link.status != 401, admitted[admitted.len() - 2], "{method} {path} as a link: {} {}", link.status, link.text);
        let stranger = bench.call(&method, &path).send().await;
        if *admitted.last().unwrap() {
            // Let in, some ask for a window, and some say that there is no such event.
            let answered = stranger.status.is_success() || [404, 422].contains(&stranger.status.as_u16());
            assert!(answered, "{method} {path}: {}", stranger.text);
        } else if path == "/" {
            assert_eq!(stranger.status, 401, "the page asks in its own way");
        } else {
            assert_eq!(stranger.headers["www-authenticate"], "Bearer realm=\"leasehold\"");
            stranger.problem(401, "unauthorized");
        }
    }
}

#[tokio::test]
async fn a_token_is_needed_and_must_be_a_live_one() {
    let bench = Bench::new().await;
    let admin = bench.person(Role::Admin).token.clone();
    for wrong in
        ["Bearer nobody", "Bearer", "Basic eDp5", &admin, &format!("Bearer {admin}x"), &format!("Token {admin}"), "Bearer \u{e9}"]
    {
        bench.call("GET", "/api/v1/me").header("authorization", wrong).send().await.problem(401, "unauthorized");
    }
    let me = bench.call("GET", "/api/v1/me").header("authorization", &format!("bEARER {admin}")).send().await.is(200);
    assert_eq!((&me["role"], &me["name"]), (&"admin".into(), &"Somebody, admin".into()));
}

#[tokio::test]
async fn a_demotion_works_on_the_next_click() {
    let bench = Bench::new().await;
    let second = bench.add(Role::Admin).await;
    let read = || bench.call("GET", "/api/v1/admin/log").by(&second).send();
    read().await.is(200);
    bench.change(&second, Change::Role(Role::Editor)).await;
    read().await.problem(403, "role_required");
    bench.change(&second, Change::Disable).await;
    read().await.problem(403, "account_disabled");
    bench.change(&second, Change::Enable).await;
    bench.change(&second, Change::Role(Role::Admin)).await;
    read().await.is(200);
    let act = bench.act().await;
    bench.engine.issue_token(&act, &second.id, "another", true).await.unwrap();
    read().await.problem(401, "unauthorized");
}

#[tokio::test]
async fn an_editor_cannot_write_what_changes_the_world() {
    let bench = Bench::new().await;
    let before = bench.head().await;
    let post = |body: serde_json::Value| bench.call("POST", &events("")).by(bench.person(Role::Editor)).json(&body).send();
    let problem = post(crate::bench::party("harvest")).await.problem(403, "forbidden");
    let found = crate::bench::faults(&problem);
    assert_eq!(found, [("/spec/phases/0/steps/1/action", "forbidden"), ("/spec/phases/1/steps/0/action", "forbidden")]);
    assert_eq!(bench.head().await, before);
    post(quiet("quiet")).await.is(201);
}

#[tokio::test]
async fn where_reading_is_open_writing_is_not_and_only_this_machine_reads() {
    let bench = Bench::with(Open::ReadAtLoopback).await;
    let list = || bench.call("GET", &events(""));
    list().host("127.0.0.1:7878").send().await.is(200);
    list().host("localhost:7878").send().await.is(200);
    for elsewhere in ["evil.example", "127.0.0.1.evil.example:7878", "192.168.1.7", ""] {
        list().host(elsewhere).send().await.problem(421, "host_not_loopback");
    }
    list().send().await.problem(421, "host_not_loopback");
    bench.call("POST", &events("")).host("localhost").json(&quiet("quiet")).send().await.problem(401, "unauthorized");
    bench.call("GET", "/api/v1/admin/log").host("localhost").send().await.problem(401, "unauthorized");
    let wrong = list().host("localhost").header("authorization", "Bearer nobody").send().await;
    wrong.problem(401, "unauthorized");
    bench.admin("POST", "").host("localhost").json(&quiet("quiet")).send().await.is(201);
    bench.admin("GET", "").host("evil.example").send().await.problem(421, "host_not_loopback");
}
