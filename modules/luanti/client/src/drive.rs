//! The connection at work: the login, then the server's packets, the player's orders, and where the player is ten times a second.

use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::connection::Connection;
use crate::login::Login;
use crate::object::Point;
use crate::orders::Order;
use crate::seen::Seen;
use crate::wire::{Reader, Writer};

/// The oldest and the newest protocol that is spoken, and the format of maps.
const PROTOCOLS: (u16, u16) = (37, 41);
const MAPS: u8 = 28;
/// The bit of the servers' ways to log in that is for somebody new.
const FIRST_LOGIN: u32 = 4;
const TICK: Duration = Duration::from_millis(100);
/// Nodes in a tick: as fast as the server lets players walk, and a little less.
const STRIDE: f32 = 0.35;
/// Between two blows: longer than any tool needs to strike with its full strength.
const SWING: Duration = Duration::from_millis(1_100);
/// As near as one stands to strike.
const REACH: f32 = 1.5;
/// Until there is an answer, a player asks to be let in so often.
const KNOCK: Duration = Duration::from_millis(300);

pub struct Drive {
    pub connection: Connection,
    pub login: Login,
    pub name: String,
    pub seen: watch::Sender<Seen>,
    pub orders: mpsc::UnboundedReceiver<Order>,
    pub here: Point,
    pub target: Option<Point>,
    pub wielded: u16,
    pub foe: Option<Foe>,
}

/// Whom the player strikes.
pub struct Foe {
    object: u16,
    blows: u32,
    next: Instant,
}

impl Drive {
    /// Works until the server ends the connection, or the player leaves.
    pub async fn run(mut self) {
        let ended = match self.enter().await {
            Ok(()) => self.live().await,
            Err(why) => Err(why),
        };
        if let Err(why) = ended {
            self.seen.send_modify(|seen| seen.over = Some(why));
        }
    }

    /// From the first packet until the server has told what it is made of.
    async fn enter(&mut self) -> Result<(), String> {
        // An empty packet makes the server give this peer an id.
        self.connection.send(0, &[0, 0]).await;
        let mut knock = interval(KNOCK);
        let mut heard = false;
        loop {
            tokio::select! {
                received = self.connection.receive() => {
                    heard = true;
                    if self.let_in(&received?).await? {
                        return Ok(());
                    }
                }
                _ = knock.tick() => {
                    if !heard {
                        let hello = Writer::of(0x02).u8(MAPS).u16(0).u16(PROTOCOLS.0).u16(PROTOCOLS.1).short(self.name.as_bytes());
                        self.connection.send(1, &hello.done()).await;
                    }
                    self.connection.send_again().await;
                }
            }
        }
    }

    /// One packet of the login; whether it was the last.
    async fn let_in(&mut self, packet: &[u8]) -> Result<bool, String> {
        let mut told = Reader(packet);
        match told.u16() {
            Some(0x02) => {
                let ways = told.bytes(5).and_then(|_| told.u32()).unwrap_or_default();
                let (salt, verifier) = self.login.first();
                let answer = match ways & FIRST_LOGIN {
                    0 => Writer::of(0x51).short(&self.login.opening()).u8(1),
                    _ => Writer::of(0x50).short(&salt).short(&verifier).u8(0),
                };
                self.connection.send_surely(1, &answer.done()).await;
            }
            Some(0x60) => {
                let (salt, theirs) = (told.short().unwrap_or_default(), told.short().unwrap_or_default());
                let proof = Writer::of(0x52).short(&self.login.proof(salt, theirs));
                self.connection.send_surely(1, &proof.done()).await;
            }
            Some(0x03) => self.connection.send_surely(1, &Writer::of(0x11).short(b"").done()).await,
            Some(0x3c) => {
                // There is nothing to fetch for somebody who sees nothing.
                let ready = Writer::of(0x43).u8(5).u8(6).u8(1).u8(0).short(b"leasehold").u16(6);
                self.connection.send_surely(1, &ready.done()).await;
                return Ok(true);
            }
            _ => self.take_in(packet).await?,
        }
        Ok(false)
    }

