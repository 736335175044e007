//! The way out: the game dials the link, for ever, and speaks first.

use crate::{clock::GameClock, core::Ask, outbox::Outbox};
use leasehold_link::wire::{Hello, Line, LineSplitter, PROTOCOL, limits};
use serde_json::{Map, Value};
use std::{collections::VecDeque, io, net::SocketAddr, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::mpsc,
};
use tokio_util::sync::CancellationToken;

/// The wait before the first redial; each further one is twice as long, up to [`BACKOFF_MAX`].
const BACKOFF_MIN: Duration = Duration::from_millis(50);
const BACKOFF_MAX: Duration = Duration::from_secs(2);
/// How long the link may take to answer the hello.
const WELCOME_WITHIN: Duration = Duration::from_secs(10);

/// What the dialler needs.
pub struct Dialler {
    pub link: SocketAddr,
    pub boot_id: String,
    pub game: String,
    pub scope: String,
    pub clock: Arc<GameClock>,
    pub asks: mpsc::Sender<Ask>,
    pub stop: CancellationToken,
}

impl Dialler {
    /// Dials until told to stop.
    pub async fn dial_for_ever(self) {
        let (mut number, mut backoff) = (0, BACKOFF_MIN);
        loop {
            number += 1;
            match self.dial(number).await {
                Ok(true) => backoff = BACKOFF_MIN,
                Ok(false) => (),
                Err(fault) => tracing::debug!(%fault, "no link"),
            }
            tokio::select! { () = self.stop.cancelled() => return, () = tokio::time::sleep(backoff) => () }
            backoff = (backoff * 2).min(BACKOFF_MAX);
        }
    }

    /// One connection, to its end; true where the link welcomed the game.
    async fn dial(&self, number: u64) -> io::Result<bool> {
        let stream =
            tokio::select! { () = self.stop.cancelled() => return Ok(false), stream = TcpStream::connect(self.link) => stream? };
        stream.set_nodelay(true)?;
        let (read, mut write) = stream.into_split();
        let mut reader = Reader { stream: read, splitter: LineSplitter::default(), ready: VecDeque::new() };
        write_line(&mut write, serde_json::to_string(&self.hello())?).await?;
        let welcomed = tokio::select! {
            () = self.stop.cancelled() => return Ok(false),
            welcomed = tokio::time::timeout(WELCOME_WITHIN, reader.welcome()) => welcomed.unwrap_or(Ok(false))?,
        };
        if welcomed {
            tracing::info!(link = %self.link, "the link welcomed the game");
            let ended = self.converse(number, reader, write).await;
            tracing::info!(fault = ?ended.err(), "the connection to the link ended");
            drop(self.asks.send(Ask::Disconnected { number }).await);
        }
        Ok(welcomed)
    }

    async fn converse(&self, number: u64, mut reader: Reader, mut write: OwnedWriteHalf) -> io::Result<()> {
        let (outbox, mut outgoing, hang_up) = Outbox::new();
        drop(self.asks.send(Ask::Connected { number, outbox: outbox.clone() }).await);
        let hear = async {
            while let Some(line) = reader.line().await? {
                let ask = Ask::Line { line, received_ms: self.clock.now_ms(), outbox: outbox.clone() };
                if self.asks.send(ask).await.is_err() {
                    break;
                }
            }
            Ok(())
        };
        let say = async {
            loop {
                tokio::select! {
                    biased;
                    line = outgoing.recv() => match line {
                        Some(line) => write_line(&mut write, line).await?,
                        None => return Ok(()),
                    },
                    () = self.stop.cancelled() => return Ok(()),
                }
            }
        };
        tokio::select! { ended = hear => ended, ended = say => ended, () = hang_up.cancelled() => Ok(()) }
    }

    fn hello(&self) -> Hello {
        Hello {
            t: self.clock.now_ms(),
            protocol: PROTOCOL,
            boot_id: self.boot_id.clone(),
            key_memory_sec: limits::KEY_MEMORY_SEC,
            key_cap: limits::KEY_CAP as u64,
            game: self.game.clone(),
            scope: self.scope.clone(),
            manifest: None,
        }
    }
}

struct Reader {
    stream: OwnedReadHalf,
    splitter: LineSplitter,
    ready: VecDeque<Line>,
}

impl Reader {
    /// The next line; `None` at the end of the stream.
    async fn line(&mut self) -> io::Result<Option<Line>> {
        let mut buffer = vec![0; 16 * 1024];
        loop {
            if let Some(line) = self.ready.pop_front() {
                return Ok(Some(line));
            }
            match self.stream.read(&mut buffer).await? {
                0 => return Ok(None),
                length => self.ready.extend(self.splitter.push(&buffer[..length])),
            }
        }
    }

    /// Waits for the link's answer to the hello. Lines that are none are passed over.
    async fn welcome(&mut self) -> io::Result<bool> {
        while let Some(line) = self.line().await? {
            let Line::Whole(bytes) = line else { continue };
            let Ok(frame) = serde_json::from_slice::<Map<String, Value>>(&bytes) else { continue };
            match frame.get("kind").and_then(Value::as_str) {
                Some("link.welcome") => return Ok(true),
                Some("link.refused") => {
                    tracing::warn!(reason = ?frame.get("reason"), "the link refused the game; dialling again");
                    return Ok(false);
                }
                _ => (),
            }
        }
        Ok(false)
    }
}

async fn write_line(write: &mut OwnedWriteHalf, mut line: String) -> io::Result<()> {
    line.push('\n');
    write.write_all(line.as_bytes()).await
}
