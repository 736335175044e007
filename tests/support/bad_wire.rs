//! A wire that cuts, truncates, doubles and delays what passes, by a seed. Included by its path wherever processes talk over it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// Every kind of fault, by its number in the count.
pub const KINDS: usize = 4;
/// Of so many pieces, one meets each kind of fault.
const OF_PIECES: usize = 24;

/// What passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passes {
    /// Lines, each a piece of its own; one that is doubled comes twice on its connection.
    Lines,
    /// Requests and what they are answered, a piece being what was read at once; a request that is doubled comes once more on
    /// a connection of its own, and nobody hears what it is answered.
    Requests,
}

/// A wire to somewhere.
pub struct BadWire {
    pub address: String,
    state: Arc<State>,
}

struct State {
    place: String,
    bad: AtomicBool,
    chance: Mutex<StdRng>,
    /// Cut, truncated, doubled, delayed.
    met: [AtomicUsize; KINDS],
    passes: Passes,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    There,
    Back,
}

impl BadWire {
    pub async fn to(place: &str, seed: u64, passes: Passes) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (place, chance, bad) = (place.to_owned(), Mutex::new(StdRng::seed_from_u64(seed)), AtomicBool::new(true));
        let state = Arc::new(State { place, bad, chance, met: Default::default(), passes });
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let Ok(far) = TcpStream::connect(&shared.place).await else { continue };
                for end in [&near, &far] {
                    end.set_nodelay(true).unwrap();
                }
                let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
                let state = Arc::clone(&shared);
                tokio::spawn(async move {
                    tokio::select! {
                        () = carry(near_in, far_out, Way::There, &state) => (),
                        () = carry(far_in, near_out, Way::Back, &state) => (),
                    }
                });
            }
        });
        Self { address, state }
    }

    /// Lets everything pass, or no longer.
    pub fn mend(&self, mended: bool) {
        self.state.bad.store(!mended, Ordering::SeqCst);
    }

    /// How often each kind of fault was met.
    pub fn met(&self) -> [usize; KINDS] {
        std::array::from_fn(|kind| self.state.met[kind].load(Ordering::SeqCst))
    }
}

/// Carries piece by piece until an end or a fault; both directions end with one.
async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, way: Way, state: &State) {
    let (mut buffer, mut held) = (vec![0; 16 * 1024], Vec::new());
    loop {
        let Ok(length @ 1..) = from.read(&mut buffer).await else { return };
        held.extend_from_slice(&buffer[..length]);
        while let Some(end) = match state.passes {
            Passes::Lines => held.iter().position(|byte| *byte == b'\n'),
            Passes::Requests => held.len().checked_sub(1),
        } {
            let piece: Vec<u8> = held.drain(..=end).collect();
            if !pass(&piece, &mut to, way, state).await {
                return;
            }
        }
    }
}

/// Whether the connection goes on behind that piece.
async fn pass(piece: &[u8], to: &mut OwnedWriteHalf, way: Way, state: &State) -> bool {
    let (fault, at) = {
        let mut chance = state.chance.lock().unwrap();
        (chance.random_range(0..OF_PIECES), chance.random_range(0..=piece.len()))
    };
    let answers = state.passes == Passes::Requests && way == Way::Back;
    if !state.bad.load(Ordering::SeqCst) || fault >= KINDS || (fault == 2 && answers) {
        return to.write_all(piece).await.is_ok();
    }
    state.met[fault].fetch_add(1, Ordering::SeqCst);
    match fault {
        0 => return false,
        1 => {
            drop(to.write_all(&piece[..at]).await);
            return false;
        }
        2 if state.passes == Passes::Lines => drop(to.write_all(piece).await),
        2 => send_aside(&state.place, piece).await,
        _ => tokio::time::sleep(Duration::from_millis(30)).await,
    }
    to.write_all(piece).await.is_ok()
}

/// The same request once more; whoever answers it is read to the end of one answer and no further.
async fn send_aside(place: &str, piece: &[u8]) {
    let Ok(mut aside) = TcpStream::connect(place).await else { return };
    let piece = piece.to_vec();
    tokio::spawn(async move {
        if aside.write_all(&piece).await.is_ok() {
            drop(tokio::time::timeout(Duration::from_secs(2), aside.read(&mut [0; 1024])).await);
        }
    });
}
