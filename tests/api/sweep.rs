//! Every route of the API's own description, asked in every way in which nobody should ask: no 500 comes of it, whatever is wrong
//! is named, and a route that is added is swept, too.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use leasehold_aggregates::account::Role;
use serde_json::{Value, json};

use crate::bench::{Answer, Bench, Call, events, faults, party, quiet};
use crate::calendar::{recurring, verified};

/// What stands for `{name}` in paths: things that are there.
struct There {
    definition: String,
    run: String,
    series: String,
    freeze: String,
}

impl There {
    async fn of(bench: &Bench) -> Self {
        let weekly = json!({"kind": "weekly", "days": ["friday"], "time": "20:00"});
        let definition = verified(bench, &recurring("fridays", weekly, "UTC")).await;
        let hand = bench.publish(&party("by-hand")).await;
        let run = bench.admin("POST", &format!("/{hand}/runs")).send().await.is(201);
        let series = bench.admin("POST", "/series").json(&json!({"name": "Autumn", "slug": "autumn"})).send().await.is(201);
        let window = json!({"from": "2027-06-01T00:00:00Z", "to": "2027-06-02T00:00:00Z", "reason": "the game is moved"});
        let freeze = bench.admin("POST", "/freezes").json(&window).send().await.is(201);
        let id = |answer: &Value| answer["id"].as_str().unwrap().to_owned();
        Self { definition, run: id(&run), series: id(&series), freeze: id(&freeze) }
    }

    /// The path with something real in every place; `odd` in the last of them instead, where it is given.
    fn path(&self, template: &str, odd: Option<&str>) -> String {
        let holes = template.matches('{').count();
        let (mut path, mut rest, mut nth) = (String::new(), template, 0);
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, after) = behind.split_once('}').unwrap();
            nth += 1;
            path += before;
            path += match odd.filter(|_| nth == holes) {
                Some(odd) => odd,
                None => self.real(name, before),
            };
            rest = after;
        }
        path + rest
    }

    fn real(&self, name: &str, before: &str) -> &str {
        match name {
            "id" if before.ends_with("/runs/") => &self.run,
            "id" if before.ends_with("/freezes/") => &self.freeze,
            "id" => &self.definition,
            "seriesId" => &self.series,
            "slug" if before.ends_with("/series/") => "autumn",
            "slug" => "fridays",
            "slot" => "2027-03-05T20:00",
            "stepId" => "hail",
            "sourceId" => "demo.options.places",
            "version" | "other" => "1",
            name => panic!("nothing stands for {{{name}}}: say what"),
        }
    }
}

/// One operation of the document.
struct Route<'a> {
    method: String,
    template: &'a str,
    told: &'a Value,
    document: &'a Value,
}

impl<'a> Route<'a> {
    fn all(document: &'a Value) -> Vec<Self> {
        let paths = document["paths"].as_object().unwrap();
        let of_path = |(template, item): (&'a String, &'a Value)| {
            let of_method =
                move |(method, told): (&String, &'a Value)| Self { method: method.to_uppercase(), template, told, document };
            item.as_object().unwrap().iter().map(of_method).collect::<Vec<_>>()
        };
        paths.iter().flat_map(of_path).collect()
    }

    fn call<'b>(&self, bench: &'b Bench, path: &str) -> Call<'b> {
        let call = bench.call(&self.method, path);
        let call = if self.is_of_links() { call.by_link() } else { call.by(bench.person(Role::Admin)) };
        if self.takes("If-Match") { call.tag("\"1\"") } else { call }
    }

    /// Whether links that dial in are let in there, and they alone.
    fn is_of_links(&self) -> bool {
        self.told["security"][0]["link"].is_array()
    }

    fn takes(&self, header: &str) -> bool {
        self.parameters("header").any(|one| one["name"] == header)
    }

    fn parameters(&self, place: &'static str) -> impl Iterator<Item = &'a Value> + use<'a> {
        self.told["parameters"].as_array().unwrap().iter().filter(move |one| one["in"] == place)
    }

    /// The schema of its body, if it takes one.
    fn body(&self) -> Option<&'a Value> {
        self.told.pointer("/requestBody/content/application~1json/schema").map(|schema| self.followed(schema))
    }

    fn followed(&self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(reference) => self.followed(self.document.pointer(&reference[1..]).unwrap()),
            None => schema,
        }
    }

    /// Whether the field may hold this, by the document.
    fn allows(&self, field: &Value, value: &Value) -> bool {
        let whole = json!({"components": self.document["components"], "allOf": [field]});
        jsonschema::validator_for(&whole).unwrap().is_valid(value)
    }

    /// Nothing of ours is broken; what is refused is refused properly.
    #[track_caller]
    fn sound(&self, answer: &Answer, what: &str) {
        let route = format!("{} {} with {what}", self.method, self.template);
        assert!(answer.status.as_u16() < 500, "{route}: {}", answer.text);
        if answer.status.is_client_error() {
            assert_eq!(answer.headers["content-type"], "application/problem+json", "{route}: {}", answer.text);
            assert!(answer.body["code"].as_str().is_some_and(|code| !code.is_empty()), "{route}: {}", answer.text);
        }
    }

    /// It was refused, and this place is among those that are named.
    #[track_caller]
    fn names(&self, answer: &Answer, pointer: &str, what: &str) {
        self.sound(answer, what);
        let errors = answer.body["errors"].as_array().cloned().unwrap_or_default();
        let named = errors.iter().any(|error| error["pointer"].as_str().is_some_and(|named| named.starts_with(pointer)));
        let route = format!("{} {}", self.method, self.template);
        assert!(named, "{route} with {what} does not name {pointer}: {} {}", answer.status, answer.text);
    }
}

