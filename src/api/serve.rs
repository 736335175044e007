use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{Api, router};

/// Serves until `stop` is cancelled, and then until the requests that are under way have their answers.
pub async fn serve(api: Api, listener: TcpListener, stop: CancellationToken) -> std::io::Result<()> {
    axum::serve(listener, router(api)).with_graceful_shutdown(stop.cancelled_owned()).await
}
