//! Persons, gates, decoration, notices, gifts and saves, on a real game.

use leasehold_module::{Module, Perform, Reverted, Success, Undone, UndoneOutcome};
use serde_json::{Value, json};

use crate::common::{claim, done, failed, key, perform, revert};
use crate::pair::{CONSENTS, Shard, Sidecar};

fn makers() -> [(&'static str, Value, usize); 6] {
    [
        (
            "uo.npc.place",
            json!({"location": "yew-orchard", "name": "Marta", "greeting": "Hail", "keyword1": "raid", "line1": "At dusk"}),
            1,
        ),
        ("uo.gate.open", json!({"location": "yew-orchard", "destination": "britain-bank", "minutes": 240}), 2),
        ("uo.decoration.place", json!({"location": "yew-orchard", "item": "banner", "east": -3, "south": 2}), 1),
        ("uo.towncrier.post", json!({"text": "Hands are wanted", "minutes": 60}), 1),
        ("uo.news.post", json!({"title": "The harvest", "text": "Yew asks for hands."}), 1),
        ("uo.boss.spawn", json!({"location": "yew-orchard", "creature": "ettin", "count": 2, "hits": 800}), 2),
    ]
}

async fn standing(shard: &Shard, run: &str) -> u64 {
    let count = |told: Value| told["count"].as_u64().unwrap_or_else(|| panic!("{told}"));
    count(shard.console(&format!("objects --run {run}")).await) + count(shard.console(&format!("creatures --run {run}")).await)
}

fn undo(action: &str, nth: u64, made: u64, success: Option<&Success>) -> leasehold_module::Revert {
    let mut request = revert("run-1", key(nth), key(made), &[]);
    action.clone_into(&mut request.action);
    let resources = success.iter().flat_map(|success| &success.resources);
    request.resources = resources
        .map(|made| leasehold_module::RevertTarget { kind: made.kind.clone(), reference: made.reference.clone() })
        .collect();
    request
}

#[tokio::test]
async fn what_each_verb_makes_is_made_once_and_taken_away_by_serial_and_by_key() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    for (nth, (action, params, made)) in (1..).step_by(10).zip(makers()) {
        let dry = Perform { verify: true, ..perform(action, "run-1", key(nth), &params) };
        assert!(done(uo.perform(dry).await).resources.is_empty(), "{action}");
        assert_eq!(standing(&shard, "run-1").await, 0, "{action}: a dry run makes nothing");
        let first = done(uo.perform(perform(action, "run-1", key(nth), &params)).await);
        let again = done(uo.perform(perform(action, "run-1", key(nth), &params)).await);
        assert_eq!((first.resources.len(), &first.resources, again.replayed), (made, &again.resources, true), "{action}");
        assert_eq!(standing(&shard, "run-1").await, made as u64, "{action}");
        let Reverted::Done(undone) = uo.revert(undo(action, nth + 1, nth, Some(&first))).await else { panic!("{action}") };
        assert_eq!(undone.len(), made);
        assert!(undone.iter().all(|Undone { outcome, .. }| *outcome == UndoneOutcome::Removed), "{action}");
        let Reverted::Done(undone) = uo.revert(undo(action, nth + 2, nth, Some(&first))).await else { panic!("{action}") };
        assert!(undone.iter().all(|Undone { outcome, .. }| *outcome == UndoneOutcome::Gone), "{action}: twice is no fault");
        done(uo.perform(perform(action, "run-1", key(nth + 3), &params)).await);
        assert_eq!(uo.revert(undo(action, nth + 4, nth + 3, None)).await, Reverted::Done(Vec::new()));
        assert_eq!(standing(&shard, "run-1").await, 0, "{action}: by its key alone");
    }
}

#[tokio::test]
async fn a_ceiling_is_refused_in_the_games_words_and_a_facet_before_the_game_is_asked() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let (action, params, _) = &makers()[0];
    for nth in 0..5 {
        done(uo.perform(perform(action, "run-1", key(nth), params)).await);
    }
    assert_eq!(claim(&failed(uo.perform(perform(action, "run-1", key(6), params)).await)), ("npcs_exceeded", false, false));
    assert_eq!(standing(&shard, "run-1").await, 5);
    let across = json!({"location": "yew-orchard", "destination": "vesper-bridge", "minutes": 1});
    let dry = Perform { verify: true, ..perform("uo.gate.open", "run-1", key(7), &across) };
    assert_eq!(claim(&failed(uo.perform(dry).await)), ("gate_across_facets", false, false));
    let half = json!({"location": "yew-orchard", "name": "Marta", "greeting": "Hail", "line2": "At dusk"});
    assert_eq!(claim(&failed(uo.perform(perform(action, "run-2", key(8), &half)).await)), ("wrong_params", false, false));
}

#[tokio::test]
async fn a_save_too_soon_may_be_asked_for_again_under_its_key() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let save = |nth| perform("uo.world.save", "run-1", key(nth), &json!({}));
    assert!(done(uo.perform(save(1)).await).words.is_some());
    assert_eq!(claim(&failed(uo.perform(save(2)).await)), ("save_too_soon", true, false));
    shard.console("clock +300").await;
    done(uo.perform(save(2)).await);
    assert_eq!(shard.outcomes(&key(2)).await, ["refused", "applied"]);
}

#[tokio::test]
async fn a_gift_is_given_once_and_to_no_staff() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let serial = shard.console("player create Darrow").await["serial"].as_str().unwrap().to_owned();
    let give = |nth, to: &str| {
        perform("uo.item.grant", "run-1", key(nth), &json!({"item": "event_token", "amount": 2, "recipient": to}))
    };
    done(uo.perform(give(1, &serial)).await);
    assert!(done(uo.perform(give(1, &serial)).await).replayed);
    assert_eq!(shard.console("player list").await["players"][0]["pack"], json!({"event_token": 2}));
    assert!(done(uo.perform(give(2, "0x1")).await).words.unwrap().contains("nothing was given"));
    shard.console("player staff Darrow on").await;
    assert_eq!(claim(&failed(uo.perform(give(3, &serial)).await)), ("access_floor", false, false));
    let Reverted::Failed(none) = uo.revert(undo("uo.item.grant", 4, 1, None)).await else { panic!("there is no undo") };
    assert_eq!(none.code, "nothing_to_revert");
}

#[tokio::test]
async fn every_item_of_the_atlas_is_one_that_the_game_takes() {
    let sidecar = Sidecar::start().await;
    let shard = sidecar.shard(&CONSENTS).await;
    let uo = sidecar.uo();
    let serial = shard.console("player create Darrow").await["serial"].as_str().unwrap().to_owned();
    let atlas: Value = serde_json::from_str(include_str!("../../atlas.json")).unwrap();
    for (nth, item) in (0..).zip(atlas["decorations"].as_array().unwrap()) {
        let params = json!({"location": "yew-orchard", "item": item["value"]});
        done(uo.perform(perform("uo.decoration.place", "run-1", key(nth), &params)).await);
    }
    for (nth, item) in (100..).zip(atlas["gifts"].as_array().unwrap()) {
        let params = json!({"item": item["value"], "amount": 1, "recipient": serial});
        assert_eq!(done(uo.perform(perform("uo.item.grant", "run-1", key(nth), &params)).await).words, None);
    }
}
