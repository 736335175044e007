//! A real run's bundle: checked, compared with its log, and changed in every way there is.

use std::collections::BTreeSet;

use leasehold::engine::evidence;
use leasehold::log::{AgainstError, Bundle, BundleFault, CheckKey, Log, LogOptions, Part, SignKey, Wrong};
use leasehold_aggregates::account::Role;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::Executor;

use crate::bench::{Bench, events, party, quiet};
use crate::runs::until;
use crate::support::keys::{OTHER, PRIVATE, PUBLIC};

/// A run that takes a value and lamps, waits for a person, who writes a note, and gives all of it back.
async fn whole_run(bench: &Bench) -> String {
    bench.enable("core.lease", json!({})).await;
    bench.enable("demo.lamp.light", json!({"demo.lamps": 30})).await;
    let mut body = party("harvest");
    body["spec"]["phases"][0]["advance"] = json!(null);
    let cue = json!({"key": "cue", "action": "core.cue", "params": {"instruction": "Open the gate"}});
    body["spec"]["phases"][0]["steps"].as_array_mut().unwrap().push(cue);
    let id = bench.publish(&body).await;
    let run = bench.admin("POST", &format!("/{id}/runs")).send().await.is(201);
    let run = run["id"].as_str().unwrap().to_owned();
    until(bench, &run, |run| run["waitingSteps"] == 1).await;
    confirm(bench, &run).await;
    until(bench, &run, |run| run["cleanupStatus"] == "complete").await;
    run
}

async fn confirm(bench: &Bench, run: &str) {
    let confirm = bench.call("POST", &events(&format!("/runs/{run}/steps/cue/confirm"))).by(bench.person(Role::Moderator));
    confirm.json(&json!({"note": "the gate is open"})).send().await.is(200);
}

async fn exported(bench: &Bench, run: &str, notes: bool) -> Vec<u8> {
    let at = bench.engine.clock.now().await.unwrap();
    let request = evidence::of_run(&bench.engine.log, run, notes, at).await.unwrap();
    bench.engine.log.bundle(&request, Some(&SignKey::from_pem(PRIVATE).unwrap())).await.unwrap()
}

fn fault(file: &[u8]) -> BundleFault {
    Bundle::read(file).map(|bundle| bundle.events.len()).unwrap_err()
}

/// Where each line of a bundle lies, its end included, and which part it is.
fn parts(file: &[u8]) -> Vec<(std::ops::Range<usize>, Part)> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for line in file.split_inclusive(|byte| *byte == b'\n') {
        let said: Value = serde_json::from_slice(line).unwrap();
        let part = match (said["format"].is_string(), said["position"].as_u64(), said["note"].as_str()) {
            (true, _, _) => Part::Header,
            (_, Some(position), _) => Part::Event(position),
            (_, _, Some(note)) => Part::Note(note.parse().unwrap()),
            _ => Part::Trailer,
        };
        parts.push((start..start + line.len(), part));
        start += line.len();
    }
    parts
}

#[tokio::test]
async fn a_bundle_holds_what_an_audit_of_the_run_needs_and_agrees_with_its_log() {
    let bench = Bench::new().await;
    let run = whole_run(&bench).await;
    let head = bench.head().await;
    let bundle = Bundle::read(&exported(&bench, &run, true).await).unwrap();
    assert_eq!(bench.head().await, head, "an export appends nothing");
    let kinds: BTreeSet<&str> = bundle.events.iter().map(|event| event.recorded.stream.aggregate_type.as_str()).collect();
    assert_eq!(kinds, BTreeSet::from(["account", "action", "definition", "ledger", "log", "run", "slot"]));
    let actors: BTreeSet<&str> = bundle
        .events
        .iter()
        .filter(|event| event.recorded.stream.aggregate_type == "run")
        .map(|event| event.recorded.metadata["actor"].as_str())
        .collect();
    let people = [Role::Admin, Role::Moderator].map(|role| bench.person(role).id.clone());
    for person in &people {
        assert!(actors.contains(person.as_str()));
        let account = bundle.events.iter().find(|event| event.recorded.stream.aggregate_id == *person).unwrap();
        assert_eq!(account.recorded.event_type, "account_added");
    }
    assert_eq!(bundle.stream(&bundle.subject), bench.engine.log.load(&bundle.subject).await.unwrap());
    let words: BTreeSet<&str> = bundle.notes.iter().filter_map(|note| Some(note.words.as_ref()?.1.as_str())).collect();
    assert_eq!(words, BTreeSet::from(["It begins in Yew", "the gate is open"]));
    bundle.signed_with(&CheckKey::from_pem(PUBLIC).unwrap()).unwrap();
    assert_eq!(bundle.signed_with(&CheckKey::from_pem(OTHER).unwrap()).unwrap_err().part, Part::Trailer);
    bundle.differs_from(&bench.engine.log).await.unwrap();
    assert!(Bundle::read(&exported(&bench, &run, false).await).unwrap().notes.is_empty());
}

