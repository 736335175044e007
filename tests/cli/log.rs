//! `leasehold log` and `leasehold replay`: what they print, and what they end with.

use serde_json::{Value, json};

use crate::asked::{self, Asked, force, with_events};
use crate::support::TestDatabase;

fn ask(database: &TestDatabase, args: &[&str]) -> (i32, Value, String) {
    let Asked { status, printed, told } = asked::ask(database, args);
    (status, printed, told)
}

#[tokio::test]
async fn verify_says_that_the_log_is_whole_or_where_it_is_not() {
    let database = with_events(5).await;
    let (status, whole, told) = ask(&database, &["log", "verify"]);
    assert_eq!((status, &whole["ok"], &whole["events"]), (0, &json!(true), &json!(5)), "{told}");
    let (status, head, _) = ask(&database, &["log", "head"]);
    assert_eq!((status, &head["position"]), (0, &json!(4)));
    let kept = format!("{}:{}", head["position"], head["hash"].as_str().unwrap());
    assert_eq!(whole["head"], kept);
    assert_eq!(ask(&database, &["log", "verify", "--head", &kept]).0, 0);

    force(&database, "delete from events where position = 4").await;
    let (status, cut, _) = ask(&database, &["log", "verify", "--head", &kept]);
    assert_eq!((status, &cut["ok"], &cut["position"]), (1, &json!(false), &json!(4)));
    force(&database, "update events set metadata = '{}' where position = 2").await;
    let (status, broken, _) = ask(&database, &["log", "verify"]);
    assert_eq!((status, &broken["ok"], &broken["position"]), (1, &json!(false), &json!(2)));
    assert!(broken["why"].as_str().is_some_and(|why| why.contains("changed")), "{broken}");
}

#[tokio::test]
async fn wrong_use_is_2_and_says_why() {
    let database = with_events(1).await;
    let missing = "11111111-2222-3333-4444-555555555555";
    let (early, late) = ("2027-01-01T00:00:00Z", "2028-01-03T00:00:00Z");
    let uses: [(&[&str], &str); 14] = [
        (&["occurrences", "--from", late, "--to", early], "--to must come after --from"),
        (&["occurrences", "--from", early, "--to", late], "by 366 days at most"),
        (&["log", "verify", "--head", "4"], "POSITION:HASH"),
        (&["log", "verify", "--head", "4:abcd"], "POSITION:HASH"),
        (&["replay", missing], "there is no run"),
        (&["replay", missing, "--at", "0"], "none by then"),
        (&["replay", missing, "--at", "yesterday"], "neither a position nor an instant"),
        (&["replay", missing, "--diff", "0"], "2 values"),
        (&["replay", missing, "--diff", "0", "0", "--at", "0"], "cannot be used with"),
        (&["in-force", "--at", "1"], "position 1 lies beyond the log, whose newest position is 0"),
        (&["in-force", "--at", "2999-01-01T00:00:00Z"], "has not come yet"),
        (&["in-force", "--at", "now"], "neither a position nor an instant"),
        (&["in-force", "--target", "demo/main"], "MODULE/SCOPE/KIND/REF"),
        (&["dance"], "dance"),
    ];
    for (args, why) in uses {
        let (status, _, told) = ask(&database, args);
        assert_eq!(status, 2, "{args:?}: {told}");
        assert!(told.contains(why), "{args:?}: {told}");
    }
}

#[tokio::test]
async fn an_account_without_the_rows_that_it_is_told_from_says_so_and_appends_nothing() {
    let database = with_events(1).await;
    let window = ["--from", "2027-01-01T00:00:00Z", "--to", "2027-02-01T00:00:00Z"];
    let (status, _, told) = ask(&database, &[&["occurrences"][..], &window[..]].concat());
    assert_eq!(status, 1, "{told}");
    assert!(told.contains("are being built"), "{told}");
    let (_, head, _) = ask(&database, &["log", "head"]);
    assert_eq!(head["position"], 0);
}
