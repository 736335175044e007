//! What everybody may know, without a token.

use leasehold::engine::settings::Settings;
use leasehold_aggregates::account::Role;
use serde_json::{Value, json};

use crate::bench::{Answer, Bench, faults, party, quiet};
use crate::calendar::{recurring, until_runs, verified};
use crate::runs::until;

const PUBLIC: &str = "/api/v1/public/events";
const MARKUP: &str = "\"><img src=x onerror=alert(1)> and {{7*7}}";

async fn ask(bench: &Bench, path: &str) -> Answer {
    let sign = if path.contains('?') { '&' } else { '?' };
    let answer = bench.call("GET", &format!("{PUBLIC}{path}{sign}minPosition={}", bench.head().await)).send().await;
    assert_eq!(answer.headers["x-content-type-options"], "nosniff");
    answer
}

async fn items(bench: &Bench, path: &str) -> Vec<Value> {
    let page = ask(bench, path).await.is(200);
    page["items"].as_array().unwrap().clone()
}

fn weekly(slug: &str) -> Value {
    recurring(slug, json!({"kind": "weekly", "days": ["friday"], "time": "20:00"}), "Asia/Seoul")
}

/// Every field that any public answer has, at any depth.
fn fields(value: &Value, found: &mut std::collections::BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                found.insert(name.clone());
                fields(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| fields(value, found)),
        _ => {}
    }
}

#[tokio::test]
async fn what_is_to_come_and_what_is_live_is_told_and_nothing_else() {
    let bench = Bench::controlled(Settings::default()).await;
    bench.create(&quiet("draft")).await;
    let id = verified(&bench, &weekly("fridays")).await;
    bench.publish(&weekly("unverified")).await;
    until_runs(&bench, &format!("from=2027-03-01&to=2027-04-01&definitionId={id}"), 2).await;
    let by_hand = bench.publish(&quiet("by-hand")).await;
    let rehearsal = bench.admin("POST", &format!("/{by_hand}/runs")).json(&json!({"rehearsal": true})).send().await.is(201);
    let live = bench.admin("POST", &format!("/{by_hand}/runs")).send().await.is(201);
    until(&bench, live["id"].as_str().unwrap(), |run| run["waitingSteps"] == 1).await;
    let told = items(&bench, "?limit=4&tz=Asia/Tokyo").await;
    assert!(told.iter().all(|entry| entry["id"] != rehearsal["id"]), "{told:?}");
    let brief: Vec<[&Value; 5]> =
        told.iter().map(|entry| ["slug", "status", "phase", "date", "local"].map(|field| &entry[field])).collect();
    assert_eq!(
        brief,
        [
            [&json!("by-hand"), &json!("live"), &json!("Ask"), &json!("2027-03-01"), &json!("2027-03-01T12:00")],
            [&json!("fridays"), &json!("upcoming"), &json!(null), &json!("2027-03-05"), &json!("2027-03-05T20:00")],
            [&json!("fridays"), &json!("upcoming"), &json!(null), &json!("2027-03-12"), &json!("2027-03-12T20:00")],
            [&json!("fridays"), &json!("upcoming"), &json!(null), &json!("2027-03-19"), &json!("2027-03-19T20:00")],
        ]
    );
    // It is over, and then only the calendar has it.
    let run = live["id"].as_str().unwrap();
    bench.admin("POST", &format!("/runs/{run}/steps/cue/confirm")).json(&json!({})).send().await.is(200);
    until(&bench, run, |run| run["status"] == "completed").await;
    assert!(items(&bench, "").await.iter().all(|entry| entry["id"] != live["id"]));
    let calendar = items(&bench, "/calendar?from=2027-03-01&to=2027-03-02").await;
    assert_eq!(
        calendar.iter().map(|entry| (&entry["id"], &entry["status"])).collect::<Vec<_>>(),
        [(&live["id"], &json!("over"))]
    );
    let event = ask(&bench, "/by-hand").await.is(200);
    assert_eq!((event["over"][0]["id"].clone(), event["live"].clone()), (live["id"].clone(), json!([])));
    // What was taken off stays on the calendar, as taken off.
    let friday = &told[1]["id"].as_str().unwrap();
    bench.admin("POST", &format!("/runs/{friday}/cancel")).json(&json!({"reason": "a secret"})).send().await.is(200);
    let calendar = items(&bench, "/calendar?from=2027-03-05&to=2027-03-06").await;
    assert_eq!((calendar.len(), &calendar[0]["status"]), (1, &json!("cancelled")));
    for narrowed in ["category=none", "scope=west", "series=none"] {
        assert_eq!(items(&bench, &format!("?{narrowed}")).await, Vec::<Value>::new(), "{narrowed}");
    }
    // Nothing of how it is done is in any of it.
    let mut all = std::collections::BTreeSet::new();
    for path in ["", "/calendar?from=2027-01-01&to=2027-12-01", "/fridays", "/by-hand"] {
        let answer = ask(&bench, path).await;
        assert!(!answer.text.contains("a secret") && !answer.text.contains("degraded"), "{path}: {}", answer.text);
        fields(&answer.is(200), &mut all);
    }
    let known = "archived at category date dstAdjusted endedAt id image items live local nextPageToken over phase results \
                 resultsPublishedAt schedule scope slug startedAt status storyline summary timezone title upcoming venue";
    assert_eq!(all.into_iter().collect::<Vec<_>>().join(" "), known);
}

