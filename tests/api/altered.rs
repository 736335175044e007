//! Single occurrences that people skip, move and bring back; windows in which nothing starts; and the account of what
//! happened and what did not.

use chrono::TimeDelta;
use leasehold::engine::settings::Settings;
use leasehold_aggregates::account::Role;
use leasehold_aggregates::schedule::occurrence_id;
use serde_json::{Value, json};

use crate::bench::{Bench, events, faults, quiet};

/// Fridays at eight in the evening in Seoul; a cue that a person answers.
pub fn fridays(slug: &str) -> Value {
    scheduled(slug, &json!({"kind": "weekly", "days": ["friday"], "time": "20:00"}))
}

fn scheduled(slug: &str, schedule: &Value) -> Value {
    let mut definition = quiet(slug);
    definition["timezone"] = json!("Asia/Seoul");
    definition["spec"]["schedule"] = schedule.clone();
    definition
}

/// On a clock that says noon of Monday 1 March 2027.
pub async fn bench() -> Bench {
    Bench::controlled(Settings::default()).await
}

pub async fn verified(bench: &Bench, body: &Value) -> String {
    let id = bench.publish(body).await;
    verify(bench, &id).await;
    id
}

async fn verify(bench: &Bench, id: &str) {
    let verdict = bench.admin("POST", &format!("/{id}/verify")).tag("*").json(&json!({})).send().await.is(200);
    assert_eq!(verdict["verified"], true, "{verdict}");
}

fn run_of(definition: &str, slot: &str) -> String {
    occurrence_id(definition, "main", slot.parse().unwrap(), 0).to_string()
}

pub async fn run_is(bench: &Bench, run: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    bench.until_by_admin(&events(&format!("/runs/{run}")), |answer| answer.status == 200 && wanted(&answer.body)).await
}

pub async fn alter(bench: &Bench, definition: &str, slot: &str, verb: &str, body: Value) -> crate::bench::Answer {
    bench.admin("POST", &format!("/{definition}/occurrences/{slot}/{verb}")).json(&body).send().await
}

pub async fn advance_to(bench: &Bench, instant: &str) {
    let now = bench.engine.clock.now().await.unwrap();
    let ahead = instant.parse::<chrono::DateTime<chrono::Utc>>().unwrap() - now;
    assert!(ahead >= TimeDelta::zero());
    bench.advance(ahead).await;
}

/// The whole account of a window, over as many pages as it takes.
pub async fn account(bench: &Bench, query: &str) -> Vec<Value> {
    let (mut items, mut token) = (Vec::new(), String::new());
    let position = bench.head().await;
    loop {
        let path = format!("/occurrences?{query}&minPosition={position}{token}");
        let page = bench.admin("GET", &path).send().await.is(200);
        items.extend(page["items"].as_array().unwrap().iter().cloned());
        match page["nextPageToken"].as_str() {
            Some(next) => token = format!("&pageToken={next}"),
            None => return items,
        }
    }
}

#[tokio::test]
async fn an_occurrence_is_skipped_and_brought_back_whether_it_has_a_run_or_not() {
    let bench = bench().await;
    let id = verified(&bench, &fridays("skipped")).await;
    for (slot, made) in [("2027-03-05T20:00", true), ("2027-04-16T20:00", false)] {
        let run = run_of(&id, slot);
        if made {
            run_is(&bench, &run, |run| run["status"] == "scheduled").await;
        }
        let skipped = alter(&bench, &id, slot, "skip", json!({"reason": "the hall is taken"})).await.is(200);
        assert_eq!((&skipped["state"], &skipped["at"], &skipped["runId"]), (&json!("skipped"), &Value::Null, &json!(run)));
        let again = alter(&bench, &id, slot, "skip", json!({"reason": "twice"})).await.is(200);
        assert_eq!(again["state"], "skipped");
        if made {
            assert_eq!(run_is(&bench, &run, |_| true).await["status"], "cancelled", "in the same append");
        }
        let refused = alter(&bench, &id, slot, "move", json!({"reason": "x", "to": "2027-05-01T20:00"})).await;
        refused.problem(409, "occurrence_skipped");
        let back = alter(&bench, &id, slot, "restore", json!({"reason": "the hall is free"})).await.is(200);
        assert_eq!((&back["state"], &back["local"]), (&json!("scheduled"), &json!(slot)));
        if made {
            let run = run_is(&bench, &run, |run| run["status"] == "scheduled").await;
            assert_eq!((&run["scheduledFor"], &run["slot"]), (&json!("2027-03-05T11:00:00Z"), &json!(slot)));
        }
    }
    let facts = account(&bench, &format!("from=2027-03-01T00:00:00Z&to=2027-05-01T00:00:00Z&definitionId={id}")).await;
    assert!(facts.iter().all(|one| one["outcome"] == "ahead"), "{facts:?}");
    assert_eq!(facts.len(), 9, "every Friday of March and April");
}

