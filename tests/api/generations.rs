//! Slots that are opened again after their run had begun: each time a run of its own, of the next generation.

use chrono::TimeDelta;
use leasehold_aggregates::schedule::occurrence_id;
use serde_json::json;

use crate::altered::{account, advance_to, alter, bench, fridays, run_is, run_of_slot, verified};

#[tokio::test]
async fn a_slot_whose_run_had_begun_comes_back_as_its_next_generation() {
    let bench = bench().await;
    let id = verified(&bench, &fridays("again")).await;
    let slot = "2027-03-05T20:00";
    let name = |generation: u32| occurrence_id(&id, "main", slot.parse().unwrap(), generation).to_string();
    let first = run_of_slot(&bench, &id, slot).await;
    advance_to(&bench, "2027-03-05T11:00:00Z").await;
    for generation in 0..2 {
        let run = name(generation);
        run_is(&bench, &run, |run| run["status"] == "running").await;
        alter(&bench, &id, slot, "restore", json!({"reason": "x"})).await.problem(409, "run_state");
        bench.admin("POST", &format!("/runs/{run}/cancel")).json(&json!({"reason": "no"})).send().await.is(200);
        for (verb, to) in [("skip", None), ("move", Some("2027-03-06T20:00"))] {
            let body = to.map_or_else(|| json!({"reason": "x"}), |to| json!({"reason": "x", "to": to}));
            let problem = alter(&bench, &id, slot, verb, body).await.problem(409, "run_state");
            assert_eq!(problem["runId"], json!(run), "{verb}");
        }
        let back = alter(&bench, &id, slot, "restore", json!({"reason": "the light is back"})).await.is(200);
        assert_eq!((&back["state"], &back["runId"]), (&json!("scheduled"), &json!(name(generation + 1))));
    }
    let last = run_is(&bench, &name(2), |run| run["status"] == "running").await;
    assert_eq!(last["scheduledFor"], "2027-03-05T11:00:00Z");
    assert_eq!(run_is(&bench, &first, |_| true).await["status"], "cancelled", "what it did stands under its name");
    for generation in 0..3 {
        let scheduled =
            "select payload -> 'run' ->> 'generation' from events where aggregate_id = $1 and event_type = 'run_scheduled'";
        let told =
            sqlx::query_scalar::<_, String>(scheduled).bind(name(generation)).fetch_all(bench.engine.log.pool()).await.unwrap();
        assert_eq!(told, [generation.to_string()], "each is scheduled once");
    }
    // One occurrence, one row: that of its newest run.
    let account = account(&bench, &format!("from=2027-03-05T00:00:00Z&to=2027-03-06T00:00:00Z&definitionId={id}")).await;
    assert_eq!(account.len(), 1, "{account:?}");
    assert_eq!((&account[0]["outcome"], &account[0]["runId"]), (&json!("executed"), &json!(name(2))));

    // Past its grace nothing brings it back.
    bench.admin("POST", &format!("/runs/{}/cancel", name(2))).json(&json!({"reason": "no"})).send().await.is(200);
    bench.advance(TimeDelta::hours(25)).await;
    alter(&bench, &id, slot, "restore", json!({"reason": "x"})).await.problem(409, "occurrence_over");
}
