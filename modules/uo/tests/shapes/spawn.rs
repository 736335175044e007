//! What a yes to a spawn must say, and what is refused before anything is sent.

use leasehold_module::Module;
use serde_json::json;

use crate::common::{claim, done, failed, key, perform, spawn};
use crate::{against, ok};

#[tokio::test]
async fn a_yes_to_a_spawn_names_what_it_placed() {
    for serials in [json!([]), json!(["0x1", "0x1"]), json!(["0x1", "0x2", "0x3"]), json!(["orc"]), json!([7]), json!(null)] {
        let (uo, _canned) = against(vec![ok(&json!({"kind": "world.spawn.ok", "serials": serials}))]).await;
        assert_eq!(claim(&failed(uo.perform(spawn("r", key(1), 2)).await)), ("nonsense", true, true), "{serials}");
    }
    let (uo, _canned) = against(vec![ok(&json!({"kind": "world.spawn.ok", "serials": ["0x1"], "replayed": true}))]).await;
    let fewer = done(uo.perform(spawn("r", key(1), 2)).await);
    assert_eq!((fewer.resources.len(), fewer.replayed), (1, true));
    assert!(fewer.words.unwrap().contains("1 of 2"));
}

#[tokio::test]
async fn wrong_parameters_are_refused_before_anything_is_sent() {
    let (uo, canned) = against(Vec::new()).await;
    let spawns = [
        (json!({"location": "nowhere", "creature": "orc", "count": 1}), "unknown_landmark"),
        (json!({"location": "yew-orchard", "creature": "unicorns", "count": 1}), "unknown_creature"),
        (json!({"location": "yew-orchard", "creature": "orc", "count": 0}), "wrong_params"),
        (json!({"location": "yew-orchard", "creature": "orc", "count": 5_000_000_000_i64}), "wrong_params"),
        (json!({"location": "yew-orchard", "creature": "orc", "count": 1, "hue": 3001}), "wrong_params"),
        (json!({"location": "yew-orchard", "creature": "orc", "count": 1, "name": "x".repeat(41)}), "wrong_params"),
        (json!({"location": "yew-orchard", "creature": "orc", "count": 1, "map": "Trammel"}), "wrong_params"),
        (json!({"creature": "orc", "count": 1}), "wrong_params"),
    ];
    for (params, code) in spawns {
        let failure = failed(uo.perform(perform("uo.creature.spawn", "r", key(1), &params)).await);
        assert_eq!(claim(&failure), (code, false, false), "{params}");
    }
    for params in [json!({"text": "x".repeat(201)}), json!({"text": "two\nlines"}), json!({"text": 5}), json!({})] {
        let failure = failed(uo.perform(perform("uo.broadcast", "r", key(1), &params)).await);
        assert_eq!(claim(&failure), ("wrong_params", false, false), "{params}");
    }
    assert_eq!(failed(uo.perform(perform("uo.dance", "r", key(1), &json!({}))).await).code, "no_such_action");
    assert!(canned.requests().is_empty());
}
