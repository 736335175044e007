//! Runs told again through the API, and what was in force: equal to what was read then, and strict about places.

use leasehold_aggregates::account::Role;
use serde_json::{Value, json};

use crate::bench::{Bench, faults, party};
use crate::runs::until;

/// A party that waits for nobody, until its lamps are lit and given back; every different read of it on the way.
async fn read_on_the_way(bench: &Bench) -> (String, Vec<Value>) {
    bench.enable("core.lease", json!({})).await;
    bench.enable("demo.lamp.light", json!({"demo.lamps": 30})).await;
    let mut body = party("harvest");
    body["spec"]["phases"][0]["advance"] = json!(null);
    let id = bench.publish(&body).await;
    let run = bench.admin("POST", &format!("/{id}/runs")).send().await.is(201);
    let run = run["id"].as_str().unwrap().to_owned();
    let reads = std::cell::RefCell::new(Vec::new());
    until(bench, &run, |read| {
        reads.borrow_mut().push(read.clone());
        read["cleanupStatus"] == "complete"
    })
    .await;
    (run, reads.into_inner())
}

async fn replay(bench: &Bench, run: &str, query: &str) -> crate::bench::Answer {
    bench.admin("GET", &format!("/runs/{run}/replay{query}")).send().await
}

#[tokio::test]
async fn a_read_is_told_again_of_its_position_after_everything_has_changed() {
    let bench = Bench::new().await;
    let (run, reads) = read_on_the_way(&bench).await;
    bench.enable("demo.lamp.light", json!({"demo.lamps": 1})).await;
    let head = bench.head().await;
    for read in &reads {
        let told = replay(&bench, &run, &format!("?at={}", read["position"])).await.is(200);
        assert_eq!(told["run"], *read);
    }
    let last = reads.last().unwrap();
    let told = replay(&bench, &run, "").await.is(200);
    assert_eq!(told["run"], *last);
    let story = &told["story"];
    let admin = &bench.person(Role::Admin).id;
    assert_eq!(
        (&story["published"]["by"], &story["verified"], &story["started"]["by"]),
        (&json!(admin), &Value::Null, &json!(admin))
    );
    assert_eq!(story["steps"][1]["lease"], json!({"id": "demo.rate.gather", "value": "2", "holdSeconds": 3_600}));
    let log = bench.admin("GET", &format!("/runs/{run}/log?limit=1000")).send().await.is(200);
    assert_eq!(log["items"], story["lines"]);

    // Every instant of the log names a place, too.
    for line in story["lines"].as_array().unwrap() {
        let at = line["at"].as_str().unwrap();
        let told = replay(&bench, &run, &format!("?at={at}")).await.is(200);
        let lines = told["story"]["lines"].as_array().unwrap();
        assert!(lines.contains(line) && lines.iter().all(|line| line["at"].as_str().unwrap() <= at), "{at}");
    }
    assert_eq!(bench.head().await, head, "nothing was appended");
}

#[tokio::test]
async fn what_changed_between_two_places_is_told() {
    let bench = Bench::new().await;
    let (run, reads) = read_on_the_way(&bench).await;
    // A run may be over before anybody has read it once.
    let first = "select position from public.events where aggregate_type = 'run' and aggregate_id = $1 and sequence = 1";
    let first: i64 = sqlx::query_scalar(first).bind(&run).fetch_one(bench.engine.log.pool()).await.unwrap();
    let (first, last) = (&json!(first), &reads.last().unwrap()["position"]);
    let told = replay(&bench, &run, &format!("?from={first}&to={last}")).await.is(200);
    assert_eq!((&told["runId"], &told["from"]["position"], &told["to"]["position"]), (&json!(run), first, last));
    let status = told["changes"].as_array().unwrap().iter().find(|change| change["pointer"] == "/status").unwrap();
    assert_eq!((&status["kind"], &status["to"]), (&json!("changed"), &json!("completed")));
    assert!(told["lines"].as_array().unwrap().iter().all(|line| line["position"].as_u64() > first.as_u64()));
    assert_eq!(replay(&bench, &run, &format!("?from={first}")).await.is(200)["to"]["position"], *last, "up to now");
    let wrong = replay(&bench, &run, &format!("?from={last}&to={first}")).await.problem(422, "wrong_order");
    assert_eq!(faults(&wrong), [("?from", "wrong_order")]);
}

