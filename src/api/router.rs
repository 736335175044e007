//! Every route, with its gate: there is no other place where a route is named, so none is without one.

use axum::Router;
use axum::handler::Handler;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodFilter, MethodRouter, on};
use leasehold_aggregates::account::Role;
use strum::IntoEnumIterator;
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use super::dialled::{self, Doors};
use super::gate::Effect;
use super::{
    Api, Gate, Problem, actions, allowances, alter, calendar, catalog, definitions, freezes, gate, health, identity, in_force,
    keyed, log, members, metrics, occurrences, openapi, page_gate, player, problem, public, runs, series, settings, stop, traced,
};

/// One route: its method, its address and whom it lets through.
struct Route {
    method: &'static str,
    path: &'static str,
    gate: Gate,
    effect: Effect,
    handler: MethodRouter<Api>,
}

fn route<H, T>(method: &'static str, path: &'static str, gate: Gate, handler: H) -> Route
where
    H: Handler<T, Api>,
    T: 'static,
{
    let filter = match method {
        "POST" => MethodFilter::POST,
        "PUT" => MethodFilter::PUT,
        "DELETE" => MethodFilter::DELETE,
        _ => MethodFilter::GET,
    };
    let effect = if method == "GET" { Effect::Reads } else { Effect::Writes };
    Route { method, path, gate, effect, handler: on(filter, handler) }
}

/// A route that is posted to and changes nothing.
fn calculates(route: Route) -> Route {
    Route { effect: Effect::Reads, ..route }
}

