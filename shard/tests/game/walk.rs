//! The two walks of acceptance, row by row, on a real game behind a real sidecar: the guarantee and the fallen champion; the borrowed
//! values and who took part.
//!
//! | what must be so | where it is seen |
//! | --- | --- |
//! | a repeat is not executed again: the audit has two rows of three sent | [`the_guarantee_and_the_fallen_champion`] |
//! | its answer is the original one, with the original instant, under the repeat's own correlation | the same |
//! | so it is where a command correlates by a name of its own | [`a_command_that_goes_by_an_id_is_replayed_under_it`] |
//! | another key executes; the game says what it did: in its counters, its audit and its own log | [`the_guarantee_and_the_fallen_champion`] |
//! | a champion that falls is told, with its altar, a table that is summed and ranked, and the nearest region with a name | the same; `lives.rs` of the game has the regions without one |
//! | the engine's half agrees on the real bytes: what a trigger says, what each rank sees | `a_fallen_champion_is_counted_in_a_trigger_and_shown_by_rank` of the module |
//! | a key at work is busy, 425, on a real game | [`the_borrowed_values_and_who_took_part`] |
//! | a value is applied, and another reader sees it | the same |
//! | the game puts it back with nobody asking, says so, and has a verdict for the late release | the same |
//! | what staff moved is drift, at 200, and stays | the same |
//! | a restart puts the configuration back, and the catalogue says so | the same |
//! | a part in a kill for every hand inside; presence of a connected player, counted in seconds | the same |
//! | the tally outlives a restart in the middle | the same |
//! | a deferred key is replayed like any other | the same |

use crate::{
    pair::Pair,
    support::{Bench, CONSENTS, apply, release, spawn},
};
use serde_json::{Value, json};

fn hail(key: &str) -> Value {
    json!({"kind": "admin.broadcast", "text": "hail", "idempotencyKey": key})
}

fn of_run(kind: &str, key: &str) -> Value {
    json!({"kind": kind, "runId": "77", "fence": 5, "ttlMs": 60_000, "idempotencyKey": key})
}

async fn player(pair: &Pair, name: &str, landmark: &str) -> String {
    let serial = pair.shard().does(&format!("player create {name}")).await["serial"].as_str().unwrap().to_owned();
    pair.shard().does(&format!("player connect {name}")).await;
    pair.shard().does(&format!("player walk {name} {landmark}")).await;
    serial
}

/// A champion rises at its altar, two players deal to it, one of them in two stretches, and it falls.
async fn champion_falls(pair: &Pair) -> (Value, [String; 2]) {
    let altars = pair.shard().does("altar list").await["altars"].as_array().unwrap().clone();
    let altar = altars.into_iter().find(|altar| altar["type"] == "Abyss").unwrap();
    let hands = [player(pair, "Tester", "britain-graveyard").await, player(pair, "Darrow", "britain-graveyard").await];
    let risen = pair.shard().does(&format!("altar raise {}", altar["serial"].as_str().unwrap())).await;
    let boss = risen["boss"].as_str().unwrap().to_owned();
    for (name, strength) in [("Tester", 240), ("Darrow", 120), ("Tester", 100_000)] {
        pair.shard().does(&format!("player fight {name} {boss} {strength}")).await;
        pair.shard().does("clock +200").await;
    }
    (altar, hands)
}

