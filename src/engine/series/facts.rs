use leasehold_aggregates::definition::Facts;
use leasehold_aggregates::series::Series;
use serde_json::Value;
use uuid::Uuid;

use crate::engine::runs::planning::declared;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Engine, Fault};

impl Engine {
    /// What is registered, with the series that a definition's body names, if there is such a one: a decision on these must
    /// require its stream.
    pub(in crate::engine) async fn facts_for(&self, body: &Value) -> Result<(Facts, Option<Loaded<Series>>), Fault> {
        let mut facts = declared(&self.registry());
        let id = body.get("seriesId").and_then(Value::as_str);
        let Some(id) = id.filter(|id| id.parse::<Uuid>().is_ok_and(|uuid| uuid.to_string() == *id)) else {
            return Ok((facts, None));
        };
        let series: Loaded<Series> = load(&self.log, id).await?;
        if series.state.exists() {
            facts.series.insert(id.to_owned());
        }
        Ok((facts, Some(series)))
    }
}
