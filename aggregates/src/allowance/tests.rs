use super::*;
use crate::decide::{Decide, Refusal};

fn draw(amount: u64) -> AllowanceCommand {
    AllowanceCommand::Draw { run_id: "r1".into(), step: "a".into(), amount, cap: 30, counted: None }
}

#[test]
fn a_day_is_drawn_on_to_its_cap_and_not_beyond() {
    let mut day = Allowance::default();
    for amount in [12, 18] {
        for event in day.decide(draw(amount)).unwrap() {
            day.apply(event);
        }
    }
    assert_eq!((day.drawn(), day.decide(draw(0)).unwrap().len()), (30, 1));
    let refusal = day.decide(draw(1)).unwrap_err();
    assert_eq!((refusal.code(), refusal), ("over_day_cap", AllowanceRefusal::Spent { amount: 1, drawn: 30, cap: 30 }));
}

#[test]
fn a_day_is_of_utc() {
    let at: DateTime<Utc> = "2027-03-28T23:59:59.999999Z".parse().unwrap();
    assert_eq!(allowance_id("demo.lamps", at), "demo.lamps/2027-03-28");
}

#[test]
fn what_was_drawn_before_the_day_was_bounded_is_counted_once_with_the_first_draw() {
    let mut day = Allowance::default();
    let draw = |amount, capped_by, drawn| AllowanceCommand::Draw {
        run_id: "r1".into(),
        step: "a".into(),
        amount,
        cap: 30,
        counted: Some(Counted { capped_by, drawn }),
    };
    assert_eq!(day.decide(draw(11, 3, 20)), Err(AllowanceRefusal::Spent { amount: 11, drawn: 20, cap: 30 }));
    for (command, events) in [(draw(4, 3, 20), 2), (draw(1, 3, 20), 1)] {
        let decided = day.decide(command).unwrap();
        assert_eq!(decided.len(), events);
        for event in decided {
            day.apply(event);
        }
    }
    assert_eq!((day.drawn(), day.is_counted(3), day.is_counted(7)), (25, true, false));
    // Set free for a while, and bounded again: whatever was drawn meanwhile is in the new count.
    for event in day.decide(draw(2, 7, 28)).unwrap() {
        day.apply(event);
    }
    assert_eq!((day.drawn(), day.is_counted(7)), (30, true));
}
