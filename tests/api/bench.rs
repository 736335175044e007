//! The bench: an engine on a database of its own, four people, and requests that go through the whole router.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST, IF_MATCH};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode};
use leasehold::api::dialled::{Door, Doors};
use leasehold::api::{Api, Open, router_with_doors};
use leasehold::console;
use leasehold::engine::accounts::Change;
use leasehold::engine::clock::Clock;
use leasehold::engine::registry::Registry;
use leasehold::engine::settings::Settings;
use leasehold::engine::{Act, Engine};
use leasehold::log::Log;
use leasehold_aggregates::account::Role;
use leasehold_module::{Fired, LastSeen, Reach};
use serde_json::{Value, json};
use strum::IntoEnumIterator;
use tower::ServiceExt;
use uuid::Uuid;

use crate::lamps::Lamps;
use crate::support::{TestDatabase, fresh_database};

/// Whatever takes this long will not come any more.
const HANGS: std::time::Duration = std::time::Duration::from_secs(60);

/// The token of the one link that may dial in here.
pub const LINK: &str = "the-token-of-a-link";

pub struct Bench {
    pub engine: Engine,
    router: Router,
    people: Vec<Person>,
    pub database: Arc<TestDatabase>,
    /// How the game is reached; none: there is no link.
    pub reach: Arc<Mutex<Option<Reach>>>,
    /// What the lamps' link has seen of the log.
    pub seen: Arc<Mutex<LastSeen>>,
    /// What the game has reported.
    pub feed: Arc<Mutex<Vec<Fired>>>,
}

/// Somebody with a token.
#[derive(Debug, Clone)]
pub struct Person {
    pub id: String,
    pub role: Role,
    pub token: String,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
    pub text: String,
}

/// One request in the making.
pub struct Call<'a> {
    bench: &'a Bench,
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Bytes,
}

impl Bench {
    pub async fn new() -> Self {
        Self::with(Open::Closed).await
    }

    pub async fn with(open: Open) -> Self {
        Self::made(open, Settings::default()).await
    }

    pub async fn made(open: Open, settings: Settings) -> Self {
        Self::behind(LastSeen::Nothing, open, settings).await
    }

    /// With a link that has seen this of the log, at first.
    pub async fn behind(seen: LastSeen, open: Open, settings: Settings) -> Self {
        let database = Arc::new(fresh_database().await);
        let log = database.log().await;
        let clock = Clock::of_database(log.pool().clone());
        Self::of(database, log, clock, open, settings, seen).await
    }

    /// With a clock that [`Bench::advance`] moves; it begins at noon on Monday 1 March 2027.
    pub async fn controlled(settings: Settings) -> Self {
        Self::controlled_from("2027-03-01T12:00:00Z", settings).await
    }

    /// The same, from another instant on.
    pub async fn controlled_from(beginning: &str, settings: Settings) -> Self {
        let database = Arc::new(fresh_database().await);
        let row = sqlx::query("insert into controlled_clock (now) values ($1::text::timestamptz)").bind(beginning);
        row.execute(&mut database.owner().await).await.unwrap();
        let log = database.log().await;
        let clock = Clock::controlled(log.pool().clone()).await.unwrap();
        Self::of(database, log, clock, Open::Closed, settings, LastSeen::Nothing).await
    }

    /// Moves a controlled clock.
    pub async fn advance(&self, span: chrono::TimeDelta) {
        let moved = sqlx::query("update controlled_clock set now = now + $1 * interval '1 second'").bind(span.num_seconds());
        assert_eq!(moved.execute(self.engine.log.pool()).await.unwrap().rows_affected(), 1);
    }

    async fn of(database: Arc<TestDatabase>, log: Log, clock: Clock, open: Open, settings: Settings, seen: LastSeen) -> Self {
        log.open_genesis(Uuid::from_u128(1), std::collections::BTreeMap::new()).await.unwrap();
        let mut bench = Self::over(database, log, clock, open, settings, seen).await;
        for role in Role::iter() {
            let person = bench.add(role).await;
            bench.people.push(person);
        }
        bench
    }

    /// The people of this bench before another database, whose log knows them.
    pub async fn moved_to(&self, database: TestDatabase) -> Self {
        let log = database.log().await;
        let clock = Clock::of_database(log.pool().clone());
        let mut bench = Self::over(Arc::new(database), log, clock, Open::Closed, Settings::default(), LastSeen::Nothing).await;
        bench.people.clone_from(&self.people);
        bench
    }

    /// Another engine on the same database, before the same people.
    pub async fn joined(&self) -> Self {
        let (database, log) = (Arc::clone(&self.database), self.database.log().await);
        let clock = Clock::of_database(log.pool().clone());
        let mut bench = Self::over(database, log, clock, Open::Closed, Settings::default(), LastSeen::Nothing).await;
        bench.people.clone_from(&self.people);
        bench
    }

