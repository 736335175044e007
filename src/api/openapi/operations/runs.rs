use crate::api::openapi::operation::{Operation, Shape, get, post};

pub const ALL: &[Operation] = &[
    get("/api/v1/admin/events/runs", "Runs, in the order that is asked for.")
        .query(&[
            "sort",
            "definitionId",
            "status",
            "health",
            "cleanupStatus",
            "scope",
            "due_from",
            "due_to",
            "pageToken",
            "limit",
            "minPosition",
        ])
        .answers(&[(200, Shape::Page("RunRow"))]),
    get("/api/v1/admin/events/runs/{id}", "One run as it stands.")
        .query(&["minPosition"])
        .answers(&[(200, Shape::Json("RunView"))]),
    get("/api/v1/admin/events/runs/{id}/log", "What happened in a run, in order.")
        .query(&["pageToken", "limit1000", "minPosition"])
        .answers(&[(200, Shape::Page(""))]),
    get(
        "/api/v1/admin/events/runs/{id}/replay",
        "One run as it stood, and how it came there, from the log alone; or what changed between two places.",
    )
    .query(&["place", "place_from", "place_to", "minPosition"])
    .refuses(&[(404, "run_not_yet"), (422, "beyond_head"), (422, "wrong_order")]),
    post("/api/v1/admin/events/runs/{id}/cancel", "Ends a run that has not ended; the teardown follows by itself.")
        .body_if_any("Cancel")
        .refuses(&[(409, "run_state")]),
    post("/api/v1/admin/events/runs/{id}/cleanup", "Another round of the teardown of a run that has ended.")
        .refuses(&[(409, "run_state")]),
    post("/api/v1/admin/events/runs/{id}/steps/{stepId}/confirm", "Says that what a parked step asked for is done.")
        .body_if_any("Confirm")
        .refuses(&[(404, "step_not_found"), (409, "step_not_parked"), (409, "run_state")]),
];
