//! What people typed and what a game answered in words lies beside the log: told where a run is told, and in no event.

use serde_json::json;

use crate::world::plans::{cue, event, orcs, phase};
use crate::world::{World, step};

#[tokio::test]
async fn words_are_told_and_no_event_holds_them() {
    let world = World::new().await;
    let plan = event("wordy", &[phase("all", &[cue(), orcs("horde", 31)], "1h")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;
    world.run_until(&run_id, "the cue waits", |run| run["waitingSteps"] == 1).await;
    world.engine.api.confirm(&run_id, "cue").await.yes();
    let run = world.step_is(&run_id, "horde", "failed").await;
    let told = step(&run, "horde")["lastError"]["sentence"].as_str().unwrap().to_owned();
    assert!(told.contains("the ceiling is 30"), "the game's own words: {told}");
    world.engine.api.cancel(&run_id, &json!({"reason": "Ada Lovelace asked for it"})).await.yes();
    world.ended(&run_id, "cancelled", "complete").await;

    let words = ["done by hand", "the ceiling is 30", "Ada Lovelace"];
    let replay = world.engine.cli(&["replay", &run_id]);
    let events = world.log().await.read_after(None, 10_000).await.unwrap();
    for words in words {
        assert!(replay.contains(words), "{words} is missing in\n{replay}");
        let holds = events
            .iter()
            .find(|event| event.payload.to_string().contains(words) || format!("{:?}", event.metadata).contains(words));
        assert_eq!(holds, None, "{words}");
    }
    world.finish().await;
}