fn routes() -> Vec<Route> {
    use Gate as G;
    vec![
        route("GET", "/healthz", G::Everybody, health::healthz),
        route("GET", "/readyz", G::Everybody, health::readyz),
        route("GET", "/metrics", G::Everybody, metrics::handle),
        route("GET", "/api/openapi.json", G::Everybody, openapi::json),
        route("GET", "/api/docs", G::Everybody, openapi::docs),
        route("GET", "/api/v1/public/events", G::Everybody, public::list::handle),
        route("GET", "/api/v1/public/events.ics", G::Everybody, public::feed::of_all),
        route("GET", "/api/v1/public/events/calendar", G::Everybody, public::calendar::handle),
        route("GET", "/api/v1/public/events/{slug}", G::Everybody, public::event::handle),
        route("GET", "/api/v1/public/events/series/{slug}", G::Everybody, public::series::handle),
        route("GET", "/api/v1/me", G::Accounts, identity::handle),
        route("GET", "/api/v1/player/events/history", G::Accounts, player::history),
        route("PUT", "/api/v1/admin/members/{id}", G::ADMINS, members::link),
        route("DELETE", "/api/v1/admin/members/{id}", G::ADMINS, members::erase),
        route("GET", "/api/v1/admin/settings", G::STAFF, settings::handle),
        route("GET", "/api/v1/admin/log", G::ADMINS, log::handle),
        route("GET", "/api/v1/admin/in-force", G::STAFF, in_force::handle),
        route("GET", "/api/v1/admin/events", G::STAFF, definitions::list::handle),
        route("POST", "/api/v1/admin/events", G::AUTHORS, definitions::create::handle),
        route("GET", "/api/v1/admin/events/{id}", G::STAFF, definitions::read::handle),
        route("PUT", "/api/v1/admin/events/{id}", G::AUTHORS, definitions::save::handle),
        route("DELETE", "/api/v1/admin/events/{id}", G::ADMINS, definitions::archive::handle),
        route("POST", "/api/v1/admin/events/{id}/publish", G::ADMINS, definitions::publish::handle),
        route("GET", "/api/v1/admin/events/{id}/versions", G::STAFF, definitions::versions::handle),
        route("GET", "/api/v1/admin/events/{id}/versions/{version}", G::STAFF, definitions::version::handle),
        route("GET", "/api/v1/admin/events/{id}/versions/{version}/diff", G::STAFF, definitions::difference::of_draft),
        route("GET", "/api/v1/admin/events/{id}/versions/{version}/diff/{other}", G::STAFF, definitions::difference::of_versions),
        route("POST", "/api/v1/admin/events/{id}/copy", G::AUTHORS, definitions::copy::handle),
        route("POST", "/api/v1/admin/events/{id}/verify", G::AUTHORS, definitions::verify::handle),
        route("POST", "/api/v1/admin/events/{id}/runs", G::ADMINS, definitions::start::handle),
        route("GET", "/api/v1/admin/events/calendar", G::STAFF, calendar::read::handle),
        route("GET", "/api/v1/admin/events/series", G::STAFF, series::list::handle),
        route("POST", "/api/v1/admin/events/series", G::AUTHORS, series::create::handle),
        route("GET", "/api/v1/admin/events/series/{seriesId}", G::STAFF, series::read::handle),
        route("PUT", "/api/v1/admin/events/series/{seriesId}", G::AUTHORS, series::save::handle),
        route("DELETE", "/api/v1/admin/events/series/{seriesId}", G::AUTHORS, series::delete::handle),
        route("GET", "/api/v1/admin/events/actions", G::ADMINS, actions::list::handle),
        route("PUT", "/api/v1/admin/events/actions", G::ADMINS, actions::switch::handle),
        route("GET", "/api/v1/admin/events/catalog", G::STAFF, catalog::read::handle),
        route("GET", "/api/v1/admin/events/catalog/options/{sourceId}", G::STAFF, catalog::options::handle),
        route("POST", "/api/v1/admin/events/{id}/occurrences/{slot}/skip", G::OPERATORS, alter::skip),
        route("POST", "/api/v1/admin/events/{id}/occurrences/{slot}/move", G::ADMINS, alter::shift),
        route("POST", "/api/v1/admin/events/{id}/occurrences/{slot}/restore", G::ADMINS, alter::restore),
        route("GET", "/api/v1/admin/events/freezes", G::STAFF, freezes::list),
        route("POST", "/api/v1/admin/events/freezes", G::ADMINS, freezes::declare),
        route("DELETE", "/api/v1/admin/events/freezes/{id}", G::ADMINS, freezes::lift),
        route("GET", "/api/v1/admin/events/stop", G::STAFF, stop::look),
        route("POST", "/api/v1/admin/events/stop", G::OPERATORS, stop::declare),
        route("DELETE", "/api/v1/admin/events/stop", G::ADMINS, stop::lift),
        route("GET", "/api/v1/admin/events/allowances", G::ADMINS, allowances::list),
        route("PUT", "/api/v1/admin/events/allowances", G::ADMINS, allowances::cap),
        calculates(route("POST", "/api/v1/admin/events/price", G::AUTHORS, definitions::price::handle)),
        route("GET", "/api/v1/admin/events/occurrences", G::STAFF, occurrences::account),
        calculates(route("POST", "/api/v1/admin/events/occurrences", G::STAFF, occurrences::handle)),
        route("GET", "/api/v1/admin/events/runs", G::STAFF, runs::list::handle),
        route("GET", "/api/v1/admin/events/runs/{id}", G::STAFF, runs::read::handle),
        route("GET", "/api/v1/admin/events/runs/{id}/log", G::STAFF, runs::log::handle),
        route("GET", "/api/v1/admin/events/runs/{id}/participants", G::STAFF, runs::results::participants),
        route("POST", "/api/v1/admin/events/runs/{id}/results", G::ADMINS, runs::results::publish),
        route("GET", "/api/v1/admin/events/runs/{id}/replay", G::STAFF, runs::replay::handle),
        route("POST", "/api/v1/admin/events/runs/{id}/pause", G::OPERATORS, runs::control::pause),
        route("POST", "/api/v1/admin/events/runs/{id}/resume", G::OPERATORS, runs::control::resume),
        route("POST", "/api/v1/admin/events/runs/{id}/advance", G::OPERATORS, runs::control::advance),
        route("POST", "/api/v1/admin/events/runs/{id}/cancel", G::OPERATORS, runs::control::cancel),
        route("POST", "/api/v1/admin/events/runs/{id}/cleanup", G::ADMINS, runs::cleanup::handle),
        route("POST", "/api/v1/admin/events/runs/{id}/steps/{stepId}/skip", G::OPERATORS, runs::control::skip),
        route("POST", "/api/v1/admin/events/runs/{id}/steps/{stepId}/retry", G::OPERATORS, runs::control::retry),
        route("POST", "/api/v1/admin/events/runs/{id}/steps/{stepId}/confirm", G::OPERATORS, runs::control::confirm),
    ]
}

