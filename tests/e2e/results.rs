//! Who took part, from the game's own tally to the published result, the public page and a player's history.

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::World;
use crate::world::plans::{event, orcs, phase};

/// Ten minutes in the orchard, and a result of them.
fn contest() -> Value {
    let does = |key: &str, action: &str, params: Value| json!({"key": key, "action": action, "params": params});
    let open = does("count", "uo.participation.open", json!({"location": "yew-orchard", "radius": 20, "minutes": 120}));
    let tally = does("tally", "uo.participation.collect", json!({}));
    let publish = does("publish", "core.results.publish", json!({}));
    event("contest", &[phase("fight", &[open, orcs("raid", 2)], "10m"), phase("over", &[tally, publish], "1m")])
}

async fn plays(world: &World, name: &str, place: &str) -> String {
    let made = world.shard.console(&format!("player create {name}")).await;
    world.shard.console(&format!("player connect {name}")).await;
    world.shard.console(&format!("player walk {name} {place}")).await;
    made["serial"].as_str().unwrap().to_owned()
}

/// What the game's own staff are told of who took part, by serial.
async fn told_by_the_game(world: &World, run_id: &str) -> Value {
    world.shard.console(&format!("participation {run_id}")).await["tally"]["members"].clone()
}

/// The account of a player with a token, made on the engine's command line.
fn player(world: &World, name: &str) -> (String, String) {
    let line = |args: &[&str]| serde_json::from_str::<Value>(&world.engine.cli(args)).unwrap();
    let text = |line: &Value, field: &str| line[field].as_str().unwrap().to_owned();
    let id = text(&line(&["user", "add", name, "--role", "player"]), "id");
    let token = text(&line(&["user", "token", &id]), "token");
    (id, token)
}

async fn history(world: &World, token: &str) -> Value {
    let url = format!("http://{}/api/v1/player/events/history", world.engine.api.address());
    let answer = reqwest::Client::builder().no_proxy().build().unwrap().get(url).bearer_auth(token).send().await.unwrap();
    answer.json::<Value>().await.unwrap()["items"].clone()
}

#[tokio::test]
async fn who_took_part_is_what_the_game_counted_in_the_result_on_the_page_and_in_the_history() {
    let world = World::new().await;
    for action in ["uo.participation.open", "uo.participation.collect", "core.results.publish"] {
        world.engine.api.enable(action, &json!({})).await;
    }
    let (ann, bea) = (plays(&world, "Ann", "yew-orchard").await, plays(&world, "Bea", "yew-orchard").await);
    let elsewhere = plays(&world, "Cid", "britain-bank").await;
    let run_id = world.engine.api.start(&world.engine.api.publish(&contest()).await).await;
    world.step_is(&run_id, "raid", "done").await;
    let orcs = world.shard.console(&format!("creatures --run {run_id}")).await["creatures"].clone();
    let orc = orcs[0]["serial"].as_str().unwrap().to_owned();
    for name in ["Ann", "Bea"] {
        world.shard.console(&format!("player fight {name} {orc} 1")).await;
    }
    world.shard.console(&format!("player fight Ann {orc} 1000")).await;
    world.advance(300).await;
    world.shard.console("player logout Bea").await;
    world.advance(300).await;
    let run = world.run_until(&run_id, "the result is published", |run| run["resultsPublishedAt"] != Value::Null).await;

    let places = run["participants"].as_array().unwrap();
    let keys: Vec<&str> = places.iter().map(|place| place["memberKey"].as_str().unwrap()).collect();
    assert_eq!(keys, [ann.as_str(), bea.as_str()], "{elsewhere} was elsewhere, and who stayed longer comes first");
    let counted = told_by_the_game(&world, &run_id).await;
    for (nth, place) in places.iter().enumerate() {
        let member = place["memberKey"].as_str().unwrap();
        let row = &counted[member];
        assert_eq!((&place["meta"]["kills"], &place["rank"]), (&json!(1), &json!(nth + 1)), "who dealt damage has a part in it");
        let seconds = place["meta"]["seconds"].as_u64().unwrap();
        assert_eq!((&row["kills"], row["presentMs"].as_u64().unwrap() / 1_000), (&place["meta"]["kills"], seconds));
        let stayed = if nth == 0 { 600 } else { 300 };
        assert!((stayed..stayed + 30).contains(&seconds), "{member} stayed for {stayed} s, and {seconds} were counted");
    }

    let page = async || world.engine.api.ask(Method::GET, "/api/v1/public/events/contest", None, None).await.unwrap().yes();
    // The page has rows of its own, which may come later than the run's.
    world.wait_until("the page tells the result", async || !page().await["results"].is_null()).await;
    let page = page().await;
    let result = &page["results"];
    assert_eq!((&result["runId"], &result["places"]), (&json!(run_id), &json!(2)));
    let scores = |list: &Value| list.as_array().unwrap().iter().map(|row| row["score"].clone()).collect::<Vec<_>>();
    assert_eq!(scores(&result["standings"]), scores(&run["participants"]));
    for private in ["Ann", "Bea", ann.as_str(), bea.as_str()] {
        assert!(!page.to_string().contains(private), "{private} is on the page: {page}");
    }

    let (account, token) = player(&world, "Beatrice");
    assert_eq!(history(&world, &token).await, json!([]));
    let member = places[1]["member"].as_str().unwrap();
    world.engine.cli(&["user", "link", &account, member]);
    let own = history(&world, &token).await;
    assert_eq!((own.as_array().unwrap().len(), &own[0]["runId"]), (1, &json!(run_id)), "{own}");
    assert_eq!((&own[0]["score"], &own[0]["rank"]), (&places[1]["score"], &json!(2)));
    world.engine.cli(&["user", "unlink", member]);
    assert_eq!(history(&world, &token).await, json!([]));

    let path = format!("/api/v1/admin/members/{member}");
    let erased = world.engine.api.ask(Method::DELETE, &path, None, None).await.unwrap().yes();
    assert_eq!((&erased["erased"], &erased["memberKey"]), (&json!(true), &Value::Null));
    let after = world.engine.api.run(&run_id).await;
    assert_eq!(
        (scores(&after["participants"]), &after["participants"][1]["memberKey"]),
        (scores(&run["participants"]), &Value::Null)
    );
    world.advance(60).await;
    world.ended(&run_id, "completed", "complete").await;
    world.finish().await;
}
