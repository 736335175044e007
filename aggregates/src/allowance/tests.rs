use super::*;
use crate::decide::{Decide, Refusal};

fn draw(amount: u64) -> AllowanceCommand {
    AllowanceCommand::Draw { run_id: "r1".into(), step: "a".into(), amount, cap: 30 }
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
