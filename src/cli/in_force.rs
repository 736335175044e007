//! `leasehold in-force`: what was in force at a place of the log, and by whose decision. It appends nothing.

use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;
use leasehold_aggregates::target::Target;
use leasehold_projections::in_force::InForce;
use leasehold_projections::{MOST, PageRequest, Placed};
use serde_json::json;

use super::Failed;
use super::database::{Database, DatabaseArgs};
use super::written::{Format, document, write};
use crate::engine::Fault;
use crate::engine::clock::Clock;
use crate::engine::in_force::{of_all, of_target};
use crate::engine::stories::Until;
use crate::log::Log;

#[derive(Debug, Clone, Args)]
pub struct InForceArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// At this position of the log, or this instant (2027-03-28T18:00:00Z). Unset: now.
    #[arg(long, value_name = "POSITION-or-INSTANT")]
    at: Option<Until>,
    /// One target alone; a slash within a part is written %2F. Unset: all of them.
    #[arg(long, value_name = "MODULE/SCOPE/KIND/REF")]
    target: Option<Named>,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone)]
struct Named(Target);

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let target = Target::from_stream_id(text).and_then(|target| target.check().map(|()| target));
        target.map(Self).map_err(|_| format!("{text:?} is not MODULE/SCOPE/KIND/REF, a slash within a part written %2F"))
    }
}

/// Prints every hold.
pub async fn in_force(args: InForceArgs) -> Result<ExitCode, Failed> {
    let database = Database::beside_engine(&args.database).await?;
    let log = database.log().await?;
    let code = print(&log, &args).await;
    log.pool().close().await;
    database.close().await?;
    code
}

async fn print(log: &Log, args: &InForceArgs) -> Result<ExitCode, Failed> {
    let now = Clock::of_database(log.pool().clone()).now().await?;
    let head = log.head().await?.map_or(0, |head| head.position);
    let position = match args.at.unwrap_or(Until::Now).position(log, head, now).await {
        Ok(position) => position.unwrap_or(0),
        Err(Fault::Refused(refusal)) => {
            eprintln!("leasehold: {refusal}");
            return Ok(ExitCode::from(2));
        }
        Err(fault) => return Err(fault.into()),
    };
    let (then, items) = held(log, args.target.as_ref(), position).await?;
    match args.format {
        Format::Json => write(&document(&json!({"position": then.position, "at": then.at, "items": items}))?),
        Format::Text => write(&text(then, &items)),
    }
}

async fn held(log: &Log, target: Option<&Named>, position: u64) -> Result<(Placed, Vec<InForce>), Failed> {
    if let Some(Named(target)) = target {
        let held = of_target(log, target, position).await?;
        return Ok((held.then, held.page.items));
    }
    let (mut items, mut request) = (Vec::new(), PageRequest { token: None, limit: Some(MOST) });
    loop {
        let held = of_all(log, position, &request).await?;
        items.extend(held.page.items);
        request.token = held.page.next_page_token;
        if request.token.is_none() {
            return Ok((held.then, items));
        }
    }
}

fn text(then: Placed, items: &[InForce]) -> String {
    let at = then.at.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true);
    let counted = match items.len() {
        0 => "nothing was in force".to_owned(),
        1 => "1 hold was in force".to_owned(),
        more => format!("{more} holds were in force"),
    };
    let first = format!("at position {} ({at}): {counted}\n", then.position);
    std::iter::once(first).chain(items.iter().map(InForce::to_string)).collect::<Vec<_>>().join("\n")
}
