//! A client of the engine's API: what an operator's script would be.

use reqwest::header::{ETAG, HeaderMap};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

/// The bearer token of the first admin in every world.
pub const TOKEN: &str = "a-token-of-the-admin-0123456789abcdef";

/// One engine's API, as its admin.
#[derive(Debug, Clone)]
pub struct Api {
    http: Client,
    base: String,
}

/// What came back.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Answer {
    /// The body of an answer that says yes.
    #[track_caller]
    pub fn yes(self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.body);
        self.body
    }

    /// The body of an answer that says no in that way, by status and code.
    #[track_caller]
    pub fn no(self, status: u16, code: &str) -> Value {
        assert_eq!((self.status.as_u16(), self.body["code"].as_str()), (status, Some(code)), "{}", self.body);
        self.body
    }
}

impl Api {
    /// At an address such as `127.0.0.1:7878`.
    pub fn at(address: &str) -> Self {
        Self { http: Client::builder().no_proxy().build().unwrap(), base: format!("http://{address}") }
    }

    /// Where it is asked, such as `127.0.0.1:7878`.
    pub fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    /// One request; an error where no whole answer came.
    pub async fn ask(&self, method: Method, path: &str, body: Option<&Value>, tag: Option<&str>) -> reqwest::Result<Answer> {
        let mut request = self.http.request(method, format!("{}{path}", self.base)).bearer_auth(TOKEN);
        if let Some(body) = body {
            request = request.json(body);
        }
        if let Some(tag) = tag {
            request = request.header("if-match", tag);
        }
        let answer = request.send().await?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let text = answer.text().await?;
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Ok(Answer { status, headers, body })
    }

    /// One request under a key, below the events; an error where no whole answer came.
    pub async fn keyed(&self, method: Method, path: &str, key: &str, body: &Value) -> reqwest::Result<Answer> {
        let request = self.http.request(method, format!("{}{}", self.base, admin(path))).bearer_auth(TOKEN);
        let answer = request.header("idempotency-key", key).json(body).send().await?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        Ok(Answer { status, headers, body: answer.json().await? })
    }

