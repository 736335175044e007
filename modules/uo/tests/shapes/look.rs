//! Looking what is there: three answers, and whatever is no plain one is "it cannot tell".

use leasehold_module::{Failure, Module, Reconcile, Reconciled, RevertTarget, Standing};
use serde_json::json;

use crate::{against, ok};

fn request(references: &[&str]) -> Reconcile {
    let creature = |reference: &&str| RevertTarget { kind: "creature".into(), reference: (*reference).to_owned() };
    let resources = references.iter().map(creature).collect();
    Reconcile { scope: "main".into(), run_id: "r".into(), action: "uo.creature.spawn".into(), resources }
}

#[tokio::test]
async fn each_is_there_gone_or_unknown() {
    let body = json!({"kind": "world.look.ok", "present": ["0x1", "0x5"], "gone": ["0x2", "0x5"], "unknown": ["0x3"]});
    let (uo, canned) = against(vec![ok(&body)]).await;
    let mut asked = request(&["0x1", "0x02", "0x3", "0x4", "0x5", "orc"]);
    asked.resources.push(RevertTarget { kind: "lamp".into(), reference: "0x1".into() });
    let Reconciled::Looked(seen) = uo.reconcile(asked).await else { panic!("it answered") };
    let standings: Vec<Standing> = seen.iter().map(|one| one.standing).collect();
    let (present, gone, unknown) = (Standing::Present, Standing::Gone, Standing::Unknown);
    assert_eq!(standings, [present, gone, unknown, unknown, unknown, unknown, unknown]);
    let sent = &canned.requests()[0].body;
    assert_eq!((&sent["runId"], &sent["serials"]), (&json!("r"), &json!(["0x1", "0x2", "0x3", "0x4", "0x5"])));
}

#[tokio::test]
async fn a_counting_goes_on_is_over_or_the_game_does_not_tell() {
    for (told, standing) in [(json!(true), Standing::Present), (json!(false), Standing::Gone), (json!(null), Standing::Unknown)] {
        let body = json!({"kind": "world.look.ok", "present": [], "gone": [], "unknown": [], "counting": told});
        let (uo, canned) = against(vec![ok(&body)]).await;
        let mut asked = request(&[]);
        asked.resources = vec![("counting", "r"), ("counting", "another")]
            .into_iter()
            .map(|(kind, reference)| RevertTarget { kind: kind.into(), reference: reference.into() })
            .collect();
        let Reconciled::Looked(seen) = uo.reconcile(asked).await else { panic!("it answered") };
        let standings: Vec<Standing> = seen.iter().map(|one| one.standing).collect();
        assert_eq!(standings, [standing, Standing::Unknown], "{told}");
        let sent = &canned.requests()[0].body;
        assert_eq!((&sent["serials"], &sent["counting"]), (&json!([]), &json!(true)));
    }
}

#[tokio::test]
async fn no_answer_and_nonsense_are_failures() {
    for wrong in [
        json!({"kind": "world.look.ok"}),
        json!({"kind": "lease.list.ok"}),
        json!({"kind": "world.look.error", "error": "bad_field"}),
    ] {
        let (uo, _canned) = against(vec![ok(&wrong)]).await;
        let Reconciled::Failed(Failure { .. }) = uo.reconcile(request(&["0x1"])).await else { panic!("{wrong}") };
    }
}
