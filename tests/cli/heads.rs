//! `leasehold log head` pinned and signed, and `log verify` against what was kept.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::asked::{Asked, ask, force, light, with_events};
use crate::support::TestDatabase;
use crate::support::keys::{OTHER, PRIVATE, PUBLIC};

/// A folder with keys in it, and where a file of that name lies or will lie.
pub struct Desk(TempDir);

impl Desk {
    pub fn new() -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        for (name, pem) in [("private.pem", PRIVATE), ("public.pem", PUBLIC), ("other.pem", OTHER)] {
            fs::write(desk.at(name), pem).unwrap();
        }
        desk
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        self.at(name).display().to_string()
    }
}

fn pin(database: &TestDatabase, file: &str) -> Asked {
    ask(database, &["log", "head", "--pin", file])
}

#[tokio::test]
async fn a_pinned_head_moves_on_with_the_log_and_stays_where_the_log_no_longer_leads_through_it() {
    let (database, desk) = (with_events(3).await, Desk::new());
    let file = desk.text("pin");
    assert_eq!(pin(&database, &file).printed["position"], 2);
    light(&database, 3).await;
    assert_eq!(pin(&database, &file).printed["position"], 3);
    let kept = fs::read_to_string(&file).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&kept).unwrap()["position"], 3);
    assert_eq!(ask(&database, &["log", "verify", "--pin", &file]).status, 0);

    force(&database, "delete from events where position = 3").await;
    let refused = pin(&database, &file);
    assert_eq!((refused.status, &refused.printed["ok"], &refused.printed["position"]), (1, &json!(false), &json!(3)));
    assert_eq!(fs::read_to_string(&file).unwrap(), kept, "what was pinned stays");
    let verified = ask(&database, &["log", "verify", "--pin", &file]);
    assert_eq!((verified.status, &verified.printed["position"]), (1, &json!(3)));
    let left: Vec<_> = fs::read_dir(desk.at("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "the keys, the pin, and nothing half written: {left:?}");
}

#[tokio::test]
async fn another_log_is_not_taken_for_the_pinned_one() {
    let (one, other, desk) = (with_events(3).await, with_events(5).await, Desk::new());
    let file = desk.text("pin");
    assert_eq!(pin(&one, &file).status, 0);
    let refused = pin(&other, &file);
    assert_eq!((refused.status, &refused.printed["position"]), (1, &json!(2)), "{}", refused.told);
}

#[tokio::test]
async fn a_checkpoint_counts_for_the_log_it_is_of_and_the_key_that_signed_it() {
    let (database, other, desk) = (with_events(3).await, with_events(4).await, Desk::new());
    let made = ask(&database, &["log", "head", "--sign", &desk.text("private.pem")]);
    assert_eq!((made.status, &made.printed["position"]), (0, &json!(2)), "{}", made.told);
    assert!(made.printed["log"].is_string() && made.printed["at"].is_string(), "{}", made.printed);
    fs::write(desk.at("checkpoint"), made.printed.to_string()).unwrap();
    let check = |database: &TestDatabase, key: &str| {
        ask(database, &["log", "verify", "--checkpoint", &desk.text("checkpoint"), "--public-key", &desk.text(key)])
    };
    light(&database, 3).await;
    assert_eq!(check(&database, "public.pem").status, 0);
    let why = |asked: Asked| (asked.status, asked.printed["why"].as_str().unwrap_or_default().to_owned());
    assert_eq!(why(check(&database, "other.pem")), (1, "the checkpoint does not count: it was signed with another key".into()));
    let (status, foreign) = why(check(&other, "public.pem"));
    assert!(status == 1 && foreign.contains("another log"), "{foreign}");

    let moved = made.printed.to_string().replace("\"position\":2", "\"position\":1");
    fs::write(desk.at("checkpoint"), moved).unwrap();
    assert_eq!(why(check(&database, "public.pem")), (1, "the checkpoint does not count: its signature does not hold".into()));
    fs::write(desk.at("checkpoint"), made.printed.to_string()).unwrap();
    force(&database, "delete from events where position >= 2").await;
    let cut = check(&database, "public.pem");
    assert_eq!((cut.status, &cut.printed["position"]), (1, &json!(2)));
}

#[tokio::test]
async fn a_guard_that_is_off_is_a_fault_though_the_chain_is_whole() {
    let database = with_events(2).await;
    let whole = ask(&database, &["log", "verify"]);
    assert_eq!((whole.status, &whole.printed["guards"]), (0, &json!({"on": true})));
    // The owner's start switches on what is off. What is gone stays gone.
    force(&database, "drop trigger leasehold_4_refuse on events").await;
    let open = ask(&database, &["log", "verify"]);
    assert_eq!((open.status, &open.printed["ok"], &open.printed["position"]), (1, &json!(false), &Value::Null));
    assert!(open.printed["why"].as_str().is_some_and(|why| why.contains("leasehold_4_refuse")), "{}", open.printed);
}

#[tokio::test]
async fn what_is_no_pin_no_key_and_no_checkpoint_is_wrong_use() {
    let (database, desk) = (with_events(1).await, Desk::new());
    fs::write(desk.at("shopping"), "milk").unwrap();
    let (shopping, key) = (desk.text("shopping"), desk.text("public.pem"));
    let uses: [(&[&str], i32, &str); 7] = [
        (&["head", "--pin", &shopping], 2, "holds no head"),
        (&["verify", "--pin", &shopping], 2, "holds no head"),
        (&["verify", "--pin", "not-there"], 2, "is not there"),
        (&["head", "--sign", &key], 2, "private key"),
        (&["verify", "--checkpoint", &shopping], 2, "--public-key"),
        (&["verify", "--checkpoint", &shopping, "--public-key", &shopping], 2, "public key"),
        (&["head", "--pin", "no/such/folder/pin"], 1, "cannot be written"),
    ];
    for (args, status, why) in uses {
        let asked = ask(&database, &[&["log"], args].concat());
        assert_eq!(asked.status, status, "{args:?}: {}", asked.told);
        assert!(asked.told.contains(why), "{args:?}: {}", asked.told);
    }
    assert_eq!(fs::read_to_string(&shopping).unwrap(), "milk", "what is no pin is not overwritten");
}