    async fn live(&mut self) -> Result<(), String> {
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last = Instant::now();
        loop {
            tokio::select! {
                received = self.connection.receive() => self.take_in(&received?).await?,
                order = self.orders.recv() => match order {
                    Some(Order::Leave) | None => {
                        self.connection.say_goodbye().await;
                        return Ok(());
                    }
                    Some(order) => self.obey(order).await,
                },
                now = tick.tick() => {
                    // After a pause no more than one stride: a server puts back who runs.
                    let part = now.duration_since(last).as_secs_f32() / TICK.as_secs_f32();
                    last = now;
                    self.walk(STRIDE * part.min(1.0)).await;
                    self.connection.send_again().await;
                }
            }
        }
    }

    async fn take_in(&mut self, packet: &[u8]) -> Result<(), String> {
        let mut told = Reader(packet);
        match told.u16() {
            Some(0x0a) => return Err(refusal(told.u8(), told.text())),
            Some(0x35) => return Err(told.wide().unwrap_or_default()),
            Some(0x20) => {
                if let Some(place) = told.place() {
                    self.connection.send_surely(2, &Writer::of(0x24).u8(1).place(place).done()).await;
                }
            }
            _ => {}
        }
        // What cannot be read is passed over, as a packet of a newer server would be.
        self.seen.send_modify(|seen| _ = seen.take_in(packet));
        if packet.starts_with(&[0, 0x34]) {
            self.here = self.seen.borrow().position;
        }
        Ok(())
    }

    async fn obey(&mut self, order: Order) {
        let packet = match order {
            Order::GoTo(target) => return self.target = Some(target),
            Order::Hit { object, blows } => return self.foe = Some(Foe { object, blows, next: Instant::now() }),
            Order::Say(line) => Writer::of(0x32).wide(&line),
            Order::Wield(slot) => {
                self.wielded = slot;
                Writer::of(0x37).u16(slot)
            }
            Order::FillIn { node, fields } => {
                let count = u16::try_from(fields.len()).unwrap_or_default();
                let form = Writer::of(0x3b).place(node).short(b"").u16(count);
                // A value has its length in four bytes: two of nought, and two.
                fields.iter().fold(form, |form, (name, value)| form.short(name.as_bytes()).u16(0).short(value.as_bytes()))
            }
            Order::Respawn => Writer::of(0x38),
            Order::Leave => return,
        };
        self.connection.send_surely(0, &packet.done()).await;
    }

    async fn walk(&mut self, far: f32) {
        self.fight().await;
        if let Some(target) = self.target {
            self.here = self.here.towards(target, far);
        }
        self.connection.send(0, &Writer::of(0x23).standing(self.here).done()).await;
    }

    /// Goes up to the foe and strikes, until all blows are dealt or nobody is there any more.
    async fn fight(&mut self) {
        let Some(foe) = &mut self.foe else { return };
        let Some(there) = self.seen.borrow().objects.get(&foe.object).map(|object| object.position) else {
            return self.foe = None;
        };
        // On its own level: who strikes does not fly.
        let beside = Point { y: self.here.y, ..there };
        if self.here.distance(beside) > REACH {
            return self.target = Some(beside);
        }
        self.target = None;
        let now = Instant::now();
        if now < foe.next {
            return;
        }
        (foe.blows, foe.next) = (foe.blows - 1, now + SWING);
        let (object, over) = (foe.object, foe.blows == 0);
        if over {
            self.foe = None;
        }
        // A blow, with what is in the hand, at four bytes that say: an object, this one.
        let blow = Writer::of(0x39).u8(0).u16(self.wielded).u32(4).u8(0).u8(2).u16(object).standing(self.here);
        self.connection.send_surely(0, &blow.done()).await;
        self.seen.send_modify(|seen| seen.struck += 1);
    }
}

/// Why the server lets somebody in no more, in its words where it has any.
fn refusal(code: Option<u8>, words: Option<String>) -> String {
    match (code, words) {
        (Some(6), _) => "refused: there are too many players".to_owned(),
        (Some(8), _) => "refused: somebody of that name is there".to_owned(),
        (_, Some(words)) if !words.is_empty() => format!("refused: {words}"),
        (code, _) => format!("refused: code {code:?}"),
    }
}
