//! `leasehold demo`: the engine, a module's game and its sample events on this machine, to look at.

mod children;
mod needs;
mod samples;
mod written;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use leasehold_module::Link;
use leasehold_module::demo::{Demo, fill};

use self::children::Children;
use self::samples::Samples;
use super::Failed;
use super::database::{Database, write_secret};
use super::serve::{Running, ServeArgs};
use crate::api::Open;
use crate::engine::mint;
use crate::engine::rewind::WHAT_NOW;

#[derive(Debug, Clone, Args)]
pub struct DemoArgs {
    /// The module whose demonstration is shown. Unset: the first that has one.
    #[arg(long)]
    game: Option<String>,
    #[command(flatten)]
    serve: ServeArgs,
}

/// Shows a module's demonstration until it is asked to stop.
pub async fn demo(args: DemoArgs) -> Result<ExitCode, Failed> {
    if !args.serve.bind.ip().is_loopback() {
        return Err(format!(
            "the demonstration is read without a login, so it listens on this machine alone, not on {}",
            args.serve.bind
        )
        .into());
    }
    let (demo, files) = find(args.game.as_deref())?;
    let data = args.serve.database.data_dir.clone();
    std::fs::create_dir_all(&data)?;
    let data = std::fs::canonicalize(data)?;
    let token_file = secret_file(&data, "link-token")?;
    let game_token_file = secret_file(&data, "game-token")?;
    let mut serve = args.serve;
    let token = match &serve.admin_token {
        Some(token) => token.clone(),
        None => std::fs::read_to_string(secret_file(&data, "admin-token")?)?.trim().to_owned(),
    };
    serve.admin_token = Some(token.clone());

    let mut children = Children::default();
    let mut values = BTreeMap::from([
        ("data".to_owned(), data.display().to_string()),
        ("token_file".to_owned(), token_file.display().to_string()),
        ("game_token".to_owned(), std::fs::read_to_string(&game_token_file)?.trim().to_owned()),
        ("game_token_file".to_owned(), game_token_file.display().to_string()),
    ]);
    for need in &demo.needs {
        values.insert(need.name.clone(), needs::found(need)?.display().to_string());
    }
    let database = Database::of_engine(&serve.database).await?;
    let ended = match start(&demo, files, &mut children, values, &serve, &database).await {
        Ok(running) => show(&demo, running, database, &token).await,
        Err(error) => {
            database.close().await?;
            Err(error)
        }
    };
    children.stop();
    ended
}

/// Posts the samples, tells where to look, and waits to be stopped.
async fn show(demo: &Demo, running: Running, database: Database, token: &str) -> Result<ExitCode, Failed> {
    if let Some(rewound) = running.engine.rewound().first() {
        let why = format!("{rewound}. {WHAT_NOW}");
        running.stop(database).await?;
        return Err(why.into());
    }
    let now = running.engine.clock.now().await?;
    let posted = Samples::new(running.address, token, now, running.engine.zones()).post(demo).await;
    if posted.is_err() {
        running.stop(database).await?;
        return posted.map(|()| ExitCode::FAILURE);
    }
    tell(&running, token);
    running.until_stopped(database).await
}

async fn start(
    demo: &Demo,
    files: Files,
    children: &mut Children,
    mut values: BTreeMap<String, String>,
    serve: &ServeArgs,
    database: &Database,
) -> Result<Running, Failed> {
    for process in &demo.processes {
        for written in &process.writes {
            written::write(written, files, &values)?;
        }
        values.extend(children.start(process, &values).await?);
    }
    let links = demo.links.iter().map(|link| {
        let secret = std::fs::read_to_string(fill(&link.token_file, &values)?)?;
        Ok::<_, Failed>(Link { scope: link.scope.clone(), url: fill(&link.url, &values)?, token: secret.trim().to_owned() })
    });
    let links = links.collect::<Result<Vec<_>, _>>()?;
    Running::start(serve, database, links, Open::ReadAtLoopback).await
}

/// The files that a module brings along, by their paths in its folder.
type Files = &'static [(&'static str, &'static str)];

fn find(game: Option<&str>) -> Result<(Demo, Files), Failed> {
    let demos = leasehold_installed::demos();
    let names: Vec<&str> = demos.iter().map(|demo| demo.id).collect();
    let found = demos.iter().find(|demo| game.is_none_or(|game| game == demo.id));
    let found =
        found.ok_or_else(|| format!("no demonstration is called {}; there is: {}", game.unwrap_or("so"), names.join(", ")))?;
    Ok((toml::from_str(found.text)?, found.files))
}

/// A secret that is made once and kept.
fn secret_file(data: &Path, name: &str) -> Result<std::path::PathBuf, Failed> {
    let path = data.join(name);
    if !path.exists() {
        write_secret(&path, &format!("{}\n", mint::token()))?;
    }
    Ok(path)
}

fn tell(running: &Running, token: &str) {
    println!();
    println!("Leasehold runs at http://{}/", running.address);
    println!("Reading needs no login here. To change anything, send this token:");
    println!("  Authorization: Bearer {token}");
    println!("Ctrl-C stops everything.");
    println!("{}", serde_json::json!({ "ready": true, "address": running.address.to_string() }));
}
