//! `leasehold stop`, beside no engine and on a log that nobody serves.

use serde_json::{Value, json};

use crate::asked::{ask, with_events};

#[tokio::test]
async fn everything_is_stopped_and_let_go_from_the_machine_and_the_log_knows_by_whom() {
    let database = with_events(1).await;
    assert_eq!(ask(&database, &["stop", "show"]).printed, json!({"stopped": false}));
    let lifted = ask(&database, &["stop", "off"]);
    assert_eq!(lifted.status, 1);
    assert!(lifted.told.contains("nothing is stopped"), "{}", lifted.told);
    for wrong in [&["stop", "on"][..], &["stop", "on", "--reason", " "], &["stop", "on", "--reason", "x", "--runs", "burn"]] {
        assert_eq!(ask(&database, wrong).status, 2, "{wrong:?}");
    }
    let on = ask(&database, &["stop", "on", "--reason", "the host is on fire", "--runs", "leave"]);
    assert_eq!((on.status, &on.printed["stopped"], &on.printed["runs"]), (0, &json!(true), &json!("leave")), "{}", on.told);
    let shown = ask(&database, &["stop", "show"]).printed;
    assert_eq!((&shown["id"], &shown["declaredBy"]), (&on.printed["id"], &json!("operator")));
    let again = ask(&database, &["stop", "on", "--reason", "still"]);
    assert_eq!(again.status, 0, "a stop that does more takes its place: {}", again.told);
    let less = ask(&database, &["stop", "on", "--reason", "less", "--runs", "leave"]);
    assert_eq!((less.status, less.printed), (1, Value::Null));
    assert!(less.told.contains("already"), "{}", less.told);
    assert_eq!(ask(&database, &["stop", "off"]).status, 0);
    assert_eq!(ask(&database, &["stop", "show"]).printed, json!({"stopped": false}));
}
