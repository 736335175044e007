//! Every field of a definition wrong in turn: each refused at its place, and nothing stored.

use serde_json::{Value, json};

use crate::bench::{Bench, faults, party};

/// A place in the body, what is put there, and the code of the refusal. The fault lies at that place.
fn wrongs() -> Vec<(&'static str, Value, &'static str)> {
    let long = |length: usize| Value::from("x".repeat(length));
    let many = |count: usize| Value::Array(vec![json!({}); count]);
    let (lease, lamps) = ("/spec/phases/0/steps/1", "/spec/phases/1/steps/0");
    assert_eq!((lease.len(), lamps.len()), (22, 22));
    vec![
        ("/title", json!(7), "wrong_type"),
        ("/title", json!(null), "wrong_type"),
        ("/title", json!(""), "wrong_length"),
        ("/title", long(121), "wrong_length"),
        ("/title", json!("a\nb"), "control_character"),
        ("/title", json!(" a"), "wrong_characters"),
        ("/slug", json!("Harvest"), "wrong_characters"),
        ("/slug", json!("a/b"), "wrong_characters"),
        ("/slug", json!(""), "wrong_length"),
        ("/slug", long(65), "wrong_length"),
        ("/slug", json!(["a"]), "wrong_type"),
        ("/summary", json!(null), "wrong_type"),
        ("/summary", long(501), "wrong_length"),
        ("/storyline", json!({}), "wrong_type"),
        ("/storyline", long(200_001), "wrong_length"),
        ("/storyline", long(1_000_000), "wrong_length"),
        ("/storyline", json!("bell \u{7}"), "control_character"),
        ("/image", json!(1), "wrong_type"),
        ("/image", json!("javascript:alert(1)"), "wrong_value"),
        ("/image", json!("https://"), "wrong_value"),
        ("/venue", json!("quay"), "wrong_type"),
        ("/venue/label", json!(""), "wrong_length"),
        ("/venue/value", json!(7), "wrong_type"),
        ("/category", json!(["x"]), "wrong_type"),
        ("/category", long(61), "wrong_length"),
        ("/seriesId", json!("none-such"), "unknown_series"),
        ("/seriesId", json!(7), "wrong_type"),
        ("/seriesOrder", json!(3), "not_allowed"),
        ("/seriesOrder", json!(-1), "out_of_range"),
        ("/seriesOrder", json!("first"), "wrong_type"),
        ("/ownerModule", json!("none-such"), "unknown_module"),
        ("/ownerModule", json!("Not A Key"), "wrong_characters"),
        ("/timezone", json!("CEST"), "unknown_zone"),
        ("/timezone", json!("+01:00"), "unknown_zone"),
        ("/timezone", json!(null), "wrong_type"),
        ("/graceSeconds", json!(-1), "out_of_range"),
        ("/graceSeconds", json!(86_401), "out_of_range"),
        ("/graceSeconds", json!(1.5), "wrong_type"),
        ("/graceSeconds", json!("900"), "wrong_type"),
        ("/graceSeconds", json!(null), "wrong_type"),
        ("/concurrencyKey", json!("harvest:{nobody}"), "unknown_param"),
        ("/concurrencyKey", json!("harvest:{"), "wrong_template"),
        ("/concurrencyKey", json!(7), "wrong_type"),
        ("/spec", json!([]), "wrong_type"),
        ("/spec", json!(null), "wrong_type"),
        ("/spec/schedule", json!("manual"), "wrong_type"),
        ("/spec/schedule/kind", json!("hourly"), "not_a_choice"),
        ("/spec/schedule/kind", json!(null), "wrong_type"),
        ("/spec/params", json!({}), "wrong_type"),
        ("/spec/params", many(51), "wrong_length"),
        ("/spec/params/0", json!("region"), "wrong_type"),
        ("/spec/params/0/name", json!("1st"), "wrong_characters"),
        ("/spec/params/0/name", json!(null), "wrong_type"),
        ("/spec/params/0/type", json!("number"), "not_a_choice"),
        ("/spec/params/0/type", json!({}), "wrong_type"),
        ("/spec/params/0/required", json!("yes"), "wrong_type"),
        ("/spec/params/0/default", json!(7), "wrong_type"),
        ("/spec/params/0/example", json!([]), "wrong_type"),
        ("/spec/phases", json!("none"), "wrong_type"),
        ("/spec/phases", many(21), "wrong_length"),
        ("/spec/phases/0", json!(7), "wrong_type"),
        ("/spec/phases/0/key", json!("Gather"), "wrong_characters"),
        ("/spec/phases/1/key", json!("gather"), "not_unique"),
        ("/spec/phases/0/label", json!(""), "wrong_length"),
        ("/spec/phases/0/steps", json!({}), "wrong_type"),
        ("/spec/phases/0/steps", many(101), "wrong_length"),
        ("/spec/phases/0/advance", json!("30m"), "wrong_type"),
        ("/spec/phases/0/advance/after", json!("soon"), "wrong_value"),
        ("/spec/phases/0/advance/after", json!("31d"), "out_of_range"),
        ("/spec/phases/0/advance/after", json!(30), "wrong_type"),
        ("/spec/phases/0/steps/0", json!(null), "wrong_type"),
        ("/spec/phases/0/steps/0/key", json!("two words"), "wrong_characters"),
        ("/spec/phases/1/steps/0/key", json!("hail"), "not_unique"),
        ("/spec/phases/0/steps/0/action", json!("core.dance"), "unknown_action"),
        ("/spec/phases/0/steps/0/action", json!(7), "wrong_type"),
        ("/spec/phases/0/steps/0/actionVersion", json!(2), "action_version"),
        ("/spec/phases/0/steps/0/actionVersion", json!(0), "out_of_range"),
        ("/spec/phases/0/steps/0/params", json!([]), "wrong_type"),
        ("/spec/phases/0/steps/0/params/text", json!("{nobody}"), "unknown_param"),
        ("/spec/phases/0/steps/0/params/text", json!("}"), "wrong_template"),
        ("/spec/phases/0/steps/0/params/text", long(2_001), "wrong_length"),
        ("/spec/phases/0/steps/0/params/text", json!({"param": "region"}), "wrong_type"),
        ("/spec/phases/0/steps/1/onFailure", json!("explode"), "not_a_choice"),
        ("/spec/phases/0/steps/1/params/lease", json!("demo.rate.none"), "unknown_lease"),
        ("/spec/phases/0/steps/1/params/value", json!("9"), "out_of_range"),
        ("/spec/phases/0/steps/1/params/value", json!("2.0"), "wrong_value"),
        ("/spec/phases/0/steps/1/params/value", json!([2]), "wrong_type"),
        ("/spec/phases/0/steps/1/params/minutes", json!(121), "out_of_range"),
        ("/spec/phases/0/steps/1/params/minutes", json!("60"), "wrong_type"),
        ("/spec/phases/1/steps/0/params/count", json!(51), "out_of_range"),
        ("/spec/phases/1/steps/0/params/count", json!(1.5), "wrong_type"),
        ("/spec/phases/1/steps/0/params/count", json!(u64::MAX), "wrong_value"),
        ("/spec/phases/1/steps/0/params/place", json!(false), "wrong_type"),
    ]
}

