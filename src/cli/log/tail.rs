//! `leasehold log tail`: events, one JSON object a line, in order of positions.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::Args;

use super::wrong_use;
use crate::cli::Failed;
use crate::log::{Filter, Log, StreamId, TailLine};

/// Events read at once.
const PAGE: u32 = 500;

#[derive(Debug, Clone, Args)]
pub struct TailArgs {
    /// Only events past this position; unset: from the first.
    #[arg(long, value_name = "POSITION")]
    after: Option<u64>,
    /// End after so many events.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Do not end at the newest event, but wait for more.
    #[arg(long)]
    follow: bool,
    /// Only events of this type.
    #[arg(long = "type", value_name = "TYPE")]
    event_type: Option<String>,
    /// Only events of this stream, `KIND/ID`.
    #[arg(long, value_name = "KIND/ID")]
    stream: Option<String>,
}

pub async fn tail(log: &Log, args: &TailArgs) -> Result<ExitCode, Failed> {
    let stream = match args.stream.as_deref().map(|text| text.split_once('/')) {
        None => None,
        Some(Some((kind, id))) if !kind.is_empty() && !id.is_empty() => Some(StreamId::new(kind, id)),
        Some(_) => return Ok(wrong_use("--stream is written KIND/ID, as tail prints it under \"stream\"")),
    };
    let filter = Filter { event_type: args.event_type.clone(), stream };
    let mut left = args.limit.unwrap_or(u64::MAX);
    let mut after = args.after;
    let mut grown = log.subscribe();
    loop {
        // Seen before reading: what is appended after that makes it changed again.
        grown.mark_unchanged();
        let page = u32::try_from(left.min(u64::from(PAGE))).unwrap_or(PAGE);
        let (lines, reached) = log.tail(after, &filter, page).await?;
        let full = lines.len() == page as usize;
        if !print(&lines)? {
            return Ok(ExitCode::SUCCESS);
        }
        left -= lines.len() as u64;
        after = reached;
        if left == 0 || !full && !args.follow {
            return Ok(ExitCode::SUCCESS);
        }
        if !full && grown.changed().await.is_err() {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

/// False when nobody reads on.
fn print(lines: &[TailLine]) -> Result<bool, Failed> {
    let mut out = std::io::stdout().lock();
    let mut text = String::new();
    for line in lines {
        text.push_str(&line.line);
        text.push('\n');
    }
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error.into()),
    }
}
