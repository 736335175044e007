//! `leasehold user erase`: nothing of a person is left anywhere, and nothing else is missing.

use leasehold::engine::Fault;
use leasehold::engine::accounts::{Bootstrap, Change, Erased};
use leasehold::log::{Append, RowWrite};
use leasehold_aggregates::account::Role;
use serde_json::{Value, json};
use sqlx::Row;
use uuid::Uuid;

use crate::bench::{Bench, Person, events, quiet};
use crate::runs::until;
use crate::user::user;

#[track_caller]
fn code(result: Result<impl Sized, Fault>) -> &'static str {
    match result.err().expect("a refusal") {
        Fault::Refused(refusal) => refusal.code(),
        other => panic!("{other}"),
    }
}

/// Every row of every table as text, but for PostgreSQL's own.
async fn everything(bench: &Bench) -> String {
    let mut owner = bench.database.owner().await;
    let tables =
        sqlx::query("select format('%I.%I', schemaname, tablename) from pg_tables where schemaname in ('public', 'projections')");
    let mut all = String::new();
    for table in tables.fetch_all(&mut owner).await.unwrap() {
        let table: String = table.get(0);
        let rows: Option<String> = sqlx::query_scalar(&format!("select string_agg(t::text, e'\\n') from {table} t"))
            .fetch_one(&mut owner)
            .await
            .unwrap();
        all += &rows.unwrap_or_default();
    }
    all
}

async fn lists(bench: &Bench) -> Vec<Value> {
    let mut lists = Vec::new();
    for path in ["", "/runs"] {
        let head = bench.head().await;
        lists.push(bench.admin("GET", &format!("{path}?minPosition={head}")).send().await.is(200));
    }
    lists
}

async fn story(bench: &Bench, run: &str) -> Vec<Value> {
    let log = bench.admin("GET", &format!("/runs/{run}/log")).send().await.is(200);
    log["items"].as_array().unwrap().clone()
}

/// A run that Ada confirmed and one that she cancelled, with words of hers in both.
async fn two_runs(bench: &Bench, ada: &Person) -> [String; 2] {
    let definition = bench.publish(&quiet("quiet")).await;
    let mut runs = Vec::new();
    for _ in 0..2 {
        let run = bench.admin("POST", &format!("/{definition}/runs")).send().await.is(201)["id"].as_str().unwrap().to_owned();
        until(bench, &run, |run| run["waitingSteps"] == 1).await;
        runs.push(run);
    }
    let call = |path: String, body: Value| bench.call("POST", &events(&path)).by(ada).json(&body).send();
    call(format!("/runs/{}/steps/cue/confirm", runs[0]), json!({"note": "xyzzy, says Ada"})).await.is(200);
    call(format!("/runs/{}/cancel", runs[1]), json!({"reason": "plugh, says Ada"})).await.is(200);
    runs.try_into().unwrap()
}

