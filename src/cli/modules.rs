//! `leasehold modules check`: would the manifests be taken, those of games that are linked or those in files?

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use leasehold_module::{Manifest, ManifestFault, Offered, Offers};
use serde_json::{Map, Value};

use super::{Failed, links};
use crate::engine::offers::sound;
use crate::engine::registry::Registry;

#[derive(Debug, Args)]
pub struct ModulesArgs {
    #[command(subcommand)]
    command: ModulesCommand,
}

#[derive(Debug, Subcommand)]
enum ModulesCommand {
    /// Tell whether manifests are sound, and all that is wrong with each. Needs no database and no engine.
    Check(CheckArgs),
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// Manifests in files; without any, the games on the links are asked for theirs.
    files: Vec<PathBuf>,
    /// How games are reached: `scope=url#tokenfile`, separated by commas.
    #[arg(long, env = "LEASEHOLD_LINKS", default_value = "")]
    links: String,
    /// Milliseconds that a module waits for one answer of a sidecar, as the engine is told.
    #[arg(long, env = "LEASEHOLD_LINK_TIMEOUT_MS", value_parser = clap::value_parser!(u64).range(50..=3_590_000))]
    link_timeout_ms: Option<u64>,
}

pub async fn modules(args: ModulesArgs) -> Result<ExitCode, Failed> {
    let ModulesCommand::Check(args) = args.command;
    let links = links::parse(&args.links)?;
    let registry = Registry::new(leasehold_installed::installed(&[], args.link_timeout_ms))?;
    let games = leasehold_installed::linked(&links, args.link_timeout_ms);
    let mut verdicts = Vec::new();
    for file in &args.files {
        verdicts.push((file.display().to_string(), in_file(file, &registry, &*games)));
    }
    if args.files.is_empty() {
        for link in &links {
            verdicts.push((link.scope.clone(), of_game(&link.scope, &registry, &*games).await));
        }
    }
    if verdicts.is_empty() {
        return Err("nothing to check: name a file, or the links in LEASEHOLD_LINKS".into());
    }
    let all_sound = verdicts.iter().all(|(_, verdict)| verdict.is_ok());
    for (from, verdict) in verdicts {
        match verdict {
            Ok(told) => println!("{from}: {told}"),
            Err(faults) => faults.iter().for_each(|fault| println!("{from}: {fault}")),
        }
    }
    Ok(if all_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is to be told of a sound one, or every line of what is wrong.
type Verdict = Result<String, Vec<String>>;

fn in_file(file: &Path, registry: &Registry, games: &dyn Offers) -> Verdict {
    let text = std::fs::read(file).map_err(|error| vec![format!("it cannot be read: {error}")])?;
    let sent: Map<String, Value> =
        serde_json::from_slice(&text).map_err(|error| vec![format!("it is no JSON object: {error}")])?;
    judged(&sent, registry, games)
}

async fn of_game(scope: &str, registry: &Registry, games: &dyn Offers) -> Verdict {
    match games.offered(scope).await {
        Offered::Manifest { manifest, .. } => judged(&manifest, registry, games),
        Offered::Nothing => Ok("its game declares nothing".into()),
        Offered::Unreached(failure) => Err(vec![failure.to_string()]),
    }
}

fn judged(sent: &Map<String, Value>, registry: &Registry, games: &dyn Offers) -> Verdict {
    let faults = |faults: Vec<ManifestFault>| faults.iter().map(ToString::to_string).collect::<Vec<_>>();
    let manifest = sound(sent, registry, games).map_err(faults)?;
    let Manifest { id, version, actions, leases, triggers, .. } = manifest;
    let (actions, leases, triggers) = (actions.len(), leases.len(), triggers.len());
    Ok(format!("{id} version {version} is sound: actions {actions}, leases {leases}, triggers {triggers}"))
}
