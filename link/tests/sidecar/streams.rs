//! The feed as server-sent events: resumed where it broke off, with what is lost told, and nobody waiting for the slow.

use crate::support::{Game, Sidecar, TOKEN, patiently, sidecar_in};
use serde_json::{Value, json};
use std::process::Command;

/// A reader of the stream.
struct Reader {
    response: reqwest::Response,
    text: String,
}

/// One event: its name, its id and its data.
type Told = (String, String, Value);

impl Reader {
    async fn open(sidecar: &Sidecar, query: &str, last: Option<&str>) -> Self {
        let response = ask(sidecar, query, last).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, text: String::new() }
    }

    /// The next event; none where the stream has ended.
    async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some(end) = self.text.find("\n\n") {
                let event: String = self.text.drain(..end + 2).collect();
                let field =
                    |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned();
                let told = (field("event:"), field("id:"), serde_json::from_str(&field("data:")).unwrap_or_default());
                if !told.0.is_empty() {
                    return Some(told);
                }
                continue;
            }
            let chunk = patiently(self.response.chunk()).await.ok().flatten()?;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// Reads reports until the one with that number, and gives its id. Each is one more than the one before.
    async fn reads_up_to(&mut self, from: u64, to: u64) -> String {
        let mut last = String::new();
        for n in from..=to {
            let (event, id, data) = self.next().await.expect("there is more");
            assert_eq!((event.as_str(), &data["n"]), ("report", &json!(n)));
            last = id;
        }
        last
    }
}

async fn ask(sidecar: &Sidecar, query: &str, last: Option<&str>) -> reqwest::Response {
    let request = reqwest::Client::new().get(format!("http://{}/feed/stream{query}", sidecar.http)).bearer_auth(TOKEN);
    let request = last.into_iter().fold(request, |request, last| request.header("Last-Event-ID", last));
    patiently(request.send()).await.unwrap()
}

/// Sends reports with these numbers and waits until they are kept.
async fn reports(game: &mut Game, from: u64, to: u64, length: usize) {
    let text = "x".repeat(length);
    for seq in from..=to {
        game.send(&json!({"kind": "k", "seq": seq, "text": text})).await;
    }
    while game.next().await.unwrap()["seq"] != to {}
}

#[tokio::test]
async fn a_reader_goes_on_where_it_broke_off_also_over_a_kill() {
    let directory = tempfile::tempdir().unwrap();
    let sidecar = Sidecar::start_in(directory.path(), 10_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    let mut reader = Reader::open(&sidecar, "?scope=main", None).await;
    reports(&mut game, 1, 250, 10).await;
    let last = reader.reads_up_to(1, 200).await;
    reports(&mut game, 251, 260, 10).await;
    drop(reader);
    let mut resumed = Reader::open(&sidecar, "?scope=main", Some(&last)).await;
    let last = resumed.reads_up_to(201, 261).await;
    sidecar.kill9();
    assert_eq!(resumed.next().await, None);

    let sidecar = Sidecar::start_in(directory.path(), 10_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    reports(&mut game, 261, 262, 10).await;
    let mut again = Reader::open(&sidecar, "?scope=main", Some(&last)).await;
    // Another life of the sidecar tells of the game on its line; then come the two.
    let hello = again.next().await.unwrap();
    assert_eq!((hello.0.as_str(), &hello.2["frame"]["kind"]), ("report", &json!("server.hello")));
    again.reads_up_to(263, 264).await;
    let mut later = Reader::open(&sidecar, "?scope=main&after=263", None).await;
    later.reads_up_to(264, 264).await;
}

#[tokio::test]
async fn what_is_not_kept_any_more_and_a_feed_that_is_another_are_told() {
    let directory = tempfile::tempdir().unwrap();
    let sidecar = Sidecar::start_with(sidecar_in(directory.path()).args(["--feed-keep", "10"]));
    let mut game = Game::connect(&sidecar, "boot-1").await;
    reports(&mut game, 1, 40, 10).await;
    let id = sidecar.get("/health").await.1["feed"]["id"].as_str().unwrap().to_owned();
    let mut reader = Reader::open(&sidecar, "", Some(&format!("{id}/5"))).await;
    let gap = reader.next().await.unwrap();
    assert_eq!(gap, ("gap".to_owned(), format!("{id}/31"), json!({"from": 6, "to": 31, "lost": 26})));
    reader.reads_up_to(32, 41).await;

    let mut other = Reader::open(&sidecar, "", Some("0123abcd/7")).await;
    let told = other.next().await.unwrap();
    assert_eq!(told, ("feed".to_owned(), format!("{id}/0"), json!({"feed": id, "before": "0123abcd"})));
    assert_eq!(other.next().await.unwrap().0, "gap");
    for (query, last) in [("", Some("7")), ("", Some("/x")), ("?after=-1", None), ("?odd=1", None), ("?after=42", None)] {
        let refused = ask(&sidecar, query, last).await;
        assert_eq!(refused.status(), 400, "{query} {last:?}");
        assert_eq!(refused.json::<Value>().await.unwrap()["error"], "bad_field");
    }
}

#[tokio::test]
async fn a_reader_that_does_not_read_costs_itself_only() {
    let sidecar = Sidecar::start(10_000);
    let mut game = Game::connect(&sidecar, "boot-1").await;
    let mut idle = Reader::open(&sidecar, "", None).await;
    let mut reader = Reader::open(&sidecar, "", None).await;
    // Far more than any buffer between the two holds.
    let told = async { reports(&mut game, 1, 150, 100_000).await };
    tokio::join!(told, reader.reads_up_to(1, 151));
    let (_, (status, _)) = tokio::join!(game.answer(json!({"kind": "run.ok"})), sidecar.post("/run/close", json!({})));
    assert_eq!(status, 200);
    idle.reads_up_to(1, 151).await;
}

#[tokio::test]
async fn readers_do_not_hold_a_sidecar_that_is_asked_to_stop() {
    let mut sidecar = Sidecar::start(10_000);
    let _game = Game::connect(&sidecar, "boot-1").await;
    let mut reader = Reader::open(&sidecar, "", None).await;
    reader.reads_up_to(1, 1).await;
    Command::new("kill").arg("-TERM").arg(sidecar.child.id().to_string()).status().unwrap();
    assert_eq!(reader.next().await, None, "the stream ends");
    let code = patiently(tokio::task::spawn_blocking(move || sidecar.child.wait().unwrap().code())).await.unwrap();
    assert_eq!(code, Some(0));
}
