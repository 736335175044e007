use super::bench::{Bench, close, error, of_run, open, spawn};
use crate::{game::new_character, world::Landmark};
use leasehold_link::wire::limits;
use serde_json::{Value, json};

/// `Aaa`, `Aab`, and so on: a name has letters only.
fn name(number: usize) -> String {
    let letter = |digit: usize| char::from(b'a' + u8::try_from(digit % 26).unwrap());
    format!("A{}{}{}", letter(number / 676), letter(number / 26), letter(number))
}

/// So many characters that are played in the orchard, each of which was there for a minute.
fn crowd(bench: &mut Bench, many: usize) {
    bench.core.ensure_serials(4096).unwrap();
    for number in 0..many {
        let new = new_character(&bench.core.game.config, name(number), None);
        bench.core.game.world.create_player(new, 5_000, 1).unwrap();
        let player = bench.core.game.world.player_named(&name(number)).unwrap();
        (player.online, player.stands) = (true, Landmark::named("yew-orchard").unwrap().at());
    }
    assert_eq!(bench.send(open("open", "77", 20))["kind"], "participation.ok");
    bench.console("clock +60");
    bench.tick();
}

#[tokio::test]
async fn two_thousand_are_told_a_piece_a_tick_and_meanwhile_the_key_is_at_work() {
    let mut bench = Bench::new();
    crowd(&mut bench, 2_000);
    assert!(bench.send_all(of_run("participation.snapshot", "snap")).1.is_empty(), "nothing is answered yet");
    let busy = bench.send(of_run("participation.snapshot", "snap"));
    assert_eq!((&busy["kind"], &busy["busyKind"]), (&json!("bridge.busy"), &json!("participation.snapshot")));
    for _ in 1..20 {
        bench.tick();
        assert_eq!(bench.said(), [Value::Null; 0]);
    }
    assert_eq!(bench.send(spawn("k", 1))["kind"], "world.spawn.ok", "the world goes on");
    bench.tick();
    let told = bench.said().remove(0);
    assert_eq!((told["kind"].as_str().unwrap(), told["reqId"].as_str().unwrap()), ("participation.snapshot.ok", "r-2"));
    let members = told["members"].as_array().unwrap();
    assert_eq!((members.len(), &members[0][3], &members[0][5], &told["turnedAway"]), (2_000, &json!(60), &json!("1"), &json!(0)));
    assert!(told.to_string().len() < limits::LINE_MAX_BYTES, "{} bytes fit a line", told.to_string().len());
    let again = bench.send(of_run("participation.snapshot", "snap"));
    assert_eq!((&again["replayed"], &again["t"], &again["members"]), (&json!(true), &told["t"], &told["members"]));
    assert_eq!(bench.outcomes("snap"), ["busy", "applied", "replayed"]);
}

/// Work is counted, and not time: whoever asks for how much, no tick resolves more than one piece, and each does one whole.
#[tokio::test]
async fn no_tick_does_more_than_one_piece_however_many_ask() {
    let mut bench = Bench::new();
    crowd(&mut bench, 2_000);
    let snapshot = |key: &str| of_run("participation.snapshot", key);
    for key in ["one", "two", "three"] {
        assert!(bench.send_all(snapshot(key)).1.is_empty());
    }
    let (mut ticks, mut done, mut told) = (0, 0, 0);
    while told < 3 {
        bench.tick();
        ticks += 1;
        assert_eq!(bench.core.walked.this_tick, 100, "tick {ticks}");
        done += bench.core.walked.this_tick;
        told += bench.said().iter().filter(|frame| frame["kind"] == "participation.snapshot.ok").count();
    }
    assert_eq!((ticks, done), (60, 6_000), "everybody is resolved once for each who asks");
    bench.tick();
    assert_eq!(bench.core.walked.this_tick, 0, "nothing is left");
    assert_eq!(bench.console("status")["mostMembersATick"], 100);
    assert_eq!(bench.console("config set Bridge.ParticipationSnapshotChunk 7")["ok"], true);
    assert!(bench.send_all(snapshot("four")).1.is_empty());
    for _ in 0..286 {
        assert_eq!(bench.said(), [Value::Null; 0]);
        bench.tick();
    }
    assert_eq!(bench.said()[0]["members"].as_array().unwrap().len(), 2_000);
    assert_eq!(bench.console("status")["mostMembersATick"], 7);
}

