//! Every metric, by what it is about. `docs/metrics.txt` is this list, compared in a test.

use super::metric::Metric;

/// Bounds of a histogram of what is quick: from half a millisecond to ten seconds.
const QUICK: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// Bounds of a histogram of what may take its time: from a hundredth of a second to five minutes.
const SLOW: &[f64] = &[0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];
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
    Metric::histogram("leasehold_append_batch_commands", MANY, &[], "Commands that were carried into the log together.");
pub const APPENDS_WAITING: Metric = Metric::gauge(
    "leasehold_appends_waiting",
    &[],
    "Commands that waited for the next transaction of the log when the last began.",
);
pub const EVENTS: Metric =
    Metric::counter("leasehold_events_total", &["type"], "Events that this process has appended, by type.");

// What is done in the world, by this process.
pub const DUE_SECONDS: Metric = Metric::histogram(
    "leasehold_due_to_taken_up_seconds",
    SLOW,
    &["kind"],
    "Seconds from the instant at which a staged item was due to its being taken up here.",
);
pub const DISPATCH_WAIT: Metric = Metric::histogram(
    "leasehold_dispatch_due_to_sent_seconds",
    SLOW,
    &["module"],
    "Seconds from the instant at which an attempt at a step was due to its being sent to the module.",
);
pub const DISPATCH_SECONDS: Metric = Metric::histogram(
    "leasehold_dispatch_sent_to_answered_seconds",
    SLOW,
    &["module", "outcome"],
    "Seconds from sending an attempt to the module's answer: done, refused, not_now (nothing happened), unknown (it may have).",
);
pub const UNDO_SECONDS: Metric = Metric::histogram(
    "leasehold_undo_sent_to_answered_seconds",
    SLOW,
    &["module", "outcome"],
    "Seconds from asking for the undo of a step to the answer: done, drifted, failed.",
);
pub const LINK_REACHABLE: Metric = Metric::gauge(
    "leasehold_link_reachable",
    &["scope"],
    "Whether what carries commands to the scope's game answers, as this process saw it last.",
);
pub const LINK_CONNECTED: Metric = Metric::gauge(
    "leasehold_link_game_connected",
    &["scope"],
    "Whether the scope's game has said hello and is on the line, as this process saw it last.",
);
pub const LINK_AGE: Metric = Metric::gauge(
    "leasehold_link_last_answer_age_seconds",
    &["scope"],
    "Seconds since the link or the game of the scope last answered this process; left out before the first answer.",
);
pub const LINK_MEMORY: Metric = Metric::gauge(
    "leasehold_link_key_memory_seconds",
    &["scope"],
    "Seconds for which the scope's game remembers a key, as its hello says; left out where no game is on the line.",
);
pub const MODULES: Metric = Metric::gauge(
    "leasehold_modules",
    &["from", "state"],
    "Modules of this build and of games that declare themselves, by whether they are in force or refused.",
);
pub const PRUNED: Metric = Metric::counter(
    "leasehold_notes_pruned_total",
    &[],
    "Notes past their keeping that this process has deleted, of runs that are over.",
);

// Whether this process is at its work.
pub const HEARTBEAT: Metric = Metric::gauge(
    "leasehold_heartbeat_timestamp_seconds",
    &["loop"],
    "When each loop of this process last looked at its work, in seconds since 1970 by the database's clock.",
);
pub const HEARTBEAT_AGE: Metric = Metric::gauge(
    "leasehold_heartbeat_age_seconds",
    &["loop"],
    "Seconds since each loop of this process last looked at its work, by the process's own monotonic clock.",
);
pub const STALLED: Metric = Metric::gauge(
    "leasehold_loops_stalled",
    &[],
    "Loops of this process that have not looked at their work for longer than the deployment's patience.",
);

// The log and its readers, for the whole deployment.
pub const HEAD: Metric = Metric::gauge("leasehold_log_head_position", &[], "The newest position of the log.");
pub const LAG_EVENTS: Metric = Metric::gauge(
    "leasehold_consumer_lag_events",
    &["consumer"],
    "Events that a consumer of the log, a projection for one, has not dealt with.",
);
pub const LAG_SECONDS: Metric = Metric::gauge(
    "leasehold_consumer_lag_seconds",
    &["consumer"],
    "Seconds since the oldest event that a consumer has not dealt with was recorded; 0 where there is none.",
);
pub const LED: Metric =
    Metric::gauge("leasehold_consumer_led", &["consumer"], "Whether some engine leads the consumer at this moment.");