#[tokio::test]
async fn a_moved_occurrence_stays_its_slot_and_starts_once_at_its_new_time() {
    let bench = bench().await;
    let id = verified(&bench, &fridays("moved")).await;
    let (slot, run) = ("2027-03-05T20:00", run_of_slot(&bench, &id, "2027-03-05T20:00").await);
    let to = json!({"reason": "later", "to": "2027-03-06T21:30"});
    let moved = alter(&bench, &id, slot, "move", to.clone()).await.is(200);
    assert_eq!((&moved["state"], &moved["at"]), (&json!("moved"), &json!("2027-03-06T12:30:00Z")));
    assert_eq!((&moved["movedFrom"], &moved["local"]), (&json!("2027-03-05T11:00:00Z"), &json!("2027-03-06T21:30")));
    assert_eq!(alter(&bench, &id, slot, "move", to).await.is(200)["state"], "moved", "no change");
    let listed = run_is(&bench, &run, |run| run["scheduledFor"] == "2027-03-06T12:30:00Z").await;
    assert_eq!((&listed["slot"], &listed["movedFrom"]), (&json!(slot), &json!("2027-03-05T11:00:00Z")));

    for (to, code) in [("2027-03-12T20:00", "occupied"), ("2027-03-01T20:59", "in_the_past"), ("2027-03-05T20:00", "own_slot")] {
        let problem = alter(&bench, &id, slot, "move", json!({"reason": "x", "to": to})).await.problem(422, code);
        assert_eq!(faults(&problem), [("/to", code)], "{to}");
    }
    for (to, code) in
        [(json!("2027-03-06T21:30Z"), "wrong_value"), (json!("2100-01-01T00:00"), "wrong_value"), (json!(7), "wrong_type")]
    {
        let problem = alter(&bench, &id, slot, "move", json!({"reason": "x", "to": to})).await.problem(422, "invalid_body");
        assert_eq!(faults(&problem), [("/to", code)]);
    }

    // A newer version that still has the slot leaves the move as it is.
    let mut newer = fridays("moved");
    newer["title"] = json!("Louder");
    bench.admin("PUT", &format!("/{id}")).tag("*").json(&newer).send().await.is(200);
    let published = bench.admin("POST", &format!("/{id}/publish")).tag("*").send().await.is(200);
    assert_eq!((&published["repinned"], &published["withdrawn"]), (&json!(2), &json!(0)));
    verify(&bench, &id).await;
    advance_to(&bench, "2027-03-05T11:00:00Z").await;
    assert_eq!(run_is(&bench, &run, |run| run["version"] == 2).await["status"], "scheduled");
    advance_to(&bench, "2027-03-06T12:30:00Z").await;
    let begun = run_is(&bench, &run, |run| run["status"] == "running").await;
    assert_eq!((&begun["startedAt"], &begun["movedFrom"]), (&json!("2027-03-06T12:30:00Z"), &json!("2027-03-05T11:00:00Z")));
    for (verb, body) in [
        ("skip", json!({"reason": "x"})),
        ("move", json!({"reason": "x", "to": "2027-03-20T20:00"})),
        ("restore", json!({"reason": "x"})),
    ] {
        let problem = alter(&bench, &id, slot, verb, body).await.problem(409, "run_state");
        assert_eq!((&problem["runStatus"], &problem["runId"]), (&json!("running"), &json!(run)), "{verb}");
        assert!(problem["detail"].as_str().unwrap().contains("running"), "{problem}");
    }
    let account = account(&bench, &format!("from=2027-03-05T00:00:00Z&to=2027-03-06T00:00:00Z&definitionId={id}")).await;
    assert_eq!(account.len(), 1, "by the instant that the schedule gives it: {account:?}");
    assert_eq!((&account[0]["outcome"], &account[0]["scheduledFor"]), (&json!("executed"), &json!("2027-03-06T12:30:00Z")));
}

pub async fn run_of_slot(bench: &Bench, id: &str, slot: &str) -> String {
    let run = run_of(id, slot);
    run_is(bench, &run, |run| run["status"] == "scheduled").await;
    run
}

