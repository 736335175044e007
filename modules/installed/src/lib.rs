//! The game modules of this build. This crate alone names them to the engine: to add one, depend on it here.

mod luanti;

use std::sync::Arc;

use leasehold_linked::LinkedGames;
use leasehold_module::{Link, Module, Offers};
use leasehold_sidecar::Patience;
use leasehold_uo::Uo;

/// Every installed module, reaching its games by `links`; `reply_timeout_ms`: how long each waits for one answer, where
/// the operator says other than the modules themselves.
pub fn installed(links: &[Link], reply_timeout_ms: Option<u64>) -> Vec<Arc<dyn Module>> {
    vec![Arc::new(Uo::with_settings(links, patience(reply_timeout_ms)))]
}

/// The games that declare themselves over these links.
pub fn linked(links: &[Link], reply_timeout_ms: Option<u64>) -> Arc<dyn Offers> {
    Arc::new(LinkedGames::new(links, patience(reply_timeout_ms)))
}

fn patience(reply_timeout_ms: Option<u64>) -> Patience {
    reply_timeout_ms.map_or_else(Patience::default, |reply_timeout_ms| Patience { reply_timeout_ms })
}

/// A demonstration that a module brings along.
pub struct Demonstration {
    /// The module's id.
    pub id: &'static str,
    /// Its `demo.toml`, read as [`leasehold_module::demo::Demo`].
    pub text: &'static str,
    /// The files that it writes, by their paths in the module's folder.
    pub files: &'static [(&'static str, &'static str)],
}

/// The demonstrations of this build; the first is shown where nobody asks for another.
pub fn demos() -> Vec<Demonstration> {
    vec![
        Demonstration { id: "uo", text: include_str!("../../uo/demo.toml"), files: &[] },
        Demonstration { id: "luanti", text: include_str!("../../luanti/demo.toml"), files: luanti::FILES },
    ]
}

#[cfg(test)]
mod tests;
