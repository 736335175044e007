//! A definition's life: made, read, changed, published, archived.

use leasehold_aggregates::account::Role;
use serde_json::{Value, json};

use crate::bench::{Bench, party, quiet};

#[tokio::test]
async fn what_is_posted_is_what_is_read() {
    let bench = Bench::new().await;
    let created = bench.admin("POST", "").json(&party("harvest")).send().await;
    assert_eq!((created.status.as_u16(), created.etag()), (201, "\"1\""));
    let id = created.body["id"].as_str().unwrap().to_owned();
    assert_eq!(created.headers["location"], format!("/api/v1/admin/events/{id}"));
    assert_eq!(created.body["position"], bench.head().await);

    let read = bench.admin("GET", &format!("/{id}")).send().await;
    assert_eq!((read.status.as_u16(), read.etag()), (200, "\"1\""));
    for (field, posted) in party("harvest").as_object().unwrap().iter().filter(|(field, _)| *field != "spec") {
        assert_eq!(&read.body[field], posted, "{field}");
    }
    let step = &read.body["spec"]["phases"][0]["steps"][0];
    assert_eq!((&step["params"]["text"], &step["actionVersion"]), (&json!("It begins in {region}"), &json!(1)));
    assert_eq!(read.body["state"], "draft");
    assert_eq!((&read.body["version"], &read.body["verified"]), (&Value::Null, &json!(false)));
    assert_eq!(read.body["changedBy"], bench.person(Role::Admin).id);
}

#[tokio::test]
async fn a_slug_belongs_to_one_definition_for_ever() {
    let bench = Bench::new().await;
    let first = bench.create(&quiet("harvest")).await;
    let before = bench.head().await;
    let problem = bench.admin("POST", "").json(&party("harvest")).send().await.problem(409, "slug_taken");
    assert_eq!(problem["holder"], first);
    assert_eq!(crate::bench::faults(&problem), [("/slug", "slug_taken")]);
    assert_eq!(bench.head().await, before);
    bench.admin("DELETE", &format!("/{first}")).tag("\"1\"").send().await.is(200);
    bench.admin("POST", "").json(&quiet("harvest")).send().await.problem(409, "slug_taken");
}

#[tokio::test]
async fn of_many_who_post_one_slug_at_once_one_gets_it() {
    let bench = Bench::new().await;
    let body = quiet("harvest");
    let answers = futures::future::join_all((0..8).map(|_| bench.admin("POST", "").json(&body).send())).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
    let id = &answers.iter().find(|answer| answer.status == 201).unwrap().body["id"];
    assert!(answers.iter().filter(|answer| answer.status == 409).all(|answer| answer.body["holder"] == *id));
    assert_eq!(bench.drafts().await, 1);
}

#[tokio::test]
async fn publishing_makes_a_version_and_the_same_again_makes_none() {
    let bench = Bench::new().await;
    let id = bench.create(&party("harvest")).await;
    let publish = |tag: &'static str| bench.admin("POST", &format!("/{id}/publish")).tag(tag).send();
    let edited = async || {
        let at = bench.head().await;
        let listed =
            bench.admin("GET", &format!("?minPosition={at}")).send().await.is(200)["items"][0]["unpublishedEdits"].clone();
        assert_eq!(bench.admin("GET", &format!("/{id}")).send().await.is(200)["unpublishedEdits"], listed);
        listed
    };
    assert_eq!(edited().await, true, "what was never published is all edits");
    let first = publish("\"1\"").await.is(200);
    assert_eq!(edited().await, false);
    assert_eq!((&first["version"], &first["new"], &first["state"]), (&json!(1), &json!(true), &json!("ready")));
    let again = publish("\"1\"").await.is(200);
    assert_eq!((&again["version"], &again["new"]), (&json!(1), &json!(false)));

    let mut body = party("harvest");
    body["title"] = json!("Harvest Ball");
    let saved = bench.admin("PUT", &format!("/{id}")).tag("\"1\"").json(&body).send().await;
    assert_eq!((saved.status.as_u16(), saved.etag()), (200, "\"2\""));
    assert_eq!((&saved.body["title"], &saved.body["version"]), (&json!("Harvest Ball"), &json!(1)));
    assert_eq!((&saved.body["unpublishedEdits"], edited().await), (&json!(true), json!(true)));
    let second = publish("\"2\"").await.is(200);
    assert_eq!(edited().await, false);
    assert_eq!((&second["version"], &second["new"]), (&json!(2), &json!(true)));

    let versions = bench.admin("GET", &format!("/{id}/versions")).send().await.is(200);
    let titles: Vec<_> =
        versions["items"].as_array().unwrap().iter().map(|v| (&v["version"], &v["content"]["title"], &v["current"])).collect();
    let (two, one) = (json!(2), json!(1));
    assert_eq!(titles, [(&two, &json!("Harvest Ball"), &json!(true)), (&one, &json!("Harvest Party"), &json!(false))]);
    assert_eq!(versions["items"][0]["publishedBy"], bench.person(Role::Admin).id);
    let page = bench.admin("GET", &format!("/{id}/versions?limit=1")).send().await.is(200);
    assert_eq!((&page["items"][0]["version"], &page["nextPageToken"]), (&two, &json!("2")));
    let page = bench.admin("GET", &format!("/{id}/versions?limit=1&pageToken=2")).send().await.is(200);
    assert_eq!((&page["items"][0]["version"], &page["nextPageToken"]), (&one, &Value::Null));
}

