//! The console's listener.

use super::parse;
use crate::core::Ask;
use leasehold_link::wire::{Line, LineSplitter};
use serde_json::{Value, json};
use std::{io, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{mpsc, oneshot},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Longest command in bytes.
const COMMAND_MAX: usize = 4096;

/// Serves every connection until told to stop. What was asked before is answered first.
pub async fn serve(listener: TcpListener, asks: mpsc::Sender<Ask>, stop: CancellationToken, tasks: TaskTracker) {
    loop {
        let accepted = tokio::select! { () = stop.cancelled() => return, accepted = listener.accept() => accepted };
        match accepted {
            Ok((stream, _)) => {
                let (asks, stop) = (asks.clone(), stop.clone());
                tasks.spawn(async move {
                    if let Err(fault) = converse(stream, &asks, &stop).await {
                        tracing::debug!(%fault, "a console's connection failed");
                    }
                });
            }
            Err(fault) => {
                tracing::error!(%fault, "cannot accept a console; trying again in a second");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

async fn converse(mut stream: TcpStream, asks: &mpsc::Sender<Ask>, stop: &CancellationToken) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut splitter = LineSplitter::with_limit(COMMAND_MAX);
    let mut buffer = vec![0; COMMAND_MAX];
    loop {
        let length = tokio::select! { () = stop.cancelled() => return Ok(()), length = stream.read(&mut buffer) => length? };
        if length == 0 {
            return Ok(());
        }
        for line in splitter.push(&buffer[..length]) {
            let answer = format!("{}\n", answer(&line, asks).await);
            stream.write_all(answer.as_bytes()).await?;
        }
    }
}

async fn answer(line: &Line, asks: &mpsc::Sender<Ask>) -> Value {
    let refuse = |reason: String| json!({"ok": false, "reason": reason});
    let Line::Whole(bytes) = line else { return refuse(format!("a command is at most {COMMAND_MAX} bytes")) };
    let Ok(text) = std::str::from_utf8(bytes) else { return refuse("a command must be UTF-8".to_owned()) };
    let command = match parse(text) {
        Ok(command) => command,
        Err(reason) => return refuse(reason),
    };
    let (answer, told) = oneshot::channel();
    let asked = asks.send(Ask::Console { command, answer }).await.is_ok();
    match told.await {
        Ok(told) if asked => told,
        _ => refuse("the game is stopping".to_owned()),
    }
}
