//! Who took part: told by answers, upserted, and put into one order.

use leasehold_module::Then;
use uuid::Uuid;

use super::super::*;
use super::bench::*;

fn member(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn told(number: u128, score: &str, joined: Option<i64>) -> Reported {
    Reported { member: member(number), score: score.into(), joined_at: joined.map(at), meta: serde_json::Map::new() }
}

fn counted(participants: Vec<Reported>) -> Answer {
    Answer::Done { resources: Vec::new(), lasts_ms: None, borrowed: None, then: Then::Continue, replayed: false, participants }
}

fn publishing(key: &str) -> PlannedStep {
    PlannedStep { action: PUBLISH_ACTION.into(), ..step(key) }
}

fn with_publishing() -> Facts {
    let mut facts = facts();
    facts.actions.insert(PUBLISH_ACTION.into(), facts.actions["demo.say"].clone());
    facts
}

fn collecting() -> Bench {
    let mut bench = Bench::new(vec![phase("one", vec![step("count"), step("again"), publishing("publish")], Some(600))]);
    bench.start(0, with_publishing());
    bench
}

fn settle(bench: &mut Bench, seconds: i64, step: &str, answer: Answer) {
    let claim = bench.claim(step);
    let facts = with_publishing();
    bench.must(RunCommand::Settle { at: at(seconds), step: step.into(), claim, answer, words: None, facts });
}

#[test]
fn an_answer_tells_who_took_part_and_the_next_replaces_what_it_tells_anew() {
    let mut bench = collecting();
    settle(&mut bench, 1, "count", counted(vec![told(1, "5", None), told(2, "0.1", None), told(1, "7", None)]));
    assert_eq!(bench.types(), ["step_done", "participants_reported", "step_claimed"]);
    assert_eq!((bench.run.participants.len(), bench.run.participants[&member(1)].score.as_str()), (2, "7"), "each once");
    settle(&mut bench, 2, "again", counted(vec![told(1, "7", None), told(2, "0.2", None), told(3, "1", Some(1))]));
    let RunEvent::ParticipantsReported { participants, .. } = &bench.last[1] else { panic!() };
    let members: Vec<_> = participants.iter().map(|one| one.member).collect();
    assert_eq!(members, [member(2), member(3)], "what is told as before is no news");
    assert_eq!((bench.run.participants.len(), bench.run.results_published_at), (3, None));
}

#[test]
fn the_order_is_total_and_by_value() {
    let mut bench = collecting();
    let all = vec![
        told(9, "10", None),
        told(3, "10.0001", None),
        told(5, "9007199254740.9930", None),
        told(4, "9", Some(5)),
        told(8, "9", Some(4)),
        told(2, "9", None),
        told(1, "9", None),
        told(7, "-3", None),
    ];
    settle(&mut bench, 1, "count", counted(all));
    let order: Vec<_> = standings(&bench.run).into_iter().map(|place| place.member.as_u128()).collect();
    assert_eq!(order, [5, 3, 9, 8, 4, 1, 2, 7]);
}

#[test]
fn a_step_publishes_once_and_a_person_again_when_there_is_news() {
    let mut bench = collecting();
    settle(&mut bench, 1, "count", counted(vec![told(1, "5", None)]));
    settle(&mut bench, 2, "again", counted(Vec::new()));
    settle(&mut bench, 3, "publish", done());
    assert_eq!(bench.types(), ["step_done", "results_published"]);
    assert_eq!(bench.run.results_published_at, Some(at(3)));
    let publish = |bench: &mut Bench, seconds| bench.must(RunCommand::PublishResults { at: at(seconds) });
    publish(&mut bench, 4);
    assert_eq!(bench.last, [], "the same result is no news");
    bench.cancel(5, true);
    publish(&mut bench, 6);
    assert_eq!(bench.last, [], "neither after the end");

    let mut bench = collecting();
    publish(&mut bench, 1);
    assert_eq!(bench.types(), ["results_published"], "that nobody took part can be said, too");
    settle(&mut bench, 2, "count", counted(vec![told(1, "5", None)]));
    assert_eq!(bench.run.places.len(), 0, "what was published stands until it is published anew");
    publish(&mut bench, 3);
    assert_eq!((bench.types(), bench.run.places.len()), (vec!["results_published".to_owned()], 1));
}

#[test]
fn before_its_start_a_run_has_no_result() {
    let mut bench = Bench::new(vec![phase("one", vec![step("a")], None)]);
    let refused = bench.may(RunCommand::PublishResults { at: at(-1) }).unwrap_err();
    assert_eq!(refused.to_string(), "cannot publish results of a run that is scheduled");
}
