//! Where metrics are kept until somebody looks.
//!
//! Two kinds of figures: those of this process are counted as things happen, in a recorder that is installed once; those of
//! the deployment are read when somebody looks, into a recorder of that one look, so that no series outlives what it is
//! about and any engine answers for all.

use std::sync::OnceLock;
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use tokio_util::sync::CancellationToken;

use super::catalogue::ALL;
use super::metric::Kind;

/// The content type of [`exposition`].
pub const EXPOSITION: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Between two times of putting away.
const TIDY: Duration = Duration::from_secs(10);

static PROCESS: OnceLock<Process> = OnceLock::new();

/// The figures of this process.
#[derive(Clone)]
pub struct Process(PrometheusHandle);

impl Process {
    /// Keeps what this process tells from now on. A second call gives what the first has made.
    pub fn install() -> &'static Self {
        PROCESS.get_or_init(|| {
            let recorder = recorder();
            let process = Self(recorder.handle());
            // Somebody else's recorder may be there already, in a program that embeds the engine: then ours stays empty.
            if metrics::set_global_recorder(recorder).is_ok() {
                describe_all();
            }
            process
        })
    }

    /// What has been told so far; none before [`Self::install`].
    pub fn exposition() -> String {
        PROCESS.get().map(|process| process.0.render()).unwrap_or_default()
    }

    /// Puts away what histograms have gathered, now and then until `stop` is cancelled: memory would grow where nobody
    /// ever looks.
    pub async fn keep_tidy(&self, stop: CancellationToken) {
        while stop.run_until_cancelled(tokio::time::sleep(TIDY)).await.is_some() {
            self.0.run_upkeep();
        }
    }
}

/// What `tell` tells, and nothing else, in the text format of Prometheus.
pub fn exposition(tell: impl FnOnce()) -> String {
    let recorder = recorder();
    metrics::with_local_recorder(&recorder, || {
        describe_all();
        tell();
    });
    recorder.handle().render()
}

fn describe_all() {
    for metric in ALL {
        metric.describe();
    }
}

fn recorder() -> PrometheusRecorder {
    let builder = PrometheusBuilder::new();
    let histograms = ALL.iter().filter_map(|metric| match metric.kind {
        Kind::Histogram(bounds) => Some((Matcher::Full(metric.name.to_owned()), bounds)),
        _ => None,
    });
    histograms
        .fold(builder, |builder, (name, bounds)| {
            builder.set_buckets_for_metric(name, bounds).expect("no histogram of the catalogue is without bounds")
        })
        .build_recorder()
}
