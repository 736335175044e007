//! `leasehold log tail`, and the whole log out of one database and into another.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use serde_json::Value;
use sqlx::Executor;

use crate::asked::{ask, light, output, program, with_events};
use crate::heads::Desk;
use crate::support::{TestDatabase, fresh_database};

fn lines(database: &TestDatabase, args: &[&str]) -> Vec<Value> {
    let output = output(database, &[&["log", "tail"], args].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn positions(lines: &[Value]) -> Vec<u64> {
    lines.iter().map(|line| line["position"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn events_come_in_order_and_only_those_that_were_asked_for() {
    let database = with_events(5).await;
    assert_eq!(positions(&lines(&database, &[])), [0, 1, 2, 3, 4]);
    assert_eq!(positions(&lines(&database, &["--after", "2"])), [3, 4]);
    assert_eq!(positions(&lines(&database, &["--after", "0", "--limit", "2"])), [1, 2]);
    assert_eq!(positions(&lines(&database, &["--type", "log_opened"])), [0]);
    assert_eq!(positions(&lines(&database, &["--stream", "lamp/a", "--after", "3"])), [4]);
    assert_eq!(positions(&lines(&database, &["--stream", "lamp/b"])), [0_u64; 0]);
    assert_eq!(positions(&lines(&database, &["--after", "99"])), [0_u64; 0]);
    let first = &lines(&database, &["--limit", "1", "--after", "0"])[0];
    assert_eq!((&first["stream"], &first["sequence"], &first["version"]), (&"lamp/a".into(), &1.into(), &"1".into()));
    for wrong in [&["--stream", "lamp"][..], &["--limit", "0"], &["--after", "-1"]] {
        assert_eq!(ask(&database, &[&["log", "tail"], wrong].concat()).status, 2, "{wrong:?}");
    }
}

#[tokio::test]
async fn one_line_each_and_every_digit_whatever_a_raw_writer_wrote() {
    let database = fresh_database().await;
    let raw = "insert into events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
               values ('lamp', 'a', 1, 'lamp_lit', '1', e'{\\n \"score\": 0.1000000000000000055511151231257827,\\r\\n \"id\": 9007199254740993}', '{}')";
    database.owner().await.execute(raw).await.unwrap();
    let text = String::from_utf8(output(&database, &["log", "tail"]).stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("0.1000000000000000055511151231257827") && text.contains("9007199254740993"), "{text}");
    assert!(serde_json::from_str::<Value>(&text).is_ok(), "{text}");
}

#[tokio::test]
async fn a_follower_is_given_what_comes_and_ends_when_nobody_reads_on() {
    let database = with_events(2).await;
    let mut child = program(&database, &["log", "tail", "--follow", "--after", "0"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut next = || {
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        serde_json::from_str::<Value>(&line).unwrap()["position"].as_u64().unwrap()
    };
    assert_eq!(next(), 1);
    light(&database, 2).await;
    assert_eq!(next(), 2);
    light(&database, 3).await;
    assert_eq!(next(), 3);
    drop(out);
    light(&database, 4).await;
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[tokio::test]
async fn a_log_moves_from_one_database_to_another_and_gives_the_same_file() {
    let (database, other, desk) = (with_events(4).await, fresh_database().await, Desk::new());
    let (first, second) = (desk.text("first"), desk.text("second"));
    let exported = ask(&database, &["log", "export", "--all", "--out", &first]);
    assert_eq!(exported.status, 0, "{}", exported.told);
    assert_eq!(fs::metadata(&first).unwrap().permissions().mode() & 0o077, 0, "what people wrote is in it");
    let imported = ask(&other, &["log", "import", &first]);
    assert_eq!((imported.status, &imported.printed["events"]), (0, &4.into()), "{}", imported.told);
    assert_eq!(ask(&other, &["log", "export", "--all", "--out", &second]).status, 0);
    assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap());
    assert_eq!(output(&other, &["log", "export", "--all"]).stdout, fs::read(&first).unwrap());
    let again = ask(&other, &["log", "import", &first]);
    assert!(again.status == 1 && again.told.contains("not empty"), "{}", again.told);
    assert_eq!(ask(&other, &["log", "import", "not-there"]).status, 2);
    assert_eq!(ask(&other, &["log", "export"]).status, 2);
}
