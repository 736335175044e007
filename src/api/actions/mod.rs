//! `/admin/events/actions`: the switchboard.

pub mod list;
pub mod switch;

use serde_json::{Value, json};

use crate::engine::switches::Row;

fn document(row: &Row) -> Value {
    let action = &row.action;
    json!({
        "id": action.id,
        "label": action.label,
        "description": action.description,
        "risk": action.risk,
        "enabled": row.switch.enabled,
        "stored": row.stored,
        "caps": row.switch.caps,
        "dimensions": row.dimensions,
        "cost": action.cost,
    })
}
