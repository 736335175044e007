//! A wire between a log and its database that can be told to fail just when something is committed.
//!
//! It reads the frames that pass: a batch commits by the statement that inserts events, run outside of a transaction block, or
//! by the `commit` of a block.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What happens to a commit that passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The database commits, and its answer never arrives.
    AnswerLost,
    /// The commit never reaches the database, and the connection is gone.
    CommitLost,
    /// The database commits, its answer never arrives, and nothing passes from then on.
    WireCut,
}

pub struct Wire {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// What happens next, and after that; the last is taken first.
    faults: Mutex<Vec<Fault>>,
    /// Commits that pass unharmed between two faults.
    apart: AtomicU32,
    passed: AtomicU32,
    cut: AtomicBool,
    /// Faults met by a statement that is its own transaction, and by the `commit` of a block.
    met: [AtomicU32; 2],
}

impl Wire {
    /// A wire to where `database` leads.
    pub async fn to(database: &PgConnectOptions) -> Self {
        let (host, port) = (database.get_host().to_owned(), database.get_port());
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let state = Arc::new(State::default());
        let wire = Self { port: listener.local_addr().unwrap().port(), state: state.clone() };
        tokio::spawn(async move {
            while let Ok((engine, _)) = listener.accept().await {
                if state.cut.load(Ordering::SeqCst) {
                    continue;
                }
                let database = TcpStream::connect((host.as_str(), port)).await.unwrap();
                tokio::spawn(carry(engine, database, state.clone()));
            }
        });
        wire
    }

    /// The same database, over this wire.
    pub fn over(&self, database: PgConnectOptions) -> PgConnectOptions {
        database.host("127.0.0.1").port(self.port).ssl_mode(PgSslMode::Disable)
    }

    /// The next commit meets this.
    pub fn fails(&self, fault: Fault) {
        self.fails_now_and_then(0, &[fault]);
    }

    /// These faults in their order, each after so many commits that pass.
    pub fn fails_now_and_then(&self, apart: u32, faults: &[Fault]) {
        self.state.passed.store(0, Ordering::SeqCst);
        self.state.apart.store(apart, Ordering::SeqCst);
        *self.state.faults.lock().unwrap() = faults.iter().rev().copied().collect();
    }

    /// Whether every fault has been met.
    pub fn has_failed(&self) -> bool {
        self.state.faults.lock().unwrap().is_empty()
    }

    /// Faults met so far: by single statements, and by the commits of blocks.
    pub fn met(&self) -> (u32, u32) {
        let [statements, blocks] = &self.state.met;
        (statements.load(Ordering::SeqCst), blocks.load(Ordering::SeqCst))
    }

    /// Whether the wire has been cut and nothing passes.
    pub fn is_cut(&self) -> bool {
        self.state.cut.load(Ordering::SeqCst)
    }

    /// Whatever was cut is whole again.
    pub fn mend(&self) {
        self.state.cut.store(false, Ordering::SeqCst);
    }
}

impl State {
    /// What this commit meets.
    fn meets(&self, in_block: bool) -> Option<Fault> {
        let mut faults = self.faults.lock().unwrap();
        if faults.is_empty() || self.passed.fetch_add(1, Ordering::SeqCst) < self.apart.load(Ordering::SeqCst) {
            return None;
        }
        self.passed.store(0, Ordering::SeqCst);
        self.met[usize::from(in_block)].fetch_add(1, Ordering::SeqCst);
        faults.pop()
    }
}

/// What one connection has said so far.
#[derive(Default)]
struct Heard {
    bytes: Vec<u8>,
    greeted: bool,
    in_block: bool,
    /// Prepared statements that insert events.
    inserts: HashSet<Vec<u8>>,
}

impl Heard {
    /// The next whole frame, and whether it carries a commit (and if so, that of a block).
    fn frame(&mut self) -> Option<(Vec<u8>, Option<bool>)> {
        let kind = usize::from(self.greeted);
        let length = self.bytes.get(kind..kind + 4)?;
        let length = kind + usize::try_from(u32::from_be_bytes(length.try_into().unwrap())).unwrap();
        if self.bytes.len() < length {
            return None;
        }
        let frame: Vec<u8> = self.bytes.drain(..length).collect();
        let commit = if self.greeted { self.commit(frame[0], &frame[5..]) } else { None };
        self.greeted = true;
        Some((frame, commit))
    }

    fn commit(&mut self, kind: u8, body: &[u8]) -> Option<bool> {
        let text = |bytes: &[u8]| bytes.split(|byte| *byte == 0).next().unwrap_or_default().to_ascii_lowercase();
        match kind {
            b'Q' => {
                let script = text(body);
                self.in_block = if script.starts_with(b"begin") { true } else { self.in_block && !is_end(&script) };
                is_commit(&script).then_some(true)
            }
            b'P' => {
                let name = text(body);
                if text(&body[name.len() + 1..]).windows(26).any(|words| words == b"insert into public.events ") {
                    self.inserts.insert(name);
                }
                None
            }
            b'B' => {
                let portal = text(body);
                let statement = text(&body[portal.len() + 1..]);
                (self.inserts.contains(&statement) && !self.in_block).then_some(false)
            }
            _ => None,
        }
    }
}

fn is_end(script: &[u8]) -> bool {
    is_commit(script) || script.starts_with(b"rollback")
}

/// Alone, or behind a setting for it.
fn is_commit(script: &[u8]) -> bool {
    script.starts_with(b"commit") || script.ends_with(b"; commit")
}

/// Carries frames to the database and bytes back, until an end or a fault closes both sides.
async fn carry(mut engine: TcpStream, mut database: TcpStream, state: Arc<State>) -> std::io::Result<()> {
    let (mut asked, mut answered) = (vec![0; 65536], vec![0; 65536]);
    let mut heard = Heard::default();
    loop {
        tokio::select! {
            read = engine.read(&mut asked) => {
                let read = read?;
                if read == 0 || state.cut.load(Ordering::SeqCst) {
                    return Ok(());
                }
                heard.bytes.extend_from_slice(&asked[..read]);
                while let Some((frame, commit)) = heard.frame() {
                    match commit.and_then(|in_block| state.meets(in_block)) {
                        None => database.write_all(&frame).await?,
                        Some(Fault::CommitLost) => return Ok(()),
                        Some(fault) => {
                            state.cut.store(fault == Fault::WireCut, Ordering::SeqCst);
                            database.write_all(&frame).await?;
                            database.write_all(&std::mem::take(&mut heard.bytes)).await?;
                            return answered_in_vain(&mut engine, &mut database).await;
                        }
                    }
                }
            }
            read = database.read(&mut answered) => {
                let read = read?;
                if read == 0 {
                    return Ok(());
                }
                engine.write_all(&answered[..read]).await?;
            }
        }
    }
}

/// Hands on what else is asked, and nothing of the answer; returns when the database has no more to say.
async fn answered_in_vain(engine: &mut TcpStream, database: &mut TcpStream) -> std::io::Result<()> {
    let (mut asked, mut answered) = (vec![0; 65536], vec![0; 65536]);
    loop {
        tokio::select! {
            read = engine.read(&mut asked) => match read? {
                0 => return Ok(()),
                read => database.write_all(&asked[..read]).await?,
            },
            read = database.read(&mut answered) => {
                let read = read?;
                // Ready for the next query, outside of any transaction.
                if read == 0 || answered[..read].ends_with(b"Z\0\0\0\x05I") || answered[..read].ends_with(b"Z\0\0\0\x05E") {
                    return Ok(());
                }
            }
        }
    }
}
