//! What the program says on standard error while it runs, and the traces that it sends.

use std::io::IsTerminal;

use clap::{Args, ValueEnum};
use tokio::runtime::Handle;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

use crate::telling::traces::Traces;

#[derive(Debug, Clone, Args)]
pub struct WordsArgs {
    /// What is told on standard error, e.g. `info` or `leasehold=debug,warn`.
    #[arg(long, env = "LEASEHOLD_LOG", default_value = "info,sqlx=warn", global = true)]
    log_filter: String,
    /// How it is told: lines for people, or one JSON object a line.
    #[arg(long, env = "LEASEHOLD_LOG_FORMAT", value_enum, default_value = "text", global = true)]
    log_format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl WordsArgs {
    /// Begins to tell, and to send traces if `tracing`; what cannot be read is a sentence for whoever set it.
    pub fn begin(&self, runtime: &Handle, tracing: bool) -> Result<Option<Traces>, String> {
        let filter = EnvFilter::try_new(&self.log_filter).map_err(|error| format!("--log-filter cannot be read: {error}"))?;
        let traces = if tracing { Traces::start(runtime) } else { Ok(None) };
        let traces = traces.map_err(|error| format!("traces cannot be sent as the environment says (OTEL_…): {error}"))?;
        let words = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
        let words = match self.log_format {
            Format::Text => words.boxed(),
            Format::Json => words.json().boxed(),
        };
        let subscriber = tracing_subscriber::registry().with(words.with_filter(filter));
        subscriber.with(traces.as_ref().map(Traces::layer)).init();
        Ok(traces)
    }
}
