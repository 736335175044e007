//! The files of the mod for Luanti, which its demonstration puts into a world.

macro_rules! brought {
    ($($path:literal),* $(,)?) => { &[$(($path, include_str!(concat!("../../luanti/", $path)))),*] };
}

pub const FILES: &[(&str, &str)] = brought![
    "leasehold_bridge/init.lua",
    "leasehold_bridge/mod.conf",
    "leasehold_bridge/settingtypes.txt",
    "leasehold_bridge/src/acts.lua",
    "leasehold_bridge/src/book.lua",
    "leasehold_bridge/src/gate.lua",
    "leasehold_bridge/src/gates.lua",
    "leasehold_bridge/src/holds.lua",
    "leasehold_bridge/src/json.lua",
    "leasehold_bridge/src/judge.lua",
    "leasehold_bridge/src/line.lua",
    "leasehold_bridge/src/manifest.lua",
    "leasehold_bridge/src/mobs.lua",
    "leasehold_bridge/src/nodes.lua",
    "leasehold_bridge/src/options.lua",
    "leasehold_bridge/src/places.lua",
    "leasehold_bridge/src/privileges.lua",
    "leasehold_bridge/src/raider.lua",
    "leasehold_bridge/src/settings.lua",
    "leasehold_bridge/src/spawners.lua",
    "leasehold_bridge/src/things.lua",
    "leasehold_bridge/src/triggers.lua",
    "leasehold_bridge/src/turnout.lua",
];
