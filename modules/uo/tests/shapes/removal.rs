//! Taking creatures away, and closing a run.

use leasehold_module::{CloseRun, Closed, Module, RevertTarget, Reverted, UndoneOutcome};
use serde_json::json;

use crate::common::{claim, key, revert};
use crate::{against, ok};

#[tokio::test]
async fn a_removal_says_once_what_became_of_each() {
    let three = ["0x1".to_owned(), "0x2".to_owned(), "0x3".to_owned()];
    let body = json!({"kind": "world.despawn.ok", "removed": ["0x1"], "gone": ["0x2"], "refused": ["0x3"]});
    let (uo, canned) = against(vec![ok(&body)]).await;
    let mut request = revert("r", key(2), key(1), &three);
    request.resources[1].reference = "0x02".into();
    request.resources.push(RevertTarget { kind: "lamp".into(), reference: "0x9".into() });
    let Reverted::Done(undone) = uo.revert(request).await else { panic!("it answered") };
    let outcome = |reference: &str| &undone.iter().find(|undone| undone.reference == reference).unwrap().outcome;
    assert_eq!((undone.len(), outcome("0x1"), outcome("0x02")), (4, &UndoneOutcome::Removed, &UndoneOutcome::Gone));
    assert!(matches!(outcome("0x3"), UndoneOutcome::Refused(_)) && matches!(outcome("0x9"), UndoneOutcome::Refused(_)));
    let sent = &canned.requests()[0].body;
    assert_eq!(sent["serials"], json!(three));
    assert!(sent.get("forKey").is_none());
    for wrong in [
        json!({"kind": "world.despawn.ok"}),
        json!({"kind": "world.despawn.ok", "removed": [], "gone": [], "refused": []}),
        json!({"kind": "world.despawn.ok", "removed": ["0x1"], "gone": ["0x1"], "refused": []}),
    ] {
        let (uo, _canned) = against(vec![ok(&wrong)]).await;
        let Reverted::Failed(failure) = uo.revert(revert("r", key(2), key(1), &three[..1])).await else { panic!("{wrong}") };
        assert_eq!(claim(&failure), ("nonsense", true, true), "{wrong}");
    }
}

#[tokio::test]
async fn a_removal_without_references_goes_by_key() {
    let yes = json!({"kind": "world.despawn.ok", "removed": ["0x1"], "gone": [], "refused": []});
    let (uo, canned) = against(vec![ok(&yes)]).await;
    assert_eq!(uo.revert(revert("r", key(2), key(1), &[])).await, Reverted::Done(Vec::new()));
    let sent = &canned.requests()[0].body;
    assert_eq!((&sent["forKey"], &sent["serials"]), (&json!(key(1)), &json!([])));
    let kept = json!({"kind": "world.despawn.ok", "removed": [], "gone": [], "refused": ["0x1"]});
    let (uo, _canned) = against(vec![ok(&kept)]).await;
    assert!(matches!(uo.revert(revert("r", key(2), key(1), &[])).await, Reverted::Failed(f) if f.code == "not_owned"));
}

#[tokio::test]
async fn a_run_is_closed_only_where_the_game_says_so() {
    let close = || CloseRun { run_id: "r".into(), scope: "main".into(), fence: 7, mark: None };
    let (uo, canned) = against(vec![ok(&json!({"kind": "run.ok", "runId": "r", "fence": 7}))]).await;
    assert_eq!(uo.close_run(close()).await, Closed::Closed);
    assert_eq!(canned.requests()[0].body, json!({"runId": "r", "fence": 7}));
    for body in [
        json!({"kind": "run.ok"}),
        json!({"kind": "run.ok", "runId": "s", "fence": 7}),
        json!({"kind": "run.ok", "runId": "r", "fence": 6}),
    ] {
        let (uo, _canned) = against(vec![ok(&body)]).await;
        assert!(matches!(uo.close_run(close()).await, Closed::Failed(f) if f.unknown), "{body}");
    }
}
