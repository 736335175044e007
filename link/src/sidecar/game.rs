//! The game's side: accepts its connection, shakes hands, sends orders, reads answers.

use super::{
    exchange::{Exchange, Fate, Installed, ttl_expired},
    feed::FeedFile,
    order::Order,
};
use leasehold_link::wire::{Correlation, Hello, Line, LineSplitter, LinkRefused, PROTOCOL, Reply, Welcome};
use serde::Serialize;
use serde_json::{Map, Value};
use std::{
    collections::VecDeque,
    io,
    sync::Arc,
    time::{Duration, Instant},
};
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

/// Accepts games until told to stop; then every connection ends.
pub async fn accept(listener: TcpListener, exchange: Arc<Exchange>, feed: FeedFile, stop: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, from)) => {
                tracing::info!(%from, "a game dialled in");
                let (exchange, feed, stop) = (Arc::clone(&exchange), feed.clone(), stop.clone());
                tokio::spawn(async move {
                    let ended =
                        tokio::select! { () = stop.cancelled() => Ok(()), ended = converse(stream, &exchange, &feed) => ended };
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

async fn converse(stream: TcpStream, exchange: &Exchange, feed: &FeedFile) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (read, mut write) = stream.into_split();
    let mut reader = Reader { stream: read, splitter: LineSplitter::default(), ready: VecDeque::new() };
    let first = tokio::time::timeout(HELLO_WITHIN, reader.object()).await;
    let hello = match first.map_or(Ok(None), |read| read)?.map_or_else(|| Err("no hello came".to_owned()), read_hello) {
        Ok(hello) => hello,
        Err(reason) => return refuse(&mut write, exchange, reason, None).await,
    };
    let hello = match hello {
        Greeting::Ours(hello) => hello,
        Greeting::Other(protocol) => {
            let reason = format!("this sidecar speaks protocol {PROTOCOL}, the game speaks {protocol}");
            return refuse(&mut write, exchange, reason, Some(protocol)).await;
        }
    };
    tracing::info!(game = hello.game, scope = hello.scope, boot_id = hello.boot_id, "the game is on the line");
    send(&mut write, &Welcome::current()).await?;
    let report = hello.as_report();
    let Installed { number, orders, replaced, is_news } = exchange.install(hello);
    let _on_the_line = OnTheLine { exchange, number };
    if is_news {
        feed.keep(report).await?;
    }
    tokio::select! {
        () = replaced.cancelled() => Ok(()),
        ended = hear(&mut reader, exchange, feed) => ended,
        ended = carry(&mut write, orders, exchange) => ended,
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

/// Sends orders as they come. A game that does not read for the reply time-out loses its connection.
async fn carry(write: &mut OwnedWriteHalf, mut orders: mpsc::Receiver<Arc<Order>>, exchange: &Exchange) -> io::Result<()> {
    while let Some(order) = orders.recv().await {
        match order.line(Instant::now()) {
            Ok(line) if order.mark_sent() => {
                let written = tokio::time::timeout(exchange.reply_timeout(), write_line(write, line)).await;
                written.unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::TimedOut, "the game does not read")))?;
            }
            Err(expired) if order.withdraw() => {
                exchange.settle(&order.req_id, ttl_expired(&expired));
            }
            _ => (),
        }
    }
    Ok(())
}

async fn refuse(write: &mut OwnedWriteHalf, exchange: &Exchange, reason: String, protocol: Option<u64>) -> io::Result<()> {
    tracing::warn!(reason, "refused a game");
    if let Some(protocol) = protocol {
        exchange.refuse_protocol(protocol);
    }
    send(write, &LinkRefused { reason, protocol: PROTOCOL }).await
}

enum Greeting {
    Ours(Hello),
    Other(u64),
}

fn read_hello(object: Map<String, Value>) -> Result<Greeting, String> {
    if object.get("kind").and_then(Value::as_str) != Some("server.hello") {
        return Err("the first frame must be server.hello".to_owned());
    }
    match object.get("protocol").and_then(Value::as_u64) {
        Some(protocol) if protocol == u64::from(PROTOCOL) => serde_json::from_value(Value::Object(object))
            .map(Greeting::Ours)
            .map_err(|fault| format!("the hello is not whole: {fault}")),
        Some(other) => Ok(Greeting::Other(other)),
        None => Err("the hello names no protocol".to_owned()),
    }
}

/// Reads answers and reports until the game hangs up. A line that is neither is logged and costs itself only. Where a report
/// cannot be kept the connection ends: it is not to be lost unseen.
async fn hear(reader: &mut Reader, exchange: &Exchange, feed: &FeedFile) -> io::Result<()> {
    while let Some(object) = reader.object().await? {
        let correlation = Correlation::of(&object).filter(|correlation| correlation.field == "reqId");
        let Some(correlation) = correlation else {
            tracing::debug!(kind = ?object.get("kind"), "the game reports something");
            if object.get("kind").is_some_and(Value::is_string) && Correlation::of(&object).is_none() {
                feed.keep(object).await?;
            }
            continue;
        };
        match Reply::read(Value::Object(object)) {
            None => tracing::warn!(req_id = correlation.value, "an answer without a kind was thrown away"),
            Some(reply) => {
                if !exchange.settle(&correlation.value, Fate::Answered(reply)) {
                    tracing::warn!(req_id = correlation.value, "an answer came that nobody waits for");
                }
            }
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
        Line::Whole(bytes) => serde_json::from_slice(bytes).map_err(|fault| format!("no JSON object: {fault}")),
    }
}

async fn send(write: &mut OwnedWriteHalf, frame: &impl Serialize) -> io::Result<()> {
    write_line(write, serde_json::to_string(frame)?).await
}

async fn write_line(write: &mut OwnedWriteHalf, mut line: String) -> io::Result<()> {
    line.push('\n');
    write.write_all(line.as_bytes()).await
}