    /// An engine on a database whose log is open.
    async fn over(database: Arc<TestDatabase>, log: Log, clock: Clock, open: Open, settings: Settings, seen: LastSeen) -> Self {
        let (reach, seen, feed) = (Arc::default(), Arc::new(Mutex::new(seen)), Arc::default());
        let lamps = Lamps::reached(Arc::clone(&reach), Arc::clone(&seen), Arc::clone(&feed));
        let registry = Registry::new(vec![Arc::new(lamps)]).unwrap();
        assert_eq!(registry.refused().count(), 0);
        let engine = Engine::new(log, registry, settings, clock);
        engine.run().await.unwrap();
        let (api, page, doors) =
            (Api::new(engine.clone(), open), console::router(engine.clone()), Doors::new(vec![Door::of(LINK)]));
        let router = router_with_doors(api, page, doors, engine.stop.clone());
        Self { engine, router, people: Vec::new(), database, reach, seen, feed }
    }

    /// A new account with a token.
    pub async fn add(&self, role: Role) -> Person {
        self.add_called(&format!("Somebody, {role}"), role).await
    }

    /// As [`Bench::add`], with a name.
    pub async fn add_called(&self, name: &str, role: Role) -> Person {
        let act = self.act().await;
        let id = self.engine.add_account(&act, name, role).await.unwrap();
        let act = self.act().await;
        let label = format!("the laptop of {name}");
        let token = self.engine.issue_token(&act, &id, &label, false).await.unwrap().token;
        Person { id, role, token }
    }

    pub async fn change(&self, person: &Person, change: Change) {
        let act = self.act().await;
        assert!(self.engine.change_account(&act, &person.id, change).await.unwrap());
    }

    pub async fn act(&self) -> Act {
        Act::by("operator", self.engine.clock.now().await.unwrap())
    }

    pub fn person(&self, role: Role) -> &Person {
        self.people.iter().find(|person| person.role == role).unwrap()
    }

