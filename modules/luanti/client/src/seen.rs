//! What the server's packets have told a player so far.

use std::collections::BTreeMap;

use miniz_oxide::inflate::decompress_to_vec_zlib;

use crate::object::{Object, Point};
use crate::wire::Reader;

/// Everything that is kept.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Seen {
    /// Days that pass in a day, as the last packet about time says.
    pub time_speed: f32,
    /// The day clock, 0 to 23,999.
    pub time_of_day: u16,
    /// Lines of chat in their order, as they would be shown.
    pub chat: Vec<String>,
    /// Texts of the display by their ids.
    pub display: BTreeMap<u32, String>,
    /// Active objects within sight by their ids.
    pub objects: BTreeMap<u16, Object>,
    /// How many of each item the player carries.
    pub items: BTreeMap<String, u32>,
    /// The slots of the list `main`, by the items' names; empty where nothing is.
    pub slots: Vec<String>,
    pub privileges: Vec<String>,
    pub hp: u16,
    /// How often the player has died.
    pub deaths: u32,
    /// Where the server last put the player.
    pub position: Point,
    /// How often the server has put the player somewhere.
    pub moved: u32,
    /// How many blows the player has dealt.
    pub struck: u32,
    /// Why the connection is over; none while it is not.
    pub over: Option<String>,
    /// The items of each list, by the slots.
    lists: BTreeMap<String, Vec<(String, u32)>>,
    /// Names of nodes by their numbers.
    names: BTreeMap<u16, String>,
    /// The numbers of the nodes of each block that was sent.
    blocks: BTreeMap<(i16, i16, i16), Vec<u16>>,
}

/// Nodes along the edge of a block, and in one.
const EDGE: i16 = 16;
const NODES: usize = 4096;
/// What the protocol calls air, whatever the game's names are.
const AIR: u16 = 126;
/// The part of an element of the display that is its text.
const TEXT: u8 = 3;

impl Seen {
    /// The ids of objects with that name over their heads.
    pub fn with_nametag(&self, nametag: &str) -> Vec<u16> {
        self.objects.iter().filter(|(_, object)| object.nametag == nametag).map(|(id, _)| *id).collect()
    }

    /// The id of a player within sight.
    pub fn player(&self, name: &str) -> Option<u16> {
        self.objects.iter().find(|(_, object)| object.name == name).map(|(id, _)| *id)
    }

    /// Whether a line of chat has these words.
    pub fn heard(&self, words: &str) -> bool {
        self.chat.iter().any(|line| line.contains(words))
    }

    /// The node at a place, by its name; none where the server has not sent what is there.
    pub fn node(&self, x: i16, y: i16, z: i16) -> Option<&str> {
        let (block, at) = within((x, y, z));
        self.names.get(self.blocks.get(&block)?.get(at)?).map(String::as_str)
    }

    /// One packet. None where it is not as it should be: then nothing more of it is kept.
    pub(crate) fn take_in(&mut self, packet: &[u8]) -> Option<()> {
        let mut told = Reader(packet);
        match told.u16()? {
            0x20 => {
                let place = told.place()?;
                self.blocks.insert(place, numbers(&mut told)?);
            }
            0x21 => self.put(told.place()?, told.u16()?),
            0x22 => self.put(told.place()?, AIR),
            0x27 => self.carry(std::str::from_utf8(told.0).ok()?),
            0x29 => (self.time_of_day, self.time_speed) = (told.u16()?, told.f32()?),
            0x2f => {
                let (_version, _kind, _sender) = (told.u8()?, told.u8()?, told.wide()?);
                self.chat.push(plain(&told.wide()?));
            }
            0x31 => self.come_and_go(&mut told)?,
            0x32 => {
                while let (Some(id), Some(message)) = (told.u16(), told.short()) {
                    if let Some(object) = self.objects.get_mut(&id) {
                        object.take_in(message);
                    }
                }
            }
            0x33 => self.hp = told.u16()?,
            0x34 => (self.position, self.moved) = (told.point()?, self.moved + 1),
            0x37 => self.deaths += 1,
            0x3a => self.names = names(told.long()?)?,
            0x41 => {
                let count = told.u16()?;
                self.privileges = (0..count).map_while(|_| told.text()).collect();
            }
            0x49..=0x4b => self.display(packet)?,
            _ => {}
        }
        Some(())
    }

    /// An element of the display that is added, taken away or changed.
    fn display(&mut self, packet: &[u8]) -> Option<()> {
        let mut told = Reader(packet);
        let (number, id) = (told.u16()?, told.u32()?);
        match number {
            0x49 => {
                let (_kind, _place, _name, _scale) = (told.u8()?, told.bytes(8)?, told.text()?, told.bytes(8)?);
                self.display.insert(id, told.text()?);
            }
            0x4a => drop(self.display.remove(&id)),
            _ if told.u8()? == TEXT => drop(self.display.insert(id, told.text()?)),
            _ => {}
        }
        Some(())
    }

    fn come_and_go(&mut self, told: &mut Reader<'_>) -> Option<()> {
        for _ in 0..told.u16()? {
            self.objects.remove(&told.u16()?);
        }
        for _ in 0..told.u16()? {
            let (id, _kind, described) = (told.u16()?, told.u8()?, told.long()?);
            self.objects.insert(id, Object::read(described)?);
        }
        Some(())
    }