#[tokio::test]
async fn the_guarantee_and_the_fallen_champion() {
    let pair = Pair::start(10_000).await;
    // A repeat is not executed again, its answer is the first one's, and it answers whoever asks now.
    let first = pair.post(hail("K1")).await;
    let repeat = pair.post(hail("K1")).await;
    let other = pair.post(hail("K2")).await;
    assert_eq!((first.0, repeat.0, other.0), (200, 200, 200));
    assert_eq!((&repeat.1["replayed"], &repeat.1["t"]), (&json!(true), &first.1["t"]));
    assert_ne!(repeat.1["reqId"], first.1["reqId"]);
    assert!(other.1.get("replayed").is_none() && pair.shard().outcomes("K2").await == ["applied"]);
    assert_eq!(pair.shard().does("status").await["broadcasts"], 2, "three were sent");
    assert_eq!(pair.shard().outcomes("K1").await, ["applied", "replayed"]);
    // A plane that has names of its own replays as any other.
    let cry = json!({"kind": "towncrier.post", "notice": "harvest", "lines": ["Hands are wanted"], "forMs": 60_000, "runId": "77", "fence": 5,
        "ttlMs": 60_000, "idempotencyKey": "CRIER"});
    assert_eq!(pair.post(cry.clone()).await.1["kind"], "towncrier.ok");
    assert_eq!(pair.post(cry).await.1["replayed"], true);
    // The game says what it did.
    let said = pair.shard().does("status").await["idem"].as_str().unwrap().to_owned();
    assert!(said.contains("replayed=2") && said.contains("busy=0"), "{said}");
    // A champion falls: its altar, the table of who dealt, summed and ranked, and the nearest region that has a name.
    let (altar, hands) = champion_falls(&pair).await;
    let fell = pair.report("champ.boss.killed").await;
    assert_eq!(
        (&fell["boss"], &fell["category"], &fell["region"]),
        (&json!("Semidar"), &json!("champion"), &json!("Britain Graveyard"))
    );
    assert_eq!((&fell["serial"], &fell["type"], &fell["level"]), (&altar["serial"], &json!("Abyss"), &json!(0)));
    let table = fell["damagers"].as_array().unwrap().iter().map(|row| (row["serial"].clone(), row["damage"].clone()));
    assert_eq!(table.collect::<Vec<_>>(), [(json!(hands[0]), json!(100_240)), (json!(hands[1]), json!(120))]);
    assert_eq!(fell["killer"]["acct"], "tester");
    // The sidecar needed nothing for it.
    assert_eq!(pair.get("/health").await.1["protocol"], 7);
}

#[tokio::test]
async fn a_command_that_goes_by_an_id_is_replayed_under_it() {
    let bench = Bench::new(CONSENTS).await;
    let (shard, mut line) = bench.game().await;
    let cry = json!({"kind": "towncrier.post", "id": "evt-CRIERKEY", "notice": "harvest", "lines": ["Hands are wanted"], "forMs": 60_000,
        "runId": "77", "fence": 5, "ttlMs": 60_000, "idempotencyKey": "CRIER"});
    let by_id = json!({"id": "evt-CRIERKEY"});
    let mut told = Vec::new();
    for _ in 0..2 {
        line.send(&cry).await;
        told.push(line.next_like(by_id.as_object().unwrap()).await.unwrap());
    }
    assert_eq!((&told[0]["kind"], told[0].get("replayed")), (&json!("towncrier.ok"), None));
    assert_eq!((&told[1]["replayed"], &told[1]["t"], told[1].get("reqId")), (&json!(true), &told[0]["t"], None));
    assert_eq!(shard.outcomes("CRIER").await, ["applied", "replayed"]);
    // Asked again by another field it is refused: nobody waits for an answer under that.
    let mut elsewhere = cry;
    elsewhere.as_object_mut().unwrap().remove("id");
    assert_eq!(line.ask(elsewhere).await.unwrap()["kind"], "bridge.error");
}

