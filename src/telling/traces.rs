//! Traces: spans of what the engine does, sent to an OpenTelemetry collector where one is named in the environment
//! (`OTEL_EXPORTER_OTLP_ENDPOINT`, over HTTP). Spans are made below the level at which the engine logs by default, so that
//! without a collector they cost next to nothing.
//!
//! Whoever does the work puts a finished span into a bounded queue and goes on; a thread sends what is there in batches. A
//! queue that is full drops spans. A collector that is away slows nothing down, and is told once.

use std::env;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use axum::http::HeaderMap;
use opentelemetry::KeyValue;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{TraceContextExt, TracerProvider};
use opentelemetry_http::{Bytes, HeaderExtractor, HeaderInjector, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::runtime::Handle;
use tracing::subscriber::Interest;
use tracing::{Metadata, Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::registry::LookupSpan;

/// Either of them names the collector.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
/// How long a collector may take for one batch.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long the last batch may take when the process ends.
const GOODBYE: Duration = Duration::from_secs(2);
/// Most bytes of a collector's answer that are read.
const LONGEST_ANSWER: usize = 64 * 1024;

/// The way to a collector.
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Begins to send spans where the environment names a collector; none where it does not.
    pub fn start(runtime: &Handle) -> Result<Option<Self>, ExporterBuildError> {
        let named = |name: &str| env::var(name).is_ok_and(|value| !value.trim().is_empty());
        if !ENDPOINTS.into_iter().any(named) || env::var("OTEL_SDK_DISABLED").is_ok_and(|off| off == "true") {
            return Ok(None);
        }
        let exporter = SpanExporter::builder().with_http().with_http_client(Carrier::new(runtime)?).build()?;
        let resource = Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
        let resource = match env::var("OTEL_SERVICE_NAME") {
            Ok(_) => resource,
            Err(_) => resource.with_service_name("leasehold"),
        };
        Ok(Some(Self(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build()).build())))
    }

    /// What makes traces of the engine's own spans, whatever is logged.
    pub fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span>,
    {
        // Asked anew for every span: what a callsite that is always enabled leaves unasked would be judged by the answer to
        // whichever callsite was asked before it on this thread.
        let ours = |metadata: &Metadata<'_>| metadata.is_span() && metadata.target().starts_with("leasehold");
        let asked = move |metadata: &Metadata<'_>| if ours(metadata) { Interest::sometimes() } else { Interest::never() };
        let ours = dynamic_filter_fn(move |metadata, _| ours(metadata)).with_callsite_filter(asked);
        let layer =
            tracing_opentelemetry::layer().with_tracer(self.0.tracer("leasehold")).with_location(false).with_threads(false);
        layer.with_filter(ours)
    }

    /// Sends what is left.
    pub fn stop(self) {
        // Whatever stood in the way was told when it began to.
        let _ = self.0.shutdown_with_timeout(GOODBYE);
    }
}

/// Makes `span` part of the trace that a request names in `traceparent`, if it names one.
pub fn adopt(span: &Span, headers: &HeaderMap) {
    let context = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
    if context.span().span_context().is_valid() {
        // Refused only where nobody traces.
        let _ = span.set_parent(context);
    }
}

/// The `traceparent` of what is being done now; none where nobody traces.
pub fn traceparent() -> Option<Arc<str>> {
    let mut headers = HeaderMap::new();
    TraceContextPropagator::new().inject_context(&Span::current().context(), &mut HeaderInjector(&mut headers));
    headers.get("traceparent").and_then(|value| value.to_str().ok()).map(Arc::from)
}

/// Carries batches to the collector: the exporter's thread waits, the program's own threads send.
#[derive(Debug)]
struct Carrier {
    http: reqwest::Client,
    runtime: Handle,
    away: Arc<AtomicBool>,
}

impl Carrier {
    fn new(runtime: &Handle) -> Result<Self, ExporterBuildError> {
        let http = reqwest::Client::builder().timeout(PATIENCE).build();
        let http = http.map_err(|error| ExporterBuildError::InternalFailure(error.to_string()))?;
        Ok(Self { http, runtime: runtime.clone(), away: Arc::default() })
    }

    fn tell(&self, trouble: Option<&str>) {
        match (trouble, self.away.swap(trouble.is_some(), Ordering::Relaxed)) {
            (Some(trouble), false) => tracing::warn!(trouble, "the collector does not take traces; they are lost until it does"),
            (None, true) => tracing::info!("the collector takes traces again"),
            _ => {}
        }
    }
}

#[async_trait]
impl HttpClient for Carrier {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let http = self.http.clone();
        let sent = self.runtime.spawn(async move { send(&http, request).await }).await.map_err(Into::into).flatten();
        match &sent {
            Ok(response) if response.status().is_success() => self.tell(None),
            Ok(response) => self.tell(Some(response.status().as_str())),
            Err(error) => self.tell(Some(&error.to_string())),
        }
        sent
    }
}

async fn send(http: &reqwest::Client, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let mut answer = http.execute(request.try_into()?).await.map_err(reqwest::Error::without_url)?;
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        if body.len() + chunk.len() > LONGEST_ANSWER {
            return Err("the collector's answer is too long".into());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Response::builder().status(answer.status()).body(body.into())?)
}
