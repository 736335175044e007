//! A command that acts on the log beside whatever engines run: what it did it prints as JSON, and a refusal ends it with 1.
//!
//! A log that was put back takes no events before a person has accepted that; a command asks the links that it is told of, as an
//! engine does, and appends nothing where one has seen more than the log holds.

use std::process::ExitCode;

use clap::Args;
use serde_json::Value;

use super::Failed;
use super::database::{Database, DatabaseArgs};
use super::links;
use crate::api::dialled::DIALS_IN;
use crate::engine::clock::Clock;
use crate::engine::registry::Registry;
use crate::engine::settings::Settings;
use crate::engine::{Act, Engine, Fault};
use crate::log::Log;

/// Who acts, as the log knows it.
const OPERATOR: &str = "operator";

/// Milliseconds that a link may take to answer.
const PATIENCE_MS: u64 = 2_000;

#[derive(Debug, Clone, Args)]
pub struct BesideArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// The engine's links (`scope=url#tokenfile`, separated by commas): nothing is done where one of them has seen more than the log
    /// holds.
    #[arg(long, env = "LEASEHOLD_LINKS", default_value = "", global = true)]
    links: String,
}

/// Has an engine that runs nothing carry that out as the operator, on a log that has been opened; what it gives is printed, one
/// JSON object a line.
pub(super) async fn beside<Told: Future<Output = Result<Vec<Value>, Fault>>>(
    args: &BesideArgs,
    carry_out: impl FnOnce(Engine, Act) -> Told,
) -> Result<ExitCode, Failed> {
    let database = Database::beside_engine(&args.database).await?;
    let log = database.log().await?;
    let told = async {
        let engine = engine(&log, &args.links).await?;
        let act = Act::by(OPERATOR, engine.clock.now().await?);
        Ok(carry_out(engine, act).await)
    };
    let told = told.await;
    log.pool().close().await;
    database.close().await?;
    told.and_then(in_words)
}

async fn engine(log: &Log, links: &str) -> Result<Engine, Failed> {
    if log.head().await?.is_none() {
        return Err("the log has not been opened yet: start the engine once, then try again".into());
    }
    let links: Vec<_> = links::parse(links)?.into_iter().filter(|link| link.url != DIALS_IN).collect();
    let registry = Registry::new(leasehold_installed::installed(&links, Some(PATIENCE_MS)))?;
    let clock = Clock::of_database(log.pool().clone());
    let scopes = links.into_iter().map(|link| link.scope);
    let engine = Engine::reaching(log.clone(), registry, Settings::default(), clock, scopes);
    engine.look_for_rewinds().await?;
    match engine.rewound().first() {
        Some(rewound) => {
            Err(format!("nothing was done: {rewound}; start the engine, and accept that or put the log right").into())
        }
        None => Ok(engine),
    }
}

fn in_words(told: Result<Vec<Value>, Fault>) -> Result<ExitCode, Failed> {
    match told {
        Ok(told) => {
            for object in told {
                println!("{object}");
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(Fault::Refused(refusal)) => {
            eprintln!("leasehold: {refusal}");
            Ok(ExitCode::FAILURE)
        }
        Err(Fault::Invalid(faults)) => {
            for fault in faults {
                eprintln!("leasehold: {}", fault.detail);
            }
            Ok(ExitCode::from(2))
        }
        Err(fault) => Err(fault.into()),
    }
}

/// A reason as somebody has typed it: with something in it, and not too long.
pub(super) fn reason(text: &str) -> Result<String, String> {
    let length = text.trim().chars().count();
    if (1..=2_000).contains(&length) { Ok(text.to_owned()) } else { Err("say why, in 1 to 2000 characters".to_owned()) }
}