#[tokio::test]
async fn the_borrowed_values_and_who_took_part() {
    let mut pair = Pair::start(10_000).await;
    let row = async |pair: &Pair, key: &str| pair.get(&format!("/lease?key={key}")).await.1["leases"][0].clone();
    // A lease applies, and another reader sees it; then silence, and the game puts it back by itself and says so.
    assert_eq!(pair.post(apply("a", 20_000)).await.1["baseline"], "1000");
    assert_eq!(pair.shard().does("player create During").await["skillCap"], 1200);
    pair.shard().does("clock +21").await;
    assert_eq!(pair.report("lease.expired").await["restored"], true);
    assert_eq!(pair.shard().does("player create After").await["skillCap"], 1000);
    // It still has a verdict for the release that comes late.
    let held = row(&pair, "PlayerCaps.SkillCap").await["held"].clone();
    assert_eq!((&held["expired"], &held["restored"]), (&json!(true), &json!(true)));
    assert_eq!(pair.post(release("r")).await.1["alreadyRestored"], true);
    // What staff moved meanwhile is drift, at 200, and left alone.
    pair.post(apply("b", 600_000)).await;
    pair.shard().does("config set PlayerCaps.SkillCap 1350").await;
    let (status, drifted) = pair.post(release("s")).await;
    assert_eq!((status, &drifted["kind"], &drifted["current"]), (200, &json!("lease.drifted"), &json!("1350")));
    assert_eq!(row(&pair, "PlayerCaps.SkillCap").await["current"], "1350");

    // Two who deal to one creature in the area have both a part in it; presence needs somebody who plays.
    let area = json!({"kind": "participation.open", "map": "Felucca", "x": 540, "y": 992, "radius": 5, "holdMs": 3_600_000, "runId": "77",
        "fence": 5, "ttlMs": 60_000, "idempotencyKey": "open"});
    assert_eq!(pair.post(area).await.0, 200);
    let members = [player(&pair, "Tester", "yew-orchard").await, player(&pair, "Darrow", "yew-orchard").await];
    let prey = pair.post(spawn("prey", 1)).await.1["serials"][0].as_str().unwrap().to_owned();
    for name in ["Tester", "Darrow", "Tester"] {
        pair.shard().does(&format!("player fight {name} {prey} 25")).await;
    }
    pair.shard().does("player logout Darrow").await;
    pair.shard().does("clock +120").await;
    let told = pair.post(of_run("participation.snapshot", "one")).await.1;
    let member =
        |told: &Value, serial: &str| told["members"].as_array().unwrap().iter().find(|row| row[0] == serial).unwrap().clone();
    let (tester, darrow) = (member(&told, &members[0]), member(&told, &members[1]));
    assert_eq!((&tester[4], &darrow[4]), (&json!(1), &json!(1)), "not the last blow alone");
    assert!(tester[3].as_u64().unwrap() >= 120 && darrow[3].as_u64().unwrap() < 60, "{told}");
    // The tally outlives a restart in the middle, and so does when each of them came; a restart puts back what it does put back.
    pair.post(apply("c", 600_000)).await;
    pair.shard().does("save").await;
    pair.reboot().await;
    let after = row(&pair, "PlayerCaps.SkillCap").await;
    assert_eq!((&after["current"], after.get("held")), (&json!("1000"), None));
    let again = pair.post(of_run("participation.snapshot", "two")).await.1;
    assert_eq!((member(&again, &members[0])[6].clone(), member(&again, &members[1])), (tester[6].clone(), darrow));
    // Two at once under one key: the first is told, the second is busy; a third is answered as the first was.
    pair.shard().does("config set Bridge.ParticipationSnapshotChunk 1").await;
    pair.shard().does("fault hold participation.snapshot").await;
    let snapshot = of_run("participation.snapshot", "three");
    let busy = async {
        pair.shard().until("/deferred", json!(1)).await;
        let busy = pair.post(snapshot.clone()).await;
        pair.shard().does("fault release").await;
        busy
    };
    let (first, busy) = tokio::join!(pair.post(snapshot.clone()), busy);
    assert_eq!((busy.0, &busy.1["kind"], &busy.1["busyKind"]), (425, &json!("bridge.busy"), &json!("participation.snapshot")));
    assert_eq!((first.0, first.1["members"].as_array().unwrap().len()), (200, 2));
    let third = pair.post(snapshot).await.1;
    assert_eq!((&third["replayed"], &third["t"]), (&json!(true), &first.1["t"]));
    assert_ne!(third["reqId"], first.1["reqId"]);
}