#[tokio::test]
async fn nothing_of_the_person_is_left_and_nothing_else_is_missing() {
    let bench = Bench::new().await;
    let ada = bench.add_called("Ada Lovelace", Role::Moderator).await;
    let runs = two_runs(&bench, &ada).await;
    let telling = ["Ada Lovelace", "xyzzy", "plugh", "of Ada"];
    let before = (lists(&bench).await, story(&bench, &runs[0]).await, story(&bench, &runs[1]).await);
    let rows = everything(&bench).await;
    for word in telling {
        assert!(rows.contains(word), "{word} was never there");
    }

    let (status, printed, told) = user(&bench, &["erase", "Ada Lovelace", "--reason", "asked for by mail"]).await;
    assert_eq!((status, &printed[0]["notes"], &printed[0]["changed"]), (0, &json!(2), &json!(true)), "{told}");
    let rows = everything(&bench).await;
    for word in telling {
        assert!(!rows.contains(word), "{word} is still there");
    }
    let salted: i64 = sqlx::query_scalar("select count(*) from notes where written_by = $1 and salt is not null")
        .bind(&ada.id)
        .fetch_one(bench.engine.log.pool())
        .await
        .unwrap();
    assert_eq!(salted, 0, "a salt would let somebody guess the text");

    assert_eq!(lists(&bench).await, before.0, "every count stands");
    let count = bench.head().await + 1;
    assert_eq!(bench.engine.log.verify(None, |_| {}).await.unwrap().events, count, "the log still verifies");
    for (run, before) in runs.iter().zip([before.1, before.2]) {
        let after = story(&bench, run).await;
        assert_eq!(after.len(), before.len());
        let differs: Vec<_> = after.iter().zip(&before).filter(|(after, before)| after != before).collect();
        let [(line, was)] = differs[..] else { panic!("{differs:?}") };
        assert!(line["text"].as_str().unwrap().contains("erased") && was["text"].as_str().unwrap().contains("Ada"), "{line}");
        assert_eq!(line["detail"]["note"]["digest"], was["detail"]["note"]["digest"]);
        assert_eq!((&line["actor"], &line["detail"]["note"]["words"]), (&json!(ada.id), &Value::Null));
    }
    let log = bench.engine.log.read_after(None, 10_000).await.unwrap();
    let act = log.iter().find(|event| event.event_type == "account_erased").unwrap();
    assert_eq!((&act.stream.aggregate_id, act.metadata["actor"].as_str()), (&ada.id, "operator"));
    assert_eq!(act.payload["notes"], 2);
    assert!(rows.contains("asked for by mail"), "why, is kept");
}

#[tokio::test]
async fn an_erased_account_stays_erased() {
    let bench = Bench::new().await;
    let ada = bench.add_called("Ada Lovelace", Role::Editor).await;
    assert_eq!(user(&bench, &["erase", &ada.id, "--reason", "asked"]).await.1[0]["notes"], 0);
    bench.call("GET", "/api/v1/me").by(&ada).send().await.problem(401, "unauthorized");
    let head = bench.head().await;
    let again = user(&bench, &["erase", &ada.id, "--reason", "asked twice"]).await;
    assert_eq!((again.0, &again.1[0]["changed"]), (0, &json!(false)), "{}", again.2);
    for wrong in [&["enable", &ada.id] as &[&str], &["role", &ada.id, "admin"], &["token", &ada.id]] {
        let (status, _, told) = user(&bench, wrong).await;
        assert!(status == 1 && told.contains("erased"), "{wrong:?}: {told}");
    }
    assert_eq!(user(&bench, &["disable", &ada.id]).await.1[0]["changed"], false);
    assert_eq!(bench.head().await, head, "nothing of this is an event");
    let (_, listed, _) = user(&bench, &["list"]).await;
    let row = listed.iter().find(|row| row["id"] == ada.id).unwrap();
    assert_eq!((&row["name"], &row["disabled"], &row["erased"]), (&json!(""), &json!(true), &json!(true)));
    for nobody in ["Ada Lovelace", ""] {
        let (status, _, told) = user(&bench, &["enable", nobody]).await;
        assert!(status == 1 && told.contains("there is no such account"), "{nobody:?}: {told}");
    }
    let (status, _, told) = user(&bench, &["erase", &ada.id, "--reason", " "]).await;
    assert!(status == 2 && told.contains("reason"), "{told}");
    assert_eq!(user(&bench, &["erase", &ada.id]).await.0, 2, "a reason is asked for");
}

#[tokio::test]
async fn the_last_admin_is_not_erased_and_of_two_at_once_one_remains() {
    let bench = Bench::new().await;
    let first = bench.person(Role::Admin).clone();
    let erase = async |person: &Person| bench.engine.erase_account(&bench.act().await, &person.id, "asked").await;
    assert_eq!(code(erase(&first).await), "last_admin");
    let second = bench.add(Role::Admin).await;
    let (one, other) = tokio::join!(erase(&first), erase(&second));
    let refused = if one.is_ok() { other } else { one };
    assert_eq!(code(refused), "last_admin");
    let stranger = Person { id: "nobody".into(), ..first };
    assert_eq!(code(erase(&stranger).await), "account_missing");
}

