//! What moves in the world, as the server describes it.

use crate::wire::Reader;

/// A place in the world, in nodes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

impl Point {
    pub const fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    pub fn distance(self, other: Self) -> f32 {
        let (x, y, z) = (self.x - other.x, self.y - other.y, self.z - other.z);
        (x * x + y * y + z * z).sqrt()
    }

    /// So far on the straight way to `target`, and no further than it.
    pub(crate) fn towards(self, target: Self, far: f32) -> Self {
        let distance = self.distance(target);
        if distance <= far {
            return target;
        }
        let part = far / distance;
        let along = |from: f32, to: f32| from + (to - from) * part;
        Self::new(along(self.x, target.x), along(self.y, target.y), along(self.z, target.z))
    }
}

/// An active object: a mob, a dropped item, a player.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object {
    /// A player's name; empty for everything else.
    pub name: String,
    /// What stands over its head.
    pub nametag: String,
    pub position: Point,
    pub hp: u16,
}

impl Object {
    /// One that has come within sight.
    pub(crate) fn read(told: &[u8]) -> Option<Self> {
        let mut told = Reader(told);
        let (_version, name) = (told.u8()?, told.text()?);
        let (_is_player, _id) = (told.u8()?, told.u16()?);
        let (position, _rotation, hp) = (told.point()?, told.point()?, told.u16()?);
        let mut object = Self { name, position, hp, ..Self::default() };
        for _ in 0..told.u8()? {
            object.take_in(told.long()?);
        }
        Some(object)
    }

    /// What the server says of one that is within sight. What these players have no use for is passed over.
    pub(crate) fn take_in(&mut self, message: &[u8]) {
        let mut message = Reader(message);
        match message.u8() {
            Some(0) => self.nametag = nametag(&mut message).unwrap_or_default(),
            Some(1) => self.position = message.point().unwrap_or(self.position),
            Some(4) => self.hp = message.u16().unwrap_or(self.hp),
            _ => {}
        }
    }
}

/// The nametag among the properties of an object: what comes before it is passed over.
fn nametag(told: &mut Reader<'_>) -> Option<String> {
    // Version, health, whether it is solid, its weight, two boxes, whether it can be pointed at.
    told.bytes(1 + 2 + 1 + 4 + 2 * 24 + 1)?;
    // Its look, and the size of that.
    told.short()?;
    told.bytes(12)?;
    for _ in 0..told.u16()? {
        told.short()?;
    }
    // Parts of its picture, whether it is seen and heard, how it turns.
    told.bytes(4 + 4 + 1 + 1 + 4)?;
    told.short()?;
    let colours = usize::from(told.u16()?);
    // Colours, whether it meets other objects, how high it steps, whether it faces where it goes, and whether its back is drawn.
    told.bytes(4 * colours + 1 + 4 + 1 + 4 + 1)?;
    told.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_walks_past_what_he_walks_to() {
        let (here, there) = (Point::default(), Point::new(3.0, 0.0, 4.0));
        assert_eq!((here.towards(there, 2.5), here.towards(there, 9.0)), (Point::new(1.5, 0.0, 2.0), there));
    }

    #[test]
    fn a_description_that_is_too_short_is_none() {
        assert_eq!(Object::read(&[1, 0, 3, b'a']), None);
    }
}
