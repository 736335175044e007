//! The log is put back to an older copy while the game has moved on: nothing is sent before a person has said that history
//! goes on from there. The sidecar remembers what the log has forgotten; the game's audit trail says what reached it.

use std::path::PathBuf;

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::plans::{cue, event, phase, raid, skill_for};
use crate::world::{World, step};

const ACCEPT: (&str, &str) = ("LEASEHOLD_ACCEPT_REWIND", "true");
/// Seconds of each phase: together short of the hour for which the game remembers a key.
const SPAN: u32 = 600;
/// Seconds beyond a claim.
const CLAIM: u32 = 100;

/// A run whose value is borrowed and whose raid is ten minutes away, and a copy of the database from that moment.
async fn before_the_raid(world: &World) -> (String, PathBuf) {
    let phases = [phase("gather", &[skill_for(600)], "10m"), phase("boss", &[raid()], "10m")];
    let run_id = world.engine.api.start(&world.engine.api.publish(&event("rewound", &phases)).await).await;
    world.step_is(&run_id, "skill", "done").await;
    (run_id, world.dump())
}

/// The raid is in the world, and the database is as it was before it. The engine is dead.
async fn put_back_after_the_raid(world: &mut World) -> String {
    let (run_id, copy) = before_the_raid(world).await;
    world.advance(SPAN).await;
    world.step_is(&run_id, "raid", "done").await;
    world.engine.kill9().await;
    world.put_back(&copy).await;
    run_id
}

async fn ready(world: &World) -> (u16, Value) {
    let answer = world.engine.api.ask(Method::GET, "/readyz", None, None).await.unwrap();
    (answer.status.as_u16(), answer.body)
}

/// What the game has been sent so far; what its own clock did does not count.
fn heard(world: &World) -> Vec<(String, String)> {
    let by_a_command = world.shard.audit().into_iter().filter(|row| row.key.is_some() || row.kind == "run.close");
    by_a_command.map(|row| (row.kind, row.outcome)).collect()
}

async fn head(world: &World) -> u64 {
    world.log().await.head().await.unwrap().unwrap().position
}

/// The raid falls due once more, is asked for under its old key, and the game does not do it again.
async fn goes_on_from_there(world: World, run_id: &str) {
    world.advance(SPAN).await;
    let run = world.step_is(run_id, "raid", "done").await;
    assert_eq!(step(&run, "raid")["attempts"], 1);
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied", "replayed"], "its key is the same, so nothing is done twice");
    world.advance(SPAN).await;
    world.ended(run_id, "completed", "complete").await;
    assert_eq!(world.shard.creatures_of(run_id).await, 0);
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.finish_rewound().await;
}

#[tokio::test]
async fn an_engine_on_an_older_copy_is_read_only_until_a_person_accepts_it() {
    let mut world = World::new().await;
    let run_id = put_back_after_the_raid(&mut world).await;
    let (position, trail) = (head(&world).await, heard(&world));
    world.engine.restart().await;

    let (status, told) = ready(&world).await;
    assert_eq!((status, &told["status"]), (503, &json!("read_only")), "{told}");
    let found = &told["rewound"][0];
    assert_eq!(
        (&found["scope"], &found["cause"], &found["head"]["position"]),
        (&json!("main"), &json!("behind"), &json!(position))
    );
    assert_eq!(found["seen"], world.link.seen().await[0]);
    let words = world.engine.words();
    assert!(words.contains("READ-ONLY") && words.contains("--accept-rewind"), "{words}");

    let refused = [
        world.engine.api.post("", &event("another", &[phase("all", &[cue()], "1s")])).await,
        world.engine.api.cancel(&run_id, &json!({})).await,
    ];
    for refused in refused {
        let problem = refused.no(503, "read_only_rewound");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("the link of main") && detail.contains("--accept-rewind"), "{detail}");
        assert_eq!(problem["rewound"][0]["cause"], "behind");
    }
    for beside in [&["user", "add", "Ada", "--role", "editor"][..], &["stop", "on", "--reason", "it is all wrong"]] {
        let told = world.engine.cli_refused(beside);
        assert!(told.contains("nothing was done") && told.contains("the link of main"), "{told}");
    }
    assert_eq!(world.engine.api.run(&run_id).await["status"], "running", "what is there is read");
    world.advance(SPAN).await;
    world.engine.kill9().await;
    world.engine.restart().await;
    assert_eq!(ready(&world).await.0, 503, "a second start finds the same");
    assert_eq!((head(&world).await, heard(&world)), (position, trail), "nothing was appended, nothing was sent");
    world.engine.stop().await;

    world.engine.restart_with(vec![ACCEPT]).await;
    assert_eq!(ready(&world).await.0, 200);
    let accepted = world.events("one", "rewind_accepted").await;
    let [fact] = &accepted[..] else { panic!("{accepted:?}") };
    assert_eq!((&fact["scope"], &fact["cause"], &fact["seen"]), (&json!("main"), &json!("behind"), &found["seen"]));
    assert_eq!(world.actors("one", "rewind_accepted").await, ["operator"]);
    goes_on_after_it_was_due(world, &run_id).await;
}

