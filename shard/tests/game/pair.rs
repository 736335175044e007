//! Game and sidecar, both real, as an engine meets them.

#[path = "../../../tests/support/built.rs"]
mod built;

use crate::support::{CONSENTS, Shard, apply, despawn, patiently, release, spawn, start};
use serde_json::{Value, json};
use std::{
    path::PathBuf,
    process::{Child, Command},
    time::Duration,
};
use tempfile::TempDir;

const TOKEN: &str = "a-token-for-tests";

pub struct Pair {
    link: Child,
    shard: Option<Shard>,
    http: String,
    game: String,
    client: reqwest::Client,
    data: TempDir,
}

impl Pair {
    pub async fn start(reply_timeout_ms: u32) -> Self {
        let data = tempfile::tempdir().unwrap();
        let token_file = data.path().join("token");
        std::fs::write(&token_file, TOKEN).unwrap();
        let mut command = Command::new(sidecar());
        command.args(["--http", "127.0.0.1:0", "--game", "127.0.0.1:0", "--reply-timeout-ms", &reply_timeout_ms.to_string()]);
        let (link, ready) = start(command.arg("--token-file").arg(token_file));
        let address = |side: &str| ready[side].as_str().unwrap().to_owned();
        let (http, game, client) = (address("http"), address("game"), reqwest::Client::new());
        let mut pair = Self { link, shard: None, http, game, client, data };
        pair.boot().await;
        pair
    }

    /// Starts the game, and waits until it is on the line.
    pub async fn boot(&mut self) {
        let shard = Shard::start(&self.game, &self.data.path().join("shard"), CONSENTS);
        let boot_id = json!(shard.boot_id);
        self.shard = Some(shard);
        self.until_on_the_line(&boot_id).await;
    }

