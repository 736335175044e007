use crate::api::openapi::operation::{Operation, Shape, delete, get, post, put};

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
    get("/api/v1/admin/events/stop", "Whether everything is stopped, by whom and why.").query(&["minPosition"]),
    post("/api/v1/admin/events/stop", "Stops everything: nothing starts, and what is under way goes the way that is asked for.")
        .body("Stop")
        .answers(&[(201, Shape::Json(""))])
        .refuses(&[(409, "already_stopped")]),
    delete("/api/v1/admin/events/stop", "Lets everything start again.").refuses(&[(409, "not_stopped")]),
    get("/api/v1/admin/events/allowances", "What all runs together may draw in a day, by dimension.")
        .query(&["minPosition"])
        .answers(&[(200, Shape::Page(""))]),
    put("/api/v1/admin/events/allowances", "Bounds a day of one dimension, or takes the bound away.").body("DayCap"),
    post(
        "/api/v1/admin/events/price",
        "What a plan that is not saved would spend, against the caps; nothing is asked of a game.",
    )
    .body("Price"),
];
