//! A player, as tests use one.

use std::net::SocketAddr;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::connection::Connection;
use crate::drive::Drive;
use crate::login::Login;
use crate::object::Point;
use crate::orders::Order;
use crate::seen::Seen;

/// Why somebody is not in the world.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("there is no network: {0}")]
    Unreachable(#[from] std::io::Error),
    #[error("{0}")]
    Over(String),
}

/// Somebody in the world. Dropped without [`Player::leave`], the player is gone without a goodbye.
pub struct Player {
    pub name: String,
    driven: JoinHandle<()>,
    orders: mpsc::UnboundedSender<Order>,
    seen: watch::Receiver<Seen>,
}

impl Player {
    /// Joins, and returns when the server has put the player somewhere. A name that the server does not know is registered.
    /// `name` in lower case.
    ///
    /// # Errors
    /// [`Refused::Over`] with the server's words where it lets nobody in. A server that says nothing is waited for.
    pub async fn join(server: SocketAddr, name: &str, password: &str) -> Result<Self, Refused> {
        let connection = Connection::to(server).await?;
        let (orders, taken) = mpsc::unbounded_channel();
        let (told, mut seen) = watch::channel(Seen::default());
        let drive = Drive {
            connection,
            login: Login::new(name, password),
            name: name.to_owned(),
            seen: told,
            orders: taken,
            here: Point::default(),
            target: None,
            wielded: 0,
            foe: None,
        };
        let driven = tokio::spawn(drive.run());
        let settled = seen.wait_for(|seen| seen.moved > 0 || seen.over.is_some()).await;
        let why = settled.map_or(Some("the connection ended".to_owned()), |seen| seen.over.clone());
        match why {
            Some(why) => Err(Refused::Over(why)),
            None => Ok(Self { name: name.to_owned(), driven, orders, seen }),
        }
    }

    /// What the server's packets have told so far, through `look`.
    pub fn sees<T>(&self, look: impl FnOnce(&Seen) -> T) -> T {
        look(&self.seen.borrow())
    }

    fn order(&self, order: Order) {
        // With the connection over there is nobody to obey; `Seen::over` says so.
        let _ = self.orders.send(order);
    }

    /// A line of chat, or a command with its slash.
    pub fn say(&self, text: &str) {
        self.order(Order::Say(text.to_owned()));
    }

    /// Walks there, in a straight line and at a walker's speed.
    pub fn go_to(&self, target: Point) {
        self.order(Order::GoTo(target));
    }

    /// So many blows at an active object, one a second, from beside it; fewer where it is gone before. At least one.
    pub fn hit(&self, object: u16, blows: u32) {
        self.order(Order::Hit { object, blows: blows.max(1) });
    }

    /// Takes what is in that slot of the list `main` in the hand; the first is 0.
    pub fn wield(&self, slot: u16) {
        self.order(Order::Wield(slot));
    }

    /// Fills in the form of the node at a place.
    pub fn fill_in(&self, node: (i16, i16, i16), fields: &[(&str, &str)]) {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        self.order(Order::FillIn { node, fields });
    }

    /// Back to life.
    pub fn respawn(&self) {
        self.order(Order::Respawn);
    }

    /// Goes with a goodbye, and returns when it is said.
    pub async fn leave(mut self) {
        self.order(Order::Leave);
        // Gone already is gone, too.
        let _ = (&mut self.driven).await;
    }

    /// Is gone without one: the server has to find out by itself.
    pub fn vanish(self) {
        self.driven.abort();
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.driven.abort();
    }
}