#[tokio::test]
async fn what_cannot_be_published_is_refused_with_its_place() {
    let bench = Bench::new().await;
    let mut body = quiet("harvest");
    body["spec"]["schedule"] = json!({"kind": "weekly", "days": ["friday"], "time": "20:00"});
    body["spec"]["params"] = json!([{"name": "region", "type": "string", "required": true}]);
    body["spec"]["phases"] = json!([]);
    let id = bench.create(&body).await;
    let before = bench.head().await;
    let problem = bench.admin("POST", &format!("/{id}/publish")).tag("\"1\"").send().await.problem(422, "invalid_body");
    let found = crate::bench::faults(&problem);
    assert_eq!(found, [("/spec/phases", "required"), ("/spec/params/0/default", "required")]);
    assert_eq!(bench.head().await, before);
}

#[tokio::test]
async fn another_spelling_of_a_schedule_makes_no_version() {
    let bench = Bench::new().await;
    let mut body = quiet("harvest");
    body["spec"]["schedule"] = json!({
        "kind": "weekly", "days": ["saturday", "friday"], "times": ["20:00", "12:00"], "every": 2, "from": "2027-03-05",
        "except": ["2027-03-06T12:00", "2027-03-06T20:00"],
    });
    let id = bench.publish(&body).await;
    body["spec"]["schedule"] = json!({
        "kind": "weekly", "days": ["friday", "saturday", "friday"], "times": ["12:00", "20:00:00"], "every": 2, "from": "2027-03-05",
        "until": null, "except": ["2027-03-06"],
    });
    bench.admin("PUT", &format!("/{id}")).tag("\"1\"").json(&body).send().await.is(200);
    let published = bench.admin("POST", &format!("/{id}/publish")).tag("\"2\"").send().await.is(200);
    assert_eq!((&published["version"], &published["new"]), (&json!(1), &json!(false)), "{published}");
    let read = bench.admin("GET", &format!("/{id}")).send().await.is(200);
    assert!(read.to_string().contains(r#""except":["2027-03-06"]"#), "{read}");
}

#[tokio::test]
async fn an_archived_definition_stays_readable_and_as_it_is() {
    let bench = Bench::new().await;
    let id = bench.publish(&quiet("harvest")).await;
    let archived = bench.admin("DELETE", &format!("/{id}")).tag("\"1\"").send().await.is(200);
    assert_eq!(archived["state"], "archived");
    bench.admin("DELETE", &format!("/{id}")).tag("\"1\"").send().await.is(200);
    assert_eq!(bench.admin("GET", &format!("/{id}")).send().await.is(200)["state"], "archived");
    let put = bench.admin("PUT", &format!("/{id}")).tag("\"1\"").json(&quiet("harvest"));
    put.send().await.problem(409, "definition_archived");
    for verb in ["publish", "verify"] {
        let call = bench.admin("POST", &format!("/{id}/{verb}")).tag("\"1\"");
        call.send().await.problem(409, "definition_archived");
    }
    bench.admin("POST", &format!("/{id}/runs")).send().await.problem(409, "archived");
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let bench = Bench::new().await;
    let nobody = "11111111-1111-4111-8111-111111111111";
    bench.admin("GET", &format!("/{nobody}")).send().await.problem(404, "definition_missing");
    bench.admin("GET", &format!("/{nobody}/versions")).send().await.problem(404, "definition_missing");
    bench.admin("PUT", &format!("/{nobody}")).tag("\"1\"").json(&quiet("x")).send().await.problem(404, "definition_missing");
    bench.admin("DELETE", &format!("/{nobody}")).tag("*").send().await.problem(404, "definition_missing");
    bench.admin("POST", &format!("/{nobody}/publish")).tag("*").send().await.problem(404, "definition_missing");
    bench.admin("POST", &format!("/{nobody}/verify")).tag("*").send().await.problem(404, "definition_missing");
    bench.admin("POST", &format!("/{nobody}/runs")).send().await.problem(404, "not_found");
}