async fn document(bench: &Bench) -> Value {
    bench.call("GET", "/api/openapi.json").send().await.is(200)
}

/// Of every type something, and what no type is prepared for.
fn odd_values() -> Vec<Value> {
    let deep = (0..60).fold(json!(1), |inner, _| json!([inner]));
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!(" "),
        json!("'; drop table events; --"),
        json!("\u{202e}\u{feff}\u{1f3ee}"),
        json!("\u{7f}\u{1b}[2J"),
        json!("2027-02-30T25:61:00Z"),
        json!("x".repeat(9_000)),
        json!([]),
        json!([null]),
        json!({}),
        json!({"": {"__proto__": 1}}),
        deep,
    ]
}

#[tokio::test]
async fn no_field_of_any_body_breaks_anything_and_a_wrong_one_is_named() {
    let bench = Bench::controlled(leasehold::engine::settings::Settings::default()).await;
    let (document, there) = (document(&bench).await, There::of(&bench).await);
    let (mut swept, mut named) = (0, 0);
    for route in Route::all(&document) {
        let Some(schema) = route.body() else { continue };
        let path = there.path(route.template, None);
        let fields = schema["properties"].as_object().unwrap_or_else(|| panic!("{} takes what?", route.template));
        for (field, of_field) in fields {
            for value in odd_values() {
                let what = format!("{field}: {}", value.to_string().chars().take(60).collect::<String>());
                let answer = route.call(&bench, &path).json(&json!({field: value})).send().await;
                // Whatever else is missing or stale: a field that cannot be is told before anything is looked at.
                if answer.status == 422 && !route.allows(of_field, &value) {
                    route.names(&answer, &format!("/{field}"), &what);
                    named += 1;
                } else {
                    route.sound(&answer, &what);
                    assert!(answer.status != 200 || route.allows(of_field, &value), "{} takes {what}", route.template);
                }
                swept += 1;
            }
        }
    }
    assert!(swept > 500 && named > 200, "{swept} bodies were sent, and {named} refused by name");
}

#[tokio::test]
async fn no_body_is_taken_that_is_none_or_says_more_than_is_asked() {
    let bench = Bench::controlled(leasehold::engine::settings::Settings::default()).await;
    let (document, there) = (document(&bench).await, There::of(&bench).await);
    for route in Route::all(&document).iter().filter(|route| route.body().is_some() && !route.is_of_links()) {
        let call = || route.call(&bench, &there.path(route.template, None));
        let answer = call().json(&json!({"unheardOf": 1})).send().await;
        route.names(&answer, "/unheardOf", "a field too many");
        for (raw, status, code) in [
            ("{\"a\": 1, \"a\": 2}", 400, "bad_json"),
            ("{\"a\": \"\\u0000\"}", 400, "bad_json"),
            ("{\"a\": \"\\ud800\"}", 400, "bad_json"),
            ("{\"a\": 1e999}", 400, "bad_json"),
            ("{\"a\"", 400, "bad_json"),
            ("\u{feff}{}", 400, "bad_json"),
            ("NaN", 400, "bad_json"),
            ("[1]", 422, "invalid_body"),
            ("7", 422, "invalid_body"),
            ("null", 422, "invalid_body"),
        ] {
            let answer = call().raw(raw).send().await;
            route.sound(&answer, raw);
            assert_eq!((answer.status.as_u16(), answer.body["code"].as_str()), (status, Some(code)), "{} {raw}", route.template);
        }
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let answer = call().raw(format!("{{\"a\": {deep}}}")).send().await;
        route.sound(&answer, "a hundred thousand lists in each other");
        assert_eq!(answer.status, 400, "{}", route.template);
        let answer = call().raw(format!("{{\"a\": \"{}\"}}", "x".repeat(2_000_000))).send().await;
        route.sound(&answer, "two million letters");
        assert_eq!(answer.body["code"], "too_large", "{}", route.template);
        for kind in ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"] {
            let answer = call().header("content-type", kind).bytes("a=1").send().await;
            assert_eq!((answer.status.as_u16(), &answer.body["code"]), (415, &json!("not_json")), "{}", route.template);
        }
    }
}

