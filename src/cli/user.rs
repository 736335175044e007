//! `leasehold user`: accounts, without the API: for whoever has the machine. What it prints is one JSON object a line.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use leasehold_aggregates::account::Role;
use serde_json::json;

use super::Failed;
use super::database::{Database, DatabaseArgs};
use crate::engine::accounts::Change;
use crate::engine::clock::Clock;
use crate::engine::registry::Registry;
use crate::engine::settings::Settings;
use crate::engine::{Act, Engine, Fault};
use crate::log::Log;

/// Who acts, as the log knows it.
const OPERATOR: &str = "operator";

#[derive(Debug, Clone, Args)]
pub struct UserArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(subcommand)]
    command: UserCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum UserCommand {
    /// Add an account. It has no token yet.
    Add {
        /// What people call it; kept beside the log.
        name: String,
        /// admin, editor, moderator or player.
        #[arg(long)]
        role: Role,
    },
    /// Give an account another role, from its next request on.
    Role { id: String, role: Role },
    /// Make a token for an account. It is shown once and stored nowhere.
    Token {
        id: String,
        /// What the token is for.
        #[arg(long, default_value = "command line")]
        label: String,
        /// End all tokens that the account had before.
        #[arg(long)]
        replace: bool,
    },
    /// Let an account do nothing any more, from its next request on.
    Disable { id: String },
    /// Let a disabled account in again.
    Enable { id: String },
    /// List every account.
    List,
}

/// Runs one command on accounts.
pub async fn user(args: UserArgs) -> Result<ExitCode, Failed> {
    let database = Database::beside_engine(&args.database).await?;
    let log = database.log().await?;
    let code = on(&log, args.command).await;
    log.pool().close().await;
    database.close().await?;
    code
}

async fn on(log: &Log, command: UserCommand) -> Result<ExitCode, Failed> {
    if log.head().await?.is_none() {
        return Err("the log has not been opened yet: start the engine once, then try again".into());
    }
    let clock = Clock::of_database(log.pool().clone());
    let engine = Engine::new(log.clone(), Registry::new(Vec::new())?, Settings::default(), clock);
    match carry_out(&engine, command).await {
        Ok(()) => Ok(ExitCode::SUCCESS),
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

async fn carry_out(engine: &Engine, command: UserCommand) -> Result<(), Fault> {
    let act = Act::by(OPERATOR, engine.clock.now().await?);
    match command {
        UserCommand::Add { name, role } => {
            let id = engine.add_account(&act, &name, role).await?;
            println!("{}", json!({"id": id, "name": name, "role": role}));
        }
        UserCommand::Role { id, role } => change(engine, &act, &id, Change::Role(role)).await?,
        UserCommand::Disable { id } => change(engine, &act, &id, Change::Disable).await?,
        UserCommand::Enable { id } => change(engine, &act, &id, Change::Enable).await?,
        UserCommand::Token { id, label, replace } => {
            let issued = engine.issue_token(&act, &id, &label, replace).await?;
            println!("{}", json!({"id": id, "tokenId": issued.id, "token": issued.token}));
        }
        UserCommand::List => {
            for row in engine.accounts().await? {
                println!("{}", json!({"id": row.account_id, "name": row.name, "role": row.role, "disabled": row.disabled}));
            }
        }
    }
    Ok(())
}

async fn change(engine: &Engine, act: &Act, id: &str, change: Change) -> Result<(), Fault> {
    let changed = engine.change_account(act, id, change).await?;
    println!("{}", json!({"id": id, "changed": changed}));
    Ok(())
}
