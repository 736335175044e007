//! What may be saved is not all that may be published, and what was published is judged again for each run.

use super::*;
use crate::decide::{Refusal, RefusalKind};

fn saved_by(role: Role, body: &Value) -> Result<Draft, Rejected> {
    Draft::read(body, &facts(), role, None)
}

fn publish(body: &Value) -> Vec<(String, &'static str)> {
    told(&read(body).unwrap().publishable(&facts(), Role::Admin).expect_err("it was publishable"))
}

/// The registry after the module has gone.
fn without_demo() -> Facts {
    let mut facts = facts();
    facts.modules.remove("demo");
    facts.actions.remove("demo.lamp.light");
    facts.leases.clear();
    facts
}

#[test]
fn steps_that_change_the_world_take_an_admin() {
    let rejected = saved_by(Role::Editor, &body()).unwrap_err();
    assert_eq!((rejected.code(), rejected.kind()), ("forbidden", RefusalKind::Forbidden));
    let places = told(&rejected).into_iter().map(|(pointer, _)| pointer).collect::<Vec<_>>();
    assert_eq!(places, ["/spec/phases/0/steps/1/action", "/spec/phases/1/steps/0/action"]);
    let harmless = with(
        "/spec/phases",
        json!([{"key": "p", "label": "P", "steps": [
        {"key": "s", "action": "core.announce", "params": {"text": "x"}}]}]),
    );
    let draft = saved_by(Role::Editor, &harmless).unwrap();
    assert_eq!(draft.publishable(&facts(), Role::Editor).unwrap_err().kind(), RefusalKind::Forbidden);
    assert!(draft.publishable(&facts(), Role::Admin).is_ok());
}

#[test]
fn what_is_wrong_is_told_before_what_is_forbidden() {
    let rejected = saved_by(Role::Editor, &with("/title", json!(""))).unwrap_err();
    assert_eq!(rejected.kind(), RefusalKind::Invalid);
}

#[test]
fn what_was_there_may_stay_but_not_be_added_or_published() {
    let gone = without_demo();
    let draft = read(&body()).unwrap();
    let mut retitled = draft.to_body();
    retitled["title"] = json!("Another");
    let kept = Draft::read(&retitled, &gone, Role::Admin, Some(&draft)).unwrap();
    assert_eq!(kept.to_body()["spec"], draft.to_body()["spec"], "nothing of the plan is lost");
    let added = told(&Draft::read(&retitled, &gone, Role::Admin, None).unwrap_err());
    let faults = [
        ("/ownerModule", "unknown_module"),
        ("/spec/phases/0/steps/1/params/lease", "unknown_lease"),
        ("/spec/phases/1/steps/0/action", "unknown_action"),
    ];
    let faults: Vec<_> = faults.into_iter().map(|(pointer, code)| (pointer.to_owned(), code)).collect();
    assert_eq!(added, faults);
    assert_eq!(told(&kept.publishable(&gone, Role::Admin).unwrap_err()), faults);
}

#[test]
fn an_action_that_changed_is_looked_at_again_before_publishing() {
    let mut newer = facts();
    newer.actions.get_mut("demo.lamp.light").unwrap().version = 3;
    let draft = read(&body()).unwrap();
    let kept = Draft::read(&draft.to_body(), &newer, Role::Admin, Some(&draft)).unwrap();
    assert_eq!(kept, draft, "saving it changes no version behind the author's back");
    let rejected = kept.publishable(&newer, Role::Admin).unwrap_err();
    assert_eq!(told(&rejected), [("/spec/phases/1/steps/0/actionVersion".to_owned(), "action_version")]);
    assert!(rejected.to_string().contains("version 3") && rejected.to_string().contains("version 2"), "{rejected}");
    let looked_at = Draft::read(&body(), &newer, Role::Admin, Some(&draft)).unwrap();
    assert!(looked_at.publishable(&newer, Role::Admin).is_ok());
}

#[test]
fn a_schedule_needs_a_value_for_all_that_is_required() {
    let mut open = body();
    open["spec"]["params"][0].as_object_mut().unwrap().remove("default");
    assert_eq!(publish(&open), [("/spec/params/0/default".to_owned(), "required")]);
    open["spec"]["schedule"] = json!({"kind": "manual"});
    assert!(read(&open).unwrap().publishable(&facts(), Role::Admin).is_ok());
}

#[test]
fn an_empty_plan_is_not_published() {
    assert_eq!(publish(&with("/spec/phases", json!([]))), [("/spec/phases".to_owned(), "required")]);
}

