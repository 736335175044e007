//! What a game holds in its memory does not grow with what it has done, and no piece of work keeps the world waiting.

use crate::support::{Bench, CONSENTS, Line, Shard};
use serde_json::{Value, json};
use std::time::Instant;

/// How many commands are on their way at once.
const AHEAD: usize = 64;

/// Sends that many keyed commands, each of a key of its own, and hears the answer of each.
async fn commands(line: &mut Line, keys: std::ops::Range<usize>) {
    let order = |number: usize| json!({"kind": "admin.broadcast", "reqId": format!("r-{number}"), "text": "hail", "idempotencyKey": format!("k-{number}")});
    for number in keys.clone() {
        if number >= keys.start + AHEAD {
            answered(line).await;
        }
        line.send(&order(number)).await;
    }
    for _ in 0..AHEAD.min(keys.len()) {
        answered(line).await;
    }
}

async fn answered(line: &mut Line) {
    let answer = line.next_like(json!({"reqId": ""}).as_object().unwrap()).await.unwrap();
    assert_eq!(answer["kind"], "admin.ok");
}

/// Kilobytes of memory that the process has.
fn resident(shard: &Shard) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", shard.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// A million in `make soak`; here as many as show a leak of a few hundred bytes each.
#[tokio::test]
async fn memory_grows_by_less_than_a_tenth_once_it_is_warm() {
    let bench = Bench::new(CONSENTS).await;
    let (shard, mut line) = bench.game().await;
    // Past the cap on keys, so that each further key takes the place of another, and past the first journal rewritten with all of
    // them. For a million, long enough besides for the heap to settle into the coming and going of keys, which takes tens of
    // thousands of them and then stays.
    let (warm_up, many) = if std::env::var_os("LEASEHOLD_SOAK").is_some() { (100_000, 1_000_000) } else { (8_000, 3_000) };
    commands(&mut line, 0..warm_up).await;
    let warm = resident(&shard);
    let begun = Instant::now();
    commands(&mut line, warm_up..warm_up + many).await;
    let (seconds, after) = (begun.elapsed().as_secs_f64(), resident(&shard));
    println!("{many} keyed commands in {seconds:.1} s; memory {warm} kB, then {after} kB");
    assert!(after * 10 <= warm * 11, "{warm} kB grew to {after} kB over {many} commands");
    let status = shard.does("status").await;
    assert_eq!((&status["keys"], &status["broadcasts"]), (&json!(4_096), &json!(warm_up + many)));
}

/// What nothing is asserted of: how long the longest piece of work took while two thousand members were told.
#[tokio::test]
async fn two_thousand_members_are_told_while_the_world_goes_on() {
    let bench = Bench::new(CONSENTS).await;
    let config = bench.data.path().join("shard.cfg");
    std::fs::write(&config, "Accounts.MaxCharacters = 2000\nGeneral.ServerName = a crowd\n").unwrap();
    let shard = Shard::start(&bench.address(), bench.data.path(), &["--enable-events", "--config", config.to_str().unwrap()]);
    let mut line = bench.welcome().await;
    let stamp = |key: &str, mut order: Value| {
        for (field, value) in
            [("runId", json!("77")), ("fence", json!(1)), ("ttlMs", json!(600_000)), ("idempotencyKey", json!(key))]
        {
            order[field] = value;
        }
        order
    };
    let opening =
        json!({"kind": "participation.open", "map": "Felucca", "x": 1434, "y": 1699, "radius": 50, "holdMs": 3_600_000});
    assert_eq!(line.ask(stamp("open", opening)).await.unwrap()["kind"], "participation.ok");
    let mut console = shard.talk().await;
    for number in 0..2_000_usize {
        let letter = |digit: usize| char::from(b'a' + u8::try_from(digit % 26).unwrap());
        let name = format!("A{}{}{}", letter(number / 676), letter(number / 26), letter(number));
        for command in [format!("player create {name}"), format!("player connect {name}")] {
            assert_eq!(console.does(&command).await["ok"], true, "{command}");
        }
    }
    console.does("clock +60").await;
    let ticks = console.does("status").await["ticks"].as_u64().unwrap();
    let begun = Instant::now();
    let told = line.ask(stamp("snap", json!({"kind": "participation.snapshot"}))).await.unwrap();
    let took = begun.elapsed();
    let status = console.does("status").await;
    let passed = status["ticks"].as_u64().unwrap() - ticks;
    assert_eq!(told["members"].as_array().unwrap().len(), 2_000);
    assert!(passed >= 20, "a hundred a tick, and the world went on: {passed} ticks");
    println!("2000 members in {took:?} and {passed} ticks; the longest piece of work took {} us", status["longestAskUs"]);
}