#[tokio::test]
async fn a_run_that_a_person_cancelled_comes_back_and_one_that_is_over_does_not() {
    let bench = bench().await;
    let id = verified(&bench, &fridays("back")).await;
    let slot = "2027-03-05T20:00";
    let run = run_of_slot(&bench, &id, slot).await;
    bench.admin("POST", &format!("/runs/{run}/cancel")).json(&json!({"reason": "no"})).send().await.is(200);
    alter(&bench, &id, slot, "move", json!({"reason": "x", "to": "2027-03-06T20:00"})).await.problem(409, "run_state");
    assert_eq!(alter(&bench, &id, slot, "restore", json!({"reason": "yes"})).await.is(200)["state"], "scheduled");
    run_is(&bench, &run, |run| run["status"] == "scheduled").await;
    let over = alter(&bench, &id, "2027-02-26T20:00", "skip", json!({"reason": "x"})).await;
    over.problem(409, "occurrence_over");
}

#[tokio::test]
async fn what_is_no_occurrence_is_not_found_and_every_wrong_body_is_told() {
    let bench = bench().await;
    let id = verified(&bench, &fridays("none")).await;
    for slot in ["2027-03-06T20:00", "2027-03-05T20:01", "yesterday", "2027-03-05T20:00Z", "2027-02-30T20:00", "%00"] {
        alter(&bench, &id, slot, "skip", json!({"reason": "x"})).await.problem(404, "occurrence_not_found");
    }
    let other = "5b0c2f62-7a51-4f55-9c07-0d7f2f2b9f11";
    alter(&bench, other, "2027-03-05T20:00", "skip", json!({"reason": "x"})).await.problem(404, "definition_missing");
    for (body, wrong) in [
        (json!({}), vec![("/reason", "required"), ("/to", "required")]),
        (json!({"reason": "", "to": "2027-03-06T20:00"}), vec![("/reason", "wrong_length")]),
        (json!({"reason": "x", "to": "2027-03-06T20:00", "by": "me"}), vec![("/by", "unknown_field")]),
    ] {
        let problem = alter(&bench, &id, "2027-03-05T20:00", "move", body).await.problem(422, "invalid_body");
        assert_eq!(faults(&problem), wrong);
    }
    let by = |role, verb: &str| {
        let path = events(&format!("/{id}/occurrences/2027-03-05T20:00/{verb}"));
        bench.call("POST", &path).by(bench.person(role)).json(&json!({"reason": "x"}))
    };
    by(Role::Editor, "skip").send().await.problem(403, "role_required");
    by(Role::Moderator, "restore").send().await.problem(403, "role_required");
    by(Role::Moderator, "skip").send().await.is(200);
}

