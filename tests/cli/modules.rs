//! `leasehold modules check`, for whoever writes a manifest: no database, no engine, no game.

use std::fs;
use std::process::Output;

use serde_json::{Value, json};

use crate::program::{data_dir, leasehold};

const PAGE: &str = include_str!("../../docs/module-authors.md");

/// The manifest that the documentation shows.
fn manifest() -> Value {
    let (_, behind) = PAGE.split_once("```json manifest\n").unwrap();
    serde_json::from_str(behind.split_once("\n```").unwrap().0).unwrap()
}

async fn check(texts: &[&str]) -> Output {
    let data = data_dir();
    let mut command = leasehold(data.path(), &["modules", "check"]);
    for (number, text) in texts.iter().enumerate() {
        let file = data.path().join(format!("manifest-{number}.json"));
        fs::write(&file, text).unwrap();
        command.arg(file);
    }
    command.output().await.unwrap()
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn a_sound_manifest_is_called_so_and_every_fault_of_others_is_told_at_once() {
    let sound = check(&[&manifest().to_string()]).await;
    assert!(sound.status.success());
    assert!(lines(&sound)[0].ends_with("lanterns version 1 is sound: actions 3, leases 4, triggers 1"), "{:?}", lines(&sound));

    let mut odd = manifest();
    odd["actions"][0]["cost"][0]["dimension"] = json!("lanterns.oil");
    odd["leases"][0]["max"] = json!(null);
    let mut taken = manifest();
    taken["id"] = json!("uo");
    let faulty = check(&[&odd.to_string(), &taken.to_string(), "[]"]).await;
    let told = lines(&faulty);
    assert_eq!((faulty.status.code(), told.len()), (Some(1), 4), "{told:?}");
    for (line, words) in told.iter().zip(["lanterns.oil", "min and max", "has a module of this id", "no JSON object"]) {
        assert!(line.contains(words), "{words}: {line}");
    }
}

#[tokio::test]
async fn nothing_to_check_is_told_and_a_game_that_is_not_there_is_a_fault() {
    let nothing = check(&[]).await;
    assert_eq!(nothing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("nothing to check"));
    let data = data_dir();
    let token = data.path().join("token");
    fs::write(&token, "a-token").unwrap();
    let links = format!("isle=http://127.0.0.1:1#{}", token.display());
    let away = leasehold(data.path(), &["modules", "check", "--links", &links]).output().await.unwrap();
    assert_eq!(away.status.code(), Some(1));
    assert!(lines(&away)[0].starts_with("isle: the sidecar does not answer"), "{:?}", lines(&away));
}
