//! What a game offers, as the engine asks for it.

use std::time::Duration;

use leasehold_module::{FeedAnswer, FeedAsk, FeedPlace, Module, Offered, Offers};
use serde_json::json;

use crate::lanterns::{Lanterns, manifest};
use crate::link::{Sidecar, there};

#[tokio::test]
async fn a_manifest_is_offered_while_its_game_is_there_and_told_from_every_other() {
    let sidecar = Sidecar::start().await;
    let games = sidecar.games();
    assert!(matches!(games.offered("main").await, Offered::Unreached(_)), "no game is there");
    assert!(matches!(games.offered("elsewhere").await, Offered::Unreached(_)), "no link leads there");
    let lanterns = Lanterns::dial(&sidecar.game, "main", Some(manifest()));
    let module = sidecar.module(&manifest(), &lanterns).await;
    let Offered::Manifest { digest, manifest: sent } = games.offered("main").await else { panic!("it is offered") };
    assert_eq!(json!(sent), manifest());
    let mut changed = manifest();
    changed["version"] = json!(2);
    lanterns.restart(Some(changed));
    there(&*module, &lanterns).await;
    let Offered::Manifest { digest: other, .. } = games.offered("main").await else { panic!("it is offered") };
    assert_ne!(digest, other);
    lanterns.restart(None);
    there(&*module, &lanterns).await;
    assert_eq!(games.offered("main").await, Offered::Nothing);
}

async fn read(module: &dyn Module, after: Option<FeedPlace>) -> leasehold_module::FeedRead {
    let ask = FeedAsk { scope: "main".into(), after, limit: 100, wait_ms: 1_000 };
    match module.feed(ask).await {
        FeedAnswer::Read(read) => read,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_report_of_a_declared_trigger_fires_it_with_its_declared_variables_alone() {
    let sidecar = Sidecar::start().await;
    let lanterns = Lanterns::dial(&sidecar.game, "main", Some(manifest()));
    let module = sidecar.module(&manifest(), &lanterns).await;
    let begun = read(&*module, None).await;
    lanterns.report("lanterns.unheard", &json!({}));
    lanterns.report("lanterns.broken", &json!({"place": "bridge", "who": "Aldric"}));
    lanterns.report("lanterns.broken", &json!({"place": 7}));
    let mut fired = Vec::new();
    let mut place = FeedPlace { feed: begun.feed.clone(), number: 0 };
    for _ in 0..60 {
        let next = read(&*module, Some(place.clone())).await;
        place.number = next.through;
        fired.extend(next.fired);
        if fired.len() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let told: Vec<_> = fired.iter().map(|fired| (fired.trigger.as_str(), json!(fired.vars))).collect();
    assert_eq!(told, [("lanterns.broken", json!({"place": "bridge"})), ("lanterns.broken", json!({}))]);
    assert_ne!(fired[0].fingerprint, fired[1].fingerprint);
}
