//! The draft's revision: named by every edit, told by every answer.

use crate::bench::{Bench, quiet};

/// Every edit of a definition.
const EDITS: [(&str, &str); 4] = [("PUT", ""), ("POST", "/publish"), ("POST", "/verify"), ("DELETE", "")];

async fn edit(bench: &Bench, id: &str, (method, verb): (&str, &str), tag: Option<&str>) -> crate::bench::Answer {
    let call = bench.admin(method, &format!("/{id}{verb}"));
    let call = if method == "PUT" { call.json(&quiet("harvest")) } else { call };
    match tag {
        Some(tag) => call.tag(tag).send().await,
        None => call.send().await,
    }
}

#[tokio::test]
async fn an_edit_without_a_revision_is_asked_for_one() {
    let bench = Bench::new().await;
    let id = bench.create(&quiet("harvest")).await;
    let before = (bench.head().await, bench.drafts().await);
    for verb in EDITS {
        edit(&bench, &id, verb, None).await.problem(428, "if_match_required");
        for malformed in ["1", "\"1", "\"1\" \"2\"", "\"1\",", ",", "\u{e9}"] {
            edit(&bench, &id, verb, Some(malformed)).await.problem(400, "bad_if_match");
        }
    }
    assert_eq!((bench.head().await, bench.drafts().await), before);
}

#[tokio::test]
async fn an_edit_of_an_older_revision_is_refused_and_told_the_current() {
    let bench = Bench::new().await;
    let id = bench.create(&quiet("harvest")).await;
    edit(&bench, &id, ("PUT", ""), Some("\"1\"")).await.is(200);
    let before = (bench.head().await, bench.drafts().await);
    for verb in EDITS {
        for stale in ["\"1\"", "\"3\"", "\"0\"", "W/\"2\"", "\"nonsense\"", "\"1\", \"3\""] {
            let answer = edit(&bench, &id, verb, Some(stale)).await;
            assert_eq!(answer.etag(), "\"2\"", "{verb:?} {stale}");
            assert_eq!(answer.problem(412, "stale_revision")["currentRevision"], 2);
        }
    }
    assert_eq!((bench.head().await, bench.drafts().await), before);
    edit(&bench, &id, ("PUT", ""), Some("\"1\", \"2\"")).await.is(200);
    edit(&bench, &id, ("PUT", ""), Some("*")).await.is(200);
}

#[tokio::test]
async fn of_many_who_edit_one_revision_one_does() {
    let bench = Bench::new().await;
    let id = bench.create(&quiet("harvest")).await;
    let answers = futures::future::join_all((0..8).map(|_| edit(&bench, &id, ("PUT", ""), Some("\"1\"")))).await;
    let saved: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert_eq!(saved.len(), 1);
    assert!(answers.iter().filter(|answer| answer.status != 200).all(|answer| answer.status == 412 && answer.etag() == "\"2\""));
    assert_eq!(bench.drafts().await, 2);
}

/// Field report A01.
#[tokio::test]
async fn of_two_who_read_the_same_the_second_to_save_is_told_and_nothing_of_the_first_is_lost() {
    let bench = Bench::new().await;
    let id = bench.create(&quiet("harvest")).await;
    let (mut title, mut phases) = (quiet("harvest"), quiet("harvest"));
    title["title"] = "Harvest Ball".into();
    phases["spec"]["phases"][0]["label"] = "Asked again".into();
    let put = |body: &serde_json::Value| bench.admin("PUT", &format!("/{id}")).json(body);
    let first = put(&title).tag("\"1\"").send().await;
    assert_eq!((first.status.as_u16(), first.etag()), (200, "\"2\""));
    let second = put(&phases).tag("\"1\"").send().await.problem(412, "stale_revision");
    assert_eq!(second["currentRevision"], 2);
    put(&phases).send().await.problem(428, "if_match_required");
    let read = bench.admin("GET", &format!("/{id}")).send().await.is(200);
    assert_eq!((&read["title"], &read["spec"]["phases"][0]["label"]), (&"Harvest Ball".into(), &"Ask".into()));
}