#[tokio::test]
async fn one_event_is_told_in_full() {
    let bench = Bench::controlled(Settings::default()).await;
    let mut body = party("harvest");
    body["spec"]["schedule"] = json!({"kind": "weekly", "days": ["friday"], "time": "20:00"});
    bench.enable("core.lease", json!({})).await;
    bench.enable("demo.lamp.light", json!({})).await;
    let id = verified(&bench, &body).await;
    until_runs(&bench, "from=2027-03-01&to=2027-04-01", 2).await;
    let event = ask(&bench, "/harvest").await.is(200);
    for field in ["slug", "title", "summary", "storyline", "image", "category", "timezone"] {
        assert_eq!(event[field], body[field], "{field}");
    }
    assert_eq!((&event["venue"], &event["schedule"]), (&json!("The quay"), &json!("every week on Friday at 20:00")));
    assert_eq!((event["upcoming"].as_array().unwrap().len(), &event["results"]), (10, &Value::Null));
    assert_eq!(event["upcoming"][0]["at"], "2027-03-05T19:00:00Z");
    // What is edited and not published is nobody's business.
    body["title"] = json!("Not yet");
    bench.admin("PUT", &format!("/{id}")).tag("\"1\"").json(&body).send().await.is(200);
    assert_eq!(ask(&bench, "/harvest").await.is(200)["title"], "Harvest Party");
    // Archived, it keeps its page and has nothing to come.
    bench.admin("DELETE", &format!("/{id}")).tag("\"2\"").send().await.is(200);
    for _ in 0..1_000 {
        let event = ask(&bench, "/harvest").await.is(200);
        if event["upcoming"] == json!([]) {
            assert_eq!(event["archived"], true);
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("what an archived event had booked is never taken off");
}

#[tokio::test]
async fn what_is_not_published_or_is_no_event_is_not_there() {
    let bench = Bench::new().await;
    bench.create(&quiet("draft")).await;
    for path in ["/draft", "/draft.ics", "/none", "/none.ics", "/.ics", "/%00", "/a%2Fb", "/DRAFT", "/series/none/x"] {
        ask(&bench, path).await.problem(404, "not_found");
    }
    for (path, told) in [
        ("?limit=0", ("?limit", "out_of_range")),
        ("?tz=Mars/Base", ("?tz", "unknown_zone")),
        ("?status=live", ("?status", "unknown_field")),
        ("/calendar?from=2027-01-01", ("?to", "required")),
        (".ics?colour=red", ("?colour", "unknown_field")),
    ] {
        assert_eq!(faults(&ask(&bench, path).await.problem(422, "invalid_body")), [told], "{path}");
    }
    for method in ["POST", "PUT", "DELETE"] {
        bench.call(method, PUBLIC).by(bench.person(Role::Admin)).send().await.problem(405, "method_not_allowed");
    }
}

#[tokio::test]
async fn an_answer_may_be_kept_and_asked_after() {
    let bench = Bench::controlled(Settings::default()).await;
    let id = verified(&bench, &weekly("fridays")).await;
    until_runs(&bench, "from=2027-03-01&to=2027-04-01", 2).await;
    for path in ["", "/fridays", "/calendar?from=2027-03-01&to=2027-04-01", ".ics", "/fridays.ics"] {
        let first = ask(&bench, path).await;
        assert_eq!(first.status, 200, "{}", first.text);
        assert!(first.headers["cache-control"].to_str().unwrap().starts_with("public, max-age="), "{path}");
        let again = |tag: &str| bench.call("GET", &format!("{PUBLIC}{path}")).header("if-none-match", tag).send();
        for known in [first.etag().to_owned(), format!("W/{}", first.etag()), format!("\"other\", {}", first.etag()), "*".into()]
        {
            let same = again(&known).await;
            assert_eq!((same.status.as_u16(), same.text.as_str()), (304, ""), "{path} {known}");
            assert_eq!(same.headers["etag"], first.headers["etag"]);
        }
        assert_eq!(again("\"other\"").await.status, 200);
    }
    let tag = ask(&bench, "/fridays").await.etag().to_owned();
    bench.admin("DELETE", &format!("/{id}")).tag("\"1\"").send().await.is(200);
    assert_ne!(ask(&bench, "/fridays").await.etag(), tag);
}

/// Whatever an author wrote comes out as data.
#[tokio::test]
async fn markup_is_text_everywhere() {
    let bench = Bench::controlled(Settings::default()).await;
    let mut body = weekly("markup");
    for field in ["title", "summary", "storyline"] {
        body[field] = json!(MARKUP);
    }
    body["category"] = json!("<script>");
    body["venue"] = json!({"label": MARKUP, "value": "x"});
    body["spec"]["phases"][0]["label"] = json!(MARKUP);
    let id = verified(&bench, &body).await;
    let run = bench.admin("POST", &format!("/{id}/runs")).send().await.is(201);
    until(&bench, run["id"].as_str().unwrap(), |run| run["waitingSteps"] == 1).await;
    for path in ["", "/calendar?from=2027-03-01&to=2027-04-01"] {
        let answer = ask(&bench, path).await;
        assert_eq!(answer.headers["content-type"], "application/json");
        let entry = &answer.body["items"][0];
        assert_eq!((&entry["title"], &entry["venue"], &entry["phase"]), (&json!(MARKUP), &json!(MARKUP), &json!(MARKUP)));
    }
    let event = ask(&bench, "/markup").await.is(200);
    assert_eq!((&event["storyline"], &event["live"][0]["phase"]), (&json!(MARKUP), &json!(MARKUP)));
    let staff = bench.admin("GET", "/calendar?from=2027-03-01&to=2027-04-01").send().await.is(200);
    assert_eq!(staff["items"][0]["title"], MARKUP);
}

#[tokio::test]
async fn an_arc_has_its_events_in_their_order_and_what_is_to_come_of_them() {
    let bench = Bench::controlled(Settings::default()).await;
    let arc = json!({"slug": "winter", "name": MARKUP, "description": "Long nights"});
    let arc = bench.admin("POST", "/series").json(&arc).send().await.is(201);
    for (slug, order) in [("second", json!(2)), ("first", json!(1)), ("last", Value::Null)] {
        let mut body = weekly(slug);
        (body["seriesId"], body["seriesOrder"]) = (arc["id"].clone(), order);
        verified(&bench, &body).await;
    }
    verified(&bench, &weekly("elsewhere")).await;
    let mut draft = quiet("draft");
    draft["seriesId"] = arc["id"].clone();
    bench.create(&draft).await;
    until_runs(&bench, "from=2027-03-01&to=2027-04-01", 8).await;
    let told = ask(&bench, "/series/winter").await.is(200);
    let slugs =
        |of: &Value| of.as_array().unwrap().iter().map(|one| one["slug"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!((&told["name"], slugs(&told["events"])), (&json!(MARKUP), vec!["first".into(), "second".into(), "last".into()]));
    assert_eq!(told["upcoming"].as_array().unwrap().len(), 20);
    assert!(slugs(&told["upcoming"]).iter().all(|slug| slug != "elsewhere"));
    let feed = ask(&bench, "/series/winter.ics").await;
    assert_eq!(feed.headers["content-type"], "text/calendar; charset=utf-8");
    assert_eq!(feed.text.matches("BEGIN:VEVENT").count(), 3 * 52);
    let narrowed = format!("?series={}&limit=200", arc["id"].as_str().unwrap());
    let narrowed = items(&bench, &narrowed).await;
    assert!(narrowed.len() > 100 && narrowed.iter().all(|entry| entry["slug"] != "elsewhere"));
    for path in ["/series/none", "/series/none.ics", "/series/.ics"] {
        ask(&bench, path).await.problem(404, "not_found");
    }
}
