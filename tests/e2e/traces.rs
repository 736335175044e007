//! Traces, as a collector sees them; and what an engine says of a collector that is not there.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use serde_json::json;

use crate::world::World;
use crate::world::plans::harvest;

const TRACE: [u8; 16] = [0x4b, 0xf9, 0x2f, 0x35, 0x77, 0xb3, 0x4d, 0xa6, 0xa3, 0xce, 0x92, 0x9d, 0x0e, 0x0e, 0x47, 0x36];

/// What was sent to `/v1/traces`, batch by batch.
type Batches = Arc<Mutex<Vec<Bytes>>>;

/// A collector, and its address.
async fn collector() -> (Batches, String) {
    let batches = Batches::default();
    let take = async |State(batches): State<Batches>, batch: Bytes| batches.lock().unwrap().push(batch);
    let router = Router::new().route("/v1/traces", post(take)).with_state(Arc::clone(&batches));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (batches, address)
}

/// Settings live as long as the program that is given them.
fn for_good(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// The names of the spans that belong to the caller's trace: in a batch, the trace's id stands right before its span's.
fn spans_of_trace(batches: &Batches, name: &str) -> usize {
    let (all, name) = (batches.lock().unwrap().concat(), name.as_bytes());
    let begins = all.windows(TRACE.len()).enumerate().filter(|(_, window)| *window == TRACE).map(|(at, _)| at);
    // Trace and span ids, the parent's, flags and lengths come before the name: less than a hundred bytes.
    begins.filter(|at| all[*at..(at + 100).min(all.len())].windows(name.len()).any(|window| window == name)).count()
}

#[tokio::test]
async fn a_callers_trace_goes_on_through_the_run_that_it_starts() {
    let (batches, address) = collector().await;
    let mut world = World::new().await;
    world.engine.stop().await;
    let settings = vec![("OTEL_EXPORTER_OTLP_ENDPOINT", for_good(address)), ("OTEL_BSP_SCHEDULE_DELAY", "100")];
    world.engine.restart_with(settings).await;
    let definition = world.engine.api.publish(&harvest("traced")).await;
    let parent = format!("00-{}-00f067aa0ba902b7-01", hex::encode(TRACE));
    let run_id = world.engine.api.start_as_part_of(&definition, &parent).await;
    world.step_is(&run_id, "skill", "done").await;
    for name in ["POST /api/v1", "decide", "append", "dispatch"] {
        world.wait_until(&format!("the collector has {name}"), async || spans_of_trace(&batches, name) > 0).await;
    }
    let all = batches.lock().unwrap().concat();
    let has = |text: &str| all.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(has(&run_id) && has("core.lease") && has("leasehold") && has("outcome"), "{}", String::from_utf8_lossy(&all));
    assert!(!has(crate::world::TOKEN), "no token is in a trace");
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    world.ended(&run_id, "cancelled", "complete").await;
    world.finish().await;
}

#[tokio::test]
async fn a_collector_that_is_not_there_is_told_once_and_slows_nothing() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let mut world = World::new().await;
    world.engine.stop().await;
    world.engine.restart_with(vec![("OTEL_EXPORTER_OTLP_ENDPOINT", for_good(nobody)), ("OTEL_BSP_SCHEDULE_DELAY", "50")]).await;
    let told = |world: &World| world.engine.words().matches("the collector does not take traces").count();
    let definition = world.engine.api.publish(&harvest("untraced")).await;
    world.wait_until("it is told", async || told(&world) > 0).await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "skill", "done").await;
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    let run = world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!((told(&world), &run["health"]), (1, &json!("ok")));
    world.finish().await;
}
