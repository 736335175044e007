use super::*;
use crate::decide::{Decide, Refusal};

fn take(by: &str) -> ReservationCommand {
    ReservationCommand::Take { by: by.into() }
}

fn release(by: &str) -> ReservationCommand {
    ReservationCommand::Release { by: by.into() }
}

fn held() -> Slot {
    Slot::fold([SlotEvent::SlotTaken { by: "r1".into() }])
}

#[test]
fn a_slug_is_taken_once_and_for_ever() {
    assert_eq!(Slug::default().decide(take("d1")), Ok(vec![SlugEvent::SlugTaken { by: "d1".into() }]));
    let taken = Slug::fold([SlugEvent::SlugTaken { by: "d1".into() }]);
    assert_eq!(taken.decide(take("d1")), Ok(vec![]));
    let refusal = taken.decide(take("d2")).unwrap_err();
    assert_eq!((refusal.holder(), refusal.pointer().as_deref()), (Some("d1"), Some("/slug")));
    assert_eq!(taken.decide(release("d1")), Err(ReservationRefusal::Final));
}

#[test]
fn a_slot_has_one_holder_and_the_refusal_names_it() {
    assert_eq!(Slot::default().decide(take("r1")), Ok(vec![SlotEvent::SlotTaken { by: "r1".into() }]));
    assert_eq!(held().decide(take("r1")), Ok(vec![]));
    let refusal = held().decide(take("r2")).unwrap_err();
    assert_eq!((refusal.code(), refusal.holder()), ("slot_held", Some("r1")));
}

#[test]
fn only_its_holder_gives_a_slot_back() {
    assert_eq!(held().decide(release("r1")), Ok(vec![SlotEvent::SlotReleased { by: "r1".into() }]));
    assert_eq!(held().decide(release("r2")).unwrap_err().code(), "not_the_holder");
    assert_eq!(Slot::default().decide(release("r1")), Ok(vec![]));
    let free = Slot::fold([SlotEvent::SlotTaken { by: "r1".into() }, SlotEvent::SlotReleased { by: "r1".into() }]);
    assert_eq!(free.decide(take("r2")), Ok(vec![SlotEvent::SlotTaken { by: "r2".into() }]));
}

#[test]
fn two_keys_never_share_a_stream() {
    assert_eq!(slot_id("harvest:north").unwrap(), "harvest:north");
    assert_eq!(slot_id("a/b %2F").unwrap(), "a%2Fb%20%252F");
    assert_eq!(slot_id(&"ä".repeat(85)).unwrap().len(), 510);
    assert_eq!(slot_id(&"ä".repeat(86)), Err(KeyTooLong(516)));
    assert_eq!(slug_id("definition", "harvest-party"), "definition/harvest-party");
}
