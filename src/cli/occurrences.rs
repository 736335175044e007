//! `leasehold occurrences`: what became of every occurrence of a window. It appends nothing.

use std::path::PathBuf;
use std::process::ExitCode;

use chrono::{DateTime, SecondsFormat, Utc};
use clap::Args;
use leasehold_projections::{MOST, PageRequest};
use serde_json::json;

use super::Failed;
use super::database::{Database, DatabaseArgs};
use super::written::{Format, document, write};
use crate::engine::clock::Clock;
use crate::engine::occurrences::{Accounted, Asked, LONGEST, Outcome, account};
use crate::engine::zoneinfo;
use crate::log::Log;

#[derive(Debug, Clone, Args)]
pub struct OccurrencesArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// The first instant of the window (2027-03-01T00:00:00Z).
    #[arg(long, value_name = "INSTANT")]
    from: DateTime<Utc>,
    /// The first instant behind it, at most 366 days later.
    #[arg(long, value_name = "INSTANT")]
    to: DateTime<Utc>,
    /// Of this definition alone, by its id. Unset: of all of them.
    #[arg(long, value_name = "ID")]
    definition: Option<String>,
    /// Only what did not happen and will not.
    #[arg(long)]
    not_executed: bool,
    /// Directory of compiled zone files, as the engine was given it.
    #[arg(long, env = "LEASEHOLD_ZONEINFO")]
    zoneinfo: Option<PathBuf>,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Prints every occurrence of the window.
pub async fn occurrences(args: OccurrencesArgs) -> Result<ExitCode, Failed> {
    if args.to <= args.from || args.to - args.from > LONGEST {
        eprintln!("leasehold: --to must come after --from, and by {} days at most", LONGEST.num_days());
        return Ok(ExitCode::from(2));
    }
    let database = Database::beside_engine(&args.database).await?;
    let log = database.log().await?;
    let code = print(&log, &args).await;
    log.pool().close().await;
    database.close().await?;
    code
}

async fn print(log: &Log, args: &OccurrencesArgs) -> Result<ExitCode, Failed> {
    let zones = args.zoneinfo.as_deref().map(zoneinfo::load).transpose()?.unwrap_or_default();
    let head = log.head().await?.map_or(0, |head| head.position);
    let newest = log.instant_of(head).await?;
    let now = Clock::of_database(log.pool().clone()).now().await?.max(newest.unwrap_or_default());
    let (from, to, definition_id) = (args.from, args.to, args.definition.clone());
    let asked = Asked { from, to, definition_id, executed: args.not_executed.then_some(false) };
    let (mut items, mut request) = (Vec::new(), PageRequest { token: None, limit: Some(MOST) });
    loop {
        let page = account(log, &zones, now, &asked, &request).await?;
        items.extend(page.items);
        request.token = page.next_page_token;
        if request.token.is_none() {
            break;
        }
    }
    match args.format {
        Format::Json => write(&document(&json!({"from": from, "to": to, "items": items}))?),
        Format::Text => write(&text(&items)),
    }
}

fn text(items: &[Accounted]) -> String {
    let of = |outcome| items.iter().filter(|item| item.fate.outcome == outcome).count();
    let [executed, not_executed, ahead] = [Outcome::Executed, Outcome::NotExecuted, Outcome::Ahead].map(of);
    let first = format!("{executed} executed, {not_executed} not executed, {ahead} ahead\n");
    std::iter::once(first).chain(items.iter().map(line)).collect()
}

fn line(item: &Accounted) -> String {
    let instant = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    let moved = item.moved_from.map(|_| format!(", moved to {}", instant(item.scheduled_for))).unwrap_or_default();
    let fate = &item.fate;
    let outcome = match fate.outcome {
        Outcome::Executed => "executed",
        Outcome::NotExecuted => "not executed",
        Outcome::Ahead => "ahead",
    };
    let cause = match (&fate.cause, &fate.reason) {
        (Some(cause), Some(reason)) => format!(": {cause}, {reason}"),
        _ => String::new(),
    };
    let by = match (&fate.by, fate.when) {
        (Some(by), Some(when)) => format!(" ({by}, {})", instant(when)),
        (None, Some(when)) => format!(" ({})", instant(when)),
        _ => String::new(),
    };
    let note = fate.words.as_ref().map(|words| format!(" {words:?}")).unwrap_or_default();
    format!("{}  {} {}  {}{moved}  {outcome}{cause}{by}{note}\n", instant(item.at), item.slot, item.timezone, item.slug)
}
