//! Stories: the whole of one, as text and as JSON, against copies that are checked in.

use std::fs;
use std::path::Path;

use leasehold_aggregates::definition::DefinitionEvent;
use leasehold_aggregates::run::RunEvent;
use leasehold_projections::SeenEvent;
use leasehold_projections::run_view::Notes;
use leasehold_projections::story::{self, StoryFault, StoryKind};
use serde_json::json;

use crate::bench::{Fact, content, recorded as recorded_facts};
use crate::script::{REASON, RUN, Script, WORDS, notes, recorded};

/// `BLESS=1` writes the copy anew.
fn is_as_checked_in(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/views").join(name);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let checked_in = fs::read_to_string(&path).unwrap_or_default();
    assert!(checked_in == text, "{name} is not what is checked in; BLESS=1 writes it anew. It is now:\n{text}");
}

#[test]
fn a_whole_story_reads_as_it_always_did() {
    let events = recorded(&Script::to_the_end());
    let story = story::tell(RUN, &events, &notes()).unwrap();
    is_as_checked_in("story.txt", &story.to_string());
    is_as_checked_in("story.json", &(serde_json::to_string_pretty(&story).unwrap() + "\n"));
}

/// The stream of a definition whose version was published by an editor, and verified by a moderator and somebody else.
fn signing(version: u64) -> Vec<SeenEvent> {
    let published = DefinitionEvent::DefinitionPublished { version, content: Box::new(content("Lamps")) };
    let verified = DefinitionEvent::DefinitionVerified { version };
    let facts = [published, verified.clone(), verified].map(|event| Fact::of("definition", "d1", &event));
    let mut events = recorded_facts(&facts);
    for (event, actor) in events.iter_mut().zip(["editor", "moderator", "somebody else"]) {
        event.metadata.insert("actor".into(), actor.into());
    }
    events
}

#[test]
fn a_story_names_who_answers_for_its_version() {
    let unsigned = story::tell(RUN, &recorded(&Script::to_the_end()), &notes()).unwrap();
    assert_eq!((&unsigned.published, &unsigned.verified), (&None, &None));
    let (ours, other) = (signing(unsigned.run.version), signing(unsigned.run.version + 1));
    let signed = unsigned.clone().signed(&[other.clone(), ours.clone()].concat()).unwrap();
    assert_eq!(signed.published.as_ref().map(|signed| (signed.position, signed.by.as_str())), Some((1, "editor")));
    assert_eq!(signed.verified.as_ref().map(|signed| (signed.position, signed.by.as_str())), Some((2, "moderator")));
    let text = signed.to_string();
    assert!(text.contains(" by editor, verified ") && text.contains(" by moderator\n"), "{text}");

    let text = unsigned.clone().signed(&ours[..1]).unwrap().to_string();
    assert!(text.contains(" by editor, not verified by then\n"), "{text}");
    let foreign = unsigned.clone().signed(&other).unwrap();
    assert_eq!(foreign, unsigned, "another version says nothing about this one");
}

#[test]
fn words_that_were_erased_leave_their_digest() {
    let events = recorded(&Script::to_the_end());
    let story = story::tell(RUN, &events, &Notes::new()).unwrap();
    let cancelled = story.lines.iter().find(|line| line.text.starts_with("cancelled")).unwrap();
    assert_eq!(cancelled.text, "cancelled (its words were erased)");
    assert_eq!(cancelled.detail["note"], json!({"id": REASON, "digest": "ab".repeat(32), "words": null}));
}

#[test]
fn nothing_that_somebody_typed_steers_the_terminal() {
    let text = story::tell(RUN, &recorded(&Script::to_the_end()), &notes()).unwrap().to_string();
    assert!(text.contains(r"nobody there\u{1b}[31m"), "{text}");
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn the_notes_of_a_story_are_those_that_its_events_name() {
    assert_eq!(story::notes_of(&recorded(&Script::to_the_end())), [WORDS, REASON]);
    assert!(story::notes_of(&recorded(&Script::scheduled())).is_empty());
}

#[test]
fn a_story_may_end_anywhere_but_not_before_it_begins() {
    let events = recorded(&Script::to_the_end());
    let whole = story::tell(RUN, &events, &notes()).unwrap();
    for end in 1..=events.len() {
        let story = story::tell(RUN, &events[..end], &notes()).unwrap();
        assert_eq!(story.run.position, events[end - 1].position);
        assert_eq!(story.lines, whole.lines[..story.lines.len()], "a story's beginning does not depend on its end");
    }
    assert!(matches!(story::tell(RUN, &[], &notes()), Err(StoryFault::NoSuchRun)));
}

#[test]
fn an_event_that_this_program_does_not_know_is_named_by_its_position() {
    let mut events = recorded(&Script::to_the_end());
    events[4].event_type = "step_sung".into();
    assert!(matches!(story::tell(RUN, &events, &notes()), Err(StoryFault::Undecodable { position: 5, .. })));
}

/// The recorded examples of a run's events, by their file names.
fn examples() -> Vec<(String, serde_json::Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/run");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap())
    };
    files.map(read).collect()
}

#[test]
fn every_event_that_was_ever_written_has_its_line() {
    let examples = examples();
    assert!(examples.len() >= <RunEvent as leasehold_aggregates::event::StoredEvent>::TYPES.len());
    for (name, payload) in examples {
        let (event_type, version) = name.trim_end_matches(".json").rsplit_once(".v").unwrap();
        let mut events = recorded(&Script::at_the_cue());
        let last = events.last().unwrap().clone();
        let position = last.position + 1;
        let fact = Fact {
            aggregate_type: "run",
            aggregate_id: RUN.into(),
            event_type: event_type.into(),
            event_version: version.into(),
            payload,
        };
        events.push(SeenEvent { position, sequence: last.sequence + 1, ..recorded_facts(&[fact]).remove(0) });
        let story = story::tell(RUN, &events, &notes()).unwrap();
        let lines: Vec<_> = story.lines.iter().filter(|line| line.position == position).collect();
        assert!(!lines.is_empty() && lines.iter().all(|line| !line.text.is_empty()), "{name}: {lines:?}");
    }
}

#[test]
fn a_kind_is_spelled_alike_in_text_and_json() {
    let kinds = story::tell(RUN, &recorded(&Script::to_the_end()), &notes()).unwrap().lines.into_iter().map(|line| line.kind);
    for kind in kinds.chain([StoryKind::StepRefused]) {
        assert_eq!(json!(kind), json!(kind.as_str()));
    }
}
