use crate::api::openapi::operation::{Operation, Shape, delete, get, post, put};

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
        .query(&["kind", "phase", "step", "pageToken", "limit1000", "minPosition"])
        .answers(&[(200, Shape::Page(""))]),
    get("/api/v1/admin/events/runs/{id}/participants", "Who took part in a run, those with a place first.")
        .query(&["pageToken", "limit", "minPosition"])
        .answers(&[(200, Shape::Page(""))]),
    post("/api/v1/admin/events/runs/{id}/results", "Publishes the result of a run as it was told so far.")
        .refuses(&[(409, "run_state")]),
    get("/api/v1/player/events/history", "In what the caller's own person took part, the latest first.")
        .query(&["pageToken", "limit", "minPosition"])
        .answers(&[(200, Shape::Page(""))]),
    put("/api/v1/admin/members/{id}", "Says whose account a member of events is, or that it is nobody's.")
        .body("Link")
        .refuses(&[(404, "member_missing"), (404, "account_missing"), (409, "member_of_another"), (409, "account_erased")]),
    delete("/api/v1/admin/members/{id}", "Erases what a game calls a member of events.").refuses(&[(404, "member_missing")]),
    get(
        "/api/v1/admin/events/runs/{id}/replay",
        "One run as it stood, and how it came there, from the log alone; or what changed between two places.",
    )
    .query(&["place", "place_from", "place_to", "minPosition"])
    .refuses(&[(404, "run_not_yet"), (422, "beyond_head"), (422, "wrong_order")]),
    post("/api/v1/admin/events/runs/{id}/pause", "Holds a run between two steps: what is being dispatched is settled.")
        .body_if_any("Why")
        .refuses(&[(409, "run_state")]),
    post("/api/v1/admin/events/runs/{id}/resume", "Lets a paused run go on, behind a step that has failed.")
        .body_if_any("Why")
        .refuses(&[(409, "run_state")]),
    post("/api/v1/admin/events/runs/{id}/advance", "Opens the gate that the phase of a run waits at.")
        .body_if_any("Why")
        .refuses(&[(409, "run_state"), (409, "not_at_gate")]),
    post("/api/v1/admin/events/runs/{id}/cancel", "Ends a run that has not ended; the teardown follows by itself.")
        .body_if_any("Cancel")
        .refuses(&[(403, "role_required"), (409, "run_state")]),
    post("/api/v1/admin/events/runs/{id}/cleanup", "Another round of the teardown of a run that has ended.")
        .refuses(&[(409, "run_state")]),
    post("/api/v1/admin/events/runs/{id}/steps/{stepId}/skip", "Passes over a step that is not begun, or waits for a person.")
        .body_if_any("Why")
        .refuses(&[(404, "step_not_found"), (409, "step_state"), (409, "run_state")]),
    post(
        "/api/v1/admin/events/runs/{id}/steps/{stepId}/retry",
        "Dispatches the step at which a run has paused once more, and resumes the run.",
    )
    .body_if_any("Why")
    .refuses(&[(404, "step_not_found"), (409, "step_state"), (409, "still_refused"), (409, "run_state")]),
    post("/api/v1/admin/events/runs/{id}/steps/{stepId}/confirm", "Says that what a parked step asked for is done.")
        .body_if_any("Confirm")
        .refuses(&[(404, "step_not_found"), (409, "step_not_parked"), (409, "run_state")]),
];