#[tokio::test]
async fn nothing_starts_in_a_frozen_window() {
    let bench = bench().await;
    let id = verified(&bench, &fridays("frozen")).await;
    let run = run_of_slot(&bench, &id, "2027-03-05T20:00").await;
    let window = json!({"from": "2027-03-05T10:55:00Z", "to": "2027-03-05T11:05:00Z", "reason": "the game is moved"});
    let declared = bench.admin("POST", "/freezes").json(&window).send().await.is(201);
    let freeze = declared["id"].as_str().unwrap().to_owned();
    assert_eq!(bench.admin("GET", "/freezes").send().await.is(200)["items"][0]["state"], "ahead");

    // Told beforehand, of the run and of what has none yet.
    let later = json!({"from": "2027-04-02T00:00:00Z", "to": "2027-04-03T00:00:00Z", "reason": "moving again"});
    let later = bench.admin("POST", "/freezes").json(&later).send().await.is(201);
    let path = format!("/calendar?from=2027-03-01&to=2027-04-10&minPosition={}", bench.head().await);
    let calendar = bench.admin("GET", &path).send().await.is(200);
    let frozen: Vec<(&str, &Value)> = calendar["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["kind"].as_str().unwrap(), &one["frozen"]["freeze"]))
        .collect();
    let none = Value::Null;
    let expected = [
        ("run", &declared["id"]),
        ("run", &none),
        ("projection", &none),
        ("projection", &none),
        ("projection", &later["id"]),
        ("projection", &none),
    ];
    assert_eq!(frozen, expected);

    advance_to(&bench, "2027-03-05T11:00:00Z").await;
    run_is(&bench, &run, |run| run["status"] == "missed").await;
    bench.admin("DELETE", &format!("/freezes/{}", later["id"].as_str().unwrap())).send().await.is(200);
    let listed = bench.admin("GET", "/freezes").send().await.is(200);
    assert_eq!((&listed["items"][1]["state"], &listed["items"][1]["reason"]), (&json!("in_force"), &json!("the game is moved")));
    let refused = bench.admin("POST", &format!("/{id}/runs")).send().await.problem(409, "frozen");
    assert_eq!(refused["freeze"]["id"], json!(freeze));
    let told = account(&bench, "from=2027-03-05T00:00:00Z&to=2027-03-06T00:00:00Z&executed=false").await;
    assert_eq!((told.len(), &told[0]["cause"], &told[0]["freeze"]), (1, &json!("frozen"), &json!(freeze)));

    let lift = |id: String| bench.admin("DELETE", &format!("/freezes/{id}")).send();
    assert_eq!(lift(freeze.clone()).await.is(200)["state"], "lifted");
    assert_eq!(lift(freeze.clone()).await.is(200)["state"], "lifted", "twice is once");
    bench.admin("POST", &format!("/{id}/runs")).send().await.is(201);
    lift("5b0c2f62-7a51-4f55-9c07-0d7f2f2b9f11".into()).await.problem(404, "not_found");
    for (from, to, code) in [
        ("2027-03-07T00:00:00Z", "2027-03-06T00:00:00Z", "out_of_range"),
        ("2027-02-07T00:00:00Z", "2027-02-08T00:00:00Z", "in_the_past"),
    ] {
        let body = json!({"from": from, "to": to, "reason": "x"});
        let problem = bench.admin("POST", "/freezes").json(&body).send().await.problem(422, code);
        assert_eq!(faults(&problem), [("/to", code)]);
    }
}

/// Field report S07.
#[tokio::test]
async fn every_occurrence_of_a_window_is_accounted_for_and_each_that_was_not_executed_says_why() {
    let bench = bench().await;
    let of = |slug: &str, day: &str| {
        let mut definition = scheduled(slug, &json!({"kind": "once", "at": format!("2027-03-{day}T20:00")}));
        definition["concurrencyKey"] = json!("the hall");
        definition
    };
    let runs = verified(&bench, &of("runs", "02")).await;
    let held = verified(&bench, &of("held", "03")).await;
    let unverified = bench.publish(&of("unverified", "04")).await;
    let archived = verified(&bench, &of("archived", "05")).await;
    let cancelled = verified(&bench, &of("cancelled", "06")).await;
    let skipped = verified(&bench, &of("skipped", "07")).await;
    let slot = |day: &str| format!("2027-03-{day}T20:00");
    let cancelled_run = run_of_slot(&bench, &cancelled, &slot("06")).await;
    bench.admin("POST", &format!("/runs/{cancelled_run}/cancel")).json(&json!({"reason": "rain"})).send().await.is(200);
    alter(&bench, &skipped, &slot("07"), "skip", json!({"reason": "holiday"})).await.is(200);
    run_of_slot(&bench, &archived, &slot("05")).await;
    bench.admin("DELETE", &format!("/{archived}")).tag("*").send().await.is(200);
    let archived_run = run_of(&archived, &slot("05"));
    run_is(&bench, &archived_run, |run| run["status"] == "cancelled").await;

    advance_to(&bench, "2027-03-02T11:00:00Z").await;
    let holder = run_of(&runs, &slot("02"));
    run_is(&bench, &holder, |run| run["status"] == "running").await;
    advance_to(&bench, "2027-03-03T11:00:00Z").await;
    run_is(&bench, &run_of(&held, &slot("03")), |run| run["blockedBy"] == json!(holder)).await;
    advance_to(&bench, "2027-03-03T11:15:01Z").await;
    run_is(&bench, &run_of(&held, &slot("03")), |run| run["status"] == "missed").await;
    advance_to(&bench, "2027-03-08T00:00:00Z").await;

    let window = "from=2027-03-01T00:00:00Z&to=2027-03-08T00:00:00Z&limit=2";
    let (all, executed) = (account(&bench, window).await, account(&bench, &format!("{window}&executed=true")).await);
    let not_executed = account(&bench, &format!("{window}&executed=false")).await;
    assert_eq!((all.len(), executed.len(), not_executed.len()), (6, 1, 5));
    assert_eq!(executed[0]["definitionId"], json!(runs));
    let admin = bench.person(Role::Admin).id.as_str();
    let told: Vec<[&str; 3]> =
        not_executed.iter().map(|one| ["slug", "cause", "by"].map(|field| one[field].as_str().unwrap_or("-"))).collect();
    assert_eq!(
        told,
        [
            ["held", "slot_held", "runner"],
            ["unverified", "never_verified", "scheduler"],
            ["archived", "archived", admin],
            ["cancelled", "cancelled", admin],
            ["skipped", "skipped", admin],
        ]
    );
    assert_eq!((&not_executed[0]["holder"], &not_executed[3]["note"]), (&json!(holder), &json!("rain")));
    assert_eq!(not_executed[4]["note"], "holiday");
    let by_definition = account(&bench, &format!("{window}&definitionId={unverified}")).await;
    assert_eq!(by_definition.len(), 1);
}

#[tokio::test]
async fn a_window_that_is_none_is_refused_with_its_parameter() {
    let bench = bench().await;
    for (query, wrong) in [
        ("", vec![("?from", "required"), ("?to", "required")]),
        ("from=2027-03-01T00:00:00Z&to=2027-03-01T00:00:00Z", vec![("?to", "out_of_range")]),
        ("from=2027-03-01T00:00:00Z&to=2028-03-03T00:00:00Z", vec![("?to", "out_of_range")]),
        ("from=2027-03-01T00:00:00Z&to=2027-03-02T00:00:00Z&executed=perhaps", vec![("?executed", "not_a_choice")]),
        ("from=yesterday&to=2027-03-02T00:00:00Z", vec![("?from", "wrong_value")]),
        ("from=2027-03-01T00:00:00Z&to=2027-03-02T00:00:00Z&pageToken=zz", vec![("?pageToken", "bad_page_token")]),
    ] {
        let problem = bench.admin("GET", &format!("/occurrences?{query}")).send().await;
        assert_eq!(problem.status, 422, "{query}: {}", problem.text);
        assert_eq!(faults(&problem.body), wrong, "{query}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_one_definition_keeps_no_other_from_its_calendar() {
    let bench = bench().await;
    let mut sound = Vec::new();
    for nth in 0..97 {
        sound.push(bench.publish(&fridays(&format!("sound-{nth}"))).await);
    }
    let zone = bench.publish(&fridays("zone")).await;
    let action = bench.publish(&fridays("action")).await;
    let broken = bench.publish(&fridays("broken")).await;
    for (id, from, to) in [(&zone, "Asia/Seoul", "Asia/Atlantis"), (&action, "core.cue", "gone.cue")] {
        let text: String = sqlx::query_scalar(
            "select payload::text from events where aggregate_id = $1 and event_type = 'definition_published'",
        )
        .bind(id)
        .fetch_one(bench.engine.log.pool())
        .await
        .unwrap();
        let version = text.replace(from, to).replace("\"version\":1", "\"version\":2");
        bench.raw_event("definition", id, "definition_published", "2", &version).await;
        bench.raw_event("definition", id, "definition_verified", "1", r#"{"type": "definition_verified", "version": 2}"#).await;
    }
    bench
        .raw_event("definition", &broken, "definition_verified", "1", r#"{"type": "definition_verified", "version": "?"}"#)
        .await;
    for id in &sound {
        verify(&bench, id).await;
    }
    for id in &sound {
        run_of_slot(&bench, id, "2027-03-05T20:00").await;
    }
    for (id, cause) in [(&zone, "unknown_zone"), (&action, "dormant")] {
        let withheld = "select count(*) from events where aggregate_id = $1 and event_type = 'occurrence_withheld' and payload ->> 'cause' = $2";
        let count: i64 = sqlx::query_scalar(withheld).bind(id).bind(cause).fetch_one(bench.engine.log.pool()).await.unwrap();
        assert_eq!(count, 2, "{cause}: both Fridays of the horizon, once each");
    }
}

#[tokio::test]
async fn publishing_counts_what_it_took_along_and_what_it_withdrew() {
    let bench = bench().await;
    let daily = |days: &[&str]| scheduled("counted", &json!({"kind": "weekly", "days": days, "time": "20:00"}));
    let id = verified(&bench, &daily(&["tuesday", "friday"])).await;
    for slot in ["2027-03-02T20:00", "2027-03-05T20:00", "2027-03-09T20:00", "2027-03-12T20:00"] {
        run_of_slot(&bench, &id, slot).await;
    }
    bench.admin("PUT", &format!("/{id}")).tag("*").json(&daily(&["friday", "sunday"])).send().await.is(200);
    let published = bench.admin("POST", &format!("/{id}/publish")).tag("*").send().await.is(200);
    assert_eq!((&published["repinned"], &published["withdrawn"]), (&json!(2), &json!(2)), "{published}");
    verify(&bench, &id).await;
    run_of_slot(&bench, &id, "2027-03-07T20:00").await;
    let gone = run_is(&bench, &run_of(&id, "2027-03-02T20:00"), |run| run["status"] == "cancelled").await;
    assert_eq!(gone["startedAt"], Value::Null);
}