#[tokio::test]
async fn a_look_that_a_crash_cut_off_runs_under_its_key_and_a_save_brings_the_tally_back() {
    let mut bench = Bench::new();
    crowd(&mut bench, 150);
    bench.console("save");
    assert!(bench.send_all(of_run("participation.snapshot", "snap")).1.is_empty());
    let mut bench = bench.restart();
    assert!(bench.send_all(of_run("participation.snapshot", "snap")).1.is_empty(), "it is no interrupted change");
    bench.tick();
    bench.tick();
    let told = bench.said().remove(0);
    let members = told["members"].as_array().unwrap();
    assert_eq!((members.len(), &members[149][3], &members[149][6]), (150, &json!(60), &members[0][6]));
    bench.console("clock +600");
    bench.tick();
    let later = bench.send_all(of_run("participation.snapshot", "later"));
    assert!(later.1.is_empty());
    bench.tick();
    bench.tick();
    assert_eq!(bench.said()[0]["members"][0][3], 60, "after a start nobody is connected");
}

#[tokio::test]
async fn a_part_in_a_fight_has_everybody_inside_and_gifts_go_to_those_who_earned_them() {
    let mut bench = Bench::new();
    let names = ["Darrow", "Tester", "Farmer"];
    let serials = names.map(|name| bench.player(name, "yew-orchard"));
    bench.send(open("open", "77", 5));
    let prey = bench.send(spawn("k", 1))["serials"][0].as_str().unwrap().to_owned();
    bench.console("player walk Darrow Felucca 543 992");
    bench.console("player walk Tester Felucca 552 992");
    for _ in 0..2 {
        for name in ["Darrow", "Tester"] {
            assert_eq!(bench.console(&format!("player fight {name} {prey} 15"))["ok"], true);
        }
    }
    let told = bench.send(of_run("participation.snapshot", "snap"));
    let kills = |serial: &str| {
        let row = told["members"].as_array().unwrap().iter().find(|row| row[0] == serial);
        row.map(|row| (row[1].clone(), row[4].clone()))
    };
    assert_eq!(kills(&serials[0]), Some((json!("Darrow"), json!(1))), "it dealt less, and it stands inside");
    for serial in &serials[1..] {
        assert!(kills(serial).is_none_or(|(_, kills)| kills == 0), "it shot from outside, or did not shoot");
    }

    let grant = |key: &str, of: Value| {
        json!({"kind": "world.grant", "item": "event_token", "participants": of, "runId": "77",
        "fence": 5, "ttlMs": 30_000, "idempotencyKey": key})
    };
    let to_all = bench.send(grant("g", json!({"minScore": "5", "most": 10})));
    assert_eq!((&to_all["granted"], &to_all["missed"]), (&json!([serials[0]]), &json!([])));
    assert_eq!(error(&bench.send(grant("h", json!({"most": 0})))), ("world.grant.error", "bad_field"));
    let nobody = json!({"minScore": "5", "most": 1});
    bench.console("player die Darrow");
    assert_eq!(bench.send(grant("i", nobody))["granted"], json!([serials[0]]), "the dead have earned it too");
    let elsewhere = json!({"kind": "world.grant", "item": "event_token", "participants": {"most": 1}, "runId": "78", "fence": 5,
        "ttlMs": 30_000, "idempotencyKey": "j"});
    assert_eq!(error(&bench.send(elsewhere)), ("world.grant.error", "not_counted"));
}

#[tokio::test]
async fn weights_are_those_of_the_opening_and_a_closed_run_opens_nothing() {
    let mut bench = Bench::new();
    bench.player("Darrow", "yew-orchard");
    bench.send(open("open", "77", 5));
    bench.console("config set Bridge.ParticipationMinuteWeight 100");
    bench.console("clock +90");
    let told = bench.send(of_run("participation.snapshot", "snap"));
    assert_eq!((&told["members"][0][5], &told["minuteWeight"]), (&json!("1.5"), &json!(1)));
    bench.send(close(9));
    assert_eq!(error(&bench.send(open("late", "77", 5))), ("participation.open.error", "run_closed"));
    assert_eq!(bench.send(of_run("participation.snapshot", "after"))["members"][0][5], "1.5", "a look passes");
    let closed = bench.send(of_run("participation.close", "shut"));
    assert_eq!((&closed["members"], closed["closedMs"].is_i64()), (&json!(1), true));
    bench.console("clock +90");
    assert_eq!(bench.send(of_run("participation.snapshot", "end"))["members"][0][5], "1.5");
    assert_eq!(
        error(
            &bench.send(
                json!({"kind": "participation.snapshot", "runId": "78", "fence": 0, "ttlMs": 1_000, "idempotencyKey": "no"})
            )
        ),
        ("participation.snapshot.error", "not_counted")
    );
    let wrong = [
        ("radius", json!(0)),
        ("radius", json!(-1)),
        ("radius", json!(301)),
        ("holdMs", json!(0)),
        ("holdMs", json!(u64::MAX)),
        ("map", json!("Malas")),
        ("x", json!("5")),
    ];
    for (number, (field, value)) in wrong.into_iter().enumerate() {
        let mut order = open(&format!("w{number}"), "80", 5);
        order[field] = value;
        assert_eq!(error(&bench.send(order)).0, "participation.open.error", "{field}");
    }
    assert!(bench.core.game.participation.of("80").is_none());
}
