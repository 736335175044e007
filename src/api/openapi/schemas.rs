//! The schemas that operations name, made from the types that are answered and read.

use leasehold_aggregates::definition::DefinitionState;
use leasehold_aggregates::run::{CleanupStatus, Health, RunStatus};
use leasehold_projections::definitions::DefinitionRow;
use leasehold_projections::run_view::RunView;
use leasehold_projections::runs::RunRow;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::bodies::{
    Arc, Cancel, Confirm, Copy, DayCap, DefinitionBody, DryRun, Freeze, Link, LinkAnswers, LinkPoll, LinkPolled, Move, Preview,
    Price, Reason, Start, Stop, Switch, Why,
};
use crate::api::calendar::read::CalendarEntry;
use crate::api::public::{PublicEntry, PublicEvent, PublicSeries};

/// Every schema, by its name.
pub fn all() -> Map<String, Value> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    let mut generator = SchemaGenerator::new(settings);
    macro_rules! of {
        ($($named:ty),* $(,)?) => {$(
            generator.subschema_for::<$named>();
        )*};
    }
    of!(
        CalendarEntry,
        Cancel,
        CleanupStatus,
        Confirm,
        DefinitionBody,
        DefinitionRow,
        DefinitionState,
        DryRun,
        Freeze,
        Link,
        LinkAnswers,
        LinkPoll,
        LinkPolled,
        Move,
        Reason,
        Health,
        Arc,
        Copy,
        DayCap,
        Price,
        Stop,
        Preview,
        PublicEntry,
        PublicEvent,
        PublicSeries,
        RunRow,
        RunStatus,
        RunView,
        Start,
        Switch,
        Why,
    );
    let mut all = generator.take_definitions(true);
    all.insert("Problem".into(), problem());
    all
}

/// RFC 9457, with a stable `code`.
fn problem() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "object",
        "required": ["type", "title", "status", "detail", "code"],
        "properties": {
            "type": text, "title": text, "detail": text, "status": {"type": "integer"},
            "code": {"type": "string", "description": "Stable: what programs go by."},
            "errors": {"type": "array", "description": "Everything that is wrong with what was sent.", "items": {
                "type": "object",
                "required": ["pointer", "code", "detail"],
                "properties": {"pointer": text, "code": text, "detail": text},
            }},
        },
    })
}
