//! `leasehold user`: accounts, without the API: for whoever has the machine. What it prints is one JSON object a line.

mod named;

use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use leasehold_aggregates::account::Role;
use serde_json::{Value, json};
use strum::IntoEnumIterator;
use uuid::Uuid;

use named::Named;

use super::Failed;
use super::beside::{BesideArgs, beside};
use crate::engine::accounts::Change;
use crate::engine::{Act, Engine, Fault};

#[derive(Debug, Clone, Args)]
pub struct UserArgs {
    #[command(flatten)]
    beside: BesideArgs,
    #[command(subcommand)]
    command: UserCommand,
}

#[derive(Debug, Clone, Subcommand)]
enum UserCommand {
    /// Add an account, and print its id. It has no token yet.
    Add {
        /// What people call it, 1 to 120 characters; kept beside the log.
        name: String,
        /// What it may do.
        #[arg(long, value_parser = roles())]
        role: Role,
    },
    /// Give an account another role, from its next request on.
    Role {
        #[command(flatten)]
        account: Named,
        /// What it may do from now on.
        #[arg(value_parser = roles())]
        role: Role,
    },
    /// Make a token for an account. It is shown once and stored nowhere.
    Token {
        #[command(flatten)]
        account: Named,
        /// What the token is for.
        #[arg(long, default_value = "command line")]
        label: String,
        /// End all tokens that the account had before.
        #[arg(long)]
        replace: bool,
    },
    /// Let an account do nothing any more, from its next request on.
    Disable {
        #[command(flatten)]
        account: Named,
    },
    /// Let a disabled account in again.
    Enable {
        #[command(flatten)]
        account: Named,
    },
    /// Erase the person behind an account, for good: the name, what its tokens were called, and every text that the
    /// person typed about an act. It may do nothing any more. What happened stays on record, told with the account's id.
    Erase {
        #[command(flatten)]
        account: Named,
        /// Why. It is kept, so name nobody in it; 1 to 2,000 characters.
        #[arg(long)]
        reason: String,
    },
    /// Say that a member, whom a game tells of, is the person behind an account; the person finds its events in its history then.
    Link {
        #[command(flatten)]
        account: Named,
        /// The member's id, as a run's participants and results show it.
        member: Uuid,
    },
    /// Say that a member is nobody's account.
    Unlink {
        /// The member's id, as a run's participants and results show it.
        member: Uuid,
    },
    /// List every account: id, name, role, and whether it is disabled or erased.
    List,
}

/// Reads a role, and names all of them where it is none.
fn roles() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(Role::iter().map(<&'static str>::from)).try_map(|role| role.parse::<Role>())
}

/// Runs one command on accounts.
pub async fn user(args: UserArgs) -> Result<ExitCode, Failed> {
    beside(&args.beside, async |engine, act| carry_out(&engine, &act, args.command).await).await
}

async fn carry_out(engine: &Engine, act: &Act, command: UserCommand) -> Result<Vec<Value>, Fault> {
    let told = match command {
        UserCommand::Add { name, role } => {
            let id = engine.add_account(act, &name, role).await?;
            json!({"id": id, "name": name, "role": role})
        }
        UserCommand::Role { account, role } => change(engine, act, &account, Change::Role(role)).await?,
        UserCommand::Disable { account } => change(engine, act, &account, Change::Disable).await?,
        UserCommand::Enable { account } => change(engine, act, &account, Change::Enable).await?,
        UserCommand::Token { account, label, replace } => {
            let id = account.find(engine).await?;
            let issued = engine.issue_token(act, &id, &label, replace).await?;
            json!({"id": id, "tokenId": issued.id, "token": issued.token})
        }
        UserCommand::Erase { account, reason } => {
            let id = account.find(engine).await?;
            let erased = engine.erase_account(act, &id, &reason).await?;
            json!({"id": id, "changed": erased.changed, "notes": erased.notes})
        }
        UserCommand::Link { account, member } => {
            let id = account.find(engine).await?;
            let changed = engine.link_member(act, member, Some(&id)).await?;
            json!({"id": id, "member": member, "changed": changed})
        }
        UserCommand::Unlink { member } => {
            let changed = engine.link_member(act, member, None).await?;
            json!({"member": member, "changed": changed})
        }
        UserCommand::List => {
            let rows = engine.accounts().await?.into_iter().map(|row| {
                let (id, name, role) = (row.account_id, row.name, row.role);
                json!({"id": id, "name": name, "role": role, "disabled": row.disabled, "erased": row.erased})
            });
            return Ok(rows.collect());
        }
    };
    Ok(vec![told])
}

async fn change(engine: &Engine, act: &Act, account: &Named, change: Change) -> Result<Value, Fault> {
    let id = account.find(engine).await?;
    let changed = engine.change_account(act, &id, change).await?;
    Ok(json!({"id": id, "changed": changed}))
}
