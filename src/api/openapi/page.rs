//! The document as a page: rendered here, so that a browser needs no script and loads nothing.

use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY};
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("page.css");

/// Nothing is loaded from anywhere and nothing runs; the one style sheet is told by its digest.
pub fn headers() -> HeaderMap {
    let style = STANDARD.encode(Sha256::digest(STYLE));
    let policy =
        format!("default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    let policy = HeaderValue::try_from(policy).unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"));
    HeaderMap::from_iter([(CONTENT_SECURITY_POLICY, policy), (REFERRER_POLICY, HeaderValue::from_static("no-referrer"))])
}

pub fn of(document: &Value) -> Markup {
    let none = Map::new();
    let paths = document["paths"].as_object().unwrap_or(&none);
    let schemas = document["components"]["schemas"].as_object().unwrap_or(&none);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                title { (text(&document["info"]["title"])) " API" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (text(&document["info"]["title"])) " API " (text(&document["info"]["version"])) }
                p { (text(&document["info"]["description"])) " The document itself: " a href="/api/openapi.json" { "openapi.json" } "." }
                @for (path, item) in paths {
                    @for (method, operation) in item.as_object().unwrap_or(&none) { (self::operation(path, method, operation)) }
                }
                h2 { "Schemas" }
                @for (name, schema) in schemas {
                    details id=(format!("schema-{name}")) {
                        summary { code { (name) } " " (text(&schema["description"])) }
                        pre { (pretty(schema)) }
                    }
                }
            }
        }
    }
}

fn operation(path: &str, method: &str, operation: &Value) -> Markup {
    let none = Vec::new();
    let list = |value: &Value| value.as_array().unwrap_or(&none).clone();
    let roles: Vec<Value> = list(&operation["x-roles"]);
    let roles: Vec<&str> = roles.iter().filter_map(Value::as_str).collect();
    html! {
        details id=(text(&operation["operationId"])) {
            summary { b { (method.to_uppercase()) } " " code { (path) } " " (text(&operation["summary"])) }
            p { "Who: " (roles.join(", ")) }
            @let parameters = list(&operation["parameters"]);
            @if !parameters.is_empty() {
                table {
                    tr { th { "Parameter" } th { "In" } th { "Required" } th { "Says" } th { "Is" } }
                    @for parameter in &parameters {
                        tr {
                            td { code { (text(&parameter["name"])) } }
                            td { (text(&parameter["in"])) }
                            td { @if parameter["required"] == true { "yes" } }
                            td { (text(&parameter["description"])) }
                            td { (shape(&parameter["schema"])) }
                        }
                    }
                }
            }
            @if let Some(content) = operation["requestBody"]["content"].as_object() {
                @for (kind, body) in content {
                    p { "Body (" (kind) @if operation["requestBody"]["required"] != true { ", may be left out" } "): " (shape(&body["schema"])) }
                }
            }
            table {
                tr { th { "Status" } th { "Means" } th { "Holds" } }
                @for (status, response) in operation["responses"].as_object().into_iter().flatten() {
                    tr {
                        td { (status) }
                        td { (text(&response["description"])) }
                        td {
                            @for (kind, body) in response["content"].as_object().into_iter().flatten() {
                                (kind) " " (shape(&body["schema"]))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A schema in a line: by its name where it has one.
fn shape(schema: &Value) -> Markup {
    if let Some(name) = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
        return html! { a href=(format!("#schema-{name}")) { code { (name) } } };
    }
    if schema["type"] == "array" {
        return html! { "list of " (shape(&schema["items"])) };
    }
    if schema["properties"]["items"].is_object() && schema["properties"]["nextPageToken"].is_object() {
        return html! { "page: " (shape(&schema["properties"]["items"])) };
    }
    if let Some(all) = schema["allOf"].as_array() {
        return html! { @for one in all.iter().filter(|one| one["$ref"].is_string()) { (shape(one)) } };
    }
    html! { code { (schema.to_string()) } }
}

fn pretty(schema: &Value) -> String {
    serde_json::to_string_pretty(schema).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