/// A link's answers are what a game said, so what is odd in them is carried; the shape around them is judged.
#[tokio::test]
async fn at_the_doors_of_links_only_what_is_wrong_is_refused() {
    let bench = Bench::new().await;
    let document = document(&bench).await;
    let doors: Vec<Route<'_>> = Route::all(&document).into_iter().filter(Route::is_of_links).collect();
    assert_eq!(doors.len(), 2);
    for route in &doors {
        let call = || route.call(&bench, route.template);
        for (raw, status, code) in [
            ("", 400, "bad_json"),
            ("{\"a\"", 400, "bad_json"),
            ("{\"a\": \"\\ud800\"}", 400, "bad_json"),
            ("{\"a\": 1e999}", 400, "bad_json"),
            ("\u{feff}{}", 400, "bad_json"),
            ("[1]", 422, "invalid_body"),
            ("null", 422, "invalid_body"),
            ("{\"session\": \"x\", \"answers\": []}", 410, "session_over"),
        ] {
            call().raw(raw).send().await.problem(status, code);
        }
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        call().raw(format!("{{\"a\": {deep}}}")).send().await.problem(400, "bad_json");
        call().raw(format!("{{\"a\": \"{}\"}}", "x".repeat(4 * 1024 * 1024))).send().await.problem(413, "too_large");
        for kind in ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"] {
            call().header("content-type", kind).bytes("a=1").send().await.problem(415, "not_json");
        }
        bench.call("GET", route.template).by_link().send().await.problem(405, "method_not_allowed");
    }
    let post = |what: &str, body: &Value| bench.call("POST", &format!("/api/v1/link/{what}")).by_link().json(body).send();
    let begun = post("poll", &json!({"unheardOf": "of a later version"})).await.is(200);
    let (session, odd) = (&begun["session"], json!({"\u{0}": ["\u{0}", 9_007_199_254_740_993_u64]}));
    assert_eq!(begun["requests"], json!([]));
    let told = |answers: Value| post("answer", &json!({"session": session, "answers": answers}));
    told(json!([{"n": 7, "status": 200, "body": odd, "unheardOf": 1}])).await.is(200);
    let wrong = json!([{"n": -1, "status": 600}, {"n": 1, "status": 200, "body": null}, 7]);
    let problem = told(wrong).await.problem(422, "invalid_body");
    let expected = [
        ("/answers/0/n", "out_of_range"),
        ("/answers/0/status", "out_of_range"),
        ("/answers/0/body", "required"),
        ("/answers/2", "wrong_type"),
    ];
    assert_eq!(faults(&problem), expected);
    let many: Vec<Value> = (0..257).map(|n| json!({"n": n, "status": 200, "body": null})).collect();
    let problem = told(json!(many)).await.problem(422, "invalid_body");
    assert_eq!(faults(&problem), [("/answers", "wrong_length")]);
    let problem = post("poll", &json!({"session": session, "waitMs": 30_001})).await.problem(422, "invalid_body");
    assert_eq!(faults(&problem), [("/waitMs", "out_of_range")]);
    post("poll", &json!({"session": session, "after": i64::MAX})).await.is(200);
}

/// Of a path's last part: none of them is anything, and none is a fault of ours.
const ODD_NAMES: [&str; 9] =
    ["%00", "%ff%fe", "..%2f..%2fetc", "%F0%9F%8F%AE", "' or 1=1", "null", "-1", "18446744073709551616", "%7B%7D"];