pub const LEADS: Metric = Metric::gauge("leasehold_consumer_led_here", &["consumer"], "Whether this engine does.");
pub const EPOCH: Metric = Metric::gauge(
    "leasehold_consumer_epoch",
    &["consumer"],
    "How often the leadership of the consumer has changed hands, or its cursor was set back.",
);

// The feeds of games, for the whole deployment.
pub const FEED_POSITION: Metric = Metric::gauge(
    "leasehold_feed_position",
    &["consumer"],
    "The last report of a game's feed that was dealt with, by the feed's own numbers; only while somebody follows it.",
);
pub const FEED_LOST: Metric = Metric::counter(
    "leasehold_feed_lost_total",
    &["module", "scope"],
    "Reports of a game that were not kept any more when this process came to read them.",
);

// The projections that this engine keeps, whoever leads them.
pub const PROJECTION_STOPPED: Metric = Metric::gauge(
    "leasehold_projection_stopped",
    &["projection"],
    "Whether a projection, or what is built in its place, stands in front of an event that it cannot use.",
);
pub const BUILD_POSITION: Metric = Metric::gauge(
    "leasehold_projection_build_position",
    &["projection"],
    "The last position in the rows that are being built beside those that serve; absent where none are.",
);
pub const BUILD_RATE: Metric =
    Metric::gauge("leasehold_projection_build_events_per_second", &["projection"], "How fast that position moves, of late.");
pub const BUILD_LEFT: Metric = Metric::gauge(
    "leasehold_projection_build_seconds_left",
    &["projection"],
    "Seconds until the rows that are being built have caught up, at that rate.",
);

// What is open, for the whole deployment.
pub const DUE: Metric = Metric::gauge(
    "leasehold_due_items",
    &["kind"],
    "Staged items that are due and not carried out; of more than ten thousand, that many.",
);
pub const OVERDUE: Metric =
    Metric::gauge("leasehold_overdue_items", &["kind"], "Those among them that have been due for more than ten seconds.");
pub const DUE_AGE: Metric = Metric::gauge(
    "leasehold_due_oldest_age_seconds",
    &["kind"],
    "Seconds for which the oldest item that is due has been due; 0 where there is none.",
);
pub const RUNS: Metric = Metric::gauge("leasehold_runs", &["status"], "Runs that have not ended, by status.");
pub const RUNS_DEGRADED: Metric =
    Metric::gauge("leasehold_runs_degraded", &["health"], "Runs that have not ended and are not well, by health.");
pub const RUNS_UNCLEAN: Metric = Metric::gauge(
    "leasehold_runs_unclean",
    &["cleanup"],
    "Runs that have ended and have not given back everything, by the state of their cleanup.",
);
pub const LEDGER: Metric = Metric::gauge(
    "leasehold_ledger_unresolved",
    &["status"],
    "Targets in a world that some run holds, or that it let go otherwise than by giving them back.",
);

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
    &DUE_SECONDS,
    &DISPATCH_WAIT,
    &DISPATCH_SECONDS,
    &UNDO_SECONDS,
    &LINK_REACHABLE,
    &LINK_CONNECTED,
    &LINK_AGE,
    &LINK_MEMORY,
    &MODULES,
    &PRUNED,
    &HEARTBEAT,
    &HEARTBEAT_AGE,
    &STALLED,
    &HEAD,
    &LAG_EVENTS,
    &LAG_SECONDS,
    &LED,
    &LEADS,
    &EPOCH,
    &FEED_POSITION,
    &FEED_LOST,
    &PROJECTION_STOPPED,
    &BUILD_POSITION,
    &BUILD_RATE,
    &BUILD_LEFT,
    &DUE,
    &OVERDUE,
    &DUE_AGE,
    &RUNS,
    &RUNS_DEGRADED,
    &RUNS_UNCLEAN,
    &LEDGER,
];
