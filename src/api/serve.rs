use axum::Router;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::Api;
use super::dialled::Doors;
use super::router::router_with_doors;

/// Serves the API and the plain `page` and the doors of links that dial in, until `stop` is cancelled, and then until the requests that are under way have
/// their answers.
pub async fn serve(api: Api, page: Router, doors: Doors, listener: TcpListener, stop: CancellationToken) -> std::io::Result<()> {
    axum::serve(listener, router_with_doors(api, page, doors, stop.clone())).with_graceful_shutdown(stop.cancelled_owned()).await
}