    /// A request of nobody's.
    pub fn call(&self, method: &str, path: &str) -> Call<'_> {
        let method = method.parse().unwrap();
        Call { bench: self, method, path: path.to_owned(), headers: HeaderMap::new(), body: Bytes::new() }
    }

    /// A request of an admin's, below the events.
    pub fn admin(&self, method: &str, path: &str) -> Call<'_> {
        self.call(method, &events(path)).by(self.person(Role::Admin))
    }

    /// Posts a definition; gives its id.
    pub async fn create(&self, body: &Value) -> String {
        let answer = self.admin("POST", "").json(body).send().await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.body["id"].as_str().unwrap().to_owned()
    }

    /// Posts a definition and publishes it; gives its id.
    pub async fn publish(&self, body: &Value) -> String {
        let id = self.create(body).await;
        let answer = self.admin("POST", &format!("/{id}/publish")).tag("\"1\"").send().await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        id
    }

    pub async fn enable(&self, action: &str, caps: Value) {
        let body = json!({"action": action, "enabled": true, "caps": caps});
        self.admin("PUT", "/actions").json(&body).send().await.is(200);
    }

    /// Asks until the answer is as wanted; gives it.
    pub async fn until(&self, path: &str, wanted: impl Fn(&Answer) -> bool) -> Answer {
        let begun = std::time::Instant::now();
        loop {
            let answer = self.call("GET", path).send().await;
            if wanted(&answer) {
                return answer;
            }
            assert!(begun.elapsed() < HANGS, "waited in vain: {path} says {}", answer.text);
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    /// As [`Bench::until`], asked by an admin; gives the body.
    pub async fn until_by_admin(&self, path: &str, wanted: impl Fn(&Answer) -> bool) -> Value {
        let begun = std::time::Instant::now();
        loop {
            let answer = self.call("GET", path).by(self.person(Role::Admin)).send().await;
            if wanted(&answer) {
                return answer.body;
            }
            assert!(begun.elapsed() < HANGS, "waited in vain: {path} says {}", answer.text);
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    /// Appends an event as whoever has the database may, at the end of its stream; its position.
    pub async fn raw_event(&self, kind: &str, id: &str, event_type: &str, version: &str, payload: &str) -> u64 {
        let insert = sqlx::query(
            "insert into events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
             select $1, $2, coalesce(max(sequence), 0) + 1, $3, $4, $5::text::json, '{}' from events
             where aggregate_type = $1 and aggregate_id = $2",
        );
        let insert = insert.bind(kind).bind(id).bind(event_type).bind(version).bind(payload);
        insert.execute(&mut self.database.owner().await).await.unwrap();
        let of = sqlx::query_scalar::<_, i64>("select max(position) from events where aggregate_type = $1 and aggregate_id = $2");
        of.bind(kind).bind(id).fetch_one(self.engine.log.pool()).await.unwrap().unsigned_abs()
    }

    /// The log's newest position.
    pub async fn head(&self) -> u64 {
        self.engine.log.head().await.unwrap().unwrap().position
    }

    pub async fn drafts(&self) -> i64 {
        sqlx::query_scalar("select coalesce(sum(revision), 0)::bigint from drafts")
            .fetch_one(self.engine.log.pool())
            .await
            .unwrap()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.engine.stop.cancel();
    }
}

impl Call<'_> {
    pub fn by(self, person: &Person) -> Self {
        self.header(AUTHORIZATION.as_str(), &format!("Bearer {}", person.token))
    }

    /// As the link that may dial in.
    pub fn by_link(self) -> Self {
        self.header(AUTHORIZATION.as_str(), &format!("Bearer {LINK}"))
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.insert(HeaderName::try_from(name).unwrap(), HeaderValue::from_bytes(value.as_bytes()).unwrap());
        self
    }

    pub fn tag(self, tag: &str) -> Self {
        self.header(IF_MATCH.as_str(), tag)
    }

    pub fn host(self, host: &str) -> Self {
        self.header(HOST.as_str(), host)
    }

    pub fn json(self, body: &Value) -> Self {
        self.raw(body.to_string())
    }

    /// These bytes, said to be JSON.
    pub fn raw(self, body: impl Into<Bytes>) -> Self {
        self.header(CONTENT_TYPE.as_str(), "application/json").bytes(body)
    }

    pub fn bytes(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    pub async fn send(self) -> Answer {
        let mut request = Request::builder().method(self.method).uri(self.path).body(Body::from(self.body)).unwrap();
        *request.headers_mut() = self.headers;
        let response = self.bench.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let body = serde_json::from_str(&text).unwrap_or_default();
        Answer { status: parts.status, headers: parts.headers, body, text }
    }
}

impl Answer {
    /// The body of an answer with this status.
    #[track_caller]
    pub fn is(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.body
    }

    /// The body of a problem with this status and code.
    #[track_caller]
    pub fn problem(self, status: u16, code: &str) -> Value {
        assert_eq!((self.status.as_u16(), self.body["code"].as_str()), (status, Some(code)), "{}", self.text);
        assert_eq!(self.headers["content-type"], "application/problem+json");
        assert_eq!(self.headers["x-content-type-options"], "nosniff");
        assert_eq!(self.body["status"], status);
        for field in ["type", "title", "detail"] {
            assert!(self.body[field].as_str().is_some_and(|text| !text.is_empty()), "{field} in {}", self.text);
        }
        self.body
    }

    pub fn etag(&self) -> &str {
        self.headers["etag"].to_str().unwrap()
    }
}

/// The pointers and codes of a problem's errors.
#[track_caller]
pub fn faults(problem: &Value) -> Vec<(&str, &str)> {
    let errors = problem["errors"].as_array().unwrap_or_else(|| panic!("no errors in {problem}"));
    errors.iter().map(|error| (error["pointer"].as_str().unwrap(), error["code"].as_str().unwrap())).collect()
}

pub fn events(path: &str) -> String {
    format!("/api/v1/admin/events{path}")
}

/// A definition with something in every field; started by hand.
pub fn party(slug: &str) -> Value {
    json!({
        "title": "Harvest Party", "slug": slug, "summary": "Lamps for everybody.", "storyline": "*Come* by.\nBring oil.",
        "image": "https://example.org/lamp.png", "venue": {"label": "The quay", "value": "quay"}, "category": "gathering",
        "seriesId": null, "seriesOrder": null, "ownerModule": "demo", "timezone": "Europe/Berlin", "graceSeconds": 900,
        "concurrencyKey": "harvest:{region}",
        "spec": {
            "schedule": {"kind": "manual"},
            "params": [{"name": "region", "type": "string", "required": true, "default": "Yew", "example": "Yew"}],
            "phases": [
                {"key": "gather", "label": "Gathering", "advance": {"after": "30m"}, "steps": [
                    {"key": "hail", "action": "core.announce", "params": {"leg": "log", "text": "It begins in {region}"}},
                    {"key": "rate", "action": "core.lease", "onFailure": "pause",
                     "params": {"lease": "demo.rate.gather", "value": "2", "minutes": 60}}]},
                {"key": "light", "label": "Lights", "steps": [
                    {"key": "lamps", "action": "demo.lamp.light", "params": {"count": 12, "place": "quay"}}]}]
        }
    })
}

/// A definition of the engine's own actions alone, that waits for a person.
pub fn quiet(slug: &str) -> Value {
    json!({
        "title": "Quiet", "slug": slug, "timezone": "UTC",
        "spec": {"schedule": {"kind": "manual"}, "params": [], "phases": [{"key": "ask", "label": "Ask", "steps": [
            {"key": "cue", "action": "core.cue", "params": {"instruction": "Open the gate"}}]}]}
    })
}
