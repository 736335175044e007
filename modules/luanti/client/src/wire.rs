//! Reading and writing the fields of packets: numbers with the highest byte first, texts after their length.

use crate::object::Point;

/// Units of the protocol in a node.
const UNITS: f32 = 10.0;

/// What is left to read of a packet. Every method is none where that is too short.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const LENGTH: usize>(&mut self) -> Option<[u8; LENGTH]> {
        self.bytes(LENGTH)?.try_into().ok()
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_be_bytes)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    pub fn f32(&mut self) -> Option<f32> {
        self.array().map(f32::from_be_bytes)
    }

    /// Bytes after their length in two bytes.
    pub fn short(&mut self) -> Option<&'a [u8]> {
        let length = self.u16()?;
        self.bytes(length.into())
    }

    /// Bytes after their length in four bytes.
    pub fn long(&mut self) -> Option<&'a [u8]> {
        let length = self.u32()?;
        self.bytes(usize::try_from(length).ok()?)
    }

    pub fn text(&mut self) -> Option<String> {
        self.short().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// A text of two bytes a character.
    pub fn wide(&mut self) -> Option<String> {
        let length = self.u16()?;
        let units: Option<Vec<u16>> = (0..length).map(|_| self.u16()).collect();
        Some(String::from_utf16_lossy(&units?))
    }

    /// A place in units of the protocol.
    pub fn point(&mut self) -> Option<Point> {
        Some(Point::new(self.f32()? / UNITS, self.f32()? / UNITS, self.f32()? / UNITS))
    }

    /// The place of a node or a block.
    pub fn place(&mut self) -> Option<(i16, i16, i16)> {
        let mut part = || self.array().map(i16::from_be_bytes);
        Some((part()?, part()?, part()?))
    }
}

/// A packet that is written: its number, then its fields.
pub struct Writer(Vec<u8>);

impl Writer {
    pub fn of(number: u16) -> Self {
        Self(number.to_be_bytes().to_vec())
    }

    pub fn u8(mut self, value: u8) -> Self {
        self.0.push(value);
        self
    }

    pub fn u16(mut self, value: u16) -> Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    pub fn u32(mut self, value: u32) -> Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    /// A number with two places after the point.
    pub fn hundredths(mut self, value: f32) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "a world is 62,000 nodes wide: its hundredths of units fit")]
        let whole = (value * 100.0).round() as i32;
        self.0.extend(whole.to_be_bytes());
        self
    }

    /// Bytes after their length in two bytes; what goes beyond that is cut off.
    pub fn short(self, bytes: &[u8]) -> Self {
        let length = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
        let mut written = self.u16(length);
        written.0.extend(&bytes[..length.into()]);
        written
    }

    pub fn wide(self, text: &str) -> Self {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut written = self.u16(u16::try_from(units.len()).unwrap_or(u16::MAX));
        written.0.extend(units.iter().flat_map(|unit| unit.to_be_bytes()));
        written
    }

    pub fn place(mut self, (x, y, z): (i16, i16, i16)) -> Self {
        self.0.extend([x, y, z].into_iter().flat_map(i16::to_be_bytes));
        self
    }

    /// Where a player is, who stands still and looks ahead.
    pub fn standing(self, at: Point) -> Self {
        // A view of 72 degrees, in eightieths of a radian, and two blocks far.
        let (view, far) = (101, 2);
        let written = self.hundredths(at.x * UNITS).hundredths(at.y * UNITS).hundredths(at.z * UNITS);
        // Speed, pitch, yaw and keys.
        (0..6).fold(written, |written, _| written.u32(0)).u8(view).u8(far)
    }

    pub fn done(self) -> Vec<u8> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let written = Writer::of(7).u8(1).u32(70_000).short(b"ab").wide("h\u{e9}").place((-1, 2, 3)).done();
        let mut read = Reader(&written);
        assert_eq!((read.u16(), read.u8(), read.u32(), read.text()), (Some(7), Some(1), Some(70_000), Some("ab".to_owned())));
        assert_eq!((read.wide(), read.place(), read.u8()), (Some("h\u{e9}".to_owned()), Some((-1, 2, 3)), None));
    }

    #[test]
    fn a_packet_that_is_too_short_is_nothing() {
        assert_eq!((Reader(&[0, 5, b'a']).text(), Reader(&[0, 0, 0]).u32(), Reader(&[255, 255]).wide()), (None, None, None));
    }
}
