use crate::api::openapi::operation::{Operation, Shape, delete, get, post};

pub const ALL: &[Operation] = &[
    get("/api/v1/admin/events/occurrences", "What happened in a window and what did not, each with its reason and cause.")
        .query(&["window_from", "window_to", "definitionId", "executed", "pageToken", "limit", "minPosition"])
        .answers(&[(200, Shape::Page(""))]),
    post("/api/v1/admin/events/occurrences", "What a schedule says, and where its wall clocks fall; nothing is saved.")
        .body("Preview"),
    post("/api/v1/admin/events/{id}/occurrences/{slot}/skip", "One occurrence does not happen.").body("Reason"),
    post("/api/v1/admin/events/{id}/occurrences/{slot}/move", "One occurrence happens at another time; it stays the same slot.")
        .body("Move"),
    post("/api/v1/admin/events/{id}/occurrences/{slot}/restore", "One occurrence happens as the schedule says, again.")
        .body("Reason"),
    get("/api/v1/admin/events/freezes", "Windows in which nothing starts.")
        .query(&["minPosition"])
        .answers(&[(200, Shape::Page(""))]),
    post("/api/v1/admin/events/freezes", "Declares a window in which nothing starts.")
        .body("Freeze")
        .answers(&[(201, Shape::Json(""))]),
    delete("/api/v1/admin/events/freezes/{id}", "Lifts such a window."),
];
