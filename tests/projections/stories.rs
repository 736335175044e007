//! A read of a run, told again later of the position that it named: the very same, whatever has happened since.

use std::collections::BTreeMap;
use std::sync::Arc;

use leasehold::engine::registry::Registry;
use leasehold::engine::stories::{Stories, Until};
use leasehold_aggregates::run::Limits;
use leasehold_aggregates::switchboard::SwitchEvent;
use leasehold_projections::run_view::RunView;
use serde_json::{Value, json};

use crate::bench::{Fact, World, at};
use crate::history::History;

/// What stories need beside a log.
pub struct Library(Arc<Registry>);

impl Library {
    pub fn new() -> Self {
        Self(Arc::new(Registry::new(Vec::new()).unwrap()))
    }

    pub fn stories<'a>(&'a self, history: &'a History) -> Stories<'a> {
        Stories { log: &history.log, registry: Arc::clone(&self.0), limits: Limits::default(), now: at(100_000_000) }
    }
}

/// With sorted keys, to the byte.
fn canonical(view: &RunView) -> String {
    fn sorted(value: Value) -> Value {
        match value {
            Value::Object(fields) => {
                let fields: BTreeMap<String, Value> = fields.into_iter().map(|(name, field)| (name, sorted(field))).collect();
                json!(fields)
            }
            Value::Array(items) => items.into_iter().map(sorted).collect(),
            other => other,
        }
    }
    sorted(json!(view)).to_string()
}

/// An action's switch goes to and fro, and so do the caps.
fn switched(action: &str, enabled: bool) -> Fact {
    let caps = BTreeMap::from([("demo.lamps".to_owned(), 30)]);
    Fact::of("action", action, &SwitchEvent::ActionSwitched { enabled, caps })
}

#[tokio::test]
async fn every_read_is_told_again_of_its_position_to_the_byte() {
    for seed in [71, 72] {
        let (mut world, mut history, library) = (World::new(seed), History::new().await, Library::new());
        let mut reads = BTreeMap::new();
        for nth in 0..90 {
            history.append(&world.command()).await;
            if nth % 7 == 0 {
                history.append(&[switched("core.lease", nth % 2 == 0)]).await;
            }
            for id in world.runs.keys() {
                let view = library.stories(&history).view(id).await.unwrap();
                reads.insert((id.clone(), view.summary.position), canonical(&view));
            }
        }
        let before = history.counts().await;
        for ((id, position), read) in &reads {
            let retelling = library.stories(&history).replay(id, Until::Position(*position)).await.unwrap();
            assert_eq!(canonical(&retelling.run), *read, "seed {seed}, run {id} at {position}");
        }
        assert!(reads.len() > 60, "{}", reads.len());
        assert_eq!(history.counts().await, before, "a replay writes nothing, anywhere");
    }
}

/// At a position that no read named, too: the view is the fold of what lies up to there.
#[tokio::test]
async fn a_view_of_any_position_is_the_view_of_the_newest_event_that_it_rests_on() {
    let (mut world, mut history, library) = (World::new(73), History::new().await, Library::new());
    history.append_all(&world.commands(160)).await;
    let stories = library.stories(&history);
    for id in world.runs.keys() {
        let first = stories.story(id, Until::Now).await.unwrap().lines[0].position;
        for position in first..=history.head {
            let view = stories.replay(id, Until::Position(position)).await.unwrap().run;
            let named = view.summary.position;
            assert!(named <= position);
            let again = stories.replay(id, Until::Position(named)).await.unwrap();
            assert_eq!(canonical(&again.run), canonical(&view), "run {id} at {position}, which rests on {named}");
            assert!(again.story.run.position <= named);
        }
    }
}

/// Which numbers a deployment has set shows nowhere: a view is the same by whichever program of one version.
#[tokio::test]
async fn a_view_does_not_depend_on_the_deployments_numbers() {
    let (mut world, mut history, library) = (World::new(74), History::new().await, Library::new());
    history.append_all(&world.commands(200)).await;
    let odd = Limits { attempts: 9, undo_attempts: 9, retry_seconds: 7, claim_margin_seconds: 1, key_memory_seconds: 3 };
    let others = Stories { limits: odd, ..library.stories(&history) };
    for id in world.runs.keys() {
        assert_eq!(canonical(&others.view(id).await.unwrap()), canonical(&library.stories(&history).view(id).await.unwrap()));
    }
}

#[tokio::test]
async fn an_event_in_the_middle_that_nobody_can_read_is_named() {
    let (mut world, mut history, library) = (World::new(75), History::new().await, Library::new());
    history.append_all(&world.commands(60)).await;
    let id = world.runs.keys().next().unwrap().clone();
    let good = history.head;
    let poison = history.raw(("run", &id), "run_sung", "1", r#"{"type": "run_sung"}"#, "{}").await;
    let stories = library.stories(&history);
    assert!(stories.replay(&id, Until::Position(good)).await.is_ok(), "what lies in front of it is told");
    for until in [Until::Now, Until::Position(poison)] {
        assert_eq!(stories.replay(&id, until).await.unwrap_err().unreadable(), Some(poison));
        assert_eq!(stories.story(&id, until).await.unwrap_err().unreadable(), Some(poison));
    }
}
