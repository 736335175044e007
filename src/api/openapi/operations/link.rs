use crate::api::openapi::operation::{Operation, Shape, post};

pub const ALL: &[Operation] = &[
    post(
        "/api/v1/link/poll",
        "What the engine wants of a link that dials in; a long poll. Fields that are not known are passed over, as on the wire.",
    )
    .body("LinkPoll")
    .answers(&[(200, Shape::Json("LinkPolled"))])
    .refuses(&[(410, "session_over"), (503, "stopping")]),
    post("/api/v1/link/answer", "What came of it. Fields that are not known are passed over, as on the wire.")
        .body("LinkAnswers")
        .refuses(&[(410, "session_over")]),
];
