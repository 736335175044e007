//! A wire that cuts, delays, doubles and truncates on both sides of the sidecar. Whoever asks repeats under the same key until
//! the answer is definite; the game's audit trail then says what happened, and the feed what was reported.

use crate::{
    bad_wire::{BadWire, Passes},
    pair::sidecar,
    support::{CONSENTS, Shard, patiently, spawn, start},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    process::{Child, Command},
    time::Duration,
};

const TOKEN: &str = "a-token-for-tests";
/// A sidecar. Killed on drop.
struct Link(Child);

impl Drop for Link {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asks until the answer is definite.
async fn insist(client: &reqwest::Client, url: &str, body: &Value) -> Value {
    loop {
        if let Ok(answer) = client.post(url).bearer_auth(TOKEN).json(body).send().await {
            let status = answer.status().as_u16();
            if let Ok(body) = answer.json::<Value>().await
                && ![425, 503, 504].contains(&status)
            {
                assert_eq!(status, 200, "{body}");
                return body;
            }
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The number of a key.
fn number_of(key: &str) -> u32 {
    key[2..].parse().unwrap()
}

/// A few of them belong to each run.
fn run_of(key: &str) -> String {
    format!("run-{}", number_of(key) / 12)
}

#[tokio::test]
async fn whatever_the_wires_do_each_key_is_one_effect_and_each_report_is_kept_once() {
    let data = tempfile::tempdir().unwrap();
    std::fs::write(data.path().join("token"), TOKEN).unwrap();
    let mut command = Command::new(sidecar());
    command.args(["--http", "127.0.0.1:0", "--game", "127.0.0.1:0", "--reply-timeout-ms", "150", "--token-file"]);
    let (child, ready) = start(command.arg(data.path().join("token")));
    let _link = Link(child);
    let place = |side: &str| ready[side].as_str().unwrap().to_owned();
    let to_link = BadWire::to(&place("http"), 41, Passes::Requests).await;
    let to_game = BadWire::to(&place("game"), 43, Passes::Lines).await;
    let shard = Shard::start(&to_game.address, &data.path().join("shard"), CONSENTS);
    // Each request on a connection of its own: a cut one costs one answer.
    let client = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).timeout(Duration::from_secs(2)).build().unwrap();

    let url = format!("http://{}/world/spawn", to_link.address);
    let mut made = BTreeMap::new();
    // Until there were enough of them, and every fault was met.
    let all_met = || to_game.met().iter().all(|met| *met > 0) && to_link.met().iter().all(|met| *met > 0);
    for nth in 0.. {
        if nth >= 24 && all_met() {
            break;
        }
        let key = format!("k-{nth}");
        let mut body = spawn(&key, 1);
        body["runId"] = run_of(&key).into();
        let answer = patiently(insist(&client, &url, &body)).await;
        let serial = answer["serials"][0].as_str().unwrap().to_owned();
        if number_of(&key).is_multiple_of(3) {
            shard.does(&format!("creature kill {serial}")).await;
        }
        made.insert(key, serial);
    }
    to_link.mend(true);
    to_game.mend(true);

    for (key, serial) in &made {
        let outcomes = shard.outcomes(key).await;
        assert_eq!(outcomes.iter().filter(|outcome| *outcome == "applied").count(), 1, "{key}: {outcomes:?}");
        let again = patiently(insist(&client, &url, &{
            let mut body = spawn(key, 1);
            body["runId"] = run_of(key).into();
            body
        }))
        .await;
        assert_eq!((&again["serials"], &again["replayed"]), (&json!([serial]), &json!(true)), "{key}");
    }
    let feed = format!("http://{}/feed?scope=main", place("http"));
    patiently(async {
        loop {
            let told: Value = client.get(&feed).bearer_auth(TOKEN).send().await.unwrap().json().await.unwrap();
            let reports = told["reports"].as_array().unwrap();
            let fell: Vec<&str> = reports.iter().filter_map(|report| report["frame"]["serial"].as_str()).collect();
            let killed = made.iter().filter(|(key, _)| number_of(key).is_multiple_of(3));
            let wanted: Vec<&String> = killed.map(|(_, serial)| serial).collect();
            let times = |serial: &String| fell.iter().filter(|fell| **fell == serial.as_str()).count();
            assert!(wanted.iter().all(|serial| times(serial) <= 1), "none is kept twice: {fell:?}");
            if wanted.iter().all(|serial| times(serial) == 1) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}
