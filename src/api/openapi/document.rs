//! The document, from the operations, the gates in front of them, and what holds everywhere.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use strum::IntoEnumIterator;

use super::operation::{Operation, Shape};
use super::{operations, parameters, schemas};
use crate::api::Gate;
use leasehold_aggregates::account::Role;

/// Of these routes: method, address and gate.
pub fn document(routes: &[(&'static str, &'static str, Gate)]) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for operation in operations::all() {
        let gate = routes.iter().find(|(method, path, _)| (*method, *path) == (operation.method, operation.path));
        let Some((method, path, gate)) = gate else { continue };
        let item = paths.entry(*path).or_insert_with(|| json!({}));
        item[method.to_lowercase()] = told(operation, *gate);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Leasehold",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Scheduled, bounded, audited changes to a live game world, and back. Fields are camelCase, words of closed sets \
                            snake_case; instants are RFC 3339 in UTC. What is not known is refused, never ignored.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas::all(),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "The token of an account."},
                "link": {"type": "http", "scheme": "bearer", "description": "The token of a link that dials in. It opens nothing else."},
            },
        },
    })
}

fn told(operation: &Operation, gate: Gate) -> Value {
    let mut told = json!({
        "operationId": id(operation),
        "summary": operation.summary,
        "tags": [tag(operation.path)],
        "parameters": parameters_of(operation, gate),
        "responses": responses(operation, gate),
        "x-roles": roles(gate),
    });
    match gate {
        Gate::Everybody => {}
        Gate::Accounts | Gate::Roles(_) => told["security"] = json!([{"token": []}]),
        Gate::Link => told["security"] = json!([{"link": []}]),
    }
    if let Some(body) = operation.body {
        let content = json!({"application/json": {"schema": reference(body.schema)}});
        told["requestBody"] = json!({"required": body.required, "content": content});
    }
    told
}

/// Every role that is let through; `link` is a link that dials in, `nobody` who has no account.
fn roles(gate: Gate) -> Vec<String> {
    let roles = Role::iter().filter(|role| gate.admits(*role)).map(|role| role.to_string());
    let others = [("link", gate.admits_links()), ("nobody", gate == Gate::Everybody)];
    roles.chain(others.into_iter().filter(|(_, admitted)| *admitted).map(|(name, _)| name.to_owned())).collect()
}

/// Unique, from method and address: `postAdminEventsByIdPublish`.
fn id(operation: &Operation) -> String {
    let mut id = operation.method.to_lowercase();
    let path = operation.path.trim_start_matches("/api/v1").trim_start_matches("/api");
    for part in path.split(['/', '.', '-']).filter(|part| !part.is_empty()) {
        let named = part.trim_matches(['{', '}']);
        let by = if named == part { "" } else { "By" };
        let (first, rest) = named.split_at(1);
        id.extend([by, &first.to_uppercase(), rest]);
    }
    id
}

fn tag(path: &str) -> &'static str {
    match path {
        path if path.starts_with("/api/v1/public") => "public",
        path if path.starts_with("/api/v1/link") => "link",
        path if path.starts_with("/api/v1/admin/events/runs") => "runs",
        path if path.starts_with("/api/v1/admin/events") => "definitions",
        _ => "machine",
    }
}

fn parameters_of(operation: &Operation, gate: Gate) -> Vec<Value> {
    let header = |name: &str, required: bool, description: &str| json!({"name": name, "in": "header", "required": required, "description": description, "schema": {"type": "string"}});
    let key = "Told again with the same request, it is answered as the first time and does nothing; for a day.";
    let revision =
        operation.revised.then(|| header("If-Match", true, "The revision that the edit rests on: the ETag of a read."));
    let once = (operation.method == "POST" && gate != Gate::Link).then(|| header("Idempotency-Key", false, key));
    let query = operation.query.iter().map(|name| parameters::query(name));
    parameters::path(operation.path).chain(query).chain(revision).chain(once).collect()
}

fn responses(operation: &Operation, gate: Gate) -> Value {
    let mut responses: BTreeMap<u16, Value> = BTreeMap::new();
    for (status, shape) in operation.answers {
        responses.insert(*status, answer(*status, *shape));
    }
    let mut refusals: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for (status, code) in everywhere(operation, gate).into_iter().chain(operation.problems.iter().copied()) {
        refusals.entry(status).or_default().push(code);
    }
    for (status, codes) in refusals {
        let content = json!({"application/problem+json": {"schema": {
            "allOf": [reference("Problem"), {"properties": {"code": {"enum": codes}}}],
        }}});
        let refusal = json!({"description": codes.join(", "), "content": content});
        // Readiness is told in its own shape.
        responses.entry(status).or_insert(refusal);
    }
    json!(responses.into_iter().map(|(status, told)| (status.to_string(), told)).collect::<BTreeMap<_, _>>())
}

/// Refusals that follow from what an operation is.
fn everywhere(operation: &Operation, gate: Gate) -> Vec<(u16, &'static str)> {
    // At the doors of links nothing is read from the log and nothing is written.
    let (link, writes) = (gate == Gate::Link, operation.method != "GET" && gate != Gate::Link);
    let mut codes = vec![(500, "internal")];
    let mut when = |holds: bool, more: &[(u16, &'static str)]| codes.extend(more.iter().filter(|_| holds));
    when(!link, &[(503, "database_unavailable")]);
    when(gate != Gate::Everybody, &[(401, "unauthorized")]);
    when(matches!(gate, Gate::Accounts | Gate::Roles(_)), &[(403, "account_disabled")]);
    when(matches!(gate, Gate::Roles(_)), &[(403, "role_required")]);
    when(operation.path.contains('{'), &[(404, "not_found")]);
    when(operation.body.is_some(), &[(400, "bad_json"), (413, "too_large"), (415, "not_json")]);
    when(operation.body.is_some() || !operation.query.is_empty(), &[(422, "invalid_body")]);
    when(operation.query.contains(&"minPosition"), &[(503, "not_yet")]);
    when(operation.revised, &[(400, "bad_if_match"), (412, "stale_revision"), (428, "if_match_required")]);
    when(writes, &[(409, "moved_on"), (503, "busy"), (503, "outcome_unknown"), (503, "read_only_rewound")]);
    codes
}

fn answer(status: u16, shape: Shape) -> Value {
    let description = match status {
        201 => "Made.",
        304 => "What the caller has is still so.",
        503 => "Not ready.",
        _ => "Done.",
    };
    let content = match shape {
        Shape::Empty => return json!({"description": description}),
        Shape::Text(kind) => json!({kind: {"schema": {"type": "string"}}}),
        Shape::Json(name) => json!({"application/json": {"schema": reference(name)}}),
        Shape::Page(name) => json!({"application/json": {"schema": {
            "type": "object",
            "required": ["items", "nextPageToken"],
            "properties": {"items": {"type": "array", "items": reference(name)}, "nextPageToken": {"type": ["string", "null"]}},
        }}}),
    };
    json!({"description": description, "content": content})
}

fn reference(schema: &str) -> Value {
    if schema.is_empty() { json!({"type": "object"}) } else { json!({"$ref": format!("#/components/schemas/{schema}")}) }
}