    fn put(&mut self, place: (i16, i16, i16), number: u16) {
        let (block, at) = within(place);
        if let Some(node) = self.blocks.get_mut(&block).and_then(|block| block.get_mut(at)) {
            *node = number;
        }
    }

    /// The lists of items, line by line: `List NAME SIZE`, a line for each slot, `EndInventoryList`. One that is not told is kept.
    fn carry(&mut self, told: &str) {
        let mut list = None;
        for line in told.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match (words[..].first().copied(), &mut list) {
                (Some("List"), _) => list = words.get(1).map(|name| ((*name).to_owned(), Vec::new())),
                (Some("Empty"), Some((_, slots))) => slots.push((String::new(), 0)),
                (Some("Item"), Some((_, slots))) => {
                    let count = words.get(2).and_then(|count| count.parse().ok()).unwrap_or(1);
                    slots.push((words.get(1).copied().unwrap_or_default().to_owned(), count));
                }
                (Some("Keep"), Some((name, slots))) => {
                    let before = self.lists.get(name).and_then(|list| list.get(slots.len())).cloned();
                    slots.push(before.unwrap_or_default());
                }
                (Some("EndInventoryList"), _) => self.lists.extend(list.take()),
                _ => {}
            }
        }
        self.items.clear();
        for (name, count) in self.lists.values().flatten().filter(|(name, _)| !name.is_empty()) {
            *self.items.entry(name.clone()).or_default() += count;
        }
        self.slots = self.lists.get("main").into_iter().flatten().map(|(name, _)| name.clone()).collect();
    }
}

/// The numbers of a block's nodes: behind a few flags, packed.
fn numbers(told: &mut Reader<'_>) -> Option<Vec<u16>> {
    let (_flags, _light, _widths) = (told.u8()?, told.u16()?, told.u16()?);
    let nodes = unpacked(told.0)?;
    let mut nodes = Reader(&nodes);
    (0..NODES).map(|_| nodes.u16()).collect()
}

/// What the nodes of this server are called, by their numbers.
fn names(packed: &[u8]) -> Option<BTreeMap<u16, String>> {
    let unpacked = unpacked(packed)?;
    let mut told = Reader(&unpacked);
    let (_version, count) = (told.u8()?, told.u16()?);
    let mut of_each = Reader(told.long()?);
    let mut names = BTreeMap::from([(AIR, "air".to_owned())]);
    for _ in 0..count {
        let (number, features) = (of_each.u16()?, of_each.short()?);
        let mut features = Reader(features);
        features.u8()?;
        names.insert(number, features.text()?);
    }
    Some(names)
}

/// What was packed, whatever follows it.
fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    decompress_to_vec_zlib(packed).ok()
}

/// The block of a place, and which of its nodes lies there.
fn within((x, y, z): (i16, i16, i16)) -> ((i16, i16, i16), usize) {
    let block = (x.div_euclid(EDGE), y.div_euclid(EDGE), z.div_euclid(EDGE));
    let at = [z, y, x].into_iter().fold(0, |at, part| at * EDGE.unsigned_abs() + part.rem_euclid(EDGE).unsigned_abs());
    (block, usize::from(at))
}

/// A line without the marks for colour and translation: an escape, and what is in brackets after it or one more character.
fn plain(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text.chars());
    while let Some(next) = rest.next() {
        if next != '\u{1b}' {
            plain.push(next);
        } else if rest.next() == Some('(') {
            let _ = rest.by_ref().find(|c| *c == ')');
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_left_out_of_a_line() {
        assert_eq!(plain("\u{1b}(c@#ff0000)red\u{1b}(c@#ffffff) and \u{1b}(T@core)white\u{1b}E"), "red and white");
    }

    #[test]
    fn a_place_lies_in_one_block_also_below_nought() {
        assert_eq!((within((3, 9, 0)), within((-1, 16, -17))), (((0, 0, 0), 147), ((-1, 1, -2), 3855)));
    }

    #[test]
    fn a_list_that_is_not_told_again_is_carried_on() {
        let mut seen = Seen::default();
        seen.carry(
            "List main 2\nWidth 0\nItem a:b 3\nEmpty\nEndInventoryList\nList craft 1\nItem a:b\nEndInventoryList\nEndInventory\n",
        );
        assert_eq!((seen.items.get("a:b"), &seen.slots[..]), (Some(&4), &["a:b".to_owned(), String::new()][..]));
        seen.carry("KeepList main\nList craft 1\nEmpty\nEndInventoryList\nEndInventory\n");
        assert_eq!(seen.items.get("a:b"), Some(&3));
    }

    #[test]
    fn a_packet_cut_short_changes_nothing() {
        let mut seen = Seen::default();
        for packet in [&[][..], &[0], &[0, 0x33, 7], &[0, 0x29, 1, 2], &[0, 0x3a, 0, 0, 0, 9, 1], &[0, 0x20, 0, 0]] {
            assert_eq!(seen.take_in(packet), None, "{packet:?}");
        }
        assert_eq!(seen, Seen::default());
    }
}