/// Of a short run: each of the many thousand files is read up to its fault.
#[tokio::test]
async fn each_byte_that_is_flipped_is_found_in_the_part_where_it_lies() {
    let bench = Bench::new().await;
    let id = bench.publish(&quiet("quiet")).await;
    let run = bench.admin("POST", &format!("/{id}/runs")).send().await.is(201);
    let run = run["id"].as_str().unwrap().to_owned();
    until(&bench, &run, |run| run["waitingSteps"] == 1).await;
    confirm(&bench, &run).await;
    let file = exported(&bench, &run, true).await;
    let parts = parts(&file);
    let named: Vec<&str> = parts
        .iter()
        .map(|(_, part)| match part {
            Part::Header => "header",
            Part::Event(_) => "event",
            Part::Note(_) => "note",
            Part::Trailer => "trailer",
        })
        .collect();
    assert_eq!((named[0], named[named.len() - 2], named[named.len() - 1]), ("header", "note", "trailer"));
    // The header is long and is looked at first: its flips cost little, an event's cost the way to it.
    let halves: Vec<_> = parts.chunks(parts.len().div_ceil(2)).collect();
    std::thread::scope(|scope| {
        for half in halves {
            let mut file = file.clone();
            scope.spawn(move || {
                for (range, part) in half {
                    for at in range.clone() {
                        let bit = 1 << (at % 8);
                        file[at] ^= bit;
                        assert_eq!(fault(&file).part, *part, "byte {at}");
                        file[at] ^= bit;
                    }
                }
            });
        }
    });
    assert!(Bundle::read(&file).is_ok(), "every flip was put back");
}

#[tokio::test]
async fn a_file_cut_off_anywhere_or_longer_than_it_was_is_refused() {
    let bench = Bench::new().await;
    let run = whole_run(&bench).await;
    let file = exported(&bench, &run, false).await;
    for (range, part) in parts(&file) {
        assert_eq!(fault(&file[..range.end - 1]).part, part, "the line's last byte is gone");
        let without = [&file[..range.start], &file[range.end..]].concat();
        assert!(Bundle::read(&without).is_err(), "{part} is gone");
    }
    assert_eq!(fault(&[&file[..], b"\n"].concat()).part, Part::Trailer);
    assert_eq!(fault(b"").part, Part::Header);
    assert_eq!(fault(b"milk\n").part, Part::Header);
}

