use leasehold_module::{Choice, Risk, Success, Then};
use serde_json::{Value, json};

use super::*;

fn core() -> Core {
    Core::new(vec![Choice::new("demo.rate.gather", "Gathering rate"), Choice::new("demo.dusk", "Hour of dusk")])
}

fn ask(action: &str, params: &Value, verify: bool) -> Perform {
    Perform {
        action: action.into(),
        run_id: "run-1".into(),
        step: "hail".into(),
        idempotency_key: "0".repeat(40),
        scope: "main".into(),
        params: params.as_object().cloned().unwrap(),
        fence: 3,
        ttl_ms: 5_000,
        actor: "runner".into(),
        verify,
        mark: None,
        ceiling: None,
    }
}

fn done(performed: Performed) -> Success {
    match performed {
        Performed::Done(success) => success,
        Performed::Failed(failure) => panic!("{failure}"),
    }
}

fn refused(performed: Performed) -> Failure {
    match performed {
        Performed::Done(success) => panic!("{success:?}"),
        Performed::Failed(failure) => failure,
    }
}

async fn choices(source: &str, q: Option<&str>) -> Vec<String> {
    let request = Options { source: source.into(), scope: None, q: q.map(str::to_owned) };
    match core().options(request).await {
        OptionsAnswer::Choices(choices) => choices.into_iter().map(|choice| choice.value).collect(),
        OptionsAnswer::Failed(failure) => panic!("{failure}"),
    }
}

#[test]
fn the_manifest_is_sound_and_only_the_lease_changes_the_world() {
    let core = core();
    assert_eq!(core.manifest().faults(), []);
    let changing: Vec<_> = core.manifest().actions.iter().filter(|a| a.risk.changes_the_world()).map(|a| &a.id).collect();
    assert_eq!(changing, ["core.lease"]);
    assert_eq!(core.manifest().action("core.wait").unwrap().risk, Risk::Inspect);
}

#[tokio::test]
async fn an_announcement_hands_its_words_to_be_kept() {
    let params = json!({"leg": "log", "text": "The harvest begins"});
    let said = done(core().perform(ask("core.announce", &params, false)).await);
    assert_eq!(said.words.as_deref(), Some("The harvest begins"));
    assert_eq!(said.then, Then::Continue);
    let tried = done(core().perform(ask("core.announce", &params, true)).await);
    assert_eq!(tried.words, None, "a dry run says nothing");
}

#[tokio::test]
async fn an_unknown_leg_is_refused_at_a_dry_run_too() {
    for verify in [true, false] {
        let failure = refused(core().perform(ask("core.announce", &json!({"leg": "site", "text": "x"}), verify)).await);
        assert_eq!((failure.code.as_str(), failure.retry, failure.unknown), ("unknown_leg", false, false));
        assert!(failure.reason.contains("site") && failure.reason.contains("log"), "{failure}");
    }
    assert_eq!(choices("core.options.legs", None).await, ["log"]);
}

#[tokio::test]
async fn a_wait_finishes_at_once_and_holds_what_follows() {
    for (text, seconds) in [("1s", 1), ("30m", 1_800), ("7d", 604_800)] {
        let waited = done(core().perform(ask("core.wait", &json!({"for": text}), false)).await);
        assert_eq!(waited.then, Then::HoldFor(seconds), "{text}");
    }
    for wrong in [json!({"for": "8d"}), json!({"for": "0s"}), json!({"for": 30}), json!({"for": "soon"}), json!({})] {
        assert_eq!(refused(core().perform(ask("core.wait", &wrong, false)).await).code, "wrong_params", "{wrong}");
    }
}

#[tokio::test]
async fn a_cue_parks_until_a_person_confirms() {
    let cued = done(core().perform(ask("core.cue", &json!({"instruction": "Open the gate"}), false)).await);
    assert_eq!(cued.then, Then::AwaitHuman);
}

#[tokio::test]
async fn a_lease_is_never_performed() {
    for value in [json!("2"), json!(2), json!(0.5), json!(true)] {
        let params = json!({"lease": "demo.rate.gather", "value": value, "minutes": 60});
        assert_eq!(refused(core().perform(ask("core.lease", &params, false)).await).code, "held_by_the_engine");
    }
    for wrong in
        [json!({"lease": "demo.rate.gather", "value": [], "minutes": 60}), json!({"lease": "x", "value": "2", "minutes": 0})]
    {
        assert_eq!(refused(core().perform(ask("core.lease", &wrong, false)).await).code, "wrong_params", "{wrong}");
    }
}

#[tokio::test]
async fn leases_are_listed_and_searched() {
    assert_eq!(choices("core.options.leases", None).await, ["demo.dusk", "demo.rate.gather"]);
    assert_eq!(choices("core.options.leases", Some("GATHER")).await, ["demo.rate.gather"]);
    let unknown = Options { source: "core.options.none".into(), scope: None, q: None };
    assert!(matches!(core().options(unknown).await, OptionsAnswer::Failed(f) if f.code == "no_such_source"));
}

#[tokio::test]
async fn nothing_is_there_to_take_back() {
    let request = Revert {
        action: "core.announce".into(),
        run_id: "run-1".into(),
        step: "hail".into(),
        scope: "main".into(),
        resources: Vec::new(),
        perform_key: "0".repeat(40),
        idempotency_key: "1".repeat(40),
        mark: None,
    };
    assert!(matches!(core().revert(request).await, Reverted::Failed(f) if f.code == "nothing_to_revert"));
    assert_eq!(refused(core().perform(ask("core.dance", &json!({}), false)).await).code, "no_such_action");
}