#[tokio::test]
async fn a_place_that_is_none_is_told_with_its_parameter() {
    let bench = Bench::new().await;
    let (run, reads) = read_on_the_way(&bench).await;
    let head = bench.head().await;
    for rubbish in ["yesterday", "-1", "1.5", "", "2027-01-15", "99999999999999999999", "%F0%9F%8E%83", "1%20"] {
        for parameter in ["at", "from"] {
            let problem = replay(&bench, &run, &format!("?{parameter}={rubbish}")).await.problem(422, "invalid_body");
            assert_eq!(faults(&problem), [(format!("?{parameter}").as_str(), "wrong_value")], "{rubbish}");
        }
        let path = format!("/api/v1/admin/in-force?at={rubbish}");
        let problem = bench.call("GET", &path).by(bench.person(Role::Editor)).send().await.problem(422, "invalid_body");
        assert_eq!(faults(&problem), [("?at", "wrong_value")], "{rubbish}");
    }
    for (query, parameter) in [
        (format!("?at={}", head + 1), "?at"),
        ("?at=2999-01-01T00:00:00Z".into(), "?at"),
        (format!("?from=0&to={}", head + 1), "?from"),
    ] {
        let answer = replay(&bench, &run, &query).await;
        let code = if parameter == "?from" { (404, "run_not_yet") } else { (422, "beyond_head") };
        let problem = answer.problem(code.0, code.1);
        assert_eq!(faults(&problem), [(parameter, code.1)], "{problem}");
        assert!(code.0 == 404 || problem["head"] == head, "{problem}");
    }
    let before = replay(&bench, &run, "?at=1").await.problem(404, "run_not_yet");
    assert!(before["first"].as_u64() <= reads[0]["position"].as_u64(), "{before}");
    assert!(before["detail"].as_str().unwrap().contains("came into being at position"), "{before}");
    let together = replay(&bench, &run, "?at=5&from=5").await.problem(422, "invalid_body");
    assert_eq!(faults(&together), [("?at", "not_together")]);
    let alone = replay(&bench, &run, "?to=5").await.problem(422, "invalid_body");
    assert_eq!(faults(&alone), [("?from", "required")]);
    let nobody = "22222222-2222-5222-8222-222222222222";
    replay(&bench, nobody, "").await.problem(404, "not_found");
    replay(&bench, nobody, "?at=1").await.problem(404, "not_found");
}

async fn in_force(bench: &Bench, query: &str) -> crate::bench::Answer {
    bench.call("GET", &format!("/api/v1/admin/in-force{query}")).by(bench.person(Role::Moderator)).send().await
}

#[tokio::test]
async fn what_was_in_force_names_whose_decision_it_was() {
    let bench = Bench::new().await;
    let (run, reads) = read_on_the_way(&bench).await;
    assert_eq!(in_force(&bench, "").await.is(200)["items"], json!([]), "everything is given back");
    let recorded = bench.engine.log.read_after(None, 10_000).await.unwrap();
    let mut confirmed = recorded.iter().filter(|event| event.event_type == "target_confirmed");
    let (first, last) = (confirmed.clone().next().unwrap().position, confirmed.next_back().unwrap().position);
    let rate = in_force(&bench, &format!("?at={first}&target=demo/main/override/demo.rate.gather")).await.is(200);
    let item = &rate["items"][0];
    assert_eq!((&item["status"], &item["baseline"], &item["applied"]), (&json!("confirmed"), &json!("1"), &json!("2")));
    assert_eq!((&item["runId"], &item["step"], &item["version"]), (&json!(run), &json!("rate"), &json!(1)));
    assert_eq!((&item["title"], &item["definitionId"]), (&json!("Harvest Party"), &reads[0]["definitionId"]));
    let admin = bench.person(Role::Admin);
    for act in ["published", "scheduled", "started"] {
        assert_eq!((&item[act]["by"], &item[act]["name"]), (&json!(admin.id), &json!("Somebody, admin")), "{act}");
    }
    assert_eq!(item["verified"], Value::Null);

    let all = in_force(&bench, &format!("?at={last}&limit=1")).await.is(200);
    assert_eq!((&all["position"], all["items"].as_array().unwrap().len()), (&json!(last), 1));
    let token = all["nextPageToken"].as_str().unwrap();
    let more = in_force(&bench, &format!("?limit=200&pageToken={token}")).await.is(200);
    assert_eq!((&more["position"], &more["nextPageToken"]), (&json!(last), &Value::Null), "where the first page stood");
    assert_eq!(more["items"][0]["ref"], "demo.rate.gather");

    for wrong in ["demo", "demo/main/override", "demo//override/x", "a/b/c/d/e", "%ff/b/c/d"] {
        let problem = in_force(&bench, &format!("?target={wrong}")).await.problem(422, "invalid_body");
        assert_eq!(faults(&problem), [("?target", if wrong.starts_with('%') { "wrong_characters" } else { "wrong_value" })]);
    }
    in_force(&bench, "?pageToken=00").await.problem(422, "invalid_body");
    in_force(&bench, "?where=here").await.problem(422, "invalid_body");
}
