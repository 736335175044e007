//! Turning on what a demonstration needs and posting its events, through the API like anybody would.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::zones::Zones;
use leasehold_module::demo::{Demo, Enable, Sample, Start};
use reqwest::{Client, Method, Response};
use serde_json::{Value, json};

use crate::cli::Failed;

/// How long games may take to tell what they offer.
const PATIENCE: Duration = Duration::from_secs(60);
const GLANCE: Duration = Duration::from_millis(100);

/// The steps of a definition, whatever their phase.
fn steps(body: &Value) -> impl Iterator<Item = &Value> {
    let phases = body["spec"]["phases"].as_array().into_iter().flatten();
    phases.flat_map(|phase| phase["steps"].as_array().into_iter().flatten())
}

/// Whether a list of the catalogue has something of that id.
fn has(list: &Value, id: &str) -> bool {
    list.as_array().is_some_and(|list| list.iter().any(|one| one["id"] == id))
}

pub struct Samples<'a> {
    client: Client,
    base: String,
    token: &'a str,
    began: DateTime<Utc>,
    zones: &'a Zones,
}

impl<'a> Samples<'a> {
    pub fn new(address: SocketAddr, token: &'a str, began: DateTime<Utc>, zones: &'a Zones) -> Self {
        let client = Client::builder().no_proxy().build().unwrap_or_default();
        Self { client, base: format!("http://{address}/api/v1/admin/events"), token, began, zones }
    }

    /// Turns on the actions, posts, publishes and verifies the definitions, and starts those that are started by hand. A
    /// definition that is there from an earlier demonstration gets a new version.
    pub async fn post(&self, demo: &Demo) -> Result<(), Failed> {
        self.everything_is_offered(demo).await?;
        for enable in &demo.enable {
            self.enable(enable).await?;
        }
        for sample in &demo.definitions {
            self.sample(sample).await?;
        }
        Ok(())
    }

    /// Waits until the games have told what they offer.
    async fn everything_is_offered(&self, demo: &Demo) -> Result<(), Failed> {
        let steps = demo.definitions.iter().flat_map(|sample| steps(&sample.body));
        let wanted: BTreeSet<&str> =
            steps.flat_map(|step| [step["action"].as_str(), step["params"]["lease"].as_str()]).flatten().collect();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let catalog: Value = self.send(Method::GET, "/catalog", None, None).await?.json().await?;
            let offered = |id: &str| ["actions", "leases"].iter().any(|list| has(&catalog[list], id));
            let Some(missing) = wanted.iter().find(|id| !offered(id)) else { return Ok(()) };
            if Instant::now() > deadline {
                return Err(format!("no game has offered {missing} within {} s", PATIENCE.as_secs()).into());
            }
            tokio::time::sleep(GLANCE).await;
        }
    }

    async fn enable(&self, enable: &Enable) -> Result<(), Failed> {
        let body = json!({ "action": enable.action, "enabled": true, "caps": enable.caps });
        self.send(Method::PUT, "/actions", None, Some(&body)).await.map(|_| ())
    }

    async fn sample(&self, sample: &Sample) -> Result<(), Failed> {
        let body = self.body(sample)?;
        let (id, mut revision) = self.save(&body).await?;
        let published = self.send(Method::POST, &format!("/{id}/publish"), Some(&revision), None).await?;
        revision = etag(&published).unwrap_or(revision);
        match sample.start {
            Start::BySchedule => {
                self.send(Method::POST, &format!("/{id}/verify"), Some(&revision), None).await?;
            }
            Start::ByHand => {
                self.start(&id).await?;
            }
        }
        Ok(())
    }

    /// Starts a run; one that goes on since an earlier demonstration holds its place, and is as good to look at.
    async fn start(&self, id: &str) -> Result<(), Failed> {
        let response = self.request(Method::POST, &format!("/{id}/runs"), None, Some(&json!({}))).send().await?;
        if response.status() == reqwest::StatusCode::CONFLICT {
            let problem: Value = response.json().await?;
            tracing::info!(why = problem["detail"].as_str(), "a sample is not started again");
            return Ok(());
        }
        accepted(response).await.map(|_| ())
    }

    /// Creates the definition, or saves it over the one with its slug; its id and revision.
    async fn save(&self, body: &Value) -> Result<(String, String), Failed> {
        let response = self.request(Method::POST, "", None, Some(body)).send().await?;
        if response.status() != reqwest::StatusCode::CONFLICT {
            let response = accepted(response).await?;
            let revision = etag(&response).ok_or("a definition was saved without an ETag")?;
            let created: Value = response.json().await?;
            return Ok((created["id"].as_str().unwrap_or_default().to_owned(), revision));
        }
        let problem: Value = response.json().await?;
        let id =
            problem["holder"].as_str().ok_or_else(|| format!("the sample could not be saved: {}", problem["detail"]))?.to_owned();
        let known = self.send(Method::GET, &format!("/{id}"), None, None).await?;
        let revision = etag(&known).ok_or("a definition was read without an ETag")?;
        let saved = self.send(Method::PUT, &format!("/{id}"), Some(&revision), Some(body)).await?;
        Ok((id, etag(&saved).unwrap_or(revision)))
    }

    /// The body as posted: `+90s` becomes the wall clock of the definition's zone.
    fn body(&self, sample: &Sample) -> Result<Value, Failed> {
        let mut body = sample.body.clone();
        let Some(span) = body["spec"]["schedule"]["at"].as_str().and_then(|at| at.strip_prefix('+')) else { return Ok(body) };
        let seconds = leasehold_module::parse_duration(span).and_then(|seconds| i64::try_from(seconds).ok());
        let seconds = seconds.ok_or_else(|| format!("+{span} is no span such as +90s"))?;
        let zone = self.zones.find(body["timezone"].as_str().unwrap_or("UTC"))?;
        let local = zone.wall_clock(self.began + TimeDelta::seconds(seconds));
        body["spec"]["schedule"]["at"] = json!(local.format("%Y-%m-%dT%H:%M:%S").to_string());
        Ok(body)
    }

    async fn send(&self, method: Method, path: &str, revision: Option<&str>, body: Option<&Value>) -> Result<Response, Failed> {
        accepted(self.request(method, path, revision, body).send().await?).await
    }

    fn request(&self, method: Method, path: &str, revision: Option<&str>, body: Option<&Value>) -> reqwest::RequestBuilder {
        let mut request = self.client.request(method, format!("{}{path}", self.base)).bearer_auth(self.token);
        if let Some(revision) = revision {
            request = request.header("if-match", revision);
        }
        match body {
            Some(body) => request.json(body),
            None => request,
        }
    }
}

fn etag(response: &Response) -> Option<String> {
    response.headers().get("etag")?.to_str().ok().map(str::to_owned)
}

async fn accepted(response: Response) -> Result<Response, Failed> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    Err(format!("the engine answered {status} to a sample: {}", response.text().await?).into())
}
