//! The game's side: accepts its connection, shakes hands, sends orders, reads answers.

use super::{
    exchange::{Exchange, Installed},
    feed::{FeedStore, Incoming, Outcome},
    hello,
    order::Order,
    scopes::Scopes,
};
use leasehold_link::wire::{Line, LineSplitter, Welcome, feed, is_too_deep};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::{collections::VecDeque, io, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::mpsc,
};
use tokio_util::sync::CancellationToken;

/// How long a connection may take to say hello.
const HELLO_WITHIN: Duration = Duration::from_secs(10);
/// How long a connection outlives the disk's refusal, so that a game that dials at once does not do so a hundred times a second.
const BREATH: Duration = Duration::from_secs(1);

/// Accepts games until told to stop; then every connection ends.
pub async fn accept(listener: TcpListener, scopes: Arc<Scopes>, feed: FeedStore, stop: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, from)) => {
                tracing::info!(%from, "a game dialled in");
                let (scopes, feed, stop) = (Arc::clone(&scopes), feed.clone(), stop.clone());
                tokio::spawn(async move {
                    let ended =
                        tokio::select! { () = stop.cancelled() => Ok(()), ended = converse(stream, &scopes, &feed) => ended };
                    tracing::info!(%from, outcome = ?ended.err(), "the game's connection ended");
                });
            }
            Err(failure) => {
                tracing::error!(%failure, "cannot accept a connection; trying again in a second");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

async fn converse(stream: TcpStream, scopes: &Scopes, feed: &FeedStore) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (read, mut write) = stream.into_split();
    let mut reader = Reader { stream: read, splitter: LineSplitter::default(), ready: VecDeque::new() };
    let first = tokio::time::timeout(HELLO_WITHIN, reader.object()).await;
    let greeted = match first.map_or(Ok(None), |read| read)? {
        Some(object) => hello::greet(object, scopes),
        None => Err(hello::refused("no hello came")),
    };
    let (hello, exchange) = match greeted {
        Ok(greeted) => greeted,
        Err(refusal) => {
            tracing::warn!(reason = refusal.reason, "refused a game");
            return send(&mut write, &refusal).await;
        }
    };
    if exchange.is_news(&hello)
        && let Err(fault) = feed.keep(&hello.scope, &hello.boot_id, hello.as_report()).await
    {
        tokio::time::sleep(BREATH).await;
        return Err(io::Error::other(fault));
    }
    send(&mut write, &Welcome::current()).await?;
    let (scope, boot_id) = (hello.scope.as_str().into(), hello.boot_id.as_str().into());
    let Installed { number, orders, replaced } = exchange.install(hello);
    let _on_the_line = OnTheLine { exchange: &exchange, number };
    let (done, kept) = mpsc::unbounded_channel();
    let game = Talker { scope, boot_id, done };
    tokio::select! {
        () = replaced.cancelled() => Ok(()),
        ended = hear(&mut reader, &exchange, &game, feed) => ended,
        ended = carry(&mut write, orders, kept, &exchange) => ended,
    }
}

/// Whose reports come in, and who is told that they are kept.
struct Talker {
    scope: Arc<str>,
    boot_id: Arc<str>,
    done: mpsc::UnboundedSender<Outcome>,
}

impl Talker {
    async fn reports(&self, frame: Map<String, Value>, feed: &FeedStore) -> io::Result<()> {
        let (scope, boot_id, done) = (Arc::clone(&self.scope), Arc::clone(&self.boot_id), self.done.clone());
        feed.accept(Incoming { scope, boot_id, frame, done }).await.map_err(io::Error::other)
    }
}

/// A session's time on the line: it leaves however its connection ends, and whoever waits for it learns so.
struct OnTheLine<'a> {
    exchange: &'a Exchange,
    number: u64,
}

impl Drop for OnTheLine<'_> {
    fn drop(&mut self) {
        self.exchange.remove(self.number);
    }
}

/// Sends orders as they come, and how far reports are kept. A game that does not read for the reply time-out loses its
/// connection. So does one whose report cannot be kept: it is not to be lost unseen.
async fn carry(
    write: &mut OwnedWriteHalf,
    mut orders: mpsc::Receiver<Arc<Order>>,
    mut kept: mpsc::UnboundedReceiver<Outcome>,
    exchange: &Exchange,
) -> io::Result<()> {
    loop {
        let line = tokio::select! {
            order = orders.recv() => match order {
                Some(order) => exchange.line_of(&order),
                None => return Ok(()),
            },
            first = kept.recv() => match first {
                Some(first) => kept_line(first, &mut kept).await?,
                None => return Ok(()),
            },
        };
        if let Some(line) = line {
            let written = tokio::time::timeout(exchange.reply_timeout(), write_line(write, line)).await;
            written.unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::TimedOut, "the game does not read")))?;
        }
    }
}

/// One line for all that is kept by now; none where the game does not ask.
async fn kept_line(first: Outcome, more: &mut mpsc::UnboundedReceiver<Outcome>) -> io::Result<Option<String>> {
    let mut newest = None;
    let mut next = Some(first);
    while let Some(outcome) = next {
        match outcome {
            Ok(seq) => newest = newest.max(seq),
            Err(fault) => {
                tokio::time::sleep(BREATH).await;
                return Err(io::Error::other(fault));
            }
        }
        next = more.try_recv().ok();
    }
    Ok(newest.map(|seq| json!({"kind": feed::KEPT, "seq": seq}).to_string()))
}

/// Reads answers and reports until the game hangs up. A line that is neither is logged and costs itself only.
async fn hear(reader: &mut Reader, exchange: &Exchange, game: &Talker, feed: &FeedStore) -> io::Result<()> {
    while let Some(object) = reader.object().await? {
        if let Some(report) = exchange.hear(object) {
            game.reports(report, feed).await?;
        }
    }
    Ok(())
}

struct Reader {
    stream: OwnedReadHalf,
    splitter: LineSplitter,
    ready: VecDeque<Line>,
}

impl Reader {
    /// The next line that is a JSON object; `None` at the end of the stream.
    async fn object(&mut self) -> io::Result<Option<Map<String, Value>>> {
        loop {
            while let Some(line) = self.ready.pop_front() {
                match read_object(&line) {
                    Ok(object) => return Ok(Some(object)),
                    Err(fault) => tracing::warn!(fault, "a line of the game was thrown away"),
                }
            }
            let mut buffer = vec![0; 16 * 1024];
            match self.stream.read(&mut buffer).await? {
                0 => return Ok(None),
                length => self.ready.extend(self.splitter.push(&buffer[..length])),
            }
        }
    }
}

fn read_object(line: &Line) -> Result<Map<String, Value>, String> {
    match line {
        Line::TooLong => Err("longer than 256 KiB".to_owned()),
        Line::Whole(bytes) => {
            let object = serde_json::from_slice(bytes).map_err(|fault| format!("no JSON object: {fault}"))?;
            if is_too_deep(&object) { Err("nested too deep".to_owned()) } else { Ok(object) }
        }
    }
}

async fn send(write: &mut OwnedWriteHalf, frame: &impl Serialize) -> io::Result<()> {
    write_line(write, serde_json::to_string(frame)?).await
}

async fn write_line(write: &mut OwnedWriteHalf, mut line: String) -> io::Result<()> {
    line.push('\n');
    write.write_all(line.as_bytes()).await
}
