//! Datagrams made into packets: numbered and acknowledged, sent again until they are, put in order, and put together where they
//! came in parts. Three channels, each with numbers of its own.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::UdpSocket;
use tokio::time::Instant;

use crate::wire::Reader;

const PROTOCOL: u32 = 0x4f45_7403;
/// The number of the first packet that is acknowledged.
const FIRST: u16 = 65_500;
const AGAIN_AFTER: Duration = Duration::from_millis(400);
const LARGEST: usize = 65_536;

const CONTROL: u8 = 0;
const ORIGINAL: u8 = 1;
const PART: u8 = 2;
const RELIABLE: u8 = 3;

const ACKNOWLEDGED: u8 = 0;
const YOUR_ID: u8 = 1;
const GOODBYE: u8 = 3;

pub struct Connection {
    socket: UdpSocket,
    /// What the server calls this peer; 0 before it has said so.
    id: u16,
    channels: [Channel; 3],
    ready: VecDeque<Vec<u8>>,
    buffer: Vec<u8>,
}

struct Channel {
    next_out: u16,
    /// Sent and not acknowledged, with when it was sent last.
    waiting: BTreeMap<u16, (Instant, Vec<u8>)>,
    next_in: u16,
    /// Received before what comes before it.
    early: BTreeMap<u16, Vec<u8>>,
    /// Packets of which not all parts are there.
    parts: HashMap<u16, Vec<Option<Vec<u8>>>>,
}

impl Channel {
    fn new() -> Self {
        Self { next_out: FIRST, waiting: BTreeMap::new(), next_in: FIRST, early: BTreeMap::new(), parts: HashMap::new() }
    }
}

impl Connection {
    pub async fn to(server: SocketAddr) -> std::io::Result<Self> {
        let socket = UdpSocket::bind("127.0.0.1:0").await?;
        socket.connect(server).await?;
        let channels = [Channel::new(), Channel::new(), Channel::new()];
        Ok(Self { socket, id: 0, channels, ready: VecDeque::new(), buffer: vec![0; LARGEST] })
    }

    /// Sends a packet that may be lost.
    pub async fn send(&self, channel: u8, packet: &[u8]) {
        self.datagram(channel, &[&[ORIGINAL], packet].concat()).await;
    }

    /// Sends a packet again and again until the server has it.
    pub async fn send_surely(&mut self, channel: u8, packet: &[u8]) {
        let of = &mut self.channels[usize::from(channel) % 3];
        let number = of.next_out;
        of.next_out = number.wrapping_add(1);
        let body = [&[RELIABLE], &number.to_be_bytes()[..], &[ORIGINAL], packet].concat();
        of.waiting.insert(number, (Instant::now(), body.clone()));
        self.datagram(channel, &body).await;
    }

    /// Sends again what was not acknowledged in time.
    pub async fn send_again(&mut self) {
        let now = Instant::now();
        let mut late = Vec::new();
        for (channel, of) in (0..).zip(&mut self.channels) {
            for (sent, body) in of.waiting.values_mut().filter(|(sent, _)| now.duration_since(*sent) > AGAIN_AFTER) {
                *sent = now;
                late.push((channel, body.clone()));
            }
        }
        for (channel, body) in late {
            self.datagram(channel, &body).await;
        }
    }

    pub async fn say_goodbye(&self) {
        self.datagram(0, &[CONTROL, GOODBYE]).await;
    }

    /// The next packet. Nothing is lost where this is given up.
    ///
    /// # Errors
    /// The server has said goodbye, or there is no network.
    pub async fn receive(&mut self) -> Result<Vec<u8>, String> {
        loop {
            if let Some(packet) = self.ready.pop_front() {
                return Ok(packet);
            }
            let length = match self.socket.recv(&mut self.buffer).await {
                Ok(length) => length,
                // A server that is down refuses datagrams: the same as one that says nothing.
                Err(error) if error.kind() == ErrorKind::ConnectionRefused => continue,
                Err(error) => return Err(error.to_string()),
            };
            let datagram = self.buffer[..length].to_vec();
            if self.take_in(&datagram).await.is_some_and(|goodbye| goodbye) {
                return Err("the server said goodbye".to_owned());
            }
        }
    }

