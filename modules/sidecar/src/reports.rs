//! Reading on in a sidecar's feed of what its game reports by itself.

use std::time::Duration;

use leasehold_link::wire::feed::Report;
use leasehold_module::{Failure, FeedAsk, FeedRead, Fired};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::Sidecar;

/// What was reported behind the place of the ask; `fired` tells which report fires a trigger.
pub async fn read_feed(sidecar: &Sidecar, ask: FeedAsk, fired: impl Fn(&Report) -> Option<Fired>) -> Result<FeedRead, Failure> {
    let after = ask.after.as_ref().map_or(u64::MAX >> 1, |place| place.number);
    let wait_ms = if ask.after.is_some() { ask.wait_ms.min(sidecar.patience_ms() / 2) } else { 0 };
    let feed = sidecar.feed(after, ask.limit, Duration::from_millis(wait_ms)).await?;
    if let Some(place) = ask.after.filter(|place| place.feed == feed.feed && place.number > feed.newest) {
        let (number, newest) = (place.number, feed.newest);
        let reason = format!(
            "the sidecar's feed ends at {newest}, and {number} was read before: its file was put back; delete it and a new feed begins"
        );
        return Err(Failure::refused("feed_rewound", reason));
    }
    // Where nothing is left, all that was dropped is passed: it cannot come any more.
    let dropped = if ask.limit == 0 { 0 } else { feed.oldest.saturating_sub(1) };
    let through = feed.reports.last().map_or(after.max(dropped).min(feed.newest), |report| report.n);
    let lost = feed.reports.first().map_or(through, |first| first.n - 1).saturating_sub(after);
    Ok(FeedRead { through, lost, fired: feed.reports.iter().filter_map(fired).collect(), feed: feed.feed })
}

/// The game's own id of the report, or else all that the report says: the first 40 hex of its sha256.
pub fn fingerprint(frame: &Map<String, Value>) -> String {
    let own = frame.get("eventId").and_then(Value::as_str);
    let said = own.map_or_else(|| Value::Object(frame.clone()).to_string(), str::to_owned);
    let kind = frame.get("kind").and_then(Value::as_str).unwrap_or_default();
    hex::encode(&Sha256::digest(format!("{kind}|{said}"))[..20])
}
