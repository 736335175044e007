use crate::api::openapi::operation::{Operation, Shape, delete, get, post, put};

pub const ALL: &[Operation] = &[
    get("/api/v1/admin/events/series", "The arcs that definitions may belong to, by their places.")
        .query(&["pageToken", "limit", "minPosition"])
        .answers(&[(200, Shape::Page(""))]),
    post("/api/v1/admin/events/series", "Makes an arc.")
        .body("Arc")
        .answers(&[(201, Shape::Json(""))])
        .refuses(&[(409, "slug_taken")]),
    get("/api/v1/admin/events/series/{seriesId}", "One arc.").query(&["minPosition"]),
    put("/api/v1/admin/events/series/{seriesId}", "Renames or moves an arc; its slug is frozen.").body("Arc").revised(),
    delete(
        "/api/v1/admin/events/series/{seriesId}",
        "The arc goes; its definitions stay without one, and the answer says how many.",
    )
    .revised(),
];