/// Somebody who changes events can make every sum in the file right again. What is left is what hashes, neighbours and
/// sequences say, and then the signature and the log itself.
#[tokio::test]
async fn a_forger_who_mends_every_sum_meets_the_hashes_then_the_signature_then_the_log() {
    let bench = Bench::new().await;
    let run = whole_run(&bench).await;
    let file = exported(&bench, &run, false).await;
    let lines: Vec<Value> =
        file.split_inclusive(|byte| *byte == b'\n').map(|line| serde_json::from_slice(line).unwrap()).collect();
    let events = &lines[1..lines.len() - 1];
    let of_run = |event: &Value| event["aggregateType"] == "run";
    let position = |event: &Value| event["position"].as_u64().unwrap();

    for field in ["payload", "metadata", "recordedAt", "aggregateId", "sequence", "type", "version", "hash", "previous"] {
        let mut forged = events.to_vec();
        let victim = forged.iter_mut().filter(|event| of_run(event)).nth(3).unwrap();
        let at = position(victim);
        victim[field] = match &victim[field] {
            Value::Number(number) => json!(number.as_u64().unwrap() + 1),
            Value::String(text) if field == "recordedAt" => json!(text.replacen("20", "19", 1)),
            Value::String(text) if ["hash", "previous"].contains(&field) => {
                json!(format!("{}{}", if text.starts_with('0') { '1' } else { '0' }, &text[1..]))
            }
            Value::String(text) => json!(format!("{text} ")),
            other => panic!("{other}"),
        };
        let found = fault(&mended(&lines[0], &forged));
        assert_eq!(found.part, Part::Event(at), "{field}: {}", found.wrong);
        assert!(matches!(found.wrong, Wrong::Hash), "{field}: {}", found.wrong);
    }

    // An event of the run left out: the next one of its stream does not count on.
    let left_out = events.iter().position(of_run).unwrap() + 1;
    let of_its_stream = |event: &&Value| event["aggregateId"] == events[left_out]["aggregateId"];
    let next = events[left_out + 1..].iter().find(of_its_stream).map(position).unwrap();
    let found = fault(&mended(&lines[0], &[&events[..left_out], &events[left_out + 1..]].concat()));
    assert!(matches!(found.wrong, Wrong::Sequence { .. }), "{found}");
    assert_eq!(found.part, Part::Event(next));

    // One rewritten with a hash that is right for it: its neighbour no longer follows.
    let mut forged = events.to_vec();
    let at =
        (0..forged.len() - 1).find(|at| of_run(&forged[*at]) && position(&forged[at + 1]) == position(&forged[*at]) + 1).unwrap();
    rehash(&mut forged[at]);
    let found = fault(&mended(&lines[0], &forged));
    assert_eq!((found.part, found.wrong), (Part::Event(position(&forged[at + 1])), Wrong::Chain));

    // And one whose neighbours are not in the bundle passes for what it says: nobody signed it, and the log has another.
    let mut forged = events.to_vec();
    let alone = (1..forged.len() - 1)
        .find(|at| position(&forged[at + 1]) > position(&forged[*at]) + 1)
        .expect("an event whose next neighbour is not in the bundle");
    rehash(&mut forged[alone]);
    let bundle = Bundle::read(&mended(&lines[0], &forged)).unwrap();
    let unsigned = bundle.signed_with(&CheckKey::from_pem(PUBLIC).unwrap()).unwrap_err();
    assert_eq!((unsigned.part, unsigned.wrong), (Part::Trailer, Wrong::Unsigned));
    let against = bundle.differs_from(&bench.engine.log).await.unwrap_err();
    assert!(matches!(against, AgainstError::Event { position: at } if at == position(&forged[alone])), "{against}");
}

#[tokio::test]
async fn a_log_that_was_changed_by_force_gives_no_bundle_and_an_older_one_shows_where() {
    let bench = Bench::new().await;
    let run = whole_run(&bench).await;
    let bundle = Bundle::read(&exported(&bench, &run, false).await).unwrap();
    let position = bundle.events.iter().filter(|event| event.recorded.stream == bundle.subject).nth(2).unwrap().recorded.position;
    let mut superuser = bench.database.owner().await;
    superuser.execute("alter table events disable trigger all").await.unwrap();
    let change = format!("update events set payload = replace(payload::text, ',', ', ')::json where position = {position}");
    superuser.execute(change.as_str()).await.unwrap();
    let against = bundle.differs_from(&bench.engine.log).await.unwrap_err();
    assert!(matches!(against, AgainstError::Event { position: at } if at == position), "{against}");
    let at = bench.engine.clock.now().await.unwrap();
    let request = evidence::of_run(&bench.engine.log, &run, false, at).await.unwrap();
    let refused = bench.engine.log.bundle(&request, None).await.unwrap_err();
    assert!(refused.to_string().contains(&format!("position {position}")), "{refused}");
}

