//! Creatures: placed once, taken away by serial or by key.

use std::collections::BTreeSet;

use leasehold_module::{CloseRun, Closed, Module, Options, OptionsAnswer, Perform, Reverted, Success, Undone, UndoneOutcome};
use leasehold_uo::Uo;
use serde_json::json;

use crate::common::{claim, done, failed, key, perform, revert, spawn};
use crate::pair::{CONSENTS, Shard, Sidecar};

fn references(success: &Success) -> Vec<String> {
    success.resources.iter().map(|resource| resource.reference.clone()).collect()
}

async fn owned(shard: &Shard, run: &str) -> usize {
    let creatures = shard.console(&format!("creatures --run {run}")).await;
    creatures["creatures"].as_array().unwrap_or_else(|| panic!("{creatures}")).len()
}

fn outcomes(reverted: Reverted) -> Vec<UndoneOutcome> {
    match reverted {
        Reverted::Done(undone) => undone.into_iter().map(|Undone { outcome, .. }| outcome).collect(),
        Reverted::Failed(failure) => panic!("{failure:?}"),
    }
}

async fn values(uo: &Uo, source: &str) -> Vec<String> {
    match uo.options(Options { source: source.into(), scope: None, q: None }).await {
        OptionsAnswer::Choices(choices) => choices.into_iter().map(|choice| choice.value).collect(),
        OptionsAnswer::Failed(failure) => panic!("{failure}"),
    }
}

#[tokio::test]
async fn a_repeat_of_a_key_names_the_same_creatures_and_makes_no_more() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let dry = Perform { verify: true, ..spawn("run-1", key(1), 12) };
    assert_eq!(references(&done(uo.perform(dry).await)), [""; 0]);
    assert_eq!(owned(&shard, "run-1").await, 0);
    let first = done(uo.perform(spawn("run-1", key(1), 12)).await);
    let again = done(uo.perform(spawn("run-1", key(1), 12)).await);
    assert_eq!((first.replayed, again.replayed), (false, true));
    assert_eq!(references(&first), references(&again));
    assert_eq!(references(&first).iter().collect::<BTreeSet<_>>().len(), 12);
    assert_eq!(owned(&shard, "run-1").await, 12);
    assert_eq!(shard.outcomes(&key(1)).await, ["applied", "replayed"]);
}

#[tokio::test]
async fn what_is_taken_away_twice_is_gone_the_second_time() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let placed = references(&done(uo.perform(spawn("run-1", key(1), 3)).await));
    let first = outcomes(uo.revert(revert("run-1", key(2), key(1), &placed)).await);
    assert_eq!(first, [UndoneOutcome::Removed, UndoneOutcome::Removed, UndoneOutcome::Removed]);
    assert_eq!(owned(&shard, "run-1").await, 0);
    let replay = outcomes(uo.revert(revert("run-1", key(2), key(1), &placed)).await);
    assert_eq!(replay, first, "the same key is answered as it was");
    let round_two = outcomes(uo.revert(revert("run-1", key(3), key(1), &placed)).await);
    assert_eq!(round_two, [UndoneOutcome::Gone, UndoneOutcome::Gone, UndoneOutcome::Gone]);
}

#[tokio::test]
async fn a_creature_of_another_run_is_left_alone() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let placed = references(&done(uo.perform(spawn("run-1", key(1), 1)).await));
    let [UndoneOutcome::Refused(_)] = outcomes(uo.revert(revert("run-2", key(2), key(1), &placed)).await)[..] else {
        panic!("refused")
    };
    assert_eq!(owned(&shard, "run-1").await, 1);
}

#[tokio::test]
async fn a_lost_answer_is_made_good_by_key() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    done(uo.perform(spawn("run-1", key(1), 5)).await);
    done(uo.perform(spawn("run-1", key(2), 2)).await);
    assert_eq!(outcomes(uo.revert(revert("run-1", key(3), key(1), &[])).await), []);
    assert_eq!(owned(&shard, "run-1").await, 2, "the other key's creatures stay");
    assert_eq!(outcomes(uo.revert(revert("run-1", key(4), key(77), &[])).await), [], "nothing there is a success");
}

#[tokio::test]
async fn a_closed_run_is_refused_but_for_its_undos() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let placed = references(&done(uo.perform(spawn("run-1", key(1), 2)).await));
    let close = CloseRun { run_id: "run-1".into(), scope: "main".into(), fence: 3, mark: None };
    assert_eq!(uo.close_run(close.clone()).await, Closed::Closed);
    assert_eq!(uo.close_run(close).await, Closed::Closed);
    assert_eq!(claim(&failed(uo.perform(spawn("run-1", key(2), 2)).await)), ("run_closed", false, false));
    assert_eq!(outcomes(uo.revert(revert("run-1", key(3), key(1), &placed)).await).len(), 2);
    assert_eq!(owned(&shard, "run-1").await, 0);
}

#[tokio::test]
async fn a_late_claim_and_a_crowd_are_refused_in_the_games_words() {
    let sidecar = Sidecar::start().await;
    let _shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    done(uo.perform(spawn("run-1", key(1), 20)).await);
    let crowd = failed(uo.perform(spawn("run-1", key(2), 11)).await);
    assert_eq!(claim(&crowd), ("ceiling_exceeded", false, false));
    assert!(crowd.reason.contains("30"), "{crowd}");
    let late = Perform { fence: 2, ..spawn("run-1", key(3), 1) };
    assert_eq!(claim(&failed(uo.perform(late).await)), ("stale_fence", false, false));
    let old = Perform { ttl_ms: 0, ..spawn("run-1", key(4), 1) };
    assert_eq!(claim(&failed(uo.perform(old).await)), ("ttl_expired", true, false));
}

#[tokio::test]
async fn every_choice_of_the_atlas_is_one_that_the_shard_takes() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let choices = values(&uo, "uo.options.landmarks").await.into_iter().map(|value| (value, "orc".to_owned()));
    let creatures = values(&uo, "uo.options.creatures").await.into_iter().map(|value| ("yew-orchard".to_owned(), value));
    for (seed, (location, creature)) in (1..).zip(choices.chain(creatures)) {
        let run = format!("run-{seed}");
        let params = json!({"location": location, "creature": creature, "count": 1, "name": "a guest", "hue": 1157});
        done(uo.perform(perform("uo.creature.spawn", &run, key(seed), &params)).await);
        assert_eq!(owned(&shard, &run).await, 1, "{location} {creature}");
    }
}