#[test]
fn every_kind_of_schedule_is_published_in_its_one_spelling() {
    for (posted, stored) in [
        (json!({"kind": "once", "at": "2027-03-28T20:00:00"}), json!({"kind": "once", "at": "2027-03-28T20:00"})),
        (
            json!({"kind": "weekly", "days": ["friday", "monday"], "times": ["20:00"], "every": 1, "except": []}),
            json!({"kind": "weekly", "days": ["monday", "friday"], "time": "20:00"}),
        ),
        (
            json!({"kind": "monthly", "day": -1, "times": ["20:00", "12:00"], "every": 2, "from": "2027-01-01", "count": 6}),
            json!({"kind": "monthly", "day": -1, "times": ["12:00", "20:00"], "every": 2, "from": "2027-01-01", "count": 6}),
        ),
        (json!({"kind": "manual"}), json!({"kind": "manual"})),
    ] {
        let draft = |schedule: &Value| read(&with("/spec/schedule", schedule.clone())).unwrap();
        assert_eq!(draft(&posted).to_body()["spec"]["schedule"], stored);
        assert_eq!(draft(&posted), draft(&stored), "one draft, and so no new version of it");
        assert!(draft(&posted).publishable(&facts(), Role::Admin).is_ok());
    }
}

#[test]
fn a_schedule_that_means_nothing_is_refused_at_save_with_its_place() {
    let idle = json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "except": ["2027-03-05", "2027-03-06"]});
    assert_eq!(
        told(&read(&with("/spec/schedule", idle)).unwrap_err()),
        [("/spec/schedule/except/1".to_owned(), "never_yielded")]
    );
}

#[test]
fn defaults_are_put_in_and_judged_before_publishing() {
    let long = with("/spec/params/0/default", json!("a".repeat(40)));
    assert_eq!(publish(&long), [("/spec/phases/0/steps/0/params/text".to_owned(), "wrong_length")]);
    assert_eq!(
        publish(&with("/spec/params/1/default", json!(31))),
        [("/spec/phases/1/steps/0/params/count".to_owned(), "out_of_range")]
    );
}

#[test]
fn a_run_is_made_of_what_was_given_and_the_defaults() {
    let content = read(&body()).unwrap().content;
    let run = content.for_run(json!({"region": "South"}).as_object().unwrap(), &facts()).unwrap();
    assert_eq!(run.params, *json!({"region": "South", "lamps": 3}).as_object().unwrap());
    assert_eq!(run.concurrency_key.as_deref(), Some("harvest:South"));
    assert_eq!(run.plan.step("hail").unwrap().1.params["text"], "It begins in South");
    assert_eq!(run.plan.step("light").unwrap().1.params["count"], 3);
}

#[test]
fn what_is_given_to_a_run_is_judged_with_all_that_follows_from_it() {
    let content = read(&body()).unwrap().content;
    let refused = |given: Value| told(&content.for_run(given.as_object().unwrap(), &facts()).unwrap_err());
    assert_eq!(refused(json!({"lamps": "3"})), [("/params/lamps".to_owned(), "wrong_type")]);
    assert_eq!(refused(json!({"lapms": 3})), [("/params/lapms".to_owned(), "unknown_field")]);
    assert_eq!(refused(json!({"lamps": 31})), [("/spec/phases/1/steps/0/params/count".to_owned(), "out_of_range")]);
    assert_eq!(refused(json!({"region": "ä".repeat(100)}))[0], ("/concurrencyKey".to_owned(), "wrong_length"));
}

#[test]
fn a_bound_that_was_narrowed_since_refuses_the_run() {
    let content = read(&with("/spec/phases/0/steps/1/params/value", json!(5))).unwrap().content;
    let mut narrower = facts();
    narrower.leases.get_mut("demo.rate.gather").unwrap().max = Some("3".into());
    let rejected = content.for_run(&serde_json::Map::new(), &narrower).unwrap_err();
    assert_eq!(told(&rejected), [("/spec/phases/0/steps/1/params/value".to_owned(), "out_of_range")]);
    assert!(rejected.to_string().contains("0.5 to 3, not 5"), "{rejected}");
}

#[test]
fn a_borrowed_value_may_be_a_parameter() {
    let mut open = with("/spec/phases/0/steps/1/params/value", json!({"param": "rate"}));
    open["spec"]["params"][1] = json!({"name": "rate", "type": "float", "default": 9});
    open["spec"]["phases"].as_array_mut().unwrap().pop();
    assert_eq!(publish(&open), [("/spec/phases/0/steps/1/params/value".to_owned(), "out_of_range")]);
    open["spec"]["params"][1]["default"] = json!(1.5);
    let run = read(&open).unwrap().content.for_run(&serde_json::Map::new(), &facts()).unwrap();
    assert_eq!(run.plan.step("rate").unwrap().1.params["value"], 1.5);
}
