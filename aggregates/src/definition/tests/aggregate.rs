//! Given, when, then.

use DefinitionCommand as C;
use DefinitionEvent as E;

use super::super::*;
use super::{body, facts, read, with};
use crate::account::Role;
use crate::decide::Decide;

fn publishable(title: &str) -> Box<Publishable> {
    let draft = read(&with("/title", serde_json::json!(title))).unwrap();
    Box::new(draft.publishable(&facts(), Role::Admin).unwrap())
}

fn created() -> E {
    E::DefinitionCreated { slug: "harvest-party".into() }
}

fn published(version: u64, title: &str) -> E {
    E::DefinitionPublished { version, content: Box::new(publishable(title).into_content()) }
}

fn given(events: impl IntoIterator<Item = E>) -> Definition {
    Definition::fold(events)
}

fn withhold(cause: WithheldCause) -> C {
    C::Withhold { scope: "main".into(), slot: "2027-03-28T20:00".parse().unwrap(), cause }
}

#[test]
fn a_definition_is_created_once() {
    assert_eq!(Definition::default().decide(C::Create { slug: "harvest-party".into() }), Ok(vec![created()]));
    assert_eq!(given([created()]).decide(C::Create { slug: "x".into() }), Err(DefinitionRefusal::Exists));
    assert_eq!(given([created()]).state(), DefinitionState::Draft);
}

#[test]
fn nothing_happens_to_a_definition_that_does_not_exist() {
    for command in
        [C::Publish { content: publishable("A") }, C::Verify { version: 1 }, C::Archive, withhold(WithheldCause::NeverVerified)]
    {
        assert_eq!(Definition::default().decide(command), Err(DefinitionRefusal::Missing));
    }
}

#[test]
fn versions_count_from_one_and_the_same_again_is_none() {
    let once = given([created()]);
    assert_eq!(once.decide(C::Publish { content: publishable("A") }), Ok(vec![published(1, "A")]));
    let twice = given([created(), published(1, "A")]);
    assert_eq!(twice.state(), DefinitionState::Ready);
    assert_eq!(twice.decide(C::Publish { content: publishable("A") }), Ok(vec![]));
    assert_eq!(twice.decide(C::Publish { content: publishable("B") }), Ok(vec![published(2, "B")]));
    assert_eq!(twice.current().map(|(version, content)| (version, content.title.as_str())), Some((1, "A")));
}

#[test]
fn another_spelling_of_the_same_is_the_same() {
    let mut body = body();
    body["title"] = "A".into();
    body["spec"]["phases"][0]["advance"]["after"] = "2h".into();
    body["spec"]["phases"][0]["steps"][1]["params"]["value"] = "2".into();
    let content = Box::new(read(&body).unwrap().publishable(&facts(), Role::Admin).unwrap());
    assert_eq!(given([created(), published(1, "A")]).decide(C::Publish { content }), Ok(vec![]));
}

#[test]
fn only_the_current_version_is_verified() {
    let draft = given([created()]);
    assert_eq!(draft.decide(C::Verify { version: 1 }), Err(DefinitionRefusal::NeverPublished));
    let second = given([created(), published(1, "A"), published(2, "B")]);
    assert_eq!(second.decide(C::Verify { version: 2 }), Ok(vec![E::DefinitionVerified { version: 2 }]));
    assert_eq!(second.decide(C::Verify { version: 1 }), Err(DefinitionRefusal::NotCurrent { version: 1, current: 2 }));
    assert_eq!(second.decide(C::Verify { version: 3 }), Err(DefinitionRefusal::NoSuchVersion { version: 3, newest: 2 }));
    assert_eq!(second.decide(C::Verify { version: 0 }), Err(DefinitionRefusal::NoSuchVersion { version: 0, newest: 2 }));
}

#[test]
fn a_pass_is_of_one_version_and_stays() {
    let verified = given([created(), published(1, "A"), E::DefinitionVerified { version: 1 }]);
    assert_eq!(verified.decide(C::Verify { version: 1 }), Ok(vec![]));
    let next = given([created(), published(1, "A"), E::DefinitionVerified { version: 1 }, published(2, "B")]);
    assert!(next.is_verified(1) && !next.is_verified(2));
}

#[test]
fn archived_is_final() {
    let archived = given([created(), published(1, "A"), E::DefinitionArchived {}]);
    assert_eq!(archived.state(), DefinitionState::Archived);
    assert_eq!(archived.decide(C::Archive), Ok(vec![]));
    for command in [C::Publish { content: publishable("A") }, C::Publish { content: publishable("B") }, C::Verify { version: 1 }]
    {
        assert_eq!(archived.decide(command), Err(DefinitionRefusal::Archived));
    }
    assert_eq!(given([created()]).decide(C::Archive), Ok(vec![E::DefinitionArchived {}]));
}

#[test]
fn an_occurrence_is_withheld_once_for_each_slot_and_cause() {
    let event =
        |cause| E::OccurrenceWithheld { scope: "main".into(), slot: "2027-03-28T20:00".parse().unwrap(), version: 1, cause };
    let ready = given([created(), published(1, "A")]);
    assert_eq!(ready.decide(withhold(WithheldCause::NeverVerified)), Ok(vec![event(WithheldCause::NeverVerified)]));
    let told = given([created(), published(1, "A"), event(WithheldCause::NeverVerified), published(2, "B")]);
    assert_eq!(told.decide(withhold(WithheldCause::NeverVerified)), Ok(vec![]));
    assert!(matches!(told.decide(withhold(WithheldCause::Missed)).as_deref(), Ok([E::OccurrenceWithheld { version: 2, .. }])));
    assert_eq!(given([created()]).decide(withhold(WithheldCause::Missed)), Err(DefinitionRefusal::NeverPublished));
}

#[test]
fn a_withheld_occurrence_does_not_hinder_verifying() {
    let told = given([
        created(),
        published(1, "A"),
        E::OccurrenceWithheld {
            scope: "main".into(),
            slot: "2027-03-28T20:00".parse().unwrap(),
            version: 1,
            cause: WithheldCause::NeverVerified,
        },
    ]);
    assert_eq!(told.decide(C::Verify { version: 1 }), Ok(vec![E::DefinitionVerified { version: 1 }]));
}

#[test]
fn a_folded_definition_can_be_kept_as_json() {
    let definition = given([created(), published(1, "A"), E::DefinitionVerified { version: 1 }]);
    let kept = serde_json::to_string(&definition).unwrap();
    assert_eq!(serde_json::from_str::<Definition>(&kept).unwrap(), definition);
}
