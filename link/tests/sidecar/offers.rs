//! A game's manifest, passed through unread.

use crate::support::{Game, Sidecar, hello};
use leasehold_link::wire::ManifestTold;
use serde_json::{Value, json};

async fn offering(sidecar: &Sidecar, boot_id: &str, manifest: &Value) -> Game {
    let mut game = Game::dial(sidecar).await;
    let mut hello = hello(7, boot_id);
    hello["manifest"] = manifest.clone();
    game.send(&hello).await;
    assert_eq!(game.next().await.unwrap()["kind"], "link.welcome");
    crate::support::patiently(async {
        while sidecar.get("/health").await.1["bootId"] != boot_id {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    })
    .await;
    game
}

async fn told(sidecar: &Sidecar) -> ManifestTold {
    let (status, told) = sidecar.get("/manifest").await;
    assert_eq!(status, 200, "{told}");
    serde_json::from_value(told).unwrap()
}

/// Boot and digest of each hello in the feed.
async fn hellos(sidecar: &Sidecar) -> Vec<(Value, Value)> {
    let (_, feed) = sidecar.get("/feed").await;
    let reports = feed["reports"].as_array().unwrap();
    let hellos = reports.iter().map(|report| &report["frame"]).filter(|frame| frame["kind"] == "server.hello");
    hellos
        .inspect(|frame| assert!(frame.get("manifest").is_none()))
        .map(|frame| (frame["bootId"].clone(), frame["manifestDigest"].clone()))
        .collect()
}

#[tokio::test]
async fn a_manifest_passes_as_it_came_and_a_changed_one_is_in_the_feed() {
    let sidecar = Sidecar::start(10_000);
    assert_eq!(told(&sidecar).await, ManifestTold { boot_id: None, digest: None, manifest: None });
    let plain = Game::connect(&sidecar, "boot-0").await;
    let none = told(&sidecar).await;
    assert_eq!((none.boot_id.as_deref(), none.digest, none.manifest), (Some("boot-0"), None, None));
    drop(plain);

    let manifest = json!({"id": "demo", "odd": [1.5, null, {"ü": u64::MAX}], "actions": []});
    let first = offering(&sidecar, "boot-1", &manifest).await;
    let one = told(&sidecar).await;
    assert_eq!((one.boot_id.as_deref(), one.manifest.map(Value::Object)), (Some("boot-1"), Some(manifest.clone())));
    let digest = one.digest.unwrap();
    assert_eq!(sidecar.get("/health").await.1["manifestDigest"], digest);
    drop(first);
    sidecar.until_connected(false).await;
    // The same boot comes again with the same: nothing new. Then with another manifest, then as another boot.
    let reordered: Value =
        serde_json::from_str(r#"{"actions":[],"odd":[1.5,null,{"ü":18446744073709551615}],"id":"demo"}"#).unwrap();
    let again = offering(&sidecar, "boot-1", &reordered).await;
    assert_eq!(told(&sidecar).await.digest.as_deref(), Some(digest.as_str()));
    drop(again);
    sidecar.until_connected(false).await;
    let changed = offering(&sidecar, "boot-1", &json!({"id": "demo"})).await;
    let other = told(&sidecar).await.digest.unwrap();
    assert_ne!(other, digest);
    drop(changed);
    let wanted = [("boot-0", Value::Null), ("boot-1", json!(digest)), ("boot-1", json!(other))]
        .map(|(boot, digest)| (json!(boot), digest));
    let in_the_feed = crate::support::patiently(async {
        loop {
            let told = hellos(&sidecar).await;
            if told.len() >= wanted.len() {
                break told;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    });
    assert_eq!(in_the_feed.await, wanted);
}

#[tokio::test]
async fn a_manifest_that_is_no_object_or_too_long_is_no_hello() {
    let sidecar = Sidecar::start(10_000);
    for manifest in [json!("text"), json!([1]), json!(7)] {
        let mut game = Game::dial(&sidecar).await;
        let mut hello = hello(7, "boot");
        hello["manifest"] = manifest;
        game.send(&hello).await;
        assert_eq!(game.next().await.unwrap()["kind"], "link.refused", "{hello}");
    }
    let mut game = Game::dial(&sidecar).await;
    let mut long = hello(7, "boot");
    long["manifest"] = json!({"text": "x".repeat(256 * 1024)});
    game.send(&long).await;
    // The line costs itself only: the next one is the first frame.
    game.send(&hello(7, "boot")).await;
    assert_eq!(game.next().await.unwrap()["kind"], "link.welcome");
}