    async fn until_on_the_line(&self, boot_id: &Value) {
        patiently(async {
            while self.get("/health").await.1["bootId"] != *boot_id {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
    }

    pub fn shard(&self) -> &Shard {
        self.shard.as_ref().unwrap()
    }

    /// What the game has reported of that kind, in order.
    pub async fn reports(&self, kind: &str) -> Vec<Value> {
        let feed = self.get("/feed").await.1;
        let frames = feed["reports"].as_array().unwrap().iter().map(|report| report["frame"].clone());
        frames.filter(|frame| frame["kind"] == kind).collect()
    }

    /// The first report of that kind, once it is there.
    pub async fn report(&self, kind: &str) -> Value {
        patiently(async {
            loop {
                if let Some(report) = self.reports(kind).await.into_iter().next() {
                    return report;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await
    }

    /// Ends the game without a word, and boots it from its last save.
    pub async fn reboot(&mut self) {
        self.shard.as_mut().unwrap().kill().await;
        self.boot().await;
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        self.send(self.client.get(format!("http://{}{path}", self.http))).await
    }

    /// Posts a command to its route.
    pub async fn post(&self, command: Value) -> (u16, Value) {
        let kind = leasehold_link::wire::Kind::parse(command["kind"].as_str().unwrap()).unwrap();
        self.send(
            self.client
                .post(format!("http://{}{}", self.http, kind.path_of(command["runId"].as_str().unwrap_or_default())))
                .json(&command),
        )
        .await
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> (u16, Value) {
        let response = patiently(request.bearer_auth(TOKEN).send()).await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        let _ = self.link.kill();
        let _ = self.link.wait();
    }
}

/// The sidecar beside the game; built first, because a test of this crate alone does not build it.
pub fn sidecar() -> PathBuf {
    let shard = PathBuf::from(env!("CARGO_BIN_EXE_leasehold-shard"));
    let profile = shard.parent().unwrap();
    built::build(profile);
    profile.join("leasehold-link")
}

#[tokio::test]
async fn a_lease_and_a_raid_from_apply_to_clean() {
    let pair = Pair::start(10_000).await;
    let (status, applied) = pair.post(apply("a", 600_000)).await;
    assert_eq!((status, &applied["baseline"]), (200, &json!("1000")));
    let (status, raid) = pair.post(spawn("s", 12)).await;
    assert_eq!((status, raid["serials"].as_array().unwrap().len()), (200, 12));
    assert_eq!(pair.shard().does("player create During").await["skillCap"], 1200);
    assert_eq!(pair.get("/lease?key=PlayerCaps.SkillCap").await.1["leases"][0]["held"]["runId"], "77");

    assert_eq!(pair.post(json!({"kind": "run.close", "runId": "77", "fence": 9})).await.0, 200);
    assert_eq!(pair.post(spawn("late", 1)).await.0, 410);
    assert_eq!(pair.post(despawn("u", "s")).await.1["removed"].as_array().unwrap().len(), 12);
    assert_eq!(pair.post(release("r")).await.1["restored"], true);
    assert_eq!(pair.shard().does("player create After").await["skillCap"], 1000);
    assert_eq!(pair.shard().owned("77").await, 0);
}

#[tokio::test]
async fn a_lost_answer_is_unknown_and_its_repeat_is_the_original() {
    let pair = Pair::start(300).await;
    pair.shard().does("fault drop-ack lease.apply 2").await;
    for _ in 0..2 {
        let (status, body) = pair.post(apply("a", 600_000)).await;
        assert_eq!((status, &body["error"]), (504, &json!("no_answer")));
    }
    let (status, body) = pair.post(apply("a", 600_000)).await;
    assert_eq!((status, &body["replayed"], &body["baseline"]), (200, &json!(true), &json!("1000")));
    assert_eq!(pair.shard().outcomes("a").await, ["applied", "replayed", "replayed"]);
}

#[tokio::test]
async fn two_at_once_under_one_key_are_one_effect_and_one_425() {
    let pair = Pair::start(30_000).await;
    pair.shard().does("fault hold world.spawn").await;
    let first = pair.post(spawn("k", 2));
    let second = async {
        pair.shard().until("/deferred", json!(1)).await;
        let busy = pair.post(spawn("k", 2)).await;
        pair.shard().does("fault release").await;
        busy
    };
    let ((status, made), (busy, body)) = tokio::join!(first, second);
    assert_eq!((status, busy, &body["busyKind"]), (200, 425, &json!("world.spawn")));
    let (status, replay) = pair.post(spawn("k", 2)).await;
    assert_eq!((status, &replay["serials"], &replay["replayed"]), (200, &made["serials"], &json!(true)));
    assert_eq!(pair.shard().owned("77").await, 2);
}

#[tokio::test]
async fn a_game_that_dies_is_unknown_then_absent_then_interrupted() {
    let mut pair = Pair::start(10_000).await;
    pair.shard().does("fault crash-before world.spawn").await;
    assert_eq!(pair.post(spawn("k", 2)).await.0, 504);
    patiently(async {
        while pair.get("/health").await.1["connected"] == true {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    assert_eq!(pair.post(spawn("k", 2)).await.0, 503);
    pair.boot().await;
    let (status, body) = pair.post(spawn("k", 2)).await;
    assert_eq!((status, &body["kind"]), (424, &json!("bridge.interrupted")));
}

#[tokio::test]
async fn drift_is_a_200_and_a_deadline_with_the_engine_away_is_no_drift() {
    let pair = Pair::start(10_000).await;
    pair.post(apply("a", 600_000)).await;
    pair.shard().does("config set PlayerCaps.SkillCap 1350").await;
    let (status, body) = pair.post(release("r")).await;
    assert_eq!((status, &body["kind"], &body["current"]), (200, &json!("lease.drifted"), &json!("1350")));
    pair.shard().does("config set PlayerCaps.SkillCap 1000").await;
    pair.post(apply("b", 600_000)).await;
    pair.shard().does("clock +601").await;
    let (status, body) = pair.post(release("q")).await;
    assert_eq!((status, &body["alreadyRestored"]), (200, &json!(true)));
}

#[tokio::test]
async fn a_cut_connection_comes_back_by_itself() {
    let pair = Pair::start(10_000).await;
    let (_, first) = pair.post(spawn("k", 2)).await;
    pair.shard().does("disconnect").await;
    patiently(async {
        while pair.post(spawn("k", 2)).await.0 != 200 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    assert_eq!(pair.post(spawn("k", 2)).await.1["serials"], first["serials"]);
    assert_eq!(pair.get("/health").await.1["bootId"], pair.shard().boot_id.as_str());
}