#[tokio::test]
async fn no_address_no_query_and_no_header_breaks_anything() {
    let bench = Bench::controlled(leasehold::engine::settings::Settings::default()).await;
    let (document, there) = (document(&bench).await, There::of(&bench).await);
    for route in &Route::all(&document) {
        let path = there.path(route.template, None);
        if route.template.contains('{') {
            for odd in ODD_NAMES.iter().map(|odd| odd.replace(' ', "%20")).chain(["x".repeat(3_000)]) {
                let body = if route.body().is_some() { "{\"reason\": \"x\"}" } else { "" };
                let call = route.call(&bench, &there.path(route.template, Some(&odd)));
                let call = if body.is_empty() { call } else { call.raw(body) };
                route.sound(&call.send().await, &format!("{odd} in its path"));
            }
        }
        // What is asked and not known is refused by name; what writes is not asked here, for it would.
        if route.method == "GET" && route.template.starts_with("/api/v1") {
            let answer = route.call(&bench, &format!("{path}?unheardOf=1")).send().await;
            route.names(&answer, "?unheardOf", "a parameter too many");
            for parameter in route.parameters("query").map(|one| one["name"].as_str().unwrap()) {
                for odd in ["", "%00", "%ff", "-1", "1e9", "99999999999999999999", "x,,y", "%F0%9F%8F%AE", "2027-13-01T00:00:00Z"]
                {
                    let answer = route.call(&bench, &format!("{path}?{parameter}={odd}")).send().await;
                    route.sound(&answer, &format!("?{parameter}={odd}"));
                }
                let twice = route.call(&bench, &format!("{path}?{parameter}=1&{parameter}=2")).send().await;
                assert_eq!(twice.status, 422, "{} takes {parameter} twice: {}", route.template, twice.text);
            }
        }
        if route.takes("If-Match") {
            for odd in ["", "7", "\"", "\"x\"", "W/\"1\"", "\"99999999999999999999\"", "*,*", "\"0\""] {
                let call = bench.call(&route.method, &path).by(bench.person(Role::Admin)).tag(odd);
                let call = if route.body().is_some() { call.raw("{}") } else { call };
                let answer = call.send().await;
                route.sound(&answer, &format!("If-Match: {odd}"));
                assert!(answer.status.is_client_error(), "{} {odd}: {}", route.template, answer.text);
            }
        }
        if route.takes("Idempotency-Key") {
            for odd in ["", " ", "a b", &"x".repeat(256), "\u{e9}"] {
                let call = route.call(&bench, &path).header("idempotency-key", odd);
                let call = if route.body().is_some() { call.raw("{}") } else { call };
                let answer = call.send().await;
                route.names(&answer, "Idempotency-Key", &format!("the key {odd:?}"));
            }
        }
    }
    assert!(bench.admin("GET", "").send().await.is(200)["items"].as_array().is_some_and(|items| !items.is_empty()));
}

/// A link that is opened, a form of another site, a page that posts text: none of them does anything (field report A09).
#[tokio::test]
async fn no_route_that_writes_can_be_made_to_by_a_browser_that_somebody_else_leads() {
    let bench = Bench::new().await;
    let id = bench.publish(&quiet("quiet")).await;
    let (document, there) = (document(&bench).await, There::of(&bench).await);
    let admin = bench.person(Role::Admin);
    let basic = format!("Basic {}", STANDARD.encode(format!("admin:{}", admin.token)));
    let before = bench.head().await;
    for route in Route::all(&document).iter().filter(|route| route.method != "GET") {
        let path = there.path(route.template, None);
        let told = |answer: &Answer| (answer.status.as_u16(), answer.body["code"].as_str().unwrap_or_default().to_owned());
        // What a browser sends by itself opens nothing here: neither a cookie nor a password that it remembers.
        for (name, value) in [("cookie", format!("session={0}; token={0}", admin.token)), ("authorization", basic.clone())] {
            let call =
                bench.call(&route.method, &path).tag("\"1\"").header(name, &value).header("origin", "https://elsewhere.example");
            let answer = call.raw("{}").send().await;
            assert_eq!(told(&answer), (401, "unauthorized".into()), "{} {} by {name}", route.method, route.template);
        }
        for kind in ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"] {
            let call = bench.call(&route.method, &path).header("content-type", kind).header("authorization", "Bearer of-nobody");
            let answer = call.bytes("reason=x").send().await;
            assert_eq!(told(&answer), (401, "unauthorized".into()), "{} {} as {kind}", route.method, route.template);
        }
        let read = bench.call("GET", &path).by(admin).send().await;
        assert!(
            read.status == 405
                || Route::all(&document).iter().any(|other| other.method == "GET" && other.template == route.template),
            "{path}: {}",
            read.text
        );
    }
    let start = events(&format!("/{id}/runs"));
    bench.call("GET", &start).by(admin).send().await.problem(405, "method_not_allowed");
    let form = bench.call("POST", &start).by(admin).header("content-type", "application/x-www-form-urlencoded").bytes("a=1");
    form.send().await.problem(415, "not_json");
    bench.call("POST", &start).by(admin).header("content-type", "text/plain").bytes("{}").send().await.problem(415, "not_json");
    assert_eq!(bench.head().await, before, "nothing was done");
    bench.call("POST", &start).by(admin).header("origin", "https://elsewhere.example").raw("{}").send().await.is(201);
}
