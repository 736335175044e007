use crate::api::openapi::operation::{Operation, Shape, delete, get, post, put};

const ARCHIVED: (u16, &str) = (409, "definition_archived");

pub const ALL: &[Operation] = &[
    get("/api/v1/admin/events", "Definitions, by slug.")
        .query(&["state", "category", "seriesId", "q", "pageToken", "limit", "minPosition"])
        .answers(&[(200, Shape::Page("DefinitionRow"))]),
    post("/api/v1/admin/events", "Makes a definition with its draft.")
        .body("DefinitionBody")
        .answers(&[(201, Shape::Json("DefinitionBody"))])
        .refuses(&[(409, "slug_taken"), (403, "forbidden")]),
    get("/api/v1/admin/events/{id}", "The draft, and where the definition stands.")
        .query(&["minPosition"])
        .answers(&[(200, Shape::Json("DefinitionBody"))]),
    put("/api/v1/admin/events/{id}", "Replaces the whole draft; what is published stays as it is.")
        .body("DefinitionBody")
        .answers(&[(200, Shape::Json("DefinitionBody"))])
        .refuses(&[ARCHIVED, (403, "forbidden")])
        .revised(),
    delete(
        "/api/v1/admin/events/{id}",
        "Archives: what has not begun is taken off, what is under way goes on, nothing is deleted.",
    )
    .revised(),
    post("/api/v1/admin/events/{id}/publish", "Makes the draft the next version.").refuses(&[ARCHIVED]).revised(),
    get("/api/v1/admin/events/{id}/versions", "Every version, the newest first.")
        .query(&["pageToken", "limit100", "minPosition"])
        .answers(&[(200, Shape::Page(""))]),
    get("/api/v1/admin/events/{id}/versions/{version}", "One version in full.").query(&["minPosition"]),
    get("/api/v1/admin/events/{id}/versions/{version}/diff", "What the draft says otherwise than this version, in words.")
        .query(&["minPosition"]),
    get(
        "/api/v1/admin/events/{id}/versions/{version}/diff/{other}",
        "What another version says otherwise than this one, in words.",
    )
    .query(&["minPosition"]),
    post("/api/v1/admin/events/{id}/copy", "Makes another definition with the same content, as a draft.")
        .body("Copy")
        .answers(&[(201, Shape::Json("DefinitionBody"))])
        .refuses(&[(409, "slug_taken"), (403, "forbidden")]),
    post("/api/v1/admin/events/{id}/verify", "The dry run; 200 whatever it finds.")
        .body_if_any("DryRun")
        .refuses(&[ARCHIVED])
        .revised(),
    post("/api/v1/admin/events/{id}/runs", "Starts a run of the published version now.")
        .body_if_any("Start")
        .answers(&[(201, Shape::Json(""))])
        .refuses(&[(409, "not_published"), (409, "archived"), (409, "slot_held"), (422, "unknown_scope")]),
    get(
        "/api/v1/admin/events/calendar",
        "Runs and projections in a window, with what is in the way of what, the earliest first.",
    )
    .query(&[
        "from",
        "to",
        "tz",
        "definitionId",
        "state",
        "category",
        "seriesId",
        "status",
        "scope",
        "pageToken",
        "limit",
        "minPosition",
    ])
    .answers(&[(200, Shape::Page("CalendarEntry"))]),
];