#[tokio::test]
async fn no_token_brings_the_bootstrap_account_back() {
    let bench = Bench::new().await;
    let token = "first-token-0123456789";
    assert!(bench.engine.bootstrap_admin(Some(token)).await.unwrap() == Bootstrap::Installed);
    let act = bench.act().await;
    assert!(bench.engine.erase_account(&act, "bootstrap", "handed over").await.unwrap().changed);
    for token in [token, "another-token-0123456789"] {
        assert_eq!(code(bench.engine.bootstrap_admin(Some(token)).await), "account_erased");
    }
    assert!(bench.engine.bootstrap_admin(None).await.unwrap() == Bootstrap::Unchanged, "there is another admin");
    let act = bench.act().await;
    assert_eq!(code(bench.engine.change_account(&act, "bootstrap", Change::Enable).await), "account_erased");
}

#[tokio::test]
async fn what_is_typed_at_the_very_moment_is_blank_too() {
    let bench = Bench::new().await;
    let ada = bench.add_called("Ada Lovelace", Role::Moderator).await;
    let note = |number: u128| RowWrite::Note {
        id: Uuid::from_u128(0xADA0 + number),
        salt: vec![7; 16],
        body: format!("xyzzy {number}"),
        by: ada.id.clone(),
        at: "2027-01-15T08:00:00Z".parse().unwrap(),
    };
    let write = async |number: u128| {
        let command = Append { rows: vec![note(number)], ..Append::of(Uuid::from_u128(0xC0DE + number)) };
        bench.engine.log.append(command).await.unwrap();
    };
    let erase = async || bench.engine.erase_account(&bench.act().await, &ada.id, "asked").await.unwrap();
    let (_, erased) = tokio::join!(futures::future::join_all((0..12).map(write)), erase());
    assert!(erased.changed);
    write(99).await;
    let (all, told): (i64, i64) = sqlx::query_as("select count(*), count(body) + count(salt) from notes where written_by = $1")
        .bind(&ada.id)
        .fetch_one(bench.engine.log.pool())
        .await
        .unwrap();
    assert_eq!((all, told), (13, 0));
    assert_eq!(erase().await, Erased { changed: false, notes: 0 });
}

/// What a game calls somebody is blanked once; that it was done and by whom is on record, and the name is not.
#[tokio::test]
async fn a_member_is_erased_once_and_the_log_says_so_without_the_name() {
    let bench = Bench::new().await;
    let (log, member) = (&bench.engine.log, Uuid::from_u128(77));
    let at = bench.engine.clock.now().await.unwrap();
    let known = log.members_of("demo", &["ada-of-the-lamps".to_owned()], &[member], at).await.unwrap();
    assert_eq!(known["ada-of-the-lamps"], member);
    let admin = bench.person(Role::Admin);
    let erase = || bench.call("DELETE", &format!("/api/v1/admin/members/{member}")).by(admin).send();
    for _ in 0..2 {
        let erased = erase().await.is(200);
        assert_eq!((&erased["erased"], &erased["memberKey"]), (&json!(true), &Value::Null));
    }
    let told = "select payload::text, metadata ->> 'actor' from events where event_type = 'member_erased'";
    let told: Vec<(String, String)> = sqlx::query_as(told).fetch_all(log.pool()).await.unwrap();
    assert_eq!((told.len(), &told[0].1), (1, &admin.id));
    assert!(told[0].0.contains(&member.to_string()) && !told[0].0.contains("ada"), "{told:?}");
    let nobody = format!("/api/v1/admin/members/{}", Uuid::nil());
    bench.call("DELETE", &nobody).by(admin).send().await.problem(404, "member_missing");
}