    async fn datagram(&self, channel: u8, body: &[u8]) {
        let head = [&PROTOCOL.to_be_bytes()[..], &self.id.to_be_bytes(), &[channel]].concat();
        // What is not sent is lost, as much else in a network is.
        let _ = self.socket.send(&[&head, body].concat()).await;
    }

    /// One datagram; whether it says goodbye, and none where it is not of this protocol.
    async fn take_in(&mut self, datagram: &[u8]) -> Option<bool> {
        let mut head = Reader(datagram);
        let (protocol, _, channel) = (head.u32()?, head.u16()?, head.u8()?);
        if protocol != PROTOCOL || channel > 2 {
            return None;
        }
        let mut body = head.0;
        let mut numbered = Reader(body);
        if numbered.u8()? != RELIABLE {
            return self.open(channel, body);
        }
        let number = numbered.u16()?;
        body = numbered.0;
        let acknowledged = [&[CONTROL, ACKNOWLEDGED], &number.to_be_bytes()[..]].concat();
        self.datagram(channel, &acknowledged).await;
        let of = &mut self.channels[usize::from(channel)];
        if number.wrapping_sub(of.next_in) < u16::MAX / 2 {
            of.early.insert(number, body.to_vec());
        }
        let mut goodbye = false;
        while let Some(body) = self.next_of(channel) {
            goodbye |= self.open(channel, &body).unwrap_or_default();
        }
        Some(goodbye)
    }

    fn next_of(&mut self, channel: u8) -> Option<Vec<u8>> {
        let of = &mut self.channels[usize::from(channel)];
        let body = of.early.remove(&of.next_in)?;
        of.next_in = of.next_in.wrapping_add(1);
        Some(body)
    }

    fn open(&mut self, channel: u8, body: &[u8]) -> Option<bool> {
        let mut body = Reader(body);
        let of = &mut self.channels[usize::from(channel)];
        match body.u8()? {
            ORIGINAL => self.ready.push_back(body.0.to_vec()),
            CONTROL => match body.u8()? {
                ACKNOWLEDGED => drop(of.waiting.remove(&body.u16()?)),
                YOUR_ID => self.id = body.u16()?,
                GOODBYE => return Some(true),
                _ => {}
            },
            PART => {
                let (whole, count, at) = (body.u16()?, body.u16()?, body.u16()?);
                let parts = of.parts.entry(whole).or_insert_with(|| vec![None; count.into()]);
                *parts.get_mut(usize::from(at))? = Some(body.0.to_vec());
                if parts.iter().all(Option::is_some) {
                    let parts = of.parts.remove(&whole)?;
                    self.ready.push_back(parts.into_iter().flatten().flatten().collect());
                }
            }
            _ => {}
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reliable(number: u16, inner: &[u8]) -> Vec<u8> {
        [&PROTOCOL.to_be_bytes()[..], &[0, 1, 2], &[RELIABLE], &number.to_be_bytes(), inner].concat()
    }

    #[tokio::test]
    async fn packets_come_in_order_once_and_whole() {
        let server = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let mut connection = Connection::to(server.local_addr().unwrap()).await.unwrap();
        let first = reliable(FIRST, &[ORIGINAL, b'a']);
        let second = reliable(FIRST.wrapping_add(1), &[PART, 0, 9, 0, 2, 0, 1, b'c']);
        let third = reliable(FIRST.wrapping_add(2), &[PART, 0, 9, 0, 2, 0, 0, b'b']);
        for datagram in [&third, &first, &first, &second, &third] {
            assert_eq!(connection.take_in(datagram).await, Some(false));
        }
        assert_eq!(connection.ready, [b"a".to_vec(), b"bc".to_vec()]);
        assert_eq!(connection.take_in(&reliable(FIRST.wrapping_add(3), &[CONTROL, GOODBYE])).await, Some(true));
        assert_eq!(connection.take_in(b"something else").await, None);
    }
}