    /// Whether it tells whoever balances load that it is ready.
    pub async fn is_ready(&self) -> bool {
        self.ask(Method::GET, "/readyz", None, None).await.unwrap().status == StatusCode::OK
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, &admin(path), None, None).await.unwrap()
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.try_post(path, body).await.unwrap()
    }

    async fn try_post(&self, path: &str, body: &Value) -> reqwest::Result<Answer> {
        self.ask(Method::POST, &admin(path), Some(body), None).await
    }

    /// Switches one action on, with the caps of a run.
    pub async fn enable(&self, action: &str, caps: &Value) {
        let body = json!({"action": action, "enabled": true, "caps": caps});
        self.ask(Method::PUT, &admin("/actions"), Some(&body), None).await.unwrap().yes();
    }

    /// Posts a definition and publishes it; gives its id.
    pub async fn publish(&self, definition: &Value) -> String {
        let created = self.post("", definition).await.yes();
        let id = created["id"].as_str().unwrap_or_else(|| panic!("{created}")).to_owned();
        self.tagged(&id, "publish").await.yes();
        id
    }

    /// Saves another draft of a definition and publishes it.
    pub async fn republish(&self, id: &str, definition: &Value) {
        let tag = self.tag(id).await;
        self.ask(Method::PUT, &admin(&format!("/{id}")), Some(definition), Some(&tag)).await.unwrap().yes();
        let published = self.tagged(id, "publish").await.yes();
        assert_eq!(published["new"], true, "{published}");
    }

    pub async fn archive(&self, id: &str) {
        let tag = self.tag(id).await;
        self.ask(Method::DELETE, &admin(&format!("/{id}")), None, Some(&tag)).await.unwrap().yes();
    }

    /// The answer of a dry run that somebody asks for in his own words.
    pub async fn dry_run(&self, id: &str, body: &Value) -> Answer {
        let tag = self.tag(id).await;
        self.ask(Method::POST, &admin(&format!("/{id}/verify")), Some(body), Some(&tag)).await.unwrap()
    }

    /// Asks for the dry run that unlocks scheduled starts, and takes nothing but a pass.
    pub async fn verify(&self, definition: &str) {
        let verdict = self.tagged(definition, "verify").await.yes();
        assert_eq!(verdict["ok"], true, "{verdict}");
    }

    /// Posts to one route of a definition, naming the revision that its last read showed.
    async fn tagged(&self, definition: &str, verb: &str) -> Answer {
        let tag = self.tag(definition).await;
        let path = admin(&format!("/{definition}/{verb}"));
        self.ask(Method::POST, &path, None, Some(&tag)).await.unwrap()
    }

    async fn tag(&self, definition: &str) -> String {
        let read = self.get(&format!("/{definition}")).await;
        read.headers.get(ETAG).unwrap_or_else(|| panic!("{}", read.body)).to_str().unwrap().to_owned()
    }

    /// Starts a run by hand; gives its id.
    pub async fn start(&self, definition: &str) -> String {
        let started = self.post(&format!("/{definition}/runs"), &json!({})).await.yes();
        started["id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned()
    }

    /// The same as a part of the trace that `traceparent` names.
    pub async fn start_as_part_of(&self, definition: &str, traceparent: &str) -> String {
        let request = self.http.post(format!("{}{}", self.base, admin(&format!("/{definition}/runs"))));
        let request = request.bearer_auth(TOKEN).header("traceparent", traceparent).json(&json!({}));
        let started: Value = request.send().await.unwrap().json().await.unwrap();
        started["id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned()
    }

    /// The same with an engine that may die of it before it has answered.
    pub async fn try_start(&self, definition: &str) -> reqwest::Result<Answer> {
        self.try_post(&format!("/{definition}/runs"), &json!({})).await
    }

    pub async fn run(&self, run_id: &str) -> Value {
        self.get(&format!("/runs/{run_id}")).await.yes()
    }

    /// The same, or null where the engine is away or knows of no such run.
    pub async fn glance(&self, run_id: &str) -> Value {
        match self.ask(Method::GET, &admin(&format!("/runs/{run_id}")), None, None).await {
            Ok(answer) if answer.status.is_success() => answer.body,
            _ => Value::Null,
        }
    }

    pub async fn cancel(&self, run_id: &str, body: &Value) -> Answer {
        self.post(&format!("/runs/{run_id}/cancel"), body).await
    }

    pub async fn try_cancel(&self, run_id: &str) -> reqwest::Result<Answer> {
        self.try_post(&format!("/runs/{run_id}/cancel"), &json!({})).await
    }

    pub async fn confirm(&self, run_id: &str, step: &str) -> Answer {
        self.try_confirm(run_id, step).await.unwrap()
    }

    pub async fn try_confirm(&self, run_id: &str, step: &str) -> reqwest::Result<Answer> {
        self.try_post(&format!("/runs/{run_id}/steps/{step}/confirm"), &json!({"note": "done by hand"})).await
    }
}

fn admin(path: &str) -> String {
    format!("/api/v1/admin/events{path}")
}

/// One step of a run's detail.
#[track_caller]
pub fn step<'a>(run: &'a Value, key: &str) -> &'a Value {
    let steps = run["steps"].as_array().unwrap_or_else(|| panic!("{run}"));
    steps.iter().find(|step| step["key"] == key).unwrap_or_else(|| panic!("no step {key} in {run}"))
}

/// The borrowed value of a run's detail.
#[track_caller]
pub fn borrowed(run: &Value) -> &Value {
    let resources = run["resources"].as_array().unwrap_or_else(|| panic!("{run}"));
    resources.iter().find(|resource| resource["kind"] == "override").unwrap_or_else(|| panic!("nothing borrowed in {run}"))
}