/// Puts a value at a place, which may be a field that is not there yet.
fn put(body: &mut Value, pointer: &str, value: Value) {
    let (above, last) = pointer.rsplit_once('/').unwrap();
    let above = body.pointer_mut(above).unwrap();
    match above {
        Value::Array(items) => items[last.parse::<usize>().unwrap()] = value,
        object => object[last] = value,
    }
}

/// Pointers of every object that has fields of its own.
const OBJECTS: [&str; 8] = [
    "",
    "/venue",
    "/spec",
    "/spec/schedule",
    "/spec/params/0",
    "/spec/phases/0",
    "/spec/phases/0/advance",
    "/spec/phases/0/steps/0",
];

const REQUIRED: [&str; 12] = [
    "/title",
    "/slug",
    "/timezone",
    "/spec",
    "/venue/label",
    "/venue/value",
    "/spec/schedule",
    "/spec/schedule/kind",
    "/spec/params/0/name",
    "/spec/params/0/type",
    "/spec/phases/0/key",
    "/spec/phases/0/steps/0/action",
];

async fn refused(bench: &Bench, id: &str, body: &Value, pointer: &str, code: &str) {
    let posted = bench.admin("POST", "").json(body).send().await.problem(422, "invalid_body");
    let saved = bench.admin("PUT", &format!("/{id}")).tag("\"1\"").json(body).send().await.problem(422, "invalid_body");
    assert!(faults(&posted).contains(&(pointer, code)), "posted: {pointer} {code}: {posted}");
    // The slug of what exists is frozen, and that may be told instead.
    let frozen = pointer == "/slug" && faults(&saved).iter().any(|(at, _)| *at == "/slug");
    assert!(frozen || faults(&saved).contains(&(pointer, code)), "saved: {pointer} {code}: {saved}");
    for error in posted["errors"].as_array().unwrap() {
        assert!(error["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{error}");
    }
}

#[tokio::test]
async fn each_field_wrong_in_turn_is_refused_at_its_place_and_nothing_is_stored() {
    let bench = Bench::new().await;
    let id = bench.create(&party("harvest")).await;
    let before = (bench.head().await, bench.drafts().await);
    for (pointer, value, code) in wrongs() {
        let mut body = party("harvest");
        put(&mut body, pointer, value);
        refused(&bench, &id, &body, pointer, code).await;
    }
    for object in OBJECTS {
        let mut body = party("harvest");
        body.pointer_mut(object).unwrap()["unheard/of"] = json!(1);
        refused(&bench, &id, &body, &format!("{object}/unheard~1of"), "unknown_field").await;
    }
    for pointer in REQUIRED {
        let mut body = party("harvest");
        let (above, last) = pointer.rsplit_once('/').unwrap();
        body.pointer_mut(above).unwrap().as_object_mut().unwrap().remove(last).unwrap();
        refused(&bench, &id, &body, pointer, "required").await;
    }
    assert_eq!((bench.head().await, bench.drafts().await), before, "nothing was stored");
    let kept = bench.admin("GET", &format!("/{id}")).send().await.is(200);
    assert_eq!((&kept["title"], &kept["revision"]), (&json!("Harvest Party"), &json!(1)));
}

#[tokio::test]
async fn all_faults_come_at_once() {
    let bench = Bench::new().await;
    let mut body = party("harvest");
    for (pointer, value) in
        [("/title", json!("")), ("/timezone", json!("CEST")), ("/graceSeconds", json!(-1)), ("/spec/phases/1/key", json!("?"))]
    {
        put(&mut body, pointer, value);
    }
    let problem = bench.admin("POST", "").json(&body).send().await.problem(422, "invalid_body");
    let expected = [
        ("/graceSeconds", "out_of_range"),
        ("/title", "wrong_length"),
        ("/spec/phases/1/key", "wrong_characters"),
        ("/timezone", "unknown_zone"),
    ];
    assert_eq!(faults(&problem), expected);
}

#[tokio::test]
async fn every_text_refuses_what_no_store_could_keep() {
    let bench = Bench::new().await;
    let before = (bench.head().await, bench.drafts().await);
    let texts = texts_of(&party("harvest"), "");
    assert!(texts.len() > 20, "{texts:?}");
    for pointer in texts {
        for escape in ["\\u0000", "\\ud800", "\\udfff"] {
            let mut body = party("harvest");
            put(&mut body, &pointer, json!("@@"));
            let body = body.to_string().replace("@@", escape);
            let problem = bench.admin("POST", "").raw(body).send().await.problem(400, "bad_json");
            assert_eq!(problem["pointer"], pointer, "{escape}");
        }
    }
    assert_eq!((bench.head().await, bench.drafts().await), before);
}

fn texts_of(value: &Value, at: &str) -> Vec<String> {
    match value {
        Value::String(_) => vec![at.to_owned()],
        Value::Array(items) => items.iter().enumerate().flat_map(|(i, item)| texts_of(item, &format!("{at}/{i}"))).collect(),
        Value::Object(fields) => fields.iter().flat_map(|(name, field)| texts_of(field, &format!("{at}/{name}"))).collect(),
        _ => Vec::new(),
    }
}
