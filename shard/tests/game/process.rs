use crate::support::{Bench, CONSENTS, Shard, patiently, shard};
use serde_json::json;
use std::process::{Command, Output, Stdio};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

async fn fails(mut command: Command) -> String {
    let run = move || command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    let Output { status, stderr, .. } = patiently(tokio::task::spawn_blocking(run)).await.unwrap();
    assert!(matches!(status.code(), Some(1 | 2)), "{status}");
    String::from_utf8(stderr).unwrap()
}

#[tokio::test]
async fn it_stops_when_asked_by_console_or_signal_and_says_goodbye() {
    for by_console in [true, false] {
        let bench = Bench::new(CONSENTS).await;
        let (mut game, mut line) = bench.game().await;
        game.until("/connected", json!(true)).await;
        if by_console {
            game.does("shutdown").await;
        } else {
            game.signal("-TERM");
        }
        assert_eq!(line.report("server.shutdown").await.unwrap()["kind"], "server.shutdown");
        assert_eq!(game.ended().await.code(), Some(0));
    }
}

#[tokio::test]
async fn a_directory_has_one_game() {
    let bench = Bench::new(CONSENTS).await;
    let mut first = bench.shard();
    let second = fails(shard("127.0.0.1:1", bench.data.path(), &[])).await;
    assert!(second.contains("another game uses"), "{second}");
    first.kill().await;
    drop(bench.shard());
}

#[tokio::test]
async fn what_it_cannot_start_from_it_refuses_in_words() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("shard.cfg");
    std::fs::write(&config, "PlayerCaps.SkillCap=lots\n").unwrap();
    let flags = ["--config", config.to_str().unwrap()];
    assert!(
        fails(shard("127.0.0.1:1", directory.path(), &flags)).await.contains("PlayerCaps.SkillCap takes a value of type int")
    );
    std::fs::write(directory.path().join("world.json"), "{").unwrap();
    assert!(fails(shard("127.0.0.1:1", directory.path(), &[])).await.contains("cannot be read"));
    let mut public = shard("127.0.0.1:1", directory.path(), &[]);
    public.args(["--console", "0.0.0.0:0"]);
    assert!(!fails(public).await.is_empty());
}

#[tokio::test]
async fn a_configuration_file_sets_the_baseline_and_the_consents() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("shard.cfg");
    std::fs::write(&config, "PlayerCaps.SkillCap = 700\nBridge.EventsEnabled = true\nSpawn.Natives = 5\nSpawn.Spawners = 0\n")
        .unwrap();
    let game = Shard::start("127.0.0.1:1", directory.path(), &["--config", config.to_str().unwrap()]);
    let status = game.does("status").await;
    assert_eq!(
        (&status["creatures"], &status["eventsEnabled"], &status["adminWriteEnabled"]),
        (&json!(5 + 8 * (4 + 5 + 6)), &json!(true), &json!(false))
    );
    assert_eq!(game.does("player create Newcomer").await["skillCap"], 700);
    assert_eq!(game.does("leases").await["leases"][1]["default"], "700");
}

#[tokio::test]
async fn the_world_lives_and_most_settings_are_read_once() {
    let bench = Bench::new(CONSENTS).await;
    let game = bench.shard();
    let places = |creatures: &serde_json::Value| creatures["creatures"].to_string();
    let before = game.does("creatures").await;
    assert!(before["count"].as_u64().unwrap() >= 2_000);
    patiently(async { while places(&game.does("creatures").await) == places(&before) {} }).await;

    game.does("config set Accounts.AccountsPerIp 5").await;
    let setting = game.does("config get Accounts.AccountsPerIp").await;
    assert_eq!((&setting["value"], &setting["inUse"]), (&json!("5"), &json!("1")), "it reads back and does nothing");
    game.does("player create Darrow 10.0.0.1").await;
    assert_eq!(game.console("player create Semidar 10.0.0.1").await.unwrap()["ok"], false);
}

#[tokio::test]
async fn a_console_survives_what_is_typed_into_it() {
    let bench = Bench::new(CONSENTS).await;
    let game = bench.shard();
    for typed in
        ["nonsense", "fault hold nothing", "creature delete 0x1", "config set Nothing 1", "config set PlayerCaps.SkillCap x"]
    {
        let answer = game.console(typed).await.unwrap();
        assert_eq!((&answer["ok"], answer["reason"].is_string()), (&json!(false), true), "{typed}");
    }
    let mut raw = BufReader::new(tokio::net::TcpStream::connect(game.console_address()).await.unwrap());
    raw.write_all(&[&vec![b'x'; 10_000][..], b"\n\xff\xfe\nstatus\n"].concat()).await.unwrap();
    for ok in [false, false, true] {
        let mut line = String::new();
        patiently(raw.read_line(&mut line)).await.unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&line).unwrap()["ok"], ok, "{line}");
    }
}

#[tokio::test]
async fn the_audit_goes_on_where_it_left_off_and_is_read_from_anywhere() {
    let bench = Bench::new(CONSENTS).await;
    let mut game = bench.shard();
    for name in ["Aa", "Bb", "Cc"] {
        game.does(&format!("player create {name}")).await;
    }
    game.kill().await;
    let game = bench.shard();
    game.does("save").await;
    let audit = game.does("audit").await;
    let rows = audit["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["seq"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_ne!(rows[0]["bootId"], rows[3]["bootId"]);
    assert_eq!(game.does("audit 3").await["rows"].as_array().unwrap()[..], rows[2..]);
    assert_eq!(game.does("audit 99").await["rows"], json!([]));
}
