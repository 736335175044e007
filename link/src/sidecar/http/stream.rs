//! `GET /feed/stream`: what the game has reported, as server-sent events that go on where they broke off.
//!
//! Nothing waits here for a slow reader: each reads from the file at its own pace, a stretch at a time.

use super::answer::own;
use crate::sidecar::{feed::FeedStore, scopes::Found};
use axum::{
    extract::{Query, State, rejection::QueryRejection},
    http::HeaderMap,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures::{Stream, stream};
use leasehold_link::wire::{Disposition, ErrorName};
use serde::Deserialize;
use serde_json::json;
use std::{collections::VecDeque, convert::Infallible};
use tokio_util::sync::CancellationToken;

/// The header of a reader that comes again.
const LAST: &str = "last-event-id";
/// Reports read at once.
const STRETCH: usize = 100;

/// Where a first reader begins; one that comes again says so in its header.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    #[serde(default)]
    after: u64,
    /// Read beside this.
    #[serde(rename = "scope")]
    _scope: Option<String>,
}

pub async fn read(
    State(feed): State<FeedStore>,
    State(stop): State<CancellationToken>,
    found: Found,
    headers: HeaderMap,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Response {
    let bad = |reason: &str| own(Disposition::BadJson, ErrorName::BadField, reason);
    let asked = match asked {
        Ok(Query(asked)) => asked,
        Err(fault) => return bad(&fault.body_text()),
    };
    let last = match headers.get(LAST).map(|value| value.to_str().ok().and_then(place)) {
        Some(None) => return bad("the header last-event-id must be FEED/NUMBER, as it was told"),
        last => last.flatten(),
    };
    let mut reader = Reader::new(feed, found.scope.unwrap_or_default(), asked.after);
    if let Some((before, number)) = last {
        reader.resume(&before, number);
    }
    let newest = reader.feed.extent(&reader.scope).newest;
    if reader.after > newest {
        let after = reader.after;
        return bad(&format!("{after} was read before and this feed ends at {newest}: its file was put back"));
    }
    Sse::new(events(reader, stop)).keep_alive(KeepAlive::default()).into_response()
}

/// `FEED/NUMBER`.
fn place(text: &str) -> Option<(String, u64)> {
    let (feed, number) = text.rsplit_once('/')?;
    Some((feed.to_owned(), number.parse().ok()?))
}

/// One reader's place.
struct Reader {
    feed: FeedStore,
    scope: String,
    after: u64,
    ready: VecDeque<Event>,
    ended: bool,
}

impl Reader {
    const fn new(feed: FeedStore, scope: String, after: u64) -> Self {
        Self { feed, scope, after, ready: VecDeque::new(), ended: false }
    }

    /// Goes on from there or, where that was another feed, begins this one and says so.
    fn resume(&mut self, before: &str, number: u64) {
        if before == self.feed.id() {
            self.after = number;
        } else {
            self.after = 0;
            let told = json!({"feed": self.feed.id(), "before": before});
            self.ready.push_back(self.event("feed", 0, &told));
        }
    }

    fn event(&self, name: &str, number: u64, data: &serde_json::Value) -> Event {
        Event::default().event(name).id(format!("{}/{number}", self.feed.id())).data(data.to_string())
    }

    /// Reads the next stretch, and says what is not kept any more.
    async fn read(&mut self) {
        let read = match self.feed.after(&self.scope, self.after, STRETCH).await {
            Ok(read) => read,
            Err(fault) => {
                tracing::error!(%fault, "a reader of the feed is let go");
                self.ended = true;
                return;
            }
        };
        if read.oldest > self.after + 1 {
            let (from, to) = (self.after + 1, read.oldest - 1);
            self.after = to;
            let told = json!({"from": from, "to": to, "lost": to - from + 1});
            self.ready.push_back(self.event("gap", to, &told));
        }
        for report in read.reports {
            self.after = report.n;
            let event = self.event("report", report.n, &json!(report));
            self.ready.push_back(event);
        }
    }
}

fn events(reader: Reader, stop: CancellationToken) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold((reader, stop), |(mut reader, stop)| async move {
        loop {
            if let Some(event) = reader.ready.pop_front() {
                return Some((Ok(event), (reader, stop)));
            }
            reader.read().await;
            if reader.ended {
                return None;
            }
            if reader.ready.is_empty() {
                tokio::select! {
                    () = stop.cancelled() => return None,
                    () = reader.feed.grown_past(&reader.scope, reader.after) => (),
                }
            }
        }
    })
}