/// The text of an event changed, and its hash made right for it.
fn rehash(event: &mut Value) {
    let metadata = event["metadata"].as_str().unwrap().replacen("recorded_by", "recorded_bye", 1);
    event["metadata"] = json!(metadata);
    let text = |field: &str| event[field].as_str().unwrap().to_owned();
    let (kind, id, name, version, payload) =
        (text("aggregateType"), text("aggregateId"), text("type"), text("version"), text("payload"));
    let recorded_at: chrono::DateTime<chrono::Utc> = text("recordedAt").parse().unwrap();
    let mut hash = Sha256::new();
    hash.update(hex::decode(text("previous")).unwrap());
    hash.update(event["position"].as_i64().unwrap().to_be_bytes());
    hash.update((recorded_at.timestamp_micros() - 946_684_800_000_000).to_be_bytes());
    let sequence = &event["sequence"];
    hash.update(format!("{} {} {sequence} {} {} {}\n", kind.len(), id.len(), name.len(), version.len(), payload.len()));
    for text in [kind, id, name, version, payload, metadata] {
        hash.update(text);
    }
    event["hash"] = json!(hex::encode(hash.finalize()));
}

/// The file with these events and every sum made right, signed by nobody.
fn mended(header: &Value, events: &[Value]) -> Vec<u8> {
    let line = |said: &Value| format!("{said}\n");
    let sum = |text: &str| hex::encode(Sha256::digest(text));
    let checked = |said: &Value| {
        let said = said.to_string();
        let open = &said[..said.len() - 1];
        format!("{open},\"check\":\"{}\"}}\n", sum(open))
    };
    let mut header = header.clone();
    header.as_object_mut().unwrap().remove("check");
    let entry = |event: &Value| json!({"position": event["position"], "bytes": line(event).len(), "sha256": sum(&line(event))});
    header["events"] = events.iter().map(entry).collect();
    let body: String = std::iter::once(checked(&header)).chain(events.iter().map(line)).collect();
    let trailer = checked(&json!({"sha256": sum(&body), "publicKey": null, "signature": null}));
    (body + &trailer).into_bytes()
}

/// With the rights of the auditor's role: all of the events, and none of the words.
#[tokio::test]
async fn an_auditor_takes_the_run_away_and_a_bundle_tells_its_story() {
    let bench = Bench::new().await;
    let run = whole_run(&bench).await;
    let rights = "do $$ begin create role leasehold_test_auditor login password 'three' in role leasehold_auditor;
                  exception when duplicate_object or unique_violation then null; end $$";
    bench.database.owner().await.execute(rights).await.unwrap();
    let as_auditor = bench.database.app().username("leasehold_test_auditor").password("three");
    let log = Log::connect(as_auditor, LogOptions::default()).await.unwrap();
    let at = bench.engine.clock.now().await.unwrap();
    let request = |notes| evidence::of_run(&log, &run, notes, at);
    let file = log.bundle(&request(false).await.unwrap(), None).await.unwrap();
    let with_notes = log.bundle(&request(true).await.unwrap(), None).await.unwrap_err();
    assert!(format!("{with_notes:?}").contains("permission denied"), "{with_notes:?}");

    let bundle = Bundle::read(&file).unwrap();
    let named = Bundle::read(&exported(&bench, &run, true).await).unwrap();
    let ids: Vec<uuid::Uuid> = named.notes.iter().map(|note| note.id).collect();
    assert_eq!((log.notes(&ids).await.unwrap().len(), bench.engine.log.notes(&ids).await.unwrap().len()), (0, 2));

    let without = evidence::story(&bundle, u64::MAX).unwrap().to_string();
    let with = evidence::story(&named, u64::MAX).unwrap().to_string();
    assert!(!without.contains("the gate is open") && with.contains("the gate is open"), "{with}");
    let first = bundle.stream(&bundle.subject)[0].position;
    assert!(evidence::story(&bundle, first).unwrap().to_string().len() < without.len());
    assert!(evidence::story(&bundle, first - 1).is_err(), "there was no run by then");
}
