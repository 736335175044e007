//! A game that declares itself: its manifest comes over the link, and everything that an event does in it goes by that alone.

use leasehold::engine::streams::load;
use leasehold::log::Append;
use leasehold_aggregates::decide::Decide as _;
use leasehold_aggregates::module::{Module, ModuleCommand};
use leasehold_module::Manifest;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::lanterns::{Lanterns, manifest};
use crate::world::World;
use crate::world::plans::{event, phase};

const ISLE: &str = "isle";

/// A world with one more game on the link, which nobody had heard of when the engine was built.
async fn with_lanterns() -> (World, Lanterns) {
    let mut world = World::new().await;
    let lanterns = Lanterns::dial(&world.link.game, ISLE, Some(manifest()));
    world.engine.stop().await;
    world.engine.restart_reaching(world.link.as_settings(&["main", ISLE])).await;
    in_force(&world, 1).await;
    for action in ["lanterns.hang", "lanterns.give"] {
        world.engine.api.enable(action, &json!({"lanterns.hung": 10})).await;
    }
    (world, lanterns)
}

async fn catalog(world: &World) -> Value {
    world.engine.api.get("/catalog").await.yes()
}

/// The entry of the game's module in a list of the catalogue.
fn lanterns_in<'a>(catalog: &'a Value, list: &str) -> Option<&'a Value> {
    catalog[list].as_array().unwrap().iter().find(|module| module["id"] == "lanterns")
}

async fn in_force(world: &World, version: u32) {
    let is = async || lanterns_in(&catalog(world).await, "modules").is_some_and(|module| module["version"] == version);
    world.wait_until(&format!("version {version} of the manifest is in force"), is).await;
}

/// Waits until the manifest is refused, with a reason in which these words occur.
async fn refused(world: &World, words: &str) {
    let told = async || {
        let catalog = catalog(world).await;
        let refused = lanterns_in(&catalog, "refusedModules").is_some_and(|module| module["faults"].to_string().contains(words));
        assert!(catalog["modules"].as_array().unwrap().iter().any(|module| module["id"] == "uo"), "the others are unharmed");
        refused && lanterns_in(&catalog, "modules").is_none()
    };
    world.wait_until(&format!("the manifest is refused for {words:?}"), told).await;
}

fn step(key: &str, action: &str, params: &Value) -> Value {
    json!({"key": key, "action": action, "params": params})
}

/// Three lanterns, one longer wick and a brighter light until one breaks at the bridge, and a gift and a word then.
fn dusk(slug: &str) -> Value {
    let borrow = json!({"lease": "lanterns.brightness", "value": "8", "minutes": 60});
    let hang = step("hang", "lanterns.hang", &json!({"place": "bridge", "count": 3}));
    let trim = json!({"lease": "lanterns.wick@post-4", "value": "9", "minutes": 60});
    let steps = [hang, step("trim", "core.lease", &trim), step("shine", "core.lease", &borrow)];
    let mut first = phase("hung", &steps, "5m");
    first["advance"] = json!({"on": "lanterns.broken", "where": {"var": "place", "cmp": "eq", "value": "bridge"}, "count": 1});
    let give = step("give", "lanterns.give", &json!({"whom": "player-7"}));
    let say = step("say", "lanterns.say", &json!({"text": "Dusk falls"}));
    event(slug, &[first, phase("broken", &[give, say], "5m")])
}

