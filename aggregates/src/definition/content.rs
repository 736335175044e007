use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::event::given;
use crate::plan::Plan;

/// Everything that a version holds, in the spelling of a posted body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Content {
    /// 1 to 120 characters.
    pub title: String,
    /// At most 500 characters.
    pub summary: String,
    /// Markdown, at most 200,000 characters.
    pub storyline: String,
    /// `http` or `https`.
    #[serde(deserialize_with = "given")]
    pub image: Option<String>,
    #[serde(deserialize_with = "given")]
    pub venue: Option<Venue>,
    /// A word of the deployment's own, at most 60 characters.
    pub category: String,
    #[serde(deserialize_with = "given")]
    pub owner_module: Option<String>,
    /// Full name of a zone, as typed.
    pub timezone: String,
    /// Seconds after its instant in which a start that was held up still happens; 0 to 86,400.
    pub grace_seconds: u32,
    /// A template of the run's parameters; runs of one rendered key exclude each other. Absent: nothing is excluded.
    #[serde(deserialize_with = "given")]
    pub concurrency_key: Option<String>,
    #[serde(rename = "spec")]
    pub plan: Plan,
}

/// Where it takes place: what people read, and what a module knows it by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Venue {
    pub label: String,
    pub value: String,
}

/// The work in progress: what the next version will hold, and what belongs to the definition whatever its version.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Frozen once the definition exists.
    pub slug: String,
    pub series_id: Option<String>,
    pub series_order: Option<i64>,
    pub content: Content,
}

impl Draft {
    /// The body in its one spelling: what is stored, and what a read answers.
    pub fn to_body(&self) -> Value {
        let mut body = json!(self.content);
        body["slug"] = json!(self.slug);
        body["seriesId"] = json!(self.series_id);
        body["seriesOrder"] = json!(self.series_order);
        body
    }

    /// Reads back what [`Draft::to_body`] wrote.
    pub fn from_body(mut body: Value) -> Result<Self, serde_json::Error> {
        let mut take = |name: &str| body.as_object_mut().and_then(|fields| fields.remove(name)).unwrap_or_default();
        let (slug, series_id, series_order) = (take("slug"), take("seriesId"), take("seriesOrder"));
        Ok(Self {
            slug: serde_json::from_value(slug)?,
            series_id: serde_json::from_value(series_id)?,
            series_order: serde_json::from_value(series_order)?,
            content: serde_json::from_value(body)?,
        })
    }
}
