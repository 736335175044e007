use crate::api::openapi::operation::{Operation, Shape, get, put};

pub const ALL: &[Operation] = &[
    get("/", "The plain page: what goes on, looked up again every second. It also takes HTTP Basic, with any name and the token as password.")
        .answers(&[(200, Shape::Text("text/html"))]),
    get("/healthz", "This process answers."),
    get("/readyz", "Whether this engine does its work, and what is in the way.").answers(&[(200, Shape::Json("")), (503, Shape::Json(""))]),
    get("/metrics", "Figures in the text format of Prometheus.").answers(&[(200, Shape::Text("text/plain"))]),
    get("/api/openapi.json", "This document.").answers(&[(200, Shape::Json("")), (304, Shape::Empty)]),
    get("/api/docs", "This document, for people.").answers(&[(200, Shape::Text("text/html")), (304, Shape::Empty)]),
    get("/api/v1/me", "Who asks.").query(&["minPosition"]),
    get("/api/v1/admin/settings", "The deployment's numbers.").query(&["minPosition"]),
    get("/api/v1/admin/log", "Recorded events, by position.").query(&["after", "limit500", "minPosition"]),
    get("/api/v1/admin/in-force", "What was in force at a place of the log, from the log alone.")
        .query(&["place", "target", "pageToken", "limit", "minPosition"])
        .answers(&[(200, Shape::Page(""))])
        .refuses(&[(422, "beyond_head")]),
    get("/api/v1/admin/events/actions", "The switchboard: which actions are on, and what one run may spend on them.").query(&["minPosition"]),
    put("/api/v1/admin/events/actions", "Stores one row of the switchboard; the last one wins.")
        .body("Switch")
        .refuses(&[(422, "unknown_action"), (422, "not_spent")]),
    get("/api/v1/admin/events/catalog", "Everything that may be authored with: actions, budgets, values, option sources, triggers.")
        .query(&["minPosition"]),
    get("/api/v1/admin/events/catalog/options/{sourceId}", "Choices for a parameter; 200 as well where the source cannot answer.")
        .query(&["q", "scope", "minPosition"]),
];
