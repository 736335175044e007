use super::*;
use crate::decide::{Decide, Refusal, RefusalKind};

fn mark(log: &str, position: u64, digit: char) -> Mark {
    Mark { log: log.into(), position, hash: digit.to_string().repeat(64) }
}

fn accept(seen: &Mark, head: &Mark, here: Option<char>) -> DeploymentCommand {
    let here = here.map(|digit| digit.to_string().repeat(64));
    DeploymentCommand::AcceptRewind { scope: "main".into(), seen: seen.clone(), head: head.clone(), here }
}

fn accepted(cause: RewindCause, seen: &Mark, head: &Mark) -> DeploymentEvent {
    DeploymentEvent::RewindAccepted { scope: "main".into(), cause, seen: seen.clone(), head: head.clone() }
}

#[test]
fn each_way_in_which_a_place_is_not_in_the_log_is_accepted_with_its_cause() {
    let head = mark("a", 10, 'f');
    for (seen, here, cause) in [
        (mark("a", 11, '1'), None, RewindCause::Behind),
        (mark("a", 7, '1'), Some('2'), RewindCause::OtherHistory),
        (mark("a", 10, '1'), Some('f'), RewindCause::OtherHistory),
        (mark("b", 3, '1'), None, RewindCause::OtherLog),
    ] {
        let decided = Deployment::default().decide(accept(&seen, &head, here));
        assert_eq!(decided, Ok(vec![accepted(cause, &seen, &head)]));
    }
}

#[test]
fn a_place_that_the_log_holds_is_no_rewind() {
    let head = mark("a", 10, 'f');
    for (seen, here) in [(mark("a", 7, '1'), '1'), (head.clone(), 'f'), (mark("a", 0, '0'), '0')] {
        let refusal = Deployment::default().decide(accept(&seen, &head, Some(here))).unwrap_err();
        assert_eq!((refusal.kind(), refusal.code()), (RefusalKind::Conflict, "not_rewound"));
        assert!(refusal.to_string().contains("goes on to position 10"), "{refusal}");
    }
}

#[test]
fn what_was_accepted_stays_accepted_and_nothing_else_is() {
    let (seen, head) = (mark("a", 20, '1'), mark("a", 10, 'f'));
    let deployment = Deployment::fold([accepted(RewindCause::Behind, &seen, &head)]);
    assert!(deployment.has_accepted("main", &seen));
    assert_eq!(deployment.decide(accept(&seen, &mark("a", 12, 'e'), None)), Ok(vec![]), "the log has grown meanwhile");
    let further = mark("a", 21, '2');
    assert!(!deployment.has_accepted("main", &further) && !deployment.has_accepted("west", &seen));
    assert_eq!(deployment.decide(accept(&further, &head, None)), Ok(vec![accepted(RewindCause::Behind, &further, &head)]));
}
