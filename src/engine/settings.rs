//! The deployment's numbers. Each is an environment variable and a flag, and is told by `GET /api/v1/admin/settings`.

use clap::Args;
use leasehold_aggregates::run::Limits;
use serde::Serialize;

#[derive(Debug, Clone, Args, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// Attempts at one step, 1 to 20.
    #[arg(long, env = "LEASEHOLD_STEP_ATTEMPTS", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub step_attempts: u32,
    /// Seconds between two attempts at a step or an undo, 1 to 86,400.
    #[arg(long, env = "LEASEHOLD_STEP_RETRY_SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub step_retry_seconds: u64,
    /// Automatic attempts at one step's undo before it is left for a person, 1 to 100.
    #[arg(long, env = "LEASEHOLD_UNDO_ATTEMPTS", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub undo_attempts: u32,
    /// Seconds beyond an action's own budget before its claim expires, 1 to 3,600.
    #[arg(long, env = "LEASEHOLD_CLAIM_MARGIN_SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub claim_margin_seconds: u64,
    /// Seconds for which games are trusted to remember a key, 60 to 86,400.
    #[arg(long, env = "LEASEHOLD_KEY_MEMORY_SECONDS", default_value_t = 3_600, value_parser = clap::value_parser!(u64).range(60..=86_400))]
    pub key_memory_seconds: u64,
    /// Seconds for which a gate waits for its signals before the run counts as stalled, 1 to 2,592,000.
    #[arg(long, env = "LEASEHOLD_STALL_SECONDS", default_value_t = 3_600, value_parser = clap::value_parser!(u64).range(1..=2_592_000))]
    pub stall_seconds: u64,
    /// How many firings may lead from one to the next before one is refused, 0 to 100.
    #[arg(long, env = "LEASEHOLD_HOP_BUDGET", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub hop_budget: u32,
    /// Days ahead for which occurrences are made, 1 to 60.
    #[arg(long, env = "LEASEHOLD_HORIZON_DAYS", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub horizon_days: u32,
    /// Seconds after which a loop of the engine that has not looked at its work is told as standing still, 3 to 3,600.
    #[arg(long, env = "LEASEHOLD_LOOP_PATIENCE_SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(3..=3_600))]
    pub loop_patience_seconds: u64,
    /// Days after which the words in the log of a run that is over are deleted, 1 to 36,500. Unset: never.
    #[arg(long = "retain-run-log", env = "LEASEHOLD_RETAIN_RUN_LOG", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub retain_run_log_days: Option<u32>,
    /// Where the outside reaches this engine, such as `https://events.example.org`: what feeds link to. Unset: they link
    /// nowhere.
    #[arg(long, env = "LEASEHOLD_PUBLIC_URL", value_parser = public_url)]
    pub public_url: Option<String>,
}

/// An address of the web without its last slash.
fn public_url(text: &str) -> Result<String, String> {
    let scheme = ["http://", "https://"].into_iter().find_map(|scheme| text.strip_prefix(scheme));
    match scheme.map(|rest| rest.trim_end_matches('/')) {
        Some(rest) if !rest.is_empty() && rest.chars().all(|c| c.is_ascii_graphic() && !"\"<>?#\\".contains(c)) => {
            Ok(text.trim_end_matches('/').to_owned())
        }
        _ => Err("must be an address such as https://events.example.org".into()),
    }
}

impl Settings {
    /// The numbers that govern steps and undos.
    pub fn limits(&self) -> Limits {
        Limits {
            attempts: self.step_attempts,
            undo_attempts: self.undo_attempts,
            retry_seconds: self.step_retry_seconds,
            claim_margin_seconds: self.claim_margin_seconds,
            key_memory_seconds: self.key_memory_seconds,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            step_attempts: 3,
            step_retry_seconds: 60,
            undo_attempts: 3,
            claim_margin_seconds: 60,
            key_memory_seconds: 3_600,
            stall_seconds: 3_600,
            hop_budget: 4,
            horizon_days: 14,
            loop_patience_seconds: 60,
            retain_run_log_days: None,
            public_url: None,
        }
    }
}
