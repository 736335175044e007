//! Every metric, by what it is about. `docs/metrics.txt` is this list, compared in a test.

use super::metric::Metric;

/// Bounds of a histogram of what is quick: from half a millisecond to ten seconds.
const QUICK: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// Bounds of a histogram of how many at once.
const MANY: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

// This process.
pub const BUILD_INFO: Metric = Metric::gauge(
    "leasehold_build_info",
    &["version", "schema"],
    "Always 1; the program's version, and the newest migration it carries.",
);
pub const STARTED: Metric =
    Metric::gauge("process_start_time_seconds", &[], "When the engine of this process started, in seconds since 1970.");
pub const CONNECTIONS: Metric =
    Metric::gauge("leasehold_database_connections", &["state"], "Connections to the database that are idle or used.");
pub const CONNECTIONS_MOST: Metric =
    Metric::gauge("leasehold_database_connections_most", &[], "Connections that this process may open.");
pub const DATABASE_UP: Metric = Metric::gauge(
    "leasehold_database_up",
    &[],
    "Whether the database answered this look; 0: the deployment's figures are left out.",
);
pub const REFUSALS: Metric = Metric::counter(
    "leasehold_refusals_total",
    &["status", "code"],
    "Requests that were answered with a problem document, by its status and code.",
);

// Writing the log.
pub const APPENDS: Metric =
    Metric::counter("leasehold_appends_total", &["outcome"], "Commands handed to the log, by what came of each.");
pub const APPEND_SECONDS: Metric = Metric::histogram(
    "leasehold_append_seconds",
    QUICK,
    &["outcome"],
    "Seconds from handing a command to the log to its answer.",
);
pub const APPEND_BATCH: Metric =
    Metric::histogram("leasehold_append_batch_commands", MANY, &[], "Commands that were committed in one transaction.");
pub const APPENDS_WAITING: Metric =
    Metric::gauge("leasehold_appends_waiting", &[], "Commands that wait for the next transaction of the log.");
pub const EVENTS: Metric =
    Metric::counter("leasehold_events_total", &["type"], "Events that this process has appended, by type.");
pub const FOLDS: Metric = Metric::counter(
    "leasehold_folds_total",
    &["from"],
    "Aggregates that were made ready for a decision: from memory, from memory and what had been added, or from the whole stream.",
);

// The log, for the whole deployment.
pub const HEAD: Metric = Metric::gauge("leasehold_log_head_position", &[], "The newest position of the log.");

/// All of them, in the order in which they are documented.
pub const ALL: &[&Metric] = &[
    &BUILD_INFO,
    &STARTED,
    &CONNECTIONS,
    &CONNECTIONS_MOST,
    &DATABASE_UP,
    &REFUSALS,
    &APPENDS,
    &APPEND_SECONDS,
    &APPEND_BATCH,
    &APPENDS_WAITING,
    &EVENTS,
    &FOLDS,
    &HEAD,
];