async fn start(world: &World, definition: &str) -> String {
    let started = world.engine.api.post(&format!("/{definition}/runs"), &json!({"scope": ISLE})).await.yes();
    started["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_game_that_sends_a_manifest_is_a_module_from_its_hello_to_its_teardown() {
    let (world, lanterns) = with_lanterns().await;
    let before = lanterns.world();
    let choices = world.engine.api.get("/catalog/options/lanterns.options.places?q=hall").await.yes();
    assert_eq!(choices["options"], json!([{"value": "hall", "label": "The great hall"}]));
    let definition = world.engine.api.publish(&dusk("dusk")).await;
    let run_id = start(&world, &definition).await;
    world.step_is(&run_id, "shine", "done").await;
    let hung = lanterns.world();
    assert_eq!((hung["hung"].as_object().unwrap().len(), &hung["values"]["lanterns.brightness"]), (3, &json!("8")), "{hung}");
    let wicks = (&hung["values"]["lanterns.wick@post-3"], &hung["values"]["lanterns.wick@post-4"]);
    assert_eq!(wicks, (&json!("4"), &json!("9")), "of many alike, the one that was named");
    lanterns.report("lanterns.broken", &json!({"place": "hall"}));
    let elsewhere = world.run_until(&run_id, "a signal seen", |run| run["gates"][0]["lastSignal"] != Value::Null).await;
    assert_eq!(elsewhere["gates"][0]["tally"], 0);
    lanterns.report("lanterns.broken", &json!({"place": "bridge", "who": "nobody's business"}));
    world.step_is(&run_id, "say", "done").await;
    world.advance(300).await;
    world.ended(&run_id, "completed", "complete").await;
    assert_eq!(lanterns.world(), before, "the world is as it was");
    world.finish().await;
}

#[tokio::test]
async fn a_manifest_that_lies_is_refused_with_its_reason_and_a_changed_one_is_a_version_of_its_own() {
    let (mut world, lanterns) = with_lanterns().await;
    let definition = world.engine.api.publish(&dusk("dusk")).await;
    let held = start(&world, &definition).await;
    world.step_is(&held, "shine", "done").await;

    let mut changed = manifest();
    changed["actions"][0]["params"][1]["max"] = json!("4");
    lanterns.restart(Some(changed.clone()));
    refused(&world, "version 1 was declared before").await;
    changed["version"] = json!(2);
    lanterns.restart(Some(changed.clone()));
    refused(&world, "lanterns.hang was declared as version 1 with other parameters").await;
    // What cannot be reached for any more still takes back what it has made: the restart has put the value back by itself.
    world.engine.api.cancel(&held, &json!({})).await.yes();
    world.ended(&held, "cancelled", "complete").await;
    assert_eq!(lanterns.world()["hung"], json!({}));

    for (parent, field, value, words) in [
        ("/actions/0/params/0", "type", json!("colour"), "unknown variant"),
        ("/actions/0/cost/0", "dimension", json!("lanterns.oil"), "no budget declares"),
        ("/actions/1", "id", json!("uo.broadcast"), "must start with"),
        ("/leases/0", "maxDurationMs", json!(604_800_001), "maxDurationMs must be"),
        ("/actions/0", "budgetMs", json!(5), "it must be longer"),
    ] {
        let mut lie = manifest();
        lie["version"] = json!(9);
        lie.pointer_mut(parent).unwrap()[field] = value;
        lanterns.restart(Some(lie));
        refused(&world, words).await;
    }

    changed["actions"][0]["version"] = json!(2);
    lanterns.restart(Some(changed));
    in_force(&world, 2).await;
    let told = world.engine.api.dry_run(&definition, &json!({"scope": ISLE})).await.yes();
    assert!(told["ok"] == false && told.to_string().contains("action_version"), "an old plan says so: {told}");

    // The engine remembers while the game is away.
    lanterns.hide(true);
    world.engine.kill9().await;
    world.engine.restart().await;
    in_force(&world, 2).await;
    lanterns.hide(false);
    lanterns.restart(None);
    let gone = async || lanterns_in(&catalog(&world).await, "modules").is_none();
    world.wait_until("a game without a manifest is no module", gone).await;
    assert_eq!(world.streams("module").await, ["lanterns"]);
    world.finish().await;
}

#[tokio::test]
async fn a_value_that_a_game_does_not_lend_any_more_as_it_was_planned_is_refused_when_it_is_due() {
    let (world, lanterns) = with_lanterns().await;
    let before = lanterns.world();
    let say = step("say", "lanterns.say", &json!({"text": "Dusk falls"}));
    let borrow = |value: &str| json!({"lease": "lanterns.brightness", "value": value, "minutes": 60});
    let shine = step("shine", "core.lease", &borrow("8"));
    let late = event("late", &[phase("first", &[say], "5m"), phase("then", &[shine], "5m")]);
    let definition = world.engine.api.publish(&late).await;
    let run_id = start(&world, &definition).await;
    world.step_is(&run_id, "say", "done").await;

    let mut narrowed = manifest();
    narrowed["version"] = json!(2);
    narrowed["leases"][0]["max"] = json!("7");
    lanterns.restart(Some(narrowed));
    in_force(&world, 2).await;
    world.advance(300).await;
    let run = world.step_is(&run_id, "shine", "refused").await;
    let shine = run["steps"].as_array().unwrap().iter().find(|step| step["key"] == "shine").unwrap();
    assert_eq!((&shine["lastError"]["code"], &shine["attempts"]), (&json!("out_of_bounds"), &json!(0)), "{shine}");
    let said = shine["lastError"]["sentence"].as_str().unwrap();
    assert!(said.contains("7, not 8"), "{said}");
    assert_eq!((&run["status"], lanterns.world()), (&json!("paused"), before), "nothing was sent, nothing was clamped");
    // What is saved now is judged by what is lent now.
    let again =
        world.engine.api.post("", &event("again", &[phase("then", &[step("shine", "core.lease", &borrow("8"))], "5m")])).await;
    let faults = again.no(422, "invalid_body");
    assert_eq!(faults["errors"][0]["pointer"], "/spec/phases/0/steps/0/params/value", "{faults}");
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    world.ended(&run_id, "cancelled", "not_required").await;
    world.finish().await;
}

/// The manifest under that version.
fn numbered(version: u32) -> Value {
    let mut other = manifest();
    other["version"] = json!(version);
    other
}

/// On record: the game has declared something else so many times just now.
async fn declared_otherwise(world: &World, times: u32) {
    let (log, now) = (world.log().await, world.clock.now().await);
    let mut module = load::<Module>(log, "lanterns").await.unwrap();
    let first = module.clone();
    let mut events = Vec::new();
    for version in 101..=100 + times {
        let sent = numbered(version).as_object().unwrap().clone();
        let manifest = Box::new(Manifest::read(&sent, 15_000).unwrap());
        let digest = format!("{version:064x}");
        let declared =
            module.state.decide(ModuleCommand::Declare { scope: ISLE.into(), at: now, digest, sent, manifest }).unwrap();
        for event in declared {
            module.state.apply(event.clone());
            events.push(event);
        }
    }
    let writes = vec![first.write(&events).unwrap()];
    log.append(Append { writes, ..Append::of(Uuid::from_u128(1)) }).await.unwrap();
}

#[tokio::test]
async fn a_game_that_says_something_else_all_the_time_is_heard_so_often_in_an_hour_and_then_the_next() {
    let (mut world, lanterns) = with_lanterns().await;
    world.engine.stop().await;
    declared_otherwise(&world, 18).await;
    lanterns.restart(Some(numbered(119)));
    world.engine.restart().await;
    in_force(&world, 119).await;
    lanterns.restart(Some(numbered(200)));
    refused(&world, "isle has declared 20 manifests within an hour").await;
    world.engine.kill9().await;
    world.engine.restart().await;
    refused(&world, "isle has declared 20 manifests within an hour").await;
    // What it declared last is still on record: said again it is in force at once, and nothing is written.
    let written = world.events("lanterns", "manifest_declared").await.len();
    lanterns.restart(Some(numbered(119)));
    in_force(&world, 119).await;
    assert_eq!((world.events("lanterns", "manifest_declared").await.len(), written), (20, 20));
    assert_eq!(world.events("lanterns", "manifest_withdrawn").await.len(), 0);
    lanterns.restart(Some(numbered(200)));
    refused(&world, "isle has declared 20 manifests within an hour").await;
    world.advance(3_600).await;
    in_force(&world, 200).await;
    world.finish().await;
}
