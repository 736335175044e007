//! Series: arcs that definitions belong to.

use leasehold_aggregates::account::Role;
use serde_json::{Value, json};

use crate::bench::{Bench, Call, events, faults, quiet};

fn autumn() -> Value {
    json!({"name": "Autumn", "slug": "autumn", "description": "Three evenings\nin the orchard", "order": 3})
}

fn editor<'a>(bench: &'a Bench, method: &str, path: &str) -> Call<'a> {
    bench.call(method, &events(path)).by(bench.person(Role::Editor))
}

async fn create(bench: &Bench, body: &Value) -> String {
    editor(bench, "POST", "/series").json(body).send().await.is(201)["id"].as_str().unwrap().to_owned()
}

async fn listed(bench: &Bench) -> Vec<Value> {
    let path = format!("/series?minPosition={}", bench.head().await);
    bench.admin("GET", &path).send().await.is(200)["items"].as_array().unwrap().clone()
}

fn in_series(slug: &str, id: &str, order: Value) -> Value {
    let mut body = quiet(slug);
    body["seriesId"] = json!(id);
    body["seriesOrder"] = order;
    body
}

#[tokio::test]
async fn a_series_is_made_read_and_listed_by_its_place() {
    let bench = Bench::new().await;
    let made = editor(&bench, "POST", "/series").json(&autumn()).send().await;
    let id = made.body["id"].as_str().unwrap().to_owned();
    assert_eq!((made.status.as_u16(), made.etag()), (201, "\"1\""));
    assert_eq!(made.headers["location"], format!("/api/v1/admin/events/series/{id}"));
    let read = bench.admin("GET", &format!("/series/{id}")).send().await;
    assert_eq!((read.etag(), &read.body["name"], &read.body["definitions"]), ("\"1\"", &json!("Autumn"), &json!(0)));
    create(&bench, &json!({"name": "Winter", "slug": "winter", "order": 2})).await;
    create(&bench, &json!({"name": "Above", "slug": "above"})).await;
    create(&bench, &json!({"name": "Also third", "slug": "b-third", "order": 3})).await;
    let slugs: Vec<Value> = listed(&bench).await.iter().map(|row| row["slug"].clone()).collect();
    assert_eq!(slugs, ["above", "winter", "autumn", "b-third"]);
    let (mut paged, mut path) = (Vec::new(), "/series?limit=1".to_owned());
    loop {
        let page = bench.admin("GET", &path).send().await.is(200);
        paged.extend(page["items"].as_array().unwrap().iter().map(|row| row["slug"].clone()));
        let Some(token) = page["nextPageToken"].as_str() else { break };
        path = format!("/series?limit=1&pageToken={token}");
    }
    assert_eq!(paged, slugs);
    for token in ["x", "7365726965731f78", "7365726965731f611f621f63"] {
        let refused = bench.admin("GET", &format!("/series?pageToken={token}")).send().await.problem(422, "invalid_body");
        assert_eq!(faults(&refused), [("?pageToken", "bad_page_token")]);
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_series_is_told_with_its_place() {
    let bench = Bench::new().await;
    let post = |body: Value| editor(&bench, "POST", "/series").json(&body).send();
    let wrong = json!({"name": "", "slug": "Autumn!", "order": -1, "description": 7, "colour": "red"});
    let problem = post(wrong).await.problem(422, "invalid_body");
    let mut found = faults(&problem);
    found.sort_unstable();
    let expected = [
        ("/colour", "unknown_field"),
        ("/description", "wrong_type"),
        ("/name", "wrong_length"),
        ("/order", "out_of_range"),
        ("/slug", "wrong_characters"),
    ];
    assert_eq!(found, expected);
    post(json!([])).await.problem(422, "invalid_body");
    let id = create(&bench, &autumn()).await;
    let taken = post(autumn()).await.problem(409, "slug_taken");
    assert_eq!((faults(&taken), &taken["holder"]), (vec![("/slug", "slug_taken")], &json!(id)));
    bench.create(&quiet("autumn")).await;

    let hostile = json!({"name": "\"><img src=x onerror=alert(1)> {{7*7}}", "slug": "hostile", "description": "<script>"});
    let made = post(hostile.clone()).await;
    assert_eq!((made.headers["content-type"].to_str().unwrap(), &made.body["name"]), ("application/json", &hostile["name"]));
}

#[tokio::test]
async fn an_edit_names_the_revision_that_was_seen_and_the_slug_stays() {
    let bench = Bench::new().await;
    let id = create(&bench, &autumn()).await;
    let put = |body: Value| editor(&bench, "PUT", &format!("/series/{id}")).json(&body);
    put(autumn()).send().await.problem(428, "if_match_required");
    let fall = json!({"name": "Fall", "order": 3, "description": "Three evenings\nin the orchard"});
    let saved = put(fall.clone()).tag("\"1\"").send().await;
    assert_eq!((saved.status.as_u16(), saved.etag(), &saved.body["name"]), (200, "\"2\"", &json!("Fall")));
    let stale = put(autumn()).tag("\"1\"").send().await;
    assert_eq!(stale.etag(), "\"2\"");
    assert_eq!(stale.problem(412, "stale_revision")["currentRevision"], 2);
    let before = bench.head().await;
    assert_eq!(put(fall).tag("\"2\"").send().await.etag(), "\"2\"", "the same again is no event");
    assert_eq!(bench.head().await, before);
    let moved = json!({"name": "Fall", "slug": "fall"});
    let frozen = put(moved).tag("\"2\"").send().await.problem(422, "invalid_body");
    assert_eq!(faults(&frozen), [("/slug", "frozen")]);
    let nobody = format!("/series/{}", "11111111-1111-4111-8111-111111111111");
    bench.admin("GET", &nobody).send().await.problem(404, "series_missing");
    bench.admin("PUT", &nobody).tag("*").json(&autumn()).send().await.problem(404, "series_missing");
    bench.admin("DELETE", &nobody).tag("*").send().await.problem(404, "series_missing");
}

#[tokio::test]
async fn belonging_to_a_series_makes_no_version() {
    let bench = Bench::new().await;
    let series = create(&bench, &autumn()).await;
    let id = bench.publish(&quiet("quiet")).await;
    let put = bench.admin("PUT", &format!("/{id}")).tag("\"1\"").json(&in_series("quiet", &series, json!(2)));
    let saved = put.send().await.is(200);
    assert_eq!(
        (&saved["seriesId"], &saved["seriesOrder"], &saved["unpublishedEdits"]),
        (&json!(series), &json!(2), &json!(false))
    );
    let published = bench.admin("POST", &format!("/{id}/publish")).tag("\"2\"").send().await.is(200);
    assert_eq!((&published["version"], &published["new"]), (&json!(1), &json!(false)));
    let path = format!("?seriesId={series}&minPosition={}", bench.head().await);
    let found = bench.admin("GET", &path).send().await.is(200);
    assert_eq!((found["items"].as_array().unwrap().len(), &found["items"][0]["id"]), (1, &json!(id)));
    assert_eq!(listed(&bench).await[0]["definitions"], 1);
    for nobody in ["11111111-1111-4111-8111-111111111111", "autumn", "x"] {
        let refused = bench.admin("POST", "").json(&in_series("other", nobody, Value::Null)).send().await;
        assert_eq!(faults(&refused.problem(422, "invalid_body")), [("/seriesId", "unknown_series")]);
    }
    let alone = bench.admin("POST", "").json(&json!({"seriesOrder": 1})).send().await.problem(422, "invalid_body");
    assert!(faults(&alone).contains(&("/seriesOrder", "not_allowed")), "{alone}");
}

#[tokio::test]
async fn deleting_a_series_leaves_its_definitions_without_one() {
    let bench = Bench::new().await;
    let (series, other) = (create(&bench, &autumn()).await, create(&bench, &json!({"name": "Other", "slug": "other"})).await);
    let mut members = Vec::new();
    for slug in ["one", "two"] {
        members.push(bench.create(&in_series(slug, &series, json!(1))).await);
    }
    let stays = bench.create(&in_series("three", &other, Value::Null)).await;
    let delete = || editor(&bench, "DELETE", &format!("/series/{series}"));
    delete().send().await.problem(428, "if_match_required");
    delete().tag("\"7\"").send().await.problem(412, "stale_revision");
    assert_eq!(delete().tag("\"1\"").send().await.is(200)["detached"], 2);
    for id in &members {
        let read = bench.admin("GET", &format!("/{id}")).send().await;
        assert_eq!((read.etag(), &read.body["seriesId"], &read.body["seriesOrder"]), ("\"2\"", &Value::Null, &Value::Null));
    }
    assert_eq!(bench.admin("GET", &format!("/{stays}")).send().await.is(200)["seriesId"], json!(other));
    delete().tag("*").send().await.problem(404, "series_missing");
    assert_eq!(listed(&bench).await.len(), 1);
    let back = bench.admin("POST", "").json(&in_series("four", &series, Value::Null)).send().await;
    assert_eq!(faults(&back.problem(422, "invalid_body")), [("/seriesId", "unknown_series")]);
    editor(&bench, "POST", "/series").json(&autumn()).send().await.problem(409, "slug_taken");
}

#[tokio::test]
async fn whoever_joins_while_a_series_is_deleted_is_detached_or_refused() {
    let bench = Bench::new().await;
    for round in 0..6 {
        let body = json!({"name": "Arc", "slug": format!("arc-{round}")});
        let series = create(&bench, &body).await;
        let member = in_series(&format!("member-{round}"), &series, Value::Null);
        let join = bench.admin("POST", "").json(&member).send();
        let delete = bench.admin("DELETE", &format!("/series/{series}")).tag("*").send();
        let (joined, deleted) = tokio::join!(join, delete);
        let detached = &deleted.is(200)["detached"];
        if joined.status == 201 {
            assert_eq!(*detached, 1);
            let read = bench.admin("GET", &format!("/{}", joined.body["id"].as_str().unwrap())).send().await.is(200);
            assert_eq!(read["seriesId"], Value::Null);
        } else {
            assert_eq!(faults(&joined.problem(422, "invalid_body")), [("/seriesId", "unknown_series")]);
            assert_eq!(*detached, 0);
        }
    }
    let left: i64 = sqlx::query_scalar("select count(*) from drafts where body ->> 'seriesId' is not null")
        .fetch_one(bench.engine.log.pool())
        .await
        .unwrap();
    assert_eq!(left, 0);
}