/// The whole API, with the plain `page` (at `/`) behind its own gate.
pub fn router(api: Api, page: Router) -> Router {
    router_with_doors(api, page, Doors::default(), CancellationToken::new())
}

/// The same with the `doors` of links that dial in; whoever waits at one is sent away when `stop` is cancelled.
pub fn router_with_doors(api: Api, page: Router, doors: Doors, stop: CancellationToken) -> Router {
    let mut router = Router::new();
    for route in routes() {
        let gate = from_fn_with_state((api.clone(), route.gate, route.effect), gate::check);
        let mut handler = route.handler;
        if route.method == "POST" {
            handler = handler.route_layer(from_fn_with_state((api.clone(), route.path), keyed::once));
        }
        handler = handler.route_layer(gate);
        // Those that anybody may ask are asked all the time, and say nothing of what the engine does.
        if route.gate != Gate::Everybody {
            handler = handler.route_layer(from_fn_with_state((route.method, route.path), traced::request));
        }
        router = router.route(route.path, handler);
    }
    let page = page.route_layer(from_fn_with_state(api.clone(), page_gate::check));
    router
        .with_state(api.clone())
        .merge(page)
        .method_not_allowed_fallback(async || Problem::method_not_allowed())
        .fallback(async || Problem::not_found())
        .layer(from_fn_with_state(api, gate::host))
        .merge(dialled::router(doors, stop))
        .layer(CatchPanicLayer::custom(problem::of_panic))
        .layer(SetResponseHeaderLayer::overriding(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")))
        .layer(SetResponseHeaderLayer::if_not_present(CACHE_CONTROL, HeaderValue::from_static("no-store")))
}

/// Every route, the plain page's and the links' among them: method, address and gate.
pub(super) fn gates() -> Vec<(&'static str, &'static str, Gate)> {
    let page = std::iter::once(("GET", "/", page_gate::GATE));
    let links = dialled::PATHS.map(|path| ("POST", path, Gate::Link));
    page.chain(routes().into_iter().map(|Route { method, path, gate, .. }| (method, path, gate))).chain(links).collect()
}

/// Which role may use which route, as text: one line a route. Beside the roles stand a link that dials in, and nobody.
pub fn role_table() -> String {
    let line = |method: &str, path: &str, cells: Vec<String>| {
        let cells: Vec<String> = cells.into_iter().map(|cell| format!("{cell:<9}")).collect();
        format!("{method:<7} {path:<58} {}", cells.join(" ")).trim_end().to_owned() + "\n"
    };
    let head = Role::iter().map(|role| role.to_string()).chain(["link".to_owned(), "nobody".to_owned()]).collect();
    let yes = |admitted: bool| if admitted { "yes".to_owned() } else { "-".to_owned() };
    let rows = gates().into_iter().map(|(method, path, gate)| {
        let roles = Role::iter().map(|role| yes(gate.admits(role)));
        line(method, path, roles.chain([yes(gate.admits_links()), yes(gate == Gate::Everybody)]).collect())
    });
    std::iter::once(line("method", "path", head)).chain(rows).collect()
}