/// The clock of the engines has passed the raid's instant already.
async fn goes_on_after_it_was_due(world: World, run_id: &str) {
    world.step_is(run_id, "raid", "done").await;
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied", "replayed"]);
    world.advance(SPAN).await;
    world.ended(run_id, "completed", "complete").await;
    assert_eq!(world.shard.creatures_of(run_id).await, 0);
    world.finish_rewound().await;
}

#[tokio::test]
async fn an_acceptance_that_is_on_record_is_not_asked_for_again() {
    let mut world = World::new().await;
    let run_id = put_back_after_the_raid(&mut world).await;
    let seen = world.link.seen().await;
    world.engine.restart_with_doom(vec![ACCEPT], "rewind.accepted").await;
    assert_eq!(world.link.seen().await, seen, "the link was not told before the engine died");

    world.engine.restart_with(Vec::new()).await;
    assert_eq!(ready(&world).await.0, 200, "the log says that it was accepted");
    assert_eq!(world.events("one", "rewind_accepted").await.len(), 1);
    let told = world.link.seen().await;
    assert!(told[0]["position"].as_u64() < seen[0]["position"].as_u64(), "{told}");
    goes_on_from_there(world, &run_id).await;
}

#[tokio::test]
async fn a_link_that_was_away_at_the_start_is_asked_before_anything_is_sent() {
    let mut world = World::new().await;
    let run_id = put_back_after_the_raid(&mut world).await;
    let trail = heard(&world);
    world.link.kill9().await;
    world.engine.restart().await;
    assert_eq!(ready(&world).await.0, 200, "nobody can know yet");
    // The log goes on past the position that the link has seen, so that a position alone would not tell.
    for number in 0..20 {
        world.engine.api.publish(&event(&format!("longer-{number}"), &[phase("all", &[cue()], "1s")])).await;
    }
    assert!(head(&world).await > world.link.written()[0]["position"].as_u64().unwrap());
    world.link.restart().await;
    world.shard.on_the_line(&world.link).await;
    world.advance(SPAN).await;
    world.wait_until("the link is asked", async || ready(&world).await.0 == 503).await;
    let (_, told) = ready(&world).await;
    assert_eq!(told["rewound"][0]["cause"], "other_history", "{told}");
    let position = head(&world).await;
    world.engine.api.cancel(&run_id, &json!({})).await.no(503, "read_only_rewound");
    world.advance(CLAIM).await;
    world.engine.stop().await;
    assert_eq!((head(&world).await, heard(&world)), (position, trail), "the game has heard nothing");

    world.engine.restart_with(vec![ACCEPT]).await;
    goes_on_after_it_was_due(world, &run_id).await;
}

#[tokio::test]
async fn another_log_behind_the_same_link_is_the_same_case() {
    let mut world = World::new().await;
    let run_id =
        world.engine.api.start(&world.engine.api.publish(&event("first", &[phase("all", &[skill_for(60)], "10m")])).await).await;
    world.step_is(&run_id, "skill", "done").await;
    world.engine.stop().await;
    let first = world.dump();
    world.start_another_log().await;
    world.engine.restart().await;
    let (status, told) = ready(&world).await;
    assert_eq!((status, &told["rewound"][0]["cause"]), (503, &json!("other_log")), "{told}");
    assert_eq!(head(&world).await, 0, "not even an admin was made: the log was opened, and that is all");
    world.engine.stop().await;
    world.engine.restart_with(vec![ACCEPT]).await;
    assert_eq!(ready(&world).await.0, 200);
    world.engine.stop().await;

    world.put_back(&first).await;
    world.engine.restart_with(Vec::new()).await;
    let (status, told) = ready(&world).await;
    assert_eq!((status, &told["rewound"][0]["cause"]), (503, &json!("other_log")), "now the first log is the other one: {told}");
    world.engine.stop().await;
    world.engine.restart_with(vec![ACCEPT]).await;
    world.advance(600).await;
    world.ended(&run_id, "completed", "complete").await;
    world.finish().await;
}

#[tokio::test]
async fn what_only_looks_like_it_is_no_alarm() {
    let mut world = World::new().await;
    let (run_id, _) = before_the_raid(&world).await;
    world.another_engine().await;
    world.link.kill9().await;
    world.link.restart().await;
    world.engine.kill9().await;
    world.engine.restart().await;
    assert_eq!(ready(&world).await.0, 200, "an engine that was killed, and a link that was");
    world.shard.on_the_line(&world.link).await;
    world.advance(SPAN).await;
    world.step_is(&run_id, "raid", "done").await;

    world.link.kill9().await;
    world.link.forget();
    world.link.restart().await;
    world.engine.stop().await;
    world.engine.restart_with(vec![ACCEPT]).await;
    assert_eq!(ready(&world).await.0, 200, "a link that has lost its memory");
    assert_eq!(world.events("one", "rewind_accepted").await, Vec::<Value>::new(), "there was nothing to accept");
    world.shard.on_the_line(&world.link).await;
    world.advance(SPAN).await;
    world.ended(&run_id, "completed", "complete").await;
    world.finish().await;
}
