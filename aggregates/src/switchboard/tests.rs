use super::*;
use crate::decide::{Decide, Refusal, RefusalKind};

fn set(enabled: bool, caps: &[Option<u64>]) -> SwitchCommand {
    let caps = caps.iter().map(|cap| ("demo.lamps".to_owned(), *cap)).collect();
    SwitchCommand::Set { enabled, caps, spends: ["demo.lamps".to_owned()].into() }
}

fn switched(enabled: bool, cap: Option<u64>) -> SwitchEvent {
    SwitchEvent::ActionSwitched { enabled, caps: cap.into_iter().map(|cap| ("demo.lamps".to_owned(), cap)).collect() }
}

#[test]
fn without_a_row_the_risk_decides() {
    let enabled = |risk| Switchboard::default().effective(risk).enabled;
    let by_risk = [Risk::Notify, Risk::Inspect, Risk::Change, Risk::Irreversible].map(enabled);
    assert_eq!(by_risk, [true, true, false, false]);
}

#[test]
fn a_row_holds_whatever_the_risk() {
    let board = Switchboard::fold([switched(true, Some(30))]);
    assert_eq!(board.effective(Risk::Irreversible).caps["demo.lamps"], 30);
    assert!(board.effective(Risk::Irreversible).enabled);
    assert!(!Switchboard::fold([switched(false, None)]).effective(Risk::Notify).enabled);
}

#[test]
fn storing_the_default_is_an_opinion_and_storing_it_twice_is_none() {
    assert_eq!(Switchboard::default().decide(set(false, &[])), Ok(vec![switched(false, None)]));
    let board = Switchboard::fold([switched(false, None)]);
    assert_eq!(board.decide(set(false, &[])), Ok(vec![]));
    assert_eq!(board.decide(set(false, &[None])), Ok(vec![]), "a cap of null is no cap");
    assert_eq!(board.decide(set(false, &[Some(0)])), Ok(vec![switched(false, Some(0))]), "a cap of 0 is one");
}

#[test]
fn a_cap_is_only_on_what_is_spent() {
    let caps = [("demo.oil".to_owned(), Some(1))].into();
    let command = SwitchCommand::Set { enabled: true, caps, spends: ["demo.lamps".to_owned()].into() };
    let refusal = Switchboard::default().decide(command).unwrap_err();
    assert_eq!((refusal.kind(), refusal.pointer().as_deref()), (RefusalKind::Invalid, Some("/caps/demo.oil")));
    assert!(refusal.to_string().contains("this action spends demo.lamps"), "{refusal}");
}
